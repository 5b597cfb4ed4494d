# SPDX-License-Identifier: GPL-2.0-or-later
#
# rossym-log under the name log2lines.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/logs.sh"

cases 'without arguments it filters'
while test $i -lt 170; do i=$((i + 1)); echo "line $i"; done >ros/ntoskrnl/ke/Thread0.c
cases '-S'
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
cases '-c: marks, addresses before, and help'

done_testing
