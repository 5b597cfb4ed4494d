# SPDX-License-Identifier: GPL-2.0-or-later
#
# Bare Debian systems, in which nothing is that a test forgot to name.  Source it; root, debootstrap and unshare are needed.
#
# system_needs PROGRAM...		says what is missing to make systems, and returns 1
# system_new SYSTEM SUITE		makes a bare system of release SUITE in directory SYSTEM, with a user "maker"
# system_clone SOURCE SYSTEM DIRECTORY	puts a clean clone of the checkout SOURCE into the system, as /DIRECTORY
# inside SYSTEM USER COMMAND		runs a shell command in it, with mounts and processes that end with it.  Its root is a mount, so that
#					the command can make systems, too.
#
# The archive is that of this machine's own apt, or MIRROR.  What comes from it is kept in PACKAGES, if that names a directory.
# APT_CONF is a line for apt's configuration: an old archive needs APT_CONF='Acquire::Check-Valid-Until "false";'.

: "${MIRROR=$(apt-get indextargets --format '$(SITE)' 2>/dev/null | grep /debian$ | head -n 1)}"

system_needs () {
	if test "$(id -u)" -ne 0; then
		echo 'not root'
		return 1
	fi
	for system_program in debootstrap unshare git "$@"; do
		command -v "$system_program" >/dev/null || {
			echo "no $system_program"
			return 1
		}
	done
}

inside () {
	unshare --mount --pid --fork --kill-child --propagation private sh -c '
		mount --bind "$1" "$1" && mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && mount -t devpts -o newinstance,ptmxmode=666 devpts "$1/dev/pts" &&
		exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME="$(test "$2" = root && echo /root || echo "/home/$2")" \
			LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS-}" ${http_proxy+"http_proxy=$http_proxy"} \
			chroot --userspec="$2" "$1" sh -ec "$3"' sh "$1" "$2" "$3"
}

system_new () {
	debootstrap --variant=minbase ${PACKAGES:+"--cache-dir=$PACKAGES"} "$2" "$1" ${MIRROR:+"$MIRROR"} &&
		echo "${APT_CONF-}" >"$1/etc/apt/apt.conf.d/rossym" &&
		inside "$1" root 'useradd -m -s /bin/sh maker; apt-get update -qq'
}

system_clone () {
	git clone -q --no-hardlinks "$1" "$2/$3" && chmod -R go+rX "$2/$3"
}
