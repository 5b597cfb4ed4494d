# SPDX-License-Identifier: GPL-2.0-or-later
#
# Standard input, output and error: the program as a partner that is asked line by line, as a filter for millions of
# lines, and with streams that are closed, full, or no files.
. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"

limit=
! has timeout || limit='timeout 300'
partner () {
	$limit rossym-addr2line "$@" <to >from 2>partner.err &
	exec 7>to 8<from
}
ask () {
	lines=$1
	shift
	printf "$@" >&7
	while test "$lines" -gt 0; do
		IFS= read -r line <&8 || { echo 'no answer'; return 0; }
		printf '%s\n' "$line"
		lines=$((lines - 1))
	done
}
leave () {
	exec 7>&-
	cat <&8
	exec 8<&-
	wait $!
	echo "status $?"
	cat partner.err
}
perf () {
	partner -e x.exe -a -i -f
	ask 3 ',\n'
	ask 6 '0000000000401010\n,\n'
	ask 6 '0000000000000500\n,\n'
	ask 6 '0000000000402000\n,\n'
	leave
}

# 1 MiB is the limit.
zeros () {
	dd if=/dev/zero bs=1024 count=1024 2>/dev/null | tr '\000' 0 | head -c "$1"
}

cases 'perf: asks, waits for the answer to ",", asks again'
for file in longer long; do
	for option in --count --folded; do
		ok "a profile leaves such a line out: $file, $option" sh -c \
			'rossym-addr2line "$1" -e x.exe <"$2" >seen 2>said' sh $option $file
		check 'and says so' cat said <<-'END'
			rossym-addr2line: warning: a line is longer than 1048576 bytes; it is left out
		END
		ok 'and has the other' sh -c 'test "$(grep -c main seen)" -eq 1 && test "$(wc -l <seen)" -eq 1'
	done
done

# ---- many lines ----

awk 'BEGIN {
	split("401000 401010 0x401020 402000 403000 , 0 3fffff", a, " ")
	split("main.c:3|main.c:4|helper.c:10|main.c:30|??:0|??:0|??:0|??:0", b, "|")
	for (i = 0; i < 1000000; i++) {
		k = i * 7 % 8 + 1
		print a[k]
		print b[k] >"expected"
	}
}' >million

# Open for writing only.
unreadable () {
	rossym-addr2line -e x.exe "$@" 0>nothing
}

cases 'an empty stdin'

if test -c /dev/full || skip 'a full disk' 'no /dev/full'; then
	full='rossym-addr2line: cannot write standard output: No space left on device'
	for args in '-e x.exe 401010' '-e x.exe 401010 402000' '--help' '--version' '--dump -e x.exe' \
		'--check -e x.exe'; do
		check "a full disk: $args" -s 1 -e "$full" sh -c "rossym-addr2line $args >/dev/full" </dev/null
	done
	cases 'a full disk: stdin'
fi

# 141 is 128 + SIGPIPE.  Where it is ignored from the start, nobody can undo that in a script.
if ! sh -c 'kill -PIPE $$; exit 0' 2>/dev/null || skip 'a reader that goes away' 'SIGPIPE is ignored here'; then
	first_line () {
		{ rossym-addr2line -e x.exe <million; echo $? >status; } | head -n 1
		await test -s status	# not every shell waits for all of a pipe
		cat status
	}
	on_posix check 'a reader that goes away: quiet, killed by SIGPIPE' first_line <<-'END'
		main.c:3
		141
	END
fi

cases 'the order of answers and messages in one stream'

done_testing
