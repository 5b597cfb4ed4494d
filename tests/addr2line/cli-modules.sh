# SPDX-License-Identifier: GPL-2.0-or-later
#
# Addresses as ReactOS and WinDbg print them: <module:hex>, module+offset, and numbers with a backquote.
. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"

# in_module OPERAND [OPTION...]: an operand that is RVA 1010 of Small.exe
in_module () {
	operand=$1
	shift
	check "$operand $*" rossym-addr2line -afp "$@" -e Small.exe "$operand" <<-'END'
		0x00001010: main at main.c:4
	END
}

cases 'in stdin, CRLF'

# What is not of this form is what it is for GNU: a symbol nobody knows.
for text in '<Small.exe:>' '<Small.exe>' '<Small.exe:zz>' '<1010>' '<Small.exe:1010' 'Small.exe:1010'; do
	check "not a module address: $text" rossym-addr2line -afp -e Small.exe "$text" <<-'END'
		0x00000000: ?? ??:0
	END
done
cases 'not a module address, nor a symbol'

done_testing
