# SPDX-License-Identifier: GPL-2.0-or-later
#
# What is damaged is not called absent: debug information that cannot be found because headers or tables are damaged.

. "${srcdir:-.}/tests/lib/tap.sh"
need python3

cat >damage.py <<'EOP'
# damage.py FILE COPY WHAT: strings-N (length of the COFF string table), symbols-at-N, symbols-N (header), cut-symbols, cut-strings,
# offset-NAME, raw-NAME (of a section)
import struct, sys
b = bytearray(open(sys.argv[1], 'rb').read())
what, _, value = sys.argv[3].rpartition('-')
pe = struct.unpack_from('<I', b, 60)[0]
count, = struct.unpack_from('<H', b, pe + 6)
symbols, number = struct.unpack_from('<II', b, pe + 12)
headers = pe + 24 + struct.unpack_from('<H', b, pe + 20)[0]
strings = symbols + 18 * number
def name(at):
	text = bytes(b[at:at + 8]).rstrip(b'\0')
	if text[:1] == b'/':
		begin = strings + int(text[1:])
		text = bytes(b[begin:b.index(b'\0', begin)])
	return text.decode()
def header(wanted):
	return next(headers + 40 * i for i in range(count) if name(headers + 40 * i) == wanted)
if what == 'strings':
	struct.pack_into('<I', b, strings, int(value))
elif what == 'symbols-at':
	struct.pack_into('<I', b, pe + 12, int(value))
elif what == 'symbols':
	struct.pack_into('<I', b, pe + 16, int(value))
elif what == 'cut':
	del b[symbols + 100 if value == 'symbols' else strings:]
else:
	struct.pack_into('<I', b, header(value) + (20 if what == 'offset' else 16), 0x7fffff00 if what == 'offset' else 0)
open(sys.argv[2], 'wb').write(b)
EOP
image=$DATA/dwarf32.nostrip.exe
# damaged WHAT WARNING...: both programs say so of the image; the last argument is how many sections cannot be read
damaged () {
	what=$1
	rm -f said
	python3 damage.py "$image" x.exe "$what" || exit 99
	shift
	while test $# -gt 1; do
		echo "rossym-embed: warning: x.exe: $1" >>said
		shift
	done
	cp said warnings
	echo "rossym-embed: x.exe: $1 of its debug sections cannot be read; nothing was written (--allow-partial writes the table)" >>said
	check "$what" -s 1 -E said rossym-embed x.exe out.exe </dev/null
	sed 's/rossym-embed/rossym-addr2line/' warnings >said
	ok '... as rossym-addr2line says' sh -c 'rossym-addr2line -e x.exe 0x401510 2>&1 | grep -v "^??" | grep -v "warning: x.exe: its debug information is damaged or cannot be read$" | cmp - said'
}
names='the names of 9 sections and 435 symbols are not known: the string table at 0x1a22e'
none='the names of 9 sections and 0 symbols are not known: the string table at'
damaged strings-0 "$names has a length of less than 4 bytes" 9
damaged strings-2147483647 "$names is longer than the rest of the file" 9
damaged strings-20 'the names of 8 sections and 435 symbols are not known: the string table at 0x1a22e ends before them' 8
damaged cut-strings "$names is past the end of the file" 9
damaged cut-symbols '1311 COFF symbols at 0x14600 are not all in the file' "$none 0x1a22e is past the end of the file" 9
damaged symbols-at-0 '1311 COFF symbols at 0x0 are not all in the file' "$none 0x5c2e is not there, as the header has no offset of symbols" 9
damaged symbols-at-2147483647 '1311 COFF symbols at 0x7fffffff are not all in the file' "$none 0x80005c2d is past the end of the file" 9
damaged symbols-0 "$none 0x14600 is longer than the rest of the file" 9
damaged offset-.debug_info 'section .debug_info is not all in the file: 38740 bytes at 0x7fffff00' 1
damaged raw-.debug_str 'section .debug_str is not all in the file: 739 bytes at 0x12000' 1
image=$DATA/stabs32.nostrip.exe
damaged offset-.stab 'section .stab is not all in the file: 2520 bytes at 0x7fffff00' 1
damaged offset-.stabstr 'section .stabstr is not all in the file: 3588 bytes at 0x7fffff00' 'stabs are not used: their strings are not there' 2

# An image without symbols of its own, whose debug file is damaged.
printf 'pe32\nsection .text rva=0x1000 size=0x100 flags=code\n' | build plain.exe
printf 'pe32\nsection .text rva=0x1000 size=0x100 flags=code\nsection .debug_info rva=0x2000 size=0x100 flags=0x42100040\n' |
	build x.dbg
python3 damage.py x.dbg y.dbg offset-.debug_info
check 'a debug file' -s 1 -e 'rossym-embed: y.dbg: its debug sections are damaged: their bytes or names are not in the file' \
	rossym-embed --pdb=y.dbg plain.exe out.exe </dev/null

# What names other files: the debug directory, its record, .gnu_debuglink.
for row in 'the debug directory|the debug directory is not in the file, by its entry at 0x128|opt+144 u32=0x7f000000' \
	'its record|its record is not in the file, by the entry of the debug directory at 0x400|data:.rdata+24 u32=0x7f000000' \
	'a record of an unknown kind|its record is of an unknown kind, damaged or too long, at 0x440|data:.rdata+0x40 00'; do
	message=${row#*|}
	{
		echo "rossym-embed: warning: r.dll: the name of the PDB file is not known: ${message%|*}"
		echo 'rossym-embed: r.dll: nothing to embed: its debug information is damaged or cannot be read'
	} >said
	printf 'pe32\nsection .text rva=0x1000 size=0x100 flags=code\nsection .rdata rva=0x2000 size=0x100 flags=rdata\n' >text
	printf 'poke opt+144 u32=0x2000 u32=28\npoke data:.rdata+12 u32=2 u32=30 u32=0x2040 u32=0x440\n' >>text
	printf 'poke data:.rdata+0x40 52 53 44 53\npoke data:.rdata+0x58 61 2e 70 64 62 00\npoke %s\n' "${row##*|}" >>text
	build r.dll <text
	check "${row%%|*}" -s 1 -E said rossym-embed r.dll out.dll </dev/null
done
cases 'damage'

done_testing
