# SPDX-License-Identifier: GPL-2.0-or-later
#
# The reader for kernels, as a driver: a native image without imports that has the reader in it, gets a table by rossym-embed, is
# loaded, and looks up return addresses of its own, some of them in inlined calls.
#
# The expected answers are comments in the sources of the image, witness-driver/.  The second witness is LLVM's addr2line, which
# reads the debug information of the image as it was before rossym-embed.
#
# Images for four machines are loaded by a small loader on Linux, those for ARM by QEMU; under Wine, one is loaded by Wine.
. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/amalgamation.sh"

parts=$SRC/tests/witness/witness-driver
embed=rossym-embed
# One for Windows reads no DWARF, so this system's makes the table.
on_windows && embed=${ROSSYM_EMBED:-rossym-embed}
# ---- what the driver should say ----

# Each line of a comment "LABEL: FUNCTION", as addr2line -p shows it.
awk 'match($0, /\/\* [A-Z]: [a-z_]* \*\//) {
	split(substr($0, RSTART + 3, RLENGTH - 6), mark, ": ")
	n = split(FILENAME, path, "/")
	print mark[1], mark[2] " at /source/tests/witness/witness-driver/" path[n] ":" FNR
}' "$parts/calls.h" "$parts/driver.c" >places
# The return addresses in the order in which the driver finds them, and the places of each, the innermost first.
awk 'NR == FNR { place[$1] = substr($0, 3); next }
	{ for (i = 1; i <= NF; i++) print (i > 1 ? " (inlined by) " : "") place[$i] }' places - >answers <<'END'
A F
A B D
C D
E
G
H
END
ok 'each place is in the sources' test "$(sort -u answers | grep -c ':[1-9][0-9]*$')" -eq 8
{ echo 'blocks after creating: 1, allocated and freed by look-ups: 0, after deleting: 0'; cat answers; } >want

# ---- the image ----

ok 'make amalgamation' amalgamation

# driver NAME COMPILER...: NAME.raw.sys, with debug information, and NAME.sys, with a table.
driver () {
	name=$1
	shift
	"$@" -std=gnu99 -Os -g -Wall -Wextra -Werror -ffreestanding -fno-builtin -fdebug-prefix-map="$SRC=/source" \
		-I amalgamation -I "$SRC/src" \
		"$parts/driver.c" "$parts/five.c" amalgamation/rossym-core.c amalgamation/rossym-kernel.c \
		-nostdlib -shared -Wl,--exclude-all-symbols -Wl,--subsystem,native -Wl,--image-base,0x10000000 -o "$name.raw.sys" &&
		"$embed" "$name.raw.sys" "$name.sys"
}

# What LLVM says of the headers: the words that matter.
headers () {
	llvm-readobj --file-headers --sections --coff-imports --coff-basereloc "$1" | awk '
		$1 == "Subsystem:" { print $1, $2 }
		/^(Delay)?Import {$/ { getline; print "import", $2 }
		$1 == "Name:" { name = $2 }
		$1 == "IMAGE_SCN_MEM_DISCARDABLE" && name == ".rossym" { print name, $1 }
		$1 == "Type:" && $2 != "ABSOLUTE" { relocations++ }
		END { if (relocations) print "base relocations" }'
}

if has llvm-readobj; then
	check 'the headers of a program with imports' headers "$DATA/dwarf32.exe" <<-'END'
		Subsystem: IMAGE_SUBSYSTEM_WINDOWS_CUI
		.rossym IMAGE_SCN_MEM_DISCARDABLE
		import KERNEL32.dll
		import msvcrt.dll
		base relocations
	END
fi

# run HOW IMAGE: what the loader prints, without the addresses, which go into the file "addresses".
run () {
	$loader "$@" >said
	status=$?
	sed -n 's/^\(0x[0-9a-f]*\): .*/\1/p' said >addresses
	sed 's/^0x[0-9a-f]*: //' said
	return $status
}

# judge MACHINE: its image, by $loader.
judge () {
	if has llvm-readobj || skip "$1: its headers" 'no llvm-readobj'; then
		check "$1: a native image without imports, its table in memory that can be discarded" headers "$1.sys" <<-'END'
			Subsystem: IMAGE_SUBSYSTEM_NATIVE
			.rossym IMAGE_SCN_MEM_DISCARDABLE
			base relocations
		END
	fi
	if test -z "$loader"; then
		skip "$1: it runs" 'nothing here runs it'
		return
	fi
	for how in preferred moved file; do
		check "$1, $how: its own return addresses" -O want run "$how" "$1.sys" </dev/null
	done
	if has llvm-symbolizer || skip "$1: as LLVM's addr2line" 'no llvm-symbolizer'; then
		check "$1: as LLVM's addr2line" -O said sh -c '
			echo "blocks after creating: 1, allocated and freed by look-ups: 0, after deleting: 0"
			llvm-symbolizer --output-style=GNU --relative-address -a -f -i -p -e "$1" <addresses' sh "$1.raw.sys" </dev/null
	fi
	check "$1: without a table" -s 1 run preferred "$1.raw.sys" <<-'END'
		loader: the driver cannot read its table
	END
}

# ---- Wine ----

if on_windows; then
	need x86_64-w64-mingw32-gcc
	ok 'x86_64: the loader is made' x86_64-w64-mingw32-gcc -O1 -Wall -Wextra -Werror -I "$SRC/src" "$parts/windows.c" "$parts/loader.c" -o loader.exe
	ok 'x86_64: the driver is made' driver x86_64 x86_64-w64-mingw32-gcc -Wl,-e,driver_main
	loader="$RUNNER ./loader.exe"
	judge x86_64
	done_testing
fi

# ---- Linux ----

# on_linux MACHINE TARGET COMPILER...: TARGET is the loader's, for clang.
on_linux () {
	machine=$1
	target=$2
	shift 2
	for tool in "$1" $(test "$1" != clang || echo ld.lld); do
		if ! has "$tool"; then
			skip "$machine" "no $tool"
			return
		fi
	done
	ok "$machine: the driver is made" driver "$machine" "$@"
	test -f "$machine.sys" || return
	loader=
	if has clang && has ld.lld; then
		# shellcheck disable=SC2086
		ok "$machine: the loader is made" clang --target=$target -O1 -Wall -Wextra -Werror -ffreestanding -fno-builtin -fno-pic \
			-I "$SRC/src" -nostdlib -static -fuse-ld=lld "$parts/linux.c" "$parts/loader.c" "$parts/five.c" -o "load-$machine"
		for loader in "./load-$machine" "qemu-${target%%-*} ./load-$machine" ''; do
			$loader 2>/dev/null | grep -q '^loader: ' && break
		done
	fi
	judge "$machine"
}

on_linux i686 i386-linux-gnu i686-w64-mingw32-gcc -mno-sse -mno-mmx -Wl,-e,_driver_main
on_linux x86_64 x86_64-linux-gnu x86_64-w64-mingw32-gcc -Wl,-e,driver_main
on_linux aarch64 aarch64-linux-gnu clang --target=aarch64-w64-windows-gnu -fuse-ld=lld -Wl,-e,driver_main
on_linux armv7 'arm-linux-gnueabihf -marm -mcpu=cortex-a15' \
	clang --target=armv7-w64-windows-gnu -mcpu=cortex-a15 -fuse-ld=lld -Wl,-e,driver_main

done_testing
