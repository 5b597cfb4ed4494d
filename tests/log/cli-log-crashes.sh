# SPDX-License-Identifier: GPL-2.0-or-later
#
# rossym-log --crashes: the blocks, made after the logs of ReactOS, Windows, Wine and others.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/logs.sh"

printf '%b' \
	'1000\t16\tKeBugCheckWithTf\tke/bug.c\t7\t0\n' \
	'1010\t16\tinner\ti.h\t3\t0\n1010\t16\touter\to.c\t20\t1\n' \
	'1020\t16\tmain\tm.c\t30\t0\n1030\t16\tlast\tm.c\t40\t0\n' >rows
crashes () {
	rossym-log -d sym --crashes "$@"
}

cases 'a bugcheck in each of two boots'

if test -x "$tap_build/tests/tools/mkdump" || skip 'a dump' 'tests/tools/mkdump runs on another system'; then
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
fi

# ------------------------------------------------------------------------------------------------ several logs

cases 'a table of several logs'

for n in 1 2 1; do
	banner $n
	cat c.log
done >builds.log
cases 'a crash of another build is another crash'
page () {
	rossym-log -d sym --format=html "$@" >page.html
	page_status=$?
	sed -n "/$page_part/p" page.html
	return $page_status
}

cases 'time stamps, escape sequences, HTML'
if witness tidy || no_witness 'tidy finds nothing in a page of four logs' 'no tidy'; then
	rossym-log -d sym --format=html twice.log user.log windows.log foreign.log >page.html 2>/dev/null
	check 'tidy finds nothing in a page of four logs' tidy -quiet -errors page.html
fi

# ------------------------------------------------------------------------------------------------ limits, errors

cases 'no crash'
for options in '--crashes --format=html' '--crashes=markdown --format=json'; do
	check "$options" -s 1 -e 'rossym-log: --crashes wants --output-style=text or json' rossym-log $options a.log
done

cases 'the name cannot be abbreviated'

done_testing
