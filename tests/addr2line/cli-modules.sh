# SPDX-License-Identifier: GPL-2.0-or-later
#
# Addresses as ReactOS and WinDbg print them: <module:hex>, module+offset, and numbers with a backquote.
. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"

small_image Small.exe
mkdir dir
cp Small.exe dir/driver.sys
cp Small.exe noext

# in_module OPERAND [OPTION...]: an operand that is RVA 1010 of Small.exe
in_module () {
	operand=$1
	shift
	check "$operand $*" rossym-addr2line -afp "$@" -e Small.exe "$operand" <<-'END'
		0x00001010: main at main.c:4
	END
}
in_module '<Small.exe:1010>'
in_module '<small.exe:1010>'
in_module '<SMALL.EXE:1010>'
in_module '<Small:1010>'
in_module '<SMALL:1010>'
in_module '<Small.exe: 1010>'
in_module '<Small.exe: 00001010>'
in_module '<Small.exe:00001010>'
in_module '  <Small.exe:1010>'
in_module '<Small.exe:1010 (main.c:4 (main))>'
in_module '<Small.exe:1010  (main.c:4 (main))>'
in_module '<Small.exe:1010 (:0 (Queue<int>::push))>'
in_module '\SystemRoot\System32\Small.exe+0x1010'
in_module '<\SystemRoot\System32\Small.exe: 00001010>'
in_module '<C:\ReactOS\small.exe:1010>'
in_module '<dir/small.exe:1010>'
in_module '<Small.exe:1010> <Small.exe:1040>'
in_module 'Small.exe+0x1010'
in_module 'small.exe+4112'
in_module 'small+0x1010'
in_module 'SMALL + 010020'
# They mean the same whatever numbers mean.
in_module '<Small.exe:1010>' --rva
in_module '<Small.exe:1010>' --load-address=f7000000
in_module '<Small.exe:1010>' -j PAGE
in_module '<Small.exe:1010>' --return-addresses
in_module 'small+0x1010' --load-address=f7000000
in_module 'small+0x1010' --return-addresses

check 'in stdin, CRLF' -i '<small.exe:1010>\r\n<small.exe: 1020>\r\n' rossym-addr2line -fp -e Small.exe <<'END'
main at main.c:4
helper at lib/helper.c:10
END
check 'the image in another directory' rossym-addr2line -fp -e dir/driver.sys '<DRIVER.SYS:1010>' \
	'<driver:1020>' <<'END'
main at main.c:4
helper at lib/helper.c:10
END
check 'an image without extension' rossym-addr2line -fp -e noext '<noext:1010>' <<'END'
main at main.c:4
END
check 'outside every section' rossym-addr2line -afp -e Small.exe '<Small.exe:3f0000>' 401000 <<'END'
0x003f0000: ?? ??:0
0x00401000: main at main.c:3
END

check 'another module' -e 'rossym-addr2line: warning: <other.sys:1010>: not in Small.exe' \
	rossym-addr2line -fp -e Small.exe '<other.sys:1010>' 401000 <<'END'
?? ??:0
main at main.c:3
END
check 'another extension is another module' -e 'rossym-addr2line: warning: <small.sys:1010>: not in Small.exe' \
	rossym-addr2line -fp -e Small.exe '<small.sys:1010>' 401000 <<'END'
?? ??:0
main at main.c:3
END
check 'another module, the file as it was given' -e \
	'rossym-addr2line: warning: <small.exe:1010>: not in dir/driver.sys' \
	rossym-addr2line -fp -e dir/driver.sys '<small.exe:1010>' main <<'END'
?? ??:0
main at main.c:3
END
check 'each line of another module warns, in order with the answers' -i '<a.sys:1>\n401000\n<b.sys:2>\n' \
	sh -c 'rossym-addr2line -fp -e Small.exe 2>&1' <<'END'
rossym-addr2line: warning: <a.sys:1>: not in Small.exe
?? ??:0
main at main.c:3
rossym-addr2line: warning: <b.sys:2>: not in Small.exe
?? ??:0
END

# What is not of this form is what it is for GNU: a symbol nobody knows.
for text in '<Small.exe:>' '<Small.exe>' '<Small.exe:zz>' '<1010>' '<Small.exe:1010' 'Small.exe:1010'; do
	check "not a module address: $text" rossym-addr2line -afp -e Small.exe "$text" <<-'END'
		0x00000000: ?? ??:0
	END
done
check 'not a module address, nor a symbol' -e "rossym-addr2line: hint: '(Small.exe+0x1010)': that is neither an address nor a symbol" \
	rossym-addr2line -afp -e Small.exe '(Small.exe+0x1010)' <<'END'
0x00000000: ?? ??:0
END

# A symbol comes before a module of the same name.
cp Small.exe main.exe
check 'a symbol before a module' rossym-addr2line -afp -e main.exe main+0x10 '<main:1020>' main.exe+0x1020 <<'END'
0x00401010: main at main.c:4
0x00001020: helper at lib/helper.c:10
0x00001020: helper at lib/helper.c:10
END

# ---- numbers with a backquote ----

build x64.sys <<'END'
pe64 base=0x180000000
section .text rva=0x1000 size=0x100 flags=code
rossym
row 0x1000 main main.c 3
row 0x1010 main main.c 4
END
check 'a number in two halves' rossym-addr2line -afp -e x64.sys '00000001`80001010' '1`80001010' \
	'0x00000001`80001010' <<'END'
0x0000000180001010: main at main.c:4
0x0000000180001010: main at main.c:4
0x0000000180001010: main at main.c:4
END
check 'a number in two halves, with --load-address' \
	rossym-addr2line -afp --load-address='fffff800`02a60000' -e x64.sys \
	'fffff800`02a61010' 'FFFFF800`02A61000' <<'END'
0xfffff80002a61010: main at main.c:4
0xfffff80002a61000: main at main.c:3
END
check 'a number in two halves, on stdin' -i '00000001`80001010\r\n' rossym-addr2line -fp -e x64.sys <<'END'
main at main.c:4
END
check 'a number in two halves for a 32-bit image' rossym-addr2line -afp -e Small.exe '00000000`00401010' <<'END'
0x00401010: main at main.c:4
END
check 'a backquote that divides no number ends it' rossym-addr2line -afp -e Small.exe '401010`' '401010`zz' \
	'401010` 00000000' <<'END'
0x00401010: main at main.c:4
0x00401010: main at main.c:4
0x00401010: main at main.c:4
END

done_testing
