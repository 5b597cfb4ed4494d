# SPDX-License-Identifier: GPL-2.0-or-later
#
# rossym-log: images without a table answer from debug information, which a child reads.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/logs.sh"

bugcheck () {
	printf '***     %s - Address 80001010 base at 80000000, DateStamp %s\\n' "$1" "$2"
}
without_table () {
	printf 'rossym-log: warning: %s: module without .rossym table' "$1"
}

# ------------------------------------------------------------------------------------------------ in the image itself

stabs=stabs32.nostrip.exe
cases 'stabs in the image'
check '--no-debug-info' -s 1 -e "rossym-log: $DATA/$stabs: no .rossym section
$(without_table "$stabs")" -i "<$stabs:1640>\n" rossym-log --no-debug-info -e "$DATA/$stabs" <<EOT
<$stabs:1640>
EOT
check 'log2lines reads tables only' -e "log2lines: warning: $stabs: module without .rossym table" -i "<$stabs:1640>\n" \
	log2lines -d "$DATA" <<EOT
<$stabs:1640>
EOT

# An image of each kind in one place: a table before debug information.
mkdir -p twins/1 twins/2
cp "$DATA/$stabs" twins/1/a.exe
cp "$DATA/stabs32.exe" twins/2/a.exe
check 'a twin with a table wins' -e 'rossym-log: warning: a.exe: not the only one, nothing in the log decides; taking twins/2/a.exe, not twins/1/a.exe
rossym-log: a.exe: twins/2/a.exe' -i '<a.exe:1640>\n' rossym-log -v -d twins <<'EOT'
<a.exe:1640 (ke/bug.c:18 (KeBugCheckEx@20))>
EOT
check 'the file that the user named wins' -i '<a.exe:1640>\n' rossym-log -d twins/2 -e twins/1/a.exe <<'EOT'
<a.exe:1640 (/src/ke/bug.c:18 (KeBugCheckEx))>
EOT

# stamp FILE BYTES: change the time stamp in the header
stamp () {
	printf "$2" | dd of="$1" bs=1 seek=$(($(od -An -tu4 -j60 -N4 "$1") + 8)) conv=notrunc 2>/dev/null
}

# A build directory of ReactOS with SEPARATE_DBG.  The debug files have the names of the modules, and are not modules.
mkdir -p build/driver
cat >a.c <<'EOT'
int count;
int start(void)
{
	count++;
	return 3;
}
EOT
separate () {
	i686-w64-mingw32-gcc -g -ffile-prefix-map="$PWD=/src" -nostdlib -Wl,--entry=_start -o whole.exe a.c &&
		i686-w64-mingw32-objcopy --only-keep-debug whole.exe debug.exe && i686-w64-mingw32-objcopy --strip-debug whole.exe stripped.exe
}
made separate whole.exe debug.exe stripped.exe -- separate
mkdir build/symbols
mv debug.exe build/symbols/a.exe
mv stripped.exe build/driver/a.exe
check 'a debug file of the module' -i '<a.exe:1005>\n' -e 'rossym-log: a.exe: build/driver/a.exe, debug information of build/symbols/a.exe' \
	rossym-log -v -d build <<'EOT'
<a.exe:1005 (/src/a.c:4 (start))>
EOT
check 'without the module' -i '<a.exe:1005>\n' rossym-log -d build/symbols <<'EOT'
<a.exe:1005 (/src/a.c:4 (start))>
EOT
mv build/symbols/a.exe kept
cp whole.exe build/symbols/a.exe
stamp build/driver/a.exe '\1\2\3\4'
stamp build/symbols/a.exe '\1\2\3\5'
check 'the module before it was stripped, whose time stamp is another' \
	-e 'rossym-log: a.exe: build/driver/a.exe, debug information of build/symbols/a.exe' \
	-i '***     a.exe - Address 80001005 base at 80000000, DateStamp 04030201\n' rossym-log -v -d build <<'EOT'
***     a.exe - Address 80001005 base at 80000000, DateStamp 04030201 (/src/a.c:4 (start))
EOT
mv kept build/symbols/a.exe
stamp build/driver/a.exe '\0\0\0\0'
mv build/symbols build/mysymbols
check 'files of that name elsewhere are other modules' -i '<a.exe:1005>\n' -e 'rossym-log: a.exe: build/driver/a.exe, its debug information' \
	rossym-log -v -d build <<'EOT'
<a.exe:1005 (:0 (start))>
EOT

# ------------------------------------------------------------------------------------------------ PDB files

cat >p.c <<'EOT'
int helper(int x) { return x * 3; }
int start(void)
{
	return helper(4);
}
EOT
# A file that cannot answer must not win: the PDB file is gone, but a PDB file of another image is there.
sed 's/start/begin/g' p.c >q.c
# pdb_program NAME ENTRY
pdb_program () {
	clang --target=x86_64-pc-windows-msvc -g -gcodeview -ffile-prefix-map="$PWD=/src" -c "$1.c" -o "$1.obj" &&
		lld-link /nologo /debug /entry:"$2" /nodefaultlib /subsystem:native /timestamp:0x5db90293 /pdbaltpath:p.pdb "/pdb:$1.pdb" \
			"/out:$1.exe" "$1.obj"
}
programs () {
	pdb_program p start && pdb_program q begin
}
made pdb p.exe p.pdb q.pdb -- programs
mkdir -p out/.debug
mv p.exe out/
cp p.pdb out/
want='/src/p.c:3 (start)'
check 'a PDB file beside the image' -e 'rossym-log: p.exe: out/p.exe, debug information of out/p.pdb' -i '<p.exe:1010>\n' \
	rossym-log -v -d out <<EOT
<p.exe:1010 ($want)>
EOT
check 'of an image that the user names' -i '<p.exe:1010>\n' rossym-log -e out/p.exe <<EOT
<p.exe:1010 ($want)>
EOT
mv out/p.pdb out/.debug/P.PDB
check 'below it, in capitals: from the index' -i '<p.exe:1010>\n' rossym-log -d out <<EOT
<p.exe:1010 ($want)>
EOT
check 'of an image that the user names, in capitals' -i '<p.exe:1010>\n' rossym-log -e out/p.exe <<EOT
<p.exe:1010 ($want)>
EOT
rm out/.debug/P.PDB
check 'without it' -e "$(without_table p.exe)" -i '<p.exe:1010>\n' rossym-log -d out <<'EOT'
<p.exe:1010>
EOT
check '--pdb names it' -e 'rossym-log: p.exe: out/p.exe, debug information of p.pdb' -i '<p.exe:1010>\n' rossym-log -v -d out --pdb=p.pdb <<EOT
<p.exe:1010 ($want)>
EOT
cp p.pdb another.file
: >empty
check '--pdb, another name: for an image that the user names' -i '<p.exe:1010>\n' rossym-log -e out/p.exe --debug-file another.file <<EOT
<p.exe:1010 ($want)>
EOT
check 'for no other image' -e "$(without_table p.exe)" -i '<p.exe:1010>\n' rossym-log -d out --pdb=another.file <<'EOT'
<p.exe:1010>
EOT
cases 'several: those of the image'\''s name first'
cp p.pdb out/p.pdb
truncate -s 8G out/p.pdb
check 'one of 8 GB' -i '<p.exe:1010>\n' rossym-log -d out <<EOT
<p.exe:1010 ($want)>
EOT
# Each image has a child of its own, which gets that file: the third one exceeds the budget.
cp out/p.exe out/a.exe
cp out/p.exe out/b.exe
check 'more files than the budget allows' -s 1 -i '<a.exe:1010>\n<b.exe:1010>\n<p.exe:1010>\n<a.exe:1010>\n' \
	-e 'rossym-log: out/p.exe: the budget for debug information is used up: 16 GiB read, or 1000 seconds' rossym-log -d out <<EOT
<a.exe:1010 ($want)>
<b.exe:1010 ($want)>
<p.exe:1010>
<a.exe:1010 ($want)>
EOT
rm out/p.pdb out/a.exe out/b.exe

# A symbol store: p.exe/DateStampSize/p.exe, p.pdb/GUIDage/p.pdb.
at=$(grep -abo RSDS out/p.exe | head -n 1 | cut -d : -f 1)
guid=$(od -An -v -tx1 -j $((at + 4)) -N 16 out/p.exe | tr -d ' \n' | tr a-f A-F |
	sed 's/\(..\)\(..\)\(..\)\(..\)\(..\)\(..\)\(..\)\(..\)/\4\3\2\1\6\5\8\7/')
age=$(od -An -tu4 -j $((at + 20)) -N 4 out/p.exe | tr -d ' ')
mkdir -p "store/p.pdb/$guid$age" store/p.pdb/000000000000000000000000000000001 store/p.exe/5DB902933000
cp p.pdb "store/p.pdb/$guid$age/"
cp p.pdb store/p.pdb/000000000000000000000000000000001/
check 'the PDB file is in a symbol store' -e "rossym-log: p.exe: out/p.exe, debug information of store/p.pdb/$guid$age/p.pdb" \
	-i '<p.exe:1010>\n' rossym-log -v -d out -d store <<EOT
<p.exe:1010 ($want)>
EOT
cp out/p.exe store/p.exe/5DB902933000/
check 'so is the image' -e "rossym-log: p.exe: store/p.exe/5DB902933000/p.exe, debug information of store/p.pdb/$guid$age/p.pdb" \
	-i "$(bugcheck p.exe 5db90293)" rossym-log -v -d store <<EOT
***     p.exe - Address 80001010 base at 80000000, DateStamp 5db90293 ($want)
EOT

# A store of three levels.  An index of all files would have this one, too, so that must not be read.
mkdir -p levels/p. levels/index
cp -r store/* levels/p./
echo >levels/index2.txt
levels="rossym-log: p.exe: levels/p./p.exe/5DB902933000/p.exe, debug information of levels/p./p.pdb/$guid$age/p.pdb"
if on_windows || ! witness strace || ! strace -o trace -f true 2>/dev/null; then
	no_witness 'a store of three levels' 'no strace'
else
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
mkdir -p zip/a/b zip/c
cp out/p.exe p.pdb zip/a/b/
cp three/1/p.pdb zip/c/
(cd zip && zip -qr ../z.zip .)
check 'an image and its PDB file in a zip, beside another one' -e 'rossym-log: p.exe: z.zip: a/b/p.exe, debug information of z.zip: a/b/p.pdb' \
	-i '<p.exe:1010>\n<p.exe:1020>\n' rossym-log -v -d z.zip <<EOT
<p.exe:1010 ($want)>
<p.exe:1020 (/src/p.c:4 (start))>
EOT
(cd zip/a/b && zip -q ../../../image.zip p.exe)
check 'the image in a zip, the PDB file in a symbol store' -i '<p.exe:1010>\n' rossym-log -d image.zip -d store <<EOT
<p.exe:1010 ($want)>
EOT

done_testing
