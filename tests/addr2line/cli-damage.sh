# SPDX-License-Identifier: GPL-2.0-or-later
#
# What is damaged is not called absent: debug information that cannot be found because headers or tables are damaged.

. "${srcdir:-.}/tests/lib/tap.sh"
need python3

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

cases 'a debug file'

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
