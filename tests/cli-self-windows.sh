# SPDX-License-Identifier: GPL-2.0-or-later
#
# Programs for Windows carry tables of their own, if configure was given ROSSYM_EMBED: they answer for themselves.
. "${srcdir:-.}/tests/lib/tap.sh"

on_windows || skip_all 'the programs are not for Windows'
for program in addr2line embed log; do
	self=$tap_tmp/bin/rossym-$program.exe
	rossym-addr2line --dump -e "$self" >dump 2>/dev/null || skip_all 'the programs have no tables'
	# Its main has a row, and the program says of that address what a person would.
	address=$(awk -F '\t' -v file="src/$program.c" '
		$3 == "main" && substr($4, length($4) - length(file) + 1) == file { print $1; exit }' dump)
	check "rossym-$program.exe answers an address of its own" \
		sh -c 'rossym-addr2line --rva -f -e "$1" "$2" | sed "s,[^ ]*/src/,src/,; s,:[0-9]*$,:N,"' sh "$self" "$address" <<-END
		main
		src/$program.c:N
	END
	check "rossym-$program.exe, asked for its main" \
		sh -c 'rossym-addr2line -e "$1" main 2>/dev/null | sed "s,[^ ]*/src/,src/,; s,:[0-9]*$,:N,"' sh "$self" <<-END
		src/$program.c:N
	END
	ok "the table of rossym-$program.exe is right" rossym-addr2line --check -e "$self"
done

done_testing
