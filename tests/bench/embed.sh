#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# How long rossym-embed takes, and how much memory, next to GNU strip:
#
#	tests/bench/embed.sh [IMAGE...]
#
# Without arguments: the images X.nostrip.Y of the directory BENCH_FIXTURES (environment), and images made here by the mingw
# compilers, if they are there: three of many small C units, and one of C++ units with 10 MB of debug information, for which
# there are limits.  From the top of the source tree; EMBED_BIN says which program (build/src/rossym-embed), and EMBED_BASE
# may name an older one to compare with.
#
# Programs are run in turns.  Seconds are user time, the least of nine runs; s/10MB is that for 10 MB of debug information.
# mem/size is the peak of memory, of the process and its child together, against the size of the image: the largest number of
# five runs of peak.c, which tells what it counts.  The limits: 0.03 s for 10 MB, and 1.7 times the image in memory.

set -u
LC_ALL=C
export LC_ALL
: "${EMBED_BIN:=build/src/rossym-embed}"
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

${CC:-cc} -O2 -o "$tmp/peak" tests/bench/peak.c || exit 99

# Run each of the commands in the file $1 nine times, in turns; print a line of the least user times.
turns () {
	: >"$tmp/times"
	for turn in 1 2 3 4 5 6 7 8 9; do
		while read -r command; do
			/usr/bin/time -a -o "$tmp/times" -f '%U' $command >"$tmp/said" 2>&1 || {
				cat "$tmp/said" >&2
				return 1
			}
		done <"$1"
	done
	awk -v count="$(wc -l <"$1")" '{ at = (NR - 1) % count; if (!(at in least) || $1 < least[at]) least[at] = $1 }
		END { for (i = 0; i < count; i++) printf "%s ", least[i] }' "$tmp/times"
}

# KiB at the peak, the most of five runs
peak () {
	for turn in 1 2 3 4 5; do
		"$tmp/peak" "$@" 2>&1 >"$tmp/said" | tail -n 1
	done | sort -n | tail -n 1
}

row () {
	printf '%-20s %9s %9s %8s %8s %8s %8s %8s %9s %8s\n' "$@"
}

bench () {
	name=${1##*/}
	size=$(wc -c <"$1")
	"$EMBED_BIN" -v "$1" "$tmp/new" >"$tmp/said" || exit 1
	debug=$(sed -n 's/.*debug sections of \([0-9]*\) bytes.*/\1/p' "$tmp/said")
	table=$(sed -n 's/.*: table: \([0-9]*\) bytes.*/\1/p' "$tmp/said")
	rows=$(sed -n 's/.*: table: .*, \([0-9]*\) rows.*/\1/p' "$tmp/said")
	strip=
	for tool in x86_64-w64-mingw32-strip i686-w64-mingw32-strip strip; do
		if test -z "$strip" && command -v $tool >/dev/null && $tool -o "$tmp/stripped" "$1" 2>/dev/null; then
			strip=$tool
		fi
	done
	{
		echo "$EMBED_BIN $1 $tmp/new"
		echo "${strip:-true} -o $tmp/stripped $1"
		echo "${EMBED_BASE:-true} $1 $tmp/new"
	} >"$tmp/commands"
	times=$(turns "$tmp/commands") || exit 1
	set -- "$1" $times
	scaled=$(awk "BEGIN { printf \"%.3f\", ${debug:-0} ? $2 * 10000000 / ${debug:-1} : 0 }")
	memory=$(peak "$EMBED_BIN" "$1" "$tmp/new" | awk "{ printf \"%.2f\", \$1 * 1024 / $size }")
	row "$name" "$size" "${debug:--}" "$2" "$(test "$strip" && echo "$3" || echo -)" \
		"$(test "${EMBED_BASE-}" && echo "$4" || echo -)" "$scaled" "$memory" "$table" "$rows"
	test "$name" != "$limited" || awk "BEGIN {
		printf \"  %s: %.3f s for 10 MB, limit 0.03: %s\\n\", \"$name\", $scaled, $scaled <= 0.03 ? \"kept\" : \"MISSED\"
		printf \"  %s: %.2f times the image in memory, limit 1.7: %s\\n\", \"$name\", $memory, $memory <= 1.7 ? \"kept\" : \"MISSED\"
	}"
}

# An image of $2 C units, named $1.
synthetic () {
	mkdir "$tmp/src"
	sh tests/bench/units.sh "$2" "$tmp/src"
	(cd "$tmp/src" && ls | grep '\.c$' | xargs -P 2 -n 100 "$gcc" -g -O2 -c &&
		ls | grep '\.o$' >list && "$gcc" -nostdlib -o "../$1" @list) || exit 99
	rm -rf "$tmp/src"
}

# The image with limits: 13 units of C++, which use much of the standard library's templates.
templates () {
	mkdir "$tmp/src"
	cat >"$tmp/src/unit.cc" <<'END'
#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

#define JOINED(a, b) a##b
#define JOIN(a, b) JOINED(a, b)

namespace JOIN(unit, N) {

struct record {
	int number;
	std::string text;
	bool operator<(const record &other) const { return number < other.number; }
};

int run(int count)
{
	std::map<std::string, record> by_text;
	std::vector<record> all;
	std::unordered_map<int, std::vector<std::string>> texts;
	for (int i = 0; i < count; i++) {
		std::ostringstream text;
		text << i * N;
		const record made{i ^ N, text.str()};
		by_text[made.text] = made;
		all.push_back(made);
		texts[i % 7].push_back(made.text);
	}
	std::sort(all.begin(), all.end());
	std::stable_sort(all.begin(), all.end(), [](const record &a, const record &b) { return a.text < b.text; });
	all.erase(std::remove_if(all.begin(), all.end(), [&](const record &r) { return by_text.count(r.text) > 1; }), all.end());
	int sum = 0;
	for (const auto &pair : by_text)
		sum += pair.second.number;
	for (const auto &pair : texts)
		for (const auto &text : pair.second)
			sum += (int)text.size();
	return sum + (int)all.size();
}

}

#if N == 1
int main(int argc, char **)
{
	return unit1::run(argc);
}
#endif
END
	(cd "$tmp/src" && seq 13 | xargs -P 2 -I{} "$gxx" -g -O2 -DN={} -c unit.cc -o unit{}.o &&
		"$gxx" -o "../$1" unit*.o) || exit 99
	rm -rf "$tmp/src"
}

limited=templates.exe
if test $# -eq 0; then
	for image in "${BENCH_FIXTURES:-none}"/*.nostrip.*; do
		test -f "$image" || continue
		set -- "$@" "$image"
	done
	gcc=x86_64-w64-mingw32-gcc
	if command -v $gcc >/dev/null; then
		for count in 250 500 1000; do
			synthetic units-$count.exe $count
			set -- "$@" "$tmp/units-$count.exe"
		done
	fi
	gxx=x86_64-w64-mingw32-g++
	if command -v $gxx >/dev/null; then
		templates $limited
		set -- "$@" "$tmp/$limited"
	fi
fi
test $# -gt 0 || { echo 'no images' >&2; exit 1; }
row image bytes debug user strip base s/10MB mem/size table rows
for image in "$@"; do
	bench "$image"
done
