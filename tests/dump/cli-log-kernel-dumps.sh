# SPDX-License-Identifier: GPL-2.0-or-later
#
# Kernel memory dumps of all types, with the page tables of each processor.

. "${srcdir:-.}/tests/lib/tap.sh"
builder=$tap_build/tests/tools/kerneldump
. "$SRC/tests/lib/dumps.sh"

# The modules of the report.
modules () {
	sed -n -e 's/   (deferred)//' -e 's/^\([0-9a-f]*  *[0-9a-f]*  *[^ ]*   DateStamp [0-9a-f]*\).*/\1/p' report | sort
}

# kind NAME DUMP WORD...: the kernel dump that these make has the stack and the modules of the minidump.
kind () {
	name=$1 dump=$2
	shift 2
	"$builder" "$dumps/$dump.dmp" kernel.dmp "$@"
	minidump "$dump"
	modules >modules.want
	same_stack "$name" "rossym-log -u -d '$dumps' kernel.dmp"
	modules >modules
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
	minidump "$dump"
	"$builder" "$dumps/$dump.dmp" kernel.dmp "image=$base:$dumps/$image" "$@"
	same_stack "$name" 'rossym-log -u kernel.dmp'
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
	minidump zoo-clang-i686.2
	mv want want.stack
	places want.stack >want
	check "x86: an image in large pages ${paging:-without PAE}" -O /dev/null sh -c "rossym-log -u kernel.dmp >report"
	first report >seen.stack
	places seen.stack >seen
	check '... has the stack of the minidump' -O want cat seen
done
in_memory 'an image in memory, full dump' zoo-clang-x86_64.2 zoo-clang-x86_64.exe 0x140000000 type=1

# Its PDB file is that of the image, as LLVM shows it.
readobj=$(newest llvm-readobj)
if witness "$readobj" || no_witness 'the GUID and age of the PDB file' 'no llvm-readobj'; then
	"$readobj" --coff-debug-directory "$dumps/zoo-clang-x86_64.exe" >directory
	# LLVM 14 prints bytes, (82 20 79 B8 ...), of which the first numbers are little-endian; LLVM 19 the usual form.
	guid=$(sed -n 's/.*PDBGUID: \({.*}\)/\1/p; s/.*PDBGUID: (\(.*\))/\1/p' directory | awk '
		/^{/
		/^[^{]/ { print "{" $4 $3 $2 $1 "-" $6 $5 "-" $8 $7 "-" $9 $10 "-" $11 $12 $13 $14 $15 $16 "}" }')
	age=$(sed -n 's/.*PDBAge: \(.*\)/\1/p' directory)
	check 'the GUID and age of the PDB file' -O /dev/null sh -c 'rossym-log -u kernel.dmp >report'
	ok '... are those of the image' grep -q "zoo-clang-x86_64.exe   DateStamp [0-9a-f]*, PDB $guid $age\$" report
fi

# ------------------------------------------------------------------------------------------------ the context of the bugcheck

cases 'a context that the bugcheck names'
if "$builder" "$dumps/zoo-gcc-x86_64.6.dmp" kernel.dmp type=1 frames=0x100000 highest=0xffe00 2>/dev/null ||
	skip 'a dump of 4 GiB' 'no sparse files of this size here'; then
	for type in 1 5 10; do
		"$builder" "$dumps/zoo-gcc-x86_64.6.dmp" kernel.dmp type=$type frames=0x100000 highest=0xffe00
		minidump zoo-gcc-x86_64.6
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
fi
# damaged NAME MESSAGE WORD...: there is a report, and these messages.
damaged () {
	name=$1 message=$2 dump=$3
	shift 3
	"$builder" "$dumps/$dump.dmp" bad.dmp "$@"
	check "$name" -s 1 -O /dev/null -g "rossym-log: bad.dmp: $message" sh -c 'rossym-log -u bad.dmp >report'
	ok '... and the report' grep -q '^Thread 0 (crashed)' report
}

cases '... each once'
done_testing
