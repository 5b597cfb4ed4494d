# SPDX-License-Identifier: GPL-2.0-or-later
#
# What rossym-embed does to an image: each kind of image that is in its way, built here.  The witness is tests/tools/pecheck.py,
# which compares the new image with the old one byte by byte and reckons its checksum.

. "${srcdir:-.}/tests/lib/tap.sh"

# Put the rows into FILE, which was just built, and look at what comes out.  More arguments are options.
embeds () {
	embeds_file=$1
	shift
	check "$embeds_file: embeds" rossym-embed --from-dump=rows "$@" "$embeds_file" new </dev/null
	ok "$embeds_file: the witness has nothing against it" pecheck $flags new "$embeds_file"
	check "$embeds_file: the table is there" rossym-addr2line -fp -e new --rva 1004 <<-'EOT'
		main at main.c:3
	EOT
	cp new again
	check "$embeds_file: the same once more" rossym-embed --from-dump=rows "$@" again again </dev/null
	ok "$embeds_file: is the same" cmp new again
}
# The sections of FILE: name, virtual size, RVA, raw size, raw offset.
layout () {
	pecheck -l "$1"
}
verbose () {
	rossym-embed -v --from-dump=rows "$@" | grep -v ': table: '
}
bytes () {
	od -An -v -tx1 -j "$2" -N "$3" "$1" | sed 's/^ *//; s/ *$//'
}
u32 () {
	od -An -v -tu4 -j "$2" -N 4 "$1" | tr -d ' '
}
symbols () {
	objdump -t "$1" | sed -n 's/.*(sec  *\([-0-9]*\)).* \(0x[0-9a-f]*\) \([a-z]*\)$/\3 \1 \2/p'
}

# The section table ends at 0x178 + 40 * sections; SizeOfHeaders is 0x400.
full () {
	echo 'pe32 base=0x400000'
	for i in $(seq 0 15); do echo "section .s$i size=0x10"; done
}
refuses () {
	check "refuses: $1" -s 1 -e "rossym-embed: $2: $3" rossym-embed --from-dump=rows "$2" never </dev/null
}

cases 'debug sections at the end'

# The usual order: .reloc is the last that stays, and ends where its table does.
{
	cat <<-'EOT'
		pe32 base=0x400000
		section .text size=0x123
		section .reloc size=0x410 flags=0x42000040
		section .debug_info size=0x1000 flags=0x42000040
		poke data:.reloc u32=0x3000 u32=0x400
		poke data:.reloc+0x400 u32=0x1000 u32=16 u16=0x3004 u16=0x3008 u16=0x300c u16=0
	EOT
	printf 'poke data:.reloc+8'
	at=8
	while test $at -lt 1024; do
		printf ' u16=%d' $((0x3000 + at))
		at=$((at + 2))
	done
	echo
	echo 'poke opt+136 u32=0x2000 u32=0x410 # data directory 5'
	echo 'poke opt+8 u32=0x1600 # SizeOfInitializedData'
} | build last.exe
cases 'a section of relocations shrinks with them'

done_testing
