#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# packages.sh SOURCE DIRECTORY	builds Debian packages of the commit that the checkout SOURCE is at, and uses them
#
# Both happen in new systems, which debootstrap makes in DIRECTORY: the first has what Build-Depends names and nothing else, and
# builds as an ordinary user, with all tests; lintian may find nothing.  The second has the packages, and what their users install
# to compile; there tests/tools/installed.sh follows the documentation.
#
# Needs root, debootstrap, git, unshare, the network, 2 GB of disk and 15 minutes.  MIRROR=URL names another mirror, SUITE another
# release of Debian; DEB_BUILD_OPTIONS=nocheck builds without the tests.  DIRECTORY keeps the packages and the logs; the systems
# are removed.

set -eu
src=$1
directory=$2
: "${MIRROR=}" "${SUITE:=bookworm}" "${DEB_BUILD_OPTIONS=}"
export DEB_BUILD_OPTIONS

fail () {
	echo "packages.sh: $*" >&2
	exit 1
}
test "$(id -u)" -eq 0 || fail 'not root'
for program in debootstrap git unshare; do
	command -v $program >/dev/null || fail "no $program"
done
test -z "$(git -C "$src" status --porcelain)" || fail "$src has changes that are not committed"

mkdir -p "$directory"
directory=$(cd "$directory" && pwd)
trap 'rm -rf "$directory/base" "$directory/builder" "$directory/user"' EXIT
trap 'exit 130' HUP INT TERM

# inside SYSTEM USER COMMAND: runs a shell command, with mounts and processes that end with it.
inside () {
	unshare --mount --pid --fork --kill-child --propagation private sh -c '
		mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" &&
		exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/home/maker LANG=C.UTF-8 \
			DEBIAN_FRONTEND=noninteractive DEB_BUILD_OPTIONS="$DEB_BUILD_OPTIONS" \
			chroot --userspec="$2" "$1" sh -ec "$3"' sh "$directory/$1" "$2" "$3"
}

# step NAME COMMAND...: its output goes into the log of that name, whose end is printed if it fails.
step () {
	log=$directory/$1.log
	echo "packages.sh: $1"
	shift
	"$@" >"$log" 2>&1 || {
		tail -n 60 "$log"
		fail "failed; all of it is in $log"
	}
}

new_system () {
	cp -a "$directory/base" "$directory/$1" && inside "$1" root 'useradd -m maker; apt-get update'
}
clone () {
	git clone -q --no-hardlinks "$src" "$directory/builder/home/maker/rossym" &&
		inside builder root 'chown -R maker: /home/maker/rossym'
}

rm -rf "$directory/base" "$directory/builder" "$directory/user" "$directory"/*.deb
step debootstrap debootstrap --variant=minbase "$SUITE" "$directory/base" $MIRROR
step builder new_system builder
step clone clone
step build-dep inside builder root 'cd /home/maker/rossym && apt-get build-dep -y --no-install-recommends ./'
step build inside builder maker 'cd /home/maker/rossym && dpkg-buildpackage -us -uc -b'
grep -a -E '^# (TOTAL|PASS|SKIP|FAIL|ERROR):' "$directory/build.log" | tr '\n' ' '
echo
cp "$directory"/builder/home/maker/*.deb "$directory"
step install-lintian inside builder root 'apt-get install -y --no-install-recommends lintian'
step lintian inside builder maker 'cd /home/maker && lintian --info --display-info --pedantic --fail-on error,warning,info *.changes'
cat "$directory/lintian.log"
# The directory of the build is as large as all others.
git -C "$src" archive HEAD tests >"$directory/tests.tar"
rm -rf "$directory/builder"

unpack_tests () {
	mkdir "$directory/user/home/maker/rossym" && tar -xf "$directory/tests.tar" -C "$directory/user/home/maker/rossym" &&
		rm "$directory/tests.tar" && cp "$directory"/*.deb "$directory/user/tmp" && inside user root 'chown -R maker: /home/maker/rossym'
}
step user new_system user
step tests unpack_tests
step install inside user root 'apt-get install -y --no-install-recommends /tmp/*.deb gcc g++ libc6-dev pkg-config man-db python3'
step installed inside user maker 'cd /home/maker && srcdir=rossym sh rossym/tests/tools/installed.sh'
grep -v '^ok' "$directory/installed.log" || :
echo "packages.sh: the packages are in $directory"
