#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The benchmark: `make bench'.  Programs are run in turns, on the same addresses, each writing to a new file; what is
# compared was measured in the same run.  Prints a table, and writes it to bench/table.txt in the build directory, with
# what it was made of (bench/*.tsv).
#
# Environment:	ADDR2LINE_BIN EMBED_BIN MKIMAGE BENCH_BIN	the programs, the builder, the directory of race, floor ...
#		BENCH_FIXTURES	directory of sqlite3-dwarf2.dll and .nostrip.dll, and sqlite3-64.nostrip.dll; the rows that
#				need them are left out without it
#		BENCH_REPEAT	runs of each command (7)
#		BENCH_FULL=1	other programs too answer 1 and 2 million addresses: takes minutes
#		BENCH_UNITS	compilation units of the many-units image (1000)
#
# A slope is the cost of one more address: the difference of two runs in the same turn, divided by the difference of their
# addresses.  Slopes are of processor time, user and system, which other work on the host disturbs less than the clock on
# the wall; what one address or a few thousand take is what the clock says.  Numbers are medians, in brackets the first and
# third quartile.

set -eu
LC_ALL=C
export LC_ALL
here=$(cd "$(dirname "$0")" && pwd)
result=$(pwd)/bench
repeat=${BENCH_REPEAT:-7}
fixtures=${BENCH_FIXTURES-}
mkdir -p "$result"
dir=$(mktemp -d "${TMPDIR:-/tmp}/rossym-bench.XXXXXX")
# What is written should not wait for a disk.
out=$dir/out
if test -w /dev/shm; then
	out=$(mktemp /dev/shm/rossym-bench.XXXXXX)
fi
trap 'rm -rf "$dir" "$out"' EXIT
trap 'exit 130' INT TERM
table=$result/table.txt
: >"$table"
ours=$ADDR2LINE_BIN

say () {
	printf '%s\n' "$*" | tee -a "$table"
}

has () {
	command -v "$1" >/dev/null 2>&1
}

# quantiles: of the numbers on standard input, one a line: median first-quartile third-quartile
quantiles () {
	sort -g | awk '{ v[NR] = $1 } END { if (!NR) { print "0 0 0"; exit } print v[int((NR + 1) / 2)], v[int((NR + 3) / 4)], v[int((3 * NR + 3) / 4)] }'
}

# value RACE COMMAND: microseconds;  slope RACE A B DIFFERENCE: nanoseconds an address;  memory RACE COMMAND: KiB
value () { awk -v c="$2" '$1 == c { print $3 }' "$1" | quantiles; }
slope () { awk -v a="$2" -v b="$3" -v n="$4" '$1 == a { t[$2] = $6 } $1 == b { print ($6 - t[$2]) * 1000 / n }' "$1" | quantiles; }
wall () { awk -v a="$2" -v b="$3" -v n="$4" '$1 == a { t[$2] = $3 } $1 == b { print ($3 - t[$2]) * 1000 / n }' "$1" | quantiles; }
memory () { awk -v c="$2" '$1 == c && $4 > m { m = $4 } END { print m }' "$1"; }

# row NAME "MEDIAN Q1 Q3" UNIT [REMARK]
row () {
	printf '%s\n' "$2" | awk -v name="$1" -v unit="$3" -v remark="${4-}" '{
		f = $1 < 10 ? "%.3g" : "%.1f"
		printf "%-46s %9s %-3s [" f " - " f "]  %s\n", name, sprintf(f, $1), unit, $2, $3, remark }' | tee -a "$table"
}

# ratio NAME "OTHERS" "OURS" AIM: others' median divided by ours.  AIM: ">= N", "<= N" or "".
ratio () {
	printf '%s %s\n' "$2" "$3" | awk -v name="$1" -v aim="${4-}" '{
		r = $4 > 0 ? $1 / $4 : 0
		split(aim, a, " ")
		verdict = aim == "" ? "" : (a[1] == ">=" ? r >= a[2] : r <= a[2]) ? "aim " aim ": reached" : "aim " aim ": MISSED"
		printf "%-46s %9.*f x    %s\n", name, r < 10 ? 2 : 1, r, verdict }' | tee -a "$table"
}

addresses () { "$BENCH_BIN/addresses" "$@"; }

text_of () { objdump -h "$1" | awk '$2 == ".text" { print $4, $3 }'; }

race () { "$BENCH_BIN/race" "$@"; }

# bytes our answers have
answers () { "$ours" -fe "$1" <"$2" | wc -c | tr -d ' '; }

# compare NAME TABLE-IMAGE DWARF-IMAGE GNU-LOW GNU-HIGH LLVM-LOW LLVM-HIGH GNU-AIM LLVM-AIM
compare () {
	name=$1 image=$2 dwarf=$3
	say ''
	say "== $name: random addresses, -f"
	# shellcheck disable=SC2046
	set -- "$@" $(text_of "$dwarf")
	low=${10} size=${11}
	if test "${BENCH_FULL-}" = 1; then
		gnu_a=1000000 gnu_b=2000000 llvm_a=1000000 llvm_b=2000000
	else
		gnu_a=$4 gnu_b=$5 llvm_a=$6 llvm_b=$7
	fi
	for count in 1 3000 100000 1000000 2000000 "$gnu_a" "$gnu_b" "$llvm_a" "$llvm_b"; do
		test -f "$dir/$name.$count" || addresses "$count" "$low" "$size" random >"$dir/$name.$count"
	done
	addresses 1000000 "$low" "$size" sorted >"$dir/$name.sorted1"
	addresses 2000000 "$low" "$size" sorted >"$dir/$name.sorted2"
	a=$dir/$name.1000000 b=$dir/$name.2000000
	bytes_a=$(answers "$image" "$a") bytes_b=$(answers "$image" "$b")
	size_a=$(wc -c <"$a") size_b=$(wc -c <"$b")
	gnu=addr2line llvm=llvm-addr2line
	has $llvm || llvm=true
	# The three programs and the floor, in the same turns.
	race "$repeat" "$out" \
		-- "$a" "$ours" -fe "$image" -- "$b" "$ours" -fe "$image" \
		-- "$a" "$BENCH_BIN/floor" "$bytes_a" "$size_a" -- "$b" "$BENCH_BIN/floor" "$bytes_b" "$size_b" \
		-- "$dir/$name.$gnu_a" $gnu -fe "$dwarf" -- "$dir/$name.$gnu_b" $gnu -fe "$dwarf" \
		-- "$dir/$name.$llvm_a" $llvm -fe "$dwarf" -- "$dir/$name.$llvm_b" $llvm -fe "$dwarf" \
		-- "$dir/$name.sorted1" "$ours" -fe "$image" -- "$dir/$name.sorted2" "$ours" -fe "$image" \
		-- "$a" "$ours" -P 2 -fe "$image" -- "$b" "$ours" -P 2 -fe "$image" >"$result/$name.tsv"
	t=$result/$name.tsv
	mine=$(slope "$t" 1 2 1000000)
	row 'ours, slope from 1 to 2 million' "$mine" ns
	row 'ours, sorted' "$(slope "$t" 9 10 1000000)" ns
	row 'ours, by the clock' "$(wall "$t" 1 2 1000000)" ns
	row 'ours, -P 2, by the clock' "$(wall "$t" 11 12 1000000)" ns
	floor=$(slope "$t" 3 4 1000000)
	row 'floor, read and write only' "$floor" ns "$((bytes_b / 2000000)) bytes an answer"
	gnu_slope=$(slope "$t" 5 6 $((gnu_b - gnu_a)))
	row "addr2line, slope from $gnu_a to $gnu_b" "$gnu_slope" ns
	ratio 'addr2line / ours' "$gnu_slope" "$mine" "$8"
	if test $llvm != true; then
		llvm_slope=$(slope "$t" 7 8 $((llvm_b - llvm_a)))
		row "llvm-addr2line, slope from $llvm_a to $llvm_b" "$llvm_slope" ns
		ratio 'llvm-addr2line / ours' "$llvm_slope" "$mine" "$9"
	fi
	ratio 'ours / floor' "$mine" "$floor" '<= 2.5'
	ratio 'addr2line / floor: no program can do more' "$gnu_slope" "$floor"
	race "$repeat" "$out" -- "$dir/$name.1" "$ours" -fe "$image" -- "$dir/$name.3000" "$ours" -fe "$image" \
		-- "$dir/$name.100000" "$ours" -fe "$image" -- "$dir/$name.1" $gnu -fe "$dwarf" \
		-- "$dir/$name.3000" $gnu -fe "$dwarf" -- "$dir/$name.1" $llvm -fe "$dwarf" -- "$dir/$name.3000" $llvm -fe "$dwarf" \
		>"$result/$name-few.tsv"
	t=$result/$name-few.tsv
	row 'ours, 1 address' "$(value "$t" 1)" us
	row 'ours, 3,000 addresses' "$(value "$t" 2)" us
	row 'ours, 100,000 addresses' "$(value "$t" 3)" us
	row 'addr2line, 1 address' "$(value "$t" 4)" us
	row 'addr2line, 3,000 addresses' "$(value "$t" 5)" us
	ratio 'addr2line / ours, 3,000 addresses' "$(value "$t" 5)" "$(value "$t" 2)"
	if test $llvm != true; then
		ratio 'llvm-addr2line / ours, 3,000 addresses' "$(value "$t" 7)" "$(value "$t" 2)"
	fi
}

# unstripped NAME IMAGE: an image without a table, which has DWARF
unstripped () {
	say ''
	say "== $1: from debug information"
	if has llvm-addr2line; then
		TURNS=$repeat python3 -B "$here/debug-info.py" "$ours" addr2line llvm-addr2line "$2" | tee -a "$table"
	else
		say 'left out, no llvm-addr2line'
	fi
}

say "rossym benchmark, $repeat turns; medians [first - third quartile]"
say "$(date -u '+%Y-%m-%d %H:%M') UTC, $(uname -sm), $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | sed -n 1p)"
has addr2line && say "$(addr2line --version | sed -n 1p)"
has llvm-addr2line && say "$(llvm-addr2line --version | sed -n 2p | sed 's/^ *//')"

if has addr2line && test -f "$fixtures/sqlite3-dwarf2.dll"; then
	compare sqlite-32 "$fixtures/sqlite3-dwarf2.dll" "$fixtures/sqlite3-dwarf2.nostrip.dll" \
		500000 1000000 200000 400000 '>= 300' '>= 80'
	unstripped sqlite-32 "$fixtures/sqlite3-dwarf2.nostrip.dll"
	"$EMBED_BIN" --no-inlines "$fixtures/sqlite3-64.nostrip.dll" "$dir/sqlite-64.dll"
	compare sqlite-64 "$dir/sqlite-64.dll" "$fixtures/sqlite3-64.nostrip.dll" 10000 20000 200000 400000 '>= 300' '>= 80'
else
	say ''
	say '== sqlite: left out, no addr2line or no BENCH_FIXTURES'
fi

if has addr2line && has i686-w64-mingw32-gcc; then
	"$here/many-units.sh" "${BENCH_UNITS:-1000}" i686-w64-mingw32-gcc "$dir/units.exe"
	"$EMBED_BIN" --no-inlines "$dir/units.exe" "$dir/units-rossym.exe"
	compare units "$dir/units-rossym.exe" "$dir/units.exe" 200000 400000 100000 200000 '>= 40' ''
	unstripped units "$dir/units.exe"
else
	say ''
	say '== many units: left out, no addr2line or no i686-w64-mingw32-gcc'
fi

# ---------------------------------------------------------------------------------------------- the table's size

say ''
say '== size of the table: slope from 1 to 4 million random addresses, -f; peak memory'
for rows in 1000 10000 100000 1000000 10000000; do
	printf 'pe32 base=0x400000\nsection .text rva=0x1000 size=%d raw=0 flags=code\nrossym\ngenerate rows=%d step=8\n' \
		$((rows * 8)) $rows | "$MKIMAGE" - "$dir/rows"
	addresses 1000000 401000 "$(printf %x $((rows * 8)))" random >"$dir/a"
	addresses 4000000 401000 "$(printf %x $((rows * 8)))" random >"$dir/b"
	race "$repeat" "$out" -- "$dir/a" "$ours" -fe "$dir/rows" -- "$dir/b" "$ours" -fe "$dir/rows" >"$dir/race"
	section=$(objdump -h "$dir/rows" | awk '$2 == ".rossym" { print $3 }')
	limit=$(((0x$section + 10 * rows) / 1024 + 2048))
	peak=$(memory "$dir/race" 2)
	# To lay the table out takes long, and as long in both runs: so there are more addresses than elsewhere.
	s=$(slope "$dir/race" 1 2 3000000)
	row "$rows rows" "$s" ns "peak $peak KiB, limit $limit: $(test "$peak" -le "$limit" && echo reached || echo MISSED)"
	eval "size_$rows=\$s"
	test $rows != 100000 || cp "$dir/rows" "$dir/rows-100000"
	rm -f "$dir/rows"
done
# shellcheck disable=SC2154
ratio '10,000,000 rows / 100,000 rows' "$size_10000000" "$size_100000" '<= 3'

# ---------------------------------------------------------------------------------------------- few addresses

say ''
say '== 3,000 addresses in 100,000 rows'
addresses 3000 401000 c3500 random >"$dir/few"
addresses 3000 401000 c3500 raw32 >"$dir/few.raw"
addresses 1 401000 c3500 random >"$dir/one"
one=$(cat "$dir/one")
race $((repeat * 20)) "$out" -- /dev/null "$BENCH_BIN/empty" -- "$dir/few" "$ours" -fe "$dir/rows-100000" \
	-- "$dir/few.raw" "$ours" --count --raw=32 -e "$dir/rows-100000" >"$result/process.tsv"
# By themselves: what runs behind something larger finds less of the system in the caches.
race $((repeat * 40)) "$out" -- /dev/null "$BENCH_BIN/empty" -- /dev/null "$ours" -fe "$dir/rows-100000" "$one" >"$result/one.tsv"
t=$result/process.tsv
row 'an empty program' "$(value "$t" 1)" us
row 'ours, the whole process' "$(value "$t" 2)" us
printf '%s %s\n' "$(value "$t" 2)" "$(value "$t" 1)" | awk '{ d = $1 - $4
	printf "%-46s %9.0f us   aim <= 3000: %s\n", "more than an empty program", d, d <= 3000 ? "reached" : "MISSED" }' | tee -a "$table"
row 'the profiler: --count --raw=32, 3,000 EIPs' "$(value "$t" 3)" us
t=$result/one.tsv
row 'an empty program, beside one address' "$(value "$t" 1)" us
row 'one address' "$(value "$t" 2)" us
ratio 'one address / an empty program' "$(value "$t" 2)" "$(value "$t" 1)" '<= 1.25'

# ---------------------------------------------------------------------------------------------- in a kernel

say ''
say '== the reader for kernels, with cold caches'
"$here/kernel.sh" 1000 >"$dir/kernel"
tee -a "$table" <"$dir/kernel"
say "table: $table"
