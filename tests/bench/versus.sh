#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Two builds side by side: `make bench BASE=DIRECTORY' compares the programs in DIRECTORY/src with those of this build.  Each
# pair runs in turns, old and new, so that whatever slows the machine slows both.  Prints the median of both and of the ratios
# new / old, turn by turn, with the first and third quartile: 1 within the quartiles is no difference.
#
# Environment: ADDR2LINE_BIN EMBED_BIN LOG_BIN MKIMAGE BENCH_BIN srcdir; BASE; BENCH_REPEAT, turns of each pair (11).

set -eu
LC_ALL=C
export LC_ALL
data=$(cd "$srcdir" && pwd)/tests/data
repeat=${BENCH_REPEAT:-11}
dir=$(mktemp -d "${TMPDIR:-/tmp}/rossym-bench.XXXXXX")
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
test -x "$BASE/src/rossym-addr2line" || { echo "make bench: no programs in $BASE/src" >&2; exit 1; }

# versus wall|cpu TURNS NAME INPUT PROGRAM ARGUMENT...: what a process takes, by the clock or in processor time
versus () {
	case $1 in
	wall) column=3 ;;
	cpu) column=6 ;;
	esac
	turns=$2 name=$3 input=$4
	case $5 in
	addr2line) new=$ADDR2LINE_BIN ;;
	embed) new=$EMBED_BIN ;;
	log) new=$LOG_BIN ;;
	esac
	old=$BASE/src/rossym-$5
	shift 5
	# The first turn only warms the caches.
	"$BENCH_BIN/race" $((turns + 1)) "$dir/out" -- "$input" "$old" "$@" -- "$input" "$new" "$@" >"$dir/runs"
	awk -v c=$column '$2 != first { if (!first) first = $2; else { if ($1 == 1) o[$2] = $c; else { print o[$2], $c, $c / o[$2] } } }
		$5 != 0 { print "make bench: exit status " $5 >"/dev/stderr"; exit 1 }' "$dir/runs" >"$dir/pairs"
	for field in 1 2 3; do
		cut -d ' ' -f $field "$dir/pairs" | sort -g | awk '{ v[NR] = $1 }
			END { print v[int((NR + 1) / 2)], v[int((NR + 3) / 4)], v[int((3 * NR + 3) / 4)] }'
	done | awk -v name="$name" 'NR < 3 { t[NR] = $1 } END {
		printf "%-44s %10.0f %10.0f us %7.3f  [%.3f - %.3f]%s\n", name, t[1], t[2], $1, $2, $3,
			($2 > 1 ? "  slower" : $3 < 1 ? "  faster" : "") }'
}

addresses () { "$BENCH_BIN/addresses" "$@"; }

for rows in 1000 100000 1000000; do
	printf 'pe32 base=0x400000\nsection .text rva=0x1000 size=%d raw=0 flags=code\nrossym\ngenerate rows=%d step=8\n' \
		$((rows * 8)) $rows | "$MKIMAGE" - "$dir/$rows.exe"
	addresses 1000000 401000 "$(printf %x $((rows * 8)))" random >"$dir/$rows"
done
addresses 1000000 401000 c3500 sorted >"$dir/sorted"
addresses 1000000 401000 c3500 raw32 >"$dir/raw"
addresses 3000 401000 c3500 random >"$dir/few"
"$BASE/src/rossym-embed" "$data/dwarf64.nostrip.exe" "$dir/block.exe"
addresses 1000000 140001000 1a60 random >"$dir/block"
awk 'BEGIN { for (i = 0; i < 300000; i++)
	print i % 10 == 3 ? sprintf("<100000.exe:%x>", 4096 + i * 7919 % 790000) : "(ntoskrnl/mm/section.c:" i % 5000 ") flags " i }' >"$dir/log"

printf '%-44s %10s %10s    %7s\n' "median of $repeat turns" old new ratio
table=$dir/100000.exe
versus wall $((repeat * 20)) 'one address' /dev/null addr2line -fe "$table" 401230
versus wall $((repeat * 4)) '3,000 addresses, 100,000 rows' "$dir/few" addr2line -fe "$table"
for rows in 1000 100000 1000000; do
	versus cpu "$repeat" "1,000,000 addresses, $rows rows" "$dir/$rows" addr2line -fe "$dir/$rows.exe"
done
versus cpu "$repeat" '1,000,000 addresses, sorted' "$dir/sorted" addr2line -fe "$table"
versus wall "$repeat" '1,000,000 addresses, -P 2' "$dir/100000" addr2line -P 2 -fe "$table"
versus cpu "$repeat" '1,000,000 addresses, -i, with a block' "$dir/block" addr2line -fie "$dir/block.exe"
versus cpu "$repeat" '1,000,000 addresses, JSON' "$dir/100000" addr2line --output-style=JSON -e "$table"
versus cpu "$repeat" '1,000,000 addresses, --count --raw=32' "$dir/raw" addr2line --count --raw=32 -e "$table"
versus cpu "$repeat" '--dump, 100,000 rows' /dev/null addr2line --dump -e "$table"
versus cpu $((repeat * 4)) 'rossym-embed, DWARF 5' /dev/null embed "$data/dwarf64.nostrip.exe" "$dir/made"
versus cpu "$repeat" 'rossym-log, 300,000 lines, 30,000 addresses' "$dir/log" log -d "$dir"
