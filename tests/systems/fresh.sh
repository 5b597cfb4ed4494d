#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# fresh.sh SOURCE DIRECTORY SUITE	a new user on a new machine: the README's first two commands, in a bare Debian of release SUITE
#
# They run as root, and then as an ordinary user who has no sudo, in clean clones of the checkout SOURCE.  No test may be skipped, but
# those that only root can do, that need files of others, and a system call that Linux refuses in a chroot.  The system is made in DIRECTORY, and removed at the end.  Prints how each command ended.
#
# Exits with 77 if such a system cannot be made here, after a line that says why.

set -eu
here=$(dirname "$0")
# shellcheck source=tests/systems/system.sh
. "$here/system.sh"
source=$1 suite=$3
system_needs || exit 77
mkdir -p "$2"
directory=$(cd "$2" && pwd)
system=$directory/system
rm -rf "$system"
trap 'rm -rf "$system"' EXIT
trap 'exit 130' HUP INT TERM

system_new "$system" "$suite" >"$directory/system.log" 2>&1 || {
	tail -n 5 "$directory/system.log"
	echo "$suite: no system can be made"
	exit 77
}
sed -n 's,^    \(\./quickstart\( [a-z-]\{1\,\}\)\{0\,1\}\)  .*,\1,p' "$source/README" | head -n 2 >"$directory/commands"
test "$(wc -l <"$directory/commands")" -eq 2 || {
	echo 'README does not begin with two commands of quickstart'
	exit 1
}
for user in root maker; do
	home=$(inside "$system" "$user" 'echo "$HOME"')
	system_clone "$source" "$system" "$home/rossym"
	inside "$system" root "chown -R $user: $home/rossym"
	number=0
	while read -r command; do
		number=$((number + 1))
		log=$directory/$user-$number.log status=0
		begin=$(date +%s)
		inside "$system" "$user" "cd && cd rossym && $command" >"$log" 2>&1 </dev/null || status=$?
		echo "$suite, $user: $command: status $status, $(($(date +%s) - begin)) s$(sed -n 's/^# \(PASS\|SKIP\|FAIL\|ERROR\): */, \1 /p' "$log" | tr -d '\n')"
		test "$status" -eq 0 || {
			tail -n 60 "$log"
			exit 1
		}
		! grep '^skipped ' "$log" | grep -v -e ': not root$' -e ': files of others are not here$' -e ': Linux refuses it here without a sandbox$' || {
			echo "$suite, $user: tests were skipped"
			exit 1
		}
	done <"$directory/commands"
done
cat "$directory"/*-2.log | grep '^# \(PASS\|SKIP\|FAIL\):' >"$directory/counts"
