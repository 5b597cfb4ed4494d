# SPDX-License-Identifier: GPL-2.0-or-later
#
# What happens to rossym-log when the process that reads an archive fails: libarchive without memory, crashes, kills.

tap_plain=yes # for LD_PRELOAD
. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/logs.sh"

test "${HAVE_LIBARCHIVE:-yes}" = yes || skip_all 'built without libarchive'
. "$SRC/tests/lib/faults.sh"

# The first archive is what fails.  Both have the module of the other one, too, under another name.
mkdir one two
module one/a.sys 1 first
module two/b.sys 2 second
for name in c d e f; do
	cp one/a.sys one/$name.sys
done
(cd one && zip -q ../one.zip ./*.sys)
(cd two && zip -q ../two.zip ./*.sys)
printf '<a.sys:1000> <b.sys:1000>\n' >log
printf '<a.sys:1000 (first.c:1 (first))> <b.sys:1000 (second.c:1 (second))>\n' >both
printf '<a.sys:1000> <b.sys:1000 (second.c:1 (second))>\n' >second
annotate () {
	rossym-log --no-debug-info -d one.zip -d two.zip "$@" log
}
check 'two archives' -O both annotate </dev/null

# ------------------------------------------------------------------------------------------------ crashes

# The first entry is gone to when the archive is listed, the seventh when the module is read: by its own header.
for entry in 1 3; do
	check "a crash while an archive is listed, at entry $entry" -s 1 -O second \
		-e 'rossym-log: one.zip: reading the archive crashed (signal 6)
rossym-log: warning: a.sys: module not found
rossym-log: 1 line looks like a code address of a module that is not there: a.sys (1); see -d' with crash=$entry annotate </dev/null
done
# Each of the first allocations of libarchive fails once, later not all.
starved () {
	n=1
	failed=0
	: >wrong
	while test $n -lt 1500; do
		status=0
		with unpack=$n annotate >said 2>err </dev/null || status=$?
		if test $status -eq 1; then
			failed=$((failed + 1))
			test "$(grep -c '^rossym-log: one\.zip: ' err)" -eq 1 || echo "$n: $(cat err)" >>wrong
			cmp -s said second || cmp -s said both || echo "$n: another output: $(cat said)" >>wrong
		elif test $status -ne 0 || ! cmp -s said both; then
			echo "$n: status $status: $(cat err said)" >>wrong
		fi
		n=$((n < 40 ? n + 1 : n * 4 / 3))
	done
}

cases 'archive'
if test $failed -ne 0 || skip 'libarchive without memory' 'its allocations cannot be made to fail here'; then
	check "libarchive without memory: $failed failures are one message each" cat wrong </dev/null
fi

# ------------------------------------------------------------------------------------------------ no process

# The program forks a process that forks the readers.
check 'the process that forks readers cannot be made' -s 1 -I log \
	-e 'rossym-log: one.zip: cannot start a process to read it: Resource temporarily unavailable
rossym-log: two.zip: cannot start a process to read it: Resource temporarily unavailable
rossym-log: warning: a.sys: there are no images below one.zip and in the other places
rossym-log: warning: b.sys: there are no images below one.zip and in the other places
rossym-log: 1 line looks like a code address of a module that is not there: a.sys (1), b.sys (1); see -d' \
	with fork=1 rossym-log --no-debug-info -d one.zip -d two.zip <log
check 'one reader cannot be made' -s 1 -O second -e 'rossym-log: one.zip: cannot start a process to read it: Resource temporarily unavailable
rossym-log: warning: a.sys: module not found
rossym-log: 1 line looks like a code address of a module that is not there: a.sys (1); see -d' with fork=2 annotate </dev/null

done_testing
