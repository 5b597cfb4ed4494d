# SPDX-License-Identifier: GPL-2.0-or-later
#
# Crash dumps as logs: the report of tests/tools/mkdump's minidumps, and of those that others have made, as other programs read them.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"

mkdump=$tap_build/tests/tools/mkdump
test -x "$mkdump" || skip_all 'tests/tools/mkdump runs on another system'

# ------------------------------------------------------------------------------------------------ small ones

"$mkdump" x86 x86.dmp
mkdir sym other
image () {
	build "$1" <<-END
		pe32 base=0x400000 stamp=$2
		section .text rva=0x1000 size=0x1000 raw=0 flags=code
		rossym rva=0x2000
		row 0x1000 start a.c 1
		row 0x1010 crash a.c 7
	END
}
image sym/app.exe 0x5db90293
image other/app.exe 0x5db90111
cat >want <<'EOT'
Minidump of 2000-02-29 00:00:00 UTC
System: Windows 10.0.19045, x86, 4 processors
Process: 0x42

start    end        module name
00400000 00410000   app.exe   DateStamp 5db90293, version 1.2.3.4, PDB {13121110-1514-1716-1819-1A1B1C1D1E1F} 7 (symbols: sym/app.exe)

Exception: EXCEPTION_ACCESS_VIOLATION (0xc0000005)
ExceptionAddress: 00401010 (a.c:7 (crash))
Written to: 0x1234

Thread 0 (crashed), id 0x20
 0  app.exe + 0x1010 (a.c:7 (crash))
    eip = 0x00401010  esp = 0x0000000b  ebp = 0x00000007
    eax = 0x00000006  ebx = 0x00000003  ecx = 0x00000005
    edx = 0x00000004  esi = 0x00000002  edi = 0x00000001
    further callers are not known: that needs the image of app.exe, which was not found

Thread 1, id 0x21
 0  0x77777777 in no module
    eip = 0x77777777  esp = 0x0000000b  ebp = 0x00000007
    eax = 0x00000006  ebx = 0x00000003  ecx = 0x00000005
    edx = 0x00000004  esi = 0x00000002  edi = 0x00000001
    further callers are not known: no unwind information and no word of the stack shows them

start    end        module name
00500000 00510000   a_b?.dll   (deferred)   DateStamp 5db90294, version 1.2.3.4
EOT
sed -e 's/ (a.c:7 (crash))//' -e 's/ (symbols: .*)//' want >bare

check 'the place of the crash' -O want rossym-log -d sym x86.dmp
check 'standard input that is a file' -O want -I x86.dmp rossym-log -d sym
check 'only the report' -O bare rossym-log -u x86.dmp
check 'the report is a log' -O want -I bare rossym-log -d sym
check '-u undoes it' -O bare -I want rossym-log -u
echo '<app.exe:1000>' >a.log
{ cat want && echo '<app.exe:1000 (a.c:1 (start))>' && cat want; } >three
check 'two dumps, and a log between them' -O three rossym-log -d sym x86.dmp a.log x86.dmp
check 'JSON' rossym-log --format=json -d sym x86.dmp <<'EOT'
{"line":6,"column":21,"log":"x86.dmp","token":"app.exe","module":"app.exe","image":"sym/app.exe","datestamp":"same","build":"unknown","symbols":true}
{"line":9,"column":19,"log":"x86.dmp","token":"00401010","module":"app.exe","address":"0x401010","rva":"0x1010","return_address":false,"image":"sym/app.exe","datestamp":"same","build":"unknown","frames":[{"line":7,"file":"a.c","function":"crash"}]}
{"line":13,"column":5,"log":"x86.dmp","token":"app.exe + 0x1010","module":"app.exe","rva":"0x1010","return_address":false,"image":"sym/app.exe","datestamp":"same","build":"unknown","frames":[{"line":7,"file":"a.c","function":"crash"}]}
EOT
sed -e 's/ (crash))/ (crash) - other DateStamp)/' -e 's,(symbols: .*),(symbols: other/app.exe - other DateStamp),' want >marked
check 'an image of another build' -e 'rossym-log: warning: app.exe: the log has DateStamp 5db90293, other/app.exe has 5db90111' \
	-O marked rossym-log -d other x86.dmp
check 'the right build of two' -O want rossym-log -d other -d sym x86.dmp
# Where the symbols of a module come from, or which file is missing.
check '... in JSON' sh -c 'rossym-log --format=json -d other x86.dmp 2>/dev/null | head -n 1' <<'EOT'
{"line":6,"column":21,"log":"x86.dmp","token":"app.exe","module":"app.exe","image":"other/app.exe","datestamp":"other","build":"unknown","symbols":true}
EOT
symbols () {
	rossym-log "$@" x86.dmp 2>/dev/null | sed -n 's/.*5db90293.* 7 (/(/p'
}
mkdir empty pdb bad
: >empty/other.dll
check 'no image' symbols -d empty <<'EOT'
(no symbols: app.exe was not found)
EOT
pdb_image pdb/app.exe 2 'RSDS\021\022\023\024\025\026\027\030\031\032\033\034\035\036\037\040\007\0\0\0C:\\build (x86)\\y.pdb\0'
check 'no PDB file' symbols -d pdb <<'EOT'
(no symbols: the image has none: its symbols are in y.pdb)
EOT
check '... in JSON' sh -c 'rossym-log --format=json -d pdb x86.dmp 2>/dev/null | head -n 1' <<'EOT'
{"line":6,"column":21,"log":"x86.dmp","token":"app.exe","module":"app.exe","symbols":false,"why":"the image has none: its symbols are in y.pdb"}
EOT
head -c 100 sym/app.exe >bad/app.exe
check 'what is no image' symbols -d bad <<'EOT'
(no symbols: the image has none: e_lfanew points past the end of the file)
EOT
check '--strict' symbols --strict -d other <<'EOT'
(no symbols: the image is of another build)
EOT
mkdir 'a (x86) b'
cp sym/app.exe 'a (x86) b'
sed 's,sym/app,a (x86) b/app,' want >noted
check 'a directory with parentheses' -O noted rossym-log -d 'a (x86) b' x86.dmp
check '... is undone' -O bare -I noted rossym-log -u
check '-U looks again' -O want -I noted rossym-log -U -d sym
check 'a second run changes nothing' -O want -I want rossym-log -d sym
check '--crashes' sh -c 'rossym-log --crashes -d sym x86.dmp | grep -A1 Symbols' <<'EOT'
  Symbols:    app.exe: sym/app.exe
  Stack:
EOT
check '--crashes of what another run has said' sh -c 'rossym-log --crashes noted | grep Symbols' <<'EOT'
  Symbols:    app.exe: a (x86) b/app.exe
EOT
check '--crashes in JSON' sh -c 'rossym-log --crashes --format=json -d pdb x86.dmp 2>/dev/null | grep -o "\"symbols\":[^]]*"' <<'EOT'
"symbols":[{"module":"app.exe","why":"the image has none: its symbols are in y.pdb"}
EOT
check 'HTML: symbols' sh -c 'rossym-log --format=html -d sym x86.dmp | grep -o "<span class=.note.> (symbols.*</span>"' <<'EOT'
<span class="note"> (symbols: sym/app.exe)</span>
EOT
ok '... of the crash' sh -c 'rossym-log --format=html -d sym x86.dmp | grep -q "<dt>Symbols.*app.exe: sym/app.exe"'
ok 'HTML' sh -c 'rossym-log --format=html -d sym x86.dmp | grep -q "a.c:7"'
check 'standard input that is a pipe' -O want sh -c 'cat x86.dmp | rossym-log -d sym'
check 'a pipe as an operand' -O three sh -c 'cat x86.dmp | rossym-log -d sym - a.log x86.dmp'
if has timeout && ! on_windows; then
	mkfifo named
	check 'a named pipe as an operand' -O a.log sh -c 'cat a.log >named & timeout 60 rossym-log -u named'
fi
for begin in '' M MDM MDMQ P PAGEDU6 'PAGEDU65 <app.exe:1000>'; do
	printf '%s\nnext line\n' "$begin" >text.log
	check "a log in a pipe that begins with \"$begin\"" -O text.log sh -c 'cat text.log | rossym-log -u -d sym'
	printf '%s' "$begin" >text.log
	check '... and has nothing else' -O text.log sh -c 'cat text.log | rossym-log -u -d sym'
done
if test "${HAVE_LIBARCHIVE:-yes}" = yes; then
	mkdir inner
	cp x86.dmp inner/a.DMP
	cp x86.dmp inner/b.mdmp
	echo text >inner/c.dmp
	zip -qr dumps.zip inner
	cat want want >two
	check 'dumps in a zip' -O two rossym-log -d sym dumps.zip
	check '... are compared with no builds' -s 1 -e 'rossym-log: dumps.zip: only the text of a log can be compared with builds' \
		rossym-log --builds -d sym dumps.zip
	ok '... in HTML, too' sh -c 'rossym-log --format=html -d sym dumps.zip | grep -q "^<h2>dumps.zip:inner/b.mdmp</h2>"'
	made 7z dumps.7z -- 7z a -bso0 -bsp0 -mtm=off dumps.7z inner
	check 'dumps in a 7z' -O two rossym-log -d sym dumps.7z
	ok '... have names' sh -c 'rossym-log --format=json -d sym dumps.7z | grep -q "\"log\":\"dumps.7z:inner/a.DMP\""'
	ok '... have names' sh -c 'rossym-log --format=json -d sym dumps.zip | grep -q "\"log\":\"dumps.zip:inner/a.DMP\""'
	check '... and the next log goes on' -O three sh -c 'rm inner/a.DMP && zip -qr one.zip inner && rossym-log -d sym one.zip a.log x86.dmp'
	"$tap_build/tests/tools/mkcab" dumps.cab inner/b.mdmp 2>/dev/null && check 'a dump in a cabinet' -O want rossym-log -d sym dumps.cab
	for n in 1 2 3 4 5 6 7 8 9; do cp x86.dmp inner/$n.dmp; done
	zip -qr many.zip inner
	check 'more dumps in an archive than are read' -s 1 -g 'rossym-log: many.zip:inner/*: only 8 dumps and logs in archives are read*' -O /dev/null \
		sh -c 'rossym-log -u many.zip >report; status=$?; test "$(grep -c "^Minidump" report)" = 8 || exit 99; exit $status'
	mkdir damaged
	printf 'PK\3\4' >damaged/in.zip
	cp x86.dmp damaged/a.dmp
	(cd damaged && zip -q ../damaged.zip in.zip a.dmp)
	check 'an archive that has a damaged one' -s 1 -O want -g 'rossym-log: damaged.zip: *' rossym-log -d sym damaged.zip
	cp x86.dmp damaged/b.dmp
	(cd damaged && zip -q ../packed.zip a.dmp b.dmp)
	{ head -c 60 packed.zip && printf '\377\377\377\377\377\377\377\377' && tail -c +69 packed.zip; } >unpackable.zip
	check 'a dump that cannot be unpacked, and another' -s 1 -O want -g 'rossym-log: unpackable.zip:a.dmp: *' \
		rossym-log -d sym unpackable.zip
	printf 'no dump' >none && zip -q none.zip none
	check 'an archive without dumps' -s 1 -e 'rossym-log: none.zip: this is no log, but an archive without logs and dumps; images in it are found with -d FILE' \
		-O /dev/null rossym-log -u none.zip
else
	skip 'dumps in a zip' 'built without libarchive'
fi
for processor in amd64 arm64; do
	"$mkdump" $processor $processor.dmp
	ok "$processor: the place of the crash" sh -c "rossym-log -d sym $processor.dmp | grep -qx ' 0  app.exe + 0x1010 (a.c:7 (crash))'"
done

# A module that is no longer loaded has answers, too, of its build.
"$mkdump" x86+names unloaded.dmp
image sym/gone.dll 0x5db90295
image other/gone.dll 0x5db90111
unloaded () {
	rossym-log "$@" unloaded.dmp 2>/dev/null | grep -A1 gone | grep -v -e '^--' -e '^$'
}
"$mkdump" x86+names unloaded.dmp 0x6ac 0x77776770
check 'a module that was unloaded' unloaded -d sym <<'EOT'
77776770 77786770   gone.dll   (unloaded)   DateStamp 5db90295 (symbols: sym/gone.dll)
 0  gone.dll + 0x1007 (a.c:1 (start))
    unloaded module
EOT
check '... of another build' unloaded -d other <<'EOT'
77776770 77786770   gone.dll   (unloaded)   DateStamp 5db90295 (symbols: other/gone.dll - other DateStamp)
 0  gone.dll + 0x1007 (a.c:1 (start) - other DateStamp)
    unloaded module
EOT
ok '... is undone' sh -c 'rossym-log -d sym unloaded.dmp 2>/dev/null | rossym-log -u >undone; rossym-log -u unloaded.dmp | cmp - undone'
check 'names of threads' sh -c 'rossym-log -d sym unloaded.dmp 2>/dev/null | grep ^Thread' <<'EOT'
Thread 0 (crashed), id 0x20, name main_loop
Thread 1, id 0x21, name a?crashed??x.sys?1?
EOT
ok '... are no form of a log' sh -c 'test "$(rossym-log --crashes -d sym unloaded.dmp | grep -c ^Crash)" = 1'

# A caller on ARM64, by the unwind data of an image that a unit test makes; which numbers these are: tests/lib/makedump.h.
mkdir made
if UNWIND_KEEP=made MUTATIONS=0 "$tap_build/tests/dump/unit-unwind-arm64" >/dev/null 2>&1; then
	mv made/arm64 made/app.exe
	"$mkdump" arm64 stack.dmp 0x540 8 0x544 0 0x548 0x40001050 0x54c 1 0x328 0x40002004 0x32c 1
	callers () {
		rossym-log -u "$@" | sed -n '/(crashed)/,/^$/p' | grep -v ' = '
	}
	check 'arm64: a caller' callers -d made stack.dmp <<-'EOT'
		Thread 0 (crashed), id 0x20
		 0  app.exe + 0x1050
		 1  app.exe + 0x2004
		    unwound, proved
		    further callers are not known: the unwind information or the stack is damaged

	EOT
	check '... not without the image' callers stack.dmp <<-'EOT'
		Thread 0 (crashed), id 0x20
		 0  app.exe + 0x1050
		    further callers are not known: that needs the image of app.exe, which was not found

	EOT
else
	skip 'arm64: a caller' 'tests/dump/unit-unwind-arm64 runs on another system'
fi

# A dump has DateStamps.  As text, it would be a log without frames.
echo 'no address' >text
check '--builds' -s 1 -e 'rossym-log: x86.dmp: only the text of a log can be compared with builds' \
	rossym-log --builds -d sym x86.dmp text <<'EOT'
text: no frames that could show a build
EOT
check '--builds, on standard input' -s 1 -I x86.dmp -e 'rossym-log: standard input: only the text of a log can be compared with builds' \
	rossym-log --builds -d sym -

# ------------------------------------------------------------------------------------------------ damaged ones

"$mkdump" x86 long.dmp 0x154 0x0 0x150 0x7fffffff
check 'more modules than there is room for' -s 1 -e \
	'rossym-log: long.dmp: the list of modules at offset 0x150: says that it has more entries than it has room for' \
	sh -c 'rossym-log -u long.dmp >output; status=$?; grep -c "^Thread" output; exit $status' <<'EOT'
2
EOT
"$mkdump" x86 name.dmp 0x300 0xffffff
check 'what is wrong is said once' -s 1 -e 'rossym-log: name.dmp: the name of a module at offset 0x300: is too long' \
	sh -c 'rossym-log -u name.dmp >output; status=$?; grep -c "^Thread" output; exit $status' <<'EOT'
2
EOT
head -c 20 x86.dmp >short.dmp
check 'a header that ends early' -s 1 -e 'rossym-log: short.dmp: the header at offset 0x0: reaches past the end of the file' \
	rossym-log -d sym short.dmp
head -c 200 x86.dmp >cut.dmp
check 'a dump that was cut' -s 1 -e 'rossym-log: cut.dmp: the list of threads at offset 0xe0: reaches past the end of the file
rossym-log: cut.dmp: the list of modules at offset 0x150: reaches past the end of the file
rossym-log: cut.dmp: the list of memory at offset 0x22c: reaches past the end of the file
rossym-log: cut.dmp: the process at offset 0xc0: reaches past the end of the file
rossym-log: cut.dmp: the exception at offset 0x240: reaches past the end of the file' rossym-log -d sym cut.dmp <<'EOT'
Minidump of 2000-02-29 00:00:00 UTC
System: Windows 10.0.19045, x86, 4 processors
EOT
check 'the next log goes on' -s 1 -O want -e 'rossym-log: short.dmp: the header at offset 0x0: reaches past the end of the file' \
	rossym-log -d sym short.dmp x86.dmp
printf 'MDM eip\n' >text.log
check 'a log that begins nearly so' -O text.log rossym-log -d sym text.log

# ------------------------------------------------------------------------------------------------ real ones

dumps=${DUMP_FIXTURES:-$SRC/../shared/fixtures/dumps}
if ! test -d "$dumps"; then
	skip 'real dumps' 'files of others are not here'
	done_testing
	exit
fi

# What minidump_stackwalk says about DUMP, without the frames that it scans for: the modules, and where each thread is.
seen_by_others () {
	awk '/^Loaded modules:/ { modules = 1; next }
	     modules && /^0x/ { sub(/^0x0*/, ""); print "module", $1, $4 }
	     /^Thread / { print "thread", $2, ($3 == "(crashed)" ? "crashed" : ""); first = 1 }
	     /^ 0  / && first { print $2, $3, $4; first = 0 }' "$1" | sort
}
seen () {
	awk '/^start / { modules = 1; next }
	     /^$/ { modules = 0 }
	     modules { sub(/^0*/, ""); print "module", $1, $3 }
	     /^Thread / { sub(/,/, "", $2); print "thread", $2, ($3 == "(crashed)," ? "crashed" : "") }
	     /^ 0  / { print $2, $3, $4 }' "$1" | sort
}
agrees () {
	rossym-log -u "$1" >report && seen report >ours && seen_by_others "${1%.dmp}.breakpad-nosym.txt" >theirs && test -s theirs &&
		test "$(grep -c '^module' ours)" -eq "$(grep -c '^module' theirs)" || return 1
	# It says nothing about a thread that was only there to write the dump.
	comm -23 theirs ours >missing
	test ! -s missing || { cat missing; return 1; }
}
for dump in "$dumps"/*/*.dmp; do
	test ! -f "${dump%.dmp}.breakpad-nosym.txt" || ok "${dump##*/}: as minidump_stackwalk" agrees "$dump"
done

# The place of each crash with symbols, as winedbg has it.  What it says at places outside of the images is that there is no module.
place () {
	rossym-log -u "$1" >report || return 1
	ours=$(sed -n '/(crashed)/ { n; s/^ 0  \([^ ]*\)\.\(exe\|dll\) + 0x\([0-9a-f]*\).*/\1 \3/p; s/^ 0  0x\([0-9a-f]*\) in no module/none \1/p; }' report)
	theirs=$(sed -n 's/^=>0 0x\([0-9a-f]*\) .* in \([^ ]*\) ([0-9a-fx]*)$/\2 \1/p; s/^=>0 0*x*\([0-9a-f]*\) ([0-9a-fx]*)$/none \1/p' "${1%.dmp}.winedbg.txt")
	base=$(sed -n "s/^\([0-9a-f]*\)  *[0-9a-f]*  *${theirs%% *}\.[de][lx][le] .*/\1/p" report)
	test -n "$theirs" && test "${ours%% *}" = "${theirs%% *}" &&
		test $((0x0${ours##* } + 0x${base:-0})) -eq $((0x0${theirs##* })) || { echo "$ours, not $theirs"; return 1; }
}
line () {
	rossym-log -d "$dumps/wine" "$1" 2>/dev/null | grep -q '^ 0  zoo-[^ ]*\.exe + 0x[0-9a-f]* (.*inner\.h:11 (sum2), inlined by .*zoo\.c:33 (level3))'
}
for dump in "$dumps"/wine/*.dmp; do
	test ! -s "${dump%.dmp}.winedbg.txt" || ok "${dump##*/}: as winedbg" place "$dump"
	case $dump in
	*-gcc*.0.dmp) ok "${dump##*/}: line and inlined call" line "$dump" ;;
	esac
done

# What is no list of anything.
for name in invalid-range invalid-record-count; do
	ok "$name.dmp" sh -c "rossym-log -u '$dumps/rust-minidump/$name.dmp' >output 2>errors; test \$? = 1 && test -s errors"
done

done_testing
