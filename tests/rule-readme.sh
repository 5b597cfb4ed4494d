# SPDX-License-Identifier: GPL-2.0-or-later
#
# The examples of the README and of the manual pages in section 7 do what is printed there.  tests/rule-man.sh runs those of the
# other pages.  tests/lib/examples.sh says what an example is; they run in
# tests/data.  Commands that are not to be run here stand without the "$ ".

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/examples.sh"

examples README "$SRC/README" "$DATA"
check 'no command makes a file in tests/data' -s 1 grep -E 'rossym-embed .*(dwarf|stabs)[0-9]*\.nostrip\.exe [^/]' "$SRC/README" </dev/null
ok 'the README has examples' test $examples_count -ge 10
ok 'it is short' test "$(wc -l <"$SRC/README")" -le 250

examples_of_man "$SRC/man/rossym-parallel.7" >text
examples rossym-parallel.7 text "$DATA"
ok 'rossym-parallel.7 has an example' test $examples_count -ge 1

done_testing
