# SPDX-License-Identifier: GPL-2.0-or-later
#
# src/examples/crash-windows.c: a program that crashes shows its own stack, with lines and inlined calls, from the table in its
# mapped image.  The image's file is removed before the crash, and what the program imports cannot open files.  The witness is
# GNU addr2line, which reads the debug information of the unstripped program.
. "${srcdir:-.}/tests/lib/tap.sh"

on_windows || skip_all 'the programs are not for Windows'
target=x86_64-w64-mingw32
need $target-gcc $target-addr2line $target-objdump
embed=$(sed -n 's/^ROSSYM_EMBED = //p' "$tap_build/Makefile")
test -n "$embed" || skip_all 'no rossym-embed of this system'

ok 'the example compiles' $target-gcc -std=c11 -pedantic -Wall -Wextra -Werror -g -O2 -I "$SRC/src" -o unstripped.exe \
	"$SRC/src/examples/crash-windows.c" "$tap_build/src/.libs/librossym.a"
ok 'it gets a table' "$embed" unstripped.exe good.exe
$target-objdump -p good.exe | awk '/The Import Tables/ { inside = 1 } /The Function Table/ { inside = 0 } inside && NF == 3 { print $3 }' >imports
ok 'or a packed one' "$embed" --packed unstripped.exe packed.exe
ok 'its imports are known' grep -qx AddVectoredExceptionHandler imports
ok 'none of them opens a file, or finds what does' sh -c '! grep -i -e open -e CreateFile -e Library -e GetProc -e Map -e "^Nt" imports'

# crash IMAGE MODE: run a copy of IMAGE, remove the copy when it is ready, and let it crash.
mkfifo ready go
crash () {
	cp "$1" crash.exe
	$RUNNER ./crash.exe "$2" <go >ready 2>err &
	exec 3>go
	read -r word <ready
	test "${word%?}" = ready && rm crash.exe
	exec 3>&-
	status=0
	wait $! || status=$?
	# Which functions of other modules are on the stack, and where, differs from system to system.
	sed 's/^0x[0-9a-f]*: outside of this image$/elsewhere/' err | uniq
	return $status
}

# The output of a crash as the witness has it: all that the addresses on standard input belong to.
base=$($target-objdump -p unstripped.exe | sed -n 's/^ImageBase[	 ]*/0x/p')
witness () {
	before=0
	while read -r address rest; do
		case $address in
		0x*)
			address=${address%:}
			printf '%s: ' "$address"
			$target-addr2line -fip -e unstripped.exe "$(printf '%x' $((base + address - before)))"
			before=1
			;;
		'(inlined') ;;
		elsewhere)
			echo elsewhere
			before=1
			;;
		*) echo "$address${rest:+ $rest}" ;;
		esac
	done
}

# crashes TITLE STATUS IMAGE MODE: the program shows the functions on standard input, with the witness's lines.
crashes () {
	cat >expected
	crash "$3" "$4" >"$4"
	ok "$1: the handler ends the program" test $? -eq "$2"
	check "$1: the functions" -I "$4" -O expected sed 's/^0x[0-9a-f]*: //; s/ at .*//'
	witness <"$4" >by-witness
	ok "$1: as $target-addr2line" diff -u by-witness "$4"
}

cases 'crashes'

# ---- without a table, or with a damaged one ----

# The number of ROSSYM_FAULT_$1.
fault () {
	sed -n '/^enum rossym_fault_code {/,/^};/s/^	ROSSYM_FAULT_\([A-Z_]*\).*/\1/p' "$SRC/src/rossym-core.h" | awk -v name="$1" '$1 == name { print NR - 1 }'
}

# number FILE OFFSET: the 32 bits there.
number () {
	od -A n -t u4 -j "$2" -N 4 "$1" | tr -d ' '
}

# patch IMAGE OFFSET: the 32 bits there, all ones.
patch () {
	printf '\377\377\377\377' | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

# Where --check finds the fault of IMAGE; the program sees the same place in the mapped section.
place_in_memory () {
	at=$(rossym-addr2line --check -e "$1" 2>&1 | sed -n 's/.*: at \(0x[0-9a-f]*\): .*/\1/p')
	printf '0x%x\n' $((at - file + memory))
}

$target-objdump -h good.exe | awk '$2 == ".rossym" { print "0x" $6, "0x" $4 }' >place
read -r file memory <place
memory=$((memory - base))
rows=$(number good.exe $((file)))
rows_length=$(number good.exe $((file + 4)))
cp good.exe rows.exe && patch rows.exe $((file + rows))
# spoil_block FROM TO: copy the image, and damage the checksum of its block.
spoil_block () {
	strings=$(number "$1" $((file + 8)))
	length=$(number "$1" $((file + 12)))
	cp "$1" "$2" && patch "$2" $((file + (strings + length + 3) / 4 * 4 + 12))
}
spoil_block good.exe block.exe
spoil_block packed.exe packed-block.exe

sed '/^0x/s/:.*//; /inlined by/d' inlined >addresses
sed '/inlined by/d' inlined >innermost
# without IMAGE FILE LINE: what it prints is FILE with LINE in the second place.
without () {
	sed "1a\\
$3" "$2" >expected
	check "$1: $3" -s 3 -O expected crash "$1" inlined
}
without unstripped.exe addresses 'no lines: this image has no table'
# Where rows of 24 or 20 bytes would fill the table as well, the fault cannot name the row.
case $((rows_length % 24)),$((rows_length % 20)) in
0,* | *,0) code=ROW_SIZE ;;
*) code=ORDER ;;
esac
without rows.exe addresses "no lines: fault $(fault $code) of the table at $(place_in_memory rows.exe)"
without block.exe innermost "no inlined calls: fault $(fault BLOCK_CRC) of the table at $(place_in_memory block.exe)"
# The rows are in the block, too.
without packed-block.exe addresses "no lines: fault $(fault BLOCK_CRC) of the table at $(place_in_memory packed-block.exe)"

done_testing
