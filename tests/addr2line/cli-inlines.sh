# SPDX-License-Identifier: GPL-2.0-or-later
#
# -i: from an image that has nothing but its .rossym table, what GNU addr2line prints from DWARF.

. "${srcdir:-.}/tests/lib/tap.sh"

# ------------------------------------------------------------------------------------------------ a small table

build x.exe <<-'EOT'
	pe32 base=0x400000
	section .text size=0x4000
EOT
printf '%b' \
	'1000\t64\touter\t\t0\t-1\n' \
	'1000\t16\touter\to.c\t1\t0\n' \
	'1010\t16\tinner\ti.h\t3\t0\n1010\t16\tmiddle\tm.h\t20\t1\n1010\t16\touter\to.c\t30\t2\n' \
	'1020\t16\tinner\ti.h\t4\t0\n1020\t16\touter\t\t0\t1\n' \
	'1030\t16\touter\to.c\t5\t0\n' \
	'1040\t0\t_rossym_end__\t\t0\t0\n' >rows
rossym-embed --from-dump=rows x.exe inner.exe && rossym-embed --from-dump=rows --entry-frame=outer x.exe outer.exe &&
	rossym-embed --from-dump=rows --no-inlines x.exe none.exe || exit 99

for e in inner outer; do
	cases '-i'
	check "$e: JSON of many" -i "$(awk 'BEGIN { for (i = 0; i < 100; i++) printf "401010\\n" }')" \
		sh -c "rossym-addr2line --output-style=JSON -e $e.exe | sort -u | grep -c '\"outer\",\"Line\":3,\"StartAddress\":\"0x401000\"'" <<-'EOT'
			1
		EOT
	cases 'JSON'
done
cases 'a plain look-up: inner'

# --------------------------------------------------------------------------------------- what is not touched

# Where pread() is replaced, a read does not say where it reads.  Nobody looks for leaks in a program that is traced.
traced () {
	ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0 strace -o trace "$@"
}
if witness strace && traced -e trace=openat,pread64 rossym-addr2line -e inner.exe 401010 >/dev/null 2>&1 &&
	sed -n '/inner\.exe/,$p' trace | grep '^pread64' >/dev/null; then
	for i in '' -i; do
		traced -e trace=openat,read,pread64,mmap rossym-addr2line $i -e inner.exe 401010 >/dev/null
		# Bytes of the block that reads of the image's descriptor touch.
		sed -n '/inner\.exe/,$s/^pread64([0-9]*, .*, \([0-9]*\), \([0-9]*\)) *= [0-9]*$/\1 \2/p' trace >reads
		ok "reads are seen, with '$i'" test -s reads
		awk -v at="$at" '$1 + $2 > at { touched++ } END { print touched + 0 }' reads >touched
		if test -z "$i"; then
			check 'a plain look-up does not read the block' cat touched <<-'EOT'
				0
			EOT
		else
			ok 'with -i it is read' test "$(cat touched)" -gt 0
		fi
	done
else
	no_witness 'a plain look-up does not read the block' 'no strace, or no pread'
fi

# ------------------------------------------------------------------------------------------ GNU addr2line

for name in dwarf32 dwarf64; do
	for gnu in i686-w64-mingw32-addr2line x86_64-w64-mingw32-addr2line addr2line; do
		witness $gnu && $gnu -e "$DATA/$name.nostrip.exe" 0 >/dev/null 2>&1 && break
		gnu=
	done
	if test -z "$gnu"; then
		no_witness "$name: as GNU addr2line" 'none reads it'
		continue
	fi
	rossym-embed --decorated "$DATA/$name.nostrip.exe" x.exe || exit 99
	# Each byte of each row with a line.
	base=$(rossym-addr2line --check -e x.exe | sed -n 's/.*image base 0x\([0-9a-f]*\).*/\1/p')
	rossym-addr2line --dump -e x.exe | awk -F '\t' '$6 == 0 && $5 > 0 { print $1, $2 }' | while read -r rva size; do
		i=0
		while test $i -lt "$size"; do
			printf '%x\n' $((0x$base + rva + i))
			i=$((i + 1))
		done
	done >all
	# After a call that ends a sequence of lines we have an answer, and GNU has none: --diff calls that class "end".
	rossym-addr2line --dump -e x.exe | awk -F '\t' '$6 == 0 && $5 > 0 { print $1, $2 }' |
		while read -r rva size; do printf '%x\n' $((0x$base + rva + size - 1)); done >ends
	$gnu -e "$DATA/$name.nostrip.exe" <ends | paste -d ' ' ends - | sed -n 's/ .*:[?0]$//p' >unknown
	grep -v -x -F -f unknown all >addresses
	for options in -fi -ip -fip -aifp; do
		$gnu $options -e "$DATA/$name.nostrip.exe" <addresses >want
		ok "$name: $options of $(($(wc -l <addresses))) bytes as $gnu" sh -c "
			rossym-addr2line $options -e x.exe <addresses | diff want - | head -n 20; rossym-addr2line $options -e x.exe <addresses |
			cmp want -"
	done
	ok "$name: with workers" sh -c 'rossym-addr2line -P 2 -aifp -e x.exe <addresses | cmp want -'
	if test -x "$REFERENCE_BIN"; then
		ok "$name: --diff -i" rossym-addr2line --diff="$DATA/$name.nostrip.exe" -fi -e x.exe
	fi
done

# ------------------------------------------------------------------------------------------------ many addresses

# Many look-ups find frames in another way, and print them in another way, than few: one by one is the witness.  Functions of 64
# bytes with chains of all depths; long names, unknown parts, names that are mangled, and names that JSON must escape.
build y.exe <<-'EOT'
	pe32 base=0x400000
	section .text size=0x8000
EOT
awk 'BEGIN {
	long = "a_name_that_is_longer_than_thirty_two_bytes_and_so_is_copied_in_another_way"
	split("plain _Z1fv quo\"te back\\slash \303\244 \303\050 " long, names, " ")
	for (i = 0; i < 120; i++) {
		a = 4096 + i * 64
		outer = names[i % 7 + 1] i
		printf "%x\t%d\t%s\t\t0\t-1\n", a, i % 5 ? 64 : 40, outer
		if (i % 9 == 4) printf "%x\t24\tshorter\t\t0\t-1\n", a
		for (row = 0; row < 4; row++)
			for (depth = 0; depth <= (i + row) % 5; depth++)
				printf "%x\t16\t%s\t%s\t%d\t%d\n", a + row * 16, depth == (i + row) % 5 ? outer : names[(i + depth) % 7 + 1],
					depth == 3 ? "" : i % 11 ? "f" depth ".c" : "/" long ".c", depth == 3 ? 0 : i * 1000003 % 4000000, depth
	}
}' >rows
rossym-embed --from-dump=rows y.exe y-inner.exe && rossym-embed --from-dump=rows --entry-frame=outer y.exe y-outer.exe || exit 99
awk 'BEGIN {
	seed = 7
	for (i = 0; i < 320; i++) {
		seed = (seed * 16807) % 2147483647
		printf "%x\n", 4198400 - 64 + seed % 8000
	}
}' >random
# With fewer than 32 look-ups, a program makes no index.
split -l 31 random few.
# Enough addresses that everything is laid out, before those that are compared.
for i in 1 2 3 4 5 6 7 8; do cat random; done >many
for image in y-inner y-outer; do
	for options in -fi -afi -afiC -fip -fis '-fi --path-map=f=g' '-afi --output-style=LLVM' '-f --output-style=LLVM' \
		--output-style=JSON '-iC --output-style=JSON' '-ip --output-style=JSON'
	do
		for part in few.*; do
			# shellcheck disable=SC2086
			rossym-addr2line $options -e $image.exe <$part
		done >one
		for i in 1 2 3 4 5 6 7 8; do cat one; done >want
		# shellcheck disable=SC2086
		rossym-addr2line $options -e $image.exe <many >got 2>err
		status=$?
		has_demangler || sed -i '/^rossym-addr2line: warning: built without a demangler: /d' err
		ok "$image, $options: many addresses print what few do" test $status -eq 0 -a -s want -a ! -s err
		ok "$image, $options: the same bytes" cmp want got
	done
done
ok 'names were escaped' grep -q 'quo\\"te' want
rossym-addr2line --output-style=JSON -i -e y-inner.exe <random >got
ok 'some addresses are in no function' grep -q '"StartAddress":"","StartFileName":"","StartLine":0}\]' got
ok 'there are deep chains' grep -q 'f4\.c' want

# The same with real tables; and with a name of a megabyte, which fits into no buffer.
fixtures=$SRC/../shared/fixtures
awk 'BEGIN {
	name = "n"; while (length(name) < 1000000) name = name name
	printf "1000\t16\t%s\tf.c\t7\t0\n1000\t16\touter\to.c\t9\t1\n1010\t16\tsmall\ts.c\t1\t0\n1020\t0\t_rossym_end__\t\t0\t0\n", name
}' >rows
rossym-embed --from-dump=rows x.exe huge.exe || exit 99
awk 'BEGIN { for (i = 0; i < 1000; i++) print i == 500 ? "401000" : "401010" }' >huge
for image in huge.exe "$fixtures/dwarf32.exe" "$fixtures/dwarf64.nostrip.exe"; do
	test -f "$image" || continue
	if test $image = huge.exe; then
		cp huge random
	else
		base=$(objdump -p "$image" | sed -n 's/^ImageBase[[:space:]]*//p')
		awk -v base="$base" 'BEGIN { seed = 7; for (i = 0; i < 1000; i++) { seed = (seed * 16807) % 2147483647
			printf "%s%04x\n", substr(base, 1, length(base) - 4), 4096 + seed % 8192 } }' >random
	fi
	split -l 250 random some.
	for _ in $(seq 24); do cat random; done >many
	for options in -fi -afiC '-fi --output-style=JSON'; do
		for part in some.*; do
			# shellcheck disable=SC2086
			rossym-addr2line $options -e "$image" <$part
		done >one
		# shellcheck disable=SC2086
		rossym-addr2line $options -e "$image" <many 2>err | tail -n "$(wc -l <one)" >got
		ok "${image##*/}, $options: many addresses print what few do" cmp one got
	done
	rm -f some.*
done

done_testing
