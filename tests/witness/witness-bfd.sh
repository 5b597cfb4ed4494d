# SPDX-License-Identifier: GPL-2.0-or-later
#
# rossym-bfd-reference prints, byte for byte, what GNU addr2line prints: for thousands of addresses of every unstripped
# image that we have, and every set of options that shapes the output.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/truth.sh"

truth_needs
test -x "$REFERENCE_BIN" || skip_all 'built without libbfd'
ln -s "$REFERENCE_BIN" ../bin/rossym-bfd-reference
beside addr2line

# Options of both programs; standard input is the addresses.
same_output () {
	addr2line "$@" <../addresses >../gnu 2>/dev/null || return
	rossym-bfd-reference "$@" <../addresses >../ours || return
	test "$(wc -l <../gnu)" -ge "$(wc -l <../addresses)" && cmp ../gnu ../ours
}

for image in "$DATA"/*.nostrip.* "$DATA"/driver/*.nostrip.*; do
	name=${image##*/}
	{
		code_addresses "$image" | awk 'NR % 3 == 1'
		# headers, data, beyond the end, and what is no address
		base=$(objdump -p "$image" | awk '$1 == "ImageBase" { print $2 }')
		awk 'BEGIN { for (i = 0; i < 40000; i += 97) print i }' | while read -r rva; do
			printf '%x\n' $((0x$base + rva))
		done
		printf '%s\n' 0 '' 0x zz ffffffffffffffff 1ffffffffffffffff 0X40100f '  401010' 401010h
	} >../addresses
	count=$(wc -l <../addresses)
	ok "$name: thousands of addresses" test "$count" -gt 2000
	for options in '' -f -i -s -C -a -p -fi -fp -ip -fis -afC -afip -afisp -afisCp --demangle=auto; do
		ok "$name: $options" same_output $options -e "$image"
	done
done

check 'operands' rossym-bfd-reference -afpie "$DATA/dwarf64.nostrip.exe" 140001600 0 <<-'EOT'
	0x0000000140001600: KefBreak at /src/ke/bug.c:29
	0x0000000000000000: ?? ??:0
EOT
check 'a file that is none' -s 1 -e "rossym-bfd-reference: nosuch: No such file or directory" \
	rossym-bfd-reference -e nosuch 0 </dev/null
echo text >text
check 'a file of another kind' -s 1 -e "rossym-bfd-reference: text: file format not recognized" \
	rossym-bfd-reference -e text 0 </dev/null
check 'an option that it does not know' -s 1 -e "rossym-bfd-reference: invalid option -- 'j'" \
	rossym-bfd-reference -j .text 0 </dev/null
check 'output that cannot be written' -s 1 -g '*: cannot write standard output: *' \
	sh -c 'rossym-bfd-reference -e "$1" 401000 >/dev/full' sh "$DATA/dwarf32.nostrip.exe" </dev/null
check 'a demangling style that there is not' -s 1 -e "rossym-bfd-reference: unknown demangling style \`frob'" \
	rossym-bfd-reference --demangle=frob -e "$DATA/dwarf32.nostrip.exe" 0 </dev/null
check 'a target that there is not' -s 1 -e "rossym-bfd-reference: $DATA/dwarf32.nostrip.exe: invalid bfd target" \
	rossym-bfd-reference -b frob -e "$DATA/dwarf32.nostrip.exe" 0 </dev/null
check 'the target that it is, and limits' rossym-bfd-reference -b pei-i386 -rR -e "$DATA/dwarf32.nostrip.exe" 401640 <<-'EOT'
	/src/ke/bug.c:18
EOT
printf '!<arch>\n' >archive
check 'an archive' -s 1 -e "rossym-bfd-reference: archive: cannot get addresses from archive" \
	rossym-bfd-reference -e archive 0 </dev/null
check 'input that cannot be read' -s 1 -e 'rossym-bfd-reference: standard input: cannot read: Bad file descriptor' \
	sh -c 'rossym-bfd-reference -e "$1" 0>nothing' sh "$DATA/dwarf32.nostrip.exe" </dev/null
version=$(sed -n 's/^#define ROSSYM_VERSION_[A-Z]* //p' "$SRC/src/rossym.h" | tr '\n' . | sed 's/\.$//')
for option in -v -V --version; do
	check "$option" rossym-bfd-reference $option <<-EOT
		rossym-bfd-reference (rossym) $version
	EOT
done
for option in -h -H --help; do
	ok "$option" sh -c 'rossym-bfd-reference "$1" | grep -q "^  -f --functions         Show function names\$"' sh $option
done

# Files of this system: discriminators, and what has no symbols but those for the dynamic linker.
: "${CC:=cc}"
cat >loop.c <<'EOT'
int next(void);
void put(int);
void weigh(int n);
void weigh(int n) { for (int i = 0; i < n; i++) { if (next()) put(i); else put(-i); } }
EOT
# shellcheck disable=SC2086
if has "${CC%% *}" && has strip && has readelf && $CC -O1 -g -shared -fPIC -o loop.so loop.c 2>/dev/null &&
	readelf -h loop.so >/dev/null 2>&1; then
	# From the first instruction of the function on; and a few before.
	start=$(nm loop.so | sed -n 's/^0*\([0-9a-f]*\) T weigh$/\1/p')
	for i in $(seq -16 99); do printf '%x\n' $((0x$start + i)); done >../addresses
	ok 'loop.so: discriminators' sh -c 'addr2line -e loop.so <../addresses | grep -q discriminator'
	strip -g -o plain.so loop.so
	strip -o bare.so loop.so
	for file in loop plain bare; do
		for options in '' -f -afip; do
			ok "$file.so: $options" same_output $options -e $file.so
		done
	done
	ok 'bare.so: a dynamic symbol' sh -c 'test "$(rossym-bfd-reference -f -e bare.so "$1" | sed 1q)" = weigh' sh "$start"
else
	skip 'ELF' 'no compiler for it'
fi

done_testing
