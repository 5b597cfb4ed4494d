# SPDX-License-Identifier: GPL-2.0-or-later
#
# Which build a log is of, and what becomes of answers from another one.  The place here is a directory with a kernel, whose
# build string names the build of all that is there.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/logs.sh"

this=20260924-0.4.17-dev-915-g3f5fd48 other=20260925-0.4.17-dev-916-g4a4a4a4

# kernel FILE BUILD
kernel () {
	build "$1" <<-EOT
		pe32 base=0x400000 stamp=0x5db90001
		section .text rva=0x1000 size=0x1000 raw=0 flags=code
		section .data rva=0x2000 size=0x200 raw=0x200 flags=data
		rossym rva=0x3000
		row 0x1000 KeBugCheck ntoskrnl/ke/bug.c 7
		poke data:.data = $(printf '%s.GNU_12.2.0' "$2" | od -An -v -tx1 | tr '\n' ' ')
	EOT
}

mkdir sym
kernel sym/ntoskrnl.exe $this
module sym/a.sys 0x11 f
module outside.sys 0x22 g
build sym/end.sys <<'EOT'
pe32 base=0x10000
section .text rva=0x1000 size=0x100 flags=code
rossym
row 0x1000 f ke/f.c 3
row 0x1010 _rossym_end__ "" 0
EOT

banner () {
	printf '(ntoskrnl/kd64/kdinit.c:74) ReactOS 0.4.17-x86-dev (Build %s) (Commit 3f5fd48b2da5f1c21ef4d53b4c938a4bb346defa)\n' "$1"
}
told () {
	printf 'rossym-log: warning: the log is of ReactOS 0.4.17-x86-dev (Build %s) (Commit 3f5fd48b2da5f1c21ef4d53b4c938a4bb346defa), ' \
		"${2-$other}"
	printf 'but sym/ntoskrnl.exe is of ReactOS (Build %s): %s\n' $this "$1"
}
marked='answers from another build are marked, and may be wrong'
refused='addresses get no answers from another build'

# ---------------------------------------------------------------------------------------------- one build

{ banner $this; echo '<ntoskrnl.exe:1000>'; } >same
check 'the same build: no mark' -I same rossym-log -d sym <<EOT
$(banner $this)
<ntoskrnl.exe:1000 (ntoskrnl/ke/bug.c:7 (KeBugCheck))>
EOT
{ banner $other; echo '<ntoskrnl.exe:1000> <a.sys:1000>'; } >log
check 'another build: marked, and explained once' -e "$(told "$marked")" -I log rossym-log -d sym <<EOT
$(banner $other)
<ntoskrnl.exe:1000 (ntoskrnl/ke/bug.c:7 (KeBugCheck) - other build)> <a.sys:1000 (f.c:1 (f) - other build)>
EOT
rossym-log -d sym log >marked 2>/dev/null
check 'a second time changes nothing' -I marked -O marked rossym-log -d sym
check '-u takes the mark back' -I marked -O log rossym-log -u
check '-U makes it anew' -e "$(told "$marked")" -I marked -O marked rossym-log -d sym -U
check '--strict: no answers' -e "$(told "$refused")" -I log -O log rossym-log -d sym --strict
check '--strict -U takes back what an earlier run has marked' -e "$(told "$refused")" -I marked -O log rossym-log -d sym --strict -U
echo '<ntoskrnl.exe:1000 (a.c:1 (f))>' >own
{ banner $other; cat own; } >annotated
check '... but not what KDBG has printed' -e "$(told "$refused")" -I annotated -O annotated rossym-log -d sym --strict -U
check '--strict and -M' -e "$(told "$refused")" -I log rossym-log -d sym --strict -M <<EOT
$(banner $other)
? | <ntoskrnl.exe:1000> <a.sys:1000>
EOT
check '--strict and an end of a line sequence' -g '*' \
	-i "$(banner $other)\n<end.sys:1010 (ke/f.c:3 (f) - other build - call that does not return)>\n" rossym-log -d sym --strict -U <<EOT
$(banner $other)
<end.sys:1010 (:0 (_rossym_end__))>
EOT
check 'log2lines does not compare' -I log env _ROSBE_ROSSOURCEDIR=. log2lines -d sym <<EOT
$(banner $other)
<ntoskrnl.exe:1000 (ntoskrnl/ke/bug.c:7 (KeBugCheck))> <a.sys:1000 (f.c:1 (f))>
EOT

# ----------------------------------------------------------------------------------------- what is known

check 'before the banner the build is not known' -e "$(told "$marked")" -i "<ntoskrnl.exe:1000>\n$(banner $other)\n<ntoskrnl.exe:1000>\n" \
	rossym-log -d sym <<EOT
<ntoskrnl.exe:1000 (ntoskrnl/ke/bug.c:7 (KeBugCheck))>
$(banner $other)
<ntoskrnl.exe:1000 (ntoskrnl/ke/bug.c:7 (KeBugCheck) - other build)>
EOT
echo '<ntoskrnl.exe:1000>' >next
check 'another log begins' -e "$(told "$marked")" rossym-log -d sym log next <<EOT
$(banner $other)
<ntoskrnl.exe:1000 (ntoskrnl/ke/bug.c:7 (KeBugCheck) - other build)> <a.sys:1000 (f.c:1 (f) - other build)>
<ntoskrnl.exe:1000 (ntoskrnl/ke/bug.c:7 (KeBugCheck))>
EOT
check 'each boot has a build; a banner that a screen has cut has none' -e "$(told "$marked")" \
	-i "$(banner $other)\n<ntoskrnl.exe:1000>\n$(banner $this)\n<ntoskrnl.exe:1000>\nReactOS 0.4.17 (Build 2026\n<ntoskrnl.exe:1000>\n" \
	rossym-log -d sym <<EOT
$(banner $other)
<ntoskrnl.exe:1000 (ntoskrnl/ke/bug.c:7 (KeBugCheck) - other build)>
$(banner $this)
<ntoskrnl.exe:1000 (ntoskrnl/ke/bug.c:7 (KeBugCheck))>
ReactOS 0.4.17 (Build 2026
<ntoskrnl.exe:1000 (ntoskrnl/ke/bug.c:7 (KeBugCheck))>
EOT
told "$marked" >in-general
for form in "ReactOS 0.4.17-x86-dev (Build $other)" "12:00:01 (kdio.c:377) ReactOS 0.4.17-x86-dev (Build $other)" \
	"FreeLdr 0.4.17-x86-dev $other" "ReactOS [Version 0.4.17-x86-dev $other]" \
	"ReactOS Command Line Interpreter\nVersion 0.4.17-x86-dev $other"; do
	printf '%b\r\n<ntoskrnl.exe:1000 (ntoskrnl/ke/bug.c:7 (KeBugCheck) - other build)>\n' "$form" >want
	sed 's/ (Commit [0-9a-f]*)//' in-general >want-err
	check "\"${form##*\\n}\"" -E want-err -i "$form\r\n<ntoskrnl.exe:1000>\n" -O want rossym-log -d sym
done
check 'load addresses survive the line of a command prompt' -g '*' \
	-i "Kernel base = 0x80800000\nReactOS [Version 0.4.17-x86-dev $other]\nEip: 80801000\n" rossym-log -d sym <<EOT
Kernel base = 0x80800000
ReactOS [Version 0.4.17-x86-dev $other]
Eip: 80801000 (ntoskrnl/ke/bug.c:7 (KeBugCheck) - other build)
EOT

# ---------------------------------------------------------------------------------------------- DateStamps

bugcheck () {
	printf '***     a.sys - Address 80001000 base at 80000000, DateStamp %s\n' "$1"
}
stamps='rossym-log: warning: a.sys: the log has DateStamp 00000099, sym/a.sys has 00000011'
check 'never two marks' -g '*' -i "$(banner $other)\n$(bugcheck 99)\n" rossym-log -d sym <<EOT
$(banner $other)
$(bugcheck 99) (f.c:1 (f) - other build)
EOT
check 'the same build with another DateStamp' -e "$stamps" -i "$(banner $this)\n$(bugcheck 99)\n" rossym-log -d sym <<EOT
$(banner $this)
$(bugcheck 99) (f.c:1 (f) - other DateStamp)
EOT
check '... with --strict' -e "$stamps" -i "$(banner $this)\n$(bugcheck 99)\n" rossym-log -d sym --strict <<EOT
$(banner $this)
$(bugcheck 99)
EOT
check 'an equal DateStamp shows that the image is right' -i "$(banner $other)\n$(bugcheck 11)\n" rossym-log -d sym --strict <<EOT
$(banner $other)
$(bugcheck 11) (f.c:1 (f))
EOT

# -------------------------------------------------------------------------------------- JSON, -v, statistics

json () {
	rossym-log -d sym --format=json "$@" 2>/dev/null | sed 's/.*"token":\("[^"]*"\).*"datestamp"/\1 "datestamp"/'
}
check 'JSON: another build' -I log json <<'EOT'
"<ntoskrnl.exe:1000>" "datestamp":"unknown","build":"other","frames":[{"line":7,"file":"ntoskrnl/ke/bug.c","function":"KeBugCheck"}]}
"<a.sys:1000>" "datestamp":"unknown","build":"other","frames":[{"line":1,"file":"f.c","function":"f"}]}
EOT
check 'JSON: with --strict' -I log json --strict <<'EOT'
"<ntoskrnl.exe:1000>" "datestamp":"unknown","build":"other","frames":[],"why":"the image is of another build"}
"<a.sys:1000>" "datestamp":"unknown","build":"other","frames":[],"why":"the image is of another build"}
EOT
check 'JSON: the same build' -I same json <<'EOT'
"<ntoskrnl.exe:1000>" "datestamp":"unknown","build":"same","frames":[{"line":7,"file":"ntoskrnl/ke/bug.c","function":"KeBugCheck"}]}
EOT
check 'JSON: no banner' -I next json <<'EOT'
"<ntoskrnl.exe:1000>" "datestamp":"unknown","build":"unknown","frames":[{"line":7,"file":"ntoskrnl/ke/bug.c","function":"KeBugCheck"}]}
EOT

line () {
	echo "ReactOS 0.4.17-x86-dev (Build $1) (Commit 3f5fd48b2da5f1c21ef4d53b4c938a4bb346defa)"
}
{ cat log; printf '\nReactOS [Version 0.4.17-x86-dev %s]\n' $other; cat same; bugcheck 11; banner $other; echo; cat next; } >boots
cat >want-err <<EOT
rossym-log: boots:1: $(line $other)
rossym-log: sym: build $this
rossym-log: ntoskrnl.exe: sym/ntoskrnl.exe
$(told "$marked")
rossym-log: a.sys: sym/a.sys
rossym-log: boots:5: $(line $this)
rossym-log: boots:8: $(line $other)
tokens: 5, resolved: 5
$(line $other): boots: 2, tokens: 3, from another build: 3
$(line $this): boots: 1, tokens: 2
ntoskrnl.exe: 3 of 3, sym/ntoskrnl.exe
a.sys: 2 of 2, sym/a.sys; loaded: DateStamp 11
sym: build $this
EOT
check '-v and -s' -E want-err -O /dev/null sh -c 'rossym-log -v -s -d sym boots >/dev/null'
check '-s counts what --strict leaves out' -e "$(told "$refused")
tokens: 2, resolved: 0
unresolved: 2: the image is of another build
$(line $other): boots: 1, tokens: 2, from another build: 2
ntoskrnl.exe: 0 of 1, sym/ntoskrnl.exe
a.sys: 0 of 1, sym/a.sys
sym: build $this" -I log -O log rossym-log -s -d sym --strict

done_testing
