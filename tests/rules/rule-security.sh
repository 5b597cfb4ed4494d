# SPDX-License-Identifier: GPL-2.0-or-later
#
# SECURITY is short, and a test stands for each of its claims (tests/rules/rule-security.table).  Each limit of rossym-limits(7) is in the
# sources as tests/rules/rule-security.limits says.

. "${srcdir:-.}/tests/lib/tap.sh"

# is_in FILE TEXT: whether the file of the sources, or that with its cases, has the text.
is_in () {
	test -f "$SRC/$1" && grep -qsF -e "$2" "$SRC/$1" "$SRC/${1%.*}.cases"
}

tab=$(printf '\t')
ok 'SECURITY has at most 1,500 words' test "$(wc -w <"$SRC/SECURITY")" -le 1500

tr -c '0-9[]' '\n' <"$SRC/SECURITY" | sed -n 's/^\[\([0-9]*\)\]$/\1/p' | sort -u >claims
grep -v '^#' "$SRC/tests/rules/rule-security.table" | grep . | cut -f 1 | sort -u >tested
ok 'there are claims' test "$(wc -l <claims)" -ge 40
ok 'each claim has a test, and no test another claim' diff -u claims tested
grep -v '^#' "$SRC/tests/rules/rule-security.table" | grep . | while IFS=$tab read -r number place; do
	is_in "${place%%: *}" "${place#*: }" || echo "$number: $place"
done >missing
check 'the tests have these cases' cat missing </dev/null

# ------------------------------------------------------------------------------------------------ limits

grep -v '^#' "$SRC/tests/rules/rule-security.limits" | grep . >limits
grep -v "^$tab" limits >rows
# A row is what is limited, two blanks or more, and the limit, which is in the next line if there is no room.
awk '/^\.Bd/ { inside = 1; next } /^\.Ed/ { inside = 0 } inside && !/  / { before = $0; next }
	inside { sub(/  +/, " | "); print before $0; before = "" }' "$SRC/man/rossym-limits.7" >items
ok 'there are limits' test "$(wc -l <rows)" -ge 80
ok 'rossym-limits.7 has those of tests/rules/rule-security.limits' diff -u rows items
grep "^$tab" limits | cut -f 2 | while IFS= read -r place; do
	is_in "${place%%: *}" "${place#*: }" || echo "$place"
done >missing
check 'the sources set them' cat missing </dev/null

done_testing
