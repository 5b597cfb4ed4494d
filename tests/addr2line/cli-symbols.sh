# SPDX-License-Identifier: GPL-2.0-or-later
#
# Symbols as addresses: the functions of the table, sections, and the image base.
. "${srcdir:-.}/tests/lib/tap.sh"

table='section .text rva=0x1000 size=0x100 flags=code
section PAGE rva=0x2000 size=0x80 flags=code
section .data rva=0x3000 size=0x80 flags=data
rossym
row 0x1000 dup a.c 1
row 0x1004 dup a.c 2
row 0x1008 main a.c 10
row 0x1010 dup b.c 3
row 0x1020 _ExAcquireFastMutex fmutex.c 4
row 0x1030 __main crt.c 5
row 0x1040 KeBugCheckEx@20 bug.c 6
row 0x1048 @KefBreak@8 bug.c 7
row 0x1050 _ZN2io3Irp8completeEi irp.cpp 8
row 0x1060 "Queue<unsigned int>::push" irp.cpp 9
row 0x1068 cafe c.c 11
row 0x1070 alias_a "" 0
row 0x1070 alias_b "" 0
row 0x1080 foo.part.0 d.c 12
row 0x2000 paged p.c 13
row 0x3000 counter "" 0
row 0x400000 __ImageBase "" 0'
# is FILE SYMBOL ANSWER.  A name that begins with a-f or A-F wants a "+", or it is a number.
is () {
	check "$1 $2" rossym-addr2line -afp -e "$1" "$2" <<-END
		$3
	END
}

cases 'a name of several functions'

# Other names of code: the block has them, and a dump has them as functions of no bytes.
{
	printf '0x00001000\t16\touter\t\t0\t-1\n0x00001000\t0\talias\t\t0\t-1\n0x00001000\t16\touter\ta.c\t1\t0\n'
	printf '0x00001008\t0\tinside\t\t0\t-1\n0x00001010\t16\tsplit\t\t0\t-1\n0x00001010\t16\tsplit\tb.c\t2\t0\n'
	printf '0x00001020\t16\tsplit\t\t0\t-1\n0x00001020\t0\tsplit\t\t0\t-1\n0x00001020\t16\tsplit\tb.c\t3\t0\n'
	printf '0x00001028\t0\tsplit.part.0\t\t0\t-1\n0x00001028\t0\t.text$outer2\t\t0\t-1\n'
	printf '0x00001028\t0\t_ZN1a1bEv\t\t0\t-1\n0x00001030\t80\t_rossym_end__\t\t0\t0\n'
} >rows
cases 'other names: in a dump'

case $(rossym-addr2line -C -e x.exe main 2>&1) in
*'without a demangler'*)
	check '-C without a demangler' -e \
		'rossym-addr2line: warning: built without a demangler: names are shown as they are' \
		rossym-addr2line -C -f -e x.exe 401050 <<-'END'
			_ZN2io3Irp8completeEi
			irp.cpp:8
		END
	;;
*)
	check '-C' rossym-addr2line -C -fp -e x.exe 401050 401020 401030 401060 401040 <<-'END'
		io::Irp::complete(int) at irp.cpp:8
		_ExAcquireFastMutex at fmutex.c:4
		__main at crt.c:5
		Queue<unsigned int>::push at irp.cpp:9
		KeBugCheckEx@20 at bug.c:6
	END
	;;
esac

# What GNU ld calls its constants, by nm of an image that it linked: they are no names of code, and other symbols are.
if has nm && nm "$DATA/dwarf32.nostrip.exe" >symbols 2>/dev/null || skip "GNU ld's constants" 'no nm that reads PE'; then
	awk '$2 == "A" && $3 ~ /^_+(ImageBase|[a-z_]+__)$/ { print $3 }' symbols | sort -u >constants
	ok 'nm names constants of the linker' test "$(wc -l <constants)" -ge 15
	awk '$2 == "T" && $3 ~ /^_[A-Za-z]+$/ { print $3 }' symbols | sort -u | cat constants - >all
	{
		echo 'pe32 base=0x400000 ; section .text rva=0x1000 size=0x8000 ; rossym'
		awk '{ printf "row 0x%x %s a.c %d\n", 4096 + 16 * NR, $0, NR }' all
	} | build constants.exe
	awk '{ printf "%x\n", 4198400 + 16 * NR }' all >addresses
	awk 'FNR == NR { constant[$0]; next } { print $0 in constant ? "??" : $0; print "a.c:" FNR }' constants all >expected
	check 'a constant is no function, another symbol is' -O expected -I addresses rossym-addr2line -f -e constants.exe
fi

done_testing
