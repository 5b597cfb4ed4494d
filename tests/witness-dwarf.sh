# SPDX-License-Identifier: GPL-2.0-or-later
#
# Whether rossym-addr2line reads DWARF as llvm-dwarfdump does, which shares no code with it: function, inlined calls and places of each
# byte of each function, for programs that are compiled here.  llvm.awk turns what llvm-dwarfdump prints into answers.

. "${srcdir:-.}/tests/lib/tap.sh"

dump=$(newest llvm-dwarfdump)
test -n "$dump" || skip_all 'no llvm-dwarfdump'
mkdir src && cp "$SRC"/tests/witness-dwarf/*.cc "$SRC"/tests/witness-dwarf/*.h src/ || exit 99

# compiled NAME MACHINE COMPILER FLAGS...: makes NAME.exe of src's files.  GNU ld links it, also for clang.
compiled () {
	machine=$2 compiler=$3
	shift 3
	case $machine in
	i686) symbol=_entry ;;
	*) symbol=entry ;;
	esac
	for unit in one two; do
		$compiler "$@" -fno-asynchronous-unwind-tables -fno-exceptions -c -o $unit.o src/$unit.cc || return
	done
	$machine-w64-mingw32-g++ "$@" -nostdlib -Wl,-e,$symbol -o "$name.exe" one.o two.o
}

# witness NAME MACHINE: stores what llvm-dwarfdump says of NAME.exe in file want
witness () {
	case $2 in
	i686) high_digits=0x00 ;;
	*) high_digits=0x0000000140 ;;
	esac
	# It warns of the zeros that fill LTO's section after its last unit.
	"$dump" --debug-info --debug-types --debug-line "$1.exe" >dump 2>warnings &&
		awk -v high_digits=$high_digits -f "$SRC/tests/witness-dwarf/llvm.awk" dump | sort | tr '\t' '\n' >want
}

# Whether it knows a function, a line of it, and that there are inlined calls.  -O0 inlines nothing, and MinGW's
# LTO loses the names of inlined functions.
knows () {
	calls=$(($(wc -l <want) - 3 * $(grep -c '^0x' want)))
	case $name in
	*-O0) test $calls -eq 0 ;;
	*) test $calls -gt 0 ;;
	esac && case $name in
	*LTO) ;;
	*) ! grep -q '^??' want ;;
	esac && grep -q '^entry$' want && grep -q '/src/one.cc:9$' want && grep -q '/generated.y:70000$' want
}

# agrees NAME MACHINE COMPILER FLAGS...
agrees () {
	name=$1
	if ! has "${3%% *}" || ! has "$2-w64-mingw32-g++"; then
		skip "$1" "no ${3%% *} or $2-w64-mingw32-g++"
		return
	fi
	ok "$1: it is compiled" compiled "$@"
	witness "$1" "$2"
	# What llvm.awk cannot read must not pass for agreement.
	ok "$1: the witness has functions, lines and inlined calls" knows
	grep '^0x' want >addresses
	check "$1: each byte of each function" -I addresses -O want rossym-addr2line -afi -e "$1.exe" </dev/null
}

# ------------------------------------------------------------------------------------------------------ gcc

for machine in x86_64 i686; do
	for version in 2 3 4 5; do
		for level in 0 2; do
			agrees "$machine, DWARF $version, -O$level" $machine $machine-w64-mingw32-g++ -gdwarf-$version -O$level
		done
	done
	agrees "$machine, types in sections of their own" $machine $machine-w64-mingw32-g++ -gdwarf-4 -O2 -fdebug-types-section
	agrees "$machine, type units of DWARF 5" $machine $machine-w64-mingw32-g++ -gdwarf-5 -O2 -fdebug-types-section
	agrees "$machine, LTO" $machine $machine-w64-mingw32-g++ -g -O2 -flto
done

# ---------------------------------------------------------------------------------------------------- clang

clang=$(newest clang)
for version in 2 4 5; do
	for level in 0 2; do
		agrees "clang, DWARF $version, -O$level" x86_64 "${clang:-clang} --target=x86_64-w64-mingw32" -gdwarf-$version -O$level
	done
done

done_testing
