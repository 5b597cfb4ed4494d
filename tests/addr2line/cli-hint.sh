# SPDX-License-Identifier: GPL-2.0-or-later
#
# The hint: once, at the end, on stderr, when a number other than 0 and all ones was given, and no address of the run
# was inside the image.
. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"

small_image x.exe
build x64.dll <<'END'
pe64 base=0x180000000
section .text rva=0x1000 size=0x100 flags=code
rossym rva=0x2000
row 0x1000 main main.c 3
END

hint='rossym-addr2line: hint: no address was inside the image, 0x400000-0x404fff; see --rva and --load-address'

check 'an RVA' -e "$hint" rossym-addr2line -e x.exe 1010 <<'END'
??:0
END
check 'an address of the module elsewhere' -e "$hint" rossym-addr2line -e x.exe f7001010 <<'END'
??:0
END
check 'just below the image' -e "$hint" rossym-addr2line -e x.exe 3fffff <<'END'
??:0
END
check 'just behind the image' -e "$hint" rossym-addr2line -e x.exe 405000 <<'END'
??:0
END
check 'once for many' -e "$hint" rossym-addr2line -e x.exe 1010 1020 0 f7001010 zz <<'END'
??:0
??:0
??:0
??:0
??:0
END
check 'on stdin' -e "$hint" -i '1010\n0\n\n1020' rossym-addr2line -e x.exe <<'END'
??:0
??:0
??:0
??:0
END
check 'at the end' -i '1010\n1020\n' sh -c 'rossym-addr2line -e x.exe 2>&1' <<END
??:0
??:0
$hint
END
build empty.exe <<'END'
pe32 base=0x400000 imagesize=0
section .text rva=0x1000 size=0x100 flags=code
rossym rva=0x2000
row 0x1000 main main.c 3
END
check 'an image of no size' rossym-addr2line -e empty.exe 1010 <<'END'
??:0
END
hint64='rossym-addr2line: hint: no address was inside the image, 0x180000000-0x180002fff; see --rva and --load-address'
check 'PE32+' -e "$hint64" \
	rossym-addr2line -e x64.dll 1000 80001000 <<'END'
??:0
??:0
END
check 'a 64-bit number whose lower half is inside' -e "$hint" rossym-addr2line -e x.exe 100401010 <<'END'
??:0
END
check 'a VMA with --rva' -e "$hint" rossym-addr2line --rva -e x.exe 401010 <<'END'
??:0
END
check 'a VMA with --load-address' -e "$hint" rossym-addr2line --load-address=f7000000 -e x.exe 401010 <<'END'
??:0
END
on_posix check 'the program as it is called' -e "./$(printf 'my tool'): ${hint#*: }" \
	sh -c 'ln -s "$(command -v rossym-addr2line)" "my tool" && "./my tool" -e x.exe 1010' <<'END'
??:0
END

check 'not after one address inside' rossym-addr2line -e x.exe 1010 1020 401010 f7001010 <<'END'
??:0
??:0
main.c:4
??:0
END
check 'not after one inside that has no answer' rossym-addr2line -e x.exe 1010 403000 <<'END'
??:0
??:0
END
check 'not for the header of the image' rossym-addr2line -e x.exe 400000 <<'END'
??:0
END
check 'not for the last byte of the image' rossym-addr2line -e x.exe 404fff <<'END'
??:0
END
check 'not after a symbol inside' rossym-addr2line -e x.exe 1010 main <<'END'
??:0
main.c:3
END
check 'not for 0 and all ones, which mark the end of a query' rossym-addr2line -e x.exe 0 ffffffffffffffff \
	0x00 <<'END'
??:0
??:0
??:0
END
check 'not for what is no number' rossym-addr2line -e x.exe zz , '' nosuch+0x1010 +1010 <<'END'
??:0
??:0
??:0
??:0
??:0
END
check 'not without addresses' rossym-addr2line -e x.exe </dev/null
check 'not with --rva when it fits' rossym-addr2line --rva -e x.exe 1010 <<'END'
main.c:4
END
check 'not when the file cannot be read' -s 1 -e "rossym-addr2line: 'nosuch': No such file" \
	rossym-addr2line -e nosuch 1010 </dev/null
# ------------------------------------------------------------------------------- lines that are no address, which GNU answers, too

hinted () {	# TEXT HINT
	printf '%s\n401000\n%s\n' "$1" "$1" >lines
	check "hint once: $1" -e "rossym-addr2line: hint: '$1': $2" -I lines rossym-addr2line -e x.exe <<-'END'
		??:0
		main.c:3
		??:0
	END
}
alone='give the image with -e, and only the address here'
hinted 'x.exe 0x1234' "$alone"
hinted '"x.exe" 0x1234' "$alone"
hinted 'driver.sys 0x1234' "$alone"
hinted 'other!outer+0x5' 'give the image with -e, and no module before the symbol'
hinted 'CODE 0x401000' '--output-style=LLVM answers that'
hinted 'DATA 0x401000' '--output-style=LLVM answers that'
hinted '[[[ELF]' 'that is neither an address nor a symbol'
check 'no hint for symbols, numbers with a rest, and words' rossym-addr2line -e x.exe main 'main x' '401000 x' 'face' 'nosuch' 'add eax' <<'END'
main.c:3
main.c:3
main.c:3
??:0
??:0
??:0
END

check 'the status stays 0, and the output that of GNU' -e "$hint" rossym-addr2line -afpi -e x.exe 1010 <<'END'
0x00001010: ?? ??:0
END
check 'not for the sentinel of perf' -i ',\n' rossym-addr2line -a -i -f -e x.exe <<'END'
0x00000000
??
??:0
END

done_testing
