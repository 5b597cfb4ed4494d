# SPDX-License-Identifier: GPL-2.0-or-later
#
# What "cases" of tests/lib/tap.sh makes of a file: checks that pass and fail where check does, and no file with mistakes.

. "${srcdir:-.}/tests/lib/tap.sh"

mkdir -p tree/tests/some
ln -s "$SRC/tests/lib" tree/tests/lib
# inner SECTION: runs a section of the file on standard input; prints what such a test prints, without diagnostics
inner () {
	cat >tree/tests/some/inner.cases
	printf '%s\n' '. "$srcdir/tests/lib/tap.sh"' 'value="a \$b \`c\\"' "say () { cat; echo \"\$1\"; echo error >&2; return 3; }" \
		"cases '$1'" done_testing >inner.sh
	srcdir=$PWD/tree sh inner.sh >inner.out 2>inner.err
	status=$?
	sed '/^#/d' inner.out
	sed "s|$PWD/||" inner.err >&2
	return $status
}

cat >good <<'EOT'
// not a case
== one
// not either
all of it
	$ say "$value"
	< in $x `y` \z %25
	<
	< %{value}%09
	> in $x `y` \z %
	>
	> %{value}%09
	> a $b `c\
	! error
	? 3

with a pattern, and it's quoted
	$ say out
	> out
	~ err*
	? 3
nothing
	$ true

== setup
+ cat >file
	| in $x `y` %{value}
	|
+ printf '%s\n' 'one
	$ two' >lines
+ { cat file && echo end; } >whole
files
	$ say end
	<@ file
	>@ whole
	~ error
	? 3
+ echo error >errors
no newline at the end
	$ say .
	< a
	<. b
	> a
	> b.
	!@ errors
	? 3
a message alone
	$ sh -c 'echo error >&2; exit 1'
	! error
text with lines, "%{value}", %25{value}
	$ printf '%s\n' 'one
	$ two'
	>@ "lines"
a group, and several lines of a pattern
	$ { echo one | cat
	$ 	say end
	$ 	echo two >&2; }
	> one
	> %(echo end)
	~ err*
	~ two
+ for word in one two; do
+ 	test $word = one || continue
in a loop: %{word}
	$ echo $word
	> one
+ done

== two
other
	$ false
EOT
check 'a section' -I good inner one <<'EOT'
ok 1 - all of it
ok 2 - with a pattern, and it's quoted
ok 3 - nothing
1..3
EOT
check 'files, and what is done before' -I good inner setup <<'EOT'
ok 1 - files
ok 2 - no newline at the end
ok 3 - a message alone
ok 4 - text with lines, "a $b `c\", %{value}
ok 5 - a group, and several lines of a pattern
ok 6 - in a loop: one
1..6
EOT
check 'another one' -s 1 -I good inner two <<'EOT'
not ok 1 - other
1..1
EOT
# fails EXPRESSION NAME: the first case of "one" fails after that change
fails () {
	sed "$1" good >bad
	check "$2" -s 1 -I bad inner one <<-'EOT'
		not ok 1 - all of it
		ok 2 - with a pattern, and it's quoted
		ok 3 - nothing
		1..3
	EOT
}
fails '0,/> in/s/> in/> on/' 'another output'
fails '0,/! error/s/! error/! terror/' 'another message'
fails '0,/? 3/s/? 3/? 4/' 'another status'
fails '0,/< in/s/< in/< on/' 'another input'
fails '/! error/d' 'a message that is not expected'
# refused EXPRESSION SECTION NAME MESSAGE: the test ends
refused () {
	sed "$1" good >bad
	check "$3" -s 99 -e "tree/tests/some/inner.cases:$4" -I bad inner "$2" <<-EOT
		Bail out! section $2
		Bail out! the test ended before done_testing
	EOT
}
refused '' three 'no such section' '70: section three is there 0 times'
refused 's/two/one/' one 'a section that is there twice' '70: section one is there 2 times'
refused '/say out/d' one 'a case without a command' '20: with a pattern, and it'\''s quoted: no command'
refused 's/nothing/\tnothing/' one 'a line that is none' '21: what is this?'

done_testing
