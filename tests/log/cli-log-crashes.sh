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
check 'a bugcheck in each of two boots' -e "$no_sys
rossym-log: 2 lines look like code addresses of modules that are not there: no.sys (2); see -d" -O ros.want crashes twice.log
sed -e 's/, 2 times//; /line 26/d; s/twice.log, //; s/of 2/of 1/' -e 's/noted (old.c:1)/main (m.c:30)/' ros.want >redo.want
check 'standard input; -U looks up what has an annotation' -e "$no_sys
rossym-log: 1 line looks like a code address of a module that is not there: no.sys (1); see -d" -O redo.want -I ros.log crashes -U

sed 's/(old.c:1 (noted))/(old.c:1[2] (noted[f]))/' ros.log >both.log
sed -e 's/, 2 times//; /line 26/d; s/twice.log, //; s/of 2/of 1/' -e 's/noted (old.c:1)/noted[f] (old.c:1)/' ros.want >both.want
check 'an annotation of log2lines -t' -e "$no_sys
rossym-log: 1 line looks like a code address of a module that is not there: no.sys (1); see -d" -O both.want -I both.log crashes

cat >user.log <<'EOT'
Process: winlogon.exe has been started, pid 0x34
Unhandled exception
ExceptionCode:    c0000005
Faulting Address: 00000010
CS:EIP 1b:7c921013
EAX: 00000000   EBX: 7ffdf000   ECX: 00000001
Address:
<ntdll.dll:1013> (C:\ReactOS\system32\ntdll.dll@7c920000)
Frames:
<ntdll.dll:1020> (C:\ReactOS\system32\ntdll.dll@7c920000)
<ntdll.dll:1031> (C:\ReactOS\system32\ntdll.dll@7c920000)

(ntoskrnl/ke/i386/exp.c:123) Kill app.exe, ExceptionCode: c0000094, ExceptionAddress: 7c921031, BaseAddress: 00400000, P0: 0, P1: 8

*** Assertion failed: Irp != NULL
***   Source File: ke/irp.c, line 12

Break repeatedly, break Once, Ignore, terminate Process or terminate Thread (boipt)? o
Entered debugger on embedded INT3 at 0x0008:0x80401001.
Eip:
<x.sys:1001>
Frames:
<x.sys:1024>
kdb:> cont
Entered debugger on last-chance exception (Exception Code: 0xc0000005) (Page Fault)
Memory at 0x00000008 could not be accessed
Frames:
[FFFFF88003CFB490] <x.sys:1013>
[FFFFF88003CFB4C0] <x.sys:1030>
Couldn't get next frame
EOT
check 'exceptions and an assertion of ReactOS' crashes user.log <<'EOT'
Crash 1 of 4: exception 0xC0000005 EXCEPTION_ACCESS_VIOLATION
  Where:      user.log, line 2
  Detail:     Faulting Address: 00000010
  Module:     ntdll.dll
  Stack:
     0  exact   inner (i.h:3) in ntdll.dll
                  inlined by outer (o.c:20)
     1  return  inner (i.h:3) in ntdll.dll
                  inlined by outer (o.c:20)
     2  return  last (m.c:40) in ntdll.dll

Crash 2 of 4: exception 0xC0000094 EXCEPTION_INT_DIVIDE_BY_ZERO
  Where:      user.log, line 13
  Process:    app.exe
  Place:      exact   0x7c921031

Crash 3 of 4: assertion Irp != NULL
  Where:      user.log, line 15
  Source:     ke/irp.c, line 12
  Stack:
     0  exact   KeBugCheckWithTf (ke/bug.c:7) in x.sys
     1  exact   main (m.c:30) in x.sys

Crash 4 of 4: exception 0xC0000005 EXCEPTION_ACCESS_VIOLATION, Page Fault
  Where:      user.log, line 25
  Detail:     Memory at 0x00000008 could not be accessed
  Module:     x.sys
  Stack:
     0  exact   inner (i.h:3) in x.sys
                  inlined by outer (o.c:20)
     1  return  main (m.c:30) in x.sys
EOT

# KDBG on amd64 prints no "Eip:".  "Frames:" with other text after it is nothing, and neither is one without rows.
cat >amd64.log <<'EOT'
kdb:> bt
Frames:
[FFFFF88003CFB490] <x.sys:1013>
[FFFFF88003CFB4B0] <x.sys:1024>
Couldn't get next frame
Frames: 60 per second
Frames:
EOT
check 'a stack of KDBG on amd64' crashes amd64.log <<'EOT'
Crash 1 of 1: a stack without its beginning
  Where:      amd64.log, line 2
  Stack:
     0  exact   inner (i.h:3) in x.sys
                  inlined by outer (o.c:20)
     1  return  main (m.c:30) in x.sys
EOT

cat >other.log <<'EOT'
Eip:
<x.sys:1001>
Frames:
<x.sys:1024>
0x0e: Exception 0E: Page Fault

EAX: 00000000   EBX: 00000001   ECX: 0001f230   EDX: 00000000
 CS: 0008            EIP: 00011230
Frames:
00011234  00012340
Double Fault Exception: 8(0)
CS:EIP 8:804bca31 <x.sys: 1013>
Frames: <x.sys: 1020> <x.sys: 1031> <INVALID>
EOT
check 'a pasted stack, FreeLoader, an old ReactOS' crashes --exact other.log <<'EOT'
Crash 1 of 3: a stack without its beginning
  Where:      other.log, line 1
  Stack:
     0  exact   KeBugCheckWithTf (ke/bug.c:7) in x.sys
     1  exact   main (m.c:30) in x.sys

Crash 2 of 3: exception 0E: Page Fault
  Where:      other.log, line 5
  Place:      exact   0x11230
  Stack:
     0  exact   0x11234
     1  exact   0x12340

Crash 3 of 3: exception Double Fault Exception: 8(0)
  Where:      other.log, line 11
  Place:      exact   0x804bca31
  Stack:
     0  exact   main (m.c:30) in x.sys
     1  exact   last (m.c:40) in x.sys
EOT

# ------------------------------------------------------------------------------------------------ others

cat >windows.log <<'EOT'
ModLoad: fd890000 fd8a0000   x.sys
BugCheck 1000008E, {c0000005, fd891013, f793e0fc, 0}

Probably caused by : x.sys ( x+1013 )

KERNEL_MODE_EXCEPTION_NOT_HANDLED_M (1000008e)
Arguments:
Arg1: c0000005, The exception code that was not handled
Arg2: fd891013, The address that the exception occurred at
Arg3: f793e0fc, Trap Frame
Arg4: 00000000
PROCESS_NAME:  app.exe
FAULTING_IP:
x+1013
fd891013 8b6e28          mov     ebp,dword ptr [esi+28h]
STACK_TEXT:
f793e190 80545357 00000000 00000000 00000000 x+0x1013
f793e1a0 80545399 00000000 00000000 00000000 nt!IopfCallDriver+0x31
f793e1b0 00000000 00000000 00000000 00000000 x+0x1030
FOLLOWUP_IP:
x+1013
fd891013 8b6e28          mov     ebp,dword ptr [esi+28h]
The bugcheck was: 0x0000007f (0x00000008, 0x00000002, 0x00000000, 0x80889b00).
(1a2c.3f4): Access violation - code c0000005 (!!! second chance !!!)
0:000> k
 # Child-SP          RetAddr               Call Site
00 ffff8887`7d00dc50 fffff806`418190ac     app!main+0xee [c:\app\main.c @ 132] 
01 ffff8887`7d00e1b0 00000000`00000000     x+0x1031
EOT
check 'WinDbg and the event log' crashes windows.log <<'EOT'
Crash 1 of 3: bugcheck 0x1000008E KERNEL_MODE_EXCEPTION_NOT_HANDLED
  Where:      windows.log, line 2
  Parameters: 0xC0000005  the exception code, EXCEPTION_ACCESS_VIOLATION
              0xFD891013  where the exception occurred
              0xF793E0FC  trap frame
              0x00000000
  Module:     x.sys
  Process:    app.exe
  Stack:
     0  exact   inner (i.h:3) in x
                  inlined by outer (o.c:20)
     1  return  nt!IopfCallDriver+0x31
     2  return  main (m.c:30) in x

Crash 2 of 3: bugcheck 0x0000007F UNEXPECTED_KERNEL_MODE_TRAP
  Where:      windows.log, line 23
  Parameters: 0x00000008  the processor's trap
              0x00000002
              0x00000000
              0x80889B00

Crash 3 of 3: exception 0xC0000005 EXCEPTION_ACCESS_VIOLATION, Access violation
  Where:      windows.log, line 24
  Stack:
     0  exact   app!main+0xee (c:\app\main.c:132)
     1  return  last (m.c:40) in x
EOT

cat >foreign.log <<'EOT'
wine: Unhandled page fault on read access to 00000250 at address 7C921013 (thread 0024), starting debugger...
Unhandled exception: page fault on read access to 0x00000250 in 32-bit code (0x7c921013).
Backtrace:
=>0 0x7c921013 in ntdll (+0x1013) (0x0033fed8)
  1 0x7c921031 in ntdll (+0x1030) (0x0033ffd8)
  2 0xf7b4a123 __libc_start_main+0xf3() in libc.so.6 (0x0033fffc)
0x7c921013: movl	0x250(%eax),%edx
Modules:
PE	7c920000-7c930000	Deferred        ntdll
Unhandled exception: page fault on read access to 0x82cd9360 in wow64 32-bit code (0x82cd9360).
Backtrace:
=>0 0x82cd9360 (0x0080f2c8)
  1 0x004c5444 in civ2 (+0xc5444) (0x0080f2ec)
  2 0x7c921031 in ntdll (+0x1031) (0x0080ff5c)
Modules:
Process: 0x42
Exception: EXCEPTION_ACCESS_VIOLATION (0xc0000005)
Written to: 0x1234

Thread 0 (crashed), id 0x20
 0  ntdll.dll + 0x1013
    eip = 0x7c921013  esp = 0x0000000b  ebp = 0x00000007
 1  ntdll.dll + 0x1031
    unwound, proved

Thread 1, id 0x21
 0  ntdll.dll + 0x1001
Faulting application name: app.exe, version: 1.0.0.0, time stamp: 0x5db90008
Faulting module name: ntdll.dll, version: 6.1.7601.18229, time stamp: 0x00000000
Exception code: 0xc0000409
Fault offset: 0x00001013
EOT
check 'Wine, a dump, an event' crashes foreign.log <<'EOT'
Crash 1 of 4: exception page fault on read access to 00000250 at address 7C921013
  Where:      foreign.log, line 1
  Module:     ntdll
  Stack:
     0  exact   inner (i.h:3) in ntdll
                  inlined by outer (o.c:20)
     1  exact   last (m.c:40) in ntdll
     2  return  __libc_start_main+0xf3() in libc.so.6 (0x0033fffc)

Crash 2 of 4: exception page fault on read access to 0x82cd9360
  Where:      foreign.log, line 10
  Stack:
     0  exact   0x82cd9360
     1  return  in civ2 (+0xc5444) (0x0080f2ec)
     2  return  last (m.c:40) in ntdll

Crash 3 of 4: exception 0xC0000005 EXCEPTION_ACCESS_VIOLATION
  Where:      foreign.log, line 17
  Detail:     Written to: 0x1234
  Module:     ntdll.dll
  Process:    0x42
  Stack:
     0  exact   inner (i.h:3) in ntdll.dll
                  inlined by outer (o.c:20)
     1  return  last (m.c:40) in ntdll.dll

Crash 4 of 4: exception 0xC0000409 STATUS_STACK_BUFFER_OVERRUN
  Where:      foreign.log, line 28
  Module:     ntdll.dll
  Process:    app.exe
  Place:      exact   inner (i.h:3) in ntdll.dll
                        inlined by outer (o.c:20)
EOT

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
page_part='^<section id="crashes">/,/^<\/section>'
sed 1d user.log | head -n 12 >short.log
cases 'the blocks of a page, with links to the lines'
page_part='^<caption>By code/,/^<\/table>'
check 'the table of several logs' page a.log b.log c.log <<'EOT'
<caption>By code and first frames</caption>
<thead><tr><th scope="col">Crash</th><th scope="col">Count</th><th scope="col">Blocks</th></tr></thead>
<tbody>
<tr><th scope="row">bugcheck 0x0000000A IRQL_NOT_LESS_OR_EQUAL: x.sys!inner, x.sys!main, x.sys!last</th><td data-head="Count">2</td><td data-head="Blocks"><a href="#crash1">1</a> <a href="#crash2">2</a></td></tr>
<tr><th scope="row">bugcheck 0x000000EF CRITICAL_PROCESS_DIED: x.sys!last</th><td data-head="Count">1</td><td data-head="Blocks"><a href="#crash3">3</a></td></tr>
</tbody>
</table>
EOT
check '... whose lines have numbers of their own' grep -c '<a id="2-[1-6]" href="#2-[1-6]" tabindex="-1"></a>' page.html <<'EOT'
6
EOT
if witness tidy; then
	rossym-log -d sym --format=html twice.log user.log windows.log foreign.log >page.html 2>/dev/null
	check 'tidy finds nothing in a page of four logs' tidy -quiet -errors page.html
else
	no_witness 'tidy finds nothing in a page of four logs' 'no tidy'
fi

# ------------------------------------------------------------------------------------------------ limits, errors

check 'no crash' -e 'rossym-log: no crash found' crashes d.log
check '... -q' crashes -q d.log
cat >one.want <<'EOT'
Crash 1 of 1: bugcheck 0x0000000A IRQL_NOT_LESS_OR_EQUAL
  Where:      a.log, line 1
  Stack:
     0  open    KeBugCheckWithTf (ke/bug.c:7) in x.sys
     1  open    inner (i.h:3) in x.sys
                  inlined by outer (o.c:20)
     2  open    main (m.c:30) in x.sys
     3  open    last (m.c:40) in x.sys
EOT
check 'a log that is not there' -s 1 -O one.want -e 'rossym-log: none.log: No such file or directory' crashes none.log a.log
check 'another form' -s 1 -e "rossym-log: --crashes: 'html' is not text or markdown" rossym-log --crashes=html a.log
check 'an address in place of a log' -s 1 -e 'rossym-log: --crashes wants a log, not addresses' crashes sym/x.sys 1013
for options in '--crashes --format=html' '--crashes=markdown --format=json'; do
	check "$options" -s 1 -e 'rossym-log: --crashes wants --output-style=text or json' rossym-log $options a.log
done
check 'the name cannot be abbreviated' -s 1 -g "rossym-log: unrecognized option '--crash'*" rossym-log --crash a.log

linear () {
	for words in 'Kill ' 'Entered debugger on '; do
		awk -v words="$words" -v n="$(amount 100000 50000)" 'BEGIN { for (i = 0; i < n; i++) printf "%s", words }' >words.log
		(ulimit -St "$(amount 8 4)" && crashes words.log >/dev/null) || { echo "$words"; return 1; }
	done
}
ok 'lines with very many words that could begin a crash' linear
awk 'BEGIN { for (i = 1; i <= 1030; i++) printf "*** Fatal System Error: 0x%08x\n<x.sys:1013>\n", i }' >many.log
crashes many.log >many 2>many.err
ok 'the status with more crashes than are kept' test $? = 0
check '... which are 1024' grep -c '^Crash' many <<'EOT'
1024
EOT
check '... with a warning' cat many.err <<'EOT'
rossym-log: warning: 6 more crashes are not shown
EOT
{ head -n 1 a.log; awk 'BEGIN { for (i = 0; i < 1000; i++) print "<x.sys:1013>" }'; } >deep.log
crashes --no-inlines deep.log >deep
check 'a stack with more frames than are kept' tail -n 2 deep <<'EOT'
   127  open    inner (i.h:3) in x.sys
          (the log may have more frames)
EOT

done_testing
