# SPDX-License-Identifier: GPL-2.0-or-later
#
# Images without a table, whose debug information rossym-addr2line reads itself.  What the answers are is the business of
# witness-unstripped.sh; here is how they come about.  witness-processes.sh shows that no other process does.
. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"

plain=$DATA/dwarf32.nostrip.exe
cp "$plain" plain.exe
small_image x.exe

# ---- all that asks for answers ----

ok 'a table of the same image' rossym-embed plain.exe final.exe
# same COMMAND...: of the plain image as of the one with a table; $FILE is it.
same () {
	name=$1
	shift
	FILE=final.exe "$@" >want 2>&1
	ok "$name: something is known" grep -e main -e irp want
	FILE=plain.exe check "$name: as from a table" -s $? -O want "$@"
}
addresses () {
	rossym-addr2line --dump -e final.exe | sed -n 's/^0x\(.*\)	[1-9].*	.*	.*	.*	0$/\1/p' | awk '{ print $1 }' | head -n 1000
}
addresses >rvas
ok 'there are many addresses' test "$(grep -c . rvas)" -gt 500
for _ in 1 2 3 4 5 6 7 8 9 10; do
	cat rvas
done >lots
ok '... and so many that all are read at once' test "$(wc -c <lots)" -gt 49152
# shellcheck disable=SC2016
{
	cases 'all that asks for answers'
}

# change_between IMAGE CHANGE: one program looks up an address in IMAGE, then the shell runs CHANGE, and the program looks up another
# address.  The answers are in said.first and said.second; the messages and the exit status in said.
change_between () {
	mkfifo to from
	rossym-addr2line -f -e "$1" <to >from 2>said &
	exec 3>to 4<from
	printf '0x4015cb\n' >&3
	{ head -n 2 <&4; } >said.first
	eval "$2"
	printf '0x401720\n' >&3
	exec 3>&-
	cat <&4 >said.second
	wait $!
	echo "exit status $?" >>said
	exec 4<&-
	rm to from
}

cases 'names with their decoration'

done_testing
