# SPDX-License-Identifier: GPL-2.0-or-later
#
# Load addresses that a log tells after the addresses that need them: they count if the log is a file.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/logs.sh"

log () {
	rossym-log -d sym "$@"
}
# A pipe is live: nothing waits there.
pipe () {
	cat "$@" | log
}
# log_case NAME: of the log on standard input, with answers where ANSWER NAME and KNOWN NAME are.  A pipe gets only the KNOWN.
log_case () {
	note='(\1.c:1 (\1))'
	cat >case
	sed "s/ANSWER \([a-z0-9]*\)/$note/g; s/KNOWN \([a-z0-9]*\)/$note/g" case >want
	sed "s/ ANSWER [a-z0-9]*//g; s/KNOWN \([a-z0-9]*\)/$note/g" case >live
	sed 's/ ANSWER [a-z0-9]*//g; s/ KNOWN [a-z0-9]*//g' case >file
	check "$1" -O want log file
	check "$1: standard input" -O want -I file log
	check "$1: a pipe does not wait" -O live pipe file
}
from_offset () {
	dd bs=100 count=1 >/dev/null 2>&1
	log
}
# far MEGABYTES: an address, so much text, its base.
far () {
	echo 'Eip: 80401000' >far
	yes "$(printf '%01023d' 0)" | head -n $(($1 * 1024)) >>far
	printf 'Kernel base = 0x80400000\nEip: 80401001\n' >>far
	rossym-log -d sym --format=json far | sed 's/.*"token":\("[^"]*"\).*\("why"\|"function"\):\("[^"]*"\).*/\1 \3/'
}
# crowd COUNT: an address, so many modules, and its base.
crowd () {
	echo 'Eip: 80401000'
	awk -v count="$1" 'BEGIN { for (i = 0; i < count; i++) printf "Loading: m%d.sys at 9%04x000 with 1 pages\n", i, i }'
	echo 'Kernel base = 0x80400000'
}
first_of () {
	log "$1" | sed -n 1p
}

cases 'later'
# Those that a border has passed do not count.
for i in 1 2 3 4 5 6 7 8; do
	echo 'ReactOS 0.4.2 (Build 20160816-r72234)'
	crowd 1000
done >crowd
sed 's/^Eip.*/& (kernel.c:1 (kernel))/' crowd >crowd-want
check 'many in each of eight boots' -O crowd-want log crowd

# ------------------------------------------------------------------------------------------ many of them

# Lines drawn from addresses, load addresses, boots and dumps; a second reading of them, in awk, tells what a file answers.
# Each of the modules a and b can be at four places.
cat >draw.awk <<'END'
function draw(n) { return int(rand() * n) }
# In two parts, since an awk may have integers of 31 bits.
function hex(high) { return sprintf("%x%04x", high + draw(4), 4096 * part) }
function base() { part = 0; return hex(32848) }
function user() { part = 0; return hex(16384) }
BEGIN {
	srand(seed)
	for (i = 0; i < lines; i++) {
		what = draw(20)
		if (what < 8) { part = 1 + draw(2) * 2; print "Eip: " hex(what < 5 ? 32848 : 16384) }
		else if (what < 10) print "Loading: \\SystemRoot\\" substr("ab", draw(2) + 1, 1) ".sys at " base() " with 3 pages"
		else if (what < 12) print "<x> <x:y> (C:\\x\\" substr("ab", draw(2) + 1, 1) ".sys@" user() ")"
		else if (what == 12 && draw(4) == 0) print "ReactOS 0.4.2 (Build 20160816-r72234)"
		else if (what == 13 && draw(2) == 0) print "Unhandled exception"
		else print "text " what
	}
}
END
cat >answer.awk <<'END'
# What a file answers, of what a pipe answers: a line that has no note gets that of the first load address after it that fits,
# if neither a boot nor, for a process, another dump comes between.
function hex(text, number, i) {
	number = 0
	for (i = 1; i <= length(text); i++) number = number * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
	return number
}
{ line[NR] = $0 }
/^Eip/ { address[NR] = hex($2) }
/^Loading/ { module[NR] = substr($2, 13, 1); base[NR] = hex($4) }
/^<x/ { module[NR] = substr($3, 7, 1); base[NR] = hex(substr($3, 13, 8)) }
END {
	for (i = 1; i <= NR; i++) {
		note = ""
		for (j = i + 1; i in address && line[i] !~ /[(]/ && j <= NR && note == ""; j++) {
			if (line[j] ~ /Build/ || (line[j] ~ /Unhandled/ && address[i] < 2147483648)) break
			if (j in base && address[i] - base[j] == 4096) note = " (" module[j] ".c:1 (" module[j] "))"
		}
		print line[i] note
	}
}
END
seed=1
while test $seed -le "${DRAWS-3}"; do
	awk -v seed=$seed -v lines=3000 -f draw.awk >drawn
	pipe drawn >live
	awk -f answer.awk live >want
	ok "log $seed has addresses that wait" sh -c 'test "$(diff live want | grep -c "^>")" -ge 100'
	check "log $seed: a file answers what a pipe answers, and those" -O want log drawn
	seed=$((seed + 1))
done

done_testing
