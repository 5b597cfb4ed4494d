#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# seeds.sh DIRECTORY	makes DIRECTORY/TARGET/* for each fuzz target: what fuzzing begins with, from the fixtures of other
#			tests and tests/fuzz/corpus
#
# Environment: srcdir, top_builddir, as for tests.  Where a target takes options before its input, each file is given with all of
# them; with FEW=1, with one of them, another for each file.

set -eu
source=$(cd "${srcdir:-.}" && pwd)
build=$(cd "${top_builddir:-.}" && pwd)
# Unit tests have files of cases there.
srcdir=$source
export srcdir
mkdir -p "$1"
cd "$1"
# Prints the OPTIONs that the next file gets.
number=0
options_of () {
	if test "${FEW-}" = 1; then
		shift $((number % $#))
		echo "$1"
	else
		echo "$*"
	fi
}

for target in image embed stabs coff dwarf units elf pdb address options tsv tokens filter block kernel dump; do
	mkdir -p "$target"
	for file in "$source/tests/fuzz/corpus/$target"/*; do
		test ! -f "$file" || cp "$file" "$target/"
	done
done

for image in "$source"/tests/images/*.img; do
	name=${image##*/}
	name=${name%.img}
	"$build/tests/tools/mkimage" "$image" "image/$name" || continue
	case $name in
	good-*) cp "image/$name" "embed/$name" ;;
	esac
done

for processor in x86 amd64 arm64; do
	"$build/tests/tools/mkdump" $processor "dump/$processor"
	"$build/tests/tools/mkdump" $processor+names "dump/$processor-names"
done

# Descriptions of kernel dumps: of each type, of 64 and of 32 bits, without images and with them.
for flags in 001 041 101 141 201 241 301 341 000 042 102 146; do
	{ printf "K\\$flags"; tail -c 500 dump/amd64; } >dump/kernel-$flags
	{ printf "I\\$flags"; tail -c 400 dump/x86; } >dump/images-$flags
done

# Dumps with code and unwind data: the image of a unit test, and a stack.  Which numbers these are: tests/lib/makedump.h.
UNWIND_KEEP=. MUTATIONS=0 "$build/tests/dump/unit-unwind-arm64" >/dev/null
"$build/tests/tools/mkdump" arm64 x.dmp 0x540 8 0x544 0 0x548 0x40001050 0x54c 1 0x328 0x40002004 0x32c 1
# Its SizeOfImage becomes 0x4000, so that the dump is not too long.
printf '\000\100\000\000' | dd of=arm64 bs=1 seek=144 conv=notrunc 2>/dev/null
python3 -B "$source/tests/tools/fulldump.py" x.dmp arm64 140000000 dump/arm64-unwound
rm x.dmp arm64
# FrameData, and a stack: esp is 8, and a return address of a call is there.
FRAMES_KEEP=. MUTATIONS=0 "$build/tests/dump/unit-dump-frames" >/dev/null
"$build/tests/tools/mkdump" x86 x.dmp 0x4f8 0x401000 0x504 8 0x300 0x401005 0x308 0x401020
{ cat x.dmp frames.pdb && printf '\000\024\000\000PDB7'; } >dump/x86-frames
UNWIND_KEEP=. MUTATIONS=0 "$build/tests/dump/unit-unwind-x86" >/dev/null
python3 -B "$source/tests/tools/fulldump.py" x.dmp x86 400000 y.dmp
{ cat y.dmp frames.pdb && printf '\000\024\000\000PDB7'; } >dump/x86-frames-code
rm x.dmp y.dmp frames.pdb x86

# Choices (units.h) by chance, the same each time.
seed=1
while test $seed -le 64; do
	printf "$(awk -v seed=$seed 'BEGIN { srand(seed); for (i = 0; i < 1500; i++) printf "\\%03o", int(rand() * 256) }')" >units/$seed
	seed=$((seed + 1))
done

# What rossym-embed changes besides sections.
for image in "$source"/tests/fuzz/images/*.img; do
	name=${image##*/}
	"$build/tests/tools/mkimage" "$image" "embed/${name%.img}"
done

for log in "$source"/tests/logs/*.log; do
	name=${log##*/}
	name=${name%.log}
	number=$((number + 1))
	cp "$log" "tokens/$name"
	# Options (see fuzz-filter.c): nothing; modules; also inlined calls, what the byte before says; undo; redo; JSON.
	for options in $(options_of 000 001 161 002 005 011); do
		{ printf "\\$options\\007" && cat "$log"; } >"filter/$name-$options"
	done
	{ printf '\002\100' && cat "${log%.log}.want"; } >"filter/$name-annotated"
	{ printf '\005\001' && cat "${log%.log}.want"; } >"filter/$name-again"
	# UTF-16, with a byte order mark.
	printf '\001\006\376\377%b' "$(head -c 2000 "$log" | od -An -v -to1 | tr -d '\n' | sed 's/ \([0-7]*\)/\\0000\\0\1/g')" \
		>"filter/$name-wide"
done

# The images that unit tests make of debug information.
mkdir -p kept
for test in debuginfo/unit-coff debuginfo/unit-stabs debuginfo/unit-dwarf debuginfo/unit-dwarf5 debuginfo/unit-dwarf-entries library/unit-embed; do
	kept=kept/${test#*/unit-}
	mkdir -p "$kept"
	MUTATIONS=0 DEBUGPE_KEEP=$kept "$build/tests/$test" >/dev/null
done
for image in kept/*/*; do
	name=$(echo "$image" | tr / -)
	"$build/tests/fuzz/seeds" cd "$image" "coff/$name"
	# With symbols, whose names are taken where the others have none.
	"$build/tests/fuzz/seeds" cdst "$image" "stabs/$name"
	"$build/tests/fuzz/seeds" cdialSLoArRz "$image" "dwarf/$name"
	cp "$image" "embed/$name"
done

# The ELF files of a unit test.  What OPTIONS mean is in tests/fuzz/fuzz-elf.c.
mkdir -p kept/elf
ELF_KEEP=kept/elf "$build/tests/debuginfo/unit-elf" >/dev/null
for file in kept/elf/*; do
	number=$((number + 1))
	for options in $(options_of 000 001 005 013); do
		{ printf "\\$options" && cat "$file"; } >"elf/${file##*/}-$options"
	done
done

# The tables with a block that a unit test makes.  What OPTIONS mean stands in tests/fuzz/block.h.
rm -r kept/*
BLOCK_KEEP=kept "$build/tests/core/unit-block" >/dev/null
for table in kept/*; do
	number=$((number + 1))
	for options in $(options_of 0 3 4 5 12 13); do
		"$build/tests/fuzz/seeds" --block $options "$table" "block/${table##*/}-$options"
	done
done
"$build/tests/fuzz/seeds" --damage 4 kept/inner block/damaged-inner
"$build/tests/fuzz/seeds" --damage 5 kept/outer block/damaged-outer
"$build/tests/fuzz/seeds" --damage 12 kept/inner block/damaged-second
rm -r kept
# Packed tables.
for options in '' --entry-frame=outer --no-inlines; do
	# shellcheck disable=SC2086
	"$build/src/rossym-embed" --table-only --packed $options "$source/tests/data/dwarf32.nostrip.exe" "image/packed$options.sym"
done
cp image/* block/*[a-z] block/*-[0-9] block/*[02468]0 kernel/

# PDB files, as streams and whole.  What OPTIONS mean is in tests/fuzz/pdb.h.
for kind in plain wide omap stripped block=512; do
	"$build/tests/tools/mkpdb" $kind pdb.exe pdb.pdb
	for options in 0 1 6 8 20 128; do
		"$build/tests/fuzz/seeds" --pdb $options pdb.pdb "pdb/$kind-$options"
	done
done
{ printf '\000\365RSI' && cat pdb.exe && printf '\365RSP' && cat pdb.pdb; } >pdb/whole
rm pdb.exe pdb.pdb
