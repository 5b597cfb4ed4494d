# SPDX-License-Identifier: GPL-2.0-or-later
#
# The README is short, and its examples do what is printed there; so do those of the manual pages in section 7.  tests/rules/rule-man.sh
# runs those of the other pages.  tests/lib/examples.sh says what an example is.  Those of the README run in a copy of tests/data,
# because some write files.  Commands that are not to be run here stand without the "$ ".

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/examples.sh"

: "${CC:=cc}" "${CFLAGS=}" "${LDFLAGS=}"
cp -R "$DATA" copy
chmod -R u+w copy
examples README "$SRC/README" "$(pwd)/copy"
ok 'the README has examples' test $examples_count -ge 9
ok 'it is short' test "$(wc -l <"$SRC/README")" -le 110
check 'and narrow' -s 1 grep -E '.{81}' "$SRC/README" </dev/null

# The lines about the library are the middle of a program.
{
	printf '#include <rossym.h>\n#include <stdio.h>\nint main(int argc, char **argv) {\n'
	printf 'struct rossym_image *image; struct rossym_error err; struct rossym_frame frame; if (argc < 2) return 2;\n'
	sed -n '/^A library in ten lines$/,/^src/p' "$SRC/README" | grep '^    '
	printf 'return 0; }\n'
} >lines.c
library=$tap_build/src/.libs/librossym.a
if { test -f "$library" || skip 'the lines of C compile' 'no static library'; } &&
	{ has "${CC%% *}" || skip 'the lines of C compile' 'no compiler'; }; then
	# shellcheck disable=SC2086
	check 'the lines of C compile' $CC -std=c11 -Wall -Wextra -pedantic $CFLAGS -I "$SRC/src" -o lines lines.c "$library" $LDFLAGS </dev/null
	check '... and answer' ./lines "$DATA/dwarf32.exe" <<-'EOT'
		ke/bug.c line 18
	EOT
fi

for page in rossym-parallel.7 rossym-departures.7; do
	examples_of_man "$SRC/man/$page" >text
	examples $page text "$DATA"
	ok "$page has an example" test $examples_count -ge 1
done

done_testing
