# SPDX-License-Identifier: GPL-2.0-or-later
#
# Kernel memory dumps of all types, with the page tables of each processor.

. "${srcdir:-.}/tests/lib/tap.sh"
builder=kerneldump
. "$SRC/tests/lib/dumps.sh"

# kind NAME DUMP WORD...: the kernel dump that these make has the stack and the modules of the minidump.
kind () {
	name=$1 dump=$2
	shift 2
	"$builder" "$dumps/$dump.dmp" kernel.dmp "$@"
	rossym-log -u -d "$dumps" "$dumps/$dump.dmp" >report
	first report >want
	sed -n -e 's/   (deferred)//' -e 's/^\([0-9a-f]*  *[0-9a-f]*  *[^ ]*   DateStamp [0-9a-f]*\).*/\1/p' report | sort >modules.want
	check "$name" -O /dev/null sh -c "rossym-log -u -d '$dumps' kernel.dmp >report"
	first report >seen
	sed -n -e 's/   (deferred)//' -e 's/^\([0-9a-f]*  *[0-9a-f]*  *[^ ]*   DateStamp [0-9a-f]*\).*/\1/p' report | sort >modules
	check '... has the stack of the minidump' -O want cat seen
	ok '... which has callers' grep -q unwound seen
	check '... and its modules' -O modules.want cat modules
}

for type in 1 2 5 6 7 8 9 10; do
	kind "x86-64, type $type" zoo-gcc-x86_64.0 type=$type
done
for type in 1 2 5 6 7; do
	kind "x86, type $type" zoo-gcc-i686.0 type=$type
	kind "x86 with PAE, type $type" zoo-gcc-i686.0 type=$type pae low=0x20
done
kind 'x86-64, page tables with five levels' zoo-gcc-x86_64.0 five type=1
kind '... in a bitmap' zoo-clang-x86_64.2 five type=5 low=0xfff
kind 'low bits of the directory table base' zoo-clang-x86_64.2 low=0xfff
kind 'transition, x86-64' zoo-gcc-x86_64.4 transition
kind 'transition, x86' zoo-gcc-i686.4 transition
kind 'transition, PAE' zoo-gcc-i686.4 transition pae
# Whether there is PAE is not always said: a table of PAE need not begin with a page.
kind 'PAE that the header does not tell' zoo-gcc-i686.2 pae low=0x40 0x5c=0x45474150
kind 'no PAE, and the header does not tell' zoo-gcc-i686.2 0x5c=0x45474150

# ------------------------------------------------------------------------------------------------ images in memory

# in_memory NAME DUMP IMAGE BASE WORD...: no image is needed.
in_memory () {
	name=$1 dump=$2 image=$3 base=$4
	shift 4
	rossym-log -u -d "$dumps" "$dumps/$dump.dmp" >report
	first report >want
	"$builder" "$dumps/$dump.dmp" kernel.dmp "image=$base:$dumps/$image" "$@"
	check "$name" -O /dev/null sh -c "rossym-log -u kernel.dmp >report"
	first report >seen
	check '... has the stack of the minidump' -O want cat seen
	ok '... which has callers' grep -q unwound seen
}
for large in small large giant; do
	in_memory "an image in $large pages" zoo-gcc-x86_64.6 zoo-gcc-x86_64.exe 0x140000000 type=5 $large
done
# Of x86, the name of .eh_frame is not in memory, but its content is.
for mode in 0 2 4 6 8; do
	in_memory ".eh_frame in memory, $mode" zoo-gcc-i686.$mode zoo-gcc-i686.exe 0x400000 type=2
	ok '... by it' sh -c 'grep -q "^    unwound, proved" seen && ! grep -q scanned seen'
done
# FrameData is in a PDB file: callers are known otherwise.
places () {
	sed -n 's/^ *\([0-9]*  zoo[^ ]* + .*\)/\1/p' "$1"
}
for paging in '' pae; do
	"$builder" "$dumps/zoo-clang-i686.2.dmp" kernel.dmp "image=0x400000:$dumps/zoo-clang-i686.exe" type=2 large $paging
	rossym-log -u -d "$dumps" "$dumps/zoo-clang-i686.2.dmp" >report
	first report >want.stack
	places want.stack >want
	check "x86: an image in large pages ${paging:-without PAE}" -O /dev/null sh -c "rossym-log -u kernel.dmp >report"
	first report >seen.stack
	places seen.stack >seen
	check '... has the stack of the minidump' -O want cat seen
done
in_memory 'an image in memory, full dump' zoo-clang-x86_64.2 zoo-clang-x86_64.exe 0x140000000 type=1

# Its PDB file is that of the image, as LLVM shows it.
readobj=$(newest llvm-readobj)
if witness "$readobj"; then
	"$readobj" --coff-debug-directory "$dumps/zoo-clang-x86_64.exe" >directory
	# LLVM 14 prints bytes, (82 20 79 B8 ...), of which the first numbers are little-endian; LLVM 19 the usual form.
	guid=$(sed -n 's/.*PDBGUID: \({.*}\)/\1/p; s/.*PDBGUID: (\(.*\))/\1/p' directory | awk '
		/^{/
		/^[^{]/ { print "{" $4 $3 $2 $1 "-" $6 $5 "-" $8 $7 "-" $9 $10 "-" $11 $12 $13 $14 $15 $16 "}" }')
	age=$(sed -n 's/.*PDBAge: \(.*\)/\1/p' directory)
	check 'the GUID and age of the PDB file' -O /dev/null sh -c 'rossym-log -u kernel.dmp >report'
	ok '... are those of the image' grep -q "zoo-clang-x86_64.exe   DateStamp [0-9a-f]*, PDB $guid $age\$" report
else
	no_witness 'the GUID and age of the PDB file' 'no llvm-readobj'
fi

# ------------------------------------------------------------------------------------------------ the context of the bugcheck

"$builder" "$dumps/zoo-gcc-x86_64.0.dmp" kernel.dmp context=0xfffff80000200ff0
rossym-log -u -d "$dumps" "$dumps/zoo-gcc-x86_64.0.dmp" >report
first report >want
check 'a context that the bugcheck names' -O /dev/null sh -c "rossym-log -u -d '$dumps' kernel.dmp >report"
sed -n '/^Thread 0, by the context record of the bugcheck/,/^$/p' report | sed 1d >seen
check '... has the stack of the minidump' -O want cat seen
ok '... after that of the header' sh -c 'first=$(sed -n "/(crashed)/,/^$/p" report | sed -n 2p) && test "$first" = " 0  0x10 in no module"'
"$builder" "$dumps/zoo-gcc-x86_64.0.dmp" kernel.dmp context=0xfffff80000200ff0 0x58=0x12345000
check 'a context that is not in the dump' -O /dev/null sh -c "rossym-log -u kernel.dmp >report"
ok '... is left out' sh -c '! grep -q "context record of the bugcheck" report'

# ------------------------------------------------------------------------------------------------ annotations

"$builder" "$dumps/zoo-gcc-x86_64.2.dmp" kernel.dmp type=5
rossym-log -d "$dumps" kernel.dmp >report 2>/dev/null
sed -n '/(crashed)/,/^$/s/^ *[0-9]*  zoo.*(\([a-z_]*\)))*$/\1/p' report | head -n 4 >names
printf 'leaf\ncalls_leaf\nrun\nmain\n' >want
check 'functions' -O want cat names
rossym-log --crashes -d "$dumps" kernel.dmp >seen 2>/dev/null
ok 'one crash' grep -qx 'Crash 1 of 1: bugcheck 0x0000007E SYSTEM_THREAD_EXCEPTION_NOT_HANDLED' seen
sed -n -e 1,2p -e '/^Exception record/,/^Thread/p' report >seen
cat >want <<'END'
Kernel memory dump (full bitmap) of 2000-02-29 12:07:21 UTC
System: Windows build 19041, x86-64, 2 processors
Exception record: EXCEPTION_ACCESS_VIOLATION (0xc0000005) at 00000001400017b0 (/src/dump/mk/zoo.c:49 (leaf))
Read from: 0x0

Thread 0 (crashed), by the context record
END
check 'the head, and what was accessed' -O want cat seen

# ------------------------------------------------------------------------------------------------ 4 GiB

rm -f kernel.dmp
if "$builder" "$dumps/zoo-gcc-x86_64.6.dmp" kernel.dmp type=1 frames=0x100000 highest=0xffe00 2>/dev/null; then
	for type in 1 5 10; do
		"$builder" "$dumps/zoo-gcc-x86_64.6.dmp" kernel.dmp type=$type frames=0x100000 highest=0xffe00
		rossym-log -u -d "$dumps" "$dumps/zoo-gcc-x86_64.6.dmp" >report
		first report >want
		if test -x /usr/bin/time && /usr/bin/time -f '%M' true 2>/dev/null; then
			check "a dump of 4 GiB, type $type" -O /dev/null sh -c "/usr/bin/time -f '%M %e' -o usage '$tap_build/src/rossym-log' -u -d '$dumps' kernel.dmp >report"
			read -r memory seconds <usage
			diag "4 GiB, type $type: $memory KiB, $seconds s"
			case ${CFLAGS-} in
			*-fsanitize*) ;;
			*) ok '... needs at most 64 MiB' test "$memory" -le 65536 ;;
			esac
		else
			check "a dump of 4 GiB, type $type" -O /dev/null sh -c "rossym-log -u -d '$dumps' kernel.dmp >report"
		fi
		first report >seen
		check '... has the stack of the minidump' -O want cat seen
	done
else
	skip 'a dump of 4 GiB' 'no sparse files of this size here'
fi
rm -f kernel.dmp

# ------------------------------------------------------------------------------------------------ damaged ones

# damaged NAME MESSAGE WORD...: there is a report, and these messages.
damaged () {
	name=$1 message=$2 dump=$3
	shift 3
	"$builder" "$dumps/$dump.dmp" bad.dmp "$@"
	check "$name" -s 1 -O /dev/null -g "rossym-log: bad.dmp: $message" sh -c 'rossym-log -u bad.dmp >report'
	ok '... and the report' grep -q '^Thread 0 (crashed)' report
}
x64=zoo-gcc-x86_64.0 x86=zoo-gcc-i686.0
list='the list of modules at address 0xfffff80000001040: is in memory that the dump does not have'
damaged 'modules in a circle' 'the list of modules at address 0xfffff8*: leads back to an entry before' $x64 circle
check '... each once' sh -c 'grep -c "  *zoo-gcc-x86_64.exe  .*DateStamp" report' <<'END'
1
END
damaged 'modules that lead nowhere' 'the list of modules at address 0x10: is in memory that the dump does not have' $x64 \
	0xfffff80000001040:0x10 0xfffff80000001044:0
damaged 'an ARM64 system' 'the header at offset 0x0: is of an ARM64 system, whose page tables are not read*' $x64 type=5 0x30=0xaa64
damaged 'no such list' 'the list of modules at address 0x10: is in memory that the dump does not have' $x86 0x18=0x10
damaged 'no page tables' "$list" $x64 0x10=0x7fffff000
damaged 'page tables that lead to themselves' "$list" $x64 0x10=0x2000
damaged 'more runs than there is room for' "the list of runs of physical memory at offset 0x88: has more entries than there is room for
rossym-log: bad.dmp: $list" $x64 0x88=43
damaged 'a run of too many pages' "the list of runs of physical memory at offset 0x88: has a run of more pages than there can be
rossym-log: bad.dmp: $list" $x64 0xa4=0x7fffffff
damaged 'a run past the end of the file' 'the list of runs of physical memory at offset 0x88: has pages that are past the end of the file*' \
	$x64 0xa0=0x7fffffff
damaged 'x86: a run past the end of the file' 'the list of runs of physical memory at offset 0x64: has pages that are past the end of the file*' \
	$x86 0x70=0xffffffff
damaged 'no bitmap' "the bitmap of physical memory at offset 0x2000: has no mark of a bitmap
rossym-log: bad.dmp: $list" $x64 type=5 0x2000=1
damaged 'a bitmap with too many bits' 'the bitmap of physical memory at offset 0x2000: reaches past the end of the file*' $x64 type=5 0x2034=0x7fffffff
damaged 'a bitmap with another number of pages' 'the bitmap of physical memory at offset 0x2000: has another number of pages than it says' $x64 type=6 0x2028=1
damaged 'pages that begin in the bitmap' 'the bitmap of physical memory at offset 0x2000: has pages that begin in it*' $x64 type=7 0x2020=0x2010
damaged 'pages that begin after the end' 'the bitmap of physical memory at offset 0x2000: has pages that are past the end of the file*' $x64 type=5 0x2024=1
damaged 'more bits than pages' 'the bitmap of physical memory at offset 0x2000: has another number of pages than it says
rossym-log: bad.dmp: the bitmap of physical memory at offset 0x2000: has pages that are past the end of the file*' $x64 type=5 0x2038=0xffffffff
damaged 'x86: a bitmap with another number of pages' 'the bitmap of physical memory at offset 0x1000: has another number of pages than it says' $x86 type=2 0x1014=1
damaged 'no list of runs' "the list of runs of physical memory at offset 0x2000: has no mark of such a list
rossym-log: bad.dmp: $list" $x64 type=8 0x2008=1
damaged 'runs before the pages' "the list of runs of physical memory at offset 0x2000: has no place where the pages can begin
rossym-log: bad.dmp: $list" $x64 type=9 0x2018=0x2000
damaged 'another processor' 'the header at offset 0x0: is of a processor whose page tables are not read' $x64 0x30=0x1c0
"$builder" "$dumps/$x64.dmp" whole.dmp type=5
head -c 8200 whole.dmp >bad.dmp
check 'a dump that was cut in its bitmap' -s 1 -O /dev/null -e "rossym-log: bad.dmp: the bitmap of physical memory at offset 0x2000: reaches past the end of the file
rossym-log: bad.dmp: $list" sh -c 'rossym-log -u bad.dmp >report'
done_testing
