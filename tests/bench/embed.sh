#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# How long rossym-embed takes, and how much memory, next to GNU strip:
#
#	tests/bench/embed.sh [IMAGE...]
#
# Without arguments: the images X.nostrip.Y of the directory BENCH_FIXTURES (environment), and one of 1,000 units made
# here by the mingw compiler, if that is there.  From the top of the source tree; EMBED_BIN says which program (build/src/rossym-embed).
# Times are the best of five, in seconds; memory is the peak, against the size of the image.  The aim: 0.4 s for 10 MB of
# debug information, growing linearly, and less than 4 times the image in memory.

set -u
LC_ALL=C
export LC_ALL
: "${EMBED_BIN:=build/src/rossym-embed}"
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

# seconds and kilobytes of the best of five runs
best () {
	best_i=0
	while test $best_i -lt 5; do
		/usr/bin/time -o "$tmp/time" -f '%e %M' "$@" >"$tmp/said" 2>&1 || {
			cat "$tmp/said" >&2
			return 1
		}
		cat "$tmp/time"
		best_i=$((best_i + 1))
	done | sort -n | sed 1q
}

row () {
	printf '%-28s %9s %9s %8s %8s %8s %8s %9s %8s\n' "$@"
}

bench () {
	name=${1##*/}
	size=$(wc -c <"$1")
	embed=$(best "$EMBED_BIN" -v "$1" "$tmp/new") || exit 1
	"$EMBED_BIN" -v "$1" "$tmp/new" >"$tmp/said"
	debug=$(sed -n 's/.*debug sections of \([0-9]*\) bytes.*/\1/p' "$tmp/said")
	table=$(sed -n 's/.*: table: \([0-9]*\) bytes.*/\1/p' "$tmp/said")
	rows=$(sed -n 's/.*: table: .*, \([0-9]*\) rows.*/\1/p' "$tmp/said")
	strip=-
	for tool in x86_64-w64-mingw32-strip i686-w64-mingw32-strip strip; do
		if test "$strip" = - && command -v $tool >/dev/null && $tool -o "$tmp/stripped" "$1" 2>/dev/null; then
			strip=$(best $tool -o "$tmp/stripped" "$1")
			strip=${strip% *}
		fi
	done
	seconds=${embed% *} kilobytes=${embed#* }
	row "$name" "$size" "${debug:--}" "$seconds" "$strip" \
		"$(awk "BEGIN { printf \"%.2f\", ${debug:-0} ? $seconds * 10000000 / ${debug:-1} : 0 }")" \
		"$(awk "BEGIN { printf \"%.1f\", $kilobytes * 1024 / $size }")" "$table" "$rows"
}

# An image of $2 units, named $1.
synthetic () {
	mkdir "$tmp/src"
	awk -v count="$2" -v to="$tmp/src/" 'BEGIN {
		for (i = 0; i < count; i++) {
			file = to "unit" i ".c"
			printf "struct s%d { int a, b; struct s%d *next; };\n", i, i >file
			for (j = 0; j < 12; j++) {
				printf "static inline int i%d_%d(int a, struct s%d *s)\n{\n\tint b = a * %d;\n", i, j, i, j + 3 >file
				printf "\tfor (; s; s = s->next)\n\t\tb += s->a ^ a;\n\treturn b;\n}\n" >file
				printf "int f%d_%d(int a, struct s%d *s)\n{\n\tif (a > %d)\n\t\ta += i%d_%d(a, s);\n", i, j, i, j, i, j >file
				printf "\twhile (a & 7)\n\t\ta = a * 3 + i%d_%d(a ^ 5, s);\n\treturn a;\n}\n", i, j >file
			}
			close(file)
		}
		print "int mainCRTStartup(void) { return 0; }" >(to "main.c")
	}'
	(cd "$tmp/src" && ls | grep '\.c$' | xargs -P 2 -n 100 "$gcc" -g -O2 -c &&
		ls | grep '\.o$' >list && "$gcc" -nostdlib -o "../$1" @list) || exit 99
	rm -rf "$tmp/src"
}

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
fi
test $# -gt 0 || { echo 'no images' >&2; exit 1; }
row image bytes debug seconds strip s/10MB mem/size table rows
for image in "$@"; do
	bench "$image"
done
