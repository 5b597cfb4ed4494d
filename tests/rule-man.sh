# SPDX-License-Identifier: GPL-2.0-or-later
#
# The manual pages are well formed, and say what the program and the library are.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/examples.sh"

: "${CC:=cc}" "${CFLAGS=}" "${LDFLAGS=}"
man=$SRC/man
page=$man/rossym-addr2line.1

# What is in file $2 but not in file $3, both sorted, becomes a failure of test $1.
nothing_missing () {
	comm -23 "$2" "$3" >missing
	if test -s missing; then
		fail "$1"
		diag "$(cat missing)"
	else
		pass "$1"
	fi
}

# The text of section $2 of page $1 as it is read: no macros, no escapes, blanks as they are.
section_text () {
	man_section "$1" "$2" | man_text | sed 's/^\.[A-Z][a-z]  *//; s/^"\(.*\)"$/\1/; s/""/"/g'
}

# ------------------------------------------------------------------------------------------------ form

for file in "$man"/*.[1-9]; do
	title="mandoc has nothing against ${file##*/}"
	if has mandoc; then
		check "$title" mandoc -Tlint -Wwarning "$file" </dev/null
	else
		skip "$title" 'no mandoc'
	fi
	check "licence of ${file##*/}" grep -c SPDX-License-Identifier "$file" <<-'EOT'
		1
	EOT
done

# ------------------------------------------------------------------------------------------------ options

ok 'the program prints its help' rossym-addr2line --help
sed -n 's/^  *\(-[A-Za-z] \)\{0,1\}--\([a-z-]*\).*/\2/p' "$OUT" | sort -u >help-long
sed -n 's/^  *-\([A-Za-z]\) --.*/\1/p' "$OUT" | sort -u >help-short
# The names that --help does not show are in getopt's message about the name that all of them begin with.
rossym-addr2line --=1 2>&1 | sed -n 1p | tr "' " '\n\n' | sed -n 's/^--\([a-z][a-z-]*\)$/\1/p' | sort -u >gnu-long
sort -u help-long gnu-long >program-long
{ cat help-short; printf 'H\nV\n'; } | sort -u >program-short

man_section "$page" OPTIONS | sed -n '/^\.It /p' | tr ' ' '\n' >words
sed -n 's/^-\([a-z][a-z-]*\)$/\1/p' words | sort -u >page-long
man_section "$page" OPTIONS | sed -n '/^\.It /p' | tr ' ' '\n' | sed -n 's/^\([A-Za-z]\)$/\1/p' | sort -u >page-short
man_section "$page" SYNOPSIS | tr ' ' '\n' | sed -n 's/^-\([a-z][a-z-]*\)$/\1/p' | sort -u >synopsis-long

ok '--help shows options' test -s help-long -a -s help-short -a -s gnu-long
nothing_missing 'every long option of the program has an item in the page' program-long page-long
nothing_missing 'every long option of the page is one of the program' page-long program-long
nothing_missing 'every long option of the synopsis is one of the program' synopsis-long program-long
nothing_missing 'every short option of the program has an item in the page' program-short page-short
nothing_missing 'every short option of the page is one of the program' page-short program-short
# All "-x" and "--xx" that other sections mention.
sed -n 's/^\.[A-Z][a-z] //; /Fl -[a-z]/p' "$page" | tr ' ' '\n' | sed -n 's/^-\([a-z][a-z-]*\)$/\1/p' | sort -u >mentioned
{ cat program-long; printf 'd\nda\n'; } | sort -u >known
nothing_missing 'no other long option is mentioned' mentioned known

# The same for the others, which have no older program's names.
embed_page=$man/rossym-embed.1
for program in rossym-embed rossym-log; do
	page=$man/$program.1
	ok "$program prints its help" $program --help
	sed -n 's/^  *\(-[A-Za-z] \)\{0,1\}--\([a-z-]*\).*/\2/p' "$OUT" | sort -u >help-long
	sed -n 's/^  *-\([A-Za-z]\) --.*/\1/p' "$OUT" | sort -u >help-short
	man_section "$page" OPTIONS | sed -n '/^\.It /p' | sed 's/ A[rc] [^ ]*//g; s/Cm [^ ]* | [^ ]*//' | tr ' ' '\n' >words
	sed -n 's/^-\([a-z][a-z-]*\)$/\1/p' words | sort -u >page-long
	sed -n 's/^\([A-Za-z]\)$/\1/p' words | sort -u >page-short
	ok "the long options of $program are those of the page" diff -u help-long page-long
	ok 'the short ones too' diff -u help-short page-short
	# Under its other name a program has other letters, but no other words.
	sed -n 's/^\.[A-Z][a-z] //; /Fl -[a-z]/p' "$page" | tr ' ' '\n' | sed -n 's/^-\([a-z][a-z-]*\)$/\1/p' | sort -u >mentioned
	nothing_missing 'no other one is mentioned' mentioned help-long
done
page=$man/rossym-addr2line.1

# ------------------------------------------------------------------------------------------------ diagnostics

# The messages of sources, one a line, each conversion (with what stands around it in other literals) as "%".
messages_of () {
sed 's/PRI[xu]\(8\|16\|32\|64\)/"s"/g' "$@" |
awk '
	# All literals of a call, from its name to the ";" that ends it.  Definitions begin in the first column.
	call != "" || /^[ \t].*[^a-z_](diag|diag_warning|rs_fail|rs_fail_errno|rs_fail_memory|not_pe|fputs)\(/ ||
	/^[ \t]+(diag|diag_warning|fputs)\(/ {
		call = call $0
		if ($0 !~ /;[ \t]*$/)
			next
		kind = call ~ /diag_warning\(/ ? "warning: " : ""
		text = ""
		rest = call
		if (rest ~ /fputs\(/ && rest !~ /stderr/) {
			call = ""
			next
		}
		# The one argument before the format that is a literal, or behind it, is part of a conversion.
		sub(/\?[ ]*"--dump"[ ]*:[ ]*"--check"/, "", rest)
		sub(/\?[ ]*"--raw"[ ]*:[ ]*"--folded"/, "", rest)
		sub(/\?[ ]*"--keep-debug"[ ]*:[ ]*"--debuglink"/, "", rest)
		while (match(rest, /"([^"\\]|\\.)*"/)) {
			text = text substr(rest, RSTART + 1, RLENGTH - 2)
			rest = substr(rest, RSTART + RLENGTH)
		}
		gsub(/\\n/, "", text)
		gsub(/\\"/, "\"", text)
		if (text != "")
			print kind text
		call = ""
	}' | sed 's/%[-.*0-9]*z*[a-z]/%/g' | sort -u >messages
case " $* " in
*/kind.c*) sed -n 's/^	{ ".*", "\(an* .*\)" },$/\1/p' "$SRC/src/lib/kind.c" | sort -u >>messages ;;
esac
# What is made of conversions only says nothing by itself, for a missing table the programs have words of their own, and
# they use no flags that the library does not know.
grep '[a-z][a-z]' messages | grep -v -x -e '%: at 0x%: %' -e 'no \.rossym section' -e 'its symbols are in %' \
	-e 'unknown flags 0x%' >phrases
}

# Page $1 must have each message of the sources, of which there are at least $2.
explains () {
section_text "$1" DIAGNOSTICS >diagnostics
# Each phrase must be a line of that section, with anything in the place of a "%".  The library's stand behind the file's
# name, perhaps before the system's reason.
awk '
	function matches(line, phrase,   parts, n, i, at) {
		n = split(phrase, parts, "%")
		if (substr(line, 1, length(parts[1])) != parts[1])
			return 0
		line = substr(line, length(parts[1]) + 1)
		for (i = 2; i <= n; i++) {
			if (parts[i] == "") {
				line = ""
				continue
			}
			at = index(line, parts[i])
			if (!at)
				return 0
			line = substr(line, at + length(parts[i]))
		}
		return line == ""
	}
	NR == FNR { lines[++count] = $0; next }
	{
		for (i = 1; i <= count; i++)
			if (matches(lines[i], $0) || matches(lines[i], "FILE: " $0) || matches(lines[i], "FILE: " $0 ": %"))
				next
		print
	}' diagnostics phrases >missing
ok "${1##*/}: messages were found in the sources" test "$(wc -l <phrases)" -ge "$2"
if test -s missing; then
	fail "${1##*/}: every message of the sources is in DIAGNOSTICS"
	diag "$(cat missing)"
else
	pass "${1##*/}: every message of the sources is in DIAGNOSTICS"
fi
}

# What rossym-embed alone has of the library and the tools; what both have is in the page of rossym-addr2line.
set --
for file in "$SRC"/src/tool/*.c "$SRC"/src/core/*.c "$SRC"/src/lib/*.c; do
	case ${file##*/} in
	file.c | tsv.c | progress.c) ;;
	*) set -- "$@" "$file" ;;
	esac
done
messages_of "$SRC"/src/addr2line/*.c "$SRC"/src/diff/*.c "$@"
explains "$page" 30
messages_of "$SRC/src/embed/main.c" "$SRC"/src/tool/file.c "$SRC"/src/tool/tsv.c "$SRC"/src/write/*.c
explains "$embed_page" 30

# ------------------------------------------------------------------------------------------------ departures

sed -n 's/^\[\(.*\)\]$/\1/p' "$SRC/tests/departures" >departures
man_section "$page" COMPATIBILITY | sed -n 's/^\.It Sy //p' >items
ok 'there are departures' test -s departures
ok 'COMPATIBILITY has an item for each of tests/departures, in that order' diff -u departures items

# ------------------------------------------------------------------------------------------------ examples

examples_of_man "$page" EXAMPLES >text
examples 'rossym-addr2line.1' text "$DATA"
ok 'rossym-addr2line.1 has examples' test $examples_count -ge 5
for wanted in "'<dwarf32.exe:" '--load-address' '--dump' '--check' '|$'; do
	ok "an example shows $wanted" grep -q -e '^    .*'"$wanted" text
done

# In a directory of its own, for the program writes.
cp -R "$DATA" examples
chmod -R u+w examples
examples_of_man "$embed_page" EXAMPLES >text
if ! rossym-embed --version | grep -q '^DWARF: libdwarf'; then
	skip 'rossym-embed.1: examples' 'built without libdwarf'
elif ! has addr2line; then
	skip 'rossym-embed.1: examples' 'no addr2line'
else
	examples 'rossym-embed.1' text "$(pwd)/examples"
	ok 'rossym-embed.1 has examples' test $examples_count -ge 5
fi

# ------------------------------------------------------------------------------------------------ rossym.5

sed -n 's/^	*"\([A-Za-z_]*__\|ImageBase\)",$/\1/p' "$SRC/src/core/constants.c" | sort >constants
man_section "$man/rossym.5" LOOK-UP | sed -n '/^\.Bd/,/^\.Ed/p' | sed '/^\./d' | sort >page-constants
ok 'rossym.5 lists linker constants' test -s page-constants
ok "they are the library's" diff -u constants page-constants
ok "rossym.5 has the terminator's name" \
	grep -qF "$(sed -n 's/^#define ROSSYM_TERMINATOR "\(.*\)"/\1/p' "$SRC/src/rossym-core.h")" "$man/rossym.5"

# ------------------------------------------------------------------------------------------------ rossym.3

page=$man/rossym.3
# Comments of the header away; what is left are declarations.
cat "$SRC"/src/rossym*.h | sed 's,/\*.*\*/,,' | awk '/\/\*/ { inside = 1 } !inside; /\*\// { inside = 0 }' >header
tr -c 'A-Za-z0-9_(' '\n' <header | sed -n 's/^\(rossym_[a-z0-9_]*\)(.*/\1/p' | sort -u >functions
sed -n 's/^\.F[no] \([a-z_]*\).*/\1/p' "$page" | sort -u >page-functions
man_section "$page" SYNOPSIS | sed -n 's/^\.F[no] \([a-z_]*\).*/\1/p' | sort -u >synopsis-functions
sed -n 's/^\.Nm \(rossym_[a-z_]*\).*/\1/p' "$page" | sort -u >name-functions
ok 'the headers declare functions' test -s functions
ok 'the synopsis of rossym.3 has all of them, and no other' diff -u functions synopsis-functions
ok 'its name section too' diff -u functions name-functions
nothing_missing 'it speaks of no other' page-functions functions
man_section "$page" DESCRIPTION | sed -n 's/^\.Fn \([a-z_]*\).*/\1/p' | sort -u >described
nothing_missing 'each is described' functions described
tr -c 'A-Z0-9_' '\n' <header | grep '^ROSSYM_.*' | grep -v '^ROSSYM_\(CORE_\|WRITE_\)\{0,1\}H$' | sort -u >names
tr -c 'A-Z0-9_' '\n' <"$page" | grep '^ROSSYM_.*' | sort -u >page-names
nothing_missing 'every constant of the headers is in rossym.3' names page-names
nothing_missing 'rossym.3 has no other constant' page-names names

# The prototypes, without blanks, must be those of the header.
tr '\n\t' '  ' <header | tr ';' '\n' | sed -n 's/.* \(\(const char \*\|int \|void \|uint32_t \)rossym_[a-z_]*(.*)\).*/\1/p' |
	sed 's/[ 	]//g' | sort >prototypes
man_section "$page" SYNOPSIS | awk '
	/^\.Ft / { type = substr($0, 5); next }
	/^\.Fn / {
		split($0, word, " ")
		args = substr($0, 6 + length(word[2]))
		gsub(/" "/, ",", args)
		gsub(/"/, "", args)
		print type word[2] "(" args ")"
	}
	/^\.Fo / { name = $2; args = "" }
	/^\.Fa / { gsub(/"/, ""); args = args (args == "" ? "" : ",") substr($0, 5) }
	/^\.Fc/ { print type name "(" args ")" }' | sed 's/[ 	]//g' | sort >page-prototypes
ok 'the prototypes are those of the headers' diff -u prototypes page-prototypes

# Its program.
examples_of_man "$page" EXAMPLES >text
awk '/^    #include/ { inside = 1 } /^$/ { inside = 0 } inside { print substr($0, 5) }' text >where.c
ok 'rossym.3 has a program' test -s where.c
library=$tap_build/src/.libs/librossym.a
if ! test -f "$library"; then
	skip 'the program compiles' 'no static library'
elif ! has "${CC%% *}"; then
	skip 'the program compiles' 'no compiler'
else
	# shellcheck disable=SC2086
	check 'the program compiles without a warning' \
		$CC -std=c11 -Wall -Wextra -pedantic $CFLAGS -I "$SRC/src" -o where where.c "$library" $LDFLAGS </dev/null
	PATH=$(pwd):$PATH
	examples 'rossym.3' text "$DATA"
	ok 'the program is run' test $examples_count -ge 1
fi

done_testing
