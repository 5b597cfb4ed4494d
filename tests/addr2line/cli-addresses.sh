# SPDX-License-Identifier: GPL-2.0-or-later
#
# What a number means: --rva, --load-address, --return-addresses, and -j among them.
. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"

small_image x.exe
build x64.dll <<'END'
pe64 base=0x180000000
section .text rva=0x1000 size=0x100 flags=code
rossym
row 0x1000 main main.c 3
row 0x1010 main main.c 4
END

# at WHAT OPTIONS ADDRESS ANSWER: one address of x.exe with -afp.
at () {
	# shellcheck disable=SC2086
	check "$1" rossym-addr2line -afp -e x.exe $2 "$3" <<-END
		$4
	END
}
# The same where nothing is found.  The second address is inside the image, so that no hint is given.
nothing_at () {
	# shellcheck disable=SC2086
	check "$1" rossym-addr2line -afp -e x.exe $2 "$3" main <<-END
		$4: ?? ??:0
		0x00401000: main at main.c:3
	END
}

at '--rva' --rva 1010 '0x00001010: main at main.c:4'
at '--rva with 0x' --rva 0x1010 '0x00001010: main at main.c:4'
at '--rva behind the address' '1010 --rva' main '0x00001010: main at main.c:4
0x00401000: main at main.c:3'
at '--rva in another section' --rva 2004 '0x00002004: paged at main.c:30'
nothing_at '--rva does not take a VMA' --rva 401010 0x00401010
nothing_at '--rva 0 is the header' --rva 0 0x00000000
nothing_at '--rva is not cut to 32 bits' --rva 100001010 0x00001010
check '--rva for stdin' -i '1010\n1040\n' rossym-addr2line -f --rva -e x.exe <<'END'
main
main.c:4
KeBugCheckEx
/abs/ke/bug.c:20
END
check '--rva on PE32+' rossym-addr2line -afp --rva -e x64.dll 1010 <<'END'
0x0000000000001010: main at main.c:4
END
at '--rva leaves symbols alone' --rva main+0x10 '0x00401010: main at main.c:4'
at '--rva leaves sections as symbols alone' --rva .text+0x10 '0x00401010: main at main.c:4'

at '--load-address above the base' --load-address=f7000000 f7001010 '0xf7001010: main at main.c:4'
at '--load-address with 0x and capitals' --load-address=0XF7000000 F7001010 '0xf7001010: main at main.c:4'
at '--load-address below the base' --load-address=10000 11010 '0x00011010: main at main.c:4'
at '--load-address as two words' '--load-address 10000' 11010 '0x00011010: main at main.c:4'
at '--load-address=0 is --rva' --load-address=0 1010 '0x00001010: main at main.c:4'
at '--load-address: the last one wins' '--load-address=1000000 --load-address=10000' 11010 \
	'0x00011010: main at main.c:4'
at '--load-address leaves symbols alone' --load-address=f7000000 main+0x10 '0x00401010: main at main.c:4'
nothing_at 'a VMA is not in an image loaded elsewhere' --load-address=f7000000 401010 0x00401010
nothing_at 'an address below --load-address' --load-address=f7000000 f6fff010 0xf6fff010
nothing_at 'an address below --load-address does not wrap around' --load-address=ffffffffffffff00 f10 0x00000f10
nothing_at 'address 0 with --load-address' --load-address=f7000000 0 0x00000000
check '--load-address on PE32+' rossym-addr2line -afp --load-address=fffff80002a60000 -e x64.dll \
	fffff80002a61010 <<'END'
0xfffff80002a61010: main at main.c:4
END
check '--load-address below the base of PE32+' rossym-addr2line -afp --load-address=10000 -e x64.dll 11010 <<'END'
0x0000000000011010: main at main.c:4
END
for bad in '' zz 10000x '10000 ' 0x; do
	check "--load-address=$bad is refused" -s 1 -e \
		"rossym-addr2line: --load-address: '$bad' is not a hexadecimal number" \
		rossym-addr2line "--load-address=$bad" -e x.exe 11010 </dev/null
done

at '-j' '-j PAGE' 4 '0x00000004: paged at main.c:30'
at '-j, then --rva: --rva' '-j PAGE --rva' 1010 '0x00001010: main at main.c:4'
at '--rva, then -j: -j' '--rva -j PAGE' 4 '0x00000004: paged at main.c:30'
at '--load-address, then --rva: --rva' '--load-address=f7000000 --rva' 1010 '0x00001010: main at main.c:4'
at '--rva, then --load-address: --load-address' '--rva --load-address=f7000000' f7001010 \
	'0xf7001010: main at main.c:4'
at '-j, then --load-address: --load-address' '-j PAGE --load-address=f7000000' f7001010 '0xf7001010: main at main.c:4'
at '--load-address, then -j: -j' '--load-address=f7000000 -j PAGE' 4 '0x00000004: paged at main.c:30'
at '--rva, -j, --rva: --rva' '--rva -j PAGE --rva' 1010 '0x00001010: main at main.c:4'
nothing_at '-j ends where the section ends' '-j PAGE' 80 0x00000080
at '-j up to the last byte' '-j PAGE' 7f '0x0000007f: paged at main.c:30'
at '-j leaves symbols alone' '-j PAGE' main+0x10 '0x00401010: main at main.c:4'

at '--return-addresses looks one byte before' --return-addresses 401010 '0x00401010: main at main.c:3'
at '--return-addresses inside a row changes nothing' --return-addresses 401012 '0x00401012: main at main.c:4'
at '--return-addresses just behind a section' --return-addresses 401100 '0x00401100: KeBugCheckEx at /abs/ke/bug.c:20'
nothing_at '--return-addresses at the start of a section' --return-addresses 402000 0x00402000
nothing_at '--return-addresses: 0 stays unknown' --return-addresses 0 0x00000000
nothing_at '--return-addresses: nothing at all stays unknown' --return-addresses , 0x00000000
at '--return-addresses with --rva' '--return-addresses --rva' 1010 '0x00001010: main at main.c:3'
nothing_at '--return-addresses with --rva: 0 does not wrap around' '--rva --return-addresses' 0 0x00000000
at '--return-addresses with --load-address' '--load-address=f7000000 --return-addresses' f7001010 \
	'0xf7001010: main at main.c:3'
nothing_at '--return-addresses with --load-address: no address above the last one' \
	'--load-address=ffffffffffffffff --return-addresses' 1011 0x00001011
at '--return-addresses with -j' '--return-addresses -j PAGE' 1 '0x00000001: paged at main.c:30'
at '--return-addresses with -j, just behind the section' '-j PAGE --return-addresses' 80 \
	'0x00000080: paged at main.c:30'
nothing_at '--return-addresses with -j: 0 stays unknown' '-j PAGE --return-addresses' 0 0x00000000
at '--return-addresses leaves symbols alone' --return-addresses main+0x10 '0x00401010: main at main.c:4'
check '--return-addresses is not for the first address only' -i '401010\n401020\n' \
	rossym-addr2line -s --return-addresses -e x.exe <<'END'
main.c:3
main.c:4
END

at 'data has no answer' '' main+0x2000 '0x00403000: ?? ??:0'
at '--data' --data 403004 '0x00403004: counter at ??:?'
at '--data leaves code as it is' --data 401010 '0x00401010: main at main.c:4'
nothing_at '--data: no row of another section' --data 403100 0x00403100

done_testing
