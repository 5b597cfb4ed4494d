# SPDX-License-Identifier: GPL-2.0-or-later
#
# Triage dumps.

. "${srcdir:-.}/tests/lib/tap.sh"
builder=$SRC/tests/tools/triage.py
. "$SRC/tests/lib/dumps.sh"

# The frames of the stack of the bugcheck in report $1.
second () {
	sed -n '/^Thread 0, by what/,/^$/p' "$1" | sed 1d
}

for name in zoo-gcc-x86_64.0 zoo-clang-x86_64.2 zoo-gcc-x86_64.4 zoo-clang-x86_64.6 zoo-gcc-x86_64.9 zoo-gcc-i686.0 zoo-gccnoeh-i686.2 zoo-clang-i686.4 zoo-gcc-i686.8; do
	"$builder" "$dumps/$name.dmp" triage.dmp
	minidump "$name"
	same_stack "$name: a report" "rossym-log -u -d '$dumps' triage.dmp"
	ok '... which has callers' grep -q unwound seen
done

# What calls a leaf function is all that is left of the other stack.
for processor in x86_64 i686; do
	"$builder" "$dumps/zoo-gcc-$processor.2.dmp" triage.dmp
	rossym-log -d "$dumps" triage.dmp >report 2>/dev/null
	second report | sed -n 's/.*(\([a-z_]*\)))$/\1/p' | head -n 3 >names
	printf 'calls_leaf\nrun\nmain\n' >want
	check "$processor: the stack of the bugcheck" -O want cat names
	rossym-log -u triage.dmp >report
	ok '... without images' grep -qx '    callers are not known: no word there is known to be a return address' report
done

# damaged NAME MESSAGE [OFFSET VALUE]...: there is a report, and this message.
damaged () {
	name=$1 message=$2
	shift 2
	"$builder" "$dumps/zoo-gcc-x86_64.2.dmp" bad.dmp "$@"
	check "$name" -s 1 -O /dev/null -g "rossym-log: bad.dmp: $message" sh -c 'rossym-log -u bad.dmp >report'
	ok '... and the report' grep -q '^Bugcheck' report
}

cases 'triage'

done_testing
