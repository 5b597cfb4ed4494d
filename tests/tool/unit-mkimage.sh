# SPDX-License-Identifier: GPL-2.0-or-later
#
# What mkimage builds is what the description says, by an independent witness: objdump.  And what it cannot build it
# refuses, naming the line.

. "${srcdir:-.}/tests/lib/tap.sh"

# The sections of FILE as objdump sees them: name, size, VMA, file offset, kind.
sections () {
	objdump -h "$1" >../objdump || return
	sed -n '
		/^ *[0-9][0-9]* /{
			N
			s/^ *[0-9][0-9]* *\([^ ]*\)  *\([0-9a-f]*\)  *\([0-9a-f]*\)  *[0-9a-f]*  *\([0-9a-f]*\)[^\n]*\n */\1 \2 \3 \4 /
			s/, /,/g
			p
		}' ../objdump
}

# One line of objdump -p, blanks squeezed.
header () {
	objdump -p "$1" >../objdump || return
	sed -n "s/[ 	][ 	]*/ /g; /^$2 /p" ../objdump
}

bytes () {
	od -An -v -tx1 -j "$2" -N "$3" "$1" | sed 's/^ *//; s/ *$//'
}

if has objdump && objdump -i 2>/dev/null | grep '^pei-i386' >/dev/null || skip 'images as objdump sees them' 'no objdump that reads pei-i386'; then
	build x.exe <<-'EOT'
		pe32 base=0x10000 salign=0x1000 falign=0x200 stamp=0x5f000000 subsystem=1
		section .text size=0x123
		section PAGE size=0x80 raw=0x400
		section .bss size=0x5000 flags=bss
		section .a_long_name rva=0x20000 size=0x10 flags=rdata
		section .12bytes.len size=0x10 flags=data
		rossym ; row 0x1000 main main.c 3
	EOT
	check 'PE32: sections' sections x.exe <<-'EOT'
		.text 00000123 00011000 00000400 CONTENTS,ALLOC,LOAD,READONLY,CODE
		PAGE 00000080 00012000 00000600 CONTENTS,ALLOC,LOAD,READONLY,CODE
		.bss 00005000 00013000 00000000 ALLOC
		.a_long_name 00000010 00030000 00000a00 CONTENTS,ALLOC,LOAD,READONLY,DATA
		.12bytes.len 00000010 00031000 00000c00 CONTENTS,ALLOC,LOAD,DATA
		.rossym 0000002d 00032000 00000e00 CONTENTS,READONLY,NEVER_LOAD,EXCLUDE
	EOT
	check 'PE32: ImageBase' header x.exe ImageBase <<-'EOT'
		ImageBase 00010000
	EOT
	check 'PE32: SizeOfImage' header x.exe SizeOfImage <<-'EOT'
		SizeOfImage 00023000
	EOT
	check 'PE32: Magic' header x.exe Magic <<-'EOT'
		Magic 010b (PE32)
	EOT
	check 'PE32: NumberOfRvaAndSizes' header x.exe NumberOfRvaAndSizes <<-'EOT'
		NumberOfRvaAndSizes 00000010
	EOT
	check 'the table, byte for byte' bytes x.exe 0xe00 0x2d <<-'EOT'
		10 00 00 00 10 00 00 00 20 00 00 00 0d 00 00 00
		00 10 00 00 01 00 00 00 06 00 00 00 03 00 00 00
		00 6d 61 69 6e 00 6d 61 69 6e 2e 63 00
	EOT

	if objdump -i 2>/dev/null | grep '^pei-x86-64' >/dev/null || skip 'PE32+' 'this objdump reads no pei-x86-64'; then
		build y.exe <<-'EOT'
			pe64 base=0x7ff600000000 dirs=16 lfanew=0xf0
			section .text rva=0x1000 size=0x100
			rossym width=24
			row 0x1000 main main.c 3
		EOT
		check 'PE32+: sections' sections y.exe <<-'EOT'
			.text 00000100 00007ff600001000 00000400 CONTENTS,ALLOC,LOAD,READONLY,CODE
			.rossym 00000035 00007ff600002000 00000600 CONTENTS,READONLY,NEVER_LOAD,EXCLUDE
		EOT
		check 'PE32+: ImageBase' header y.exe ImageBase <<-'EOT'
			ImageBase 00007ff600000000
		EOT
		check 'PE32+: Magic' header y.exe Magic <<-'EOT'
			Magic 020b (PE32+)
		EOT
	fi

	# Every image that is not bad in its headers is one to objdump.
	for file in "$SRC"/tests/images/good-*.img; do
		name=${file##*/}
		name=${name%.img}
		case $name in
		good-bare*) continue ;;
		esac
		image "$name"
		ok "$name is an image" objdump -h "$name"
	done
fi

build z.bin <<'EOT'
bare width=20 gap=2 strings-gap=1 trailing=2 strings-length=0x99
row 0x123456789 f "" 1 # "not read"
row-raw 1 =f 0xffffffff 2 ; string "a\x41\t\"\\;" ; tail 01 0x2 u16=0x403
EOT
check 'a bare table: gaps, escapes, raw entries' bytes z.bin 0 200 <<'EOT'
12 00 00 00 28 00 00 00 3b 00 00 00 99 00 00 00
aa aa 89 67 45 23 01 00 00 00 01 00 00 00 00 00
00 00 01 00 00 00 01 00 00 00 00 00 00 00 01 00
00 00 ff ff ff ff 02 00 00 00 aa 00 66 00 61 41
09 22 5c 3b 00 bb bb 01 02 03 04
EOT

build z.bin <<'EOT'
bare ; row 1 f g 2
poke symbols+4 u32=0x11223344 ; poke strings.last = 0x41 ; poke 0 ff ; poke end-2 fe
truncate end-1 ; append 07 zeros=2
EOT
check 'edits of the finished file' bytes z.bin 0 200 <<'EOT'
ff 00 00 00 10 00 00 00 20 00 00 00 05 00 00 00
01 00 00 00 44 33 22 11 03 00 00 00 02 00 00 00
00 66 00 fe 07 00 00
EOT

build z.bin <<'EOT'
bare ; generate rows=150000 rva=0x1000 step=4
EOT
check 'a big table has its size' bytes z.bin 0 16 <<'EOT'
10 00 00 00 00 9f 24 00 10 9f 24 00 ea c4 03 00
EOT
check 'and its last entry' bytes z.bin $((16 + 149999 * 16)) 8 <<'EOT'
bc 37 09 00 cd c4 03 00
EOT

refuses () {
	check "refuses: $1" -s 1 -e "mkimage: -:$2" -i "$1" mkimage
}

refuses '' '1: nothing described'
refuses 'row 1 a b 2' '1: pe32, pe64 or bare comes first'
refuses 'pe32\nfoo' "2: unknown statement 'foo'"
refuses 'pe32 ; pe64' '1: the kind of file is already said'
refuses 'pe32 x=1' "1: unknown key 'x'"
refuses 'pe32\n\n\nsection .text rva=zz' "4: not a number: 'zz'"
refuses 'pe32 machine=0x10000' "1: too big: '0x10000'"
refuses 'pe32\nrow 1 a b 2' '2: no table yet: say rossym or bare first'
refuses 'bare\nrow 1 a b' '2: row: wrong number of words'
refuses 'bare\nrow 1 "a b 2\n' '2: a quote is not closed'
refuses 'bare width=17' '1: width is 16, 20 or 24'
refuses 'bare\nrow 0x100000000 a b 2' '2: an address of more than 32 bits in a 16-byte entry'
refuses 'bare\n# a comment\npoke 100 00\n' '3: beyond the end of the file, 0x11'
refuses 'bare\npoke nowhere 00\n' "2: unknown place 'nowhere'"
refuses 'bare\npoke 0 zz\n' "2: not a byte: 'zz'"
refuses 'pe32\npoke header:.text 00\n' "2: no section '.text'"

done_testing
