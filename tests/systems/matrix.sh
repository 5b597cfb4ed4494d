#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# matrix.sh SOURCE DIRECTORY [ROW...]	"make check" on other systems, with other compilers, tools and surroundings
#
# Each row of the table below is a release of Debian, a compiler and what else is special: "make check" in a bare system of that
# release, which DIRECTORY keeps.  Prints a line for each: what passed, failed and was skipped, and why.  ROW is the beginning of such
# a line: "sid gcc".  The logs stay in DIRECTORY, and so do the builds: those of another commit are beside them, so a row can be
# repeated while others run.  The status is 1 if a row did not pass.  A row ends after LIMIT seconds (3600).
#
# Needs what system.sh needs, 15 GB and some hours.

set -u
# shellcheck source=tests/systems/system.sh
. "$(dirname "$0")/system.sh"
source=$1
mkdir -p "$2"
directory=$(cd "$2" && pwd)
shift 2
: "${LIMIT:=3600}"
system_needs || exit 77

table='bookworm gcc-12
bookworm clang-14
bookworm clang-15
bookworm clang-16
bookworm clang-19
trixie gcc-13
trixie gcc-14
trixie clang-17
trixie clang-18
sid gcc-15
sid gcc-16
sid clang-19
sid clang-21
sid clang-22
bookworm gcc-12 awk=gawk
bookworm gcc-12 awk=busybox
bookworm gcc-12 shell=bash
bookworm gcc-12 environment=LC_ALL=C.UTF-8
bookworm gcc-12 environment=LC_ALL=de_DE.UTF-8
bookworm gcc-12 environment=LC_ALL=tr_TR.UTF-8
bookworm gcc-12 environment=TZ=Asia/Kathmandu
bookworm gcc-12 before=umask_077
bookworm gcc-12 before=unset_HOME
bookworm gcc-12 before=TMPDIR
bookworm gcc-12 before=no_pts
bookworm gcc-12 before=no_terminal
bookworm gcc-12 user=maker
bookworm gcc-12 path=a_blank
sid gcc-15 awk=gawk
sid gcc-15 awk=busybox
sid gcc-15 shell=bash
sid gcc-15 user=maker'

# Makes the system of release $1 with all compilers and tools of the table, unless it is there.
system_of () {
	system=$directory/$1
	test ! -e "$system.made" || return 0
	rm -rf "$system"
	compilers=$(echo "$table" | awk -v suite="$1" '$1 == suite { print $2; if (sub(/^gcc/, "g++", $2)) print $2 }' | sort -u | tr '\n' ' ')
	packages=$(awk "/^(build|check)_packages='/ { inside = 1 } inside { line = \$0; gsub(/.*='|'/, \"\", line); print line } /'\$/ { inside = 0 }" \
		"$source/quickstart" | tr '\n' ' ')
	# Timezones, and locales other than C, are there only where somebody has installed them.
	{
		system_new "$system" "$1" && inside "$system" root "apt-get install -y -qq --no-install-recommends $packages $compilers \
			gawk mawk busybox bash tzdata && localedef -i de_DE -f UTF-8 de_DE.UTF-8 && localedef -i tr_TR -f UTF-8 tr_TR.UTF-8"
	} >"$system.log" 2>&1 && touch "$system.made"
}

# Runs row SUITE COMPILER [NAME=VALUE].
run () {
	suite=$1 compiler=$2 special=${3-}
	commit=$(git -C "$source" rev-parse --short HEAD)
	value=${special#*=} user=root place=/src-$commit variables= prefix= session=
	case $special in
	awk=*) variables="TEST_AWK=$value" ;;
	shell=*) variables="TEST_SHELL=$value" ;;
	environment=*) variables=$value ;;
	user=*) user=$value place=/home/$value/src-$commit ;;
	path=*) place="/a blank/src-$commit" ;;
	before=umask_077) prefix='umask 077' ;;
	before=unset_HOME) prefix='unset HOME' ;;
	before=TMPDIR) prefix='mkdir -p "/tmp/a '\''quote"; export TMPDIR="/tmp/a '\''quote"' ;;
	# There are at least two, one above the other.  The rest of /dev is the machine's own.
	before=no_pts) prefix='while umount /dev/pts 2>/dev/null; do :; done; test ! -e /dev/pts/ptmx' ;;
	before=no_terminal) session='setsid -w' ;;
	esac
	system_of "$suite" || {
		echo "$*: no system: $(tail -n 1 "$directory/$suite.log")"
		return 1
	}
	log=$directory/$(echo "$*" | tr ' /=' '---').log
	: >"$log"
	# All sources are one clean clone; another compiler gets a build of its own, and other surroundings take its programs.
	if ! test -e "$system$place/configure"; then
		mkdir -p "$system$place"
		git -C "$source" archive HEAD | tar -xf - -C "$system$place"
		inside "$system" root "cd '$place' && autoreconf -fi && chown -R $user: '$place'" >"$log" 2>&1
	fi
	case $compiler in
	gcc*) other=$(echo "$compiler" | sed 's/gcc/g++/') ;;
	*) other=$(echo "$compiler" | sed 's/clang/clang++/') ;;
	esac
	begin=$(date +%s)
	inside "$system" "$user" "cd '$place' && mkdir -p build-$compiler && cd build-$compiler &&
		{ test -e config.status || CONFIG_SHELL=/bin/sh ../configure -q --enable-werror CC=$compiler CXX=$other CFLAGS='-g -O0'; } &&
		make -s -j2 && timeout $LIMIT make -s -j2 check-programs" >>"$log" 2>&1 || {
		echo "$*: does not build: $(grep -a -m 1 -i 'error' "$log")"
		return 1
	}
	built=$(date +%s) status=0
	inside "$system" "$user" "cd '$place/build-$compiler' && rm -f tests/path.stamp
		${prefix:-:}
		${variables:+export $variables}
		timeout $LIMIT $session make -s -j2 check ${variables:+$(test "${special%%=*}" != shell || echo "SH_LOG_COMPILER=/bin/$value")}" >>"$log" 2>&1 ||
		status=$?
	sed -n 's/^# \(PASS\|XFAIL\|FAIL\|XPASS\|SKIP\|ERROR\): *//p' "$log" | tr '\n' ' ' |
		awk -v row="$*" -v status="$status" -v seconds="$((built - begin)) + $(($(date +%s) - built)) s" '{
			printf "%s: %d passed, %d failed, %d skipped (%s)", row, $1, $3 + $4 + $5 + $6, $2, seconds
		}
		END { if (NR == 0 || status != 0) printf "%s status %d", NR == 0 ? row ": not to its end," : ",", status }'
	sed -n 's/^skipped \(.*\)/; skipped \1/p' "$log" | tr -d '\n'
	echo
	grep -a -E '^(FAIL|XPASS|XFAIL|ERROR): [^:]* |^differences ' "$log" | sed 's/^/	/' | sort -u
	return "$status"
}

echo "$table" | {
	failed=0
	test "$#" -ne 0 || set -- ''
	while read -r row; do
		for wanted; do
			case $row in
			"$wanted"*)
				# shellcheck disable=SC2086
				run $row </dev/null || failed=1
				break
				;;
			esac
		done
	done
	exit "$failed"
}
