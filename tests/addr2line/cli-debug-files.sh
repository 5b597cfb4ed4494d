# SPDX-License-Identifier: GPL-2.0-or-later
#
# rossym-embed takes debug information from other files: where it looks, which names it takes from an image, what proves that
# a file belongs, and that nothing else is opened.  The witness is the image before it was stripped: the table must be the same,
# byte for byte.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"

# strip_image FROM TO: an image without DWARF, stabs and table, but with its other bytes.
strip_image () {
	sed 's/\.debug_/.xebug_/g; s/\.zdebug_/.xdebug_/g; s/\.stab/.xtab/g; s/\.rossym/.xossym/g' "$1" >"$2"
}
# put FILE OFFSET BYTES: change bytes
put () {
	printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}
# stamp FILE BYTES: change the time stamp in the header
stamp () {
	put "$1" $(($(od -An -tu4 -j60 -N4 "$1") + 8)) "$2"
}
# same_table NAME IMAGE [OPTION...]: the table is that of the file want, and nothing is said.
same_table () {
	same_name=$1
	shift
	check "$same_name" rossym-embed --table-only "$@" got </dev/null
	ok "$same_name: its table" cmp want got
}
# refused NAME WARNING [OPTION...] IMAGE: nothing of other files is used.
refused () {
	refused_name=$1
	refused_text=$2
	shift 2
	check "$refused_name" -e "$refused_text" rossym-embed --table-only "$@" got </dev/null
	ok "$refused_name: it is not used" cmp alone got
}

# ------------------------------------------------------------------------------- the image before it was stripped

mkdir other
# To start a program takes long under Wine.
on_windows && images=stabs32 || images='dwarf32 dwarf64 stabs32'
for name in $images; do
	cp "$DATA/$name.nostrip.exe" full
	strip_image full x.exe
	ok "$name: the whole table" rossym-embed --table-only full want
	ok "$name: the table of the image alone" rossym-embed --table-only x.exe alone
	ok "$name: that has less" sh -c '! cmp -s want alone'
	mkdir .debug symbols
	for file in x.exe.dbg x.dbg .debug/x.exe.dbg symbols/x.exe symbols/x.dbg .debug/x.exe; do
		cp full $file
		same_table "$name: $file" x.exe
		rm $file
	done
	for file in x.exe x.exe.dbg x.dbg; do
		cp full other/$file
		same_table "$name: $file in a directory" --debug-directory=none --debug-directory=other x.exe
		rm other/$file
	done
	rmdir .debug symbols
	for file in x.debug x other/x.exe .dbg; do
		cp full $file
		refused "$name: $file is not looked for" '' x.exe
		rm $file
	done
	same_table "$name: a file that is named" --pdb=full x.exe
	same_table "$name: the option's other name" --debug-file=full x.exe
	cp full x.dbg
	check "$name: -v" -g "*
got: debug information is in x.dbg
*" sh -c 'rossym-embed -v --table-only x.exe got | { echo; cat; } >&2' </dev/null
	cases 'an image with a table needs nothing'
done

decoy () {
	mkdir -p "$(dirname "$1")"
	printf 'Microsoft C/C++ MSF 7.00\r\n\032DS\0\0\0' >"$1"
}
# opened NAME FILE [OPTION...]: of all decoys, the image p.dll has rossym-embed open this one; "" is none.
opened () {
	opened_name=$1
	opened_file=$2
	shift 2
	rossym-embed --allow-empty --table-only "$@" p.dll got 2>said
	check "$opened_name" sed -n 's/^rossym-embed: warning: p.dll: \(.*\) is not used: .*/\1/p' said <<-EOT
		$opened_file
	EOT
	check "$opened_name: nothing else is said" sh -c 'grep -v " is not used: " said | cat' </dev/null
}
none () {
	none_name=$1
	shift
	check "$none_name" rossym-embed --allow-empty --table-only "$@" p.dll got </dev/null
}

cases 'the same time stamp, another byte of code, in a file that is named'
if on_windows; then
	skip 'upper and lower case' 'Windows does not tell them apart'
	rm -rf -- *
else
	cases 'stores'
	for place in . .debug symbols d; do
		decoy $place/Y.PDB
		opened "capitals in $place" "$(echo $place/Y.PDB | sed 's,^\./,,')" --debug-directory=d
		decoy $place/y.PDB
		opened "of several in $place, always the same" "$(echo $place/Y.PDB | sed 's,^\./,,')" --debug-directory=d
		decoy $place/y.pdb
		opened "the right case first in $place" "$(echo $place/y.pdb | sed 's,^\./,,')" --debug-directory=d
		rm $place/[Yy].*
	done
	pdb_image p.dll 2 "${rsds}Y.PDB\\0"
	decoy y.pdb
	opened 'an image that records capitals' y.pdb
fi
pdb_image p.dll 2 "${rsds}\\0"
decoy d/.build-id/33/323130353437363839616263646566.debug
opened 'a build-id' d/.build-id/33/323130353437363839616263646566.debug --debug-directory=d
rm -rf -- *

here=$(pwd)
if ! on_windows || skip 'recorded paths' 'their form is that of Windows'; then
	decoy far/y.pdb
	pdb_image p.dll 2 "$rsds$here/far/y.pdb\\0"
	none 'a recorded path is not opened'
	opened 'but with --recorded-paths' "$here/far/y.pdb" --recorded-paths
	decoy far/z.debug
	pdb_image p.dll 2 "$nb10$here/far/z.dll\\0"
	none 'nor one beside a recorded path'
	opened 'but with --recorded-paths: the file beside it' "$here/far/z.debug" --recorded-paths
	for path in "/$here/far/y.pdb" "\\\\\\\\$here/far/y.pdb" "far/y.pdb" "C:$here/far/y.pdb" "$here/far/y.pdb:1" "/dev/zero"; do
		pdb_image p.dll 2 "$rsds$path\\0"
		case $path in
		/dev/zero) opened_text='rossym-embed: warning: /dev/zero: not a regular file; it is not read' ;;
		*) opened_text= ;;
		esac
		check "a recorded path that is not opened: $path" -e "$opened_text" rossym-embed --allow-empty --table-only \
			--recorded-paths p.dll got </dev/null
	done
fi
rm -rf -- *

# All names of files that the system is asked for.
if ! on_windows && witness strace && strace -o traced -f true 2>/dev/null || no_witness 'what the disk is asked for' 'no strace'; then
	cases 'what the disk is asked for'
fi
cd .. || exit 99

# ------------------------------------------------------------------------------------------ what objcopy makes

cat >program.c <<'EOT'
static inline __attribute__((always_inline)) int twice(int x) { return x > 3 ? x * x : x * 2; }
__attribute__((noinline)) int two(int a) { return twice(a) + 1; }
int start(int n) { return two(n); }
EOT
objcopied () {
	tool=$machine-w64-mingw32
	$tool-gcc -g -O1 -ffile-prefix-map="$PWD=/src" -nostdlib -Wl,--entry=0,--build-id -o full.exe program.c &&
		mv full.exe full && $tool-objcopy --only-keep-debug full x.keep &&
		$tool-objcopy --strip-debug full strip-debug && $tool-objcopy --strip-all full strip-all &&
		$tool-objcopy --add-gnu-debuglink=x.keep strip-all link.exe
}
for machine in i686 x86_64; do
	made $machine full x.keep strip-debug strip-all link.exe -- objcopied
	ok "$machine: the whole table" rossym-embed --table-only full want
	for option in strip-debug strip-all; do
		cp $option x.exe
		rossym-embed --table-only --allow-empty x.exe alone
		cp x.keep x.exe.dbg
		same_table "$machine: --only-keep-debug, --$option" x.exe
		mkdir symbols
		mv x.exe.dbg symbols/x.exe
		same_table "$machine: as ReactOS's SEPARATE_DBG, --$option" x.exe
		ok "$machine: an image" rossym-embed x.exe out.exe
		ok "$machine: that is one" pecheck out.exe x.exe
		rm -r symbols
	done
	same_table "$machine: --add-gnu-debuglink" link.exe
	stamp x.exe '\0\0\0\0'
	stamp x.keep '\1\2\3\4'
	mv x.keep x.dbg
	same_table "$machine: the build-id is proof enough" x.exe
	mv x.dbg x.exe.dbg
	put x.exe.dbg $(($(grep -abo RSDS x.exe.dbg | sed 's/:.*//; q') + 4)) 'other'
	check "$machine: another build-id" -e 'rossym-embed: warning: x.exe: x.exe.dbg is not used: its build-id is not that of the image' \
		rossym-embed --table-only --allow-empty x.exe got </dev/null
	rm x.exe.dbg
done

# ------------------------------------------------------------------------------- PDB files of any size

# A PDB file is mapped, and only the parts that are needed are read.  This one is sparse.
mkpdb=$tap_build/tests/tools/mkpdb
if { ! on_windows && test -x "$mkpdb" || skip 'a PDB file of 5 GiB' 'no builder'; } &&
	{ test "$(getconf LONG_BIT)" = 64 || skip 'a PDB file of 5 GiB' 'not in an address space of 32 bits'; }; then
	cases 'look-ups in a PDB file of 5 GiB'
fi

done_testing
