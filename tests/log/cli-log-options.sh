# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the options of rossym-log do.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/logs.sh"

log_modules sym silent
note='(ntoskrnl/ke/Thread0.c:164 (KeQueryQueueEntry8))'
before='(ntoskrnl/ke/Thread0.c:163 (KeQueryQueueEntry8))'

check 'nothing in, nothing out' rossym-log </dev/null

# Lines without tokens are counted many at a time.
awk 'BEGIN { for (i = 1; i < 9000; i++) print substr("0123456789", 1, i % 11); print "<hal.dll:1230>" }' >many.log
cases 'the line of a token after many lines'
marked='<hal.dll:1230>\nx <no.dll:1>\n\n? <hal.dll:1230>\n* <hal.dll:1230>\nx <no.dll:1> <hal.dll:1230>\n* | none\n'
check '-m and -M' -e 'rossym-log: warning: no.dll: module not found
rossym-log: 2 lines look like code addresses of modules that are not there: no.dll (2); see -d' -i "$marked" rossym-log -d sym -mM <<EOT
* | <hal.dll:1230 $note>
? | x <no.dll:1>

* | ? <hal.dll:1230 $note>
* | * <hal.dll:1230 $note>
* | x <no.dll:1> <hal.dll:1230 $note>
* | none
EOT
check '-m, -M and again: annotations stay, marks are replaced' -g '*' -i "$marked" \
	sh -c 'rossym-log -d sym -m | rossym-log -d sym -M | rossym-log -d sym -mM' <<EOT
* | <hal.dll:1230 $note>
? | x <no.dll:1>

* | ? <hal.dll:1230 $note>
* | * <hal.dll:1230 $note>
* | x <no.dll:1> <hal.dll:1230 $note>
* | none
EOT
printf '%b' "$marked" >marked
check '-m and -M, then -u: marks of the log stay' -g '*' -O marked -I marked sh -c 'rossym-log -d sym -mM | rossym-log -u'
check '-u' -i '<hal.dll:1230 (a.c:1 (f))> <hal.dll:1230>\n' rossym-log -d sym -u <<EOT
<hal.dll:1230> <hal.dll:1230>
EOT
# Nobody can tell who wrote an annotation: they stay, and -u takes them all.
cat >kdbg <<'EOT'
<hal.dll:1230 (a.c:1 (f))> <hal.dll:1230>
Eip: <hal.dll:1230 (:0 (f))> x  (a.c:1 (f)) EIP=80401230   (a.c:1 (f))
| 0001  a line that looks like source
&lt;hal.dll:1230 (a&lt;b.c:1 (f))&gt; <hal.dll:1230&nbsp;(a.c:1 (f))>
* | <hal.dll:1230 (a(b.c:1 (f))> (a.c:1 (f)) <hal.dll:1230>(a.c:1 (f))
EOT
check 'annotations of the log stay' -I kdbg rossym-log -d sym <<EOT
<hal.dll:1230 (a.c:1 (f))> <hal.dll:1230 $note>
Eip: <hal.dll:1230 (:0 (f))> x  (a.c:1 (f)) EIP=80401230   (a.c:1 (f))
| 0001  a line that looks like source
&lt;hal.dll:1230 (a&lt;b.c:1 (f))&gt; <hal.dll:1230&nbsp;(a.c:1 (f))>
* | <hal.dll:1230 (a(b.c:1 (f))> (a.c:1 (f)) <hal.dll:1230 $note>(a.c:1 (f))
EOT
again () {
	rossym-log -d sym "$@" <kdbg >one && rossym-log -d sym "$@" <one >two && cmp one two
}
check '... and a second run changes nothing' again
has_demangler && colors='-C --color=always' || colors=--color=always
check '... in colors' again $colors
check '... with marks' again -mMi
check '... and -u takes them, but no text that is no annotation' -I one rossym-log -u <<'EOT'
<hal.dll:1230> <hal.dll:1230>
Eip: <hal.dll:1230> x  (a.c:1 (f)) EIP=80401230  
&lt;hal.dll:1230&gt; <hal.dll:1230>
<hal.dll:1230> (a.c:1 (f)) <hal.dll:1230>(a.c:1 (f))
EOT
cases 'text before an annotation and after it is two words'

# What KDBG prints of a return address after a call that does not return.
build sym/end.sys <<'EOT'
pe32 base=0x10000
section .text rva=0x1000 size=0x100 flags=code fill=0
rossym
row 0x1000 f ke/f.c 3
row 0x1010 _rossym_end__ "" 0
row 0x1020 g ke/g.c 9
EOT
end='(:0 (_rossym_end__))'
cases 'an end of a line sequence is no answer'
# The frame after a trap is where the fault was.
build sym/trap.sys <<'EOT'
pe32 base=0x10000
section .text rva=0x1000 size=0x100 flags=code fill=0
rossym
row 0x1000 _KiTrap0E ke/trap.s 5
row 0x1010 KiTrap0EHandler ke/trap.c 7
row 0x1020 f ke/f.c 3
row 0x1030 f ke/f.c 4
EOT
cases 'the frame after a trap'
for option in --return --return-addresses --return-a --ret; do
	check "$option" -i '<hal.dll:1230>\n' rossym-log -d sym $option <<EOT
<hal.dll:1230 $before>
EOT
done
for option in -d --directory --dir --debug-directory; do
	check "$option" -i '<hal.dll:1230>\n' rossym-log $option sym <<EOT
<hal.dll:1230 $note>
EOT
done
printf '<hal.dll:1230>\n' | rossym-log -d sym --format=json >json
check '--output-style' -i '<hal.dll:1230>\n' -O json rossym-log -d sym --output-style=json
cases '... is --format'
if rossym-log --version | grep 'Demangler: libiberty' >/dev/null; then
	check '-C' -i '<stabs32.exe:16c7>\n' rossym-log -C -e "$DATA/stabs32.exe" <<EOT
<stabs32.exe:16c7 (io/irp.cpp:25 (io::Irp::complete(int)))>
EOT
else
	skip '-C' 'built without libiberty'
fi
cases '-i shows what the table knows'
build odd.dll <<'EOT'
pe32 base=0x10000
section .text rva=0x1000 size=0x1000 raw=0 flags=code
rossym rva=0x4000
row 0x1000 "f\x1b[31m\x7f\xc2\x9b\"\\\xc3\xa4\xff" "a\nb.c" 3
row 0x1010 "f" "" 0
row 0x1020 "" "a.c" 7
EOT
check 'JSON is UTF-8, quoted' -i '<odd.dll:1000>' rossym-log --format=json -e odd.dll <<'EOT'
{"line":1,"column":1,"token":"<odd.dll:1000>","module":"odd.dll","rva":"0x1000","return_address":null,"image":"odd.dll","datestamp":"unknown","build":"unknown","frames":[{"line":3,"file":"a\nb.c","function":"f\u001b[31m\u007f\u009b\"\\ä\u00ff"}]}
EOT
check 'control characters of names are masked' -i '<odd.dll:1000> <odd.dll:1010> <odd.dll:1020>\n' rossym-log -e odd.dll <<EOT
<odd.dll:1000 (a?b.c:3 (f?[31m???"\\$(printf '\303\244\377')))> <odd.dll:1010 (:0 (f))> <odd.dll:1020 (a.c:7 ())>
EOT
check '--format=xml' -s 1 -e "rossym-log: --output-style: 'xml' is not text, json or html" rossym-log --format=xml </dev/null

# Source lines.
mkdir -p root/ntoskrnl/ke outside
i=0
while test $i -lt 170; do i=$((i + 1)); echo "	line $i$(test $i -ne 164 || printf '\033[31m')"; done >root/ntoskrnl/ke/Thread0.c
echo secret >outside/secret
check '-S' -i 'x <hal.dll:1230> y\nz\n' rossym-log -d sym -S2+1 --source-root=root <<EOT
x <hal.dll:1230 $note> y
| 0163  	line 163
| 0164  	line 164?[31m
| ----
| 0165  	line 165
z
EOT
check '-S in color: the line itself is not dimmed' -i 'x <hal.dll:1230> y\nz\n' sh -c \
	'rossym-log -d sym -S2+1 --color=always --source-root=root | sed "s/$(printf "\033")/^/g"' <<EOT
x <hal.dll:1230 ^[35m$note^[0m> y
^[2m| 0163  	line 163^[0m
| 0164  	line 164?[31m
^[2m| ----^[0m
^[2m| 0165  	line 165^[0m
z
EOT
undo_source () {
	rossym-log -d sym -S2+1 --source-root=root "$@" | rossym-log -u
}
check '-S, then -u' -i 'x <hal.dll:1230> y\nz\n' undo_source <<'EOT'
x <hal.dll:1230> y
z
EOT
check '-S in color, then -u' -i 'x <hal.dll:1230> y\nz\n' undo_source --color=always <<'EOT'
x <hal.dll:1230> y
z
EOT
printf 'x <hal.dll:1230>' >unended
check '-S, then -u, without a newline at the end' -O unended -I unended undo_source -m
check 'a line of the log that looks like source' -i '<hal.dll:1230>\n| 0166  x\n' rossym-log -d sym -S1 --source-root=root <<EOT
<hal.dll:1230 $note>
| 0164  	line 164?[31m
| ----
|_
| 0166  x
EOT
check 'it stays' -i '<hal.dll:1230>\n| 0166  x\n' undo_source <<EOT
<hal.dll:1230>
| 0166  x
EOT
# A line that is not all there when it is known for what it is.
in_pieces () {
	{
		printf '<hal.dll:1230 (a.c:1 (f))>\n| 01'
		sleep 0.1
		printf '63  %070000d' 0
		sleep 0.1
		printf '\n| ----\n| -'
		sleep 0.1
		printf -- '-- not one of them\n'
	} | rossym-log -u
}
cases '-U takes away what comes in pieces'
build climb.dll <<'EOT'
pe32 base=0x10000
section .text rva=0x1000 size=0x1000 raw=0 flags=code
rossym rva=0x4000
row 0x1000 up "../outside/secret" 1
row 0x1010 root "/nowhere/ntoskrnl/ke/Thread0.c" 1
row 0x1020 dos "C:\\build\\ntoskrnl\\mm\\..\\ke\\Thread0.c" 2
row 0x1030 end "ntoskrnl/ke/Thread0.c" 171
EOT
check 'source files are below the root' -i '<climb.dll:1000>\n<climb.dll:1010>\n<climb.dll:1020>\n<climb.dll:1030>\n' \
	rossym-log -e climb.dll -S1 --source-root=root <<'EOT'
<climb.dll:1000 (../outside/secret:1 (up))>
<climb.dll:1010 (/nowhere/ntoskrnl/ke/Thread0.c:1 (root))>
| 0001  	line 1
| ----
<climb.dll:1020 (C:\build\ntoskrnl\mm\..\ke\Thread0.c:2 (dos))>
| 0002  	line 2
| ----
<climb.dll:1030 (ntoskrnl/ke/Thread0.c:171 (end))>
| S--- source has only 170 lines! (check source/revision)
EOT

# What stands where the source file should be: a message, and not a file of 0 lines.
build where.dll <<'EOT'
pe32 base=0x10000
section .text rva=0x1000 size=0x1000 raw=0 flags=code
rossym rva=0x4000
row 0x1000 f "ntoskrnl/ke/what.c" 3
EOT
what=root/ntoskrnl/ke/what.c
: >$what
check 'an empty source file' -i '<where.dll:1000>\n' rossym-log -e where.dll -S1 --source-root=root <<'EOT'
<where.dll:1000 (ntoskrnl/ke/what.c:3 (f))>
| S--- source has only 0 lines! (check source/revision)
EOT
rm $what
# The answer, and WARNING, also without -v.
source_is () {
	check "$1" -e "rossym-log: warning: ntoskrnl/ke/what.c: cannot read the source file below root: $2" \
		-i '<where.dll:1000>\n<where.dll:1000>\n' rossym-log -e where.dll -S1 --source-root=root <<-'EOT'
		<where.dll:1000 (ntoskrnl/ke/what.c:3 (f))>
		<where.dll:1000 (ntoskrnl/ke/what.c:3 (f))>
	EOT
}
mkdir $what
on_posix source_is 'a directory for a source file' 'Is a directory'
rmdir $what
if on_windows; then
	skip 'a FIFO for a source file' 'not on Windows'
else
	mkfifo $what
	source_is 'a FIFO for a source file' 'not a regular file'
	rm $what
fi
dd if=/dev/zero of=$what bs=1 count=1 seek=16777216 2>/dev/null
source_is 'a source file that is too big' 'larger than 16 MiB'
rm $what
if on_windows; then
	skip 'a source file that may not be read' 'not on Windows'
else
	ln -s what.c $what
	source_is 'a source file that cannot be opened' 'Too many levels of symbolic links'
	rm $what
fi

# Operands.
printf 'a <hal.dll:1230>\n' >one.log
printf 'b <hal.dll:1230>' >two.log
printf '%s\n' "a <hal.dll:1230 $note>" >want
printf '%s' "b <hal.dll:1230 $note>" >>want
check 'two logs, no newline at the end' -O want rossym-log -d sym one.log two.log
check 'a log without a name' -s 1 -e 'rossym-log: : No such file or directory' rossym-log -d sym ''
cases 'a log that is not there'
rm -r other
if witness strace && strace -qq -f -o trace true 2>/dev/null && test -z "${RUNNER-}"; then
	opens () {
		ASAN_OPTIONS=detect_leaks=0 strace -qq -f -e trace=openat -o trace rossym-log "$@" >output && grep -c 'hal\.dll' trace
	}
	opens sym/hal.dll:1230 >want
	check 'a file that operands with offsets name one after another is opened once' -O want \
		opens sym/hal.dll:1230 sym/hal.dll+0x1234 '<sym/hal.dll:1230>'
	check '... and each is answered' cat output <<-EOT
		<sym/hal.dll:1230 $note>
		<sym/hal.dll:1234 $note>
		<sym/hal.dll:1230 $note>
	EOT
else
	no_witness 'how often a file is opened' 'no strace'
fi
on_posix check 'standard input that cannot be read' -s 1 -e 'rossym-log: standard input: cannot read: Bad file descriptor' \
	sh -c 'rossym-log -d sym 0>nothing' </dev/null
check 'MODULE:OFFSET, as a log has it' rossym-log -d sym hal.dll:1230 '<hal.dll:1230>' hal.dll+1230 hal.dll+0x1230 HAL.DLL 10 <<EOT
<hal.dll:1230 $note>
<hal.dll:1230 $note>
<hal.dll:1230 $note>
<hal.dll:1230 $note>
<HAL.DLL:10>
EOT
module hint.exe 0x5db90001 hinted
hint='rossym-log: hint: hint.exe: no offset was inside the image, 0x0-0x2fff; offsets count from the image base, 0x10000'
check 'addresses in place of offsets: a hint, once' -e "$hint" rossym-log hint.exe 11000 11004 0 <<'EOT'
<hint.exe:11000>
<hint.exe:11004>
<hint.exe:0>
EOT
check '... for a module' -e "$hint" rossym-log -d . hint.exe:11000 <<'EOT'
<hint.exe:11000>
EOT
check '... for each image' -e "$(echo "$hint" | sed 's,hint: h,hint: ./h,; p')" rossym-log ./hint.exe 11000 sym/hal.dll 10 ./hint.exe 3000 <<'EOT'
<./hint.exe:11000>
<sym/hal.dll:10>
<./hint.exe:3000>
EOT
check '... not if one is inside, though without an answer' rossym-log hint.exe 11000 2fff <<'EOT'
<hint.exe:11000>
<hint.exe:2fff>
EOT
check '... not for 0 alone, and not without an image' -s 1 -e 'rossym-log: hint.dll: No such file or directory
rossym-log: warning: hint.dll: no modules given; see -e and -d' rossym-log hint.exe 0 hint.dll 11000 <<'EOT'
<hint.exe:0>
<hint.dll:11000>
EOT
rm hint.exe
hint="rossym-log: hint: hal.dll: no offset was inside the image, 0x0-0x828fff; offsets count from the image base, 0x10000"
check 'an offset of more than 64 bits is printed as it was written' -e "$hint" rossym-log -d sym hal.dll 1fffffffffffffffff 0xffffffffffffffff <<'EOT'
<hal.dll:1fffffffffffffffff>
<hal.dll:ffffffffffffffff>
EOT
check '... with a path' rossym-log sym/hal.dll:1230 <<EOT
<sym/hal.dll:1230 $note>
EOT
cp "$SRC/tests/data/README" 'hal.dll:1230'
printf 'a log\n' >'hal.dll:1230'
check '... but a file of that name is a log' rossym-log -d sym hal.dll:1230 <<'EOT'
a log
EOT
rm 'hal.dll:1230'
check 'EXE that is not there' -s 1 -e 'rossym-log: sym/no.dll: No such file or directory
rossym-log: warning: no.dll: no modules given; see -e and -d' rossym-log sym/no.dll 10 <<EOT
<sym/no.dll:10>
EOT
check 'an unknown option' -s 1 -e "rossym-log: unrecognized option '--frob'
Try 'rossym-log --help' for more information." rossym-log --frob </dev/null
on_posix check 'under another name' -s 1 -e "./mylog: option requires an argument -- 'e'
Try './mylog --help' for more information." sh -c 'ln -s "$1" mylog && ./mylog -e' sh "$LOG_BIN" </dev/null
check 'an unknown demangling style' -s 1 -e "rossym-log: unknown demangling style \`frob'" rossym-log --demangle=frob </dev/null
ok '--version says what it can' sh -c 'rossym-log --version | grep -q "^Archives: "'
headings () {
	rossym-log --help=all | grep ':$'
}
check 'the headings of --help' headings <<-'EOT'
	 current directory.  The options are:
	 Which images answer:
	 How addresses are read:
	 What is written:
EOT
ok '--help' sh -c 'rossym-log --help | grep -q -- --statistics'
check 'a full disk' -s 1 -e 'rossym-log: cannot write standard output: No space left on device' \
	sh -c 'test -w /dev/full || { echo "rossym-log: cannot write standard output: No space left on device" >&2; exit 1; }; rossym-log "$0" >/dev/full' "$SRC/COPYING"

# A prompt is printed when nothing follows it, and the rest of its line as it is.  (Wine cannot tell whether more follows
# in a pipe of Linux.)  Nothing else is printed before its line ends.
live () {
	mkfifo to
	rossym-log -d sym --wait=1 <to >from &
	exec 3>to
	printf 'kdb:> ' >&3
	wait_for 'kdb:> ' || return 1
	printf 'x <hal.dll:12' >&3
	sleep 0.2
	wait_for 'kdb:> ' || return 1
	printf '30>\r\n<hal.dll:1230>\r\nContinue: ' >&3
	wait_for "kdb:> x <hal.dll:1230>
<hal.dll:1230 $note>
Continue: " || return 1
	printf '<hal.dll:1230>\n<hal.dll:1230>: ' >&3
	wait_for "kdb:> x <hal.dll:1230>
<hal.dll:1230 $note>
Continue: <hal.dll:1230>
<hal.dll:1230>: " || return 1
	exec 3>&-
	wait
}
wait_for () {
	i=0
	while test "$(tr -d '\r' <from)X" != "$1X" && test $i -lt 1200; do sleep 0.05; i=$((i + 1)); done
	# $(...) takes final newlines only, and there are none.
	test "$(tr -d '\r' <from)X" = "$1X" || { od -c from; return 1; }
}
on_posix ok 'live: a prompt does not wait' live
slowly () {
	{ printf 'kdb:> '; sleep 0.3; printf '<hal.dll:1230>\n'; } | rossym-log -d sym "$@"
}
check '--wait=0: a prompt waits' slowly --wait=0 <<EOT
kdb:> <hal.dll:1230 $note>
EOT
prompted () {
	rm -f to
	mkfifo to
	rossym-log -d sym "$@" <to >from &
	exec 3>to
	printf 'kdb:> ' >&3
	wait_for 'kdb:> ' || return 1
	printf '<hal.dll:1230>\n' >&3
	exec 3>&-
	wait
	cat from
}
on_posix check 'without --wait, it does not' prompted <<'EOT'
kdb:> <hal.dll:1230>
EOT
on_posix check 'a prompt gets no mark' prompted -m <<'EOT'
kdb:> <hal.dll:1230>
EOT
check '--wait=x' -s 1 -e "rossym-log: --wait: 'x' is not a number of milliseconds" rossym-log --wait=x </dev/null

# A file has no prompts, wherever the pieces end in which it is read.
awk 'BEGIN { for (i = 0; i < 101; i++) text = text ": "; for (i = 0; i < 4000; i++) print text "<hal.dll:1230>" }' >colons
marks () {
	rossym-log -m -d sym colons | grep -c '^\* | : '
}
check 'each line of a file gets its mark' marks <<'EOT'
4000
EOT

# The source lines of a long line come directly after it, and a second run knows them.
mkdir -p long/ntoskrnl/ke
yes '<hal.dll:1240>' | head -n 200 >long/ntoskrnl/ke/Thread0.c
{ printf '<hal.dll:1230> %0300000d\n' 0 && echo '<hal.dll:1240>'; } >long/log
long () {
	rossym-log -d sym -S1 --source-root=long long/log >once && rossym-log -d sym once | cmp - once && cut -c 1-22 once &&
		rossym-log -u once | cmp - long/log
}
check 'source lines after a long line' long <<'EOT'
<hal.dll:1230 (ntoskrn
| 0164  <hal.dll:1240>
| ----
<hal.dll:1240 (ntoskrn
| 0181  <hal.dll:1240>
| ----
EOT

# From the 64th token of a module on, its whole table is laid out as for rossym-addr2line's batches: the answers stay the same.
awk 'BEGIN { srand(1); for (i = 0; i < 2000; i++) printf "%x\n", int(rand() * 140000) }' >offsets
rossym-addr2line -f --rva -e sym/hal.dll <offsets | awk '
	FILENAME == "offsets" { offset[n++] = $0; next }
	FNR % 2 == 1 { function_name = $0; next }
	{ print "<hal.dll:" offset[i++] ($0 == "??:0" ? "" : " (" $0 " (" function_name "))") ">" }' offsets - >wanted
sed 's/.*/<hal.dll:&>/' offsets >many.log
check '2,000 tokens of one module' -O wanted -I many.log rossym-log -d sym

# Inlined calls, from a table that rossym-embed makes.  GNU addr2line -fi says the same of 140001566 in the unstripped image.
rossym-embed -s /src "$DATA/dwarf64.nostrip.exe" inlines.exe || exit 99
chain='(ke/bug.h:5 (rotate_left), inlined by ke/bug.h:11 (mix), inlined by ke/bug.c:10 (fingerprint))'
for option in --verbose -i; do
	check "inlined calls: $option" -e "$(test $option = -i || echo 'rossym-log: inlines.exe: inlines.exe')" \
		-i '<inlines.exe:1566> x\n' rossym-log $option -e inlines.exe <<-EOT
			<inlines.exe:1566 $chain> x
		EOT
done
for program in 'rossym-log --no-inlines -e inlines.exe' 'log2lines -d .'; do
	check "not with $program" -i '<inlines.exe:1566> x\n' $program <<-'EOT'
		<inlines.exe:1566 (ke/bug.h:5 (rotate_left))> x
	EOT
done
check '-u takes all of it back' -i "<inlines.exe:1566 $chain> x\n" rossym-log -u <<-'EOT'
	<inlines.exe:1566> x
EOT
rossym-addr2line --dump -e inlines.exe | sed 's/^0x0*\([0-9a-f]*\).*/<inlines.exe:\1>/' >all.log
there_and_back () {
	rossym-log -mMC -S2+2 --source-root="$DATA/src" --color=always -e inlines.exe >all.out && ! cmp -s all.log all.out &&
		rossym-log -u all.out
}
check '-u: every address of an image, with all options' -g '*' -O all.log -I all.log there_and_back
check 'inlined calls in JSON' -i '<inlines.exe:1566>\n' rossym-log --format=json -e inlines.exe <<-'EOT'
	{"line":1,"column":1,"token":"<inlines.exe:1566>","module":"inlines.exe","rva":"0x1566","return_address":null,"image":"inlines.exe","datestamp":"unknown","build":"unknown","frames":[{"line":5,"file":"ke/bug.h","function":"rotate_left"},{"line":11,"file":"ke/bug.h","function":"mix"},{"line":10,"file":"ke/bug.c","function":"fingerprint"}]}
EOT

# Callers whose place is unknown, and more of them than a note has room for.  The function that the code belongs to is always there.
long=$(awk 'BEGIN { for (i = 0; i < 400; i++) printf "long"; print "" }')
build plain.exe <<'EOT'
pe32 base=0x400000
section .text size=0x4000 fill=0
EOT
printf '%b' "1000\t16\tinner\ti.h\t3\t0\n1000\t16\touter\t\t0\t1\n" \
	"1010\t16\tinner\ti.h\t3\t0\n1010\t16\t\t\t0\t1\n1010\t16\touter\to.c\t0\t2\n" \
	"1020\t16\tinner\ti.h\t3\t0\n1020\t16\t$long\ta.c\t1\t1\n1020\t16\tmiddle\ta.c\t2\t2\n1020\t16\tm2\ta.c\t2\t3\n" \
	"1020\t16\touter\to.c\t4\t4\n1030\t0\t_rossym_end__\t\t0\t0\n" >rows
for entry in inner outer; do
	rossym-embed --from-dump=rows --entry-frame=$entry plain.exe $entry.exe || exit 99
	check "entries are the $entry frames" -i "<$entry.exe:1000> <$entry.exe:1010>\n" rossym-log -e $entry.exe <<-EOT
		<$entry.exe:1000 (i.h:3 (inner), inlined by outer)> <$entry.exe:1010 (i.h:3 (inner), inlined by ??, inlined by o.c:0 (outer))>
	EOT
	check 'too many callers' -i "<$entry.exe:1020>\n" sh -c "rossym-log -e $entry.exe | sed 's/(long.*\.\.\.)/(...)/'" <<-EOT
		<$entry.exe:1020 (i.h:3 (inner), inlined by a.c:1 (...), inlined by ..., inlined by o.c:4 (outer))>
	EOT
	check 'all of it is taken back' -i "<$entry.exe:1020>\n" sh -c "rossym-log -e $entry.exe | rossym-log -u" <<-EOT
		<$entry.exe:1020>
	EOT
done
check 'a place that is unknown in JSON' -i '<inner.exe:1000>\n' rossym-log --format=json -e inner.exe <<'EOT'
{"line":1,"column":1,"token":"<inner.exe:1000>","module":"inner.exe","rva":"0x1000","return_address":null,"image":"inner.exe","datestamp":"unknown","build":"unknown","frames":[{"line":3,"file":"i.h","function":"inner"},{"line":null,"file":null,"function":"outer"}]}
EOT

# --------------------------------------------------------------------------------------------- what was missed
missing="rossym-log: 7 lines look like code addresses of modules that are not there: win32x.sys (5), hax.dll (2); see -d"
{
	for i in 1 2 3 4 5; do echo "<win32x.sys:123$i> <win32x.sys:12>"; done
	printf '<hax.dll:1000>\n<hal.dll:10>\n<hax.dll:2000>\n<hal.dll:1230 (a.c:1 (f))>\n'
	printf 'ntoskrnl.exe:89b21\n(a.c:1) no <address> here, x.sys: 5, hal.dll: 2026-11-25, hal.dll: 126\n'
	printf 'hal.dll + 1230\nabc+1 hal.dll:1230\na <b> ntdll.dll: 00001234\n'
} >missed.log
check 'what was missed is said at the end' -e "rossym-log: warning: win32x.sys: module not found
rossym-log: warning: hax.dll: module not found
$missing
rossym-log: 4 lines look like addresses but were not understood: 10, 12, 13, 14 (-v shows them)" rossym-log -d sym missed.log <<EOT
$(cat missed.log)
EOT
cases '... -v shows them'
check '... many' sh -c '
	for i in 1 2 3 4 5 6 7 8 9 10 11 12; do printf "<m$i.sys:1000>\\nhal.dll:1230\\n"; done | rossym-log -d sym 2>&1 >/dev/null | grep -v warning' <<'EOT'
rossym-log: 12 lines look like code addresses of modules that are not there: m1.sys (1), m10.sys (1), m11.sys (1), m12.sys (1), m2.sys (1), m3.sys (1), m4.sys (1), m5.sys (1) and others; see -d
rossym-log: 12 lines look like addresses but were not understood: 2, 4, 6, 8, 10, 12, 14, 16, 18, 20 ... (-v shows them)
EOT
check '... -u says nothing' sh -c 'rossym-log -u missed.log 2>&1 >/dev/null' </dev/null
printf '&lt;hal.dll:1230\\&gt;\n' >late.log
check 'an escape of Markdown after the note only: -u undoes it' -O late.log sh -c 'log2lines -t -d sym <late.log | rossym-log -u'
check '... nor does log2lines' -g '' sh -c 'log2lines -d sym missed.log 2>&1 | grep "look" || :'

done_testing
