# SPDX-License-Identifier: GPL-2.0-or-later
#
# --missing of rossym-addr2line and rossym-log: which files would help.  And the loops of rossym-log(1) that fetch them, with a
# program in place of curl that copies files; tests/witness/witness-servers.sh runs them with curl.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"
. "$SRC/tests/lib/logs.sh"
. "$SRC/tests/lib/servers.sh"

mkpdb=$tap_build/tests/tools/mkpdb
on_windows && skip_all 'the loops are for a POSIX shell, and the tools for another system'
test -x "$mkpdb" || skip_all 'no mkpdb for this system'

bugcheck () {
	printf '***     %s - Address 00011000 base at 00010000, DateStamp %s\n' "$1" "$2"
}

cases 'rossym-addr2line: a PDB file'

done_testing
