# SPDX-License-Identifier: GPL-2.0-or-later
#
# --missing of rossym-addr2line and rossym-log: which files would help.  And the loops of rossym-log(1) that fetch them, with a
# program in place of curl that copies files; tests/witness/witness-servers.sh runs them with curl.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"
. "$SRC/tests/lib/logs.sh"
. "$SRC/tests/lib/servers.sh"

mkpdb=$tap_build/tests/tools/mkpdb
on_windows && skip_all 'the loops are for a POSIX shell, and the tools for another system'
test -x "$mkpdb" || skip_all 'no mkpdb for this system'
mkdir image there nothing
# The image names x.pdb.
"$mkpdb" image/y.exe there/x.pdb
key=x.pdb/73736F726D79742D6573742D677569641/x.pdb

# ------------------------------------------------------------------------------------------------ rossym-addr2line

check 'rossym-addr2line: a PDB file' rossym-addr2line --missing -e image/y.exe <<EOT
pdb	x.pdb	$key
EOT
check 'with addresses, which are not answered, and as JSON' rossym-addr2line --missing --output-style=JSON -f -e image/y.exe 401000 main <<EOT
{"kind":"pdb","name":"x.pdb","key":"$key"}
EOT
check 'not if it is there' rossym-addr2line --missing --debug-directory=there -e image/y.exe </dev/null
mkdir other
"$mkpdb" age=7 z.exe other/x.pdb
check 'a PDB file of another build is not it' -e 'rossym-addr2line: warning: image/y.exe: other/x.pdb is not used: GUID 73736F726D79742D6573742D67756964, age 7; the image needs 73736F726D79742D6573742D67756964, age 1
rossym-addr2line: warning: image/y.exe: its symbols are in x.pdb' \
	rossym-addr2line --missing --debug-directory=other -e image/y.exe <<EOT
pdb	x.pdb	$key
EOT
for file in stabs32.exe stabs32.nostrip.exe dwarf64.nostrip.exe; do
	check "not for $file, which has what is needed" rossym-addr2line --missing -e "$DATA/$file" </dev/null
done
rossym-embed --table-only "$DATA/stabs32.nostrip.exe" table
check 'nor for a bare table' rossym-addr2line --missing -e table </dev/null
guid='\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\20'
pdb_image id.exe 2 "RSDS$guid\\0\\0\\0\\0\\0"
check 'a build-id' rossym-addr2line --missing -e id.exe <<'EOT'
debug	id.exe	0403020106050807090a0b0c0d0e0f10
EOT
pdb_image full.exe 2 "RSDS$guid\\12\\0\\0\\0C:\\\\\\\\build\\\\\\\\App.pdb\\0"
check 'a path of Windows, an age in hexadecimal' rossym-addr2line --missing -e full.exe <<'EOT'
pdb	App.pdb	App.pdb/0403020106050807090A0B0C0D0E0F10a/App.pdb
EOT
for name in '..' 'a\tb.pdb' 'con.pdb' 'a\033b.pdb' 'a\302\233b.pdb' 'a\177.pdb' ''; do
	pdb_image bad.exe 2 "RSDS$guid\\12\\0\\0\\0C:/build/$name\\0"
	check "a name that is none on every system, or that a terminal obeys: '$name'" rossym-addr2line --missing -e bad.exe </dev/null
done
pdb_image old.exe 2 'NB10\0\0\0\0\1\2\3\4\1\0\0\0old.pdb\0'
check 'not a PDB file of format 2.00, which cannot be read' rossym-addr2line --missing -e old.exe </dev/null
check 'an image that is not there' -s 1 -e "rossym-addr2line: 'none.exe': No such file" rossym-addr2line --missing -e none.exe </dev/null
echo text >text
check 'a file that is none' -s 1 -e 'rossym-addr2line: text: file format not recognized' rossym-addr2line --missing -e text </dev/null
check 'rossym-addr2line: --no-debug-info' -s 1 -e 'rossym-addr2line: --missing and --no-debug-info exclude each other' \
	rossym-addr2line --missing --no-debug-info -e image/y.exe </dev/null

# ------------------------------------------------------------------------------------------------ rossym-log

printf '<y.exe:1000>\n<Y.EXE:1010>\nno.exe is no module here\n' >log
check 'rossym-log: an image, without its build' rossym-log --missing -d nothing log <<'EOT'
image	y.exe	y.exe/*/y.exe
EOT
check 'the image is there: the PDB file' rossym-log --missing -d image log <<EOT
pdb	x.pdb	$key
EOT
check 'as JSON' rossym-log --missing --format=json -d image log <<EOT
{"kind":"pdb","name":"x.pdb","key":"$key"}
EOT
check 'both are there' rossym-log --missing -d image -d there log </dev/null
check 'from standard input, and an image of -e' -I log rossym-log --missing -e image/y.exe <<EOT
pdb	x.pdb	$key
EOT
check 'a PDB file of another build is not it' -e 'rossym-log: warning: image/y.exe: other/x.pdb is not used: GUID 73736F726D79742D6573742D67756964, age 7; the image needs 73736F726D79742D6573742D67756964, age 1' \
	rossym-log --missing -d image -d other log <<EOT
pdb	x.pdb	$key
EOT

bugcheck () {
	printf '***     %s - Address 00011000 base at 00010000, DateStamp %s\n' "$1" "$2"
}
{ bugcheck x.exe 5db90293; bugcheck x.exe 5db90294; bugcheck x.exe 5DB90293; bugcheck b.sys 5db90295; } >builds.log
check 'images of which the DateStamps are known, but not the sizes' rossym-log --missing -d nothing builds.log <<'EOT'
image	b.sys	b.sys/5DB90295*/b.sys
image	x.exe	x.exe/5DB90293*/x.exe
image	x.exe	x.exe/5DB90294*/x.exe
EOT
mkdir built
module built/x.exe 0x5db90294 second
check 'but not of those that are there' -e 'rossym-log: warning: x.exe: the log has DateStamp 5db90293, built/x.exe has 5db90294' rossym-log --missing -d built builds.log <<'EOT'
image	b.sys	b.sys/5DB90295*/b.sys
image	x.exe	x.exe/5DB90293*/x.exe
EOT
{ echo '<x.exe:1000>'; bugcheck x.exe 5db90293; } >later.log
check 'what is known later counts' rossym-log --missing -d nothing later.log <<'EOT'
image	x.exe	x.exe/5DB90293*/x.exe
EOT
check 'also on standard input' -I later.log rossym-log --missing -d nothing <<'EOT'
image	x.exe	x.exe/5DB90293*/x.exe
EOT
check 'two logs, a file once' rossym-log --missing -d nothing later.log later.log builds.log <<'EOT'
image	b.sys	b.sys/5DB90295*/b.sys
image	x.exe	x.exe/5DB90293*/x.exe
image	x.exe	x.exe/5DB90294*/x.exe
EOT
check 'a name that another program should not use' -i '<con.exe:1000>\n' rossym-log --missing -d nothing </dev/null
lm='start    end        module name\n80400000 80600000   %s   (deferred)   DateStamp 5db90293\n\neip=80401234\n'
# shellcheck disable=SC2059
check 'a list of modules tells the size, too' -i "$(printf "$lm" hal.dll)" rossym-log --missing -d nothing <<'EOT'
image	hal.dll	hal.dll/5DB90293200000/hal.dll
EOT
# shellcheck disable=SC2059
check "a debugger's name is not that of a file" -i "$(printf "$lm" nt)" rossym-log --missing -d nothing <<'EOT'
image	nt	
EOT
awk 'BEGIN { for (i = 1; i <= 9000; i++) printf "***     x.exe - Address 00011000 base at 00010000, DateStamp %08x\n", i }' >many.log
check 'there is a limit' -e 'rossym-log: warning: more files would help than are listed' \
	sh -c 'rossym-log --missing -d nothing many.log >list; status=$?; wc -l <list; exit $status' <<'EOT'
8192
EOT
check 'a log that was annotated, and what it lacks' -i '<y.exe:1000 (a.c:1 (f))>\n<z.exe:1000>\n' rossym-log --missing -d nothing <<'EOT'
image	y.exe	y.exe/*/y.exe
image	z.exe	z.exe/*/z.exe
EOT
# The image in a symbol store has no symbols itself: it is in no list of files.
mkdir store
rossym-embed --store=store image/y.exe >/dev/null
check 'an image in a symbol store' -i "$(bugcheck y.exe 00000000)\n<y.exe:1000>\n" rossym-log --missing -d store <<EOT
pdb	x.pdb	$key
EOT
for option in --output-style=html --crashes --builds -u --no-debug-info; do
	check "rossym-log: $option" -s 1 -e "rossym-log: --missing and $option exclude each other" rossym-log --missing $option log </dev/null
done
check 'rossym-log: addresses' -s 1 -e 'rossym-log: --missing wants a log, not addresses' rossym-log --missing image/y.exe 1000 </dev/null
on_posix check 'rossym-log: a full disk' -s 1 -g 'rossym-log: cannot write standard output: *' \
	sh -c 'test -c /dev/full || { echo "rossym-log: cannot write standard output: " >&2; exit 1; }; rossym-log --missing -d image log >/dev/full' </dev/null

# ------------------------------------------------------------------------------------------------ dumps

mkdump=$tap_build/tests/tools/mkdump
"$mkdump" x86 app.dmp
check 'a dump tells the sizes, too' rossym-log --missing -d nothing app.dmp <<'EOT'
image	app.exe	app.exe/5DB9029310000/app.exe
EOT
check 'on standard input' -I app.dmp rossym-log --missing --format=json -d nothing <<'EOT'
{"kind":"image","name":"app.exe","key":"app.exe/5DB9029310000/app.exe"}
EOT

# ------------------------------------------------------------------------------------------------ fetching

servers_make
mkdir bin
cat >bin/curl <<'EOF'
#!/bin/sh
# curl [OPTION...] -o FILE URL: copies FILE from the server's directory.
file= last=
for word; do
	test "$last" = -o && file=$word
	last=$word
done
echo "${last#"$url/"}" >>"$SERVER/../asked"
case $last in
"$url"/*) cp "$SERVER/${last#"$url/"}" "$file" 2>/dev/null ;;
*) exit 22 ;;
esac
EOF
chmod +x bin/curl
SERVER=$PWD/server/store PATH=$PWD/bin:$PATH
export SERVER PATH
servers_test https://server.invalid/symbols
check 'these were asked for' sort server/asked <<'EOT'
app.exe/5DB9029310000/app.exe
list
x.pdb/73736F726D79742D6573742D677569641/x.pdb
z.exe/5DB902943000/z.exe
EOT

done_testing
