# SPDX-License-Identifier: GPL-2.0-or-later
#
# What rossym-embed does to an image: each kind of image that is in its way, built here.  The witness is tests/tools/pecheck.c,
# which compares the new image with the old one byte by byte and reckons its checksum.

. "${srcdir:-.}/tests/lib/tap.sh"

printf '0x00001000\t16\tmain\tmain.c\t3\t0\n0x00001010\t0\t_rossym_end__\t\t0\t0\n' >rows
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
flags=

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

# -------------------------------------------------------------------------------------- debug sections

build end.exe <<-'EOT'
	pe32 base=0x400000
	section .text size=0x123
	section .data size=0x20 flags=data fill=0x41
	section .debug_info size=0x1800 flags=0x42000040
	section .stab size=12 flags=0x42000040
	section .stabstr size=300 flags=0x42000040
	section .zdebug_line size=300 flags=0x42000040
	append 4f 56 45 52 4c 41 59
EOT
embeds end.exe
cases 'debug sections at the end'

build middle.exe <<-'EOT'
	pe32 base=0x400000
	section .text size=0x123
	section .debug_info size=0x2800 flags=0x42000040 fill=0x55
	section .debug_line size=0x100 flags=0x42000040 fill=0x55
	section .rsrc size=0x20 flags=rdata fill=0x41
	section .debug_abbrev size=0x100 flags=0x42000040 fill=0x55
	section .reloc size=12 flags=0x42000040
EOT
embeds middle.exe
check 'in the middle: their neighbours grow over the holes' layout new <<-'EOT'
	.text 5000 1000 200 400
	.rsrc 2000 6000 200 600
	.reloc c 8000 200 800
	.rossym 4b 9000 200 a00
EOT

build first.exe <<-'EOT'
	pe32 base=0x400000
	section .debug_info size=0x1100 flags=0x42000040 fill=0x55
	section .debug_line size=0x100 flags=0x42000040 fill=0x55
	section .text rva=0x4000 size=0x123
EOT
printf '0x00004000\t16\tmain\tmain.c\t3\t0\n' >rows4
check 'in front: embeds' rossym-embed --from-dump=rows4 first.exe new </dev/null
ok 'in front: the witness' pecheck new first.exe
check 'in front: an empty section takes their place' layout new <<-'EOT'
	.pad 3000 1000 0 0
	.text 123 4000 200 200
	.rossym 2d 5000 200 400
EOT

# Offsets in the string table of more than seven digits are in base64; here the same names have such ones, which are small.
build base64.exe <<-'EOT'
	pe32 base=0x400000
	section .text size=0x123
	section .debug_info_long size=0x800 flags=0x42000040 fill=0x55
	section .long_rdata size=0x20 flags=rdata fill=0x41
	poke header:.debug_info_long 2f 2f 41 41 41 41 41 45
	poke header:.long_rdata 2f 2f 41 41 41 41 41 56
EOT
embeds base64.exe
cases 'names in base64: what stays has its name'

build keep.exe <<-'EOT'
	pe32 base=0x400000
	section .text size=0x123
	section .debug_info size=0x800 flags=0x42000040 fill=0x55
EOT
flags=-k
embeds keep.exe --keep-debug
check '--keep-debug' layout new <<-'EOT'
	.text 123 1000 200 200
	.debug_info 800 2000 800 400
	.rossym 4b 3000 200 c00
EOT
flags=

build named.exe <<-'EOT'
	pe32 base=0x400000
	section .text size=0x123
	section .stabby size=0x123
	section .debug_info size=0x100 flags=0x42000040 fill=0x55
EOT
embeds named.exe
check 'code stays, whatever its name' layout new <<-'EOT'
	.text 123 1000 200 200
	.stabby 123 2000 200 400
	.rossym 4b 3000 200 600
EOT

# ---------------------------------------------------------------------------------- names and symbols

build long.exe <<-'EOT'
	pe64 base=0x7ff600000000
	section .text size=0x123
	section .a_long_name size=0x10 flags=rdata fill=0x41
	section .debug_info size=0x100 flags=0x42000040
	section .another_long_name size=0x10 flags=rdata fill=0x42
	section .debug_line_str size=0x100 flags=0x42000040
EOT
embeds long.exe
check 'long names of sections stay' layout new <<-'EOT'
	.text 123 1000 200 400
	.a_long_name 2000 2000 200 600
	.another_long_name 10 4000 200 800
	.rossym 4b 5000 200 a00
EOT
ok 'those of removed ones do not' sh -c '! grep -a -q debug_ new'

build shared.exe <<-'EOT'
	pe32 base=0x400000
	section .a_long_name size=0x10 flags=code
	section .a_long_name2 size=0x10 flags=rdata fill=0x42
	poke header:.a_long_name2 2f 34 00 00 00 00 00 00
	truncate end-14
	poke end-17 u32=17
EOT
embeds shared.exe
check 'two sections may share a name' layout new <<-'EOT'
	.a_long_name 10 1000 200 200
	.a_long_name 10 2000 200 400
	.rossym 4b 3000 200 600
EOT

# Two sections, a .rossym between them, and three symbols: f in .text, its auxiliary entry, g in .data.
build symbols.exe <<-'EOT'
	pe32 base=0x400000 symptr=0x800 nsyms=3
	section .text size=0x123
	rossym ; row 0x1000 old old.c 1
	section .data size=0x20 flags=data
	append 66 zeros=7 u32=0x10 u16=1 u16=0x20 02 01
	append 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 11 12
	append 67 zeros=7 u32=0x8 u16=3 u16=0 02 00
	append u32=4
EOT
symbols () {
	objdump -t "$1" | sed -n 's/.*(sec  *\([-0-9]*\)).* \(0x[0-9a-f]*\) \([a-z]*\)$/\3 \1 \2/p'
}
check 'symbols before' symbols symbols.exe <<-'EOT'
	f 1 0x00000010
	g 3 0x00000008
EOT
flags=-k
embeds symbols.exe --keep-debug
check 'COFF symbols know their sections when an older table went' symbols new <<-'EOT'
	f 1 0x00000010
	g 2 0x00000008
EOT
check 'the table is the last' layout new <<-'EOT'
	.text 2000 1000 200 200
	.data 20 3000 200 400
	.rossym 4b 4000 200 600
EOT
flags=
embeds symbols.exe
check 'without --keep-debug they go' verbose symbols.exe new <<-'EOT'
	new: added: .rossym at RVA 0x4000, file offset 0x600, in place of an older one
	new: taken out: 0 debug sections of 0 bytes, 3 COFF symbols
	new: closed: 1 gaps in the address space where sections were taken out
EOT

# -------------------------------------------------------------------------------------- base relocations

# Blocks: two for code, one of them with padding; one for .debug_info; one for .data.
cat >relocs <<-'EOT'
	poke data:.reloc u32=0x1000 u32=12 u16=0x3004 u16=0
	poke data:.reloc+12 u32=0x4000 u32=12 u16=0x3010 u16=0x3014
	poke data:.reloc+24 u32=0x5000 u32=12 u16=0x3000 u16=0
	poke data:.reloc+36 u32=0x4000 u32=8
EOT
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
embeds reloc.exe
check 'base relocations into debug sections go' bytes new $((0x400 + 0x1200)) 48 <<-'EOT'
	00 10 00 00 0c 00 00 00 04 30 00 00 00 50 00 00
	0c 00 00 00 00 30 00 00 00 40 00 00 08 00 00 00
	00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
EOT
check 'the directory is shorter' u32 new $((0x80 + 24 + 96 + 44)) <<-'EOT'
	32
EOT

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
embeds last.exe
check 'a section of relocations shrinks with them' layout new <<-'EOT'
	.text 123 1000 200 200
	.reloc 10 2000 200 400
	.rossym 4b 3000 200 600
EOT
check 'and their number is told' verbose last.exe new <<-'EOT'
	new: added: .rossym at RVA 0x3000, file offset 0x600
	new: taken out: 1 debug sections of 4096 bytes, 0 COFF symbols
	new: taken out: 508 base relocations and 0 debug directory entries for them
EOT
ok 'objdump reads them' sh -c 'objdump -p new | grep "Virtual Address: 00001000 Chunk size 16"'

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
embeds debug.exe
check 'file offsets in the debug directory follow their data' bytes new $((0x600 + 12)) 72 <<-'EOT'
	02 00 00 00 08 00 00 00 00 40 00 00 00 08 00 00
	00 00 00 00 00 00 00 00 00 00 00 00 04 00 00 00
	04 00 00 00 00 00 00 00 00 0c 00 00 00 00 00 00
	00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
	00 00 00 00 00 00 00 00
EOT
check 'into the overlay too' bytes new $((0xc00)) 4 <<-'EOT'
	44 42 47 21
EOT

{
	cat <<-'EOT'
		pe32 base=0x400000
		section .text size=0x123
		section .debug_info size=0x100 flags=0x42000040
		append zeros=40
	EOT
	directory 4 0x800 40
} | build signed.exe
check 'a certificate goes, with a warning' \
	-e 'rossym-embed: warning: signed.exe: the certificates, 40 bytes, were dropped: they do not hold for a changed image' \
	rossym-embed --from-dump=rows signed.exe new </dev/null
ok 'the witness' pecheck new signed.exe

# ------------------------------------------------------------------------------------------ full headers

# The section table ends at 0x178 + 40 * sections; SizeOfHeaders is 0x400.
full () {
	echo 'pe32 base=0x400000'
	i=0
	while test $i -lt 16; do
		echo "section .s$i size=0x10"
		i=$((i + 1))
	done
}
full | build full.exe
embeds full.exe
check 'headers without room grow' verbose full.exe new <<-'EOT'
	new: added: .rossym at RVA 0x11000, file offset 0x2600
	new: headers: 0x200 bytes longer, to have room
EOT
{ full; echo 'section .debug_info size=0x10 flags=0x42000040'; } | build room.exe
embeds room.exe
{ full; echo 'poke headers+640 01'; } | build occupied.exe
check 'something in the way' -s 1 \
	-e 'rossym-embed: occupied.exe: at 0x3f8: no room for one more section header: something else stands here' \
	rossym-embed --from-dump=rows occupied.exe never </dev/null
{ full | sed 's/400000/400000 salign=0x200/; s/size=0x10/size=0x200/'; } | build flat-full.exe
check 'where headers cannot grow' -s 1 \
	-e 'rossym-embed: flat-full.exe: at 0x3f8: no room for one more section header, and the headers cannot grow where file offsets are addresses' \
	rossym-embed --from-dump=rows flat-full.exe never </dev/null

bound () {
	cat <<-'EOT'
		pe32 base=0x400000
		section .text size=0x123
		section .data size=0x10 flags=data fill=0x41
		poke headers+80 u32=0x12345678 u16=8 u16=0 zeros=8 4d 2e 44 4c 4c
	EOT
	directory 11 0x1c8 24
}
bound | build bound.exe
embeds bound.exe
check 'bound imports make room' bytes new $((0x1f0)) 24 <<-'EOT'
	78 56 34 12 08 00 00 00 00 00 00 00 00 00 00 00
	4d 2e 44 4c 4c 00 00 00
EOT
check 'and are found' u32 new $((0x80 + 24 + 96 + 88)) <<-'EOT'
	496
EOT

# ------------------------------------------------------------------------------------------- flat images

build flat.sys <<-'EOT'
	pe32 base=0x10000 salign=0x200 falign=0x200
	section .text rva=0x400 off=0x400 size=0x200
	section .debug_info rva=0x600 off=0x600 size=0x400 flags=0x42000040 fill=0x55
	section .data rva=0xa00 off=0xa00 size=0x200 flags=data fill=0x41
	section .debug_line rva=0xc00 off=0xc00 size=0x400 flags=0x42000040 fill=0x55
EOT
printf '0x00000400\t16\tmain\tmain.c\t3\t0\n' >rows400
check 'flat: embeds' rossym-embed --from-dump=rows400 flat.sys new </dev/null
ok 'flat: the witness' pecheck -g new flat.sys
check 'flat: nothing moves' layout new <<-'EOT'
	.text 200 400 200 400
	.data 200 a00 200 a00
	.rossym 2d c00 200 c00
EOT
ok 'flat: what went is zeros' sh -c 'test "$(tail -c +1537 new | head -c 1024 | tr -d "\0" | wc -c)" -eq 0'

# --------------------------------------------------------------------------------------------- refusals

refuses () {
	check "refuses: $1" -s 1 -e "rossym-embed: $2: $3" rossym-embed --from-dump=rows "$2" never </dev/null
}

build entry.exe <<-'EOT'
	pe32 base=0x400000 entry=0x2010
	section .text size=0x123
	section .debug_info size=0x100 flags=0x42000040
EOT
refuses 'an entry point in debug information' entry.exe 'at 0xa8: the entry point 0x2010 is in a debug section'
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
