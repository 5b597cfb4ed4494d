# SPDX-License-Identifier: GPL-2.0-or-later
#
# Which build a log is of, and what becomes of answers from another one.  The place here is a directory with a kernel, whose
# build string names the build of all that is there.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/logs.sh"

# told WHAT: the warning about a log of build 2
told () {
	echo "rossym-log: warning: the log is of $(banner 2), but sym/ntoskrnl.exe is of ReactOS (Build $this): $1"
}

# The line is the image's, so the commit is, too.
linked () {
	rossym-log --format=json --source-url="https://h/%c/%f#%l" "$@" 2>/dev/null | sed -n 's/.*"url":"\([^"]*\)".*/\1/p'
}

cases 'the same build: no mark'
check '-U makes it anew' -e "$(told "$marked")" -I marked -O marked rossym-log -d sym -U
check '--strict: no answers' -e "$(told "$refused")" -I log -O log rossym-log -d sym --strict
check '--strict -U takes back what an earlier run has marked' -e "$(told "$refused")" -I marked -O log rossym-log -d sym --strict -U
{ banner 2; echo '&lt;&lt;&lt; &lt;ntoskrnl.exe:1000&gt;'; } >escaped
rossym-log -d sym escaped >marked 2>/dev/null
check '... in a line that is longer than its plain text' -e "$(told "$refused")" -I marked -O escaped rossym-log -d sym --strict -U
echo '<ntoskrnl.exe:1000 (a.c:1 (f))>' >own
{ banner 2; cat own; } >annotated
check '... but not what KDBG has printed' -e "$(told "$refused")" -I annotated -O annotated rossym-log -d sym --strict -U
check '--strict and -M' -e "$(told "$refused")" -I log rossym-log -d sym --strict -M <<EOT
$(banner 2)
? | <ntoskrnl.exe:1000> <a.sys:1000>
EOT
check '--strict and an end of a line sequence' -g '*' \
	-i "$(banner 2)\n<end.sys:1010 (ke/f.c:3 (f) - other build - call that does not return)>\n" rossym-log -d sym --strict -U <<EOT
$(banner 2)
<end.sys:1010 (:0 (_rossym_end__))>
EOT
check 'log2lines does not compare' -I log env _ROSBE_ROSSOURCEDIR=. log2lines -d sym <<EOT
$(banner 2)
<ntoskrnl.exe:1000 (kernel.c:1 (kernel))> <a.sys:1000 (f.c:1 (f))>
EOT

# ----------------------------------------------------------------------------------------- what is known

check 'before the banner the build is not known' -e "$(told "$marked")" -i "<ntoskrnl.exe:1000>\n$(banner 2)\n<ntoskrnl.exe:1000>\n" \
	rossym-log -d sym <<EOT
<ntoskrnl.exe:1000 (kernel.c:1 (kernel))>
$(banner 2)
<ntoskrnl.exe:1000 (kernel.c:1 (kernel) - other build)>
EOT
echo '<ntoskrnl.exe:1000>' >next
check 'another log begins' -e "$(told "$marked")" rossym-log -d sym log next <<EOT
$(banner 2)
<ntoskrnl.exe:1000 (kernel.c:1 (kernel) - other build)> <a.sys:1000 (f.c:1 (f) - other build)>
<ntoskrnl.exe:1000 (kernel.c:1 (kernel))>
EOT
check 'each boot has a build; a banner that a screen has cut has none' -e "$(told "$marked")" \
	-i "$(banner 2)\n<ntoskrnl.exe:1000>\n$(banner 1)\n<ntoskrnl.exe:1000>\nReactOS 0.4.17 (Build 2026\n<ntoskrnl.exe:1000>\n" \
	rossym-log -d sym <<EOT
$(banner 2)
<ntoskrnl.exe:1000 (kernel.c:1 (kernel) - other build)>
$(banner 1)
<ntoskrnl.exe:1000 (kernel.c:1 (kernel))>
ReactOS 0.4.17 (Build 2026
<ntoskrnl.exe:1000 (kernel.c:1 (kernel))>
EOT
told "$marked" >in-general
for form in "ReactOS 0.4.17-x86-dev (Build $other)" "12:00:01 (kdio.c:377) ReactOS 0.4.17-x86-dev (Build $other)" \
	"FreeLdr 0.4.17-x86-dev $other" "ReactOS [Version 0.4.17-x86-dev $other]" \
	"ReactOS Command Line Interpreter\nVersion 0.4.17-x86-dev $other"; do
	printf '%b\r\n<ntoskrnl.exe:1000 (kernel.c:1 (kernel) - other build)>\n' "$form" >want
	sed 's/ (Commit [0-9a-f]*)//' in-general >want-err
	check "\"${form##*\\n}\"" -E want-err -i "$form\r\n<ntoskrnl.exe:1000>\n" -O want rossym-log -d sym
done
check 'load addresses survive the line of a command prompt' -g '*' \
	-i "Kernel base = 0x80800000\nReactOS [Version 0.4.17-x86-dev $other]\nEip: 80801000\n" rossym-log -d sym <<EOT
Kernel base = 0x80800000
ReactOS [Version 0.4.17-x86-dev $other]
Eip: 80801000 (kernel.c:1 (kernel) - other build)
EOT

# ---------------------------------------------------------------------------------------------- DateStamps

bugcheck () {
	printf '***     a.sys - Address 80001000 base at 80000000, DateStamp %s\n' "$1"
}
stamps='rossym-log: warning: a.sys: the log has DateStamp 00000099, sym/a.sys has 00000011'
check 'never two marks' -g '*' -i "$(banner 2)\n$(bugcheck 99)\n" rossym-log -d sym <<EOT
$(banner 2)
$(bugcheck 99) (f.c:1 (f) - other build)
EOT
check 'the same build with another DateStamp' -e "$stamps" -i "$(banner 1)\n$(bugcheck 99)\n" rossym-log -d sym <<EOT
$(banner 1)
$(bugcheck 99) (f.c:1 (f) - other DateStamp)
EOT
check '... with --strict' -e "$stamps" -i "$(banner 1)\n$(bugcheck 99)\n" rossym-log -d sym --strict <<EOT
$(banner 1)
$(bugcheck 99)
EOT
check 'an equal DateStamp shows that the image is right' -i "$(banner 2)\n$(bugcheck 11)\n" rossym-log -d sym --strict <<EOT
$(banner 2)
$(bugcheck 11) (f.c:1 (f))
EOT

# -------------------------------------------------------------------------------------- JSON, -v, statistics

json () {
	rossym-log -d sym --format=json "$@" 2>/dev/null | sed 's/.*"token":\("[^"]*"\).*"datestamp"/\1 "datestamp"/'
}
cases 'other build'
check '-s counts what --strict leaves out' -e "$(told "$refused")
tokens: 2, resolved: 0
unresolved: 2: the image is of another build
$(banner 2): boots: 1, tokens: 2, from another build: 2
ntoskrnl.exe: 0 of 1, sym/ntoskrnl.exe
a.sys: 0 of 1, sym/a.sys
sym: build $this" -I log -O log rossym-log -s -d sym --strict

done_testing
