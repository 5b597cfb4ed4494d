# SPDX-License-Identifier: GPL-2.0-or-later
#
# Load addresses that a log tells after the addresses that need them: they count if the log is a file.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/logs.sh"

mkdir sym two
module sym/ntoskrnl.exe 0x11 kernel 0x1ff000
module sym/hal.dll 0x12 hal
module sym/a.sys 0x13 a
module sym/b.sys 0x14 b
module sym/kernel32.dll 0x15 kernel32 0xfe000
module two/ntoskrnl.exe 0x21 other 0x2ff000

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

# ---------------------------------------------------------------------------------------------- what waits

log_case 'an entry of the debugger, before the table of modules' <<'END'
Entered debugger on embedded INT3 at 0x0008:0x80401000 ANSWER kernel.
kdb:> mod
  Base      Size      Name
  80400000  00200000  ntoskrnl.exe
  80f00000  00003000  hal.dll
END
cat >hidden <<'END'
DriverBase for \SystemRoot\system32\drivers\missing.sys: 80300000
Entered debugger on embedded INT3 at 0x0008:0x80401000.
kdb:> mod
  Base      Size      Name
  80400000  00200000  ntoskrnl.exe
END
sed 's/80401000/& (kernel.c:1 (kernel))/' hidden >want
check 'a module without image and length hides no other' -O want log hidden
log_case 'the dump of a process, whose frames tell where the module is' <<'END'
Unhandled exception
ExceptionCode:    c0000005
CS:EIP 1b:7c571234 ANSWER kernel32
Address:
<kernel32.dll:800> (C:\ReactOS\system32\kernel32.dll@7c570000)
END
# Each program's reports of two processes, which have another module at the same address.
log_case 'two dumps of winedbg' <<'END'
Unhandled exception: page fault on read access to 0x00000250 in 32-bit code (0x00401234 ANSWER a).
 EIP:00401234 ANSWER a ESP:0033fed8 EBP:0033ff28 EFLAGS:00010246(  R- --  I  Z- -P- )
Modules:
Module	Address			Debug info	Name (4 modules)
PE	  400000-  403000	Export          a
Threads:

Unhandled exception: page fault on read access to 0x00000250 in wow64 32-bit code (0x00401234 ANSWER b).
 EIP:00401234 ANSWER b ESP:0033fed8 EBP:0033ff28 EFLAGS:00010246(  R- --  I  Z- -P- )
Modules:
Module	Address			Debug info	Name (4 modules)
PE	  400000-  403000	Export          b
END
log_case '... which Wine announces; before the first one, Wine has told of modules' <<'END'
0024:trace:loaddll:build_module Loaded L"C:\\a.sys" at 00400000: native
wine: Unhandled page fault on read access to 00000250 at address 00401234 KNOWN a (thread 0024), starting debugger...
002c:trace:loaddll:build_module Loaded L"C:\\b.sys" at 00500000: native
Unhandled exception: page fault on read access to 0x00000250 in 32-bit code (0x00401234 KNOWN a).
Module	Address			Debug info	Name (4 modules)
PE	  400000-  403000	Export          a
wine: Unhandled page fault on read access to 00000250 at address 00401234 ANSWER b (thread 0024), starting debugger...
starting
Unhandled exception: page fault on read access to 0x00000250 in 32-bit code (0x00401234 ANSWER b).
Module	Address			Debug info	Name (4 modules)
PE	  400000-  403000	Export          b
END
log_case '... of which the first has no modules' <<'END'
Unhandled exception: page fault on read access to 0x00000250 in 32-bit code (0x00401234).
=>0 0x00401234 (0x0033ff28)
Unhandled exception: page fault on read access to 0x00000250 in 32-bit code (0x00401236 ANSWER b).
Module	Address			Debug info	Name (4 modules)
PE	  400000-  403000	Export          b
END
log_case 'two reports of Breakpad' <<'END'
Crash reason:  EXCEPTION_ACCESS_VIOLATION_READ
 0  a.sys + 0x1234 KNOWN a
    eip = 0x00401234 ANSWER a   esp = 0x0997f9a0   ebp = 0x0997f9a8   ebx = 0x00000000

Loaded modules:
0x00400000 - 0x00402fff  a.sys  1.0.0.0  (main)

Crash reason:  EXCEPTION_ACCESS_VIOLATION_READ
 0  b.sys + 0x1234 KNOWN b
    eip = 0x00401234 ANSWER b   esp = 0x0997f9a0   ebp = 0x0997f9a8   ebx = 0x00000000

Loaded modules:
0x00400000 - 0x00402fff  b.sys  1.0.0.0  (main)
END
log_case 'two reports of Java, which prints the beginning twice' <<'END'
#  EXCEPTION_ACCESS_VIOLATION (0xc0000005) at pc=0x00401234 ANSWER a, pid=1, tid=2
#  EXCEPTION_ACCESS_VIOLATION (0xc0000005) at pc=0x00401234 ANSWER a, pid=1, tid=2
Dynamic libraries:
0x00400000 - 0x00403000 	C:\a.sys
VM Arguments:
#  EXCEPTION_ACCESS_VIOLATION (0xc0000005) at pc=0x00401234 ANSWER b, pid=2, tid=2
Dynamic libraries:
0x00400000 - 0x00403000 	C:\b.sys
END
log_case 'two dumps in WinDbg' <<'END'
ModLoad: 00400000 00403000   a.sys
eip=00401234 KNOWN a esp=0012fe10 ebp=0012fe40 iopl=0
q
Loading Dump File [C:\b.dmp]
eip=00401234 ANSWER b esp=0012fe10 ebp=0012fe40 iopl=0
ModLoad: 00400000 00403000   b.sys
END
log_case 'a process that the kernel ends after the dump of another' <<'END'
Unhandled exception
CS:EIP 1b:401234 ANSWER a
Address:
<a.sys:1234 KNOWN a> (C:\a.sys@400000)
(ntoskrnl/ke/i386/exp.c:1000) Kill b.exe, ExceptionCode: c0000005, ExceptionAddress: 00401234, BaseAddress: 00400000, P0: 0, P1: 0
(ntoskrnl/ke/i386/exp.c:1000) ExceptionAddress: 00401234
END
log_case 'a process that has more than 2 GiB' <<'END'
Kernel base = 0x80400000
Unhandled exception
CS:EIP 1b:bfff1234
Unhandled exception
CS:EIP 1b:bfff1234 ANSWER kernel32
Address:
<kernel32.dll:800> (C:\ReactOS\system32\kernel32.dll@bfff0000)
CS:EIP 1b:bfff1234 KNOWN kernel32
Unhandled exception
CS:EIP 1b:bfff1234
Unhandled exception
   bfff0000+1234       C:\ReactOS\system32\kernel32.dll KNOWN kernel32
CS:EIP 1b:bfff1234 KNOWN kernel32
Unhandled exception
CS:EIP 1b:bfff1234
    Exception address: bfff1234 ANSWER kernel32
*----> Module List <----*
(bfff0000 - c00ee000) C:\ReactOS\system32\kernel32.dll
CS:EIP 1b:bfff1234 KNOWN kernel32
CS:EIP 8:80401234 KNOWN kernel
Unhandled exception
CS:EIP 1b:bfff1234
CS:EIP 8:80401234 KNOWN kernel
END
log_case 'a bugcheck, before the table of modules' <<'END'
*** Fatal System Error: 0x0000007e
                       (0xC0000005,0x80401010 ANSWER kernel,0x00000000,0x00000000)

kdb:> mod
  Base      Size      Name
  80400000  00200000  ntoskrnl.exe
END
log_case 'a breakpoint, whose trace tells the base of the kernel' <<'END'
Entered debugger on embedded INT3 at 0x0008:0x80401527 ANSWER kernel.
kdb:> bt
Eip:
<ntoskrnl.exe:1528 KNOWN kernel>
Frames:
<80401600 KNOWN kernel>
END
log_case 'Dr. Watson, who lists the modules after the address' <<'END'
<kernel32.dll:800> (C:\ReactOS\system32\kernel32.dll@7c570000)
    Exception address: 7c571234
*----> Task List <----*
*----> Module List <----*
(7c470000 - 7c570000) C:\ReactOS\system32\kernel32.dll

    Exception address: 7c571234 ANSWER kernel32
*----> Module List <----*
(7c570000 - 7c670000) C:\ReactOS\system32\kernel32.dll
*----> Module List <----*
Eip: 7c571234
END
log_case 'a base on the same line' <<'END'
<80401000 ANSWER a> (\SystemRoot\a.sys@80400000)
END
printf 'Eip: 80401000\nKernel base = 0x80400000' >file
printf 'Eip: 80401000 (kernel.c:1 (kernel))\nKernel base = 0x80400000' >want
check 'a base at the end of the file, without newline' -O want log file
echo >>file
check 'JSON' rossym-log -d sym --format=json file <<'END'
{"line":1,"column":6,"log":"file","token":"80401000","module":"ntoskrnl.exe","address":"0x80401000","rva":"0x1000","return_address":false,"image":"sym/ntoskrnl.exe","datestamp":"unknown","build":"unknown","frames":[{"line":1,"file":"kernel.c","function":"kernel"}]}
END
check 'statistics count it as answered, and the line is marked' -e 'tokens: 1, resolved: 1
ntoskrnl.exe: 1 of 1, sym/ntoskrnl.exe; loaded: base 80400000' log -s -mM file <<'END'
* | Eip: 80401000 (kernel.c:1 (kernel))
Kernel base = 0x80400000
END
echo 'Eip: 80401000 (old.c:1 (old))' >again && echo 'Kernel base = 0x80400000' >>again
check '-U finds it again' log -U again <<'END'
Eip: 80401000 (kernel.c:1 (kernel))
Kernel base = 0x80400000
END
check '-u has nothing to find' log -u again <<'END'
Eip: 80401000
Kernel base = 0x80400000
END
check 'log2lines stays as it was' -I file log2lines -d sym <<'END'
Eip: 80401000
Kernel base = 0x80400000
END
cat >first <<'END'
Eip: 80401000
END
check 'a log says nothing about another' log first file first <<'END'
Eip: 80401000
Eip: 80401000 (kernel.c:1 (kernel))
Kernel base = 0x80400000
Eip: 80401000
END
{ printf 'Kernel base = 0x80400000\n%74s\n' x; cat file; } >longer
from_offset () {
	dd bs=100 count=1 >/dev/null 2>&1
	log
}
check 'standard input that has been read in part' -I longer from_offset <<'END'
Eip: 80401000 (kernel.c:1 (kernel))
Kernel base = 0x80400000
END
# ------------------------------------------------------------------------------------------- what does not

log_case 'nothing crosses a boot' <<'END'
Eip: 80401000
(ntoskrnl/kd/kdio.c:377) ReactOS 0.4.2 (Build 20160816-r72234)
Eip: 80401000 ANSWER a
(ntoskrnl/mm/ARM3/sysldr.c:176) Loading: \SystemRoot\a.sys at 80400000 with 3 pages
(ntoskrnl/kd/kdio.c:377) ReactOS 0.4.2 (Build 20160816-r72234)
Eip: 80401000 ANSWER b
(ntoskrnl/mm/ARM3/sysldr.c:176) Loading: \SystemRoot\b.sys at 80400000 with 3 pages
(ntoskrnl/kd/kdio.c:377) ReactOS 0.4.2 (Build 20160816-r72234)
Eip: 80401000
END
log_case 'the dump of another process says nothing about addresses of this one; the kernel stays where it is' <<'END'
CS:EIP 1b:7c571234
Eip: 80401000 ANSWER kernel
Unhandled exception
CS:EIP 1b:7c571234 ANSWER kernel32
Kernel base = 0x80400000
<kernel32.dll:800> (C:\ReactOS\system32\kernel32.dll@7c570000)
Unhandled exception
CS:EIP 1b:7c571234
END
log_case 'a module that is known there comes first' <<'END'
(ntoskrnl/mm/ARM3/sysldr.c:176) Loading: \SystemRoot\a.sys at 80400000 with 3 pages
Eip: 80401000 KNOWN a
Eip: 80405000
(ntoskrnl/mm/ARM3/sysldr.c:176) Loading: \SystemRoot\b.sys at 80400000 with 3 pages
Eip: 80401000 KNOWN b
END
log_case 'of two that come later, the first' <<'END'
Eip: 80401000 ANSWER b
(ntoskrnl/mm/ARM3/sysldr.c:176) Loading: \SystemRoot\b.sys at 80400000 with 3 pages
(ntoskrnl/mm/ARM3/sysldr.c:176) Loading: \SystemRoot\a.sys at 80400000 with 3 pages
END
log_case 'without a size in the log, a module ends where its image ends' <<'END'
Eip: 80401fff ANSWER a
Eip: 80403000
Eip: 80601000
Eip: 80801000 ANSWER b
DriverBase for \SystemRoot\a.sys: 80400000
DriverBase for \SystemRoot\nowhere.sys: 80600000
DriverBase for \SystemRoot\b.sys: 80800000
END
cat >file <<'END'
Eip: 80401000
Eip: 80404010
***     a.sys - Address 80400004 base at 80400000, DateStamp 99
***     b.sys - Address 80403004 base at 80403000, DateStamp 14
END
check 'not from an image with another DateStamp' \
	-e 'rossym-log: warning: a.sys: the log has DateStamp 00000099, sym/a.sys has 00000013' log file <<'END'
Eip: 80401000
Eip: 80404010 (b.c:1 (b))
***     a.sys - Address 80400004 base at 80400000, DateStamp 99
***     b.sys - Address 80403004 base at 80403000, DateStamp 14
END
cat >file <<'END'
Eip: 80401000
kdb:> mod
  Base      Size      Name
  80400000  00201000  ntoskrnl.exe
END
choice='rossym-log: warning: ntoskrnl.exe: not the only one, nothing in the log decides; taking'
check 'of two builds, the one that is chosen has the size' -e "$choice sym/ntoskrnl.exe, not two/ntoskrnl.exe" \
	rossym-log -d sym -d two file <<'END'
Eip: 80401000 (kernel.c:1 (kernel))
kdb:> mod
  Base      Size      Name
  80400000  00201000  ntoskrnl.exe
END
check 'of two builds, the one that is chosen has another size' -O file rossym-log -d two -d sym file
check 'of one build, the size does not count' rossym-log -d two file <<'END'
Eip: 80401000 (other.c:1 (other))
kdb:> mod
  Base      Size      Name
  80400000  00201000  ntoskrnl.exe
END

# ------------------------------------------------------------------------------------------------- how far

# far MEGABYTES: an address, so much text, its base.
far () {
	echo 'Eip: 80401000' >far
	yes "$(printf '%01023d' 0)" | head -n $(($1 * 1024)) >>far
	printf 'Kernel base = 0x80400000\nEip: 80401001\n' >>far
	rossym-log -d sym --format=json far | sed 's/.*"token":\("[^"]*"\).*\("why"\|"function"\):\("[^"]*"\).*/\1 \3/'
}
check 'a base after 63 MB' far 63 <<'END'
"80401000" "kernel"
"80401001" "kernel"
END
check 'one after 65 MB comes too late' far 65 <<'END'
"80401000" "no module known at the address"
"80401001" "kernel"
END

# crowd COUNT: an address, so many modules, and its base.
crowd () {
	echo 'Eip: 80401000'
	awk -v count="$1" 'BEGIN { for (i = 0; i < count; i++) printf "Loading: m%d.sys at 9%04x000 with 1 pages\n", i, i }'
	echo 'Kernel base = 0x80400000'
}
first_of () {
	log "$1" | sed -n 1p
}
crowd 2000 >crowd
check 'a base after 2,000 others' first_of crowd <<'END'
Eip: 80401000 (kernel.c:1 (kernel))
END
crowd 3000 >crowd
check 'one after 3,000 is one too many' first_of crowd <<'END'
Eip: 80401000
END
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
