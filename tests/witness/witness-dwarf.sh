# SPDX-License-Identifier: GPL-2.0-or-later
#
# Whether rossym-addr2line reads DWARF as llvm-dwarfdump does, which shares no code with it: function, inlined calls and places of each
# byte of each function, for programs that are compiled here, and for images that are made by hand.  llvm.awk turns what llvm-dwarfdump
# prints into answers.  Of damaged images libdwarf is asked.

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
	# It warns of the zeros that fill LTO's section after its last unit.
	"$dump" $dwo --debug-info --debug-types --debug-line "$name.exe" >dump 2>warnings &&
		awk -f "$SRC/tests/witness/witness-dwarf/llvm.awk" dump | sort | tr '\t' '\n' >want
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

# agree NAME COMPILER ARGUMENTS...  What GNU addr2line says, too, is a failure, if it is not what we say.
beside "$dump"
agree () {
	name=$1
	shift
	ok "$name: it is compiled" "$@"
	ok "$name: the witness has functions, lines and inlined calls" eval 'witness && knows'
	grep '^0x' want >addresses
	unless eval '$machine-w64-mingw32-addr2line -afi -e "$name.exe" <addresses | cmp - want'
	check "$name: each byte of each function" -I addresses -O want rossym-addr2line -afi -e "$name.exe" </dev/null
	unless false
}

# For the .dwo files of a program.
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
		# Until version 16, clang writes offsets into .debug_line_str that GNU ld takes for addresses, and then llvm-dwarfdump
		# finds no names.
		case $clang,$version in
		clang-1[46],5 | clang,5) continue ;;
		esac
		for level in 0 2; do
			by_clang "$clang, DWARF $version, -O$level" $clang x86_64-w64-mingw32-g++ -gdwarf-$version -O$level
		done
	done
done
# The object files of LTO are clang's and its linker's own: their versions must be the same.
by_clang 'a function is discarded' clang lld -g -O2 -ffunction-sections -Wl,--gc-sections
by_clang 'LTO of all' clang lld -g -O2 -flto
by_clang 'ThinLTO' clang lld -g -O2 -flto=thin

# ------------------------------------------------------------------------------------------ split debug information

# llvm-dwarfdump does not name the files of calls in gcc's .dwo files.  With DWARF 5, clang 14 writes offsets into .debug_line_str that
# linkers take for addresses.
if "$dump" --help | grep -q -e --dwo || skip 'split' 'llvm-dwarfdump has no --dwo'; then
	dwo=--dwo
	for version in 4 5; do
		by_gcc "split, DWARF $version, -O0" -gdwarf-$version -O0 -gsplit-dwarf
	done
	if ! has clang || ! known_difference clang dwo-call-files ||
		skip 'clang, split, DWARF 4' "$dump does not name the files of calls in .dwo files of this clang"; then
		by_clang 'split, DWARF 4' clang lld -gdwarf-4 -O2 -gsplit-dwarf
	fi
	dwo=
fi

# ------------------------------------------------------------------------------------------ images that are made by hand

# In these llvm-dwarfdump differs: it does not list files that a program defines; it does not read names by references to entries of type
# units or of other files, but names and addresses of forms that none may have; a name that an inherited entry has is its first one;
# rows that go back are painted here in the order of the table; it needs the bases that a unit has not, and does not take numbers of
# operands from the header; offsets of 4 bytes do not wrap; it prints names of files with blanks as they are.
cat >unlike <<'EOT'
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
a-reference-in-form-0x13-to-a-later-unit
a-reference-in-form-0x20-to-its-own-unit
a-unit-of-type-2--DWARF-5--addresses-of-4-bytes
a-unit-of-type-6--DWARF-5--addresses-of-4-bytes
addresses-that-descend
code-from-form-0x1-to-form-0x19
code-from-form-0x1-to-form-0x1e
code-from-form-0x1-to-form-0xc
names-by-linkage-attribute-0x2007-of-a-declaration
names-by-linkage-attribute-0x6e-of-a-declaration
names-of-files--moved-by-0x0
names-of-files--moved-by-0x4000c000
no-bases--offsets-of-4-bytes
no-bases--offsets-of-8-bytes
offsets-that-overflow
other-numbers-of-operands
EOT
mkdir standard && srcdir=$SRC CASES_KEEP=standard "$tap_build/tests/debuginfo/unit-dwarf-standard" >/dev/null || exit 99
(cd standard && "$dump" --debug-info --debug-types --debug-line *) 2>/dev/null |
	awk -v several=1 -f "$SRC/tests/witness/witness-dwarf/llvm.awk" | sort >want

# Our answers in the form of llvm.awk, for the images and addresses of file want.
ours () {
	cut -f 1 ../want | rossym-addr2line -afi --output-style=LLVM 2>/dev/null | awk -F '\t' '
		NR == FNR { asked[FNR] = $1; next }
		/^$/ { print text; text = ""; next }
		text == "" { text = asked[++n]; next }
		line++ % 2 { sub(/:[0-9]+$/, ""); sub(/:0$/, ":?") }
		{ text = text "\t" $0 }' ../want -
}
others () {
	(cd standard && ours) | comm -3 want - | tr -d '\t' | cut -d ' ' -f 1 | sort -u | comm -23 - unlike
}
! known_difference "$dump" set-addresses || { echo addresses-that-are-set-in-the-middle-of-an-instruction >>unlike && sort -o unlike unlike; }
ok 'images of the standard: llvm-dwarfdump reads nearly all of them' eval 'test $(cut -d " " -f 1 want | sort -u | wc -l) -gt 800'
check 'images of the standard: llvm-dwarfdump says the same, but of those that are listed' others </dev/null
if test -x "$tap_build/tests/tools/dwarf-mutants" || skip 'damaged images' 'built without libdwarf'; then
	beside libdwarf
	ok 'damaged images: libdwarf says the same where both can read them' \
		sh -c '"$1" "$2" 2>/dev/null' - "$tap_build/tests/tools/dwarf-mutants" "${MUTATIONS:-1000}"
	beside "$dump"
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
