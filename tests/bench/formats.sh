#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What tables cost in three forms: ours, ours packed, and LLVM's GSYM, of the same images with DWARF.
#
#	make bench-formats [IMAGES='IMAGE...']
#
# For each image and form: rows, bytes (of GSYM with inlined calls, strings included), bytes after xz; the least of eleven runs with
# one address, which reads what it needs, and what it reads (calls and bytes, by strace); and of three runs with 1,000,000
# addresses on standard input.  The forms take turns.  llvm-gsymutil has rows of its own, and of the addresses gets a tenth: it is slow.  Without
# IMAGES a C++ program with templates is compiled, if there is a MinGW.
#
# Environment: ADDR2LINE_BIN EMBED_BIN BENCH_BIN; GSYMUTIL (llvm-gsymutil-19).

set -eu
LC_ALL=C
export LC_ALL
gsymutil=${GSYMUTIL:-llvm-gsymutil-19}
dir=$(mktemp -d "${TMPDIR:-/tmp}/rossym-formats.XXXXXX")
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM

if test $# -eq 0; then
	cat >"$dir/templates.cc" <<-'END'
		#include <algorithm>
		#include <iostream>
		#include <map>
		#include <regex>
		#include <string>
		#include <unordered_map>
		#include <vector>
		int main(int count, char **words)
		{
			std::map<std::string, std::vector<int>> lists;
			std::unordered_map<std::string, std::map<int, std::string>> maps;
			std::regex pattern("a(b|c)*d[a-z]+");
			for (int i = 0; i < count; i++) {
				lists[words[i]].push_back(i);
				maps[words[i]][i] = words[i];
				if (std::regex_search(words[i], pattern))
					std::cout << words[i] << lists.size() << maps.size();
			}
			std::vector<std::string> sorted(words, words + count);
			std::stable_sort(sorted.begin(), sorted.end());
		}
	END
	x86_64-w64-mingw32-g++ -O2 -g -static -o "$dir/templates.exe" "$dir/templates.cc" ||
		{ echo 'bench-formats: no MinGW; name images with IMAGES=' >&2; exit 1; }
	set -- "$dir/templates.exe"
fi

# least COUNT INPUT COMMAND...: the least time of so many runs, in us
least () {
	least_count=$1 least_input=$2
	shift 2
	"$BENCH_BIN/race" "$least_count" "$dir/out" -- "$least_input" "$@" -- "$least_input" "$@" >"$dir/runs"
	awk 'NR == 1 || $3 < best { best = $3 } END { printf "%.0f", best }' "$dir/runs"
}

# reads COMMAND...: how many calls read the table, and how many bytes
reads () {
	command -v strace >/dev/null || { echo '- -'; return; }
	strace -f -e trace=pread64,read -o "$dir/trace" "$@" >/dev/null 2>&1 || { echo '- -'; return; }
	awk '/pread64\(/ { calls++; bytes += $NF } END { print calls + 0, bytes + 0 }' "$dir/trace"
}

# form NAME BYTES ROWS FILE ONE MANY READS
form () {
	printf '%-22s %9s rows %9s bytes %9s xz %8s us, one address (%s reads, %s bytes) %10s us, 1,000,000\n' "$1" "$3" "$2" \
		"$(xz -9e -c "$4" | wc -c)" "$5" "${7% *}" "${7#* }" "$6"
}

for image in "$@"; do
	echo "$image"
	"$EMBED_BIN" "$image" "$dir/plain.exe"
	"$EMBED_BIN" --packed "$image" "$dir/packed.exe"
	"$EMBED_BIN" --table-only "$image" "$dir/plain.sym"
	"$EMBED_BIN" --table-only --packed "$image" "$dir/packed.sym"
	"$gsymutil" --convert="$image" -o "$dir/gsym" >"$dir/log" 2>&1 || { cat "$dir/log" >&2; exit 1; }
	base=$("$ADDR2LINE_BIN" --check -e "$dir/plain.exe" | sed -n 's/.*image base 0x\([0-9a-f]*\).*/\1/p')
	"$ADDR2LINE_BIN" --dump -e "$dir/plain.exe" >"$dir/dump"
	span=$(awk -F '\t' '$6 == 0 { last = $1 } END { print last }' "$dir/dump")
	"$BENCH_BIN/addresses" 1000000 "$(printf %x $((0x$base + 4096)))" "$(printf %x $((span - 4096)))" random >"$dir/many"
	head -n 1 "$dir/many" >"$dir/one"
	one=$(cat "$dir/one")
	rows=$(awk -F '\t' '$6 == 0' "$dir/dump" | wc -l)
	for name in plain packed; do
		form "$name" "$(wc -c <"$dir/$name.sym")" "$rows" "$dir/$name.sym" \
			"$(least 11 /dev/null "$ADDR2LINE_BIN" -fie "$dir/$name.exe" "$one")" \
			"$(least 3 "$dir/many" "$ADDR2LINE_BIN" -fie "$dir/$name.exe")" \
			"$(reads "$ADDR2LINE_BIN" -fie "$dir/$name.exe" "$one")"
	done
	head -n 100000 "$dir/many" | sed "s,^0*x*,0x,; s,\$, $dir/gsym," >"$dir/gsym.many"
	"$gsymutil" --addresses-from-stdin <"$dir/gsym.many" >"$dir/log" 2>&1 || { tail -n 1 "$dir/log" >&2; exit 1; }
	form 'GSYM (100,000 of them)' "$(wc -c <"$dir/gsym")" - "$dir/gsym" \
		"$(least 11 /dev/null "$gsymutil" --address=0x"${one#0x}" "$dir/gsym")" \
		"$(least 1 "$dir/gsym.many" "$gsymutil" --addresses-from-stdin)" '- -'
done
