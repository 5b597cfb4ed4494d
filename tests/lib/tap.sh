# SPDX-License-Identifier: GPL-2.0-or-later
#
# TAP for shell tests.  A test is a POSIX shell script that begins with
#
#	. "${srcdir:-.}/tests/lib/tap.sh"
#
# and ends with
#
#	done_testing
#
# It runs in an empty directory of its own, removed at the end unless the environment has KEEP=1, with standard
# input /dev/null and the C locale.
#
# check NAME [-s STATUS] [-e TEXT | -E FILE | -g PATTERN] [-i TEXT | -I FILE] [-O FILE] [--] COMMAND [ARGUMENT...]
#	runs COMMAND and compares all it can say, byte for byte:
#	its exit status	with STATUS (0);
#	its stdout	with FILE of -O, else with the here-document given to check (none: empty);
#	its stderr	with TEXT and a newline (no -e or an empty TEXT: empty), with FILE, or, for texts of the
#			system's own such as strerror's, with a shell pattern (final newline not counted).
#	COMMAND's stdin is TEXT of -i as printf's %b writes it (backslash escapes, no newline added), FILE of -I, or
#	/dev/null.  COMMAND may be a function; it runs in a subshell.  Afterwards $STATUS is the exit status, and the
#	files $OUT and $ERR hold the output, for questions check cannot ask.  Inside `while read ...; done <file' give
#	check a stdin of its own (</dev/null), or it takes the rest of the file for the expected output.
#
#		check 'an address between two rows takes the lower one' rossym-addr2line -f -e x.exe 0x40100f <<-'EOT'
#			main
#			main.c:3
#		EOT
#		check 'no such file' -s 1 -e "rossym-addr2line: 'x': No such file" rossym-addr2line -e x 0
#
# cases SECTION
#	makes the checks of a section of the file beside the test whose name ends in .cases; in this shell, so functions and
#	variables of the test are there:
#
#		== section
#		// comment
#		+ what is done before: a command, which the shell reads
#			$ more lines of it
#			| a line of its standard input
#		the name of a case
#			$ command, which the shell reads; { COMMANDS; } can be several lines, or a pipe
#			< a line of standard input, <. the last one, without a newline, or <@ FILE (none: /dev/null)
#			> a line of standard output, or >@ FILE (none: empty)
#			! a line of standard error, !@ FILE, or ~ PATTERN as check -g (none: empty)
#			? status (none: 1 if the command only writes to standard error, else 0)
#
#	Cases between "+ if ...; then" and "+ fi", or "+ for ...; do" and "+ done", are done as the shell does: a + line with these words alone
#	is given to it as it is, and the text behind the + can be indented.  No case may call cases.
#
#	In the name, a pattern and lines of text %{NAME} is the value of a variable, %(COMMAND) the output of a command without a ")", and %XX
#	the byte with that hexadecimal number: %0d, %20 for a blank at the end of a line, %25 for "%".  A pattern can have several lines.
# ok NAME COMMAND [ARGUMENT...]		passes if COMMAND succeeds; what it prints becomes diagnostics on failure
# pass NAME, fail NAME			say so
# skip NAME REASON			a test that cannot run here; fails, for "if has iconv || skip ...; then"
# skip_all REASON			none of the file can: says so and ends it
# has TOOL				is it there?
# witness TOOL...			are these there to compare with?  Never in "make check" (TIER=check), which has no witnesses
# no_witness NAME REASON		the same as skip, but says nothing in "make check": the part belongs to "make check-witness"
# as_nobody COMMAND [ARGUMENT...]	runs it as somebody who must obey permissions: as nobody if this is root.  can_be_nobody says whether that
#			works.  The programs under test are copies then, since nobody may not enter each directory
# made KEY FILE... -- COMMAND [ARGUMENT...]
#			copies FILE... from tests/data/made/TEST/KEY.  COMMAND, which may be a function, is how they were made: with
#			REMAKE=1 in the environment it runs, in a subshell, and its files are stored.  Compilers of every version give
#			other bytes, so what a test says about an image holds for one that is stored.  -ffile-prefix-map="$PWD=/src"
#			keeps the name of this directory out of it, SOURCE_DATE_EPOCH=1 the time
# amount LONG SHORT			prints LONG in "make check-long", else SHORT: how much of something is enough
# newest TOOL				prints its name with the highest version number, as Debian has LLVM's programs
# version_of, known_difference, beside, unless	see tests/lib/witness.sh
# built_with MACRO			did configure define it?
# on_windows				do the programs under test run on Windows, or what takes its place?
# on_posix check|ok NAME...		a check of what only POSIX has: signals, closed streams, paths as they were typed
# await COMMAND [ARGUMENT...]		repeats COMMAND, whose messages nobody sees, until it succeeds; fails after at least two minutes.  What
#			another process makes is waited for so, never for a fixed time: on a busy machine it takes seconds
# need TOOL...				skip_all if one is not there
# diag TEXT...				a line of diagnostics
# program FILE PROGRAM			makes FILE, an absolute path, another name of a program under test
# alone FILE PROGRAM			copies a program under test to FILE so that it finds no installed rossym-embed: in the path that
#			the program has for it, each slash becomes "_"
# image NAME				builds tests/images/NAME.img as file NAME in this directory
# build FILE				builds the description on standard input as FILE
# done_testing				prints the plan and ends the file; the status is 1 if a test failed
#
# SRC is the source directory, DATA the real images; ADDR2LINE_BIN, EMBED_BIN, LOG_BIN and REFERENCE_BIN (which need not
# exist) the programs under test, MKIMAGE the builder of images, MUTATE_LOG makes mutants; all absolute.
# rossym-addr2line, raddr2line, rossym-embed, rsym, rossym-log, log2lines and mkimage are in PATH under just these
# names, so that messages, which begin with argv[0], are the same wherever the build is.  So are "pecheck", "mkcab", "zip" and
# "terminal", which are tests/tools/pecheck.py and so on.
#
# With RUNNER in the environment the programs under test are another system's, run by this command (wine); then
# ADDR2LINE_BIN, EMBED_BIN, LOG_BIN and MUTATE_LOG are scripts.  MKIMAGE is always this system's.  on_windows says so.

set -u
LC_ALL=C
LANGUAGE=
PYTHONDONTWRITEBYTECODE=1
export LC_ALL LANGUAGE PYTHONDONTWRITEBYTECODE
# What would change the answers of the programs under test, or of the GNU ones they are compared with.
unset POSIXLY_CORRECT GNUTARGET DEBUGINFOD_URLS CDPATH ROSSYM_FALLBACK ROSSYM_PATH _NT_SYMBOL_PATH

# Makes variable $1 the absolute path of $2, without a process.
tap_absolute () {
	case $2 in
	/*) eval "$1=\$2" ;;
	*) eval "$1=\$tap_start/\$2" ;;
	esac
}

tap_start=$(pwd)
tap_name_of_test=${0##*/}
tap_name_of_test=${tap_name_of_test%.sh}
SRC=$(cd "${srcdir:-.}" && pwd) || exit 99
DATA=$SRC/tests/data
tap_build=$(cd "${top_builddir:-.}" && pwd) || exit 99
tap_absolute ADDR2LINE_BIN "${ADDR2LINE_BIN:-$tap_build/src/rossym-addr2line${EXEEXT-}}"
tap_absolute REFERENCE_BIN "${REFERENCE_BIN:-$tap_build/src/rossym-bfd-reference${EXEEXT-}}"
tap_absolute EMBED_BIN "${EMBED_BIN:-$tap_build/src/rossym-embed${EXEEXT-}}"
tap_absolute MUTATE_LOG "${MUTATE_LOG:-$tap_build/tests/hostile/hostile-mutate-log${EXEEXT-}}"
tap_absolute LOG_BIN "${LOG_BIN:-$tap_build/src/rossym-log${EXEEXT-}}"
tap_absolute MKIMAGE "${MKIMAGE:-$tap_build/tests/tools/mkimage${EXEEXT-}}"

. "$SRC/tests/lib/witness.sh"

tap_count=0
tap_failed=0
tap_planned=0
STATUS=0

program () {
	if test -z "${RUNNER-}"; then
		ln -s "$2" "$1"
		return
	fi
	test -f "$2.exe" && ln -s "$2.exe" "$1.exe" || ln -s "$2" "$1.exe" || return
	printf '#!/bin/sh\nexec %s %s "$@"\n' "$RUNNER" "'$1.exe'" >"$1" && chmod +x "$1"
}

alone () {
	sed "s|${INSTALLED_EMBED:=/none}|$(printf '%s' "$INSTALLED_EMBED" | tr / _)|g" "$2" >"$1" && chmod +x "$1"
}

# Some programs take no path with a blank or a quotation mark: the loader in LD_PRELOAD, libtool, make.  A test that gives them one sets
# tap_plain, and then such a TMPDIR is not used.
case ${tap_plain:+${TMPDIR-}} in
*[!A-Za-z0-9/._+-]*) unset TMPDIR ;;
esac

# Everything that is not the test's own business stands beside its directory, not in it.
tap_tmp=$(mktemp -d "${TMPDIR:-/tmp}/rossym-test.XXXXXX") || exit 99
tap_exit () {
	tap_status=$?
	trap - EXIT
	if test "$tap_planned" -eq 0; then
		echo 'Bail out! the test ended before done_testing'
		test "$tap_status" -ne 0 || tap_status=99
	fi
	cd / || :
	if test "${KEEP-}" = 1; then
		echo "# kept: $tap_tmp"
	else
		rm -rf "$tap_tmp" 2>/dev/null || {
			chmod -R u+rwx "$tap_tmp" 2>/dev/null
			rm -rf "$tap_tmp"
		}
	fi
	exit "$tap_status"
}
trap tap_exit EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

OUT=$tap_tmp/out
ERR=$tap_tmp/err
mkdir "$tap_tmp/work" "$tap_tmp/bin" || exit 99
# A library that Wine loads says on standard error that it is not set.
if test -n "${RUNNER-}"; then
	XDG_RUNTIME_DIR=$tap_tmp
	export XDG_RUNTIME_DIR
fi

# Makes $1 a command that runs program $2, under the emulator if there is one; which needs a name in .exe.
tap_command () {
	program "$tap_tmp/bin/$1" "$2"
}

tap_command rossym-addr2line "$ADDR2LINE_BIN" &&
tap_command raddr2line "${RADDR2LINE_BIN:-$ADDR2LINE_BIN}" &&
tap_command rossym-embed "$EMBED_BIN" &&
tap_command rsym "${RSYM_BIN:-$EMBED_BIN}" &&
tap_command rossym-log "$LOG_BIN" &&
tap_command log2lines "${LOG2LINES_BIN:-$LOG_BIN}" &&
tap_command hostile-mutate-log "$MUTATE_LOG" &&
ln -s "$MKIMAGE" "$tap_tmp/bin/mkimage" || exit 99
for tap_tool in mkcab pecheck terminal zip; do
	ln -s "$SRC/tests/tools/$tap_tool.py" "$tap_tmp/bin/$tap_tool" || exit 99
done
PATH=$tap_tmp/bin:$PATH
export PATH
if test -n "${RUNNER-}"; then
	ADDR2LINE_BIN=$tap_tmp/bin/rossym-addr2line
	EMBED_BIN=$tap_tmp/bin/rossym-embed
	LOG_BIN=$tap_tmp/bin/rossym-log
	MUTATE_LOG=$tap_tmp/bin/hostile-mutate-log
fi
cd "$tap_tmp/work" || exit 99
# Nothing a test forgets to redirect may wait for a terminal.
exec </dev/null

# '#' would start a TAP directive inside a name.
tap_result () {
	tap_count=$((tap_count + 1))
	tap_name=$2
	case $tap_name in
	*'#'* | *'
'*) tap_name=$(printf '%s' "$tap_name" | tr '#\n' '  ') ;;
	esac
	printf '%s %d - %s%s\n' "$1" "$tap_count" "$tap_name" "${3-}"
}

diag () {
	printf '%s\n' "$*" | sed 's/^/# /'
}

pass () {
	tap_result ok "$1"
}

fail () {
	if is_difference; then
		tap_result 'not ok' "$1" " # TODO not in tests/lib/witness.table: $witness_unknown"
	else
		tap_failed=$((tap_failed + 1))
		tap_result 'not ok' "$1"
	fi
}

skip () {
	tap_count=$((tap_count + 1))
	printf 'ok %d # SKIP %s: %s\n' "$tap_count" "$1" "$2"
	return 1
}

no_witness () {
	test "${TIER-}" = check || skip "$@"
	return 1
}

skip_all () {
	printf '1..0 # SKIP %s\n' "$*"
	tap_planned=1
	exit 0
}

has () {
	command -v "$1" >/dev/null 2>&1
}

witness () {
	test "${TIER-}" != check || return 1
	for tap_tool in "$@"; do
		has "$tap_tool" || return 1
	done
}

can_be_nobody () {
	test "$(id -u)" -ne 0 && return
	has setpriv || return
	if ! test -d "$tap_tmp/anyone"; then
		mkdir "$tap_tmp/anyone" && cp -L "$tap_tmp"/bin/rossym-* "$tap_tmp/anyone" && chmod a+rx "$tap_tmp" "$tap_tmp/anyone" "$tap_tmp/anyone"/* || exit 99
	fi
	as_nobody rossym-addr2line --version >/dev/null 2>&1
}

as_nobody () {
	if test "$(id -u)" -ne 0; then
		"$@"
	else
		PATH=$tap_tmp/anyone:$PATH setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
	fi
}

made () {
	tap_made=$SRC/tests/data/made/$tap_name_of_test/$1
	shift
	tap_files=
	while test "$1" != --; do
		tap_files="$tap_files $1"
		shift
	done
	shift
	if test "${REMAKE-}" = 1; then
		(trap - EXIT; export SOURCE_DATE_EPOCH=1; "$@") || {
			echo "Bail out! cannot make$tap_files"
			exit 99
		}
	fi
	for tap_file in $tap_files; do
		if test "${REMAKE-}" = 1; then
			mkdir -p "$(dirname "$tap_made/$tap_file")" && cp "$tap_file" "$tap_made/$tap_file" || exit 99
		fi
		mkdir -p "$(dirname "$tap_file")" && cp "$tap_made/$tap_file" "$tap_file" && chmod u+w "$tap_file" || {
			echo "Bail out! $tap_made/$tap_file is not stored: run the test with REMAKE=1"
			exit 99
		}
	done
}

# Whether the programs under test were built with a demangler.
has_demangler () {
	rossym-addr2line --version | grep -q '^Demangler: libiberty'
}

amount () {
	if test "${LONG-}" = 1; then
		echo "$1"
	else
		echo "$2"
	fi
}

newest () {
	for tap_version in 30 29 28 27 26 25 24 23 22 21 20 19 18 17 16 15 14; do
		has "$1-$tap_version" && echo "$1-$tap_version" && return
	done
	has "$1" && echo "$1"
}

built_with () {
	grep -q "^#define $1 1" "$tap_build/config.h"
}

on_windows () {
	test -n "${RUNNER-}"
}

on_posix () {
	if ! on_windows || skip "$2" 'not on Windows'; then
		"$@"
	fi
}

await () {
	tap_tries=0
	until "$@" 2>/dev/null; do
		test $((tap_tries += 1)) -lt 2400 || return 1
		sleep 0.05
	done
}

need () {
	for tap_tool in "$@"; do
		has "$tap_tool" || skip_all "no $tap_tool"
	done
}

# What separates two files, as diagnostics; bytes that a terminal or a TAP reader would act on are shown by od.
tap_diff () {
	if test -n "$(cat "$2" "$3" | tr -d '\011\012\040-\176')"; then
		od -c "$2" >"$tap_tmp/left"
		od -c "$3" >"$tap_tmp/right"
	else
		cat "$2" >"$tap_tmp/left"
		cat "$3" >"$tap_tmp/right"
	fi
	echo "# $1, expected (-) and seen (+):"
	diff -u "$tap_tmp/left" "$tap_tmp/right" | sed '1,2d; s/^/#   /; 20q'
}

# Copies standard input: a few lines without a process, for most checks expect no more.
tap_copy () {
	for tap_n in 1 2 3 4 5 6 7 8; do
		tap_line=
		IFS= read -r tap_line || {
			printf '%s' "$tap_line"
			return
		}
		printf '%s\n' "$tap_line"
	done
	cat
}

# Whether two files are equal; where both are empty, without a process.
tap_same () {
	test -s "$1" || test -s "$2" || return 0
	cmp -s "$1" "$2"
}

check () {
	# The here-document is check's standard input; COMMAND must not see it.
	tap_copy >"$tap_tmp/want-out"
	tap_test=$1
	shift
	tap_want=0
	tap_out=$tap_tmp/want-out
	tap_err=/dev/null
	tap_glob=
	tap_in=/dev/null
	while :; do
		case $1 in
		-s) tap_want=$2 ;;
		-e) test -z "$2" || { tap_err=$tap_tmp/want-err && printf '%s\n' "$2" >"$tap_err"; } ;;
		-E) tap_err=$2 && test -r "$2" || exit 99 ;;
		-g) tap_glob=$2 ;;
		-i) tap_in=$tap_tmp/in; printf '%b' "$2" >"$tap_in" ;;
		-I) tap_in=$2 ;;
		-O) tap_out=$2 && test -r "$2" || exit 99 ;;
		--) shift; break ;;
		-*) echo "Bail out! check: unknown option $1"; exit 99 ;;
		*) break ;;
		esac
		shift 2
	done
	STATUS=0
	# The EXIT trap belongs to this shell; a subshell that runs a function must not clean up.
	(trap - EXIT; "$@") <"$tap_in" >"$OUT" 2>"$ERR" || STATUS=$?
	tap_good=1
	test "$STATUS" -eq "$tap_want" || tap_good=0
	tap_same "$tap_out" "$OUT" || tap_good=0
	if test -n "$tap_glob"; then
		tap_said=
		test "$tap_glob" = '*' || ! test -s "$ERR" || tap_said=$(cat "$ERR")
		# shellcheck disable=SC2254
		case $tap_said in
		$tap_glob) ;;
		*) tap_good=0 ;;
		esac
	else
		tap_same "$tap_err" "$ERR" || tap_good=0
	fi
	if test "$tap_good" -eq 1; then
		pass "$tap_test"
		return 0
	fi
	fail "$tap_test"
	diag "command: $*"
	test "$STATUS" -eq "$tap_want" || diag "exit status: expected $tap_want, seen $STATUS"
	cmp -s "$tap_out" "$OUT" || tap_diff stdout "$tap_out" "$OUT"
	if test -n "$tap_glob"; then
		diag "stderr: expected the pattern $tap_glob"
		sed 's/^/#   /; 20q' "$ERR"
	else
		cmp -s "$tap_err" "$ERR" || tap_diff stderr "$tap_err" "$ERR"
	fi
	return 0
}

# Copies standard input without its last newline.
tap_cut () {
	awk 'NR > 1 { print line } { line = $0 } END { printf "%s", line }'
}

cases () {
	awk -v section="$1" -f "$SRC/tests/lib/cases.awk" "$SRC"/tests/*/"$tap_name_of_test.cases" >"$tap_tmp/cases" || {
		echo "Bail out! section $1"
		exit 99
	}
	. "$tap_tmp/cases"
}

ok () {
	tap_test=$1
	shift
	STATUS=0
	(trap - EXIT; "$@") >"$OUT" 2>"$ERR" || STATUS=$?
	if test "$STATUS" -eq 0; then
		pass "$tap_test"
	else
		fail "$tap_test"
		diag "command: $* (exit status $STATUS)"
		cat "$OUT" "$ERR" | sed 's/^/#   /; 40q'
	fi
}

image () {
	"$MKIMAGE" "$SRC/tests/images/$1.img" "$1" || {
		echo "Bail out! cannot build image $1"
		exit 99
	}
}

build () {
	"$MKIMAGE" - "$1" || {
		echo "Bail out! cannot build $1"
		exit 99
	}
}

done_testing () {
	printf '1..%d\n' "$tap_count"
	tap_planned=1
	test "$tap_failed" -eq 0
	exit
}
