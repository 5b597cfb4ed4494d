# SPDX-License-Identifier: GPL-2.0-or-later
#
# Many addresses: the same bytes as one by one, in the right order, and nobody is kept waiting.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"

small_image x.exe
build big.exe <<'END'
pe32 base=0x400000
section .text rva=0x1000 size=0x20000 flags=code
section .data rva=0x30000 size=0x100 flags=data
rossym
generate rows=5000 step=8
row 0x10c40 "a name of more than thirty-two bytes, which is copied in another way" "/a/path/of/more/than/thirty-two/bytes.c" 123456789
row 0x10c50 "" only-a-file.c 0
row 0x10c60 only_a_function "" 0
row 0x10c70 "" "" 7
row 0x10c80 _ZN2io3Irp8completeEi src/irp.cpp 4294967295
row 0x10c90 _rossym_end__ "" 0
END

# ---- one by one and together ----

awk 'BEGIN {
	seed = 7
	for (i = 0; i < 400; i++) {
		seed = (seed * 16807) % 2147483647
		n = 4194304 + seed % 77824
		if (i % 10 == 0) n = 4194304 + 68672 + seed % 128
		if (i % 40 == 1) n = seed
		printf i % 3 ? "%x\n" : i % 2 ? "0x%08x\n" : "%016x\n", n
	}
	print "0"; print "ffffffffffffffff"; print "10000000000000000"; print ""; print "KeQueryThread0"; print "<big.exe:10c45>"
	print "410c55 "; print " 410c65"; print "410c75\r"; print "410c85+1"; print "zz"
}' >random

for options in '' -f -a -s -fp -afp -afpC -fC '-f --rva' '-f -j .text' '-f --load-address=10000000' '-f --return-addresses' \
	'-f --data' '-f --source-root=/root --path-map=ntoskrnl=/k' '--output-style=LLVM -fa' '--output-style=LLVM -fp' '--output-style=JSON'
do
	# All of them in one form; in the others, where only the printing differs, some of each kind.  Not so many where it
	# takes long to start a program.
	if on_windows; then
		test "$options" = -f && sed -n '1,60p; 398,$p' random >input || sed -n '1,3p; 405p; 407,$p' random >input
	else
		test "$options" = -f && cp random input || sed -n '1,24p; 398,$p' random >input
	fi
	while IFS= read -r line <&3; do
		# shellcheck disable=SC2086
		printf '%s\n' "$line" | rossym-addr2line -e big.exe $options 2>>failed || echo "$line: status $?" >>failed
	done 3<input >one-by-one
	# shellcheck disable=SC2086
	rossym-addr2line -e big.exe $options <input >together 2>said
	ok "the same bytes one by one and together: $options" sh -c 'diff one-by-one together || { cat failed said; false; }'
	rm -f failed
done

# ---- forms of lines ----

converse () {
	mkfifo in out
	rossym-addr2line "$@" <in >out &
	exec 4>in 5<out
	for address in 401000 401010 401020 402000 zz 401040; do
		echo "$address" >&4
		IFS= read -r answer <&5
		echo "$address $answer"
	done
	# Part of a line is no reason to keep the answers to whole ones.
	printf '401000\n401010\n4010' >&4
	IFS= read -r answer <&5
	echo "$answer"
	IFS= read -r answer <&5
	echo "$answer"
	echo 20 >&4
	IFS= read -r answer <&5
	echo "$answer"
	exec 4>&-
	wait
	rm -f in out
}

cases 'batch'
if rossym-addr2line -P 2 -e x.exe 401000 2>&1 | grep -q 'built without threads'; then
	all_workers=1
fi
for workers in $all_workers; do
	check "each line is answered before the next is sent, -P $workers" converse -e x.exe -P $workers <<'EOT'
401000 main.c:3
401010 main.c:4
401020 lib/helper.c:10
402000 main.c:30
zz ??:0
401040 /abs/ke/bug.c:20
main.c:3
main.c:4
lib/helper.c:10
EOT
done

# ---- binary input ----

check '--raw=32' -i '\000\020\100\000\020\020\100\000' rossym-addr2line -e x.exe -f --raw=32 <<'EOT'
main
main.c:3
main
main.c:4
EOT
check '--raw=64, the last number cut off' -i '\000\020\100\000\000\000\000\000\020\020' -e \
	'rossym-addr2line: warning: the input ends within a number of 8 bytes' rossym-addr2line -e x.exe --raw=64 <<'EOT'
main.c:3
EOT
check '--raw, no input' rossym-addr2line -e x.exe --raw=64 </dev/null
check '--raw of another width' -s 1 -e "rossym-addr2line: --raw: '16' is not 32 or 64" rossym-addr2line -e x.exe --raw=16 </dev/null
check '--raw and operands' -s 1 -e 'rossym-addr2line: --raw takes no addresses but from standard input' \
	rossym-addr2line -e x.exe --raw=32 401000 </dev/null

done_testing
