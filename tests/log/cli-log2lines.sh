# SPDX-License-Identifier: GPL-2.0-or-later
#
# rossym-log under the name log2lines.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/logs.sh"

unset _ROSBE_ROSSOURCEDIR
mkdir -p ros
log_modules ros/output-i386
note='(ntoskrnl/ke/Thread0.c:164 (KeQueryQueueEntry8))'

check 'without arguments it filters' -i 'x\n' log2lines <<'EOT'
x
EOT
check '-d' -i '<hal.dll:1230>\r\n' log2lines -d ros/output-i386 <<EOT
<hal.dll:1230 $note>$(printf '\r')
EOT
check '-dDIR' -i '<hal.dll:1230>\n' log2lines -dros/output-i386 <<EOT
<hal.dll:1230 $note>
EOT
_ROSBE_ROSSOURCEDIR=ros
export _ROSBE_ROSSOURCEDIR
check 'the default directory' -i '<hal.dll:1230>\n' log2lines -b -f -z 7z <<EOT
<hal.dll:1230 $note>
EOT
check 'EXE OFFSET' log2lines hal.dll 1230 1234 <<EOT
<hal.dll:1230 $note>
<hal.dll:1234 $note>
EOT
check '-t' -i '<hal.dll:1230> <hal.dll:1240> <hal.dll:1238>\n' log2lines -t <<'EOT'
<hal.dll:1230 (ntoskrnl/ke/Thread0.c:164[163] (KeQueryQueueEntry8))> <hal.dll:1240 (ntoskrnl/ke/Thread0.c:181[164] (KeSetSectionObject9[KeQueryQueueEntry8]))> <hal.dll:1238 (ntoskrnl/ke/Thread0.c:164 (KeQueryQueueEntry8))>
EOT
check '-t, then -u' -i '<hal.dll:1230> <hal.dll:1240> <hal.dll:1238>\n' sh -c 'log2lines -t | log2lines -u' <<'EOT'
<hal.dll:1230> <hal.dll:1240> <hal.dll:1238>
EOT
check '-T' -i '<hal.dll:1240>\n' log2lines -T <<EOT
<hal.dll:1240 $note>
EOT
check '-m -M' -g '*' -i '<hal.dll:1230>\n<no.dll:1>\n' log2lines -m -M <<EOT
* <hal.dll:1230 $note>
? <no.dll:1>
EOT
check '-u' -i '<hal.dll:1230 (a.c:1 (f))>\n' log2lines -u <<'EOT'
<hal.dll:1230>
EOT
check '-U' -i '<hal.dll:1230 (a.c:1 (f))>\n' log2lines -U <<EOT
<hal.dll:1230 $note>
EOT
check '-r' -i '<hal.dll:1230>\n' log2lines -r <<'EOT'
<hal.dll:1230>
EOT
check '-s' -e 'tokens: 1, resolved: 1
hal.dll: 1 of 1, ros/output-i386/hal.dll' -i '<hal.dll:1230>\n' log2lines -s <<EOT
<hal.dll:1230 $note>
EOT
check '-v' -e 'log2lines: hal.dll: ros/output-i386/hal.dll' -i '<hal.dll:1230>\n' log2lines -v <<EOT
<hal.dll:1230 $note>
EOT
mkdir -p ros/ntoskrnl/ke src/ntoskrnl/ke
i=0
while test $i -lt 170; do i=$((i + 1)); echo "line $i"; done >ros/ntoskrnl/ke/Thread0.c
sed s/line/other/ ros/ntoskrnl/ke/Thread0.c >src/ntoskrnl/ke/Thread0.c
check '-S' -i '<hal.dll:1230 (a.c:1 (f))>\n' log2lines -S 1+1 <<EOT
<hal.dll:1230 $note>
| 0164  line 164
| ----
| 0165  line 165
EOT
check '-S N,DIR' -i '<hal.dll:1230>\n' log2lines -S 1,src <<EOT
<hal.dll:1230 $note>
| 0164  other 164
| ----
EOT
check '-l' -i '<hal.dll:1230>\n' log2lines -l copy <<EOT
<hal.dll:1230 $note>
EOT
check '-l appends' -i 'x\n' log2lines -l copy <<EOT
x
EOT
check 'the copy' cat copy <<EOT
<hal.dll:1230 $note>
x
EOT
check '-L empties it first' -i 'y\n' log2lines -L copy <<EOT
y
EOT
check 'the new copy' cat copy <<EOT
y
EOT
check '-l none' -i 'y\n' log2lines -l none <<EOT
y
EOT
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
check '-c: marks, addresses before, and help' \
	-i 'kdb:> `h\nkdb:>`M\n<no.dll:10>\n<hal.dll:1240>\nkdb:> `M\nkdb:> `T\n<hal.dll:1240>\nkdb:> `T\nkdb:> `t \n<hal.dll:1240>\nkdb:> `t\n<hal.dll:1240>\nkdb:> `\nkdb:> m\n' \
	-e 'log2lines: warning: no.dll: module not found' log2lines -c <<EOT
kdb:> \`h
| L2L- \`h help, \`m \`M marks, \`r raw, \`s [clear] statistics, \`S n[+m] source lines,
| L2L- \`t both addresses, \`T the one before, \`u undo, \`U redo, \`v verbose
kdb:>\`M
| L2L- mark not translated on
? <no.dll:10>
<hal.dll:1240 (ntoskrnl/ke/Thread0.c:181 (KeSetSectionObject9))>
kdb:> \`M
| L2L- mark not translated off
kdb:> \`T
| L2L- the address before on
<hal.dll:1240 $note>
kdb:> \`T
| L2L- the address before off
kdb:> \`t 
| L2L- address and the one before on
<hal.dll:1240 (ntoskrnl/ke/Thread0.c:181[164] (KeSetSectionObject9[KeQueryQueueEntry8]))>
kdb:> \`t
| L2L- address and the one before off
<hal.dll:1240 (ntoskrnl/ke/Thread0.c:181 (KeSetSectionObject9))>
kdb:> \`
kdb:> m
EOT
check '-c: undo, redo and counts' \
	-i 'kdb:> `u\n<hal.dll:1230 (a.c:1 (f))>\nkdb:> `u\n<hal.dll:1230 (a.c:1 (f))>\nkdb:> `U\n<hal.dll:1230 (a.c:1 (f))>\nkdb:> `s\nkdb:> `s clear\nkdb:> `s\n' \
	log2lines -c <<EOT
kdb:> \`u
| L2L- undo on
<hal.dll:1230>
kdb:> \`u
| L2L- undo off
<hal.dll:1230 (a.c:1 (f))>
kdb:> \`U
| L2L- redo on
<hal.dll:1230 $note>
kdb:> \`s
| L2L- tokens: 1
| L2L- resolved: 1
| L2L- already annotated: 1
| L2L- removed: 1
kdb:> \`s clear
| L2L- statistics cleared
kdb:> \`s
| L2L- tokens: 0
| L2L- resolved: 0
| L2L- already annotated: 0
| L2L- removed: 0
EOT
check '-c: verbose' -i 'kdb:> `v\n<hal.dll:1230>\nkdb:> `v\n<app.exe:1230>\n' \
	-e 'log2lines: hal.dll: ros/output-i386/hal.dll' log2lines -c <<EOT
kdb:> \`v
| L2L- verbose on
<hal.dll:1230 $note>
kdb:> \`v
| L2L- verbose off
<app.exe:1230 $note>
EOT
check '-c: source lines' -i 'kdb:> `S 1+1\n<hal.dll:1230>\nkdb:> `S 2\n<hal.dll:1230>\nkdb:> `S\n<hal.dll:1230>\n' log2lines -c <<EOT
kdb:> \`S 1+1
| L2L- source lines on
<hal.dll:1230 $note>
| 0164  line 164
| ----
| 0165  line 165
kdb:> \`S 2
| L2L- source lines on
<hal.dll:1230 $note>
| 0163  line 163
| 0164  line 164
| ----
kdb:> \`S
| L2L- source lines off
<hal.dll:1230 $note>
EOT

done_testing
