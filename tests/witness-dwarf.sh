# SPDX-License-Identifier: GPL-2.0-or-later
#
# Whether rossym-addr2line reads DWARF as llvm-dwarfdump does, which shares no code with it: function, inlined calls and places of each
# byte of each function, for programs that are compiled here.  llvm.awk turns what llvm-dwarfdump prints into answers.

. "${srcdir:-.}/tests/lib/tap.sh"

dump=$(newest llvm-dwarfdump)
test -n "$dump" || skip_all 'no llvm-dwarfdump'
mkdir src && cp "$SRC"/tests/witness-dwarf/one.* "$SRC"/tests/witness-dwarf/two.cc "$SRC"/tests/witness-dwarf/inline.h src/ || exit 99

# The compilers of agree() make NAME.exe of src's files.

# compiled COMPILER LINKER FLAGS...: C++.
compiled () {
	compiler=$1 linker=$2
	shift 2
	for unit in one two; do
		$compiler "$@" -fno-asynchronous-unwind-tables -fno-exceptions -c -o $unit.o src/$unit.cc || return
	done
	$linker "$@" -nostdlib -Wl,-e,$symbol -o "$name.exe" one.o two.o
}

fortran () {
	$machine-w64-mingw32-gfortran "$@" -c -o one.o src/one.f90 && linked
}

ada () {
	$machine-w64-mingw32-gcc "$@" -gnatp -gnatn -c -o one.o src/one.adb && linked
}

linked () {
	$machine-w64-mingw32-gcc -nostdlib -Wl,-e,$symbol -o "$name.exe" one.o
}

rust () {
	"$rustc" --target $machine-pc-windows-gnu --edition 2021 -g -C panic=abort -C linker=$machine-w64-mingw32-gcc \
		-C default-linker-libraries=no -C link-arg=-nostdlib -C link-arg=-Wl,-e,$symbol "$@" -o "$name.exe" src/one.rs
}

# All of Go's runtime comes with it.
golang () {
	HOME=$PWD GOCACHE=$PWD/cache GOFLAGS= GOOS=windows GOARCH=amd64 CGO_ENABLED=0 \
		go build -ldflags=-compressdwarf=false "$@" -o "$name.exe" src/one.go
}

# What llvm-dwarfdump says of NAME.exe, in file want.
witness () {
	case $machine,$name in
	i686,*) high_digits=0x00 ;;
	*,Go*) high_digits=0x0000000000 ;;
	*) high_digits=0x0000000140 ;;
	esac
	# It warns of the zeros that fill LTO's section after its last unit.
	"$dump" $dwo --debug-info --debug-types --debug-line "$name.exe" >dump 2>warnings &&
		awk -v high_digits=$high_digits -f "$SRC/tests/witness-dwarf/llvm.awk" dump | sort | tr '\t' '\n' >want
}

# Whether it knows a function, and lines, and that there are inlined calls.  -O0 inlines nothing, and MinGW's
# LTO loses the names of inlined functions.
knows () {
	calls=$(($(wc -l <want) - 3 * $(grep -c '^0x' want)))
	case $name in
	*-O0*) test $calls -eq 0 ;;
	*) test $calls -gt 0 ;;
	esac && case $name in
	*', LTO') ;;
	*) ! grep -q '^??' want ;;
	esac && grep -q "^$function\$" want && for place in $places; do
		grep -q "/$place\$" want || return
	done
}

# agree NAME COMPILER ARGUMENTS...
agree () {
	name=$1
	shift
	ok "$name: it is compiled" "$@"
	ok "$name: the witness has functions, lines and inlined calls" eval 'witness && knows'
	grep '^0x' want >addresses
	check "$name: each byte of each function" -I addresses -O want rossym-addr2line -afi -e "$name.exe" </dev/null
}

function=entry places='one.cc:9 generated.y:70000' dwo=

# ------------------------------------------------------------------------------------------------------ gcc

# by_gcc NAME FLAGS...
by_gcc () {
	name=$1
	shift
	compiler=$machine-w64-mingw32-g++
	if has $compiler; then
		agree "$machine, $name" compiled $compiler $compiler "$@"
	else
		skip "$machine, $name" "no $compiler"
	fi
}

for machine in x86_64 i686; do
	case $machine in
	i686) symbol=_entry ;;
	*) symbol=entry ;;
	esac
	for version in 2 3 4 5; do
		for level in 0 2; do
			by_gcc "DWARF $version, -O$level" -gdwarf-$version -O$level
		done
	done
	by_gcc 'types in sections of their own' -gdwarf-4 -O2 -fdebug-types-section
	by_gcc 'type units of DWARF 5' -gdwarf-5 -O2 -fdebug-types-section
	by_gcc 'LTO' -g -O2 -flto
	by_gcc 'a function is discarded' -g -O2 -ffunction-sections -Wl,--gc-sections
done
machine=x86_64 symbol=entry

# ---------------------------------------------------------------------------------------------------- clang

# by_clang NAME COMPILER LINKER FLAGS...
by_clang () {
	name="clang, $1"
	shift
	if has "$1" && has "$2"; then
		compiler="$1 --target=x86_64-w64-mingw32"
		case $2 in
		lld) linker="$compiler -fuse-ld=lld" ;;
		*) linker=$2 ;;
		esac
		shift 2
		agree "$name" compiled "$compiler" "$linker" "$@"
	else
		skip "$name" "no $1 or $2"
	fi
}

newest=$(newest clang)
for version in 2 4 5; do
	for level in 0 2; do
		by_clang "DWARF $version, -O$level" "${newest:-clang}" x86_64-w64-mingw32-g++ -gdwarf-$version -O$level
	done
done
# The object files of LTO are clang's and its linker's own: their versions must be the same.
by_clang 'a function is discarded' clang lld -g -O2 -ffunction-sections -Wl,--gc-sections
by_clang 'LTO of all' clang lld -g -O2 -flto
by_clang 'ThinLTO' clang lld -g -O2 -flto=thin

# ------------------------------------------------------------------------------------------ split debug information

# llvm-dwarfdump does not name the files of calls in gcc's .dwo files.  With DWARF 5, clang 14 writes offsets into .debug_line_str that
# linkers take for addresses.
if "$dump" --help | grep -q -e --dwo; then
	dwo=--dwo
	for version in 4 5; do
		by_gcc "split, DWARF $version, -O0" -gdwarf-$version -O0 -gsplit-dwarf
	done
	by_clang 'split, DWARF 4' clang lld -gdwarf-4 -O2 -gsplit-dwarf
	dwo=
else
	skip 'split' 'llvm-dwarfdump has no --dwo'
fi

# ----------------------------------------------------------------------------------------------- other languages

# Their compilers are large, and quickstart does not install them: "make check-long".
if test "${WITNESS_COMPILERS-}" = all; then
	for level in 0 2; do
		places=one.f90:28
		if has $machine-w64-mingw32-gfortran; then
			agree "Fortran, -O$level" fortran -g -O$level
		else
			skip "Fortran, -O$level" 'no gfortran for MinGW'
		fi
		places=one.adb:23
		if has $machine-w64-mingw32-gnatmake; then
			agree "Ada, -O$level" ada -g -O$level
		else
			skip "Ada, -O$level" 'no gnat for MinGW'
		fi
	done
	rustc=
	for compiler in rustc /usr/bin/rustc; do
		test -d "$("$compiler" --print sysroot 2>/dev/null)/lib/rustlib/$machine-pc-windows-gnu/lib" && rustc=$compiler
	done
	places=one.rs:35
	for level in 1 2; do
		if test -n "$rustc"; then
			agree "Rust, opt-level=$level" rust -C opt-level=$level
		else
			skip "Rust, opt-level=$level" 'no rustc for Windows'
		fi
	done
	function=main.entry places=one.go:25
	if has go; then
		agree 'Go' golang
	else
		skip 'Go' 'no go'
	fi
fi

done_testing
