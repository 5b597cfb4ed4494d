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

cases 'in stdin, CRLF'

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
cases 'a number in two halves'

done_testing
