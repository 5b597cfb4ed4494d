# SPDX-License-Identifier: GPL-2.0-or-later
#
# rossym-log --crashes: the blocks, made after the logs of ReactOS, Windows, Wine and others.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/logs.sh"

printf '%b' \
	'1000\t16\tKeBugCheckWithTf\tke/bug.c\t7\t0\n' \
	'1010\t16\tinner\ti.h\t3\t0\n1010\t16\touter\to.c\t20\t1\n' \
	'1020\t16\tmain\tm.c\t30\t0\n1030\t16\tlast\tm.c\t40\t0\n' >rows
build_x
cp sym/x.sys sym/ntdll.dll

crashes () {
	rossym-log -d sym --crashes "$@"
}

# ------------------------------------------------------------------------------------------------ ReactOS

banner 1 >ros.log
cat >>ros.log <<'EOT'
*** STOP: 0x0000000A (0x00000004,0x00000002,0x00000000,0x80401013)

***        x.sys - Address 80401013 base at 80400000, DateStamp 00000000

*** Fatal System Error: 0x0000000a
                       (0x00000004,0x00000002,0x00000000,0x80401013)

Entered debugger on embedded INT3 at 0x0008:0x80401001.
kdb:> bt
Eip:
<x.sys:1001>
(ntoskrnl/io/iomgr/irp.c:12) a line of another thread
Frames:
<x.sys:1013>
<x.sys:1024 (old.c:1 (noted))>
<no.sys:1234>
<5d8950ec>
Couldn't access memory at 0x83E58959!
kdb:> bt
Eip:
<x.sys:1031>
kdb:> x 0x80401030
<x.sys:1030>: 90909090 90909090
EOT
{ cat ros.log && sed 's/0x00000004,/0x00000008,/' ros.log; } >twice.log
no_sys='rossym-log: warning: no.sys: module not found'
cat >ros.want <<EOT
Crash 1 of 1, 2 times: bugcheck 0x0000000A IRQL_NOT_LESS_OR_EQUAL
  Where:      twice.log, line 2, boot 1 of 2
              twice.log, line 26, boot 2 of 2
  Build:      $(banner 1)
  Parameters: 0x00000004  the memory that was accessed
              0x00000002  IRQL
              0x00000000  0: read, 1: write, 8: execute
              0x80401013  the instruction that accessed it
  Module:     x.sys
  Place:      exact   inner (i.h:3) in x.sys
                        inlined by outer (o.c:20)
  Stack:
     0  exact   KeBugCheckWithTf (ke/bug.c:7) in x.sys
     1  exact   inner (i.h:3) in x.sys
                  inlined by outer (o.c:20)
     2  exact   noted (old.c:1) in x.sys
     3  exact   no.sys+0x1234
     4  return  0x5d8950ec
EOT
cases 'a bugcheck in each of two boots'

if test -x "$tap_build/tests/tools/mkdump"; then
	"$tap_build/tests/tools/mkdump" arm64 arm64.dmp
	check 'a dump' -g 'rossym-log: warning: app.exe: *' crashes arm64.dmp <<-'EOT'
		Crash 1 of 1: exception 0xC0000005 EXCEPTION_ACCESS_VIOLATION
		  Where:      arm64.dmp, line 8
		  Detail:     Written to: 0x1234
		  Module:     app.exe
		  Process:    0x42
		  Symbols:    app.exe: none, app.exe was not found
		  Stack:
		     0  exact   app.exe+0x1010
	EOT
else
	skip 'a dump' 'tests/tools/mkdump runs on another system'
fi

# ------------------------------------------------------------------------------------------------ several logs

printf '*** Fatal System Error: 0x0000000a\n<x.sys:1001>\n<x.sys:1013>\n<x.sys:1024>\n<x.sys:1030>\n' >a.log
printf '*** Fatal System Error: 0x0000000a\n<x.sys:1001>\n<x.sys:1013>\n<x.sys:1024>\n<x.sys:1030>\n<x.sys:1024>\n' >b.log
printf '*** Fatal System Error: 0x000000ef\n<x.sys:1030>\nnothing\n' >c.log
echo 'nothing' >d.log
check 'a table of several logs' crashes c.log a.log b.log d.log a.log <<'EOT'
Count  Crash
    3  bugcheck 0x0000000A IRQL_NOT_LESS_OR_EQUAL: x.sys!inner, x.sys!main, x.sys!last (blocks 2, 3)
    1  bugcheck 0x000000EF CRITICAL_PROCESS_DIED: x.sys!last (block 1)

Crash 1 of 3: bugcheck 0x000000EF CRITICAL_PROCESS_DIED
  Where:      c.log, line 1
  Stack:
     0  open    last (m.c:40) in x.sys

Crash 2 of 3, 2 times: bugcheck 0x0000000A IRQL_NOT_LESS_OR_EQUAL
  Where:      a.log, line 1
              a.log, line 1
  Stack:
     0  open    KeBugCheckWithTf (ke/bug.c:7) in x.sys
     1  open    inner (i.h:3) in x.sys
                  inlined by outer (o.c:20)
     2  open    main (m.c:30) in x.sys
     3  open    last (m.c:40) in x.sys

Crash 3 of 3: bugcheck 0x0000000A IRQL_NOT_LESS_OR_EQUAL
  Where:      b.log, line 1
  Stack:
     0  open    KeBugCheckWithTf (ke/bug.c:7) in x.sys
     1  open    inner (i.h:3) in x.sys
                  inlined by outer (o.c:20)
     2  open    main (m.c:30) in x.sys
     3  open    last (m.c:40) in x.sys
     4  open    main (m.c:30) in x.sys
EOT

for n in 1 2 1; do
	banner $n
	cat c.log
done >builds.log
check 'a crash of another build is another crash' crashes builds.log <<EOT
Crash 1 of 2, 2 times: bugcheck 0x000000EF CRITICAL_PROCESS_DIED
  Where:      builds.log, line 2, boot 1 of 3
              builds.log, line 10, boot 3 of 3
  Build:      $(banner 1)
  Stack:
     0  open    last (m.c:40) in x.sys

Crash 2 of 2: bugcheck 0x000000EF CRITICAL_PROCESS_DIED
  Where:      builds.log, line 6, boot 2 of 3
  Build:      $(banner 2)
  Stack:
     0  open    last (m.c:40) in x.sys
EOT

# ------------------------------------------------------------------------------------------------ forms

printf '*** Assertion failed: ```a\033]0;b\007c\n<x.sys:1013>\n' >fence.log
check 'Markdown, and text that could end its block' rossym-log -d sym --crashes=markdown fence.log <<'EOT'
````text
Crash 1 of 1: assertion ```ac
  Where:      fence.log, line 1
  Stack:
     0  open    inner (i.h:3) in x.sys
                  inlined by outer (o.c:20)
````
EOT
cat >json.want <<EOT
{"crash":1,"count":2,"places":[{"log":"twice.log","line":2,"boot":1,"boots":2},{"log":"twice.log","line":26,"boot":2,"boots":2}],"kind":"bugcheck","code":"0xa","name":"IRQL_NOT_LESS_OR_EQUAL","build":"$(banner 1)","module":"x.sys","parameters":[{"value":"0x4","meaning":"the memory that was accessed"},{"value":"0x2","meaning":"IRQL"},{"value":"0x0","meaning":"0: read, 1: write, 8: execute"},{"value":"0x80401013","meaning":"the instruction that accessed it"}],"place":{"line":2,"module":"x.sys","rva":"0x1013","return_address":false,"frames":[{"line":3,"file":"i.h","function":"inner","url":"https://h/i.h#3"},{"line":20,"file":"o.c","function":"outer","url":"https://h/o.c#20"}]},"stack":[{"line":12,"module":"x.sys","rva":"0x1001","return_address":false,"frames":[{"line":7,"file":"ke/bug.c","function":"KeBugCheckWithTf","url":"https://h/ke/bug.c#7"}]},{"line":15,"module":"x.sys","rva":"0x1013","return_address":false,"frames":[{"line":3,"file":"i.h","function":"inner","url":"https://h/i.h#3"},{"line":20,"file":"o.c","function":"outer","url":"https://h/o.c#20"}]},{"line":16,"module":"x.sys","rva":"0x1024","return_address":false,"frames":[{"line":1,"file":"old.c","function":"noted"}]},{"line":17,"module":"no.sys","rva":"0x1234","return_address":false,"frames":[]},{"line":18,"module":null,"address":"0x5d8950ec","return_address":true,"frames":[]}]}
EOT
check 'JSON' -e "$no_sys
rossym-log: 2 lines look like code addresses of modules that are not there: no.sys (2); see -d" -O json.want crashes --format=json '--source-url=https://h/%f#%l' twice.log
cat >crashes.py <<'EOT'
import json, sys
for line in sys.stdin:
    crash = json.loads(line)
    print(crash["crash"], crash["kind"], *[crash.get(key) for key in ("code", "text", "source", "detail", "process")],
          [[call["function"] for call in frame["frames"]] for frame in crash["stack"]])
EOT
if has python3; then
	crashes --format=json user.log other.log fence.log >json.out
	check 'JSON of exceptions, assertions and stacks, as Python reads it' -I json.out python3 crashes.py <<-'EOT'
		1 exception 0xc0000005 None None Faulting Address: 00000010 None [['inner', 'outer'], ['inner', 'outer'], ['last']]
		2 exception 0xc0000094 None None None app.exe []
		3 assertion None Irp != NULL ke/irp.c, line 12 None None [['KeBugCheckWithTf'], ['main']]
		4 exception 0xc0000005 Page Fault None Memory at 0x00000008 could not be accessed None [['inner', 'outer'], ['main']]
		5 stack None None None None None [['KeBugCheckWithTf'], ['main']]
		6 exception None 0E: Page Fault None None None [[], []]
		7 exception None Double Fault Exception: 8(0) None None None [['inner', 'outer'], ['last']]
		8 assertion None ```ac None None None [['inner', 'outer']]
	EOT
else
	skip 'JSON of exceptions, assertions and stacks, as Python reads it' 'no python3'
fi
printf '2026-11-02 10:00:01 \033[7m*** Fatal System Error: 0x0000007f\033[0m\r\n2026-11-02 10:00:02                        (0x0000000D,0x00000001,0x00000002,0x00000003)\r\n2026-11-02 10:00:03 &lt;x.sys:1013&gt;\r\n' >front.log
check 'time stamps, escape sequences, HTML' crashes --no-inlines front.log <<'EOT'
Crash 1 of 1: bugcheck 0x0000007F UNEXPECTED_KERNEL_MODE_TRAP
  Where:      front.log, line 1
  Parameters: 0x0000000D  the processor's trap
              0x00000001
              0x00000002
              0x00000003
  Stack:
     0  open    inner (i.h:3) in x.sys
EOT
{ banner 2; cat a.log; } >other-build.log
mkdir tree && build_tree tree 1 && mkdir tree/sym && cp sym/x.sys tree/sym
sed 's/x.sys:10.*>/a.sys:1000>/' other-build.log >of-a.log
check 'an answer from another build is marked' \
	-e "rossym-log: warning: the log is of $(banner 2), but tree/drivers/a.sys is of $(banner 1): answers from another build are marked, and may be wrong" \
	rossym-log -d tree --crashes of-a.log <<EOT
Crash 1 of 1: bugcheck 0x0000000A IRQL_NOT_LESS_OR_EQUAL
  Where:      of-a.log, line 2, boot 1 of 1
  Build:      $(banner 2)
  Stack:
     0  open    driver1 (driver1.c:1) in a.sys - other build
     1  open    driver1 (driver1.c:1) in a.sys - other build
     2  open    driver1 (driver1.c:1) in a.sys - other build
     3  open    driver1 (driver1.c:1) in a.sys - other build
EOT

# ------------------------------------------------------------------------------------------------ a page

page () {
	rossym-log -d sym --format=html "$@" >page.html
	page_status=$?
	sed -n "/$page_part/p" page.html
	return $page_status
}
cases 'the blocks of a page, with links to the lines'
if witness tidy; then
	rossym-log -d sym --format=html twice.log user.log windows.log foreign.log >page.html 2>/dev/null
	check 'tidy finds nothing in a page of four logs' tidy -quiet -errors page.html
else
	no_witness 'tidy finds nothing in a page of four logs' 'no tidy'
fi

# ------------------------------------------------------------------------------------------------ limits, errors

cases 'no crash'
for options in '--crashes --format=html' '--crashes=markdown --format=json'; do
	check "$options" -s 1 -e 'rossym-log: --crashes wants --output-style=text or json' rossym-log $options a.log
done
linear () {
	for words in 'Kill ' 'Entered debugger on '; do
		awk -v words="$words" -v n="$(amount 100000 50000)" 'BEGIN { for (i = 0; i < n; i++) printf "%s", words }' >words.log
		(ulimit -St "$(amount 8 4)" && crashes words.log >/dev/null) || { echo "$words"; return 1; }
	done
}

cases 'the name cannot be abbreviated'

done_testing
