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
rossym-log: warning: $2: module without .rossym table" -i "<$2:1000>\n" rossym-log -e "$2" <<-END
		<$2:1000>
	END
	ok "$1, $2: nothing was written" test ! -e out
}

zeros () {
	dd if=/dev/zero bs="$1" count=1 2>/dev/null
}

# ---- magic numbers ----

{ printf '\177ELF' && zeros 60; } >elf
says '0x0: an ELF file' elf
{ printf '\317\372\355\376' && zeros 60; } >macho
says '0x0: a Mach-O file' macho
{ printf 'Microsoft C/C++ MSF 7.00\r\n\032DS\0\0\0' && zeros 60; } >x.pdb
says '0x0: a PDB file' x.pdb
{ printf 'Microsoft C/C++ program database 2.00\r\n\032JG\0\0' && zeros 60; } >old.pdb
says '0x0: a PDB file' old.pdb
{ printf 'BSJB\1\0\1\0' && zeros 60; } >portable.pdb
says '0x0: a portable PDB file' portable.pdb

# ---- objects: machine, number of sections; symbol table, size of the optional header ----

{ printf '\144\206\2\0' && zeros 100; } >x.obj
says '0x0: a COFF object for machine 0x8664' x.obj
{ printf '\0\0\377\377\0\0\114\1' && zeros 100; } >import.obj
says '0x0: a COFF import object for machine 0x14c' import.obj
{ printf '\0\0\377\377\2\0\144\252' && zeros 100; } >big.obj
says '0x0: a COFF object for machine 0xaa64' big.obj

# ---- MZ, and another header than that of PE ----

# mz FILE RELOCATIONS BYTES: a DOS header whose relocations are at RELOCATIONS; BYTES are where e_lfanew points.
mz () {
	{ printf MZ && zeros 22 && printf "\\$2\\0" && zeros 34 && printf '\100\0\0\0' && printf "$3" && zeros 100; } >"$1"
}
mz ne 100 'NE'
says '0x40: an NE image (16-bit Windows or OS/2)' ne
mz le 100 'LE'
says '0x40: an LE or LX image (a VxD, DOS extender or OS/2)' le
mz lx 100 'LX'
says '0x40: an LE or LX image (a VxD, DOS extender or OS/2)' lx
mz dos 34 'no header'
says '0x18: a DOS program' dos

# ---- what is not known: GNU's message alone, from rossym-addr2line ----

mz unknown 0 'no header'
{ printf '\114\1' && zeros 100; } >no-sections
{ printf '\144\206\2\0' && zeros 12 && printf '\360\0' && zeros 100; } >optional-header
printf '\144\206\2\0' >short.obj
printf 'Microsoft C/C++ MSF' >short.pdb
echo text >text
for file in unknown no-sections optional-header short.obj short.pdb text; do
	check "of no known kind: $file" -s 1 -e "rossym-addr2line: $file: file format not recognized" \
		rossym-addr2line -e "$file" 0 </dev/null
done

# ---- archives ----

printf '!<arch>\n' >x.a
printf '!<thin>\n' >thin.a
cases 'an archive'

# ---- what compilers and linkers write ----

# written KIND FILE: FILE is an object of that KIND
written () {
	check "$2" -s 1 -e "rossym-addr2line: $2: at $1" rossym-addr2line --check -e "$2" </dev/null
}
echo 'int f(void) { return 1; }' >f.c
objects () {
	x86_64-w64-mingw32-gcc -c -o gcc f.c && x86_64-w64-mingw32-gcc -Wa,-mbig-obj -c -o bigobj f.c &&
		i686-w64-mingw32-gcc -c -o i386 f.c
}
made objects gcc bigobj i386 -- objects
written '0x0: a COFF object for machine 0x8664' gcc
written '0x0: a COFF object for machine 0x8664' bigobj
written '0x0: a COFF object for machine 0x14c' i386
if has "${CC%% *}" && $CC -c -o object f.c 2>/dev/null && test "$(head -c 4 object)" = "$(printf '\177ELF')"; then
	written '0x0: an ELF file' object
else
	skip 'an object of this system' 'its compiler writes no ELF'
fi

# ---- a PDB file has the symbols ----

rsds='RSDS0123456789abcdef\1\2\3\4'
pdb_image x.dll 2 "${rsds}C:\\\\build\\\\out/x.pdb\\0"
guid=' (GUID 33323130353437363839616263646566, age 67305985)'
check 'a PDB that is damaged, beside it' -e "rossym-addr2line: warning: x.dll: x.pdb is not used: damaged at 0x20: its block size is not valid
rossym-addr2line: warning: x.dll: its symbols are in x.pdb" rossym-addr2line -e x.dll 401000 <<'EOT'
??:0
EOT
rm x.pdb
cases 'a PDB: rossym-addr2line'
mkdir modules
cp x.dll modules
cases 'a PDB: rossym-log, not named'

# Programs in .NET's intermediate language have PDB files of the same format.
mkpdb=$tap_build/tests/tools/mkpdb
dotnet='its PDB file is .NET'"'"'s, which has no symbols of machine code'
if ! test -x "$mkpdb"; then
	skip 'a PDB of .NET' 'no mkpdb for this system'
else
	"$mkpdb" dotnet net.dll x.pdb
	check 'a PDB of .NET: rossym-addr2line' -e "rossym-addr2line: warning: net.dll: $dotnet" rossym-addr2line -e net.dll 401000 <<-'END'
		??:0
	END
	check 'a PDB of .NET: rossym-embed' -s 1 -e "rossym-embed: net.dll: nothing to embed: $dotnet" rossym-embed net.dll out </dev/null
	check 'a PDB of .NET: rossym-log' -s 1 -e "rossym-log: net.dll: $dotnet
rossym-log: warning: net.dll: module without .rossym table" -i '<net.dll:1000>\n' rossym-log -e net.dll <<-'END'
		<net.dll:1000>
	END
	mv x.pdb net
	check 'a PDB of .NET that is named' -s 1 -e 'rossym-embed: net: a .NET PDB file, which has no symbols of machine code' \
		rossym-embed --pdb=net net.dll out </dev/null
	ok 'nothing was written' test ! -e out
fi

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
guid=''
names y.pdb 'NB10\0\0\0\0\1\2\3\4\1\0\0\0y.pdb\0'
guid=' (GUID 33323130353437363839616263646566, age 67305985)'
names y.pdb "${rsds}y.pdb"
names '' "${rsds}\\0"
names '' "${rsds}C:\\\\\\0"
names '' "${rsds}"
unknown='!the name of the PDB file is not known'
names "$unknown: its record is of an unknown kind, damaged or too long, at 0x420" 'RSDS'
names "$unknown: its record is of an unknown kind, damaged or too long, at 0x420" 'R'
names "$unknown: its record is of an unknown kind, damaged or too long, at 0x420" 'XSDS0123456789abcdef\1\2\3\4y.pdb\0'
names 'a?[31m?b.pdb' "${rsds}a\\033[31m\\nb.pdb\\0"
long=$(printf '%0300d' 0)
names "y$(printf '%078d' 0)" "${rsds}y$long"
# Debug information of another kind is what rossym-embed takes.
names '' "${rsds}y.pdb" 'section .debug_line size=16 flags=0x42000040'
pdb_image y.dll 2 "${rsds}y.pdb" 'section .stab size=16 flags=0x42000040'
check 'stabs without strings' -e 'rossym-addr2line: warning: y.dll: stabs are not used: their strings are not there
rossym-addr2line: warning: y.dll: its debug information is damaged or cannot be read' rossym-addr2line -e y.dll 401000 0 <<'EOT'
??:0
??:0
EOT
names '' "${rsds}y.pdb" 'section .debug_line_str size=16 flags=0x42000040'
# Damaged: the directory outside the file or the image, no room for it, a record past the end, another type.
names "$unknown: the debug directory is not in the file, by its entry at 0x128" "${rsds}y.pdb" 'poke header:.rdata+20 u32=0x7fffff00'
names "$unknown: the debug directory is not in the file, by its entry at 0x128" "${rsds}y.pdb" 'poke header:.rdata+12 u32=0x3000'
names '' "${rsds}y.pdb" 'poke opt+92 u32=6'
names "$unknown: its record is not in the file, by the entry of the debug directory at 0x400" "${rsds}y.pdb" 'truncate data:.rdata+40'
pdb_image y.dll 13 "${rsds}y.pdb"
check 'an entry of another type' -s 1 \
	-e 'rossym-addr2line: y.dll: no .rossym section; no debug information and no symbols of code were found' \
	rossym-addr2line -e y.dll 0 </dev/null

# ---- a debug file ----

cat >whole.c <<'EOT'
volatile int count;
void stop(void) __attribute__((noreturn));
void stop(void) { for (;;) count++; }
static inline int twice(int n) { return count + 2 * n; }
__attribute__((section("INIT"))) int begin(int n) { count = n; return twice(n); }
int start(void) { if (begin(3)) stop(); return 0; }
EOT
images () {
	for bits in 32:i686:_start 64:x86_64:start; do
		machine=${bits#*:}
		"${machine%:*}-w64-mingw32-gcc" -g -O1 -ffile-prefix-map="$PWD=/src" -nostdlib -Wl,--entry="${machine#*:}" \
			-o "whole-${bits%%:*}.exe" whole.c || return
		objcopy --only-keep-debug "whole-${bits%%:*}.exe" "objcopy-${bits%%:*}" &&
			"$(newest llvm-objcopy)" --only-keep-debug "whole-${bits%%:*}.exe" "llvm-objcopy-${bits%%:*}" || return
	done
}
made keep whole-32.exe whole-64.exe objcopy-32 objcopy-64 llvm-objcopy-32 llvm-objcopy-64 -- images
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
debug_file objcopy 32
debug_file objcopy 64
debug_file llvm-objcopy 32
debug_file llvm-objcopy 64

done_testing
