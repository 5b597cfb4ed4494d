# SPDX-License-Identifier: GPL-2.0-or-later
#
# rossym-log under the name log2lines.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/logs.sh"

cases 'without arguments it filters'

done_testing
