# SPDX-License-Identifier: GPL-2.0-or-later
#
# --count and --folded: addresses counted by what they are in.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"

cases '--count counts functions'

# ---- the kernel profiler's job: 3,000 EIPs of one run, on a real image ----

awk 'BEGIN { seed = 3000; for (i = 0; i < 3000; i++) { seed = (seed * 16807) % 2147483647; print 71680 + seed % 20000 } }' >eips
awk '{ printf "%x\n", $1 }' eips >eips.text
# Escapes in octal, which every printf knows.
awk '{ printf "\\%03o\\%03o\\%03o\\000", $1 % 256, int($1 / 256) % 256, int($1 / 65536) }' eips >eips.escaped
# shellcheck disable=SC2059
printf "$(cat eips.escaped)" >eips.raw
image=$DATA/driver/driver.sys
for what in function line file; do
	field='NR % 2'
	test $what = function || field='NR % 2 == 0'
	rossym-addr2line -f -e "$image" <eips.text 2>/dev/null | awk "$field" |
		if test $what = file; then sed 's/:[^:]*$//'; else cat; fi |
		sort | uniq -c | awk '{ count = $1; sub(/^ *[0-9]* /, ""); printf "%d\t%.2f\t%s\n", count, count / 30, $0 }' | sort >wanted
	for form in text raw; do
		raw=
		test $form = text || raw=--raw=32
		rossym-addr2line -e "$image" --count=$what $raw <eips.$form 2>/dev/null >table
		sed 's/^ *\([0-9]*\) *\([0-9.]*\)%  /\1	\2	/' table | sort >seen
		ok "3,000 EIPs as $form by $what: what sort and uniq count" diff wanted seen
		ok "the greatest first, by $what" sh -c 'awk "{ print \$1 }" table | sort -rnc'
	done
done

cases '--folded: innermost first in, outermost first out'

done_testing
