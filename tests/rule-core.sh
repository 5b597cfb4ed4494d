# SPDX-License-Identifier: GPL-2.0-or-later
#
# src/core is what src/rossym-core.h promises: freestanding code that a kernel can link.  It is compiled for several machines and
# ABIs, and the objects are judged: which symbols they need, whether they have variables, how much stack they take, and on i386
# whether an instruction touches the registers of vectors or of the x87.

. "${srcdir:-.}/tests/lib/tap.sh"

first_of () {
	for name in "$@"; do
		if has "$name"; then
			echo "$name"
			return
		fi
	done
}
nm=$(first_of llvm-nm llvm-nm-14 llvm-nm-19 llvm-nm-16)
objdump=$(first_of llvm-objdump llvm-objdump-14 llvm-objdump-19 llvm-objdump-16)
clang=$(first_of clang clang-14 clang-19 clang-16)
test -n "$nm" && test -n "$objdump" || skip_all 'no llvm-nm and llvm-objdump, which read the objects of all machines'

most_frame=1024
most_path=3072
warnings='-Wall -Wextra -Werror'

# compile DIRECTORY COMPILER... -- SOURCE...: one object and one .su file for each source.
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
		(cd "$directory" && $compiler -std=c11 -ffreestanding -O2 -fno-pic -fno-stack-protector -fno-asynchronous-unwind-tables \
			-ffunction-sections $warnings -I "$SRC/src" -c "$source" -o "${name%.c}.o") || return
	done
}

# ------------------------------------------------------------------------------------------------ judges

# The undefined symbols of the objects in DIRECTORY that none of them defines, but for the five that every kernel has.
undefined () {
	$nm "$1"/*.o | awk '
		NF == 2 && $1 == "U" { needed[$NF]; next }
		NF == 3 { defined[$3] }
		END { for (name in needed) if (!(name in defined)) print name }' |
		grep -v -x -e '_\{0,1\}\(memcpy\|memmove\|memset\|memcmp\|strlen\)' | sort
}

# Variables that can be written.  Sections of constants are of the types "r" and "R".
variables () {
	$nm "$1"/*.o | awk 'NF == 3 && $2 ~ /^[bBcCdDgGsS]$/ && $3 !~ /^\$/ { sub(/\..*/, "", $3); print $3 }' | sort -u
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
				sub(/^\.text\./, "", s)
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
					sub(/^\.text\./, "", e[6])
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

# What is too much in DIRECTORY.
too_much () {
	stack "$1" | awk -v frame="$most_frame" -v path="$most_path" '
		$1 == "recursion" || ($1 == "frame" && $2 > frame) || ($1 == "path" && $2 > path)'
}

# The same without numbers, which compilers choose, and with any function of a circle.
too_much_in_words () {
	too_much "$1" | sed 's/[0-9][0-9]*/N/; s/recursion [fg]/recursion f or g/'
}

# ------------------------------------------------------------------------------------------------ the core

compiles () {
	echo 'int f(void); int f(void) { return 0; }' >try.c
	"$@" -ffreestanding -c try.c -o try.o >/dev/null 2>&1
}

# judge NAME STACK COMPILER...: STACK is yes or no.  Compilers for MSVC write no .su files that match the objects.
judge () {
	machine=$1
	with_stack=$2
	shift 2
	if ! compiles "$@"; then
		skip "the core for $machine" "no $*"
		return
	fi
	test "$with_stack" = no || set -- "$@" -fstack-usage
	ok "$machine: the core compiles without a warning" compile "$machine" "$@" -- "$SRC"/src/core/*.c
	check "$machine: it needs the five functions only" undefined "$machine" </dev/null
	check "$machine: it has no variables" variables "$machine" </dev/null
	case $machine in
	i686*) check "$machine: no vector or x87 register" registers "$machine" </dev/null ;;
	esac
	test "$with_stack" = yes || return 0
	check "$machine: no frame above $most_frame bytes, no path above $most_path, no recursion" too_much "$machine" </dev/null
	diag "$(stack "$machine")"
}

# A path that the tools write themselves must not depend on where this is run.
SRC=$(cd "$SRC" && pwd)

judge x86_64-gcc yes gcc -m64 -mno-red-zone
judge i686-gcc yes gcc -m32 -mno-sse -mno-mmx
judge aarch64-gcc yes aarch64-linux-gnu-gcc
judge i686-mingw no i686-w64-mingw32-gcc -mno-sse -mno-mmx
judge x86_64-mingw no x86_64-w64-mingw32-gcc
for machine in x86_64-linux-gnu i686-linux-gnu aarch64-linux-gnu armv7a-linux-gnueabihf; do
	case $machine in
	i686*) flags='-mno-sse -mno-mmx' ;;
	armv7*) flags='-mthumb -mcpu=cortex-a15' ;;	# one that can divide
	*) flags= ;;
	esac
	# shellcheck disable=SC2086
	judge "${machine%%-*}-clang" yes "${clang:-clang}" --target=$machine $flags
done
judge i686-msvc no "${clang:-clang}" --target=i686-pc-windows-msvc -mno-sse -mno-mmx
judge x86_64-msvc no "${clang:-clang}" --target=x86_64-pc-windows-msvc

# ------------------------------------------------------------------------------------------------ the judges themselves

# breaks TITLE JUDGE EXPECTED: the source on standard input breaks a rule, and JUDGE says so.
number=0
breaks () {
	number=$((number + 1))
	cat >broken$number.c
	ok "$1: it compiles" compile broken$number $gcc -fstack-usage -- "$PWD/broken$number.c"
	printf '%s\n' "$3" >expected
	check "$1: found" "$2" broken$number <expected
}

warnings=-Wno-infinite-recursion
if compiles gcc -m64; then
	gcc='gcc -m64'
	breaks 'a function that no kernel has' undefined malloc <<-'EOT'
		#include <stddef.h>
		void *malloc(size_t size);
		void *f(void);
		void *f(void) { return malloc(3); }
	EOT
	breaks 'a variable' variables count <<-'EOT'
		int f(void);
		int f(void) { static int count; return count++; }
	EOT
	breaks 'a table of pointers that is not constant' variables names <<-'EOT'
		const char *f(int i);
		static const char *names[2] = { "a", "b" };
		const char *f(int i) { names[1] = names[0]; return names[i]; }
	EOT
	breaks 'a large frame' too_much_in_words 'frame N f' <<-'EOT'
		void g(char *p);
		void f(void);
		void f(void) { char large[2021]; g(large); }
	EOT
	breaks 'recursion' too_much_in_words 'recursion f or g' <<-'EOT'
		int f(int i);
		int g(int i);
		__attribute__((noinline)) int g(int i) { volatile int j = i; return f(j) + j; }
		int f(int i) { volatile int j = i - 1; return g(j) * j; }
	EOT
	breaks 'a deep path' too_much_in_words 'path N a b c d' <<-'EOT'
		void use(char *p);
		__attribute__((noinline)) static void d(char *q) { char p[850]; use(p); use(q); use(p); }
		__attribute__((noinline)) static void c(char *q) { char p[850]; d(p); use(q); use(p); }
		__attribute__((noinline)) static void b(char *q) { char p[850]; c(p); use(q); use(p); }
		void a(char *q);
		void a(char *q) { char p[850]; b(p); use(q); use(p); }
	EOT
	gcc='gcc -m32'
	breaks 'an x87 register' registers f <<-'EOT'
		double f(volatile double *p);
		double f(volatile double *p) { return *p * 3; }
	EOT
else
	skip 'the judges find what breaks the rules' 'no gcc for x86-64'
fi

done_testing
