# SPDX-License-Identifier: GPL-2.0-or-later
#
# Logs that nobody wrote.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/logs.sh"

log_modules sym

# A sanitizer needs the address space, and 30 times as long for each byte; how much time is taken is no question for it.
case ${CFLAGS-} in
*sanitize*) sanitized=yes part=10 ;;
*) sanitized=no part=1 ;;
esac

# Mutants, many of them in one log.  Without modules the output is the input.  With them a second run changes nothing, and -u
# leaves what it leaves of the input: where that has no annotations, all of it.
mutants=${MUTATIONS:-400}
mutants=$((mutants / 40))
identical () {
	seed=1
	while test $seed -le $mutants; do
		last=$((seed + 24 < mutants ? seed + 24 : mutants))
		"$MUTATE_LOG" --print $seed $last "$1" >log || { echo 'no mutants'; return 1; }
		rossym-log log 2>/dev/null | cmp - log && rossym-log -u log >bare && rossym-log -s -d sym log >output 2>errors &&
			rossym-log -u output | cmp - bare && rossym-log -d sym output 2>/dev/null | cmp - output &&
			rossym-log -mMUC -S1 --source-root=. -d sym log >/dev/null 2>&1 &&
			rossym-log --format=json -d sym log >/dev/null 2>&1 ||
			{ echo "seeds $seed-$last"; cat errors; return 1; }
		seed=$((last + 1))
	done
}
for file in "$SRC"/tests/logs/*.log; do
	# Not so many logs where it takes long to start a program.
	case ${file##*/} in
	[!b-f]*) on_windows && continue ;;
	esac
	ok "${file##*/}: $mutants mutants" identical "$file"
done

# Lines of every length, with a token at their beginning and at their end.
long () {
	awk -v n="$1" 'function fill(text) { while (2 * length(text) <= n) text = text text; return text substr(text, 1, n - length(text)) }
		BEGIN { printf "%s <hal.dll:1230> %s <hal.dll:1230>\n", fill("."), fill("x") }'
}
# Each of a line of 20,000 addresses gets its annotation, in all encodings; with them, the line has more bytes than one without may have.
repeated () {
	TOKEN=$1 FIRST=$2 LAST=$3 awk 'BEGIN { printf "%s", ENVIRON["FIRST"]
		for (i = 0; i < 20000; i++) printf "%s", ENVIRON["TOKEN"]; print ENVIRON["LAST"] }'
}
each () {
	repeated "$@" >line
	rossym-log -M -d sym line >noted
	test "$(grep -o 'KeQueryQueueEntry8' noted | wc -l)" -eq 20000 && test "$(wc -c <noted)" -gt 1200000 || { echo 'not all of them'; return 1; }
	rossym-log -u noted | cmp - line && rossym-log -M -d sym <line | cmp - noted && rossym-log -M -d sym noted | cmp - noted
}
ok 'long lines: angle brackets' each '<hal.dll:1230>' 'Frames:' ''
ok 'long lines: JSON' each '\u003chal.dll:1230\u003e\n' '{"log":"' '"}'
ok 'long lines: HTML' each '&lt;hal.dll:1230&gt; ' '' ''
ok 'long lines: a plus sign' each 'hal.dll+1230 ' '' ''
ok 'long lines: addresses' each 'EIP: f8001230 ' "$(printf 'DriverBase for %shal.dll: f8000000\n.' '\')" ''
# A line that is too long is copied, and what comes after it is read.
too_long () {
	{ long "$1" && echo '<hal.dll:1230>' && long 800000; } >line
	rossym-log -d sym "$2" line >noted && sed '2s/ (.*))//' noted | cmp - line && sed -n 2p noted
}
long="rossym-log: warning: line:1: a line of more than 1 MiB is copied as it is, and so is each that follows"
for n in 524288 10000000; do
	check "a line that is too long, $n" -e "$long" too_long $n --wait=0 <<-'EOT'
		<hal.dll:1230 (ntoskrnl/ke/Thread0.c:164 (KeQueryQueueEntry8))>
	EOT
done

cases '... in a pipe'

# Memory: hundreds of thousands of lines, each of which names another module or base.  Of each pair 800 bytes cannot be kept.  With too
# little memory the output ends early.
bounded () {
	pairs=$(amount 400000 150000)
	awk -v n="$pairs" 'BEGIN { for (i = 0; i < n; i++) printf "<m%d.sys:%x>\nLoading: \\x%d.sys at %08x with 1 pages\n", i, i, i, i * 4096 }' |
	(
		test $sanitized = yes || ulimit -v "$(amount 400000 160000)"
		rossym-log -d sym 2>errors | tail -n 1
	) >last
	grep -q "^Loading: .x$((pairs - 1)).sys at " last && test "$(wc -l <errors)" -lt 10000
}
on_posix ok 'memory does not grow with the log' bounded

# More bases than are kept, a page apart: in the end an address is the last module's, and not that of the module before it.
cases 'hostile'

done_testing
