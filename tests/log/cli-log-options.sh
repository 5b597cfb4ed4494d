# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the options of rossym-log do.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/logs.sh"

again () {
	rossym-log -d sym "$@" <kdbg >one && rossym-log -d sym "$@" <one >two && cmp one two
}

cases 'nothing in, nothing out'
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
if witness strace && strace -qq -f -o trace true 2>/dev/null && test -z "${RUNNER-}" || no_witness 'how often a file is opened' 'no strace'; then
	opens () {
		ASAN_OPTIONS=detect_leaks=0 strace -qq -f -e trace=openat -o trace rossym-log "$@" >output && grep -c 'hal\.dll' trace
	}
	cases 'a file that operands with offsets name one after another is opened once'
fi

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

marks () {
	rossym-log -m -d sym colons | grep -c '^\* | : '
}
long () {
	rossym-log -d sym -S1 --source-root=long long/log >once && rossym-log -d sym once | cmp - once && cut -c 1-22 once &&
		rossym-log -u once | cmp - long/log
}

cases 'MODULE:OFFSET, as a log has it'

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
