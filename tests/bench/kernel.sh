#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The reader for kernels on a table as large as that of a ReactOS kernel: how long it takes with cold caches, and how many
# bytes of nonpaged memory.
#
#	tests/bench/kernel.sh [LOOK-UPS [TREE]]		(1000; .)
#
# From the build directory, or another with an amalgamation.  TREE is the build directory of another version, to compare with this
# one: its amalgamation is compiled in place of ours.  Environment: CC, CFLAGS (-O2) for the amalgamation and for kernel.c, srcdir.
# tests/bench/kernel.c says what is measured.  It reads 64 MB before each look-up, so 10,000 look-ups take some minutes.

set -eu
LC_ALL=C
export LC_ALL
count=${1-1000} tree=${2-.}
: "${srcdir:=..}" "${CC:=cc}" "${CFLAGS=-O2}" "${MAKE:=make}"
: "${ADDR2LINE_BIN:=src/rossym-addr2line}" "${EMBED_BIN:=src/rossym-embed}" "${MKIMAGE:=tests/tools/mkimage}"
dir=$(mktemp -d "${TMPDIR:-/tmp}/rossym-kernel.XXXXXX")
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM

# rows: 154,701 of them, as rossym-addr2line --dump prints them.  5,525 functions of 28 rows in 395 files; a call in seven rows is
# inlined.  Rows begin 1 to 15 bytes apart.
rows () {
	awk 'BEGIN {
		srand(2005)
		for (row = 0; row < 154701; row++) {
			if (row % 28 == 0) {
				number = int(row / 28)
				function_name = "KiSubsystemRoutine" number * 7919 % 100000
				file = "ntoskrnl/subsystem" int(number / 200) "/source" int(number / 14) ".c"
				begin = at
				lines = ""
			}
			size = 1 + int(rand() * 15)
			line = number % 14 * 300 + row % 28 * 3 + 1
			here = sprintf("0x%08x\t%d\t", 4096 + at, size)
			if (row % 7 == 3) {
				lines = lines here "InlinedHelper" row % 701 "\tsdk/include/ndk/inline.h\t" row % 2999 + 1 "\t0\n"
				lines = lines here function_name "\t" file "\t" line "\t1\n"
			} else {
				lines = lines here function_name "\t" file "\t" line "\t0\n"
			}
			at += size
			if (row % 28 == 27 || row == 154700)
				printf "0x%08x\t%d\t%s\t\t0\t-1\n%s", 4096 + begin, at - begin, function_name, lines
		}
	}'
}

# The sections of a kernel.
cat >"$dir/image" <<-END
	pe32 base=0x400000
	section .text rva=0x1000 size=0x13a000 raw=0 flags=code
	section .data rva=0x13b000 size=0x1000 raw=0 flags=data
	section .rdata rva=0x13c000 size=0x1000 raw=0 flags=rdata
	section .rsrc rva=0x13d000 size=0x1000 raw=0 flags=rdata
	section .edata rva=0x13e000 size=0x1000 raw=0 flags=rdata
	section .idata rva=0x13f000 size=0x1000 raw=0 flags=rdata
	section PAGE rva=0x140000 size=0x1000 raw=0 flags=code
	section INIT rva=0x141000 size=0x1000 raw=0 flags=code
	section .reloc rva=0x142000 size=0x1000 raw=0 flags=rdata
END
"$MKIMAGE" "$dir/image" "$dir/plain.exe"
rows >"$dir/dump"
"$EMBED_BIN" --from-dump="$dir/dump" -v "$dir/plain.exe" "$dir/kernel.exe" 2>&1 | sed -n 's/^.*: \(table: \)/\1/p; s/^.*: \(inlined calls: \)/\1/p'
"$EMBED_BIN" --no-inlines --from-dump="$dir/dump" "$dir/plain.exe" "$dir/bare.exe"
"$EMBED_BIN" --packed --from-dump="$dir/dump" "$dir/plain.exe" "$dir/packed.exe"
# Old readers keep the rows and the strings; rsym puts each string there once.
"$ADDR2LINE_BIN" --dump -e "$dir/bare.exe" | awk -F '\t' '
	{ rows++; for (i = 3; i <= 4; i++) if (!($i in seen)) { seen[$i] = 1; bytes += length($i) + 1 } }
	END { printf "rsym'\''s table of the same rows: %d bytes, %d rows\n", 16 + 16 * rows + bytes, rows }'

test ! -e "$tree/Makefile" || (cd "$tree" && "$MAKE" -s amalgamation)
objects=
for file in rossym-core rossym-kernel; do
	# shellcheck disable=SC2086
	$CC $CFLAGS -c "$tree/amalgamation/$file.c" -o "$dir/$file.o"
	objects="$objects $dir/$file.o"
done
# shellcheck disable=SC2086
$CC $CFLAGS -I "$tree/amalgamation" -I "$srcdir" "$srcdir/tests/bench/kernel.c" $objects -o "$dir/kernel"
"$dir/kernel" "$count" "$dir/kernel.exe" "$dir/bare.exe" "$dir/packed.exe"
