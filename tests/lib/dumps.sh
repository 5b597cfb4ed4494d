# SPDX-License-Identifier: GPL-2.0-or-later
#
# For tests of kernel dumps, which $builder makes of the minidumps in ../shared/fixtures/dumps/wine: their stacks are those of these.

test -x "$builder" || skip_all "tests/tools/${builder##*/} runs on another system"
dumps=${DUMP_FIXTURES:-$SRC/../shared/fixtures/dumps}/wine
test -d "$dumps" || skip_all 'files of others are not here'

# The frames of the first stack in report $1.
first () {
	sed -n '/(crashed)/,/^$/p' "$1" | grep -v -e '^Thread' -e '^Stack'
}

# minidump NAME: want is the first stack of this minidump; report is its report.
minidump () {
	rossym-log -u -d "$dumps" "$dumps/$1.dmp" >report
	first report >want
}

# same_stack NAME COMMAND: the report that the command prints has the stack in want.
same_stack () {
	check "$1" -O /dev/null sh -c "$2 >report"
	first report >seen
	check '... has the stack of the minidump' -O want cat seen
}
