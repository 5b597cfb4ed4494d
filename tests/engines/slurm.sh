# SPDX-License-Identifier: GPL-2.0-or-later
#
# A job array of Slurm, with the lines of rossym-parallel(7): its answers are those of one process, also if a process is killed and Slurm, or
# the user, repeats its task.  The cluster is this machine; all its files are in the test's directory.
#
# ENGINES_REQUEUE	how many seconds Slurm at least waits before it repeats a task (20; 120 is Slurm's default)

. "${srcdir:-.}/tests/lib/tap.sh"
PATH=$PATH:/usr/sbin
need munged slurmctld slurmd sbatch scontrol
. "$SRC/tests/engines/lib.sh"

: "${ENGINES_REQUEUE:=20}"
dir=$(pwd)
SLURM_CONF=$dir/slurm.conf
export SLURM_CONF

# within SECONDS COMMAND...	repeats COMMAND until it succeeds
within () {
	deadline=$(($(date +%s) + $1))
	shift
	until "$@"; do
		test "$(date +%s)" -lt $deadline || return
		sleep 0.1
	done
}

# The files of daemons in the system's directories, where ours must leave none.
files_outside () {
	find /etc /run /dev/shm /var/lib /var/log /var/spool \( -name '*munge*' -o -name '*slurm*' \) 2>/dev/null | sort
}

# ---- a cluster of one node ----

# No cgroups, no systemd, no accounting, and no user but the one who runs the test.  AuthInfo's cred_expire is also the time after
# which a task is repeated.
configuration () {
	node=$(uname -n | sed 's/\..*//')
	user=$(id -un)
	cat <<-EOT
		ClusterName=rossym
		SlurmctldHost=$node(127.0.0.1)
		SlurmctldPort=$(free_port)
		SlurmdPort=$(free_port)
		SlurmUser=$user
		SlurmdUser=$user
		AuthType=auth/munge
		AuthInfo=socket=$dir/munge.socket,cred_expire=$ENGINES_REQUEUE
		CredType=cred/munge
		StateSaveLocation=$dir/state
		SlurmdSpoolDir=$dir/spool
		SlurmctldPidFile=$dir/slurmctld.pid
		SlurmdPidFile=$dir/slurmd.pid
		SlurmctldLogFile=$dir/slurmctld.log
		SlurmdLogFile=$dir/slurmd.log
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		JobAcctGatherType=jobacct_gather/none
		AccountingStorageType=accounting_storage/none
		MpiDefault=none
		SelectType=select/cons_tres
		SelectTypeParameters=CR_CPU
		SlurmdParameters=config_overrides
		ReturnToService=2
		NodeName=$node NodeAddr=127.0.0.1 CPUs=$(getconf _NPROCESSORS_ONLN)
		PartitionName=all Nodes=ALL Default=YES
	EOT
}

# --force: the test's directory is closed to other users, which munged complains of.
start_munged () {
	(umask 077 && head -c 128 /dev/urandom >munge.key) &&
		munged --force --key-file="$dir/munge.key" --socket="$dir/munge.socket" --pid-file="$dir/munged.pid" \
			--log-file="$dir/munged.log" --seed-file="$dir/munged.seed"
}

finish () {
	test "$tap_failed" -eq 0 || diag "$(tail -n 40 slurmctld.out slurmd.out munged.log)"
	done_testing
}

node_is_idle () {
	test "$(sinfo -h -o %t)" = idle
}

files_outside >before
ok 'munged starts' start_munged
mkdir state spool
configuration >slurm.conf
# Nothing here uses cgroups.  Without this file slurmd looks for the version that is mounted, and ends where none is; the plugin for
# version 1 starts on every system.
echo CgroupPlugin=cgroup/v1 >cgroup.conf
slurmctld -D >slurmctld.out 2>&1 &
slurmctld=$!
slurmd -D >slurmd.out 2>&1 &
slurmd=$!
end_engine () {
	kill $slurmctld $slurmd
	munged --stop --socket="$dir/munge.socket"
}
ok 'Slurm has a node that is ready' within 60 node_is_idle
test "$tap_failed" -eq 0 || finish

# ---- the page's lines ----

engine_input
recipe '#SBATCH' >answers.sh
recipe 'sbatch --wait answers.sh' >divide
recipe 'missing=' >repeat

limited () {
	timeout --foreground 300 sh "$@"
}

# sbatch --wait asks only after 2, 10, 42 ... seconds if the job has ended; so this is the better measure.
last_part () {
	diag "the last part was complete after $(echo "$timed_begin $(stat -c %.2Y parts)" | awk '{ printf "%.2f", $2 - $1 }') s"
}

timed 'a job array of 8 parts' limited divide
last_part
ok 'its answers are those of one process' cmp expected answers

# How many files of each kind there are in parts.
files () {
	ls parts | sed -n 's/^[0-9]*[.]/./p' | sort | uniq -c | sed 's/^ *//'
}

# The job anew, whose fourth process is killed.  Directory $1 is the victim's.
with_victim () {
	rm -rf parts answers
	mkdir "$1"
	victim "$dir/$1/rossym-addr2line" 4
	PATH=$dir/$1:$PATH limited divide
}

a_task_fails () {
	with_victim first
	test $? -eq 137
}

ok 'a process is killed: sbatch fails with its status' a_task_fails
ok 'it had written answers' test -s first/rossym-addr2line.killed
check 'only its part has no answers' files <<'EOT'
7 .answers
1 .new
EOT
check 'nothing is joined' test ! -e answers </dev/null
timed 'the user repeats that task' limited repeat
ok 'the answers are those of one process' cmp expected answers

# ---- Slurm repeats a task ----

# For each task of the job that was started last: how often it was repeated, and its exit status.
tasks () {
	scontrol -o show job "$(sed -n 's/^Submitted batch job //p' submitted)" >tasks || return
	sed -n 's/.* Restarts=\([0-9]*\) .* ExitCode=\([0-9:]*\) .*/\1 \2/p' tasks | sort
}

echo RequeueExit=137 >>slurm.conf
ok 'the administrator sets RequeueExit' scontrol reconfigure
timed 'a process is killed: Slurm repeats its task' with_victim second
last_part
cp "$OUT" submitted
ok 'it had written answers' test -s second/rossym-addr2line.killed
check 'Slurm has repeated one task of eight' tasks <<'EOT'
0 0:0
0 0:0
0 0:0
0 0:0
0 0:0
0 0:0
0 0:0
1 0:0
EOT
check 'the attempts had a file each' files <<'EOT'
8 .answers
1 .new
EOT
ok 'the answers are those of one process' cmp expected answers

# ---- the end ----

nothing_runs () {
	test -z "$(processes)"
}

ok 'the daemons end' end_engine
within 30 nothing_runs
check 'no process is left' processes </dev/null
check 'no socket is left' find . -type s </dev/null
check 'no file is left outside of the test' -O before files_outside </dev/null
finish
