# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the library promises to programs that link it, and what only one place may use.  rule-graph.sh has who may include whom.

tap_plain=yes # for libtool
. "${srcdir:-.}/tests/lib/tap.sh"

header=$SRC/src/rossym.h
set -- "$header" "$SRC/src/rossym-core.h" "$SRC/src/rossym-set.h" "$SRC/src/rossym-unwind.h" "$SRC/src/rossym-write.h"
shared=$tap_build/src/.libs/librossym.so
static=$tap_build/src/.libs/librossym.a
: "${CC:=cc}" "${CFLAGS=}" "${LDFLAGS=}" "${MAKE:=make}"
# To optimise what runs once takes longer than to run it.
CFLAGS="$CFLAGS -O0"

# Whether configure left out a kind of library.
left_out () {
	test "$(sed -n "s/^build_$1=//p" "$tap_build/libtool" | sed 1q)" = no
}

# ------------------------------------------------------------------------------------------------ names

# The functions that the headers declare: comments away, then what stands before a parenthesis.
cat "$@" | sed 's,/\*.*\*/,,' | awk '/\/\*/ { inside = 1 } !inside; /\*\// { inside = 0 }' | tr -c 'A-Za-z0-9_(' '\n' |
	sed -n 's/^\(rossym_[a-z0-9_]*\)(.*/\1/p' | sort -u >declared
ok 'the headers declare functions' test -s declared

if { ! left_out libtool_libs || skip 'the shared library exports what the headers declare' 'built without it'; } &&
	{ has nm || skip 'the shared library exports what the headers declare' 'no nm'; }; then
	ok 'the shared library can be read' nm -D --defined-only "$shared"
	# Version nodes are absolute symbols.
	awk '$3 != "" && $2 != "A" { sub(/@.*/, "", $3); print $3 }' "$OUT" | sort -u >exported
	ok 'the shared library exports what the headers declare and nothing else' diff -u declared exported
fi

# A node begins with "NAME {".
map=$SRC/src/rossym.map
sed -n 's/^\t\(rossym_[a-z0-9_]*\);$/\1/p' "$map" | sort >mapped
ok 'src/rossym.map lists the functions of the headers: add lines with +, take out lines with -' diff -u mapped declared
sed -n 's/^\(ROSSYM_[0-9.]*\) {$/\1/p' "$map" | sort >nodes
ok 'it has version nodes' test -s nodes

# A tarball has no debian/.  dpkg-gensymbols asks the library which functions are in a node.
packaged=$SRC/debian/librossym4.symbols
if test -e "$SRC/.git" || test -e "$packaged"; then
	sed -n 's/^ (symver)\(ROSSYM_[0-9.]*\) [0-9.]*$/\1/p' "$packaged" | sort >packaged
	ok 'debian/librossym4.symbols has a line for each node of src/rossym.map' diff -u packaged nodes
fi

# The name of the library is in Makefile.am, and in the names of packages.
number=$(sed -n 's/^src_librossym_la_LDFLAGS = -version-info \([0-9]*\):[0-9]*:\([0-9]*\) .*/\1 - \2/p' "$SRC/Makefile.am")
number=$((${number% - *} - ${number#* - }))
if test -e "$SRC/.git"; then
	check 'the packages are named after the library' sed -n "s/^librossym\.so\.$number librossym$number .*/yes/p" \
		"$SRC/debian/librossym$number.symbols" <<-'EOT'
			yes
	EOT
fi
if left_out libtool_libs; then
	:
elif ! has readelf; then
	skip 'its name in programs is that of the packages' 'no readelf'
else
	ok 'the shared library has a dynamic section' readelf -d "$shared"
	cp "$OUT" dynamic
	check 'its name in programs is that of the packages' sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p' dynamic <<-EOT
		librossym.so.$number
	EOT
fi

if { ! left_out old_libs || skip 'the static library' 'built without it'; } &&
	{ has nm || skip 'the static library' 'no nm'; }; then
	ok 'the static library can be read' nm "$static"
	sed -n 's/^[0-9a-f]* *[TDBRVWC] \([A-Za-z_][A-Za-z0-9_]*\)$/\1/p' "$OUT" | sort -u >global
	check 'it has all functions that the headers declare' comm -23 declared global </dev/null
	# What an instrumenting compiler adds is not ours.
	grep -v -e '^rossym_' -e '^rs_' -e '^__' global >stray
	check 'all that it shares with its user begins with rossym_ or rs_' cat stray </dev/null

	nm -u "$static" | sed -n 's/^ *[Uw] \([A-Za-z_0-9]*\).*/\1/p' | sort -u >undefined
	# It ends nothing, prints nothing, and asks neither the environment nor the locale.
	for name in exit _exit _Exit quick_exit abort raise kill signal sigaction longjmp __assert_fail \
		stdin stdout stderr printf fprintf vprintf vfprintf dprintf vdprintf puts putchar fputs fputc putc fwrite write \
		writev perror psignal syslog err errx warn warnx error fopen fdopen tmpfile \
		__printf_chk __fprintf_chk __vprintf_chk __vfprintf_chk __dprintf_chk \
		getenv secure_getenv setenv putenv setlocale localeconv gettext dcgettext \
		strerror strtok rand getopt getopt_long pthread_mutex_lock mtx_lock; do
		grep -x -e "$name" undefined
	done >forbidden
	check 'it uses nothing that prints, ends the process or depends on its state' cat forbidden </dev/null

	# Tables of pointers are constant after relocation; .data.rel.ro holds them.  Sanitizers keep their own data.
	nm -f sysv "$static" | awk -F '|' '
		{ gsub(/ /, "") }
		$7 ~ /^\.(data|bss|tdata|tbss|sdata|sbss)/ && $7 !~ /^\.data\.rel\.ro/ || $7 ~ /COM/ { print $1, $7 }' |
		grep -v -e '^__' -e '^\.L' >writable
	check 'it has no variables' cat writable </dev/null
fi

# ------------------------------------------------------------------------------------------------ the header

cxx=
for name in ${CXX-} c++ g++ clang++; do
	test -n "$cxx" || ! has "$name" || cxx=$name
done
for name in rossym.h rossym-core.h rossym-set.h rossym-unwind.h rossym-write.h; do
	printf '#include "%s"\n#include "%s"\nint main(void) { return 0; }\n' $name $name >user.c
	cp user.c user.cc
	if has "${CC%% *}" || skip "$name stands alone in C" 'no compiler'; then
		for standard in c99 c11; do
			# shellcheck disable=SC2086
			check "$name stands alone in $standard" $CC -std=$standard -pedantic-errors -Wall -Wextra -Werror \
				-fsyntax-only -I "$SRC/src" user.c </dev/null
		done
	fi
	if test -n "$cxx" || skip "$name stands alone in C++" 'no C++ compiler'; then
		check "$name stands alone in C++" "$cxx" -std=c++11 -pedantic-errors -Wall -Wextra -Werror -fsyntax-only \
			-I "$SRC/src" user.cc </dev/null
	fi
done

# ------------------------------------------------------------------------------------------------ pkg-config

install_library () {
	# An outer make's options and job server are not for this one.
	unset MAKEFLAGS MFLAGS MAKELEVEL
	$MAKE -C "$tap_build" DESTDIR="$tap_tmp/destdir" install-includeHEADERS install-libLTLIBRARIES install-pkgconfigDATA
}

if has pkg-config && has "${CC%% *}" && has "${MAKE%% *}" || skip 'a program finds the installed library' 'no pkg-config, compiler or make'; then
	ok 'the library is installed' install_library
	pc=$(find "$tap_tmp/destdir" -name rossym.pc)
	ok 'so is rossym.pc' test -f "$pc"
	# The image of the destination directory is the root of all paths, the usual ones included.
	PKG_CONFIG_LIBDIR=${pc%/*}
	PKG_CONFIG_SYSROOT_DIR=$tap_tmp/destdir
	PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1
	PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
	export PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_ALLOW_SYSTEM_CFLAGS PKG_CONFIG_ALLOW_SYSTEM_LIBS
	unset PKG_CONFIG_PATH
	version=$(sed -n 's/^#define ROSSYM_VERSION_[A-Z]* //p' "$header" | tr '\n' . | sed 's/\.$//')
	cases 'its version is that of rossym.h'
	libdir=$(pkg-config --variable=libdir rossym)
	case $libdir in
	"$tap_tmp"/*) ;;
	*) libdir=$tap_tmp/destdir$libdir ;;
	esac
	check 'and runs' env LD_LIBRARY_PATH="$libdir" ./program <<-EOT
		$version
	EOT

	# The examples, with each kind of library.
	examples=$SRC/src/examples
	cat "$examples"/* "$SRC/src/rossym.hh" | tr -c 'a-z0-9_' '\n' | grep '^rossym_' | sort -u >used
	cat "$header" "$SRC/src/rossym-set.h" "$SRC/src/rossym-unwind.h" "$SRC/src/rossym-write.h" | sed 's,/\*.*\*/,,' |
		awk '/\/\*/ { inside = 1 } !inside; /\*\// { inside = 0 }' | tr -c 'A-Za-z0-9_(' '\n' |
		sed -n 's/^\(rossym_[a-z0-9_]*\)(.*/\1/p' | sort -u >interface
	check 'the examples use all functions of the headers but rossym-core.h' comm -23 interface used </dev/null
	rossym-embed -s /src "$DATA/dwarf64.nostrip.exe" embedded.exe
	for kind in shared static; do
		case $kind in
		shared) kind_name=libtool_libs library='-lrossym' ;;
		static) kind_name=old_libs library=$libdir/librossym.a ;;
		esac
		if left_out $kind_name; then
			skip "the examples ($kind)" 'built without this library'
			continue
		fi
		for name in dump-lines list process-lines set stacks ten-lines; do
			# shellcheck disable=SC2046,SC2086
			check "example $name compiles ($kind)" $CC -std=c11 -D_XOPEN_SOURCE=700 -pedantic-errors -Wall -Wextra -Werror \
				$CFLAGS -o $name "$examples/$name.c" $(pkg-config --cflags --libs-only-L rossym) $library $LDFLAGS </dev/null
		done
		ok 'it lists an image' env LD_LIBRARY_PATH="$libdir" ./list "$DATA/dwarf32.exe"
		sed -n '/^section .text/p; /^[0-9]* rows/,$p' "$OUT" >part
		check 'sections, rows, functions' cat part <<-'EOT'
			section .text    at 0x1000, 0x18f8 bytes, code, the first is 0xc3
			288 rows, 13 of them linker constants
			no block, 0 functions
			row 0x1: _major_image_version__ ?:0
			row 0x3: _subsystem__ ?:0
			row 0x4: _major_subsystem_version__ ?:0
			row 0x4: _major_os_version__ ?:0
		EOT
		# A table of ReactOS has paths below its source tree.
		for image in dwarf32.exe: dwarf32.nostrip.exe:/src/ stabs32.nostrip.exe:/src/; do
			check "ten lines answer for ${image%:*}" env LD_LIBRARY_PATH="$libdir" \
				./ten-lines "$DATA/${image%:*}" 1610 1 163e 1651 <<-EOT
				KeBugCheckEx at ${image#*:}ke/bug.c:16
				KeBugCheckEx at ${image#*:}ke/bug.c:18
				KeBugCheckEx at ${image#*:}ke/bug.c:19
			EOT
		done
		for image in "embedded.exe" "$DATA/dwarf64.nostrip.exe"; do
			path=/src/
			test "${image##*/}" != embedded.exe || path=
			check "ten lines have the calls that were inlined, in ${image##*/}" env LD_LIBRARY_PATH="$libdir" \
				./ten-lines "$image" 1560 <<-EOT
				mix at ${path}ke/bug.h:10
				fingerprint at ${path}ke/bug.c:10
			EOT
		done
		cases 'and exit with 1 for what is no image'
		for module in 400000-401000:dwarf32.nostrip.exe 7f000000-7f001000:stabs32.exe 7f002000-7f003000:README; do
			echo "${module%%:*} r--p 00000000 08:01 7 $DATA/${module#*:}"
		done >maps
		check 'addresses in a process' -I maps env LD_LIBRARY_PATH="$libdir" ./process-lines 401651 7f001651 7f002010 1 <<-'EOT'
			dwarf32.nostrip.exe!KeBugCheckEx at /src/ke/bug.c:19
			stabs32.exe!KeBugCheckEx@20 at ke/bug.c:19
		EOT
		if test -x "$tap_build/tests/tools/mkdump"; then
			"$tap_build/tests/tools/mkdump" x86 app.dmp
			mkdir -p build "store/app.exe/5DB9029310000"
			for stamp in 0x5db90293:store/app.exe/5DB9029310000 0x5db90294:build; do
				build "${stamp#*:}/App.exe" <<-EOT
					pe32 stamp=${stamp%%:*} imagesize=0x10000
					section .text rva=0x1000 size=0x100 flags=code
					rossym
					row 0x1000 main main.c 3
				EOT
			done
			for directory in store 'build store'; do
				# shellcheck disable=SC2086
				check "the stacks in a dump, with lines ($directory)" env LD_LIBRARY_PATH="$libdir" ./dump-lines app.dmp $directory <<-'EOT'
					thread 0x20
					  app.exe!main at main.c:3
					thread 0x21
					  0x77777777
				EOT
			done
			cases 'but none from another build'
		fi
		dumps=${DUMP_FIXTURES:-$SRC/../shared/fixtures/dumps}/wine
		if test -d "$dumps" || skip 'stacks of fixtures' 'files of others are not here'; then
			for dump in zoo-gcc-x86_64.6 zoo-clang-x86_64.2 zoo-gcc-i686.5 zoo-clang-i686.6; do
				pdb=$dumps/${dump%.*}.pdb
				test -f "$pdb" || pdb=
				"$tap_build/src/rossym-log" -u -e "$dumps/${dump%.*}.exe" ${pdb:+--pdb="$pdb"} "$dumps/$dump.dmp" 2>/dev/null |
					sed -n -e 's/^ *[0-9]*  \([^ ]* + 0x[0-9a-f]*\)$/\1/p' -e 's/^ *[0-9]*  \(0x[0-9a-f]*\) in no module$/\1/p' >report
				ok "$dump: its stacks" env LD_LIBRARY_PATH="$libdir" ./stacks "$dumps/$dump.dmp" "$dumps/${dump%.*}.exe" $pdb
				sed -n -e 's/, proved$//' -e 's/^  \(.*\), \(context\|unwound\|frame pointer\|scanned\)$/\1/p' "$OUT" >seen
				check '... are those of rossym-log' -O report cat seen
				ok "$dump: with lines" env LD_LIBRARY_PATH="$libdir" ./dump-lines "$dumps/$dump.dmp" "$dumps"
				"$tap_build/src/rossym-log" -i -d "$dumps" "$dumps/$dump.dmp" 2>/dev/null >report
				cp "$OUT" seen
				check '... it reaches main()' sh -c 'grep -c "!main at .*zoo.c:" seen; grep -c "main" report | sed "s/^[1-9].*/1/"' <<-'EOT'
					1
					1
				EOT
			done
		fi
		test -n "$cxx" || { skip 'the examples in C++' 'no C++ compiler'; continue; }
		# It takes a second, and its object is the same for each kind.
		where () {
			# shellcheck disable=SC2046,SC2086
			{ test -f where.o || "$cxx" -std=c++11 -pedantic-errors -Wall -Wextra -Werror $CFLAGS -c "$examples/where.cc" \
				$(pkg-config --cflags rossym); } &&
				"$cxx" $CFLAGS -o where where.o $(pkg-config --libs-only-L rossym) $library $LDFLAGS
		}
		cases 'example where compiles (kind)'
	done
	# The C++ header, as programs without exceptions and run-time types use it.
	for standard in c++11 c++20; do
		test -n "$cxx" || { skip "rossym.hh in $standard" 'no C++ compiler'; continue; }
		# shellcheck disable=SC2046,SC2086
		check "rossym.hh in $standard" "$cxx" -std=$standard -pedantic-errors -fno-exceptions -fno-rtti -Wall -Wextra -Wconversion -Werror \
			$CFLAGS -o cxx "$SRC/tests/rules/rule-lib/cxx.cc" $(pkg-config --cflags --libs-only-L rossym) -lrossym $LDFLAGS </dev/null
	done
	test ! -x "$tap_build/tests/tools/mkdump" || "$tap_build/tests/tools/mkdump" x86+names app.dmp 0x504 8 0x4f4 0x50 0x348 0 0x34c 0x401020
	test -z "$cxx" || check 'it has owners, ranges and errors' env LD_LIBRARY_PATH="$libdir" ./cxx app.dmp embedded.exe none <<-'EOT'
		module app.exe
		module a_b?.dll
		thread 0x20 main_loop
		  0x401010
		  0x401020
		thread 0x21 a?crashed??x.sys?1?
		  0x77777777
		1 frame, 1
		no dump: 1
		section .text at 0x1000
		section INIT at 0x3000
		section PAGE at 0x4000
		section .data at 0x5000
		section .rdata at 0x6000
		section .pdata at 0x7000
		section .xdata at 0x8000
		section .bss at 0x9000
		section .idata at 0xa000
		section .CRT at 0xb000
		section .tls at 0xc000
		section .reloc at 0xd000
		section .rossym at 0xe000
		frame mix ke/bug.h:10
		frame fingerprint ke/bug.c:10
		symbol mix ke/bug.h:10
		symbol fingerprint ke/bug.c:10
		114 functions, 777 rows
		1 places
		0x1560 mix
		machine 0x8664
		0 places
		failed: IMAGE: cannot open: No such file or directory
		row 0x1000 made:7
		reader: 1
		set: 1
		none: 1, 1
		a long path: 1
		clear: 1
		no table of no image: 1, 1
	EOT
	# tests/addr2line/cli-crash-windows.sh runs this one.
	for target in x86_64 i686 aarch64; do
		compiler="$target-w64-mingw32-gcc"
		test $target != aarch64 || compiler='clang --target=aarch64-windows-gnu -isystem /usr/share/mingw-w64/include'
		if ! witness "${compiler%% *}" || ! echo '#include <windows.h>' | $compiler -fsyntax-only -x c - 2>/dev/null; then
			no_witness "example crash-windows compiles for $target" "no $compiler"
			continue
		fi
		# shellcheck disable=SC2046
		check "example crash-windows compiles for $target" $compiler -std=c11 -pedantic -Wall -Wextra -Werror -O2 \
			$(pkg-config --cflags rossym) -c -o crash-windows.o "$examples/crash-windows.c" </dev/null
	done
	check 'only the public headers are installed' sh -c 'find "$1" -name "*.h*" | sed "s,.*/,," | sort' sh "$tap_tmp/destdir" <<-'EOT'
		rossym-core.h
		rossym-set.h
		rossym-unwind.h
		rossym-write.h
		rossym.h
		rossym.hh
	EOT
fi

# ------------------------------------------------------------------------------------------------ includes

cd "$SRC" || exit 99
grep -n '^[ 	]*#[ 	]*include[ 	]*"' compat/*.[ch] | grep -v '"\(compat/\)\{0,1\}[a-z_]*\.h"' >"$tap_tmp/work/compat"
grep -l 'include.*demangle\.h>' src/*.[ch] src/*/*.[ch] src/*/*/*.[ch] >"$tap_tmp/work/demangle"
grep -n 'include' src/rossym.h src/rossym-core.h src/rossym-set.h src/rossym-unwind.h src/rossym-write.h | grep -v '<std[a-z]*\.h>\|"rossym\(-core\)\{0,1\}\.h"' | grep '#' >"$tap_tmp/work/public"
cd "$tap_tmp/work" || exit 99

cases 'lib'

done_testing
