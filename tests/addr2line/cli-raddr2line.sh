# SPDX-License-Identifier: GPL-2.0-or-later
#
# The program under the name raddr2line takes the place of ReactOS's: two arguments, one answer, and a miss is status 1.
. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"

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

cases 'no file and no line'
on_posix check 'raddr2line.exe, by its path' ./raddr2line.exe x.exe 1010 <<'END'
main.c:4 (main)
END
ln -s "$ADDR2LINE_BIN" my-raddr2line
on_posix check 'a name that only ends like it is the other program' -s 1 -e "./my-raddr2line: 'a.out': No such file" \
	./my-raddr2line x.exe 1010 </dev/null
if test -c /dev/full || skip 'a full disk' 'no /dev/full'; then
	check 'a full disk' -s 1 -g 'raddr2line: *' sh -c 'raddr2line x.exe 1010 >/dev/full' </dev/null
fi

done_testing
