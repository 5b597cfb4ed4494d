# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the programs say of files that are no image with a table: what they are, and where the symbols are.
. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"
: "${CC:=cc}"

# says KIND FILE: FILE is of a KIND that all programs name; rossym-addr2line says what GNU does before.
says () {
	check "$1, $2: rossym-addr2line" -s 1 -g "rossym-addr2line: $2: file format not recognized
rossym-addr2line: $2: at $1" rossym-addr2line -e "$2" 401000 </dev/null
	check "$1, $2: --check" -s 1 -e "rossym-addr2line: $2: at $1" rossym-addr2line --check -e "$2" </dev/null
	check "$1, $2: rossym-embed" -s 1 -e "rossym-embed: $2: at $1" rossym-embed "$2" out </dev/null
	check "$1, $2: rossym-log" -s 1 -e "rossym-log: $2: at $1
rossym-log: warning: $2: module without symbols" -i "<$2:1000>\n" rossym-log -e "$2" <<-END
		<$2:1000>
	END
	ok "$1, $2: nothing was written" test ! -e out
}

zeros () {
	dd if=/dev/zero bs="$1" count=1 2>/dev/null
}

# kind FILE ZEROS BYTES KIND: FILE, which has BYTES and then zeros, is of a KIND
kind () {
	{ printf "$3" && zeros "$2"; } >"$1"
	says "$4" "$1"
}

# mz FILE RELOCATIONS BYTES [KIND]: a DOS header whose relocations are at RELOCATIONS; BYTES are where e_lfanew points.
mz () {
	{ printf MZ && zeros 22 && printf "\\$2\\0" && zeros 34 && printf '\100\0\0\0' && printf "$3" && zeros 100; } >"$1"
	test $# -eq 3 || says "$4" "$1"
}

# written KIND FILE: FILE is an object of that KIND
written () {
	check "$2" -s 1 -e "rossym-addr2line: $2: at $1" rossym-addr2line --check -e "$2" </dev/null
}
objects () {
	x86_64-w64-mingw32-gcc -c -o gcc f.c && x86_64-w64-mingw32-gcc -Wa,-mbig-obj -c -o bigobj f.c &&
		i686-w64-mingw32-gcc -c -o i386 f.c
}

# names NAME RECORD [STATEMENT...]: what the image is said to have; "" is no PDB, !WHAT is damage with this warning.
names () {
	names_warning=
	case $1 in
	'') names_want='; no debug information and no symbols of code were found' ;;
	!*)
		names_want='; its debug information is damaged or cannot be read'
		names_warning="rossym-addr2line: warning: y.dll: ${1#!}
" ;;
	*) names_want="; its symbols are in $1$guid" ;;
	esac
	names_is=$2
	shift 2
	pdb_image y.dll 2 "$names_is" "$@"
	check "$names_is $*" -s 1 -e "${names_warning}rossym-addr2line: y.dll: no .rossym section$names_want" rossym-addr2line -e y.dll 0 </dev/null
}
images () {
	for bits in 32:i686:_start 64:x86_64:start; do
		machine=${bits#*:}
		"${machine%:*}-w64-mingw32-gcc" -g -O1 -ffile-prefix-map="$PWD=/src" -nostdlib -Wl,--entry="${machine#*:}" \
			-o "whole-${bits%%:*}.exe" whole.c || return
		objcopy --only-keep-debug "whole-${bits%%:*}.exe" "objcopy-${bits%%:*}" &&
			"$(newest llvm-objcopy)" --only-keep-debug "whole-${bits%%:*}.exe" "llvm-objcopy-${bits%%:*}" || return
	done
}
# debug_file TOOL BITS: TOOL-BITS is a debug file of the image whole-BITS.exe, which TOOL has made.
debug_file () {
	whole=whole-$2.exe
	mv "$1-$2" made
	check "$1, $2 bits: it is refused" -s 1 -g 'rossym-embed: made: at 0x*: a debug file (--only-keep-debug): its code has no bytes; only --table-only can use it' \
		rossym-embed made out </dev/null
	ok 'nothing was written' test ! -e out
	check "--table-only" rossym-embed --table-only made made.sym </dev/null
	rossym-embed --table-only $whole whole.sym
	# Without code no call is seen before an end marker, so that is not moved; and without sections no row ends with one.
	rows_of () {
		rossym-addr2line --dump -e "$1" | awk -F '\t' -v OFS='\t' '$3 != "_rossym_end__" { $2 = ""; print }'
	}
	rows_of made.sym >made.rows
	rows_of whole.sym >whole.rows
	ok 'gives the rows of the whole image' cmp made.rows whole.rows
	rossym-addr2line --dump -e made.sym >rows
	check 'which can be put into an image' rossym-embed --from-dump=rows $whole final.exe </dev/null
	rows_of final.exe >final.rows
	ok 'and all of them are there' cmp made.rows final.rows
	rm -f made
}

cases 'kinds'

done_testing
