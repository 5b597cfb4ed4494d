# SPDX-License-Identifier: GPL-2.0-or-later
#
# rossym-log under the name log2lines.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/logs.sh"

unset _ROSBE_ROSSOURCEDIR
mkdir -p ros
log_modules ros/output-i386
note='(ntoskrnl/ke/Thread0.c:164 (KeQueryQueueEntry8))'

cases 'without arguments it filters'
_ROSBE_ROSSOURCEDIR=ros
export _ROSBE_ROSSOURCEDIR
cases 'the default directory'
mkdir -p ros/ntoskrnl/ke src/ntoskrnl/ke
i=0
while test $i -lt 170; do i=$((i + 1)); echo "line $i"; done >ros/ntoskrnl/ke/Thread0.c
sed s/line/other/ ros/ntoskrnl/ke/Thread0.c >src/ntoskrnl/ke/Thread0.c
cases '-S'
ok 'none is no file' test ! -e none
check '-P' -s 1 -e 'log2lines: -P would run a shell; type instead: cat x | log2lines ...' log2lines -P 'cat x' </dev/null
find ros/output-i386 -type f | LC_ALL=C sort >want
ok '-F' sh -c 'log2lines -F | LC_ALL=C sort | cmp - want'
ok '-h' sh -c 'log2lines -h | grep -q "console mode"'
check 'an unknown option' -s 1 -e "log2lines: invalid option -- 'q'
Try 'log2lines -h' for more information." log2lines -q </dev/null
check '-c: commands at the prompt' -i 'kdb:> `m\r\n<hal.dll:1230>\nkdb:> `s\nkdb:> `r\n<hal.dll:1230>\nkdb:> `r\nhello <hal.dll:1230> after\nkdb:> `l file\nx `m\n' \
	log2lines -c <<EOT
kdb:> \`m$(printf '\r')
| L2L- mark translated on
* <hal.dll:1230 $note>
kdb:> \`s
| L2L- tokens: 1
| L2L- resolved: 1
| L2L- already annotated: 0
| L2L- removed: 0
kdb:> \`r
| L2L- raw on
<hal.dll:1230>
kdb:> \`r
| L2L- raw off
* hello <hal.dll:1230 $note> after
kdb:> \`l file
| L2L- not here: a log must not make this program open, write or run anything
x \`m
EOT
ok 'a log cannot make it write' test ! -e file
cases '-c: marks, addresses before, and help'

done_testing
