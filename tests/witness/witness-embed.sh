# SPDX-License-Identifier: GPL-2.0-or-later
#
# What others say about images that rossym-embed made: GNU objdump, strip and objcopy, LLVM's reader, debuggers that follow a
# debug link, and Windows' own loader, or Wine's.

. "${srcdir:-.}/tests/lib/tap.sh"

names='dwarf32 dwarf64 stabs32'

# ---------------------------------------------------------------------------------- objdump, strip, objcopy

sections () {
	objdump -h "$1" | sed -n 's/^ *[0-9][0-9]*  *\([^ ]*\)  *[0-9a-f]* .*/\1/p' | tr '\n' ' '
	echo
}
headers () {
	objdump -p "$1" | sed -n 's/[ 	][ 	]*/ /g; /^\(SizeOfImage\|SizeOfHeaders\|CheckSum\|NumberOfRvaAndSizes\) /p'
}

for name in $names; do
	old=$DATA/$name.nostrip.exe
	ok "$name" rossym-embed -s /src "$old" $name.exe
	ok "$name: the witness has nothing against it" pecheck $name.exe "$old"
	rossym-addr2line --dump -e $name.exe >$name.dump
	ok "$name: all rows are sound" rossym-addr2line --check -e $name.exe
	if ! has objdump || ! objdump -i 2>/dev/null | grep -q '^pei-x86-64'; then
		skip "$name: objdump" 'no objdump that reads PE'
		continue
	fi
	ok "$name: objdump reads it" objdump -x $name.exe
	ok "$name: and has nothing to say" test ! -s "$ERR"
	check "$name: no debug section is left" sections $name.exe <<-EOT
		$(sections "$old" | sed 's/\.stab[^ ]* //g; s/\.debug_[^ ]* //g; s/$/.rossym /')
	EOT
	# Code and data as objdump sees them.
	for section in .text INIT PAGE .data .rdata .idata .CRT .tls; do
		objdump -s -j $section "$old" 2>/dev/null | sed 1,3d >one
		objdump -s -j $section $name.exe 2>/dev/null | sed 1,3d >two
		cmp -s one two || echo $section
	done >differ
	check "$name: sections are the same to objdump" cat differ </dev/null
	if has llvm-readobj || skip "$name: llvm-readobj" 'not there'; then
		ok "$name: llvm-readobj reads it" llvm-readobj --file-headers --sections --coff-imports --coff-basereloc $name.exe
		ok "$name: and has nothing to say" test ! -s "$ERR"
	fi
	case $name in
	dwarf64) tools=x86_64-w64-mingw32- ;;
	*) tools=i686-w64-mingw32- ;;
	esac
	for tool in strip objcopy; do
		if has $tools$tool || skip "$name: GNU $tool" "no $tools$tool"; then
			cp $name.exe in.exe
			case $tool in
			strip) ok "$name: GNU $tool" $tools$tool -o other.exe in.exe ;;
			objcopy) ok "$name: GNU $tool" $tools$tool in.exe other.exe ;;
			esac
			check "$name: GNU $tool keeps the table" -O $name.dump rossym-addr2line --dump -e other.exe </dev/null
		fi
	done
	if has llvm-objcopy; then
		ok "$name: llvm-objcopy" llvm-objcopy $name.exe other.exe
		check "$name: llvm-objcopy keeps the table" -O $name.dump rossym-addr2line --dump -e other.exe </dev/null
	fi

	# With debug information and symbols left in, everything that reads them goes on.
	ok "$name: --keep-debug" rossym-embed --keep-debug "$old" keep.exe
	ok "$name: the witness has nothing against that either" pecheck -k keep.exe "$old"
	objdump -t "$old" | sed 1,3d >one
	objdump -t keep.exe | sed 1,3d >two
	ok "$name: the symbols are the same" cmp one two
	if has addr2line; then
		awk -F '\t' '{ printf "%s\n", $1 }' $name.dump | sed 's/^0x//' >rvas
		base=$(objdump -p "$old" | sed -n 's/^ImageBase[	 ]*//p')
		while read -r rva; do
			printf '%x\n' $((0x$base + 0x$rva))
		done <rvas >addresses
		addr2line -fi -e "$old" <addresses >one
		addr2line -fi -e keep.exe <addresses >two
		ok "$name: addr2line gives the same answers" cmp one two
	fi
done

# ----------------------------------------------------------------------------------------- the debug link

mkdir link
for name in dwarf32 dwarf64; do
	cp "$DATA/$name.nostrip.exe" link/$name.debug
	ok "$name: --debuglink" rossym-embed --debuglink=link/$name.debug "$DATA/$name.nostrip.exe" link/$name.exe
	ok "$name: the witness" pecheck link/$name.exe "$DATA/$name.nostrip.exe"
	if has objdump && objdump -i 2>/dev/null | grep -q '^pei-x86-64' || skip "$name: objdump sees the link" 'no objdump that reads PE'; then
		ok "$name: objdump sees the link" sh -c 'objdump --dwarf=links "$1" | grep "info file: $2.debug"' sh link/$name.exe $name
	fi
	if has addr2line || skip "$name: addr2line" 'not there'; then
		case $name in
		dwarf32) at=0x401651 ;;
		dwarf64) at=$(rossym-addr2line -a -e link/$name.exe KeBugCheckEx+0x10 2>/dev/null | sed 1q) ;;
		esac
		addr2line -f -e link/$name.debug $at >one
		check "$name: addr2line follows it" -O one addr2line -f -e link/$name.exe $at </dev/null
		ok "$name: to an answer" grep -q 'bug\.c:' one
		mv link/$name.debug link/elsewhere
		addr2line -f -e link/$name.exe $at >two
		ok "$name: and has none without it" sh -c '! cmp -s one two'
		# Another file of that name has another CRC.
		{ cat link/elsewhere; echo; } >link/$name.debug
		addr2line -f -e link/$name.exe $at >two 2>/dev/null
		ok "$name: nor with another file" sh -c '! cmp -s one two'
		mv link/elsewhere link/$name.debug
	fi
	if has gdb || skip "$name: gdb" 'not there'; then
		gdb -nx -batch -ex 'info line fingerprint' link/$name.exe >one 2>&1
		ok "$name: gdb follows it" grep -q 'bug\.c' one
	fi
done

# -------------------------------------------------------------------------------------------- programs run

cat >program.c <<'EOT'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef SECTIONS
#define IN(n) __attribute__((section("extra" #n), used)) int extra##n = n;
SECTIONS
#endif
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
__thread int in_thread = 5;
const char *const pointers[] = { "to", "be", "relocated" };
int main(int argc, char **argv)
{
	int n[] = { 3, 1, 2 };
	qsort(n, 3, sizeof *n, compare);
	printf("%d %d%d%d %d %s %s\n", argc, n[0], n[1], n[2], in_thread, pointers[argc % 3], strrchr(argv[0], '.'));
	return 42;
}
EOT
cat >program.cc <<'EOT'
#include <cstdio>
#include <stdexcept>
#include <string>
template <typename T> T thrower(T t) { throw std::runtime_error("thrown " + std::to_string(t)); }
int main() { try { return thrower(7); } catch (const std::exception &e) { std::puts(e.what()); return 42; } }
EOT

# With Windows' programs, Wine has a server already, which stays.  One that ends with the last program can refuse the next one.
WINEDEBUG=-all
test -n "${RUNNER-}" || WINEPREFIX=$tap_tmp/wine
export WINEDEBUG WINEPREFIX
# tests/tools/wine.sh says what this is for.
fixed='setarch -R'
$fixed true 2>/dev/null || fixed=
runs () {
	$fixed timeout 120 wine "$1" 2>/dev/null | tr -d '\r'
}
# What PROGRAM says must be the same before and after.
same_run () {
	same_name=$1
	same_old=$2
	same_new=$3
	case $wine in
	no) skip "$same_name: runs" 'no wine' ;;
	other) skip "$same_name: runs" "$no_wine" ;;
	esac
	test $wine = yes || return 0
	runs "$same_old" >before
	runs "$same_new" >after
	test -s before || echo 'nothing' >after
	ok "$same_name: runs" cmp before after
}

for machine in x86_64 i686; do
	gcc=$machine-w64-mingw32-gcc
	if ! has $gcc; then
		skip "$machine: programs" "no $gcc"
		continue
	fi
	$gcc -g -O1 -o p.exe program.c || exit 99
	wine=yes
	if ! has wine; then
		wine=no
	else
		# Debian 12's own wine is for 64 bits; its wine32 is a package of another architecture.  Newer ones say why they do not run it.
		said=0
		$fixed timeout 120 wine ./p.exe >/dev/null 2>&1 || said=$?
		test $said = 42 || { wine=other no_wine="Wine runs no programs for $machine"; test $machine != i686 || no_wine="no 32-bit Wine"; }
	fi

	ok "$machine: embed" rossym-embed -s "$(pwd)" p.exe n.exe
	ok "$machine: the witness" pecheck n.exe p.exe
	same_run "$machine" ./p.exe ./n.exe
	check "$machine: the table knows the program" sh -c 'rossym-addr2line -f -e n.exe main+0 | sed 1q' <<-'EOT'
		main
	EOT
	rossym-embed --keep-debug p.exe k.exe
	same_run "$machine, --keep-debug" ./p.exe ./k.exe
	rossym-embed --debuglink=p.exe p.exe l.exe
	same_run "$machine, --debuglink" ./p.exe ./l.exe

	# A section behind the debug sections: they leave a hole.
	$machine-w64-mingw32-objcopy --add-section .behind=program.c --set-section-flags .behind=alloc,load,data \
		--change-section-address .behind=0x$(printf %x $((0x$(objdump -p p.exe | sed -n 's/^ImageBase[	 ]*//p') +
		0x$(objdump -p p.exe | sed -n 's/^SizeOfImage[	 ]*//p')))) p.exe h.exe 2>/dev/null
	ok "$machine, a hole" rossym-embed h.exe n.exe
	ok "$machine, a hole: the witness" pecheck n.exe h.exe
	ok "$machine, a hole: it was one" sh -c 'rossym-embed -v h.exe n.exe | grep "closed: 1 gaps"'
	same_run "$machine, a hole" ./p.exe ./n.exe

	# Headers of all lengths: one of them has no room for another section.
	rossym-addr2line --dump -e k.exe >dump
	grown=0 bad=0 list=
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13; do
		list="$list IN($i)"
		$gcc -s -O1 "-DSECTIONS=$list" -o s.exe program.c
		rossym-embed -v --from-dump=dump s.exe n.exe >said || bad=1
		pecheck n.exe s.exe || bad=1
		if grep -q '^n.exe: headers' said; then
			grown=$((grown + 1))
			same_run "$machine, grown headers" ./p.exe ./n.exe
		fi
	done
	ok "$machine: images with 1 to 13 more sections" test $bad -eq 0
	ok "$machine: the headers of one of them grew" test $grown -ge 1

	$gcc -g -O1 -Wl,--section-alignment=512,--file-alignment=512 -o f.exe program.c 2>/dev/null &&
		rossym-embed f.exe n.exe && ok "$machine, small pages: the witness" pecheck -g n.exe f.exe

	# Two libraries that want to be at the same address: one of them is relocated.
	for i in 1 2; do
		echo "static int n = $i, *p = &n; __declspec(dllexport) int get$i(void) { return *p; }" >lib$i.c
		$gcc -g -O1 -shared -Wl,--image-base=0x6a000000,--disable-dynamicbase -o d$i.dll lib$i.c
		rossym-embed d$i.dll d$i.new && pecheck d$i.new d$i.dll && mv d$i.new d$i.dll
	done >differ 2>&1
	check "$machine, libraries: the witness" cat differ </dev/null
	cat >user.c <<-'EOT'
		#include <stdio.h>
		int get1(void), get2(void);
		int main(void) { printf("%d %d\n", get1(), get2()); return 0; }
	EOT
	$gcc -o u.exe user.c d1.dll d2.dll
	case $wine in
	no) skip "$machine, libraries: run relocated" 'no wine' ;;
	other) skip "$machine, libraries: run relocated" "$no_wine" ;;
	yes)
		check "$machine, libraries: run relocated" runs ./u.exe <<-'EOT'
			1 2
		EOT
		;;
	esac

	if has $machine-w64-mingw32-g++; then
		$machine-w64-mingw32-g++ -g -O2 -static -o c.exe program.cc
		ok "$machine: a big C++ program" rossym-embed c.exe n.exe
		ok "$machine: the witness" pecheck n.exe c.exe
		same_run "$machine: exceptions" ./c.exe ./n.exe
	fi
done
test "${wine-no}" = no || test -n "${RUNNER-}" || timeout 30 wineserver -k 2>/dev/null || :

done_testing
