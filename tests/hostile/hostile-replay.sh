# SPDX-License-Identifier: GPL-2.0-or-later
#
# Everything that fuzzing begins with or has found, given to each fuzz target: without a fuzzer, but in blocks of exactly
# the size, so that a build with sanitizers sees one byte too far.

. "${srcdir:-.}/tests/lib/tap.sh"

FEW=$(amount 0 1)
export FEW
ok 'what fuzzing begins with' env srcdir="$SRC" top_builddir="$tap_build" sh "$SRC/tests/fuzz/seeds.sh" corpus
for target in image embed stabs coff dwarf units elf pdb address options tsv tokens filter block kernel dump; do
	ok "there is something for $target" test -n "$(ls corpus/$target)"
	# Those that are found stand in the corpus with the name of what they broke; the last one printed is the culprit.
	ok "$target" "$tap_build/tests/fuzz/fuzz-$target${EXEEXT-}" corpus/$target/*
done

done_testing
