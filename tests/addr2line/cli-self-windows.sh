# SPDX-License-Identifier: GPL-2.0-or-later
#
# Programs for Windows carry tables of their own, if configure was given ROSSYM_EMBED: they answer for themselves, and as
# GNU addr2line does from the debug information they were linked with.  With SELF_DIR, where they are, the program of
# this system is asked about them instead.
. "${srcdir:-.}/tests/lib/tap.sh"

on_windows && SELF_DIR=$(dirname "$(readlink "$tap_tmp/bin/rossym-addr2line.exe")")
test -n "${SELF_DIR-}" || skip_all 'the programs are not for Windows'
SELF_DIR=$(cd "$tap_start" && cd "$SELF_DIR" && pwd) || exit 99

for program in addr2line embed log; do
	self=$SELF_DIR/rossym-$program.exe
	rossym-addr2line --dump -e "$self" >dump 2>/dev/null || skip_all 'the programs have no tables'
	# Its main has a row, and the program says of that address what a person would.
	address=$(awk -F '\t' -v file="src/$program/main.c" '
		$3 == "main" && substr($4, length($4) - length(file) + 1) == file { print $1; exit }' dump)
	cases 'rossym-program.exe answers an address of its own'
	ok "the table of rossym-$program.exe is right" rossym-addr2line --check -e "$self"
	case $(sed 1q "$OUT") in
	*': PE32+, '*) gnu=x86_64-w64-mingw32-addr2line ;;
	*) gnu=i686-w64-mingw32-addr2line ;;
	esac
	base=$(sed -n '1s/.*image base \(0x[0-9a-f]*\),.*/\1/p' "$OUT")
	if ! has $gnu; then
		skip "rossym-$program.exe: as $gnu" 'not there'
		continue
	fi
	# Every row of our code.  What was inlined from headers GNU has in the wrong file.
	awk -F '\t' '$4 ~ /\/src\/[a-z0-9\/-]*\.c$/ && $5 > 0 && $6 == 0 { print $1 }' dump | while read -r rva; do
		printf '%x\n' $((base + rva))
	done >addresses
	ok "rossym-$program.exe has rows of our code" test "$(wc -l <addresses)" -ge 500
	diag "$(wc -l <addresses) rows"
	$gnu -f -e "$SELF_DIR/unstripped/rossym-$program.exe" <addresses >gnu
	ok "rossym-$program.exe: each of them as $gnu" \
		sh -c 'rossym-addr2line -f -e "$1" <addresses >ours; diff gnu ours | head -n 20; cmp gnu ours' sh "$self"
done

done_testing
