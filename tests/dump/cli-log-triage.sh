# SPDX-License-Identifier: GPL-2.0-or-later
#
# Triage dumps.

. "${srcdir:-.}/tests/lib/tap.sh"
builder=triage
. "$SRC/tests/lib/dumps.sh"

# The frames of the stack of the bugcheck in report $1.
second () {
	sed -n '/^Thread 0, by what/,/^$/p' "$1" | sed 1d
}

for name in zoo-gcc-x86_64.0 zoo-clang-x86_64.2 zoo-gcc-x86_64.4 zoo-clang-x86_64.6 zoo-gcc-x86_64.9 zoo-gcc-i686.0 zoo-gccnoeh-i686.2 zoo-clang-i686.4 zoo-gcc-i686.8; do
	"$builder" "$dumps/$name.dmp" triage.dmp
	rossym-log -u -d "$dumps" "$dumps/$name.dmp" >report
	first report >want
	check "$name: a report" -O /dev/null sh -c "rossym-log -u -d '$dumps' triage.dmp >report"
	first report >seen
	check '... has the stack of the minidump' -O want cat seen
	ok '... which has callers' grep -q unwound seen
done

# What calls a leaf function is all that is left of the other stack.
for processor in x86_64 i686; do
	"$builder" "$dumps/zoo-gcc-$processor.2.dmp" triage.dmp
	rossym-log -d "$dumps" triage.dmp >report 2>/dev/null
	second report | sed -n 's/.*(\([a-z_]*\)))$/\1/p' | head -n 3 >names
	printf 'calls_leaf\nrun\nmain\n' >want
	check "$processor: the stack of the bugcheck" -O want cat names
	rossym-log -u triage.dmp >report
	ok '... without images' grep -qx '    callers are not known: no word there is known to be a return address' report
done

"$builder" "$dumps/zoo-gcc-x86_64.2.dmp" triage.dmp
rossym-log -d "$dumps" triage.dmp 2>/dev/null | sed -n -e 1,2p -e '/^Bugcheck/,/^Thread/p' >seen
cat >want <<'EOT'
Kernel memory dump (triage) of 2000-02-29 12:07:21 UTC
System: Windows build 19041, x86-64, 2 processors
Bugcheck: SYSTEM_THREAD_EXCEPTION_NOT_HANDLED (0x1000007E)
*** STOP: 0x1000007E (0x00000000C0000005, 0x00000001400017B0 (/src/dump/mk/zoo.c:49 (leaf)), 0x0000000000000000, 0x0000000000000000)
    parameter 1: the exception code: EXCEPTION_ACCESS_VIOLATION
    parameter 2: where the exception occurred
    parameter 3: exception record
    parameter 4: context record

Exception record: EXCEPTION_ACCESS_VIOLATION (0xc0000005) at 00000001400017b0 (/src/dump/mk/zoo.c:49 (leaf))

Thread 0 (crashed), by the context record
EOT
check 'bugcheck, parameters, exception' -O want cat seen

rossym-log --crashes -d "$dumps" triage.dmp >seen 2>/dev/null
ok 'one crash' grep -qx 'Crash 1 of 1: bugcheck 0x1000007E SYSTEM_THREAD_EXCEPTION_NOT_HANDLED' seen
ok '... with its stack' grep -q '^ *3  return  main ' seen

# A dump that is nothing but a header.
"$builder" "$dumps/zoo-gcc-x86_64.2.dmp" header.dmp 0xf98 3
rossym-log -u -d "$dumps" header.dmp >report
ok 'a header' grep -qx 'Kernel memory dump (header) of 2000-02-29 12:07:21 UTC' report
ok '... whose memory is not read' grep -qx 'Of a dump of this kind the memory is not read.' report

# damaged NAME MESSAGE [OFFSET VALUE]...: there is a report, and this message.
damaged () {
	name=$1 message=$2
	shift 2
	"$builder" "$dumps/zoo-gcc-x86_64.2.dmp" bad.dmp "$@"
	check "$name" -s 1 -O /dev/null -g "rossym-log: bad.dmp: $message" sh -c 'rossym-log -u bad.dmp >report'
	ok '... and the report' grep -q '^Bugcheck' report
}
damaged 'drivers past the end' 'the list of drivers at offset 0x7fffff00: reaches past the end of the file' 0x2030 0x7fffff00
damaged 'too many drivers' 'the list of drivers at offset 0x2080: reaches past the end of the file*' 0x2034 0x7fffff00
damaged 'too many blocks' 'the list of memory at offset 0x*: reaches past the end of the file' 0x207c 0x7fffff00
damaged 'no mark at the end' 'the header of the triage dump at offset 0x2000: has no mark of a complete dump' 0x2008 0
head -c 8192 triage.dmp >cut.dmp
check 'a header alone' -s 1 -O /dev/null -e 'rossym-log: cut.dmp: the header of the triage dump at offset 0x2000: reaches past the end of the file' \
	sh -c 'rossym-log -u cut.dmp >report'
head -c 5000 triage.dmp >cut.dmp
check 'half a header' -s 1 -e 'rossym-log: cut.dmp: the header at offset 0x0: reaches past the end of the file' rossym-log -u cut.dmp

done_testing
