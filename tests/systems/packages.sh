#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# packages.sh SOURCE DIRECTORY	builds Debian packages of the commit that the checkout SOURCE is at, and uses them
#
# Both happen in new systems, which debootstrap makes in DIRECTORY: the first has what Build-Depends names and nothing else, and
# builds as an ordinary user, with all tests; lintian may find nothing.  The second has the packages, and what their users install
# to compile; there tests/systems/installed.sh follows the documentation.
#
# Needs root, debootstrap, git, unshare, the network, 2 GB of disk and 15 minutes.  MIRROR=URL names another mirror, SUITE another
# release of Debian; DEB_BUILD_OPTIONS=nocheck builds without the tests.  DIRECTORY keeps the packages and the logs; the systems
# are removed.

set -eu
src=$1
directory=$2
: "${SUITE:=bookworm}" "${DEB_BUILD_OPTIONS=}"
export DEB_BUILD_OPTIONS
# shellcheck source=tests/systems/system.sh
. "$(dirname "$0")/system.sh"

fail () {
	echo "packages.sh: $*" >&2
	exit 1
}
missing=$(system_needs) || fail "$missing"
test -z "$(git -C "$src" status --porcelain)" || fail "$src has changes that are not committed"

mkdir -p "$directory"
directory=$(cd "$directory" && pwd)
trap 'rm -rf "$directory/base" "$directory/builder" "$directory/user"' EXIT
trap 'exit 130' HUP INT TERM

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

in_system () {
	inside "$directory/$1" "$2" "$3"
}
new_system () {
	cp -a "$directory/base" "$directory/$1"
}
clone () {
	system_clone "$src" "$directory/builder" home/maker/rossym &&
		in_system builder root 'chown -R maker: /home/maker/rossym'
}

rm -rf "$directory/base" "$directory/builder" "$directory/user" "$directory"/*.deb
step debootstrap system_new "$directory/base" "$SUITE"
step builder new_system builder
step clone clone
step build-dep in_system builder root 'cd /home/maker/rossym && apt-get build-dep -y --no-install-recommends ./'
step build in_system builder maker 'cd /home/maker/rossym && dpkg-buildpackage -us -uc -b'
grep -a -E '^# (TOTAL|PASS|SKIP|FAIL|ERROR):' "$directory/build.log" | tr '\n' ' '
echo
cp "$directory"/builder/home/maker/*.deb "$directory"
step install-lintian in_system builder root 'apt-get install -y --no-install-recommends lintian'
step lintian in_system builder maker 'cd /home/maker && lintian --info --display-info --pedantic --fail-on error,warning,info *.changes'
cat "$directory/lintian.log"
# The directory of the build is as large as all others.
git -C "$src" archive HEAD tests >"$directory/tests.tar"
rm -rf "$directory/builder"

unpack_tests () {
	mkdir "$directory/user/home/maker/rossym" && tar -xf "$directory/tests.tar" -C "$directory/user/home/maker/rossym" &&
		rm "$directory/tests.tar" && cp "$directory"/*.deb "$directory/user/tmp" && in_system user root 'chown -R maker: /home/maker/rossym'
}
step user new_system user
step tests unpack_tests
step install in_system user root 'apt-get install -y --no-install-recommends /tmp/*.deb gcc g++ libc6-dev pkg-config man-db python3'
step installed in_system user maker 'cd /home/maker && srcdir=rossym sh rossym/tests/systems/installed.sh'
grep -v '^ok' "$directory/installed.log" || :
echo "packages.sh: the packages are in $directory"
