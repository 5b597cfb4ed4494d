# SPDX-License-Identifier: GPL-2.0-or-later
#
# The environment variables that list directories: _NT_SYMBOL_PATH for all programs, ROSSYM_PATH for rossym-addr2line, and neither
# under the names of older programs.  tests/library/unit-search-path.c has the forms, tests/log/cli-log-places.sh ROSSYM_PATH for rossym-log.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/logs.sh"

mkpdb=$tap_build/tests/tools/mkpdb
# with LIST COMMAND...: _NT_SYMBOL_PATH is LIST.
with () (
	_NT_SYMBOL_PATH=$1
	export _NT_SYMBOL_PATH
	shift
	"$@"
)

test -x "$mkpdb" || skip_all 'no mkpdb for this system'

bugcheck () {
	printf '***     %s - Address 00011000 base at 00010000, DateStamp %s\\n' "$1" "$2"
}

cases 'rossym-addr2line without the variable'

done_testing
