# SPDX-License-Identifier: GPL-2.0-or-later
#
# The program under the name raddr2line takes the place of ReactOS's: two arguments, one answer, and a miss is status 1.
. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"

small_image x.exe
build parts.exe <<'END'
pe32 base=0x400000
section .text rva=0x1000 size=0x100 flags=code
rossym
row 0x1000 trap "" 0
row 0x1010 "" debug_asm.S 45
row 0x1020 func file.c 0
END
build big.dll <<'END'
pe32 base=0x66280000
section .text rva=0x1000 size=0x600000 raw=0x600000 flags=code
rossym
row 0x1000 low low.c 1
row 0x400000 edge edge.c 2
row 0x400001 above above.c 3
END

# hit ADDRESS EXPECTED
hit () {
	check "$1" raddr2line x.exe "$1" <<-END
		$2
	END
}
miss () {
	check "$1 is not found" -s 1 raddr2line x.exe "$1" <<-'END'
		??:0
	END
}
hit 1010 'main.c:4 (main)'
hit 0x1010 'main.c:4 (main)'
hit 0x101F 'main.c:4 (main)'
hit 0d4112 'main.c:4 (main)'
hit 010020 'main.c:4 (main)'
hit 401010 'main.c:4 (main)'
hit 0x401010 'main.c:4 (main)'
hit 0d4198416 'main.c:4 (main)'
hit 1010zz 'main.c:4 (main)'
hit 1040 '/abs/ke/bug.c:20 (KeBugCheckEx)'
miss 0
miss zz
miss 01010
miss 400000
miss 3000
miss 5000
miss f7001010
miss ffffffffffffffff

cases 'no file and no line'

usage='Usage: raddr2line <exefile> <address>'
cases 'no arguments'
build plain.exe <<'END'
pe32 base=0x400000
section .text rva=0x1000 size=0x100 flags=code
END
cases 'no table'
ln -s "$ADDR2LINE_BIN" raddr2line.exe
on_posix check 'raddr2line.exe, by its path' ./raddr2line.exe x.exe 1010 <<'END'
main.c:4 (main)
END
ln -s "$ADDR2LINE_BIN" my-raddr2line
on_posix check 'a name that only ends like it is the other program' -s 1 -e "./my-raddr2line: 'a.out': No such file" \
	./my-raddr2line x.exe 1010 </dev/null
if test -c /dev/full; then
	check 'a full disk' -s 1 -g 'raddr2line: *' sh -c 'raddr2line x.exe 1010 >/dev/full' </dev/null
else
	skip 'a full disk' 'no /dev/full'
fi

done_testing
