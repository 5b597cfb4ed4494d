# SPDX-License-Identifier: GPL-2.0-or-later
#
# --dump: one line a row: RVA, size, function, file, line, depth, separated by tabs.
. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"

# Our text with "|" where the program prints a tab.
tabs () {
	tr '|' '\t'
}

cases 'dump'

for name in dwarf32.exe stabs32.exe driver/driver.sys; do
	"$SRC/tests/tools/old-readers.py" -s "$DATA/$name" | sed 's/\\/\\\\/g; s/$/	0/' >expected
	check "every row of $name" -O expected rossym-addr2line --dump -e "$DATA/$name"
done

done_testing
