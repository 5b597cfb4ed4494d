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

cases '--return-addresses is not for the first address only'

done_testing
