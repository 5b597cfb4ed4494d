# SPDX-License-Identifier: GPL-2.0-or-later
#
# The amalgamation is what src/rossym-core.h and src/kernel/rossym-kernel.h promise: freestanding code that a kernel can link.  It
# is compiled for several machines and ABIs, and the objects are judged: which symbols they need and define, whether they have
# variables, how much stack they take, how large they are, and on i386 whether an instruction touches the registers of vectors or of
# the x87.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/amalgamation.sh"

nm=$(newest llvm-nm)
objdump=$(newest llvm-objdump)
clang=$(newest clang)
clang_cl=$(newest clang-cl)
: "${CC:=cc}" "${CFLAGS=-O2}"
test -n "$nm" && test -n "$objdump" || skip_all 'no llvm-nm and llvm-objdump, which read the objects of all machines'
beside "$nm" "$objdump" ${clang:+"$clang"}

most_frame=1024
most_path=3072
most_text=20480

# Options of compilers that take GCC's, and of those that take MSVC's.
freestanding='-ffreestanding -fno-pic -fno-stack-protector -fno-asynchronous-unwind-tables -ffunction-sections'
strict='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror'
msvc='/O2 /GS- /W4 /WX'

# compile DIRECTORY COMPILER... -- SOURCE...: one object for each source, and with -fstack-usage one .su file.
compile () {
	directory=$1
	shift
	compiler=
	while test "$1" != --; do
		compiler="$compiler $1"
		shift
	done
	shift
	mkdir "$directory" || return
	for source in "$@"; do
		name=${source##*/}
		# shellcheck disable=SC2086
		(cd "$directory" && $compiler -c "$source" -o "${name%.c}.o") || return
	done
}

# ------------------------------------------------------------------------------------------------ judges

# The undefined symbols of the objects in DIRECTORY that none of them defines, but for the five that every kernel has, and for
# Windows' own division of 32-bit numbers on ARM.
undefined () {
	$nm "$1"/*.o | awk '
		NF == 2 && $1 == "U" { needed[$NF]; next }
		NF == 3 { defined[$3] }
		END { for (name in needed) if (!(name in defined)) print name }' |
		grep -v -x -e '_\{0,1\}\(memcpy\|memmove\|memset\|memcmp\|strlen\)' -e __rt_udiv | sort
}

# Names that the objects define for others, and that are not those of the interface.  An object for Windows also names constants;
# i386 puts an underscore before each name there.
strangers () {
	$nm -g "$1"/*.o | awk 'NF == 3 && $3 !~ /^(\?\?_C@|__xmm@|__real@|@feat\.|_?(rossym_core_|RosSym))/ { print $3 }' | sort -u
}

# Variables that can be written.  Sections of constants are of the types "r" and "R".
variables () {
	$nm "$1"/*.o | awk 'NF == 3 && $2 ~ /^[bBcCdDgGsS]$/ && $3 !~ /^\$/ { sub(/\..*/, "", $3); sub(/^_/, "", $3); print $3 }' | sort -u
}

# Functions with a vector or x87 register in an instruction.
registers () {
	$objdump -d --no-show-raw-insn "$1"/*.o | awk '
		/^[0-9a-f]+ <.*>:$/ { name = $2; gsub(/[<>:]/, "", name) }
		/^[ ]+[0-9a-f]+:/ && (/%[xyz]?mm[0-9]/ || /%st/ || /[ \t]f(ld|st|ild|ist|add|sub|mul|div|com|ucom|chs|xch)[a-z]*[ \t]/) {
			print name
		}' | sort -u
}

# The stack of DIRECTORY: "frame BYTES FUNCTION", "path BYTES FUNCTION < ... < FUNCTION" and "recursion FUNCTION".  What the
# reader takes is not part of it: nobody but it is called through a pointer.
stack () {
	for object in "$1"/*.o; do
		file=${object##*/}
		file=${file%.o}
		# Names of copies that a compiler made, such as f.part.0, count as f.
		sed "s/\.\([a-z]*\)\(\.[0-9]*\)*	/	/; s/^.*:\([^:]*\)	\([0-9]*\)	.*/S $file \1 \2/" "${object%.o}.su"
		$objdump -dr --no-show-raw-insn "$object" | awk -v file="$file" '
			function plain(s) {
				sub(/^\.text\.(hot\.|unlikely\.)?/, "", s)
				sub(/[-+]0x[0-9a-f]+$/, "", s)
				sub(/\..*/, "", s)
				return s
			}
			/^[0-9a-f]+ <.*>:$/ { raw = $2; gsub(/[<>:]/, "", raw); name = plain(raw); next }
			/R_[A-Z0-9_]+[ \t]/ { print "C", file, name, plain($NF), raw, $NF }'
	done | awk -v overhead=16 '
		function find(file, name) { return ((file, name) in size) ? file SUBSEP name : (name in home) ? home[name] SUBSEP name : "" }
		function depth(f,   i, d, best, parts) {
			if (f in done)
				return done[f]
			if (f in busy) {
				split(f, parts, SUBSEP)
				print "recursion", parts[2]
				return 0
			}
			busy[f]
			best = 0
			for (i = 1; i <= calls[f]; i++)
				if ((d = depth(call[f, i])) > best) {
					best = d
					deepest[f] = call[f, i]
				}
			delete busy[f]
			return done[f] = best + size[f] + overhead
		}
		$1 == "S" { if (size[$2, $3] < $4) size[$2, $3] = $4; home[$3] = $2; next }
		{ edges[++count] = $0 }
		END {
			for (i = 1; i <= count; i++) {
				split(edges[i], e, " ")
				from = find(e[2], e[3])
				to = find(e[2], e[4])
				# A copy of a function that calls another one is no recursion.
				if (from != "" && to != "" && !((from, to) in seen)) {
					seen[from, to]
					sub(/^\.text\.(hot\.|unlikely\.)?/, "", e[6])
					sub(/[-+]0x[0-9a-f]+$/, "", e[6])
					if (from == to && e[5] != e[6])
						continue
					call[from, ++calls[from]] = to
				}
			}
			for (f in size)
				if (size[f] > frame) { frame = size[f]; largest = f }
			for (f in size)
				if (depth(f) > path) { path = done[f]; longest = f }
			split(largest, parts, SUBSEP)
			print "frame", frame, parts[2]
			line = "path " path
			for (f = longest; f != ""; f = deepest[f]) {
				split(f, parts, SUBSEP)
				line = line " " parts[2]
			}
			print line
		}'
}

# text DIRECTORY FORMAT: how many bytes all that the functions of rossym-kernel.h need has, in a linker of this FORMAT.
text () {
	# shellcheck disable=SC2046
	ld -m "$2" -r --gc-sections $($nm "$1/rossym-kernel.o" | awk '$2 == "T" { print "-u " $3 }') -o "$1.needed" "$1"/*.o &&
		size "$1.needed" | awk 'END { print $1 }'
}

# What is too much in DIRECTORY.  Its file "stack" has all.
too_much () {
	stack "$1" >"$1/stack"
	awk -v frame="$most_frame" -v path="$most_path" '
		$1 == "recursion" || ($1 == "frame" && $2 > frame) || ($1 == "path" && $2 > path)' "$1/stack"
}

# The same without numbers, which compilers choose, and with any function of a circle.
too_much_in_words () {
	too_much "$1" | sed 's/[0-9][0-9]*/N/; s/recursion [fg]/recursion f or g/'
}

# ------------------------------------------------------------------------------------------------ the amalgamation

compiles () {
	echo 'int f(void); int f(void) { return 0; }' >try.c
	"$@" -c try.c -o try.o >/dev/null 2>&1
}

# judge MACHINE COMPILER...: what it makes of the amalgamation.
judge () {
	machine=$1
	shift
	if ! compiles "$@"; then
		skip "$machine" "not compiled by $*"
		return
	fi
	ok "$machine: it compiles without a warning" compile "$machine" "$@" -- "$PWD"/amalgamation/*.c
	check "$machine: it needs the five functions only" undefined "$machine" </dev/null
	check "$machine: of variables it has callbacks" variables "$machine" <<-'EOT'
		callbacks
	EOT
	check "$machine: it defines the interface only" strangers "$machine" </dev/null
	case $machine in
	i386*) check "$machine: no vector or x87 register" registers "$machine" </dev/null ;;
	esac
	case "$*" in
	*-fstack-usage*)
		check "$machine: no frame above $most_frame bytes, no path above $most_path, no recursion" too_much "$machine" </dev/null
		diag "$(cat "$machine/stack")"
		;;
	esac
}

ok 'make amalgamation' amalgamation
check 'it makes these files' ls -p amalgamation <<-'EOT'
	host/
	host-log/
	reactos/
	rossym-core.c
	rossym-core.h
	rossym-kernel.c
	rossym-kernel.h
EOT
# But for the lines with the licence, and with what made it.
for header in rossym-core.h kernel/rossym-kernel.h; do
	sed 1d "$SRC/src/$header" >whole
	check "${header##*/} is a copy" -O whole sed 1,2d "amalgamation/${header##*/}"
done
check 'they include each other and headers of the compiler; <string.h> is for the library alone' \
	sh -c 'sed -n "s/^#include //p" amalgamation/*.[ch] | sort -u' <<-'EOT'
	"rossym-core.h"
	"rossym-kernel.h"
	<stdbool.h>
	<stddef.h>
	<stdint.h>
	<string.h>
EOT

# A 32-bit kernel has no vectors.  Each level of optimization has warnings of its own.  The last four compilers are not told that
# the code is freestanding, and have no <string.h>; with /Gz the calling convention is not that of the five functions.
gnu="-std=gnu99 $freestanding $strict"
no_vectors='-mno-sse -mno-mmx'
# shellcheck disable=SC2086
{
	judge amd64-gcc gcc -m64 -mno-red-zone -O2 -fstack-usage $gnu
	judge i386-gcc gcc -m32 $no_vectors -O1 -fstack-usage $gnu
	judge arm64-gcc aarch64-linux-gnu-gcc -O3 -fstack-usage $gnu
	judge i386-mingw i686-w64-mingw32-gcc -Os $no_vectors $gnu -DROSSYM_NT_TYPES -include windef.h
	judge amd64-clang "${clang:-clang}" --target=x86_64-linux-gnu -O1 -fstack-usage $gnu
	judge i386-clang "${clang:-clang}" --target=i686-linux-gnu $no_vectors -O2 -fstack-usage $gnu
	judge arm64-clang "${clang:-clang}" --target=aarch64-linux-gnu -Os -fstack-usage $gnu
	# One that can divide.
	judge arm-clang "${clang:-clang}" --target=armv7a-linux-gnueabihf -mthumb -mcpu=cortex-a15 -O2 -fstack-usage $gnu
	judge amd64-msvc "${clang_cl:-clang-cl}" --target=x86_64-pc-windows-msvc $msvc
	judge i386-msvc "${clang_cl:-clang-cl}" --target=i686-pc-windows-msvc /arch:IA32 /Gz $msvc
	judge arm64-msvc "${clang_cl:-clang-cl}" --target=aarch64-pc-windows-msvc $msvc
	judge arm-msvc "${clang_cl:-clang-cl}" --target=thumbv7-pc-windows-msvc $msvc
}
# small NAME FORMAT OPTION...: what a kernel debugger needs that has no packed tables
small () {
	format=$2
	shift 2
	# shellcheck disable=SC2086
	if compile "small-$format" gcc "$@" -Os -DROSSYM_NO_PACKED $gnu -- "$PWD"/amalgamation/*.c ||
		skip "$format: what KDBG needs takes at most $most_text bytes" 'no gcc for it'; then
		bytes=$(text "small-$format" "$format")
		ok "$format: what KDBG needs takes at most $most_text bytes: $bytes" test "$bytes" -le $most_text
	fi
}
small i386 elf_i386 -m32 $no_vectors
small amd64 elf_x86_64 -m64

# ------------------------------------------------------------------------------------------------ what the amalgamation answers

# tests/rules/rule-readme.sh compiles the four files with a program, as a project does that copies them.

# shellcheck disable=SC2086
ok 'it compiles with the options of this build' compile own $CC $CFLAGS -- "$PWD"/amalgamation/*.c
# with_amalgamation TEST: a unit test, linked with these objects.  The library's have the functions of the core, too; the linker
# takes the first of each.
with_amalgamation () {
	# shellcheck disable=SC2086
	$CC $CFLAGS ${LDFLAGS-} -Wl,-z,muldefs own/rossym-*.o "$tap_build/tests/core/$1.o" "$tap_build/src/.libs/libimage.a" -o "$1" &&
		"./$1"
}
for test in unit-core unit-kernel; do
	if test -e "$tap_build/tests/core/$test.o" || skip "$test with the amalgamation" 'it has not been built'; then
		ok "$test passes with the amalgamation" with_amalgamation $test
	fi
done

# Without packed tables it answers the same for others, and refuses those.
# shellcheck disable=SC2086
ok 'a reader without packed tables' $CC $CFLAGS ${LDFLAGS-} -DROSSYM_NO_PACKED -I "$SRC" -I "$SRC/src" -I "$SRC/src/kernel" \
	-o plain-reader "$SRC/tests/tools/kernel-addr2line.c" amalgamation/rossym-core.c amalgamation/rossym-kernel.c
rossym-embed "$DATA/dwarf64.nostrip.exe" plain.exe && rossym-embed --packed "$DATA/dwarf64.nostrip.exe" packed.exe
awk 'BEGIN { for (i = 5376; i < 6000; i++) printf "%x\n", i }' >rvas
rossym-addr2line --rva -fi -e plain.exe <rvas >answers
check 'answers as the program' -O answers -I rvas ./plain-reader -i file plain.exe
check 'refuses a packed table' -s 1 ./plain-reader file packed.exe </dev/null

# Nobody but "make bench" runs this otherwise.
ok 'tests/bench/kernel.sh measures it' env srcdir="$SRC" CFLAGS="$CFLAGS" ADDR2LINE_BIN="$ADDR2LINE_BIN" EMBED_BIN="$EMBED_BIN" \
	MKIMAGE="$MKIMAGE" sh "$SRC/tests/bench/kernel.sh" 1

# ------------------------------------------------------------------------------------------------ the judges themselves

# breaks TITLE JUDGE EXPECTED: the source on standard input breaks a rule, and JUDGE says so.
number=0
breaks () {
	number=$((number + 1))
	cat >broken$number.c
	# shellcheck disable=SC2086
	ok "$1: it compiles" compile broken$number $gcc -O2 -fstack-usage $freestanding -- "$PWD/broken$number.c"
	printf '%s\n' "$3" >expected
	check "$1: found" "$2" broken$number <expected
}

if compiles gcc -m64 || skip 'the judges find what breaks the rules' 'no gcc for x86-64'; then
	cases 'what breaks the rules'
fi
if compiles i686-w64-mingw32-gcc; then
	gcc=i686-w64-mingw32-gcc
	breaks 'a stack probe' undefined ___chkstk_ms <<-'EOT'
		void f(void);
		void f(void) { volatile char large[5000]; large[0] = 1; }
	EOT
fi

done_testing
