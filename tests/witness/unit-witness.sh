# SPDX-License-Identifier: GPL-2.0-or-later
#
# What tests/lib/witness.sh makes of witnesses whose version tests/lib/witness.table knows, and of others.

. "${srcdir:-.}/tests/lib/tap.sh"

printf 'tool\t%s\t%s\t-\t%s\n' 2.40-2.44 known 'seen' 16- known 'seen, too' -2.41 slow 'it is slow' 2.43- quick 'it is quick' 17-17 odd 'it is odd' >table
mkdir tools
# says VERSION: a tool that says it
says () {
	printf '#!/bin/sh\necho "tool (GNU Tools 1-2 for a system) %s"\n' "$1" >tools/tool && chmod +x tools/tool
}
# inner TEXT: a test of this text, beside the tool
inner () {
	printf '%s\n' '. "$SRC/tests/lib/tap.sh"' "$1" done_testing >inner.sh
	SRC=$SRC srcdir=$SRC top_builddir=$tap_build WITNESS_TABLE=$PWD/table PATH=$PWD/tools:$PATH sh inner.sh
}

while read -r version known <&3; do
	says "$version"
	check "of version $version the table knows: $known" inner \
		'for key in known slow quick odd; do ! known_difference tool $key >/dev/null || printf " %s" $key; done; echo' <<-EOT
		${known:+ }$known
		1..0
	EOT
done 3<<'EOT'
2.40 known slow
2.39.9 slow
2.41.50.20261021 known slow
2.43 known quick
2.44.1-3 known quick
2.45 quick
16.0 known quick
17.9 known quick odd
18.1 known quick
EOT
says 2.40
check 'a difference from a version that is known is a failure' -s 1 inner 'beside tool; fail one' <<-'EOT'
	not ok 1 - one
	1..1
EOT
says 2.45
check 'from another one it is counted, and fails nothing' inner 'beside tool; fail one; fail "two # 2"; pass three' <<-'EOT'
	not ok 1 - one # TODO not in tests/lib/witness.table: tool 2.45
	not ok 2 - two   2 # TODO not in tests/lib/witness.table: tool 2.45
	ok 3 - three
	1..3
EOT
check 'it is a failure if a second witness agrees with the first' -s 1 inner 'beside tool; unless test "a b" = "a b"; fail one; unless false; fail two' <<-'EOT'
	not ok 1 - one
	not ok 2 - two # TODO not in tests/lib/witness.table: tool 2.45
	1..2
EOT
check 'and after the comparison' -s 1 inner 'beside tool tool; fail one; beside; fail two' <<-'EOT'
	not ok 1 - one # TODO not in tests/lib/witness.table: tool 2.45
	not ok 2 - two
	1..2
EOT
check 'the log says which difference is known' inner 'says_so () { known_difference tool quick; }; says_so' <<-'EOT'
	# known of tool 2.45: quick: it is quick
	1..0
EOT

table () {
	awk -F '\t' '/^[^#]/ && (NF != 5 || $2 !~ /^[0-9.]*-[0-9.]*$/ || $2 == "-" || $4 !~ /^(-|ours|theirs|both|nobody)$/ || $5 == "")' "$SRC/tests/lib/witness.table"
}
check 'each row of tests/lib/witness.table has five columns' table </dev/null
# Keys that no test asks for, and those that the table does not have.
sed -n 's/.*known_difference [^ ]* \([a-z0-9-]*\).*/\1/p' "$SRC"/tests/*/*.sh | grep . | grep -v -x quick | sort -u >asked
awk -F '\t' '/^[^#]/ && $3 != "known" { print $3 }' "$SRC/tests/lib/witness.table" | sort -u >there
ok 'a test asks for each of its keys, and for no other' diff -u asked there

done_testing
