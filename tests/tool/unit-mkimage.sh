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
	cases 'PE32: sections'

	if objdump -i 2>/dev/null | grep '^pei-x86-64' >/dev/null || skip 'PE32+' 'this objdump reads no pei-x86-64'; then
		build y.exe <<-'EOT'
			pe64 base=0x7ff600000000 dirs=16 lfanew=0xf0
			section .text rva=0x1000 size=0x100
			rossym width=24
			row 0x1000 main main.c 3
		EOT
		cases 'PE32+: sections'
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

refuses () {
	check "refuses: $1" -s 1 -e "mkimage: -:$2" -i "$1" mkimage
}

cases 'a bare table: gaps, escapes, raw entries'

done_testing
