# SPDX-License-Identifier: GPL-2.0-or-later
#
# GNU parallel over ssh, with the lines of rossym-parallel(7).  The hosts are names of this machine in a configuration of ssh that only
# this test uses: host1 and host2 lead to an sshd on a free port, and nothing listens for the host that is down.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/engines/lib.sh"

PATH=$PATH:/usr/sbin:/sbin
need parallel sshd ssh ssh-keygen split
version=$(parallel --version 2>/dev/null | sed -n '1s/^GNU parallel //p')
test -n "$version" || skip_all 'this parallel is not GNU parallel'

# ------------------------------------------------------------------------------------------------ hosts

HOME=$tap_tmp/home
TMPDIR=$tap_tmp
PARALLEL_HOME=$HOME/parallel
PARALLEL_SSH="ssh -F $HOME/config"
export HOME TMPDIR PARALLEL_HOME PARALLEL_SSH
mkdir -p "$PARALLEL_HOME" "$tap_tmp/host" || exit 99
# GNU parallel's request to be cited would be on stderr.
touch "$PARALLEL_HOME/will-cite"
# A rossym-addr2line in this directory takes the place of the real one, in each host.
PATH=$tap_tmp/host:$PATH

ssh-keygen -q -t ed25519 -N '' -f "$HOME/host-key" && ssh-keygen -q -t ed25519 -N '' -f "$HOME/user-key" || exit 99

# configure_ssh PORT CLOSED-PORT.  A machine with many processors logs in to each host more often than sshd's default allows.
configure_ssh () {
	cat >"$HOME/sshd_config" <<-END
		ListenAddress 127.0.0.1
		Port $1
		HostKey $HOME/host-key
		AuthorizedKeysFile $HOME/user-key.pub
		PidFile none
		StrictModes no
		UsePAM no
		PasswordAuthentication no
		KbdInteractiveAuthentication no
		MaxStartups 1000
		SetEnv HOME=$HOME PARALLEL_HOME=$PARALLEL_HOME TMPDIR=$TMPDIR "PATH=$PATH"
	END
	cat >"$HOME/config" <<-END
		Host host1 host2
		Port $1
		Host down
		Port $2
		Host *
		HostName 127.0.0.1
		HostKeyAlias us
		IdentityFile $HOME/user-key
		IdentitiesOnly yes
		UserKnownHostsFile $HOME/known_hosts
		GlobalKnownHostsFile /dev/null
		StrictHostKeyChecking yes
		BatchMode yes
	END
	echo "us $(cat "$HOME/host-key.pub")" >"$HOME/known_hosts"
}

# As root, sshd needs an empty directory that only a service makes.
own_directory=
make_sshd_directory () {
	missing=$(sshd -t -f "$HOME/sshd_config" 2>&1 | sed -n 's/^Missing privilege separation directory: //p' | tr -d '\r')
	if test -n "$missing"; then
		mkdir -m 755 "$missing" && own_directory=$missing
	fi
}

start_sshd () {
	configure_ssh "$(free_port)" "$(free_port)"
	: >"$HOME/log"
	"$(command -v sshd)" -D -e -f "$HOME/sshd_config" 2>>"$HOME/log" &
	sshd=$!
	until grep -q 'Server listening' "$HOME/log"; do
		kill -0 $sshd 2>/dev/null || return
		sleep 0.1
	done
}

end_engine () {
	processes >"$tap_tmp/hosts"
	# shellcheck disable=SC2046
	kill $(cut -d ' ' -f 1 "$tap_tmp/hosts") 2>/dev/null
	wait
	test -z "$own_directory" || rmdir "$own_directory"
	own_directory=
}

configure_ssh 1 1
make_sshd_directory
# Somebody else may take the port before sshd does.
start_sshd || start_sshd || start_sshd
ssh_to () {
	ssh -F "$HOME/config" "$1" 'command -v rossym-addr2line' || cat "$HOME/log"
}
for host in host1 host2; do
	check "$host answers, and has the program" ssh_to $host <<-END
		$tap_tmp/bin/rossym-addr2line
	END
done
check 'the other one is down' -s 255 -g '*: Connection refused*' ssh -F "$HOME/config" down true </dev/null

# ------------------------------------------------------------------------------------------------ all addresses

engine_input
recipe '[-][-]pipe-part' >blocks.sh
recipe '[-][-]retries' >files.sh
ok 'rossym-parallel(7) has both recipes' test "$(grep -c rossym-addr2line blocks.sh):$(grep -c rossym-addr2line files.sh)" = 1:1

# Removes what an earlier recipe wrote.
clean () {
	rm -rf answers parts parts.log
}

# in_middle COMMAND...: with a new victim.
turn=3
in_middle () {
	rm -rf "$tap_tmp/host"/*
	victim "$tap_tmp/host/rossym-addr2line" $turn
	in_middle_status=0
	"$@" || in_middle_status=$?
	mv "$tap_tmp/host/rossym-addr2line.killed" killed || return 99
	rm -rf "$tap_tmp/host"/*
	return $in_middle_status
}

# was_killed NAME: the killed process had written a part of the answers.
was_killed () {
	ok "$1: a process was killed in the middle" test "$(wc -c <killed)" -eq 4096
}

# all_there NAME
all_there () {
	check "$1: it says nothing" cat "$OUT" "$ERR" </dev/null
	ok "$1: the bytes of one process" cmp expected answers
}

timed 'blocks of one file' sh -e blocks.sh
all_there 'blocks of one file'
clean
timed 'files' sh -e files.sh
all_there 'files'
clean
parts=$(((ENGINES_COUNT + 999999) / 1000000))
turn=$((parts < 3 ? parts : 3))
timed 'files, a process is killed' in_middle sh -e files.sh
all_there 'files, a process is killed'
was_killed 'files'
exits () {
	awk -F '\t' 'NR > 1 { print $7, $8 }' parts.log | sort -u
}
check 'parts.log: each part has exit status 0 and no signal' exits <<'END'
0 0
END
check 'parts.log: one line for each part' sh -c 'ls parts | wc -l; grep -c rossym-addr2line parts.log' <<END
$parts
$parts
END
clean

# ------------------------------------------------------------------------------------------------ what else the page says

# Fewer addresses serve here, always in ten parts.
mkdir few
few=$((ENGINES_COUNT < 1000000 ? ENGINES_COUNT : 1000000))
turn=3
head -n $few addresses >few/addresses
head -n $((2 * few)) expected >few/expected
mv ntoskrnl.exe few/
sed "s/--block 10M/--block $few/" blocks.sh >few/blocks.sh
sed "s/-l 1000000/-l $((few / 10))/" files.sh >few/files.sh
cd few || exit 99
sed 's/--pipe-part/--retries 3 &/' blocks.sh >blocks-retried.sh
sed 's/--pipe-part -a addresses/--retries 3 --pipe/; s/>answers/<addresses &/' blocks.sh >standard-input.sh
sed 's/host2/down/' files.sh >files-down.sh
sed 's/--retries/--filter-hosts &/' files-down.sh >files-filtered.sh

check 'blocks: the exit status is the number of those that failed' -s 1 -g '*' in_middle sh blocks.sh </dev/null
was_killed 'blocks'
ok 'blocks: answers are missing' test "$(wc -c <answers)" -lt "$(wc -c <expected)"

blocks_retried () {
	in_middle sh -e blocks-retried.sh
	echo "exit status $?"
	cmp -s expected answers || test "$(wc -c <answers)" -ge "$(wc -c <expected)" || echo 'answers are missing'
}
blocks_retried >said 2>&1
was_killed 'blocks with --retries'
if cmp -s expected answers; then
	skip 'blocks with --retries: answers are lost silently' "not with GNU parallel $version: the page need not warn of it"
else
	check 'blocks with --retries: answers are lost silently' cat said <<-'END'
		exit status 0
		answers are missing
	END
fi
check 'blocks of standard input with --retries' in_middle sh standard-input.sh </dev/null
was_killed 'blocks of standard input'
ok 'blocks of standard input: the bytes of one process' cmp expected answers

clean
check 'a host is down' -g '*Could not figure out number of cpus on down*' sh -e files-down.sh </dev/null
ok 'a host is down: the bytes of one process' cmp expected answers
clean
check 'a host is down, --filter-hosts' -g 'parallel: Warning: Removed down.*' sh -e files-filtered.sh </dev/null
ok 'a host is down, --filter-hosts: the bytes of one process' cmp expected answers

clean
cat >"$tap_tmp/host/rossym-addr2line" <<END
#!/bin/sh
test \$(head -n 1) != $(sed -n "$((few / 10 * 4 + 1))p" addresses) || exit 3
END
chmod +x "$tap_tmp/host/rossym-addr2line"
check 'a part fails each time' -s 1 sh files.sh </dev/null
check 'parts.log says which' awk -F '\t' '$7 == 3 { print $9 }' parts.log <<'END'
rossym-addr2line -f -e ntoskrnl.exe <parts/ae
END

end_engine
check 'no process is left' processes </dev/null

done_testing
