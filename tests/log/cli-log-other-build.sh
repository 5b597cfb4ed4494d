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

bugcheck () {
	printf '***     a.sys - Address 80001000 base at 80000000, DateStamp %s\n' "$1"
}

json () {
	rossym-log -d sym --format=json "$@" 2>/dev/null | sed 's/.*"token":\("[^"]*"\).*"datestamp"/\1 "datestamp"/'
}

cases 'the same build: no mark'

done_testing
