# SPDX-License-Identifier: GPL-2.0-or-later
#
# Logs in UTF-16 and with a byte order mark: what rossym-log makes of them is what it makes of the same log in UTF-8, converted
# by iconv; and every sequence of bytes comes back.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/logs.sh"

log_modules sym

log () {
	rossym-log -d sym --module=freeldr.sys@10000 "$@"
}
without () {
	log "$1" 2>/dev/null | rossym-log -u
}
pieces () {
	dd bs="$1" if="$2" 2>/dev/null | log --wait=100000 -
}

if has iconv && iconv -f UTF-8 -t UTF-16LE </dev/null 2>/dev/null || skip 'UTF-16' 'no iconv for it'; then
	{
		printf 'Hi h\303\251llo \342\202\254 \360\237\230\200\r\n'
		cat "$SRC/tests/logs/drwtsn32.log" "$SRC/tests/logs/kdbg-i386.log" "$SRC/tests/logs/windbg.log"
		printf '<C:\\\303\251\\ntoskrnl.exe: 89b00>\r\nno newline at the end <ntoskrnl.exe:89b00>'
	} >utf-8
	log utf-8 >want-8 2>/dev/null
	log --format=json - <utf-8 >want-json 2>/dev/null
	# Starting a program takes long under Wine.
	if on_windows; then encodings='UTF-16BE UTF-16LE-mark'; else encodings='UTF-16LE UTF-16BE UTF-16LE-mark UTF-16BE-mark'; fi
	for encoding in $encodings; do
		case $encoding in
		UTF-16LE-mark) mark='\377\376' ;;
		UTF-16BE-mark) mark='\376\377' ;;
		*) mark= ;;
		esac
		convert () { printf "$mark"; iconv -f UTF-8 -t "${encoding%-mark}" "$1"; }
		convert utf-8 >utf-16
		convert want-8 >want
		ok "$encoding: there are answers" test "$(wc -c <utf-16)" -lt "$(wc -c <want)"
		check "$encoding: as in UTF-8" -g '*' -O want log utf-16
		# Live, nothing is known of a load address that comes later.
		cat utf-8 | log - >live-8 2>/dev/null
		convert live-8 >live
		check "$encoding: in pieces of 7 bytes" -g '*' -O live pieces 7 utf-16
		check "$encoding: a second run changes nothing" -g "*" -O want log want
		check "$encoding: -u undoes it" -O utf-16 without utf-16
		check "$encoding: the JSON is UTF-8" -g '*' -O want-json -I utf-16 log --format=json -
		printf x >>utf-16
		printf x >>want
		check "$encoding: an odd byte" -g '*' -O want log utf-16
		check "$encoding: an odd byte, undone" -O utf-16 without utf-16
	done
fi

# A small log, cut at every byte.
printf '\377\376x\0<\0h\0a\0l\0.\0d\0l\0l\0:\0001\0002\0003\0000\0>\0\r\0\n\0\075\330\000\336\n\0\075\330z' >small
log small >small-want 2>/dev/null
ok 'the small log has an answer' test "$(wc -c <small-want)" -gt 80
check 'in pieces of one byte' -O small-want pieces 1 small
check 'undone' -O small without small

# What comes back: all pairs of surrogates in wrong order, every odd end, and bytes that are no encoding at all.
for bytes in '\377\376\0\334\0\330\0\330\0\334\0\334a' '\376\377\334\0\330\0\330\0\334\0' '\377' '\376\377' '\377\376\377' \
	'\357\273\277\357\273' '\0' 'a\0' 'a\0b' 'a\0b\0c' '\0a\0b\0' '\0\0<\0' '\351t\351\r\n\200' '\377\376\0\0a\0\0\0'; do
	printf "$bytes" >bytes
	check "'$bytes' comes back" -O bytes -I bytes rossym-log
done

# Several logs, each in its own encoding; a mark and source lines in that of the log; a byte order mark stays in front.
printf 'x <hal.dll:1230>\n' >plain
printf '\357\273\277<hal.dll:1230>\n' >marked
printf '<\0h\0a\0l\0.\0d\0l\0l\0:\0001\0002\0003\0000\0>\0\n\0' >wide
note='(ntoskrnl/ke/Thread0.c:164 (KeQueryQueueEntry8))'
widen () { printf '%s\n' "$1" | fold -w1 | while IFS= read -r c; do printf '%s\0' "$c"; done; }
mkdir -p root/ntoskrnl/ke
for i in $(seq 170); do echo "if (a < b && c_$i)"; done >root/ntoskrnl/ke/Thread0.c
{
	printf '* | x <hal.dll:1230 %s>\n' "$note"
	printf '\357\273\277* | <hal.dll:1230 %s>\n' "$note"
	widen "* | <hal.dll:1230 $note>" && printf '\n\0'
} >want
check 'several logs' -O want rossym-log -m -d sym plain marked wide
{
	widen "<hal.dll:1230 $note>" && printf '\n\0'
	widen '| 0164  if (a < b && c_164)' && printf '\n\0'
	widen '| ----' && printf '\n\0'
} >want
cases 'encodings'

# A prompt in UTF-16 is printed at once.
live () {
	mkfifo to
	rossym-log <to >from &
	exec 3>to
	printf 'k\0d\0b\0:\0>\0 \0x' >&3
	await eval 'test "$(wc -c <from)" -ge 12' && test "$(wc -c <from)" -eq 12 || return 1
	exec 3>&-
	wait
	test "$(wc -c <from)" -eq 13
}
on_posix ok 'live: a prompt in UTF-16 does not wait' live

done_testing
