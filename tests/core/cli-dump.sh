# SPDX-License-Identifier: GPL-2.0-or-later
#
# --dump: one line a row: RVA, size, function, file, line, depth, separated by tabs.
. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"
. "$SRC/tests/lib/table.sh"

# Our text with "|" where the program prints a tab.
tabs () {
	tr '|' '\t'
}

small_image x.exe
tabs >expected <<'END'
0x00001000|16|main|main.c|3|0
0x00001010|16|main|main.c|4|0
0x00001020|32|helper|lib/helper.c|10|0
0x00001040|192|KeBugCheckEx|/abs/ke/bug.c|20|0
0x00002000|128|paged|main.c|30|0
0x00003000|256|counter||0|0
END
check 'a table' -O expected rossym-addr2line --dump -e x.exe
check 'abbreviated' -O expected rossym-addr2line --du -e x.exe
check 'options that shape records change nothing' -O expected rossym-addr2line -afpsi --rva --data --dump -e x.exe
check 'stdin is not read' -O expected -i '401000\n' rossym-addr2line --dump -e x.exe

build odd.exe <<'END'
pe32 base=0x400000
section .text rva=0x1000 size=0x100 flags=code
section .data rva=0x2000 size=0x10 flags=data
rossym
row 0x4 _major_os_version__ "" 0
row 0x1000 first a.c 1
row 0x1000 alias "" 0
row 0x1000 "" "" 0
row 0x1008 "tab\there" "new\nline" 4294967295
row 0x1010 "back\\slash" "C:\\x\\t.c" 7
row 0x1ff0 gap "" 0
row 0x2008 last "" 0
row 0x400000 __ImageBase "" 0
END
tabs >expected <<'END'
0x00000004|0|_major_os_version__||0|0
0x00001000|8|first|a.c|1|0
0x00001000|8|alias||0|0
0x00001000|8|||0|0
0x00001008|8|tab\there|new\nline|4294967295|0
0x00001010|240|back\\slash|C:\\x\\t.c|7|0
0x00001ff0|0|gap||0|0
0x00002008|8|last||0|0
0x00400000|0|__ImageBase||0|0
END
check 'sizes end with sections; duplicates, escapes' -O expected rossym-addr2line --dump -e odd.exe

build empty.exe <<'END'
pe32 base=0x400000
section .text rva=0x1000 size=0x100 flags=code
rossym
END
check 'an empty table' rossym-addr2line --dump -e empty.exe </dev/null

build x64.exe <<'END'
pe64 base=0x140000000
section .text rva=0x1000 size=0x100 flags=code
rossym width=24
row 0x1000 main main.c 3
row 0x1010 main main.c 4
row 0x140000000 __ImageBase "" 0
END
tabs >expected <<'END'
0x00001000|16|main|main.c|3|0
0x00001010|240|main|main.c|4|0
0x0000000140000000|0|__ImageBase||0|0
END
check 'PE32+, a 64-bit address' -O expected rossym-addr2line --dump -e x64.exe

check 'without a table' -s 1 -e \
	"rossym-addr2line: plain.exe: no .rossym section; no debug information and no symbols of code were found" \
	sh -c 'printf "pe32\nsection .text rva=0x1000 size=0x100 flags=code\n" | mkimage - plain.exe &&
		rossym-addr2line --dump -e plain.exe' </dev/null
check 'with an address' -s 1 -e 'rossym-addr2line: --dump takes no addresses' \
	rossym-addr2line --dump -e x.exe 401000 </dev/null

for name in dwarf32.exe stabs32.exe driver/driver.sys; do
	table_rows "$DATA/$name" | sed 's/\\/\\\\/g; s/$/	0/' >expected
	check "every row of $name" -O expected rossym-addr2line --dump -e "$DATA/$name"
done

done_testing
