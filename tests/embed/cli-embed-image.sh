# SPDX-License-Identifier: GPL-2.0-or-later
#
# What rossym-embed does to an image: each kind of image that is in its way, built here.  The witness is tests/tools/pecheck.py,
# which compares the new image with the old one byte by byte and reckons its checksum.

. "${srcdir:-.}/tests/lib/tap.sh"

# Data directory $1 of PE32, for poke.
directory () {
	echo "poke opt+$((96 + 8 * $1)) u32=$2 u32=$3"
}
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

cases 'debug sections at the end'
{
	cat <<-'EOT'
		pe32 base=0x400000
		section .text size=0x1123
		section .reloc size=44 flags=0x42000040
		section .debug_info size=0x1000 flags=0x42000040
		section .data size=0x20 flags=data
	EOT
	cat relocs
	directory 5 0x3000 44
} | build reloc.exe
cases 'base relocations into debug sections go'

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
	directory 5 0x2000 0x410
} | build last.exe
cases 'a section of relocations shrinks with them'

{
	cat <<-'EOT'
		pe32 base=0x400000
		section .text size=0x123
		section .reloc size=10 flags=0x42000040
		section .debug_info size=0x1000 flags=0x42000040
		poke data:.reloc u32=0x3000 u32=10 u16=0x3004
	EOT
	directory 5 0x2000 10
} | build all.exe
embeds all.exe
check 'when all go, an empty block is left' bytes new $((0x400)) 12 <<-'EOT'
	00 00 00 00 0a 00 00 00 00 00 00 00
EOT

{
	cat <<-'EOT'
		pe32 base=0x400000
		section .text size=0x123
		section .reloc size=12 flags=0x42000040
		section .debug_info size=0x1000 flags=0x42000040
		poke data:.reloc u32=0x3000 u32=6 u16=0x3004 u16=0x3004
	EOT
	directory 5 0x2000 12
} | build bad.exe
check 'a damaged block of relocations' -s 1 \
	-e 'rossym-embed: bad.exe: at 0x404: a block of base relocations has 0x6 bytes of 0xc' \
	rossym-embed --from-dump=rows bad.exe never </dev/null
ok 'nothing is written then' test ! -e never

# ---------------------------------------------------------------------------------------- other offsets

# The debug directory in .rdata: an entry whose data is behind a debug section, one for data in the overlay, one for the
# COFF symbols.
{
	cat <<-'EOT'
		pe32 base=0x400000 symptr=0x1600 nsyms=1
		section .text size=0x123
		section .stab size=0xc00 flags=0x42000040
		section .rdata size=84 flags=rdata
		section .rdata2 size=8 flags=rdata fill=0x43
		append zeros=18 u32=4 44 42 47 21
		poke data:.rdata+12 u32=2 u32=8 u32=0x4000 u32=0x1400
		poke data:.rdata+40 u32=4 u32=4 u32=0 u32=0x1616
		poke data:.rdata+68 u32=1 u32=22 u32=0 u32=0x1600
	EOT
	directory 6 0x3000 84
} | build debug.exe
cases 'file offsets in the debug directory follow their data'

{
	cat <<-'EOT'
		pe32 base=0x400000
		section .text size=0x123
		section .debug_info size=0x100 flags=0x42000040
		append zeros=40
	EOT
	directory 4 0x800 40
} | build signed.exe
# The section table ends at 0x178 + 40 * sections; SizeOfHeaders is 0x400.
full () {
	echo 'pe32 base=0x400000'
	i=0
	while test $i -lt 16; do
		echo "section .s$i size=0x10"
		i=$((i + 1))
	done
}
bound () {
	cat <<-'EOT'
		pe32 base=0x400000
		section .text size=0x123
		section .data size=0x10 flags=data fill=0x41
		poke headers+80 u32=0x12345678 u16=8 u16=0 zeros=8 4d 2e 44 4c 4c
	EOT
	directory 11 0x1c8 24
}
refuses () {
	check "refuses: $1" -s 1 -e "rossym-embed: $2: $3" rossym-embed --from-dump=rows "$2" never </dev/null
}

cases 'a certificate goes, with a warning'
{
	echo 'pe32 base=0x400000 ; section .text size=1 ; section .debug_info size=0x100 flags=0x42000040'
	directory 1 0x2010 20
} | build imports.exe
refuses 'imports in debug information' imports.exe 'at 0x100: data directory 1, at 0x2010, is in a debug section'
build short.exe <<-'EOT'
	pe32 base=0x400000
	section .text size=0x123
	truncate end-1
EOT
refuses 'a section that is cut off' short.exe \
	'at 0x18c: the data of section .text, 0x200 bytes at 0x200, ends past the end of the file'
build align.exe <<-'EOT'
	pe32 base=0x400000
	section .text size=0x123
	poke opt+32 u32=0x1001
EOT
refuses 'an odd alignment' align.exe 'at 0xb8: SectionAlignment 0x1001 is not a power of two'
build falign.exe <<-'EOT'
	pe32 base=0x400000
	section .text size=0x123
	poke opt+36 u32=0x20000
EOT
refuses 'a file alignment beyond all' falign.exe 'at 0xbc: FileAlignment 0x20000 is not a power of two up to 0x10000'
build magic.exe <<-'EOT'
	pe32 base=0x400000 magic=0x20b
	section .text size=0x123
EOT
refuses 'a header for another machine' magic.exe 'at 0x98: an optional header of type 0x20b for machine 0x14c'
build headers.exe <<-'EOT'
	pe32 base=0x400000 headersize=0x180
	section .text size=0x123
EOT
refuses 'headers that end too early' headers.exe \
	'at 0x178: the section table ends at 0x1a0, past the headers'"'"' end, 0x180'
build high.exe <<-'EOT'
	pe32 base=0
	section .text rva=0xfffff000 size=0x1000 raw=0
EOT
refuses 'an image that fills its addresses' high.exe 'at 0x178: no room below 4 GiB for the table'
echo text >no.exe
refuses 'no image' no.exe 'at 0x0: no MZ header'
printf '!<arch>\n' >a.exe
refuses 'an archive' a.exe 'an archive'
ok 'nothing was written' test ! -e never

done_testing
