# SPDX-License-Identifier: GPL-2.0-or-later
#
# rossym-embed -s: names that begin with a slash and are those of files in the source tree, which the disk decides.

. "${srcdir:-.}/tests/lib/tap.sh"

# named OPTION... -- NAME...: what becomes of file names
named () {
	address=0
	for word; do
		shift
		if test $address -gt 0; then
			printf '0x%08x\t16\tf\t%s\t3\t0\n' $address "$word"
			address=$((address + 16))
		elif test "$word" = --; then
			address=4096
		else
			set -- "$@" "$word"
		fi
	done >plain
	sed 's/\\/&&/g' plain >rows
	rossym-embed "$@" --table-only --from-dump=rows table && rossym-addr2line --dump -e table | cut -f 4 | sed 's/\\\\/\\/g'
}

cases 'a file of the tree'
if on_windows; then
	check 'backslashes' named -s src -- '\ke\bug.c' <<-'EOT'
		ke\bug.c
	EOT
else
	cases 'backslashes are part of a name here'
fi

# --------------------------------------------------------------------------------------- debug information

printf '%s\n' '#include "ke/bug.h"' 'int start(void) { return twice(21); }' >src/main.c
echo 'static inline int twice(int n) { __asm__ volatile ("nop"); return 2 * n; }' >src/ke/bug.h
# compile FILE FLAG...: as ReactOS is built.  The sources have the name /src instead of this directory's.
compile () {
	file=$1
	shift
	$machine-w64-mingw32-gcc "$@" -O1 -nostdlib -Wl,--entry=0,--image-base,0x400000 "-fdebug-prefix-map=$PWD=/" \
		"-fdebug-prefix-map=$PWD/src=" -o "$file" "$PWD/src/main.c" "$PWD/src/ke/bug.c"
}
images () {
	compile x.exe -g -gdwarf-2 -gstrict-dwarf "$PWD/src/gone.c" && compile dwarf-4.exe -gdwarf-4 && compile dwarf-5.exe -gdwarf-5 &&
		compile stabs.exe -gstabs+
}
for machine in i686 x86_64; do
	echo 'int gone(void) { return 1; }' >src/gone.c
	made $machine x.exe dwarf-4.exe dwarf-5.exe stabs.exe -- images
	rm src/gone.c
	files () {
		rossym-addr2line --dump -e "$1" | cut -f 4 | grep . | sort -u
	}
	cases 'names keep their slash'
	for program in rossym-embed rsym; do
		ok "$machine: $program -s /" $program -s / x.exe y.exe
		check "$machine: $program -s /: all lose it" files y.exe <<-'EOT'
			gone.c
			ke/bug.c
			ke/bug.h
			main.c
		EOT
	done
	for format in dwarf-4 dwarf-5 stabs; do
		ok "$machine, $format" rossym-embed -s src $format.exe y.exe
		grep -v gone want >less
		check "$machine, $format: names" -O less files y.exe </dev/null
	done

	# What the disk is asked for.
	if on_windows || ! witness strace || ! strace -o traced -f true 2>/dev/null; then
		no_witness "$machine: what the disk is asked for" 'no strace'
		continue
	fi
	# A process that is traced cannot look for leaks.
	cases 'for what stat() tells'
done

done_testing
