# SPDX-License-Identifier: GPL-2.0-or-later
#
# DWARF as compilers and linkers leave it that few use: split off into .dwo files, in sections with cut names, clang's of
# version 5, for ARM.  The witness is the same program with usual debug information: the same code must give the same rows.
#
# The images are stored ones (made, in tests/lib/tap.sh); each needs no libraries, and has /src for the directory of its sources.

. "${srcdir:-.}/tests/lib/tap.sh"

cat >seed.c <<'EOT'
int seed(void) { return 3; }
EOT
cat >program.c <<'EOT'
extern int seed(void);
static inline __attribute__((always_inline)) int twice(int x) { if (x > 3) return x * x; return x * 2; }
static __attribute__((noinline)) int one(int a) { return twice(a) + seed(); }
__attribute__((noinline)) int two(int a) { return seed() * twice(a); }
int start(void) { return twice(seed()) + one(2) + two(3); }
EOT
cat >global.cc <<'EOT'
struct C { int v; __attribute__((always_inline)) C(int x) : v(x * 3) {} int get() { return v; } };
extern "C" int seed(void);
C global(seed());
extern "C" int start(void) { return global.get(); }
EOT

# dump IMAGE: what its table says, but where the linker's empty sections are, which depends on the debug sections
dump () {
	rossym-addr2line --dump -e "$1" | sed '/	_*\(tls\|crt_x[a-z]\)_\(start\|end\)__	/d; /	_*end__	/d'
}
# rows IMAGE: what the table that is made of it says, without warnings
rows () {
	rossym-embed "$@" "${*##* }".table --table-only && dump "${*##* }".table
}
# same_rows NAME A B: both say the same, and of this program
same_rows () {
	rows "$2" >a.rows 2>a.said && rows "$3" >b.rows 2>b.said
	ok "$1" cmp a.rows b.rows
	ok "$1: there are rows" grep -q '[	/]\(program.c\|global.cc\)	' b.rows
	ok "$1: nothing is said" sh -c 'cat a.said b.said; ! test -s a.said -o -s b.said'
}

# ------------------------------------------------------------------------------------------------------ gcc

cat >one.c <<'EOT'
static inline int inner(int *p)
{
	return *p / 3;
}
static inline int outer(int *p)
{
	int sum = p[1];
	return sum + inner(p);
}
int start(int *p)
{
	p[2] = 1;
	return outer(p);
}
EOT

cat >other.c <<'EOT'
static inline int third(int *p) { return *p / 3; }
static inline int sum(int *p) { int s = p[1]; return s + third(p); }
int other(int *p) { p[2] = 1; return sum(p); }
EOT
# Many types, each in a unit of its own that is smaller than any unit with code.
awk 'BEGIN {
	for (i = 0; i < 10; i++)
		printf "struct T%d { struct In { int b; } in; enum E { A%d } e; int get() { return %d * in.b; } };\n", i, i, i
	print "int f(void *p) { int r = 0;"
	for (i = 0; i < 10; i++)
		printf "r += ((T%d *)p)->get();\n", i
	print "return r; }"
}' >types.cc
# The rest makes images again: in "machine" for MACHINE, in "version" for this version of DWARF, too.
compile () {
	"$machine-w64-mingw32-gcc" -ffile-prefix-map="$PWD=/src" "$@"
}
link () {
	start=start
	test "$machine" = x86_64 || start=_start
	compile -nostdlib -Wl,--image-base,0x400000,--file-alignment,32,--entry=$start "$@"
}
# offset FILE SECTION: where it begins in the file
offset () {
	"$machine-w64-mingw32-objdump" -h "$1" | awk -v name="$2" '$2 == name { print "0x" $6 }'
}
gcc_images () {
	link -O2 -gdwarf-2 -gstrict-dwarf -o strict.exe one.c && link -O2 -g -o one.exe one.c &&
		link -g -O1 -o cut.exe program.c seed.c -Wl,--disable-long-section-names &&
		link -g -O1 -o sound.exe one.c other.c && link -g -O2 -flto -o lto.exe program.c seed.c || return
	echo "$(offset sound.exe .debug_info) $(offset sound.exe .debug_line)" >sound.offsets
	for version in 4 5; do
		link -gdwarf-$version -O1 -o inside-$version.exe types.cc &&
			link -gdwarf-$version -O1 -fdebug-types-section -o units-$version.exe types.cc || return
	done
}
# split DIRECTORY FLAG...: objects of both files there
split () {
	directory=$1
	shift
	mkdir -p "$directory" && compile -gdwarf-$version "$@" -c program.c -o "$directory/program.o" &&
		compile -gdwarf-$version "$@" -c seed.c -o "$directory/seed.o"
}
split_images () {
	split whole -O2 && link -o whole.exe whole/program.o whole/seed.o &&
		split objects -O2 -gsplit-dwarf && split zipped -O2 -gsplit-dwarf -gz=zlib-gnu && split another -O1 -gsplit-dwarf -DOTHER &&
		link -o split.exe objects/program.o objects/seed.o 2>/dev/null || return
	# dwp of binutils knows DWARF 4, and ELF files.  tests/debuginfo/unit-dwarf-split.c makes packages of DWARF 5.
	test $version = 4 || return 0
	format=pe-i386 elf=elf32-i386
	test $machine = i686 || { format=pe-x86-64 elf=elf64-x86-64; }
	mkdir -p package elf
	for name in program seed; do
		$machine-w64-mingw32-objcopy -I "$format" -O "$elf" objects/$name.dwo elf/$name.dwo || return
	done
	(cd elf && dwp -o ../package/elf.dwp program.dwo seed.dwo) && rm -r elf &&
		$machine-w64-mingw32-objcopy -I "$elf" -O "$format" package/elf.dwp package/split.dwp &&
		link -o package/another.exe another/program.o objects/seed.o 2>/dev/null
}

for machine in i686 x86_64; do
	made $machine strict.exe one.exe cut.exe sound.exe sound.offsets lto.exe inside-4.exe units-4.exe inside-5.exe units-5.exe -- gcc_images
	# The README's advice: with these options gcc leaves out where inlined calls are.
	for format in strict one; do
		rossym-embed $format.exe new.exe || exit 99
		address=$(rossym-addr2line --dump -e new.exe | awk -F '\t' '$5 == 3 { print $1; exit }')
		if test $format = one; then
			outer=one.c:8 start=one.c:13
		else
			outer='??:?' start='??:?'
		fi
		check "$machine $format: the callers of an inlined call" rossym-addr2line --rva -fips -e new.exe "$address" <<-EOT
			inner at one.c:3
			 (inlined by) outer at $outer
			 (inlined by) start at $start
		EOT
	done
	cut="rossym-embed: warning: cut.exe: debug information is not \
read where names of sections are cut to 8 bytes: .debug_a, .debug_i, .debug_l, *.debug_r"
	check "$machine: names of sections that are cut are told" -s 1 -g "$cut
rossym-embed: cut.exe: * of its debug sections cannot be read; nothing was written (--allow-partial writes the table)" \
		rossym-embed cut.exe none.exe </dev/null
	ok "$machine: nothing is written" test ! -e none.exe
	check "$machine: --allow-partial" -g "$cut
rossym-embed: warning: cut.exe: * of its debug sections cannot be read" rossym-embed --allow-partial cut.exe new.exe </dev/null
	check "$machine: has the names of symbols" sh -c 'rossym-addr2line --dump -e new.exe | cut -f 3 | grep -x two | uniq' <<-'EOT'
		two
	EOT
	cut=$(echo "$cut" | sed 's/rossym-embed:/rsym:/')
	check "$machine: rsym knows no such error" -g "$cut
rsym: warning: cut.exe: * of its debug sections cannot be read" rsym cut.exe rsym.exe </dev/null
	ok "$machine: and writes what --allow-partial writes" cmp rsym.exe new.exe

	# One unit of two cannot be read: no table, but answers for addresses in the other one.
	rva=$(rows sound.exe | awk -F '\t' '$3 == "other" { print $1; exit }')
	address=$(printf '0x%x' $((0x400000 + rva)))
	for part in info line; do
		cp sound.exe half.exe
		case $part in
		info) at=$(cut -d ' ' -f 1 sound.offsets) ;;
		line) at=$(cut -d ' ' -f 2 sound.offsets) ;;
		esac
		printf '\011' | dd of=half.exe bs=1 seek=$((at + 4)) conv=notrunc 2>/dev/null
		left="half.exe: DWARF unit at 0x0 is left out: *"
		much="half.exe: * of * bytes of * are left out"
		what="$machine: damaged .debug_$part"
		check "$what" -s 1 -g "rossym-embed: warning: $left
rossym-embed: $much; nothing was written (--allow-partial writes the table)" rossym-embed half.exe none.exe </dev/null
		check "$what: a table" -s 1 -g "rossym-embed: warning: $left
rossym-embed: $much; nothing was written (--allow-partial writes the table)" rossym-embed --table-only half.exe none.exe </dev/null
		ok "$what: nothing is written" test ! -e none.exe
		check "$what: --allow-partial" -g "rossym-embed: warning: $left
rossym-embed: warning: $much" rossym-embed --allow-partial half.exe new.exe </dev/null
		check "$what: each unit is counted once" sh -c \
			'rossym-embed -v --allow-partial half.exe new.exe 2>/dev/null | sed -n "s/.*DWARF: \(.*rejected\).*/\1/p"' <<-'EOT'
			2 units, 1 of them rejected
		EOT
		cases 'the other unit is there'
		check "$what: nor does a table for these addresses lack anything" -g "rossym-embed: warning: $left" sh -c '
			echo "$0" | rossym-embed --table-only --for=- half.exe new.sym; rossym-addr2line --rva -fs -e new.sym "$0"' "$rva" <<-'EOT'
			other
			other.c:3
		EOT
	done

	for version in 4 5; do
		rows inside-$version.exe >inside.rows
		check "$machine: units of types, DWARF $version" -O inside.rows rows units-$version.exe
		ok "$machine: the lines of each call are there" test "$(wc -l <inside.rows)" -ge 16
	done

	# gcc -flto for Windows loses the names of functions, but not of their symbols.
	llvm=$(newest llvm-addr2line)
	rossym-embed lto.exe lto.new || exit 99
	rossym-addr2line --dump -e lto.new | awk -F '\t' '$3 ~ /^(one|two|start)/ && $4 ~ /program.c/ { print $1 }' >addresses
	ok "$machine: functions without names have those of their symbols" test "$(wc -l <addresses)" -ge 3
	if test -n "$llvm" && witness "$llvm" || no_witness "$machine: the names that LLVM takes" 'no llvm-addr2line'; then
		while read -r rva; do
			printf '0x%x\n' $((0x400000 + rva))
		done <addresses >vmas
		# LLVM leaves the underscore of i386 symbols.
		# Without the C run-time a label of the linker's script has the address of the first function; LLVM takes that.
		$llvm -fie lto.exe <vmas | sed 's/^_//; s/^_*crt_xt_end__$/two.constprop.0/' >llvm.out
		check "$machine: the names that LLVM takes" -O llvm.out -I addresses rossym-addr2line --rva -fie lto.new
	fi

	for version in 4 5; do
		what="$machine, split DWARF $version"
		mkdir other
		test $version = 5 || package='package/elf.dwp package/split.dwp package/another.exe'
		# shellcheck disable=SC2086
		made $machine-$version whole.exe split.exe objects/program.dwo objects/seed.dwo zipped/program.dwo \
			another/program.dwo $package -- split_images
		missing="DWARF unit at 0x*: its functions and inlined calls are in"

		check "$what: the directory in the name does not count" \
			-g "rossym-embed: warning: split.exe: $missing program.dwo, which was not found; see rossym-embed --debug-directory
rossym-embed: warning: split.exe: $missing seed.dwo, which was not found; see rossym-embed --debug-directory" rossym-embed split.exe new.exe </dev/null
		dump new.exe >new.rows
		rows whole.exe >whole.rows
		ok "$what: lines without the files" grep -q '		.*program.c	4	0' new.rows
		ok "$what: and no names that may be of outer functions" sh -c '! grep -q "	[a-z][a-z]*	.*program.c	" new.rows' sh
		two=$(sed -n 's/^\([^	]*\)	[^	]*	two	.*program.c	4	0$/\1/p' whole.rows | sed q)

		if witness strace && strace -qq -f -o trace true 2>/dev/null && test -z "${RUNNER-}" ||
			no_witness "$what: no other files are asked for" 'no strace'; then
			strace -qq -f -e trace=file -o trace rossym-embed --dwo-directory=other split.exe new.exe 2>/dev/null
			sed -n 's/.*"\([^"]*\.dwo\)".*/\1/p' trace | sort -u >tried
			check "$what: no other files are asked for" cat tried <<-'EOT'
				other/program.dwo
				other/seed.dwo
				program.dwo
				seed.dwo
			EOT
		fi
		check "$what: rossym-addr2line without the files: no function is guessed" sh -c 'rossym-addr2line --rva -f -e split.exe "$1" 2>/dev/null |
			sed "s/.*program/program/"' sh "$two" <<-'EOT'
			??
			program.c:4
		EOT
		for option in debug-directory dwo-directory; do
			check "$what: --$option" rossym-embed --$option=objects split.exe new.exe </dev/null
			dump new.exe >new.rows
			ok "$what: --$option: the same rows" cmp whole.rows new.rows
		done
		check "$what: rossym-addr2line --debug-directory" sh -c 'rossym-addr2line --rva -f --debug-directory=objects -e split.exe "$1" |
			sed "s/.*program/program/"' sh "$two" <<-'EOT'
			two
			program.c:4
		EOT
		for copy in 1 2 3 4 5 6 7 8; do
			cp -r objects "copy$copy"
		done
		on_posix check "$what: rossym-addr2line has few of the files open at a time" sh -c 'ulimit -n 16
			rossym-addr2line --rva -f -e split.exe $(printf -- "--debug-directory=%s " copy*) "$1" | sed "s/.*program/program/"' sh "$two" <<-'EOT'
			two
			program.c:4
		EOT
		rm -r copy?
		echo "at split.exe+$two" >log
		check "$what: rossym-log -d" sh -c 'rossym-log -e split.exe -d objects log | sed "s/ (.*program/ (program/"' <<-EOT
			at split.exe+$two (program.c:4 (two))
		EOT
		check "$what: rossym-log, beside the image" sh -c 'cp objects/*.dwo . && rossym-log -e split.exe log | sed "s/ (.*program/ (program/"
			rm program.dwo seed.dwo' <<-EOT
			at split.exe+$two (program.c:4 (two))
		EOT
		check "$what: a directory that is named" rossym-embed --dwo-directory=other --dwo-directory=objects split.exe \
			new.exe </dev/null
		dump new.exe >new.rows
		ok "$what: the same rows" cmp whole.rows new.rows
		ok "$what: with inlined calls" grep -q '	two	.*program.c	4	1' new.rows
		rossym-embed --dwo-directory=zipped --dwo-directory=objects split.exe new.exe 2>said
		dump new.exe >new.rows
		if ! grep -q 'cannot be decompressed' said || skip "$what: compressed" 'built without zlib'; then
			ok "$what: compressed" cmp whole.rows new.rows
		fi
		cp objects/*.dwo .
		same_rows "$what: beside the image" whole.exe split.exe
		check "$what: what was read" sh -c 'rossym-embed -v split.exe new.exe | sed -n 1s/[0-9]*\ bytes/N\ bytes/p' <<-'EOT'
			new.exe: found .dwo files: 2 of N bytes
		EOT

		# The right file is found after a wrong one.
		cp another/program.dwo .
		check "$what: a file of another build is named" -g "rossym-embed: warning: split.exe: DWARF unit at 0x*: program.dwo \
is of another build, and not read
rossym-embed: warning: split.exe: $missing program.dwo, which was not found; see rossym-embed --debug-directory" rossym-embed split.exe new.exe </dev/null
		check "$what: and does not hide the right one" -g "rossym-embed: warning: split.exe: DWARF unit at 0x*: program.dwo \
is of another build, and not read" rossym-embed --dwo-directory=objects split.exe new.exe </dev/null
		dump new.exe >new.rows
		ok "$what: whose rows are there" cmp whole.rows new.rows

		# What is no such file.
		rm seed.dwo program.dwo
		mkdir seed.dwo
		echo text >program.dwo
		check "$what: a directory, a text" -g "rossym-embed: warning: seed.dwo: not a regular file; it is not read
rossym-embed: warning: split.exe: DWARF unit at 0x*: program.dwo is no .dwo file
rossym-embed: warning: split.exe: $missing program.dwo, which was not found; see rossym-embed --debug-directory
rossym-embed: warning: split.exe: $missing seed.dwo, which was not found; see rossym-embed --debug-directory" rossym-embed split.exe new.exe </dev/null
		rmdir seed.dwo
		truncate -s 257M seed.dwo
		check "$what: too large" -g "rossym-embed: warning: seed.dwo: too large; it is not read
*" rossym-embed split.exe new.exe </dev/null
		check "$what: too large for rossym-addr2line, too" -g "rossym-addr2line: warning: seed.dwo: too large; it is not read
*" rossym-addr2line --rva -s -e split.exe "$two" <<-'EOT'
			program.c:4
		EOT
		rm seed.dwo
		crashes=0 size=$(wc -c <objects/program.dwo) at=0
		while test $at -lt $size; do
			head -c $at objects/program.dwo >program.dwo
			rossym-embed split.exe new.exe 2>/dev/null || crashes=$((crashes + 1))
			at=$((at + 31))
		done
		ok "$what: a file that is cut off" test $crashes -eq 0
		rm ./*.dwo

		if test $version = 4; then
			cp package/elf.dwp split.exe.dwp
			same_rows "$what: a package, as an ELF file" whole.exe split.exe
			rm split.exe.dwp
			ok "$what: a package" rossym-embed --dwo-directory=package split.exe new.exe
			dump new.exe >new.rows
			ok "$what: ... with the same rows" cmp whole.rows new.rows
			mv package/another.exe split.exe
			check "$what: a package without one of the units" -g "rossym-embed: warning: split.exe: $missing program.dwo, which was not \
found; see rossym-embed --debug-directory" rossym-embed --dwo-directory=package split.exe new.exe </dev/null
		fi
		rm -rf objects other zipped another package whole
		package=
	done
done

# ---------------------------------------------------------------------------------------------------- clang

clang_images () {
	clang="clang --target=$machine-w64-windows-gnu -ffile-prefix-map=$PWD=/src"
	$clang -O1 -gdwarf-4 -c seed.c || return
	for version in 4 5; do
		$clang -O1 -gdwarf-$version -c global.cc -o global.o && link -o global$version.exe global.o seed.o || return
	done
	# Calls from file 0, line 0, as clang makes them where file 1 is not file 0 once more.
	$clang -O1 -gdwarf-5 -S global.cc -o - | sed '/\.addrsig/d; s/\.byte	1 \(.*DW_AT_call_file\)/.byte	0 \1/' >zero.s &&
		$machine-w64-mingw32-as -o zero.o zero.s && link -o zero.exe zero.o seed.o || return
	start=$($machine-w64-mingw32-nm zero.exe | sed -n 's/ . _*GLOBAL__sub_I_.*//p')
	for byte in 0 1 2 3 4 5 6 7 8 9 10 11 12; do
		printf '0x%x\n' $((0x$start + byte))
	done >addresses
	$machine-w64-mingw32-addr2line -afi -e zero.exe <addresses >gnu
}
for machine in i686 x86_64; do
	made clang-$machine global4.exe global5.exe zero.exe addresses gnu -- clang_images
	same_rows "$machine: clang's references to names, linked by GNU ld" global4.exe global5.exe
	rossym-embed zero.exe zero.new
	check "$machine: a call from file 0, line 0, as GNU prints it" -O gnu -I addresses rossym-addr2line -afi -e zero.new
	ok "$machine: it is there" grep -qx '/.*/global.cc:?' gnu
done

# The names of i386's calling conventions.  In DWARF, clang's linkage names of stdcall functions are those of COFF; gcc's
# lack the first underscore.  nm tells where the functions are, and each name of the linker is another spelling.
cat >called.c <<'EOT'
#define FUNCTION __attribute__((noinline)) int
volatile int q;
FUNCTION __attribute__((stdcall)) NtClose(int a, int b) { return a + b + q; }
FUNCTION __attribute__((stdcall)) _NtOpen(int a, int b) { return a - b + q; }
FUNCTION __attribute__((fastcall)) fast(int a, int b) { return a + b * q; }
FUNCTION __attribute__((vectorcall)) vector(int a, int b) { return a - b * q; }
FUNCTION ordinary(int a, int b) { return a * b + q; }
int start(void) { return NtClose(1, 2) + _NtOpen(1, 2) + fast(1, 2) + vector(1, 2) + ordinary(1, 2); }
EOT
cp called.c called.cc
cat >answers.c <<'EOT'
NtClose at called.c:3
_NtOpen at called.c:4
fast at called.c:5
vector at called.c:6
ordinary at called.c:7
EOT
cat >answers.cc <<'EOT'
_Z7NtCloseii at called.cc:3
_Z7_NtOpenii at called.cc:4
_Z4fastii at called.cc:5
_Z6vectorii at called.cc:6
_Z8ordinaryii at called.cc:7
EOT
called_images () {
	shift
	"$@" -O1 -ffile-prefix-map="$PWD=/src" -c -o called.o "$called_source" &&
		i686-w64-mingw32-gcc -nostdlib -Wl,--entry=0,--file-alignment,32 -o called.exe called.o &&
		i686-w64-mingw32-objcopy --strip-debug called.exe stripped.exe || return
	for function in NtClose _NtOpen fast vector ordinary; do
		i686-w64-mingw32-nm called.exe | awk -v name=$function 'index($3, name) { print "0x" $1, $3 }'
	done >places
}
# called NAME KEY SOURCE COMPILER...
called () {
	called_name=$1 called_key=$2 called_source=$3
	shift 2
	made "$called_key" called.exe stripped.exe places -- called_images "$@"
	rossym-embed called.exe table.exe || exit 99
	cut -d ' ' -f 1 places >addresses
	sed 's/.* \(.*\)/\1+0/' places >spellings
	for called_image in called.exe table.exe; do
		check "$called_name: $called_image" -O answers.${called_source#*.} -I addresses rossym-addr2line -fsp -e $called_image
		check "$called_name: $called_image, by name" -O answers.${called_source#*.} -I spellings \
			rossym-addr2line -fsp -e $called_image
	done
	sed 's/ at .*/ at ??:?/' answers.${called_source#*.} >answers
	check "$called_name: COFF symbols" -O answers -I addresses rossym-addr2line -fsp -e stripped.exe
	check "$called_name: COFF symbols, by name" -O answers -I spellings rossym-addr2line -fsp -e stripped.exe
	rossym-addr2line --dump -e table.exe >rows
	check "$called_name: no other names of these functions" awk -F '\t' '
		$3 ~ /NtClose|NtOpen|fast|vector|ordinary/ && !seen[$3]++ { count++ }
		END { print count }' rows <<-'EOT'
			5
		EOT
}
for version in 2 4 5; do
	called "clang, DWARF $version" clang-c-$version called.c clang --target=i686-w64-windows-gnu -gdwarf-$version
	called "clang, C++, DWARF $version" clang-cc-$version called.cc clang --target=i686-w64-windows-gnu -gdwarf-$version
	test $version = 4 || continue # GNU 2.40 names wrong files for DWARF 5
	if witness i686-w64-mingw32-addr2line || no_witness 'clang, C++: for --diff decoration is no difference' 'no i686-w64-mingw32-addr2line'; then
		check 'clang, C++: for --diff decoration is no difference' -I addresses \
			-e 'rossym-addr2line: 5 addresses compared: 0 differ, 4 differ only in what is ignored
rossym-addr2line:         4 decoration (ignored)' \
			rossym-addr2line -f --diff=called.exe -e table.exe --reference=i686-w64-mingw32-addr2line
	fi
done
# gcc has no vectorcall.
called gcc gcc-c called.c i686-w64-mingw32-gcc -g -Dvectorcall=stdcall
called 'gcc, C++' gcc-cc called.cc i686-w64-mingw32-g++ -g -Dvectorcall=stdcall

# linked TARGET EMULATION NAME FLAG...
linked () {
	linked_target=$1 linked_emulation=$2 linked_name=$3
	shift 3
	clang --target=$linked_target-w64-windows-gnu -O1 -fno-asynchronous-unwind-tables -ffile-prefix-map="$PWD=/src" "$@" -c program.c \
		seed.c && ld.lld -m $linked_emulation --no-insert-timestamp --entry=start -o "$linked_name" program.o seed.o
}
lld_images () {
	linked $target $emulation l2.exe -gdwarf-2 && linked $target $emulation l4.exe -gdwarf-4 &&
		linked $target $emulation l5.exe -gdwarf-5
}
form_images () {
	linked x86_64 i386pep plain.exe -gdwarf-5 && linked x86_64 i386pep form.exe -gdwarf-5 -mllvm -minimize-addr-in-v5=Form
}

for machine in i686:i386pe x86_64:i386pep thumbv7:thumb2pe; do
	target=${machine%:*} emulation=${machine#*:}
	made lld-$target l2.exe l4.exe l5.exe -- lld_images
	same_rows "$target: lld, DWARF 2" l4.exe l2.exe
	same_rows "$target: clang's references to names, linked by lld" l4.exe l5.exe
done

# The last image is for ARM.
if witness llvm-nm || no_witness 'ARM: functions begin where symbols do' 'no llvm-nm'; then
	rossym-addr2line --dump -e l4.exe.table | awk -F'\t' '$6 == -1 { print "004" substr($1, 6), $3 }' |
		sort >functions
	llvm-nm l4.exe | sed -n 's/ [Tt]//p' | sort >symbols
	ok 'ARM: functions begin where symbols do' cmp symbols functions
fi

made form plain.exe form.exe -- form_images
rossym-embed plain.exe plain.new
check 'addresses as another address and an offset' rossym-embed form.exe form.new </dev/null
ok 'give the same table' sh -c 'rossym-addr2line --dump -e plain.new >plain.tsv; rossym-addr2line --dump -e form.new | cmp - plain.tsv'
ok 'which is there' grep -q '/program.c	4	' plain.tsv

# ------------------------------------------------------------------------------------------- more warnings than are shown

mkdir warnings && cd warnings || exit 99
python3 - "$SRC/tests/tools" >many.exe <<'EOT'
import sys
sys.path.insert(0, sys.argv[1])
from growing import Dwarf, Image
dwarf = Dwarf()
dwarf.abbreviation(1, 0x11, 0, (0x2130, 0x08), (0x2131, 0x07))
for i in range(1001):
    dwarf.unit(b"\1%d.dwo\0" % i + i.to_bytes(8, "little"))
image = Image(4096, 4096)
image.section(".debug_info", bytes(dwarf.entries))
image.section(".debug_abbrev", bytes(dwarf.abbreviations) + b"\0")
image.section(".debug_addr", bytes(8))
sys.stdout.buffer.write(image.finish())
EOT
seq 0 1000 | sed 's/$/.dwo/' | xargs mkdir
check 'a thousand .dwo files that are directories' \
	sh -c "rossym-embed --allow-empty many.exe new.exe 2>&1 | sed -n '1p; 1000,1001p'" <<'EOT'
rossym-embed: warning: 0.dwo: not a regular file; it is not read
rossym-embed: warning: 998.dwo: not a regular file; it is not read
rossym-embed: warning: many.exe: there are more warnings, which are not shown
EOT
cd ..

done_testing
