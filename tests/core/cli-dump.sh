# SPDX-License-Identifier: GPL-2.0-or-later
#
# --dump: one line a row: RVA, size, function, file, line, depth, separated by tabs.
. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"

# Another reader of tables.
#
# table_rows FILE	one line a row of the first .rossym of the PE32 image FILE, in table order, separated by tabs:
#			RVA (0x%08x), bytes up to the next greater address within the section that contains it
#			(0: none does), function, file, line
table_rows () {
	od -An -v -tu1 "$1" | tr -s ' ' '\n' | awk '
	/^$/ { next }
	{ b[count++] = $1 + 0 }
	function u16(at) { return b[at] + 256 * b[at + 1] }
	function u32(at) { return u16(at) + 65536 * u16(at + 2) }
	function text(at,   s) {
		for (at += strings; b[at]; at++)
			s = s sprintf("%c", b[at])
		return s
	}
	END {
		pe = u32(60)
		sections = u16(pe + 6)
		headers = pe + 24 + u16(pe + 20)
		for (i = 0; i < sections; i++) {
			at = headers + 40 * i
			name = ""
			for (k = 0; k < 8 && b[at + k]; k++)
				name = name sprintf("%c", b[at + k])
			if (name == ".rossym" && !table)
				table = u32(at + 20)
			# SizeOfRawData, cut to VirtualSize; VirtualSize where there is no raw data.
			bytes = u32(at + 16)
			if (bytes == 0 || u32(at + 8) != 0 && u32(at + 8) < bytes)
				bytes = u32(at + 8)
			begin[i] = u32(at + 12)
			end[i] = begin[i] + bytes
		}
		rows = u32(table + 4) / 16
		strings = table + u32(table + 8)
		for (i = 0; i < rows; i++)
			address[i] = u32(table + u32(table) + 16 * i)
		for (i = 0; i < rows; i++) {
			at = table + u32(table) + 16 * i
			if (next_row <= i)
				next_row = i
			while (next_row < rows && address[next_row] == address[i])
				next_row++
			bytes = 0
			for (s = 0; s < sections; s++)
				if (address[i] >= begin[s] && address[i] < end[s]) {
					bytes = end[s] - address[i]
					if (next_row < rows && address[next_row] - address[i] < bytes)
						bytes = address[next_row] - address[i]
					break
				}
			printf "0x%08x\t%d\t%s\t%s\t%d\n", address[i], bytes, text(u32(at + 4)), text(u32(at + 8)), \
				u32(at + 12)
		}
	}'
}

# Our text with "|" where the program prints a tab.
tabs () {
	tr '|' '\t'
}

cases 'dump'

for name in dwarf32.exe stabs32.exe driver/driver.sys; do
	table_rows "$DATA/$name" | sed 's/\\/\\\\/g; s/$/	0/' >expected
	check "every row of $name" -O expected rossym-addr2line --dump -e "$DATA/$name"
done

done_testing
