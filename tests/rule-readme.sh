# SPDX-License-Identifier: GPL-2.0-or-later
#
# The examples of the README do what is printed there.  tests/lib/examples.sh says what an example is; they run in
# tests/data, or, of "In a kernel", in this directory.  Commands that are not to be run here stand without the "$ ".

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/amalgamation.sh"
. "$SRC/tests/lib/examples.sh"

: "${CC:=cc}" "${CFLAGS=}" "${LDFLAGS=}"

# A section ends at two empty lines.
awk '
	/^In a kernel$/ { inside = 1 }
	/^$/ && before == "" { inside = 0 }
	{ before = $0; print >(inside ? "kernel" : "others") }' "$SRC/README"

examples README others "$DATA"
check 'no command makes a file in tests/data' -s 1 grep -E 'rossym-embed .*(dwarf|stabs)[0-9]*\.nostrip\.exe [^/]' others </dev/null
ok 'the README has examples' test $examples_count -ge 1

# ---- in a kernel ----

ok 'the four files are named' grep -q 'rossym-core\.c, rossym-core\.h, rossym-kernel\.c and rossym-kernel\.h' kernel
awk '/^    if \(LdrEntry/ { inside = 1 } inside; /^    }$/ { inside = 0 }' kernel >kdbg-frames.h
ok 'there are lines for KDBG' grep -q RosSymGetFrame kdbg-frames.h
if ! has "${CC%% *}"; then
	skip 'In a kernel' 'no compiler'
else
	ok 'make amalgamation' amalgamation
	# shellcheck disable=SC2086
	check 'they compile with the four files, and need nothing else' $CC -std=gnu99 -Wall -Wextra -Werror $CFLAGS -DCHAR=char -I. \
		-I amalgamation -o kdbg "$SRC/tests/tools/kdbg.c" amalgamation/rossym-core.c amalgamation/rossym-kernel.c $LDFLAGS </dev/null
	ok 'dwarf64.exe gets a table' rossym-embed -s /src "$DATA/dwarf64.nostrip.exe" dwarf64.exe
	PATH=$(pwd):$PATH
	examples README kernel "$(pwd)"
	ok 'In a kernel has an example' test $examples_count -ge 1
	kdbg dwarf64.exe 1560 1600 >kdbg.out
	check 'rossym-log prints the same' -O kdbg.out rossym-log dwarf64.exe 1560 1600 </dev/null
fi

done_testing
