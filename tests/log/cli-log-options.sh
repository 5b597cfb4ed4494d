# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the options of rossym-log do.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/logs.sh"

cases 'nothing in, nothing out'
again () {
	rossym-log -d sym "$@" <kdbg >one && rossym-log -d sym "$@" <one >two && cmp one two
}

cases '-m and -M, then -u: marks of the log stay'
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
cases '--output-style'
if rossym-log --version | grep 'Demangler: libiberty' >/dev/null || skip '-C' 'built without libiberty'; then
	check '-C' -i '<stabs32.exe:16c7>\n' rossym-log -C -e "$DATA/stabs32.exe" <<EOT
<stabs32.exe:16c7 (io/irp.cpp:25 (io::Irp::complete(int)))>
EOT
fi

undo_source () {
	rossym-log -d sym -S2+1 --source-root=root "$@" | rossym-log -u
}
# The answer, and WARNING, also without -v.
source_is () {
	check "$1" -e "rossym-log: warning: ntoskrnl/ke/what.c: cannot read the source file below root: $2" \
		-i '<where.dll:1000>\n<where.dll:1000>\n' rossym-log -e where.dll -S1 --source-root=root <<-'EOT'
		<where.dll:1000 (ntoskrnl/ke/what.c:3 (f))>
		<where.dll:1000 (ntoskrnl/ke/what.c:3 (f))>
	EOT
}

cases '-i shows what the table knows'
on_posix source_is 'a directory for a source file' 'Is a directory'
rmdir $what
if ! on_windows || skip 'a FIFO for a source file' 'not on Windows'; then
	mkfifo $what
	source_is 'a FIFO for a source file' 'not a regular file'
	rm $what
fi
dd if=/dev/zero of=$what bs=1 count=1 seek=16777216 2>/dev/null
source_is 'a source file that is too big' 'larger than 16 MiB'
rm $what
if ! on_windows || skip 'a source file that may not be read' 'not on Windows'; then
	ln -s what.c $what
	source_is 'a source file that cannot be opened' 'Too many levels of symbolic links'
	rm $what
fi

# Operands.
cases 'two logs, no newline at the end'
if witness strace && strace -qq -f -o trace true 2>/dev/null && test -z "${RUNNER-}" || no_witness 'how often a file is opened' 'no strace'; then
	opens () {
		ASAN_OPTIONS=detect_leaks=0 strace -qq -f -e trace=openat -o trace rossym-log "$@" >output && grep -c 'hal\.dll' trace
	}
	cases 'a file that operands with offsets name one after another is opened once'
fi
on_posix check 'standard input that cannot be read' -s 1 -e 'rossym-log: standard input: cannot read: Bad file descriptor' \
	sh -c 'rossym-log -d sym 0>nothing' </dev/null
cases 'MODULE:OFFSET, as a log has it'
check '... for each image' -e "$(echo "$hint" | sed 's,hint: h,hint: ./h,; p')" rossym-log ./hint.exe 11000 sym/hal.dll 10 ./hint.exe 3000 <<'EOT'
<./hint.exe:11000>
<sym/hal.dll:10>
<./hint.exe:3000>
EOT
cases '... not if one is inside, though without an answer'
on_posix check 'under another name' -s 1 -e "./mylog: option requires an argument -- 'e'
Try './mylog --help' for more information." sh -c 'ln -s "$1" mylog && ./mylog -e' sh "$LOG_BIN" </dev/null

cases 'an unknown demangling style'

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
from_is () {
	# $(...) takes final newlines only, and there are none.
	test "$(tr -d '\r' <from)X" = "$1X"
}
wait_for () {
	await from_is "$1" || { od -c from; return 1; }
}
on_posix ok 'live: a prompt does not wait' live
check '--wait=0: a prompt waits' sh -c \
	"{ printf 'kdb:> '; sleep 0.3; printf '<hal.dll:1230>\n'; } | rossym-log -d sym --wait=0" <<EOT
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
marks () {
	rossym-log -m -d sym colons | grep -c '^\* | : '
}
long () {
	rossym-log -d sym -S1 --source-root=long long/log >once && rossym-log -d sym once | cmp - once && cut -c 1-22 once &&
		rossym-log -u once | cmp - long/log
}

cases '--wait=x'
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

cases '-u: every address of an image, with all options'
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
check '... nor does log2lines' -g '' sh -c 'log2lines -d sym missed.log 2>&1 | grep "look" || :'

done_testing
