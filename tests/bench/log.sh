#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# How fast rossym-log is, beside copying the text and beside what one would type without it.
#
#	tests/bench/log.sh [BUILD-DIRECTORY]	(build)
#
# 1. A log of 1,000,000 lines without tokens: rossym-log against a read/write loop (dd with the same block size).
# 2. 1,000,000 lines with 100,000 tokens over 20 modules: rossym-log; one rossym-addr2line process for each token, timed on
#    the first 1,000 of them; and a pipeline, grep and one rossym-addr2line for each module, which loses the log.

set -eu
build=$(cd "${1:-build}" && pwd)
log=$build/src/rossym-log addr2line=$build/src/rossym-addr2line
test -x "$build/tests/tools/mkimage" || make -s -C "$build" tests/tools/mkimage
tmp=$(mktemp -d "${TMPDIR:-/tmp}/rossym-bench.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"

mkdir sym
i=0
while test $i -lt 20; do
	"$build/tests/tools/mkimage" - sym/module$i.sys <<-END
		pe32 base=0x10000
		section .text rva=0x1000 size=0x100000 raw=0 flags=code
		rossym rva=0x200000
		generate rows=60000 step=16
	END
	i=$((i + 1))
done
awk -v tokens=0 -v seed=1 '
function text(i) { return "(ntoskrnl/mm/ARM3/section.c:" i % 5000 ") MiMapViewOfSection: flags " i " at 0x" sprintf("%08x", i * 4096) " for process " i % 97 "\r\n" }
BEGIN {
	for (i = 0; i < 1000000; i++) printf "%s", text(i) >"plain.log"
	srand(seed)
	for (i = 0; i < 1000000; i++)
		if (i % 10 == 3) printf "<module%d.sys:%x>\r\n", int(rand() * 20), 4096 + int(rand() * 900000) >"tokens.log"
		else printf "%s", text(i) >"tokens.log"
}'
ls -l plain.log tokens.log | awk '{ print "# " $NF ": " $5 " bytes" }'

# The best of five, in milliseconds.
best () {
	best=
	for _ in 1 2 3 4 5; do
		rm -f out	# emptying it takes as long as writing it
		begin=$(date +%s%N)
		"$@"
		end=$(date +%s%N)
		ms=$(((end - begin) / 1000000))
		if test -z "$best" || test "$ms" -lt "$best"; then best=$ms; fi
	done
}
copy () { dd if="$1" of=out bs=64k 2>/dev/null; }
annotate () { "$log" -d sym "$1" >out; }
one_by_one () {
	while read -r module offset; do
		"$addr2line" -f --rva -e "sym/$module" "$offset"
	done <first >/dev/null
}
by_module () {
	grep -ao '<[a-z0-9]*\.sys:[0-9a-f]*>' tokens.log >found
	for module in sym/*.sys; do
		grep "<${module##*/}:" found | sed 's/.*:\(.*\)>/\1/' | "$addr2line" -fp --rva -e "$module"
	done >out
}

best copy plain.log; copied=$best
best annotate plain.log; plain=$best
best annotate tokens.log; tokens=$best
grep -ao '<[a-z0-9]*\.sys:[0-9a-f]*>' tokens.log | head -n 1000 | sed 's/<\(.*\):\(.*\)>/\1 \2/' >first
best one_by_one; single=$((best * 100))
best by_module; pipeline=$best

echo "no tokens: copy $copied ms, rossym-log $plain ms: $(awk -v a="$plain" -v b="$copied" 'BEGIN { printf "%.2f", a / (b ? b : 1) }') times"
echo "100,000 tokens: rossym-log $tokens ms; one process each $single ms (1,000 timed): $(awk -v a="$single" -v b="$tokens" 'BEGIN { printf "%.0f", a / (b ? b : 1) }') times slower"
echo "                grep + one rossym-addr2line a module $pipeline ms: $(awk -v a="$pipeline" -v b="$tokens" 'BEGIN { printf "%.1f", a / (b ? b : 1) }') times slower"
