#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The CLI tests with the programs of a build for Windows, under Wine: "make check-wine".  Prints one line a test file
# and the failures; the status is 1 if there are any.  Arguments: tests, as tests/cli-dump.sh; none: all that make sense.
#
# From the environment: srcdir; ADDR2LINE_BIN, EMBED_BIN, LOG_BIN, absolute; CC_FOR_BUILD, for the builder of images; WINE;
# WINEPREFIX, where Wine keeps its registry (wine/prefix).  Logs stand in wine/.

set -u
srcdir=$(cd "${srcdir:-.}" && pwd) || exit 99
mkdir -p wine || exit 99
here=$(pwd)/wine
RUNNER=${WINE:-wine}
WINEPREFIX=${WINEPREFIX:-$here/prefix}
WINEDEBUG=-all
# No questions about Mono and Gecko.
WINEDLLOVERRIDES='mscoree=;mshtml='
MKIMAGE=$here/mkimage
PECHECK=$here/pecheck
export srcdir RUNNER WINEPREFIX WINEDEBUG WINEDLLOVERRIDES MKIMAGE PECHECK ADDR2LINE_BIN EMBED_BIN LOG_BIN

if ! command -v "$RUNNER" >/dev/null; then
	echo "check-wine: no $RUNNER"
	exit 77
fi
for program in mkimage pecheck; do
	# shellcheck disable=SC2086
	${CC_FOR_BUILD:-cc} -O1 -I"$srcdir/src" -I"$srcdir" -o "$here/$program" "$srcdir/tests/$program.c" || exit 99
done

# Wine's services stay for a while and keep what they were started with: neither a pipe nor the terminal.
"$RUNNER" wineboot -i </dev/null >"$here/wineboot.log" 2>&1
"$RUNNER" explorer /desktop=rossym </dev/null >/dev/null 2>&1 &
desktop=$!
trap 'kill $desktop 2>/dev/null' EXIT

if test $# -eq 0; then
	# Not embed-safety, which is about signals and system calls that fail, and batch, which starts hundreds of programs.
	set -- images usage addresses modules symbols hint paths dump check raddr2line streams json profile embed \
		embed-image embed-rsym log2lines log-options windows self-windows
	for name in "$@"; do
		shift
		set -- "$@" "tests/cli-$name.sh"
	done
fi
total=0 bad=0 skips=0
for test in "$@"; do
	log=$here/$(basename "$test" .sh).log
	status=0
	sh "$srcdir/$test" </dev/null >"$log" 2>&1 || status=$?
	passed=$(grep -c '^ok' "$log")
	skipped=$(grep -c '^ok.*# SKIP' "$log")
	failed=$(grep -c '^not ok' "$log")
	test "$status" -le 1 && grep -q '^1\.\.' "$log" || failed=$((failed + 1))
	total=$((total + passed - skipped)) bad=$((bad + failed)) skips=$((skips + skipped))
	printf '%s: %d passed, %d failed, %d skipped\n' "$test" $((passed - skipped)) "$failed" "$skipped"
	test "$failed" -eq 0 || sed -n '/^not ok/,/^ok/{/^ok/!p;}' "$log"
done
printf '# wine: %d passed, %d failed, %d skipped\n' "$total" "$bad" "$skips"
test "$bad" -eq 0
