# SPDX-License-Identifier: GPL-2.0-or-later
#
# What a number means: --rva, --load-address, --return-addresses, and -j among them.
. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"

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

cases 'addresses'
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
