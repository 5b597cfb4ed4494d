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
if rossym-addr2line -P 2 -e long.exe 401000 2>&1 | grep -q 'built without threads'; then
	skip '-P' 'built without threads'
else
	check '-P' -O want.many -I many rossym-addr2line -P 4 -fp -e long.exe
fi
check '-fi: the same, and the callers' sh -c "rossym-addr2line -fip -e long.exe 401020 401030 | cut -c 1-30" <<-EOT
	$(name k 30)
	inner at x.h:4
	 (inlined by) $(name m 16)
EOT
check 'without -f the block is not read' rossym-addr2line -e long.exe 401010 401040 <<-EOT
	x.c:2
	$(name p 253).c:6
EOT
check 'without a block names are short' rossym-addr2line -fp -e none.exe 401010 <<-EOT
	$(name k 255) at x.c:2
EOT
check '--dump prints the table' sh -c "rossym-addr2line --dump -e long.exe | awk -F '\t' '\$6 == 0 { print length(\$3), length(\$4) }'" <<-'EOT'
	5 3
	255 3
	255 3
	5 3
	255 255
	13 0
EOT
for style in LLVM JSON; do
	check "$style" sh -c "rossym-addr2line -f --output-style=$style -e long.exe 401020 | grep -o $b" <<-EOT
		$b
	EOT
done
cases '--count'
cat >short <<EOT
plain at x.c:1
$(name k 255) at x.c:2
$(name k 255) at x.c:3
EOT
warning="rossym-addr2line: warning: bad.exe: at 0x*: the extension block's checksum is wrong; long names are shown cut"
check 'a damaged block: short names, and a warning' -O short -g "$warning" rossym-addr2line -fp -e bad.exe 401000 401010 401020
many short >short.many
printf '%s\n' 401000 401010 401020 >input.bad
many input.bad >input.many
check 'one warning for many' -O short.many -I input.many -g "$warning" rossym-addr2line -fp -e bad.exe
cases 'none for other names'
check 'rossym-log: a damaged block' -i '<bad.exe:1020>\n<bad.exe:1010>\n' \
	-g 'rossym-log: warning: bad.exe: at 0x*: the extension block*; long names are shown cut' rossym-log -e bad.exe <<-EOT
	<bad.exe:1020 (x.c:3 ($(name k 255)))>
	<bad.exe:1010 (x.c:2 ($(name k 255)))>
EOT
# A note is known again for one, however long the names are: it has so much of them, with parentheses closed.
printf '1000\t16\t(f((%s\t/%s.c\t7\t0\n' "$(name x 20000)" "$(name y 3000)" >rows
rossym-embed --from-dump=rows x.exe huge.exe || exit 99
printf '<huge.exe:1000> end\n' >log
cat >annotated <<EOT
<huge.exe:1000 ($(name y 998).c:7 ((f(($(name x 990)...)))))> end
EOT
check 'rossym-log: a name without end' -O annotated -I log rossym-log -e huge.exe
check 'rossym-log: a note that is there already' -O annotated -I annotated rossym-log -e huge.exe
check 'rossym-log: and is taken away' -O log -I annotated rossym-log --undo

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
	check 'without -f nothing of the block is read' touched long.exe 401010 <<-'EOT'
		0 little
	EOT
	check '-f of another name reads which names were cut' touched long.exe 401000 -f <<-'EOT'
		1 little
	EOT
	check '-f where no name was cut' touched one.exe 401000 -f <<-'EOT'
		1 little
	EOT
	check '-f without a block' touched none.exe 401000 -f <<-'EOT'
		0 little
	EOT
	check '-f of a name that was cut reads all' touched long.exe 401010 -f <<-'EOT'
		3 much
	EOT
else
	no_witness 'what is read of a file' 'no strace, or no pread'
fi

# ------------------------------------------------------------------------------------------ GNU addr2line

# A compiler's own long names; two of them are short as "f".
cxx=x86_64-w64-mingw32-g++ gnu=x86_64-w64-mingw32-addr2line
if ! witness $cxx || ! witness $gnu; then
	no_witness 'as GNU addr2line' "no $cxx"
else
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
