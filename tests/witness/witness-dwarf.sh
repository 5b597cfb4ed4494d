# SPDX-License-Identifier: GPL-2.0-or-later
#
# Whether rossym-addr2line reads DWARF as llvm-dwarfdump and libdwarf do, which share no code with it or with each other: function,
# inlined calls and places of each byte of each function, for programs that are compiled here.  llvm.awk turns what llvm-dwarfdump prints
# into answers, and tests/tools/dwarf-answers prints those of libdwarf.

. "${srcdir:-.}/tests/lib/tap.sh"

dump=$(newest llvm-dwarfdump)
test -n "$dump" || skip_all 'no llvm-dwarfdump'
mkdir src && cp "$SRC"/tests/witness/witness-dwarf/one.* "$SRC"/tests/witness/witness-dwarf/two.cc "$SRC"/tests/witness/witness-dwarf/inline.h src/ || exit 99

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
		awk -v high_digits=$high_digits -f "$SRC/tests/witness/witness-dwarf/llvm.awk" dump | sort | tr '\t' '\n' >want
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

# What libdwarf says, in file second: of several .dwo files, once and in the order of addresses.
second_witness () {
	"$answers" $first "$name.exe" $dwos >second.of 2>second.said && ! test -s second.said &&
		awk '/^0x/ && NR > 1 { print "" } { printf "%s%s", /^0x/ ? "" : "\t", $0 } END { print "" }' second.of | sort -u |
		tr '\t' '\n' >second
}

# Whether libdwarf says the same.
same_twice () {
	test -n "$answers" && test -z "$unlike" && second_witness && cmp -s want second
}

# agree NAME COMPILER ARGUMENTS...  What two witnesses say is a failure, if it is not what we say.
beside "$dump"
agree () {
	name=$1
	shift
	ok "$name: it is compiled" "$@"
	ok "$name: the witness has functions, lines and inlined calls" eval 'witness && knows'
	grep '^0x' want >addresses
	unless same_twice
	check "$name: each byte of each function" -I addresses -O want rossym-addr2line -afi -e "$name.exe" </dev/null
	unless false
	if test -n "$answers" && test -z "$unlike"; then
		ok "$name: libdwarf reads it" second_witness
		ok "$name: libdwarf says the same" cmp want second
	fi
}

answers=$tap_build/tests/tools/dwarf-answers
test -x "$answers" || answers=
# The .dwo files of a program; what dwarf-answers must know of DWARF 5 of GNU's assembler; why libdwarf is not asked.
dwos= first= unlike=

function=entry places='one.cc:9 generated.y:70000' dwo=

# ------------------------------------------------------------------------------------------------------ gcc

# by_gcc NAME FLAGS...
by_gcc () {
	name=$1
	shift
	compiler=$machine-w64-mingw32-g++
	if has $compiler || skip "$machine, $name" "no $compiler"; then
		agree "$machine, $name" compiled $compiler $compiler "$@"
	fi
}

first=-1
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
machine=x86_64 symbol=entry first=

# ---------------------------------------------------------------------------------------------------- clang

# by_clang NAME COMPILER LINKER FLAGS...
by_clang () {
	name=$1
	case $name in
	clang*) ;;
	*) name="clang, $name" ;;
	esac
	shift
	if has "$1" && has "$2" || skip "$name" "no $1 or $2"; then
		compiler="$1 --target=x86_64-w64-mingw32"
		case $2 in
		lld) linker="$compiler -fuse-ld=lld" ;;
		*) linker=$2 ;;
		esac
		shift 2
		agree "$name" compiled "$compiler" "$linker" "$@"
	fi
}

newest=$(newest clang)
clangs=${newest:-clang}
test "${WITNESS_COMPILERS-}" != all || clangs='clang-14 clang-16 clang-19'
for clang in $clangs; do
	for version in 2 3 4 5; do
		# Some sequences begin with file 1 and others say file 0, which is one file for libdwarf.  Until version 16, clang writes
		# offsets into .debug_line_str that GNU ld takes for addresses, and then llvm-dwarfdump finds no names.
		test $version -lt 5 || unlike='files 0 and 1 of DWARF 5 are one for libdwarf'
		case $clang,$version in
		clang-1[46],5 | clang,5) continue ;;
		esac
		for level in 0 2; do
			by_clang "$clang, DWARF $version, -O$level" $clang x86_64-w64-mingw32-g++ -gdwarf-$version -O$level
		done
	done
	unlike=
done
# The object files of LTO are clang's and its linker's own: their versions must be the same.
by_clang 'a function is discarded' clang lld -g -O2 -ffunction-sections -Wl,--gc-sections
by_clang 'LTO of all' clang lld -g -O2 -flto
by_clang 'ThinLTO' clang lld -g -O2 -flto=thin

# ------------------------------------------------------------------------------------------ split debug information

# llvm-dwarfdump does not name the files of calls in gcc's .dwo files.  With DWARF 5, clang 14 writes offsets into .debug_line_str that
# linkers take for addresses.
if "$dump" --help | grep -q -e --dwo || skip 'split' 'llvm-dwarfdump has no --dwo'; then
	dwo=--dwo dwos='one.dwo two.dwo' first=-1
	for version in 4 5; do
		by_gcc "split, DWARF $version, -O0" -gdwarf-$version -O0 -gsplit-dwarf
	done
	unlike="libdwarf finds nothing in clang's .dwo files"
	if ! has clang || ! known_difference clang dwo-call-files ||
		skip 'clang, split, DWARF 4' "$dump does not name the files of calls in .dwo files of this clang"; then
		by_clang 'split, DWARF 4' clang lld -gdwarf-4 -O2 -gsplit-dwarf
	fi
	dwo= dwos= first= unlike=
fi

# ------------------------------------------------------------------------------------------ images that are made by hand

# In these libdwarf differs: by design it follows references into other files and does not wrap offsets of 4 bytes; it does not list
# files that a program defines, does not let an address that is set begin an instruction, and rows that go back are painted here in the
# order of the table.
cat >unlike_standard <<'EOT'
DWARF-2--offsets-of-4-bytes--addresses-of-4--all-opcodes
DWARF-2--offsets-of-4-bytes--addresses-of-8--all-opcodes
DWARF-3--offsets-of-4-bytes--addresses-of-4--all-opcodes
DWARF-3--offsets-of-8-bytes--addresses-of-8--all-opcodes
DWARF-4--offsets-of-4-bytes--addresses-of-4--all-opcodes
DWARF-4--offsets-of-4-bytes--addresses-of-8--all-opcodes
DWARF-4--offsets-of-8-bytes--addresses-of-4--all-opcodes
DWARF-5--offsets-of-4-bytes--addresses-of-4--all-opcodes
DWARF-5--offsets-of-4-bytes--addresses-of-8--all-opcodes
DWARF-5--offsets-of-8-bytes--addresses-of-4--all-opcodes
DWARF-5--offsets-of-8-bytes--addresses-of-8--all-opcodes
a-name-in-form-0x1d
a-name-in-form-0x1f21
a-reference-in-form-0x1f20-to-its-own-unit
addresses-that-are-set-in-the-middle-of-an-instruction
addresses-that-descend
names-of-files--moved-by-0x0
offsets-that-overflow
EOT
! known_difference libdwarf no-lines || echo a-reference-in-form-0x20-to-its-own-unit >>unlike_standard
if test -n "$answers" || skip 'libdwarf as the second witness, and for images that are made by hand' 'built without libdwarf'; then
	beside libdwarf
	mkdir standard && srcdir=$SRC CASES_KEEP=standard "$tap_build/tests/debuginfo/unit-dwarf-standard" >/dev/null || exit 99
	read_by_both=0
	for image in standard/*; do
		"$answers" "$image" >want 2>said && ! test -s said || continue
		grep '^0x' want | rossym-addr2line -afi -e "$image" >got 2>&1
		if cmp -s want got; then
			read_by_both=$((read_by_both + 1))
		else
			echo "${image#*/}"
		fi
	done >others 2>/dev/null
	sort unlike_standard >expected
	ok 'images of the standard: libdwarf reads half of them' test $read_by_both -gt 700
	check 'images of the standard: libdwarf says the same, but of those that are listed' -O expected sort others
	ok 'damaged images: libdwarf says the same where both can read them' \
		sh -c '"$1" "$2" 2>/dev/null' - "$tap_build/tests/tools/dwarf-mutants" "${MUTATIONS:-1000}"
fi

# ----------------------------------------------------------------------------------------------- other languages

# Their compilers are large, and quickstart does not install them: "make check-long".
if test "${WITNESS_COMPILERS-}" = all; then
	for level in 0 2; do
		places=one.f90:28
		if has $machine-w64-mingw32-gfortran || skip "Fortran, -O$level" 'no gfortran for MinGW'; then
			agree "Fortran, -O$level" fortran -g -O$level
		fi
		places=one.adb:23
		if has $machine-w64-mingw32-gnatmake || skip "Ada, -O$level" 'no gnat for MinGW'; then
			agree "Ada, -O$level" ada -g -O$level
		fi
	done
	rustc=
	for compiler in rustc /usr/bin/rustc; do
		test -d "$("$compiler" --print sysroot 2>/dev/null)/lib/rustlib/$machine-pc-windows-gnu/lib" && rustc=$compiler
	done
	places=one.rs:35
	for level in 1 2; do
		if test -n "$rustc" || skip "Rust, opt-level=$level" 'no rustc for Windows'; then
			agree "Rust, opt-level=$level" rust -C opt-level=$level
		fi
	done
	function=main.entry places=one.go:25
	if has go || skip 'Go' 'no go'; then
		agree 'Go' golang
	fi
fi

done_testing
