# SPDX-License-Identifier: GPL-2.0-or-later
#
# Images without a table, which rossym-embed makes tables for when rossym-addr2line needs them.  What the answers are is the business
# of witness-unstripped.sh; here is how they come about.
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
	same 'operands' sh -c 'rossym-addr2line -f -i -e $FILE 4015cb 401720 0 401610'
	same 'a symbol' sh -c 'rossym-addr2line -f -e $FILE main IoDispatch+4'
	same 'a line' sh -c 'echo 15cb | rossym-addr2line --rva -f -e $FILE'
	same 'many lines' sh -c 'rossym-addr2line --rva -a -f -i -e $FILE <rvas'
	same 'very many lines' sh -c 'rossym-addr2line --rva -a -f -e $FILE <lots'
	same 'very many lines through a pipe' sh -c 'cat lots | rossym-addr2line --rva -f -i -e $FILE'
	same 'many lines, one by one' sh -c 'tail -n 600 rvas | head -n 20 | while read -r rva; do echo $rva; sleep 0.01; done | rossym-addr2line --rva -f -e $FILE'
	same 'threads' sh -c 'cat rvas rvas rvas rvas | rossym-addr2line --rva -P 3 -f -e $FILE'
	same '--count' sh -c 'rossym-addr2line --rva --count -e $FILE <rvas'
	same '--count=line -i' sh -c 'rossym-addr2line --rva --count=line -i -e $FILE <rvas'
	same '--folded' sh -c 'echo 15cb 1720 | rossym-addr2line --rva --folded -i -e $FILE'
	same '--dump' sh -c 'rossym-addr2line --dump -e $FILE'
	same 'JSON' sh -c 'rossym-addr2line --output-style=JSON -e $FILE 4015cb 401610 | sed "s/$FILE/FILE/g"'
	same 'return addresses' sh -c 'rossym-addr2line --return-addresses -f -e $FILE 4015cc 401721'
	same 'in a section' sh -c 'rossym-addr2line -j .text -f -e $FILE 5cb 720'
	same 'mapped paths' sh -c 'rossym-addr2line --path-map=/src=/other -s -e $FILE 4015cb'
}
check 'names with their decoration' rossym-addr2line --decorated -f -e plain.exe 401610 <<'END'
KeBugCheckEx@20
/src/ke/bug.c:16
END
check 'and without' rossym-addr2line -f -e plain.exe 401610 <<'END'
KeBugCheckEx
/src/ke/bug.c:16
END
ok 'a table with data' rossym-embed --data plain.exe data.exe
rossym-addr2line --dump -e data.exe | awk -F '\t' '$3 ~ /iob|environ|fmode|argv/ { print $1 }' >rvas
rossym-addr2line --data --rva -f -e data.exe <rvas >want
ok 'data: something is known' grep '^[a-z_]' want
check 'data: as from a table' -O want -I rvas rossym-addr2line --data --rva -f -e plain.exe

# ---- an image that changes ----

if on_windows; then
	skip 'an image that changes' 'it is read at once there'
else
	# A child that has spent as much time on single addresses as the table for all of them takes makes that table, and later
	# addresses need the file no more.  With sanitizers one address can take so long; but in a file of 64 MiB the whole
	# table may take longer.
	cp plain.exe changing.exe
	dd if=/dev/null of=changing.exe bs=1048576 seek=64 2>dd.err
	mkfifo to from
	rossym-addr2line -f -e changing.exe <to >from 2>said &
	exec 3>to 4<from
	printf '0x4015cb\n' >&3
	{ head -n 2 <&4; } >said.first
	printf x >>changing.exe
	printf '0x401720\n' >&3
	exec 3>&-
	cat <&4 >said.second
	wait $!
	echo "exit status $?" >>said
	exec 4<&-
	rm to from
	check 'before it changes: the answer' cat said.first <<-'END'
		main
		/src/main.c:30
	END
	check 'after it has changed: nothing' cat said.second </dev/null
	check '... and the reason' sed 's/^[^ ]*addr2line: //' said <<-'END'
		changing.exe: it has changed since it was opened
		exit status 1
	END
fi

# ---- what needs a table ----

refusal='rossym-addr2line: plain.exe: no .rossym section; use addr2line, or add the table with rossym-embed'
check '--no-debug-info' -s 1 -e "$refusal" rossym-addr2line --no-debug-info -e plain.exe 4015cb </dev/null
check '--no-debug-info --dump' -s 1 -e "$refusal" rossym-addr2line --no-debug-info --dump -e plain.exe </dev/null
check '--check' -s 1 -e "$refusal" rossym-addr2line --check -e plain.exe </dev/null
check '--diff' -s 2 -e "$refusal" rossym-addr2line --diff="$plain" -e plain.exe 4015cb </dev/null
check 'raddr2line' -s 1 -e "Couldn't find rossym section in executable" raddr2line plain.exe 15cb </dev/null

# ---- without the helper, or with one that fails ----

mkdir alone
if on_windows; then
	skip 'without the helper' 'Windows'
else
	alone alone/rossym-addr2line "$ADDR2LINE_BIN"
	why='its debug information cannot be read'
	# with_helper LINE: our program in a directory with this script as its helper, or none.
	with_helper () {
		test -z "$1" || { printf '%s\n' '#!/bin/sh' "$1" >alone/rossym-embed && chmod +x alone/rossym-embed; }
		alone/rossym-addr2line -e plain.exe 4015cb
	}
	check 'no helper' -s 1 -e "alone/rossym-addr2line: warning: plain.exe: $why: there is no rossym-embed beside this program
alone/${refusal}" with_helper ''
	check 'a helper that ends' -s 1 -e "alone/rossym-addr2line: warning: plain.exe: $why: rossym-embed has ended early
alone/${refusal}" with_helper 'exit 1'
	check 'a helper that says something else' -s 1 -g "alone/rossym-addr2line: warning: plain.exe: $why: *
alone/${refusal}" with_helper 'while :; do echo no answer; done'
	check 'a table needs no helper' alone/rossym-addr2line -e x.exe 401010 <<-'END'
		main.c:4
	END
fi

# ---- what is started ----

if witness strace && strace -qq -f -o trace true 2>/dev/null && test -z "${RUNNER-}"; then
	traced () {
		ASAN_OPTIONS=detect_leaks=0 strace -qq -f -e trace=execve,openat,clone,clone3,fork,vfork -o trace "$@"
	}
	traced rossym-addr2line -f -e x.exe 401010 >/dev/null
	ok 'an image with a table starts nothing' test "$(grep -c execve trace)$(grep -c -e clone -e fork trace)" = 10
	ok "... and loads and opens nothing for that" sh -c "! grep openat trace | grep -e rossym-embed -e debug -e pdb"
	traced rossym-addr2line -f -e plain.exe 4015cb >/dev/null
	ok 'one without starts the helper' grep 'execve.*rossym-embed' trace
	traced rossym-addr2line --no-debug-info -f -e plain.exe 4015cb 2>/dev/null
	ok '... but with --no-debug-info' test "$(grep -c execve trace)$(grep -c -e clone -e fork trace)" = 10

	# The helper keeps a process for each image, which is asked again and again.
	children () {
		awk '/ execve/ { helper = $1; count = 0 } $1 == helper && / (clone3?|fork)\(/ { count++ } END { print count }' trace
	}
	one_by_one () {
		for rva in 15cb 1720 1610 15d0 1725; do echo $rva; sleep 0.05; done
	}
	one_by_one | traced rossym-addr2line --rva -f -e plain.exe >said
	ok 'look-ups one by one have answers' test "$(grep -c '^/src/' said)" = 5
	check '... of one process that keeps what it has read' children <<-'END'
		1
	END
	mkdir modules
	cp plain.exe modules
	cp "$DATA/dwarf64.nostrip.exe" modules/other.exe
	for rva in 15cb 1720 1610; do echo "<plain.exe:$rva> <other.exe:$rva>"; done >log
	traced rossym-log -d modules <log >said
	ok 'rossym-log: two modules have answers' test "$(tr '>' '\n' <said | grep -c '(/src/')" = 6
	check '... of a process each' children <<-'END'
		2
	END
else
	no_witness 'what is started' 'no strace'
fi

done_testing
