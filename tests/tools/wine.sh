#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The CLI tests with the programs of a build for Windows, under Wine: "make check-wine".  Prints one line a test file
# and the failures; the status is 1 if there are any.  Arguments: tests, as tests/core/cli-dump.sh; none: all that make sense.
#
# From the environment: srcdir; ADDR2LINE_BIN, EMBED_BIN, LOG_BIN, MUTATE_LOG, absolute; ROSSYM_EMBED, this system's, absolute;
# HAVE_LIBARCHIVE; CC_FOR_BUILD, for the builder of images; WINE; WINEPREFIX, where Wine keeps its registry (wine/prefix).  Logs stand in
# wine/.

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
export srcdir RUNNER WINEPREFIX WINEDEBUG WINEDLLOVERRIDES MKIMAGE ADDR2LINE_BIN EMBED_BIN LOG_BIN MUTATE_LOG \
	HAVE_LIBARCHIVE

if ! command -v "$RUNNER" >/dev/null; then
	echo "check-wine: no $RUNNER"
	exit 77
fi
# The heap of Wine's loader begins within a gigabyte that also has the place of data that all processes share: of some
# thousand programs one ends with status 1, without a word, unless the heap's place is not left to chance.
fixed='setarch -R'
$fixed true 2>/dev/null || fixed=

# shellcheck disable=SC2086
${CC_FOR_BUILD:-cc} -O1 -I"$srcdir/src" -I"$srcdir" -o "$MKIMAGE" "$srcdir/tests/tools/mkimage.c" || exit 99

# Wine's services stay for a while and keep what they were started with: neither a pipe nor the terminal.
"$RUNNER" wineboot -i </dev/null >"$here/wineboot.log" 2>&1
"$RUNNER" explorer /desktop=rossym </dev/null >/dev/null 2>&1 &
desktop=$!
trap 'kill $desktop 2>/dev/null' EXIT

if test $# -eq 0; then
	# Not those of --diff, which is not there.  The last three hold the programs beside witnesses.
	set -- cli-images cli-usage cli-addresses cli-modules cli-symbols cli-hint cli-kinds cli-paths cli-dump cli-check cli-raddr2line \
		cli-streams cli-json cli-profile cli-inlines cli-batch cli-parallel cli-embed cli-embed-image cli-embed-rsym cli-embed-tree \
		cli-embed-safety cli-store witness-embed cli-log-formats cli-log-encodings cli-log-options cli-log-links cli-log-html \
		cli-log-modules cli-log-places cli-log-builds cli-log-archives cli-log-hostile \
		cli-log2lines cli-fallback cli-clients cli-windows cli-self-windows cli-crash-windows witness-driver witness-gnu witness-departures \
		witness-stacks
	for name in "$@"; do
		shift
		set -- "$@" "$(cd "$srcdir" && echo tests/*/"$name.sh")"
	done
fi
total=0 bad=0 skips=0
for test in "$@"; do
	log=$here/$(basename "$test" .sh).log
	status=0
	$fixed sh "$srcdir/$test" </dev/null >"$log" 2>&1 || status=$?
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
