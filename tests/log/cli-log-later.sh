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
cases 'many in each of eight boots'
while test $seed -le "${DRAWS-3}"; do
	awk -v seed=$seed -v lines=3000 -f draw.awk >drawn
	pipe drawn >live
	awk -f answer.awk live >want
	ok "log $seed has addresses that wait" sh -c 'test "$(diff live want | grep -c "^>")" -ge 100'
	check "log $seed: a file answers what a pipe answers, and those" -O want log drawn
	seed=$((seed + 1))
done

done_testing
