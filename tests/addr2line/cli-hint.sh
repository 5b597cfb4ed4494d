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

cases 'an RVA'
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
cases 'PE32+'
on_posix check 'the program as it is called' -e "./$(printf 'my tool'): ${hint#*: }" \
	sh -c 'ln -s "$(command -v rossym-addr2line)" "my tool" && "./my tool" -e x.exe 1010' <<'END'
??:0
END

cases 'not after one address inside'
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
cases 'no hint for symbols, numbers with a rest, and words'

done_testing
