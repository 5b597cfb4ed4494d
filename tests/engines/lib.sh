# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the tests of engines share: programs that divide addresses among many processes, such as GNU parallel and Slurm.  Each test
# runs the real engine with the lines of rossym-parallel(7).  `make check-engines' runs the tests; a test reads this file after tap.sh.
#
# ENGINES_COUNT		how many addresses are looked up (10,000,000; at least 100,000)
#
# engine_input		makes in this directory, under the names that the README uses: "addresses", one a line; the image
#			"ntoskrnl.exe"; and "expected", the answers of one process
# recipe PATTERN	prints those displays of rossym-parallel(7) that have a line with PATTERN, as shell commands
# timed NAME COMMAND...	is ok NAME COMMAND..., and says how long COMMAND took
# free_port		prints a TCP port of 127.0.0.1 that nothing listens on
# victim FILE TURN	makes FILE a rossym-addr2line in whose TURNth process the real program is killed (signal 9) after it has
#			written a part of its answers.  All other processes are the real program.  FILE.killed then has the part
# processes		prints ID and command line of each process that this test has started, through others too, and that runs
# end_engine		what the test defines if its engine has an orderly way to end; done at the end, also of an interrupted test.
#			Processes that run after it are killed

test -r /proc/self/environ || skip_all 'no /proc/PID/environ'
need perl
. "$SRC/tests/lib/examples.sh"

: "${ENGINES_COUNT:=10000000}"
tap_absolute BENCH_BIN "${BENCH_BIN:-$tap_build/tests/bench}"

end_engine () {
	:
}

engines_exit () {
	engines_status=$?
	trap '' HUP INT TERM
	end_engine >/dev/null 2>&1
	while :; do
		processes >"$tap_tmp/processes"
		engines_ids=$(cut -d ' ' -f 1 "$tap_tmp/processes")
		test -n "$engines_ids" || break
		# shellcheck disable=SC2086
		kill -9 $engines_ids 2>/dev/null
		sleep 0.1
	done
	(exit $engines_status)
	tap_exit
}
trap engines_exit EXIT

# Ours have the test's own directory in the environment (PATH, which tap.sh sets) or in the command line, or descend from one that
# has, or from this shell.  A process of sshd has only its title there.
processes () {
	perl -e '
		my ($mark, $shell) = @ARGV;
		my (%parent, %text, %ours);
		sub bytes { open my $file, "<", "/proc/$_[0]" or return ""; local $/; my $all = <$file>; return $all // "" }
		for my $path (glob "/proc/[0-9]*") {
			my ($id) = $path =~ /(\d+)$/;
			bytes("$id/stat") =~ /^.*\) (\S) (\d+)/s or next;
			next if $1 eq "Z";
			$parent{$id} = $2;
			$text{$id} = bytes("$id/cmdline");
			$ours{$id} = index($text{$id}, $mark) >= 0 || index(bytes("$id/environ"), $mark) >= 0 || $id == $shell;
		}
		sub is_ours { my $id = shift; return $id && exists $parent{$id} && ($ours{$id} || is_ours($parent{$id})) }
		my %asking;
		for (my $id = $$; $id; $id = $parent{$id} // 0) { $asking{$id} = 1 }
		for my $id (sort { $a <=> $b } keys %parent) {
			next if $asking{$id} || !is_ours($id);
			print "$id ", $text{$id} =~ tr/\0/ /r, "\n";
		}' "$tap_tmp" $$
}

timed () {
	timed_name=$1
	shift
	timed_begin=$(date +%s.%N)
	ok "$timed_name" "$@"
	diag "$timed_name: $(echo "$timed_begin $(date +%s.%N)" | awk '{ printf "%.2f", $2 - $1 }') s"
}

answer_in_one () {
	rossym-addr2line -f -e ntoskrnl.exe <addresses >expected
}

engine_input () {
	build ntoskrnl.exe <<-'END'
		pe32 base=0x400000
		section .text rva=0x1000 size=0x1e84800 raw=0 flags=code
		rossym
		generate rows=4000000 step=8
	END
	"$BENCH_BIN/addresses" "$ENGINES_COUNT" 401000 1e84800 random >addresses || exit 99
	timed "$ENGINES_COUNT addresses, one process" answer_in_one
	ok 'it has an answer to each' test "$(wc -l <expected)" -eq $((2 * ENGINES_COUNT))
}

recipe () {
	examples_of_man "$SRC/man/rossym-parallel.7" | awk -v pattern="$1" '
		function finish() { if (found) printf "%s", text; found = 0; text = "" }
		!/^    / { finish(); next }
		{ text = text substr($0, 5) "\n" }
		$0 ~ pattern { found = 1 }
		END { finish() }'
}

free_port () {
	perl -MIO::Socket::INET -e 'print IO::Socket::INET->new(LocalAddr => "127.0.0.1", Listen => 1)->sockport, "\n"'
}

# rossym-addr2line answers all the lines it has before it waits for more.  So the victim certainly runs when it is killed, and has
# written some answers: it gets 1000 lines, and more never come.
victim () {
	cat >"$1" <<-END
		#!/bin/sh
		turn=1
		until mkdir "$1.turn\$turn" 2>/dev/null; do
			turn=\$((turn + 1))
		done
		test \$turn -eq $2 || exec '$ADDR2LINE_BIN' "\$@"
		mkfifo '$1.in' '$1.out'
		'$ADDR2LINE_BIN' "\$@" <'$1.in' >'$1.out' &
		exec 3>'$1.in' 4<'$1.out'
		head -n 1000 >&3
		head -c 4096 <&4 | tee '$1.killed'
		kill -9 \$!
		wait \$!
		exit
	END
	chmod +x "$1"
}
