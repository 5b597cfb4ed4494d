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

for n in 1 2 1; do
	banner $n
	cat c.log
done >builds.log

page () {
	rossym-log -d sym --format=html "$@" >page.html
	page_status=$?
	sed -n "/$page_part/p" page.html
	return $page_status
}

cases 'a crash of another build is another crash'

done_testing
