# SPDX-License-Identifier: GPL-2.0-or-later
#
# The manual pages are well formed, and say what the program and the library are.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/examples.sh"

: "${CC:=cc}" "${CFLAGS=}" "${LDFLAGS=}"
man=$SRC/man
page=$man/rossym-addr2line.1
# The build makes this page, and no other one.
forms_page=$tap_build/man/rossym-forms.7
mkdir pages
cp "$man"/*.[1-9] "$forms_page" pages/

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

# ------------------------------------------------------------------------------------------------ form

for file in pages/*; do
	title="mandoc has nothing against ${file##*/}"
	if witness mandoc || no_witness "$title" 'no mandoc'; then
		check "$title" mandoc -Tlint -Wwarning "$file" </dev/null
	fi
	check "licence and footer of ${file##*/}" grep -cE 'SPDX-License-Identifier|^\.Os rossym$' "$file" <<-'EOT'
		2
	EOT
done

# Who looks for a command finds one before he has read a third of the page.
for file in pages/*; do
	ok "${file##*/} begins with an example" \
		awk '/^\.Sh SYNOPSIS/ { synopsis = NR } /^\.Sh DESCRIPTION/ { skipped = synopsis ? NR - synopsis : 0 }
			/^\.(Bd -literal|Dl)/ && !at { at = NR } END { exit !at || (at - skipped) * 3 > NR - skipped }' "$file"
done
# As a reader meets them: without the names of macros.
title='all pages together have at most 26,000 words'
if witness mandoc || no_witness "$title" 'no mandoc'; then
	for file in pages/*; do
		mandoc -T ascii "$file"
	done | sed "s/.$(printf '\b')//g" >text
	ok "$title" test "$(wc -w <text)" -le 26000
fi

# ------------------------------------------------------------------------------------------------ forms

sed -n 's/.*{ "crash:\([a-z-]*\)", SAYS.*/\1/p' "$SRC/src/log/read/match_key.c" | sort >known
sed -n '/^comes what a line says about a crash/,/stack-end/s/^\.Cm//p' "$forms_page" | tr -s ' ' '\n' | grep '^[a-z-]*[a-z]$' |
	sort -u >said
ok 'there are words for crashes' test "$(wc -l <known)" -ge 20
ok 'rossym-forms.7 has each word for what a line says about a crash' diff -u known said

# The page lists the rows of a text file.  $1: that file.
forms_page_of () {
	awk -v make=page -f "$SRC/src/log/read/forms.awk" "$1" "$man/rossym-forms.7.in"
}
own=$SRC/src/log/read/forms.txt
sed -n 's/^#: /.Ss /p' "$own" >headings
ok 'there are groups of forms' test "$(wc -l <headings)" -ge 9
check 'rossym-forms.7 has a heading for each group of forms' grep '^\.Ss ' "$forms_page" <headings
# Of the samples that follow a form: the text up to the first character with a meaning in C or mdoc.
awk '/^sample/ && before !~ /^sample/ { text = $0; gsub(/^sample " *| *[\\"].*/, "", text); print substr(text, 1, 40) }
	{ before = $0 }' "$own" |
	grep -v '[^	 -~]' | sort -u >samples
ok 'there are samples' test "$(wc -l <samples)" -ge 90
while IFS= read -r sample; do
	grep -qF -e "$sample" "$forms_page" || echo "$sample"
done <samples >missing

cases 'forms'
for file in "$man/rossym-diagnostics.7" "$embed_page" "$man/rossym-log.1"; do
	man_section "$file" DIAGNOSTICS | awk '/^\.Bd/ { inside = 1; next } /^\.Ed/ { inside = 0 } inside && /^[^ ]/' | man_text >explained
	ok "${file##*/}: it explains messages" test -s explained
	awk '
		NR == FNR { literals = $0; next }
		{
			sub(/^(warning|hint): /, "")
			n = split($0, piece, /[A-Z]+|[:;(]|differ/)
			for (i = 1; i <= n; i++) {
				gsub(/^[^a-z]+|[^a-z]+$/, "", piece[i])
				if (length(piece[i]) > 3 && !index(literals, piece[i]))
					print $0 ": " piece[i]
			}
		}' literals explained >unknown
	check "${file##*/}: each is a message of the sources" cat unknown </dev/null
done

bytes_of () {
	man_section "$man/rossym.5" "$1" | awk '/^\.Bd -literal$/ { inside = 1; next } /^\.Ed/ { inside = 0 }
		inside && $1 ~ /^[0-9]+$/ && $2 ~ /^[0-9a-f]+$/ { printf "%s", $2 } END { print "" }'
}

# The declarations of headers: comments away.
declarations () {
	cat "$@" | sed 's,/\*.*\*/,,' | awk '/\/\*/ { inside = 1 } !inside; /\*\// { inside = 0 }'
}

functions_of () {
	tr -c 'A-Za-z0-9_(' '\n' | sed -n 's/^\(\(rossym_\|RosSym\)[A-Za-z0-9_]*\)(.*/\1/p' | sort -u
}

constants_of () {
	tr -c 'A-Z0-9_' '\n' | grep '^ROSSYM_.*' | grep -v '^ROSSYM_\(CORE_\|KERNEL_\|SET_\|UNWIND_\|WRITE_\)\{0,1\}H$' | sort -u
}

# Page $1 is that of the headers that follow.
documents () {
	page=$man/$1
	name=$1
	shift
	declarations "$@" >header
	functions_of <header >functions
	sed -n 's/^\.F[no] \([A-Za-z_]*\).*/\1/p' "$page" | sort -u >page-functions
	man_section "$page" SYNOPSIS | sed -n 's/^\.F[no] \([A-Za-z_]*\).*/\1/p' | sort -u >synopsis-functions
	sed -n 's/^\.Nm \([A-Za-z_]*\).*/\1/p' "$page" | sort -u >name-functions
	ok "$name: the headers declare functions" test -s functions
	ok "$name: the synopsis has all of them, and no other" diff -u functions synopsis-functions
	ok "$name: the name section too" diff -u functions name-functions
	nothing_missing "$name: it speaks of no function that is not in a header" page-functions all-functions
	{ man_section "$page" DESCRIPTION && man_section "$page" FUNCTIONS; } | tr -c 'A-Za-z0-9_' '\n' | sort -u >described
	nothing_missing "$name: each is described" functions described
	constants_of <header >names
	constants_of <"$page" >page-names
	nothing_missing "$name: it has every constant of the headers" names page-names
	nothing_missing "$name: it has no constant that is in no header" page-names all-names

	# The prototypes, without blanks, must be those of the header.
	tr '\n\t' '  ' <header | tr ';' '\n' |
		sed -n 's/.* \(\(const char \*\|int \|void \|uint32_t \|size_t \|BOOLEAN \|ULONG \|VOID \)\(rossym_\|RosSym\)[A-Za-z_]*(.*)\).*/\1/p' | sed 's/[ 	]//g' | sort >prototypes
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
	ok "$name: the prototypes are those of the headers" diff -u prototypes page-prototypes
}

# Compile the program in EXAMPLES of page $1 as $2, and run the examples in directory $3.
has_program () {
	examples_of_man "$man/$1" EXAMPLES >text
	awk -v to="$2.c" '/^    #include/ && !inside { inside = 1; printf "" >to } /^$/ { inside = 0; close(to) }
		inside { print substr($0, 5) >to }' text
	ok "$1 has a program" test -s "$2.c"
	library=$tap_build/src/.libs/librossym.a
	if { test -f "$library" || skip "$1: the program compiles" 'no static library'; } &&
		{ has "${CC%% *}" || skip "$1: the program compiles" 'no compiler'; }; then
		# shellcheck disable=SC2086
		check "$1: the program compiles without a warning" \
			$CC -std=c11 -Wall -Wextra -pedantic $CFLAGS -I "$SRC/src" -o "$2" "$2.c" "$library" $LDFLAGS </dev/null
		PATH=$(pwd):$PATH
		examples "$1" text "$3"
		ok "$1: the program is run" test $examples_count -ge 1
	fi
}

# Compare the FIELDS of page $1 with the structures of header $2.
has_fields () {
	examples_of_man "$man/$1" FIELDS | sed 's/^    //' | awk '/^ / { sub(/^ */, " "); printf "%s", $0; next } { printf "%s%s", end, $0; end = "\n" } END { print "" }' |
		sed '/^$/d' >page-fields
	"$SRC/tests/tools/fields.py" "$2" >header-fields
	ok "$1 lists all fields of $(basename "$2")" diff -u header-fields page-fields
}

# Compare the first program in EXAMPLES of page $1 with the example $2, which tests/rules/rule-lib.sh runs.
has_example () {
	examples_of_man "$man/$1" EXAMPLES |
		awk '/^    #include/ { inside = 1 } /^$/ && inside { exit } inside { print substr($0, 5) }' >first.c
	sed -n '/^#include/,$p' "$SRC/src/examples/$2.c" >want.c
	ok "$1 has the example $2.c" diff -u want.c first.c
}

cases 'the library'

done_testing
