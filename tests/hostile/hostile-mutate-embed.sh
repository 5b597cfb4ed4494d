# SPDX-License-Identifier: GPL-2.0-or-later
#
# Damaged images and PDB files, given to what reads debug information and writes images.  Built with sanitizers this finds
# reads and writes out of bounds; without them, crashes, hangs, wrong checksums and tables that are not sound.  MUTATIONS is how many (1000), SEED which ones.

. "${srcdir:-.}/tests/lib/tap.sh"

: "${MUTATIONS:=1000}" "${SEED:=1}"

{
	cat <<-'EOT'
		pe32 base=0x400000
		section .text size=0x123
		section .stab size=0xc00 flags=0x42000040 fill=0x64
		section .rdata size=84 flags=rdata
		section .a_long_name size=8 flags=rdata fill=0x43
		rossym ; row 0x1000 old old.c 1
		section .reloc size=28 flags=0x42000040
		append zeros=64 4f 56
		poke data:.rdata+12 u32=2 u32=8 u32=0x4000 u32=0x1400
		poke data:.reloc u32=0x2000 u32=16 u16=0x3004 u16=0x3008 u16=0x3000 u16=0
		poke data:.reloc+16 u32=0x1000 u32=12 u16=0x3004 u16=0
	EOT
	echo "poke opt+$((96 + 8 * 6)) u32=0x3000 u32=84"
	echo "poke opt+$((96 + 8 * 5)) u32=0x6000 u32=28"
	echo "poke opt+$((96 + 8 * 4)) u32=0x2000 u32=40"
} | build small.exe
build flat.sys <<-'EOT'
	pe64 base=0x10000 salign=0x200 falign=0x200
	section .text rva=0x400 off=0x400 size=0x200
	section .debug_info rva=0x600 off=0x600 size=0x400 flags=0x42000040 fill=0x55
	section .data rva=0xa00 off=0xa00 size=0x200 flags=data fill=0x41
	section .debug_line rva=0xc00 off=0xc00 size=0x400 flags=0x42000040 fill=0x55
EOT

set -- small.exe flat.sys "$DATA/dwarf32.nostrip.exe" "$DATA/dwarf64.nostrip.exe" "$DATA/stabs32.nostrip.exe"
mutate=$tap_build/tests/tools/mutate${EXEEXT-}
export MUTATIONS SEED
ok "$MUTATIONS mutations of seed $SEED" "$mutate" -e "$@"
cp "$OUT" result
diag "$(cat result)"
ok "$((MUTATIONS / 3)) more whose debug information is read" env MUTATIONS=$((MUTATIONS / 3)) "$mutate" -d "$@"
diag "$(cat "$OUT")"
ok 'some were written' sh -c 'test "$(sed "s/ written.*//" "$1")" -gt 0' sh result

# ------------------------------------------------------------------------------------------- PDB files

mkpdb=$tap_build/tests/tools/mkpdb${EXEEXT-}
pairs=
for kind in plain wide omap block=512; do
	"$mkpdb" $kind block=512 $kind.exe $kind.pdb || exit 99
	pairs="$pairs $kind.exe $kind.pdb"
done
# shellcheck disable=SC2086
ok "$MUTATIONS mutations of images with PDB files" "$mutate" -p $pairs
cp "$OUT" result
diag "$(cat result)"
ok 'rows were read from some' sh -c 'test "$(sed "s/.* //" "$1")" -gt "$2"' sh result "$((MUTATIONS / 4))"

# The program itself.  Each line: where in the file, and the byte.
awk -v seed="$SEED" -v size="$(wc -c <plain.pdb)" 'BEGIN {
	srand(seed)
	for (i = 0; i < 16; i++)
		printf "%d \\%o\n", i < 4 ? 32 + 24 * rand() : size * rand(), 256 * rand()
}' >places
# statuses: they are 0 with a sound table, or 1 and no output; 2 is for wrong options
statuses () {
	while read -r at byte; do
		cp plain.pdb x.pdb && chmod u+w x.pdb && rm -f x.table || return
		# shellcheck disable=SC2059
		printf "$byte" | dd of=x.pdb bs=1 seek="$at" conv=notrunc 2>dd.err || return
		if rossym-embed --table-only --pdb=x.pdb plain.exe x.table >said 2>&1; then
			rossym-addr2line --check -e x.table >said 2>&1
		else
			test $? -eq 1 && grep -q '^rossym-embed: ' said && test ! -e x.table
		fi || { echo "byte $byte at $at"; cat said; return 1; }
	done <places
}
ok 'rossym-embed writes a sound table, or says what is wrong' statuses

done_testing
