# SPDX-License-Identifier: GPL-2.0-or-later
#
# Where rossym-embed puts the markers for the ends of line sequences: one byte later after a call, so that the return address
# of a call that does not return belongs to its function.  objdump and llvm-mc are the witnesses for what is a call.

. "${srcdir:-.}/tests/lib/tap.sh"

objdump=no
! witness objdump || ! objdump -i 2>/dev/null | grep -q '^pei-x86-64' || objdump=yes

# ------------------------------------------------------------------------------------------ single instructions

in_octal () {
	for byte in $(echo "$1" | sed 's/../& /g'); do
		printf '\\%03o' 0x$byte
	done
}
# The last instruction of hexadecimal bytes.
last_instruction () {
	case $1 in
	aarch64) echo "$2" | sed 's/../0x& /g' | llvm-mc --disassemble --triple=aarch64 --mattr=+v8.5a | sed -n '$p' ;;
	*)
		# shellcheck disable=SC2059
		printf "$(in_octal "$2")" >code
		objdump -D -b binary --insn-width=16 -m "$1" code | sed -n '$s/.*	//p'
		;;
	esac
}
# "call" or "other", for each line of the list.
judged () {
	while read -r machine bytes kind; do
		case " $(last_instruction "$machine" "$bytes" | tr '\t' ' ') " in
		*' call '* | *' bl '* | *' blr'*) echo "$machine $bytes call" ;;
		*) echo "$machine $bytes other" ;;
		esac
	done
}
if ! on_windows || skip 'single instructions' 'the list is another system'"'"'s program'; then
	srcdir=$SRC "$tap_build/tests/debuginfo/unit-call" --list | grep '^i386' >list
	if test $objdump = yes || no_witness 'instructions of x86' 'no objdump'; then
		ok 'there are instructions of x86' test -s list
		check 'objdump takes the same for calls' -O list -I list judged </dev/null
	fi
	srcdir=$SRC "$tap_build/tests/debuginfo/unit-call" --list | grep '^aarch64' >list
	if witness llvm-mc && llvm-mc --version | grep -q aarch64 || no_witness 'instructions of ARM64' 'no llvm-mc'; then
		ok 'there are instructions of ARM64' test -s list
		check 'llvm-mc takes the same for calls' -O list -I list judged </dev/null
	fi
fi

# ------------------------------------------------------------------------------------------------- all markers

# The facts about an image, one a line: base ADDRESS; call END; section BEGIN END; end ADDRESS, of a line sequence or where a
# symbol stands; marker RVA.
facts () {
	objdump -p "$1" | awk '$1 == "ImageBase" { print "base", $2 }'
	objdump -h "$1" | awk '$1 ~ /^[0-9]+$/ { print "section", $4, $3 }'
	objdump --dwarf=decodedline "$1" 2>/dev/null | awk '$2 == "-" && $3 ~ /^0x/ { print "end", substr($3, 3) }'
	nm -a "$1" | awk '{ print "end", $1 }'
	objdump -dz --insn-width=16 "$1" | awk -F '\t' '
		$3 ~ /^([a-z0-9]+ )*call / { gsub(/[ :]/, "", $1); print "call", $1, split($2, bytes, " ") }'
	rossym-addr2line --dump -e "$2" | awk -F '\t' '$3 == "_rossym_end__" { print "marker", substr($1, 3) }'
}
# Says of every marker that is not where it should be what is wrong, and counts the others.
judge_markers () {
	awk '
	function hex(s, n, i) {
		for (i = 1; i <= length(s); i++)
			n = n * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
		return n
	}
	function key(n) { return sprintf("%.0f", n) }
	$1 == "base" { base = hex($2) }
	$1 == "section" { end[key(hex($2) + hex($3))] = limit[key(hex($2) + hex($3))] = 1 }
	$1 == "end" { end[key(hex($2))] = 1 }
	$1 == "call" { n = hex($2); call[key(n + split("", none) + $3)] = 1 }
	$1 == "marker" { marker[++markers] = base + hex($2) }
	END {
		for (i = 1; i <= markers; i++) {
			at = key(marker[i])
			before = key(marker[i] - 1)
			if (at in call && !(at in limit))
				printf "%x: a call ends here\n", marker[i]
			else if (at in end)
				there++
			else if (!(before in end) || !(before in call))
				printf "%x: neither an end nor after a call\n", marker[i]
			else
				moved++
		}
		print (there ? "some are" : "none is") " at an end"
		print (moved ? "some are" : "none is") " after a call"
	}' "$1"
}
# markers NAME IMAGE: makes NAME.exe
markers () {
	ok "$1: embed" rossym-embed -s /src "$2" "$1.exe"
	facts "$2" "$1.exe" >facts
	judge_markers facts >judged
	check "$1: markers are where they should be" sed '/^some are/d; /^none is after/d' judged </dev/null
}

if test $objdump = no || ! has nm; then
	objdump=no
	no_witness 'images' 'no objdump'
else
	for name in dwarf32 dwarf64 driver/driver; do
		markers "${name#*/}" "$(ls "$DATA/$name".nostrip.*)"
	done
fi

# --------------------------------------------------------------------------------------------- compiled for it

# Each function ends with a call that does not return.  After first the next function begins; after the last ones there is
# padding, but after one of the four, for the sections' sizes are multiples of 4.
cat >ends.c <<'EOT'
void stop(int) __attribute__((noreturn));
int printf(const char *, ...);
void (*pointer)(int) __attribute__((noreturn));
#define IN(name) __attribute__((noinline, used, section(name)))
IN("TIGHT") void first(int n) { printf("first"); stop(n); }
IN("TIGHT") void second(int n) { printf("second"); stop(n); }
IN("LAST0") void last0(int n) { printf("last"); pointer(n); }
IN("LAST1") void last1(int n) { printf("last"); __asm__("nop"); pointer(n); }
IN("LAST2") void last2(int n) { printf("last"); __asm__("nop; nop"); pointer(n); }
IN("LAST3") void last3(int n) { printf("last"); __asm__("nop; nop; nop"); pointer(n); }
EOT
echo 'int printf(const char *s) { return *s; } void exit(int n) { (void)n; } void stop(int n) { for (;;) exit(n); }' >stop.c
line_of () {
	awk -v what=" $1(" 'index($0, what) { print NR }' ends.c
}
# The address after the last call in a function.
after () {
	awk -v name="$1" '$1 == name { at = $2 } END { print at }' calls
}
# Makes nostrip.exe of "machine" with "flags"; "sections" has name, address and size of each section, "calls" a function and the
# address after one of its calls.
image () {
	# Addresses in stabs have 32 bits.  For unwinding on x86-64 the compiler adds a nop after such a call.
	# shellcheck disable=SC2086
	$machine-w64-mingw32-gcc -g $flags -fno-builtin -fno-asynchronous-unwind-tables -falign-functions=1 -ffile-prefix-map="$PWD=/src" \
		-nostdlib -Wl,--entry=0,--image-base,0x400000 -o nostrip.exe ends.c stop.c || return
	$machine-w64-mingw32-objdump -h nostrip.exe | awk '$1 ~ /^[0-9]+$/ { print $2, $4, $3 }' >sections
	$machine-w64-mingw32-objdump -dz --insn-width=16 nostrip.exe | awk -F '\t' '
		/^[0-9a-f]+ <.*>:$/ { split($0, part, /[<>]/); name = part[2]; sub(/^_/, "", name) }
		NF > 2 && $3 ~ /^call / { gsub(/[ :]/, "", $1); print name, $1, split($2, bytes, " ") }' |
		while read -r function at length; do
			printf '%s 0x%x\n' "$function" $((0x$at + length))
		done >calls
}
for machine in i686 x86_64; do
	for flags in '-O2' '-O2 -ffunction-sections' '-Os -gdwarf-2' '-O1 -gstabs+'; do
		name=$machine$(echo "$flags" | tr -d ' ')
		made $name nostrip.exe sections calls -- image
		case $flags$objdump in
		*stabs* | *no) ok "$name: embed" rossym-embed nostrip.exe $name.exe ;;
		*)
			markers $name nostrip.exe
			ok "$name: some of them are after a call" grep -q '^some are after' judged
			;;
		esac
		check "$name: where the next function begins" rossym-addr2line -fs -e $name.exe "$(after first)" <<-EOT
			second
			ends.c:$(line_of second)
		EOT
		full=0
		for i in 0 1 2 3; do
			read -r _ begin size <<-EOT
				$(grep "^LAST$i " sections)
			EOT
			if test $(($(after last$i))) -eq $((0x$begin + 0x$size)); then
				full=$((full + 1))
				check "$name: where the section ends" rossym-addr2line -fs -e $name.exe "$(after last$i)" <<-EOT
					??
					??:0
				EOT
			else
				check "$name: where it goes on" rossym-addr2line -fs -e $name.exe "$(after last$i)" <<-EOT
					last$i
					ends.c:$(line_of last$i)
				EOT
			fi
		done
		ok "$name: one of these sections is full" test $full -eq 1
	done
done

done_testing
