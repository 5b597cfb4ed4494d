# SPDX-License-Identifier: GPL-2.0-or-later
#
# amalgamation/host is what a build of host tools takes: CMake makes rsym, raddr2line and log2lines of it, for this system and for
# Windows, without a library and without a warning; clang and clang-cl accept all of it.  The programs pass the tests of their names.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/amalgamation.sh"

need "${MAKE:-make}" cmake

ok 'make amalgamation' amalgamation
host=$PWD/amalgamation/host
# The sources for C compilers of Unix or, with "windows", for those of Windows, as CMake would compile them.
sources () {
	case $1 in
	unix) other='msvc/|replace-windows' ;;
	windows) other='replace-posix|tool/files/inherit' ;;
	esac
	(cd "$host" && find . -name '*.c') | grep -v -E "$other" | sort
}
ok 'all files can be read by everybody, and written by their owner' \
	sh -c 'test -z "$(find "$1" ! -perm -644 -o -perm /22 ! -type l)"' sh "$host"
check 'each source is listed once' sh -c '
	cd "$1" && find . -name "*.c" | sed "s,^\./,," | while read -r file; do
		n=$(tr " ()" "\n\n\n" <CMakeLists.txt | grep -c -x -F "$file")
		test "$n" = 1 || echo "$file: $n"
	done' sh "$host" </dev/null

# builds NAME CMAKE-ARGUMENT...: a build with all warnings, each an error.  The language is that of ReactOS's tree, C99.
builds () {
	name=$1
	shift
	cmake -Werror=dev -S "$host" -B "$name" -DCMAKE_C_FLAGS='-O0 -Wall -Werror' "$@" && cmake --build "$name" -j 2
}
# passes NAME TEST: the test passes with the programs of that build, which have no archives and no demangler.
passes () (
	unset MAKEFLAGS MFLAGS MAKELEVEL
	EMBED_BIN=$PWD/$1/rsym ADDR2LINE_BIN=$PWD/$1/raddr2line LOG_BIN=$PWD/$1/log2lines HAVE_LIBARCHIVE=no INSTALLED_EMBED=
	export EMBED_BIN ADDR2LINE_BIN LOG_BIN HAVE_LIBARCHIVE INSTALLED_EMBED MKIMAGE PECHECK
	top_builddir=$tap_build srcdir=$SRC sh "$SRC/tests/$2.sh"
)

unset CFLAGS CPPFLAGS LDFLAGS CC
if has gcc; then
	ok 'CMake, gcc' builds gcc -DCMAKE_C_COMPILER=gcc
	# Without zlib there is debug information that it cannot read, and it says so.
	build zipped.dll <<-'EOT'
		pe32
		section .text size=16 flags=code
		section .zdebug_info size=32 flags=data
	EOT
	ln -s gcc/rsym embed
	check 'compressed debug information is not stripped' -s 1 -g '*zipped.dll: section .zdebug_info is compressed, and this program was built without zlib
*: 1 of its debug sections cannot be read; nothing was written (--allow-partial writes the table)' ./embed zipped.dll new.dll </dev/null
	ok 'nothing was written' test ! -e new.dll
	for test in cli-embed-rsym cli-raddr2line cli-log2lines; do
		ok "$test passes" passes gcc "$test"
	done
else
	skip 'CMake, gcc' 'no gcc'
fi
windows=x86_64-w64-mingw32
if has $windows-gcc && has $windows-windres; then
	ok 'CMake, for Windows' builds mingw -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_C_COMPILER=$windows-gcc -DCMAKE_RC_COMPILER=$windows-windres
	libraries () {
		$windows-objdump -p mingw/log2lines.exe mingw/raddr2line.exe mingw/rsym.exe | sed -n 's/.*DLL Name: //p' | sort -fu
	}
	check 'they need the system only' libraries <<-'EOT'
		ADVAPI32.dll
		KERNEL32.dll
		msvcrt.dll
	EOT
	if has wine; then
		RUNNER=wine WINEDEBUG=-all
		export RUNNER WINEDEBUG
		# The first program under Wine makes the user's configuration, and Wine says so.
		wine cmd /c exit </dev/null >/dev/null 2>&1
		ok 'cli-embed-rsym passes under Wine' passes mingw cli-embed-rsym
	else
		skip 'the programs for Windows' 'no wine'
	fi
else
	skip 'CMake, for Windows' "no $windows-gcc"
fi

# ------------------------------------------------------------------------------------------------ other compilers

# Of the files that are for Unix only: clang-cl, below, reads the others.
accepts () (
	sources windows >windows
	files=$(sources unix | comm -23 - windows)
	cd "$host"
	# shellcheck disable=SC2086
	"$@" -I . -DHAVE_CONFIG_H $files
)
if has clang; then
	ok 'clang has no warning' accepts clang -std=gnu99 -fsyntax-only -Wall -Werror
else
	skip 'clang' 'there is none'
fi

# clang-cl has no headers of Microsoft's, so it gets MinGW's, which want to be compiled by GCC.  All that the sources include are read
# first, as by GCC; after that nothing tells the sources that the compiler is not cl.  Windows's own header takes long to read.
headers=/usr/$windows/include
clang_cl=$(newest clang)
plain='ctype direct errno fcntl inttypes io limits process setjmp signal stdarg stdbool stddef stdint stdio stdlib string sys/stat sys/types time'
prelude () {
	printf '#include <_mingw.h>\n#undef __MINGW_IMPORT\n#define __MINGW_IMPORT extern\n'
	printf '#include <%s.h>\n' "$@"
	printf '#undef __GNUC__\n#undef __MINGW32__\n#undef __MINGW64__\n'
}
# shellcheck disable=SC2086
prelude $plain >plain.h
# shellcheck disable=SC2086
prelude $plain windows >windows.h
# accepts_cl PRELUDE FILE...
accepts_cl () (
	prelude=$PWD/$1
	shift
	cd "$host" && "$clang_cl" --driver-mode=cl --target=x86_64-pc-windows-msvc -fgnuc-version=10.0.0 /Zs /W3 /WX \
		-D__MINGW_FORCE_SYS_INTRINS= /DHAVE_CONFIG_H "/FI$prelude" /I. /Imsvc -imsvc "$headers" "$@"
)
if test ! -f "$headers/windows.h" || test -z "$clang_cl"; then
	skip 'clang-cl' 'no clang, or no headers of MinGW'
else
	sources windows | while read -r file; do
		grep -q '^#include <windows.h>' "$host/$file" && echo "$file" >&2 || echo "$file"
	done >others 2>with-windows
	# shellcheck disable=SC2046
	ok 'clang-cl has no warning' accepts_cl plain.h $(cat others)
	# shellcheck disable=SC2046
	ok 'nor where Windows is called' accepts_cl windows.h $(cat with-windows)
fi

done_testing
