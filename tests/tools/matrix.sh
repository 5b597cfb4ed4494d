#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# matrix.sh SOURCE DIRECTORY [ROW...]	"make check" on other systems, with other compilers, tools and surroundings
#
# Each row of the table below is a release of Debian, a compiler and what else is special: "make check" in a bare system of that
# release, which DIRECTORY keeps.  Prints a line for each: what passed, failed and was skipped, and why.  ROW is the beginning of such
# a line: "sid gcc".  The logs stay in DIRECTORY.
#
# Needs what system.sh needs, 10 GB and some hours.

set -u
# shellcheck source=tests/tools/system.sh
. "$(dirname "$0")/system.sh"
source=$1
mkdir -p "$2"
directory=$(cd "$2" && pwd)
shift 2
system_needs || exit 77

table='bookworm gcc-12
bookworm clang-14
bookworm clang-15
bookworm clang-16
bookworm clang-19
trixie gcc-13
trixie gcc-14
trixie clang-17
trixie clang-18
sid gcc-15
sid gcc-16
sid clang-19
sid clang-21
sid clang-22
bookworm gcc-12 awk=gawk
bookworm gcc-12 awk=busybox
bookworm gcc-12 shell=bash
bookworm gcc-12 environment=LC_ALL=C.UTF-8
bookworm gcc-12 environment=LC_ALL=de_DE.UTF-8
bookworm gcc-12 environment=LC_ALL=tr_TR.UTF-8
bookworm gcc-12 environment=TZ=Asia/Kathmandu
bookworm gcc-12 before=umask_077
bookworm gcc-12 before=unset_HOME
bookworm gcc-12 before=TMPDIR
bookworm gcc-12 before=no_pts
bookworm gcc-12 before=no_terminal
bookworm gcc-12 user=maker
bookworm gcc-12 path=a_blank
sid gcc-15 awk=gawk
sid gcc-15 awk=busybox
sid gcc-15 shell=bash
sid gcc-15 user=maker'

# Makes the system of release $1 with all compilers and tools of the table, unless it is there.
system_of () {
	system=$directory/$1
	test ! -e "$system.made" || return 0
	rm -rf "$system"
	compilers=$(echo "$table" | awk -v suite="$1" '$1 == suite { print $2 }' | sort -u | tr '\n' ' ')
	packages=$(sed -n "s/^build_packages='//p; s/^check_packages='//p" "$source/quickstart" | tr -d "'" | tr '\n' ' ')
	packages="$packages $(sed -n "/^build_packages='/,/'\$/p" "$source/quickstart" | sed "s/.*='//; s/'//" | tr '\n' ' ')"
	# Timezones, and locales other than C, are there only where somebody has installed them.
	{
		system_new "$system" "$1" && inside "$system" root "apt-get install -y -qq --no-install-recommends $packages $compilers \
			gawk mawk busybox bash tzdata && localedef -i de_DE -f UTF-8 de_DE.UTF-8 && localedef -i tr_TR -f UTF-8 tr_TR.UTF-8"
	} >"$system.log" 2>&1 && touch "$system.made"
}

# Runs row SUITE COMPILER [NAME=VALUE].
run () {
	suite=$1 compiler=$2 special=${3-}
	value=${special#*=} user=root place=/src variables= prefix=
	case $special in
	awk=*) variables="TEST_AWK=$value" ;;
	shell=*) variables="TEST_SHELL=$value" ;;
	environment=*) variables=$value ;;
	user=*) user=$value place=/home/$user/src ;;
	path=*) place='/a blank/src' ;;
	before=umask_077) prefix='umask 077' ;;
	before=unset_HOME) prefix='unset HOME' ;;
	before=TMPDIR) prefix='mkdir -p "/tmp/a '\''quote"; export TMPDIR="/tmp/a '\''quote"' ;;
	before=no_pts) prefix='umount /dev/pts; rm -f /dev/ptmx' ;;
	esac
	system_of "$suite" || {
		echo "$*: no system: $(tail -n 1 "$directory/$suite.log")"
		return 1
	}
	log=$directory/$(echo "$*" | tr ' /=' '---').log
	# All sources are one clean clone; another compiler gets a build of its own, and other surroundings take its programs.
	commit=$(git -C "$source" rev-parse HEAD)
	if test "$(cat "$system$place/.commit" 2>/dev/null)" != "$commit"; then
		rm -rf "${system:?}$place"
		mkdir -p "$system$place"
		git -C "$source" archive HEAD | tar -xf - -C "$system$place"
		echo "$commit" >"$system$place/.commit"
		inside "$system" root "cd '$place' && autoreconf -fi >/dev/null 2>&1; chown -R $user: '$place'" >"$log" 2>&1
	fi
	case $compiler in
	gcc*) other=$(echo "$compiler" | sed 's/gcc/g++/') ;;
	*) other=$(echo "$compiler" | sed 's/clang/clang++/') ;;
	esac
	inside "$system" "$user" "cd '$place' && mkdir -p build-$compiler && cd build-$compiler &&
		{ test -e Makefile || ../configure -q --enable-werror CC=$compiler CXX=$other CFLAGS='-g -O0'; } &&
		make -s -j2 && make -s -j2 check-programs" >>"$log" 2>&1 </dev/null || {
		echo "$*: does not build: $(grep -a -m 1 -i 'error' "$log")"
		return 1
	}
	inside "$system" "$user" "cd '$place/build-$compiler' && rm -f tests/path.stamp
		${prefix:-:}
		${variables:+export $variables}
		make -s -j2 check ${variables:+$(test "${special%%=*}" != shell || echo "SH_LOG_COMPILER=/bin/$value")}" >>"$log" 2>&1 </dev/null
	sed -n 's/^# \(PASS\|FAIL\|SKIP\|ERROR\): *//p' "$log" | tr '\n' ' ' |
		awk -v row="$*" '{ printf "%s: %d passed, %d failed, %d skipped", row, $1, $3 + $4, $2 }'
	sed -n 's/^skipped \(.*\)/; skipped \1/p' "$log" | tr -d '\n'
	echo
	sed -n '/^FAIL: [^:]* [0-9]/s/^/	/p; /^ERROR: [^:]* /s/^/	/p' "$log"
}

echo "$table" | {
	while read -r row; do
		case $row in
		"${1-}"*)
			# shellcheck disable=SC2086
			run $row
			;;
		esac
	done
}
