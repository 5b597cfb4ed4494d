# SPDX-License-Identifier: GPL-2.0-or-later
#
# The examples of the README do what is printed there.  tests/lib/examples.sh says what an example is; they run in
# tests/data.  Commands that are not to be run here stand without the "$ ".

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/examples.sh"

examples README "$SRC/README" "$DATA"
check 'no command makes a file in tests/data' -s 1 grep -E 'rossym-embed .*(dwarf|stabs)[0-9]*\.nostrip\.exe [^/]' "$SRC/README" </dev/null
ok 'the README has examples' test $examples_count -ge 1

done_testing
