# SPDX-License-Identifier: GPL-2.0-or-later
#
# Names that were too long for the table: -f prints them whole, as GNU addr2line does, and reads the block only for them.

. "${srcdir:-.}/tests/lib/tap.sh"

# name LETTER LENGTH
name () {
	printf "%0$2d" 0 | tr 0 "$1"
}
# x.exe: plain, two names that are cut alike, and one in the middle of which a frame was inlined; a path that is cut.
a=$(name k 299)1 b=$(name k 299)2 c=$(name m 300) path=/$(name p 300).c
build x.exe <<-'EOT'
	pe32 base=0x400000
	section .text size=0x4000
EOT
{
	printf '1000\t16\tplain\t\t0\t-1\n1000\t16\tplain\tx.c\t1\t0\n'
	printf '1010\t16\t%s\t\t0\t-1\n1010\t16\t%s\tx.c\t2\t0\n1020\t16\t%s\tx.c\t3\t0\n' "$a" "$a" "$b"
	printf '1030\t16\tinner\tx.h\t4\t0\n1030\t16\t%s\tx.c\t5\t1\n1040\t16\t%s\t%s\t6\t0\n' "$c" "$c" "$path"
	printf '1050\t0\t_rossym_end__\t\t0\t0\n'
} >rows
# many FILE: 1000 times its lines
many () {
	awk '{ line[NR] = $0 } END { for (i = 0; i < 1000; i++) for (j = 1; j <= NR; j++) print line[j] }' "$1"
}

cases '-f: whole names'
if ! rossym-addr2line -P 2 -e long.exe 401000 2>&1 | grep -q 'built without threads' || skip '-P' 'built without threads'; then
	check '-P' -O want.many -I many rossym-addr2line -P 4 -fp -e long.exe
fi
cases '-fi: the same, and the callers'
for style in LLVM JSON; do
	check "$style" sh -c "rossym-addr2line -f --output-style=$style -e long.exe 401020 | grep -o $b" <<-EOT
		$b
	EOT
done
cases '--count'

# -------------------------------------------------------------------------------------- what is read of a file

# Where pread() is replaced, a read does not say where it reads.  Nobody looks for leaks in a program that is traced.
traced () {
	ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0 strace -o trace -e trace=openat,pread64 "$@"
}
# touched IMAGE ADDRESS OPTION...: how many reads touch the block, and whether they read much of it
touched () {
	image=$1 address=$2 at=$(grep -abo ROSSYMX2 "$1" | cut -d : -f 1)
	shift 2
	traced rossym-addr2line "$@" -e "$image" "$address" >/dev/null
	sed -n '/'"$image"'/,$s/^pread64([0-9]*, .*, \([0-9]*\), \([0-9]*\)) *= [0-9]*$/\1 \2/p' trace |
		awk -v at="$at" 'at != "" && $1 + $2 > at { touched++; bytes += $1 }
			END { print touched + 0, (bytes > 4096 ? "much" : "little") }'
}
if witness strace && traced rossym-addr2line -e long.exe 401010 >/dev/null 2>&1 &&
	sed -n '/long\.exe/,$p' trace | grep '^pread64' >/dev/null; then
	cases 'without -f nothing of the block is read'
else
	no_witness 'what is read of a file' 'no strace, or no pread'
fi

# ------------------------------------------------------------------------------------------ GNU addr2line

# A compiler's own long names; two of them are short as "f".
cxx=x86_64-w64-mingw32-g++ gnu=x86_64-w64-mingw32-addr2line
if witness $cxx && witness $gnu || no_witness 'as GNU addr2line' "no $cxx"; then
	a=$(name a 130) b=$(name b 130) n=$(name n 130)
	cat >names.cpp <<-EOT
		struct $a { int i; };
		struct $b { int i; };
		volatile int sink;
		__attribute__((noinline)) void f($a *, $b *)
		{
			sink = 1;
			sink++;
		}
		__attribute__((noinline)) void f($b *, $a *)
		{
			sink = 2;
		}
		static inline __attribute__((always_inline)) void g($b *, $a *)
		{
			sink = 4;
		}
		namespace $n { namespace $b {
		__attribute__((noinline)) void h()
		{
			sink = 5;
		}
		} }
		extern "C" int start()
		{
			$a *a = 0;
			$b *b = 0;
			f(a, b);
			f(b, a);
			g(b, a);
			$n::$b::h();
			return sink;
		}
	EOT
	$cxx -g -O1 -nostdlib -Wl,-e,start -o names.nostrip.exe names.cpp && rossym-embed names.nostrip.exe names.exe || exit 99
	rossym-addr2line --dump -e names.exe | awk -F '\t' '$6 == 0 && $5 > 0 { print $1, $2 }' | while read -r rva size; do
		i=0
		while test $i -lt "$size"; do
			printf '%x\n' $((0x140000000 + rva + i))
			i=$((i + 1))
		done
	done >code
	$gnu -f -e names.nostrip.exe <code >theirs
	ok 'long names are in it' grep -q '.\{256\}' theirs
	check '-f: as GNU addr2line' -O theirs -I code rossym-addr2line -f -e names.exe
	if rossym-addr2line --version | grep -q '^Demangler: libiberty'; then
		check 'a function by its whole demangled name' rossym-addr2line -fsp -C -e names.exe "$n::$b::h()" <<-EOT
			$n::$b::h() at names.cpp:20
		EOT
	fi
	$gnu -fi -e names.nostrip.exe <code >theirs
	check '-fi: as GNU addr2line' -O theirs -I code rossym-addr2line -fi -e names.exe
	if test -x "$REFERENCE_BIN"; then
		check '--diff -f: no name differs' -e "rossym-addr2line: $(wc -l <code) addresses compared: no differences" \
			-I code rossym-addr2line --diff=names.nostrip.exe -f --brief --diff-ignore=none -e names.exe
	fi
fi

done_testing
