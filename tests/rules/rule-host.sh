# SPDX-License-Identifier: GPL-2.0-or-later
#
# amalgamation/host and host-log are what a build of host tools takes: CMake makes rsym and raddr2line of the first, in which all is one
# file, and log2lines of the second, for this system and for Windows, without a library and without a warning; clang accepts all of it.
# The programs pass the tests of their names.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/amalgamation.sh"

need "${MAKE:-make}" cmake

ok 'make amalgamation' amalgamation
ok 'all files can be read by everybody, and written by their owner' \
	sh -c 'test -z "$(find "$@" ! -perm -644 -o -perm /22 ! -type l)"' sh amalgamation/host amalgamation/host-log
for kit in host host-log; do
	check "$kit: each source is listed once" sh -c '
		cd "$1" && find . -name "*.c" ! -path ./log/main.c | sed "s,^\./,," | while read -r file; do
			n=$(tr " ()" "\n\n\n" <CMakeLists.txt | grep -c -x -F "$file")
			test "$n" = 1 || echo "$file: $n"
		done' sh "amalgamation/$kit" </dev/null
done
# What a maintainer has to read.
ok 'host has at most 24,000 lines' test "$(find amalgamation/host -type f -exec cat {} + | wc -l)" -le 24000
ok 'in at most 8 files' test "$(find amalgamation/host -type f | wc -l)" -le 8
# What is in the file stands at its beginning, in the order of the text.
check 'rossym-host.c lists what is in it' sh -c '
	sed -n "/^ \* In this file:$/,/^ \*\/$/s,^ \*	,,p" "$1" >listed
	sed -n "s,^/\* ======== \(.*\) \*/$,\1,p" "$1" | diff listed - && wc -l <listed | sed "s/^[1-9][0-9][0-9]$/some/"' \
	sh amalgamation/host/rossym-host.c <<-'EOT'
		some
	EOT

# builds NAME CMAKE-ARGUMENT...: a build with all warnings, each an error.  The language is that of ReactOS's tree, C99.
builds () {
	name=$1
	shift
	for kit in host host-log; do
		cmake -Werror=dev -S "amalgamation/$kit" -B "$name/$kit" -DCMAKE_C_FLAGS='-O0 -Wall -Werror' "$@" &&
			cmake --build "$name/$kit" -j 2 || return
	done
}
# passes NAME TEST: the test passes with the programs of that build, which have no archives and no demangler.
passes () (
	unset MAKEFLAGS MFLAGS MAKELEVEL
	RSYM_BIN=$PWD/$1/host/rsym RADDR2LINE_BIN=$PWD/$1/host/raddr2line LOG2LINES_BIN=$PWD/$1/host-log/log2lines HAVE_LIBARCHIVE=no
	export RSYM_BIN RADDR2LINE_BIN LOG2LINES_BIN HAVE_LIBARCHIVE MKIMAGE
	top_builddir=$tap_build srcdir=$SRC sh "$SRC"/tests/*/"$2.sh"
)

unset CFLAGS CPPFLAGS LDFLAGS CC
if has gcc || skip 'CMake, gcc' 'no gcc'; then
	ok 'CMake, gcc' builds gcc -DCMAKE_C_COMPILER=gcc
	# Without zlib there is debug information that it cannot read, and it says so.
	build zipped.dll <<-'EOT'
		pe32
		section .text size=16 flags=code
		section .zdebug_info size=32 flags=data
	EOT
	check 'compressed debug information is not read, and it says so' \
		-e 'gcc/host/rsym: warning: zipped.dll: section .zdebug_info is compressed, and this program was built without zlib
gcc/host/rsym: warning: zipped.dll: 1 of its debug sections cannot be read
gcc/host/rsym: warning: zipped.dll: nothing to embed' gcc/host/rsym zipped.dll new.dll </dev/null
	for test in cli-embed-rsym cli-raddr2line cli-log2lines; do
		ok "$test passes" passes gcc "$test"
	done
fi
windows=x86_64-w64-mingw32
if has $windows-gcc && has $windows-windres || skip 'CMake, for Windows' "no $windows-gcc"; then
	ok 'CMake, for Windows' builds mingw -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_C_COMPILER=$windows-gcc -DCMAKE_RC_COMPILER=$windows-windres
	libraries () {
		$windows-objdump -p mingw/*/*.exe | sed -n 's/.*DLL Name: //p' | sort -fu
	}
	check 'they need the system only' libraries <<-'EOT'
		ADVAPI32.dll
		KERNEL32.dll
		msvcrt.dll
	EOT
	if has wine || skip 'the programs for Windows' 'no wine'; then
		WINEDEBUG=-all
		export WINEDEBUG
		# The first program under Wine makes the user's configuration, and Wine says so.
		wine cmd /c exit </dev/null >/dev/null 2>&1
		cp "$DATA/dwarf32.nostrip.exe" x.exe
		ok 'rsym under Wine' wine mingw/host/rsym.exe -s /src x.exe wine.exe
		ok 'rsym here' gcc/host/rsym -s /src x.exe here.exe
		ok 'makes the same' cmp wine.exe here.exe
	fi
fi

# ------------------------------------------------------------------------------------------------ other compilers

accepts () (
	for kit in host host-log; do
		(cd "amalgamation/$kit" && find . -name '*.c' ! -name replace-windows.c -exec "$@" -I . -DHAVE_CONFIG_H {} +) || return
	done
)
if has clang || skip 'clang' 'there is none'; then
	ok 'clang has no warning' accepts clang -std=gnu99 -fsyntax-only -Wall -Werror
fi

done_testing
