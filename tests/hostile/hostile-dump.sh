# SPDX-License-Identifier: GPL-2.0-or-later
#
# What happens to rossym-log when the process that reads a crash dump fails: it crashes, is killed, or cannot be started.

tap_plain=yes # for LD_PRELOAD
. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/faults.sh"

mkdump=$tap_build/tests/tools/mkdump
test -x "$mkdump" || skip_all 'tests/tools/mkdump runs on another system'

"$mkdump" x86 x.dmp
rossym-log -u x.dmp >whole
echo 'a log' >a.log
ok 'the report' grep -q '^Thread 1' whole

# Nothing of its report appears, and the next log goes on.  The first read tells that it is a dump.
for read in 2 9 20; do
	check "a crash at read $read" -s 1 -O a.log -e 'rossym-log: x.dmp: reading the dump crashed (signal 6)' \
		with dump-crash=$read rossym-log -u x.dmp a.log
done
check 'a reader that is killed' -s 1 -O a.log -e 'rossym-log: x.dmp: reading the dump crashed (signal 9)' \
	with dump-kill=9 rossym-log -u x.dmp a.log
check 'the next dump has a reader of its own' -s 1 -O whole -e 'rossym-log: x.dmp: reading the dump crashed (signal 6)' \
	with dump-crash=9 rossym-log -u x.dmp x.dmp
for fork in 1 2; do
	check "no process: fork $fork" -s 1 -O a.log -e 'rossym-log: x.dmp: cannot start a process to read it: Resource temporarily unavailable' \
		with fork=$fork rossym-log -u x.dmp a.log
done
# Whether it ends before or after it is asked decides which message comes.
check 'the process that forks readers ends' -s 1 -O a.log -g 'rossym-log: x.dmp: *' \
	with pipe=1 rossym-log -u x.dmp a.log

done_testing
