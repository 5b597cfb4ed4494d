# SPDX-License-Identifier: GPL-2.0-or-later
#
# Readers that know nothing of the extension block: see old-readers.py.

. "${srcdir:-.}/tests/lib/tap.sh"

OLD_READERS=$SRC/tests/tools/old-readers.py

# The functions of an image by its own block, of which there is a test against GNU addr2line.
truth () {
	rossym-addr2line --dump -e "$1" | awk -F '\t' '$6 == -1 { print $1, $2, $3 }'
}

for name in dwarf32 dwarf64; do
	nostrip=$DATA/$name.nostrip.exe
	rossym-embed "$nostrip" inner.exe && rossym-embed --entry-frame=outer "$nostrip" outer.exe &&
		rossym-embed --no-inlines "$nostrip" none.exe || exit 99
	for entry in inner outer; do
		ok "$name, $entry: the original rules" "$OLD_READERS" $entry.exe
		cp "$OUT" rows
		rossym-addr2line --dump -e $entry.exe | awk -F '\t' '
			# With outer, the row is the last of its lines.
			function put() { if (line != "") print line }
			$6 == -1 { next }
			$6 == 0 { put() }
			entry == "outer" || $6 == 0 { line = $1 "\t" $3 "\t" $4 "\t" $5 }
			END { put() }' entry=$entry >want
		ok "$name, $entry: all rows" diff -u want rows
		"$OLD_READERS" -b $entry.exe >block
		ok "$name, $entry: there is something behind the strings" grep -q ROSSYMX2 block
		cp $entry.exe stripped.exe
		for tool in "objcopy $entry.exe copied.exe" 'strip stripped.exe'; do
			set -- $tool
			program=$1
			for prefix in x86_64-w64-mingw32- i686-w64-mingw32- ''; do
				has "$prefix$program" && break
			done
			shift
			if ! has "$prefix$program" || ! "$prefix$program" "$@" 2>err; then
				skip "$name, $entry: $program" "$prefix$program cannot do it"
				continue
			fi
			for file in "$@"; do last=$file; done
			"$OLD_READERS" -b "$last" >after
			ok "$name, $entry: $program leaves what is behind the strings" cmp block after
			"$OLD_READERS" "$last" >rows.after
			ok "$name, $entry: and the rows" cmp rows rows.after
			ok "$name, $entry: the block is still good" rossym-addr2line --check -e "$last"
		done
	done
	# A packed table is one without rows, for all of them.
	rossym-embed --packed "$nostrip" packed.exe || exit 99
	check "$name, packed: the original rules accept it, and there is no row" "$OLD_READERS" packed.exe </dev/null
	"$OLD_READERS" -b packed.exe >block
	ok "$name, packed: there is something behind the strings" grep -q ROSSYMX3 block
	truth packed.exe >functions
	ok "$name, packed: there are functions" test -s functions
	# Of those that have rows.
	ok "$name, packed: dbghelp knows none of them" sh -c "'$OLD_READERS' -d packed.exe functions | grep '^0 of 0 '"
	"$OLD_READERS" none.exe >rows.none
	"$OLD_READERS" inner.exe >rows
	ok "$name: --no-inlines leaves no block" sh -c "! '$OLD_READERS' -b none.exe | grep -q ROSSYMX2"
	truth inner.exe >functions
	truth outer.exe >functions.outer
	ok "$name: both have the same functions" cmp functions functions.outer
	inner=$("$OLD_READERS" -d inner.exe functions)
	outer=$("$OLD_READERS" -d outer.exe functions)
	diag "$name, dbghelp, --entry-frame=inner: $inner"
	diag "$name, dbghelp, --entry-frame=outer: $outer"
	ok "$name: for dbghelp, outer is no worse" test "${outer%% *}" -ge "${inner%% *}"
done

done_testing
