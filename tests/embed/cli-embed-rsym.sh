# SPDX-License-Identifier: GPL-2.0-or-later
#
# Called as rsym: exactly its arguments, its rule for ELF, and builds that strip files without debug information go on.

. "${srcdir:-.}/tests/lib/tap.sh"

cp "$DATA/dwarf32.nostrip.exe" x.exe
chmod u+w x.exe
usage='Usage: rsym [-s <sources>] <input> <output>'
for args in '' 'x.exe' 'x.exe y.exe z.exe' '-s x.exe y.exe' '-s' '-v x.exe y.exe' '--help' '--from-dump=x x.exe y.exe'; do
	# shellcheck disable=SC2086
	check "usage: rsym $args" -s 1 -e "$usage" rsym $args </dev/null
done
# dbghelp takes the first row of a name for the beginning of a function.  found_by_dbghelp IMAGE: the functions that it finds then.
found_by_dbghelp () {
	rossym-addr2line --dump -e "$1" | cut -f 1 | uniq | sed 's/^0x0000/0x14000/' | rossym-addr2line -afp -e "$1" |
		awk '!/\?\?:/ && !($2 in seen) { seen[$2]; print $2 }'
}
# native IN OUT: a copy whose subsystem is that of the kernel.
native () {
	cp "$1" "$2" && printf '\001' | dd of="$2" bs=1 seek="$(($(od -An -tu4 -j60 -N4 "$2") + 92))" conv=notrunc 2>/dev/null
}

cases 'embed rsym'

done_testing
