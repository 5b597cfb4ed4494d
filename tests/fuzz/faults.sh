#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# faults.sh [TARGET...]: asks whether the fuzz targets find anything.  Plants the faults of faults.table in a copy of the sources, one at
# a time, for all targets or for these, and fuzzes the target with it.  Each must find its fault within FUZZ_SECONDS (60).  The time that
# is printed includes that for making seeds; the number of executions depends on no other work of the computer.
#
# SRC is the source directory, which has a configure.  The copy is built with clang in a temporary directory.

set -eu
seconds=${FUZZ_SECONDS:-60}
if ! echo 'int LLVMFuzzerTestOneInput(const unsigned char *p, unsigned long n) { return p && n > 9; }' |
	clang -x c -fsanitize=fuzzer -o /dev/null - 2>/dev/null; then
	echo 'check-fuzz is skipped: there is no clang with libFuzzer'
	exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
jobs=$(getconf _NPROCESSORS_ONLN)
table=$SRC/tests/fuzz/faults.table
sed -n 's/^test $# -gt 0 || set -- //p' "$SRC/tests/fuzz/fuzz.sh" | tr ' ' '\n' | sort >"$work/targets"
sed '/^#/d; /^$/d; s/ .*//' "$table" | sort >"$work/faulty"
if ! diff "$work/targets" "$work/faulty"; then
	echo 'faults.table (>) has not the targets of fuzz.sh (<)'
	exit 1
fi

# Runs a command quietly; shows what it printed if it fails.
quietly () {
	"$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
}

mkdir "$work/copy" "$work/build"
(cd "$SRC" && find . -path ./.git -prune -o -path './build*' ! -path './build-aux*' -prune -o -type f -print | tar -cf - -T -) |
	tar -xf - -C "$work/copy"
cd "$work/build"
quietly ../copy/configure CC=clang CFLAGS='-g -O1' --disable-shared --enable-fuzzing
quietly make -s -j"$jobs" fuzz-seeds

failed=0 planted=0
# The programs that the loop runs may read standard input.
while read -r target file expression <&3; do
	case $target in
	'' | '#'*) continue ;;
	esac
	case " ${*:-$target} " in
	*" $target "*) ;;
	*) continue ;;
	esac
	planted=$((planted + 1))
	path=../copy/src/$file
	cp "$path" "$work/sound"
	sed "$expression" "$work/sound" >"$path"
	if cmp -s "$path" "$work/sound"; then
		echo "$target: the fault was not planted in $file"
		failed=$((failed + 1))
		continue
	fi
	quietly make -s -j"$jobs" "tests/fuzz/fuzz-$target"
	begin=$(date +%s)
	if sh ../copy/tests/fuzz/fuzz.sh . "$seconds" "$target" >"$work/found" 2>&1; then
		printf '%-8s NOT FOUND: %s\n' "$target" "$(tail -n 1 "$work/found")"
		failed=$((failed + 1))
	else
		printf '%-8s found after %d s, %s executions: %s\n' "$target" "$(($(date +%s) - begin))" \
			"$(sed -n 's/^#\([0-9]*\).*/\1/p' "fuzz/$target.log" | tail -n 1)" \
			"$(grep -m 1 -E 'ERROR|runtime error|broken' "$work/found" || echo 'a crash')"
	fi
	cp "$work/sound" "$path"
	rm -rf "fuzz/$target" "fuzz/$target"-*
done 3<"$table"
echo "$planted faults planted, $((planted - failed)) found"
test "$planted" -gt 0 && test "$failed" -eq 0
