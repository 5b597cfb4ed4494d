# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the system can do to programs, all the way through them.  Elsewhere: closed and full streams in cli-streams.sh,
# short and blocked writes in unit-out, files that shrink in unit-source and unit-shrink, each allocation of the library
# in unit-alloc, unit-build, unit-embed and unit-debuginfo-alloc, failures and signals while rossym-embed writes in
# cli-embed-safety.sh, memory that is little in hostile-limits.sh.

tap_plain=yes # for LD_PRELOAD
. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"
. "$SRC/tests/lib/faults.sh"

small_image x.exe
image=$DATA/dwarf32.nostrip.exe
for _ in $(seq 500); do printf '0x401000\n0x401010\nhelper+1\n0x402000\n'; done >many
rossym-addr2line -fe x.exe <many >answers
rossym-addr2line --dump -e x.exe >rows
rossym-embed "$image" good

# ----------------------------------------------------------------------------- interrupted, little at a time

for fault in eintr short; do
	check "$fault: look-ups" -O answers -I many with $fault rossym-addr2line -fe x.exe
	check "$fault: threads" -O answers -I many with $fault rossym-addr2line -P2 -fe x.exe
	check "$fault: --dump" -O rows with $fault rossym-addr2line --dump -e x.exe
	ok "$fault: rossym-embed" with $fault rossym-embed "$image" y.exe
	ok "$fault: the same image" cmp good y.exe
	ok "$fault: rows" with $fault rossym-embed --from-dump=rows "$image" y.exe
done

# ----------------------------------------------------------------------------------------- no pipe, no process

# One child lists the .dwo files that the image names, another one makes the table.
echo 'int start(void) { return 3; }' >program.c
made split split.exe split-program.dwo -- x86_64-w64-mingw32-gcc -gdwarf-5 -gsplit-dwarf -ffile-prefix-map="$PWD=/src" -nostdlib \
	-Wl,--entry=start -o split.exe program.c
for call in 1 2 3 4; do
	check "pipe $call fails" -s 1 -g 'rossym-embed: split.exe: cannot start a process: Too many open files' \
		with pipe=$call rossym-embed split.exe never </dev/null
done
for call in 1 2; do
	check "fork $call fails" -s 1 -g 'rossym-embed: split.exe: cannot start a process: Resource temporarily unavailable' \
		with fork=$call rossym-embed split.exe never </dev/null
done
source_line () {
	with "$1" rossym-log -e x.exe -S1 --source-root=root
}

cases 'a source file'
for most in 0 1 4095 9000; do
	echo old >y.exe
	cases 'rows, and a disk that is full after most bytes'
done
# Each allocation fails once; after the first ones not all, for rossym-embed has thousands.
# The command ends well, with the output FILE as it must be, or with a message and the old one.
starved () {
	starved_name=$1
	starved_want=$2
	shift 2
	n=1
	runs=0
	: >wrong
	while :; do
		echo old >y
		status=0
		with malloc=$n "$@" 9>fired >said 2>err </dev/null || status=$?
		test -s fired || break
		if test $status -eq 0; then
			cmp -s "$starved_want" y || cmp -s "$starved_want" said || echo "$n: another output" >>wrong
		elif test $status -gt 2; then
			echo "$n: status $status: $(cat err)" >>wrong
		elif test "$(cat y)" != old; then
			echo "$n: the old output is gone" >>wrong
		elif ! grep -qi 'memory' err; then
			echo "$n: no message: $(cat err)" >>wrong
		fi
		runs=$((runs + 1))
		n=$((n < 30 ? n + 1 : n * 4 / 3))
	done
	if test $runs -eq 0; then
		# A sanitizer has an allocator of its own.
		skip "$starved_name" 'allocations cannot be made to fail here'
	else
		check "$starved_name: $runs allocations that fail" cat wrong </dev/null
	fi
}

cases 'standard output'
for format in text json; do
	rossym-log --format=$format x.exe 1000 1014 >one
	starved "rossym-log, offsets, $format" one rossym-log --format=$format x.exe 1000 1014
done
printf '<x.exe:1000>\nx.exe+0x1014\n' >a.log
mkdir tree
printf '1\n2\n3\n4\n5\n' >tree/main.c
for mode in --format=text --format=json --format=html --crashes '-S2+1 --source-root=tree'; do
	rossym-log --no-debug-info -e x.exe $mode a.log >one
	starved "rossym-log $mode" one rossym-log --no-debug-info -e x.exe $mode a.log
done
starved '--dump' rows rossym-addr2line --dump -e x.exe
starved 'rossym-embed' good rossym-embed "$image" y
rossym-embed --from-dump=rows --path-map=a=b "$image" one
starved 'rossym-embed, rows' one rossym-embed --from-dump=rows --path-map=a=b "$image" y

# ---------------------------------------------------------------------------------------- others at the same time

rossym-embed --from-dump=rows "$image" other
: >wrong
for i in 1 2 3 4 5 6 7 8; do
	rossym-embed "$image" y.exe & rossym-embed --from-dump=rows "$image" y.exe & rossym-embed "$image" y.exe
	wait
	cmp -s y.exe good || cmp -s y.exe other || echo "$i: neither" >>wrong
done
changing () {
	cp x.exe z.exe
	rm -f said		# the last one's answer is not this one's
	rossym-addr2line -fe z.exe <questions >said 2>err &
	exec 3>questions
	echo 0x401000 >&3
	await test -s said
	"$@"
	trap '' PIPE		# it may end after the first of two questions
	printf '0x402000\nhelper\n' >&3 2>/dev/null
	exec 3>&-
	trap - PIPE
	wait $!
}
shrink () {
	: >z.exe
}
replace () {
	cp "$image" new
	mv new z.exe
}
overwrite () {
	tr '\000-\377' '\377' <x.exe >new
	cat new >z.exe
}

cases 'writers at the same time: one of them wins'

done_testing
