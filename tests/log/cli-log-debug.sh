# SPDX-License-Identifier: GPL-2.0-or-later
#
# rossym-log: images without a table answer from debug information, which a child reads.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/logs.sh"

bugcheck () {
	printf '***     %s - Address 80001010 base at 80000000, DateStamp %s\\n' "$1" "$2"
}
without_table () {
	printf 'rossym-log: warning: %s: module without symbols' "$1"
}

# ------------------------------------------------------------------------------------------------ in the image itself

cases 'stabs in the image'
check '--no-debug-info' -s 1 -e "rossym-log: $DATA/$stabs: no .rossym section
$(without_table "$stabs")" -i "<$stabs:1640>\n" rossym-log --no-debug-info -e "$DATA/$stabs" <<EOT
<$stabs:1640>
EOT
check 'log2lines reads tables only' -e "log2lines: warning: $stabs: module without symbols" -i "<$stabs:1640>\n" \
	log2lines -d "$DATA" <<EOT
<$stabs:1640>
EOT

# An image of each kind in one place: a table before debug information.
# stamp FILE BYTES: change the time stamp in the header
stamp () {
	printf "$2" | dd of="$1" bs=1 seek=$(($(od -An -tu4 -j60 -N4 "$1") + 8)) conv=notrunc 2>/dev/null
}
separate () {
	i686-w64-mingw32-gcc -g -ffile-prefix-map="$PWD=/src" -nostdlib -Wl,--entry=_start -o whole.exe a.c &&
		i686-w64-mingw32-objcopy --only-keep-debug whole.exe debug.exe && i686-w64-mingw32-objcopy --strip-debug whole.exe stripped.exe
}
# pdb_program NAME ENTRY
pdb_program () {
	clang --target=x86_64-pc-windows-msvc -g -gcodeview -ffile-prefix-map="$PWD=/src" -c "$1.c" -o "$1.obj" &&
		lld-link /nologo /debug /entry:"$2" /nodefaultlib /subsystem:native /timestamp:0x5db90293 /pdbaltpath:p.pdb "/pdb:$1.pdb" \
			"/out:$1.exe" "$1.obj"
}
programs () {
	pdb_program p start && pdb_program q begin
}

cases 'a twin with a table wins'
cases 'several: those of the image'\''s name first'
cases 'one of 8 GB'
check 'so is the image' -e "rossym-log: p.exe: store/p.exe/5DB902933000/p.exe, debug information of store/p.pdb/$guid$age/p.pdb" \
	-i "$(bugcheck p.exe 5db90293)" rossym-log -v -d store <<EOT
***     p.exe - Address 80001010 base at 80000000, DateStamp 5db90293 ($want)
EOT

# A store of three levels.  An index of all files would have this one, too, so that must not be read.
mkdir -p levels/p. levels/index
cp -r store/* levels/p./
echo >levels/index2.txt
levels="rossym-log: p.exe: levels/p./p.exe/5DB902933000/p.exe, debug information of levels/p./p.pdb/$guid$age/p.pdb"
if ! on_windows && witness strace && strace -o trace -f true 2>/dev/null || no_witness 'a store of three levels' 'no strace'; then
	printf '%b' "$(bugcheck p.exe 5db90293)" >levels.log
	ASAN_OPTIONS=detect_leaks=0 strace -o trace -f -e trace=openat,open rossym-log -v -d levels levels.log >said 2>&1
	check 'a store of three levels' cat said <<EOT
$levels
***     p.exe - Address 80001010 base at 80000000, DateStamp 5db90293 ($want)
EOT
	check '... of which the index is not read' -s 1 grep -e '"levels/index' trace </dev/null
fi
check 'rossym-addr2line finds it in both' sh -c 'rossym-addr2line --debug-directory=levels --rva -e out/p.exe 1010 &&
	rossym-addr2line --debug-directory=store --rva -e out/p.exe 1010' <<'EOT'
/src/p.c:3
/src/p.c:3
EOT

# A twin of the same build that has a table, a twin with DWARF, and one with a PDB file.
mkdir -p three/1 three/2
cp out/p.exe p.pdb three/1/
rossym-embed three/1/p.exe three/2/p.exe || fail 'rossym-embed makes a table from the PDB file'
check 'of three files of the right build, that with a table' -e 'rossym-log: p.exe: three/2/p.exe' \
	-i "$(bugcheck p.exe 5db90293)" rossym-log -v -d three <<EOT
***     p.exe - Address 80001010 base at 80000000, DateStamp 5db90293 ($want)
EOT
cp q.pdb three/1/p.pdb
check 'a PDB file of another image' -g "*GUID*$(without_table p.exe)" -i '<p.exe:1010>\n' rossym-log -d three/1 <<'EOT'
<p.exe:1010>
EOT
check 'a file that turns out to have nothing gives way' -g '*GUID*rossym-log: p.exe: three/2/p.exe' -s 1 -i '<p.exe:1010>\n' \
	rossym-log -v -d three/2 -e three/1/p.exe <<EOT
<p.exe:1010 ($want)>
EOT

# ------------------------------------------------------------------------------------------------ archives

if test "${HAVE_LIBARCHIVE:-yes}" != yes; then
	skip 'an image and its PDB file in a zip' 'built without libarchive'
	done_testing
fi
cases 'an image and its PDB file in a zip, beside another one'

done_testing
