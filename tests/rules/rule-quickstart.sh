# SPDX-License-Identifier: GPL-2.0-or-later
#
# What ./quickstart runs, and when: in a tree of stubs, with a package manager that only keeps a list.  What "make check" prints at
# its end.

tap_plain=yes # for make
. "${srcdir:-.}/tests/lib/tap.sh"

if on_windows; then
	skip_all 'quickstart is for the system that builds'
fi

# ------------------------------------------------------------------------------------------------ the stubs

# Each program that changes something writes a line to "log".
mkdir -p bin tree/src tree/tests
work=$(pwd)
export work # for the stubs
cp "$SRC/quickstart" tree/quickstart
chmod +x tree/quickstart
touch tree/configure.ac tree/Makefile.am tree/src/rossym.h

stub () {
	{ echo '#!/bin/sh' && cat; } >"$1"
	chmod +x "$1"
}

stub bin/id <<'STUB'
echo 0
STUB
stub bin/getconf <<'STUB'
echo 3
STUB
# The status and name of each package of the list, as the real one with this format; unknown names go to stderr.
stub bin/dpkg-query <<'STUB'
test "$1 $2 $3" = '-W -f ${db:Status-Status} ${Package}\n' || exit 2
shift 3
installed=" $(tr '\n' ' ' <"$work/installed")"
for package; do
	case $installed in
	*" $package "*) echo "installed $package" ;;
	*) echo "dpkg-query: no packages found matching $package" >&2 ;;
	esac
done
exit 1
STUB
stub bin/apt-get <<'STUB'
echo "apt-get $1" >>"$work/log"
test "$1" = install || exit 0
for package; do
	case $package in
	install | -*) ;;
	*) echo "$package" >>"$work/installed" ;;
	esac
done
STUB
stub bin/apt-cache <<'STUB'
case $2 in
genisoimage | llvm-19) exit 100 ;;
esac
STUB
stub bin/autoreconf <<'STUB'
echo "autoreconf $1" >>"$work/log"
cp "$work/configure" configure
STUB
stub configure <<'STUB'
echo configure >>"$work/log"
cp "$work/config.status" config.status
STUB
stub config.status <<'STUB'
echo "config.status${1+ $1}" >>"$work/log"
touch config.status
STUB
stub bin/make <<'STUB'
echo "make $*" >>"$work/log"
mkdir -p build/src
cp "$work/addr2line" build/src/rossym-addr2line
STUB
stub addr2line <<'STUB'
echo "$*:"
sed 's/^/answer to /'
STUB

# Run quickstart, and then print what it ran.
run () {
	: >"$work/log"
	(cd "$work/tree" && PATH=$work/bin:$PATH ./quickstart "$@")
	status=$?
	echo '== it ran:'
	cat "$work/log"
	return $status
}

# What it prints at the end of each run, and then what it ran: standard input.
ends () {
	cat <<'EOT'

== a backtrace of tests/data/dwarf32.exe, as ReactOS's kernel debugger prints it:
<dwarf32.exe:1640>
<dwarf32.exe:16c7>
<dwarf32.exe:16e5>
<dwarf32.exe:176d>
<dwarf32.exe:3022>
<dwarf32.exe:15ba>
<dwarf32.exe:15df>

== answered by: rossym-addr2line -fp -e tests/data/dwarf32.exe
-fp -e tests/data/dwarf32.exe:
answer to <dwarf32.exe:1640>
answer to <dwarf32.exe:16c7>
answer to <dwarf32.exe:16e5>
answer to <dwarf32.exe:176d>
answer to <dwarf32.exe:3022>
answer to <dwarf32.exe:15ba>
answer to <dwarf32.exe:15df>

== the program is build/src/rossym-addr2line; the README says what it can do
== it ran:
EOT
	cat
}

# ------------------------------------------------------------------------------------------------ runs

printf '%s\n' autoconf automake gcc libc6-dev libtool make pkg-config >installed
{
	cat <<'EOT'

== installing binutils-dev libarchive-dev libiberty-dev libzstd-dev zlib1g-dev

== making configure

== configuring in build/

== building
EOT
	ends <<'EOT'
apt-get update
apt-get install
autoreconf -fi
configure
make -s -C build -j3
EOT
} >first
check 'the first run installs what is missing, libbfd too, then configures and builds' -O first run </dev/null

{
	printf '\n== building\n'
	echo 'make -s -C build -j3' | ends
} >later
check 'the second one only builds' -O later run </dev/null

again () {
	printf '\n== configuring in build/ again, with the same options\n'
	printf '\n== building\n'
	ends <<'EOT'
config.status --recheck
config.status
make -s -C build -j3
EOT
}
# Somebody configured before the library was there: what the last run has seen is not what is there.
sed '/libiberty-dev/d' tree/build/libraries >other
cp other tree/build/libraries
again >recheck
check 'a library that was installed since is found' -O recheck run </dev/null
check 'once' -O later run </dev/null
rm tree/build/libraries
check 'a tree that was configured by hand is checked once' -O recheck run </dev/null
check 'and then is as any other' -O later run </dev/null

sed '/zlib1g-dev/d' installed >other
cp other installed
{
	printf '\n== installing zlib1g-dev\n\n== building\n'
	printf 'apt-get update\napt-get install\nmake -s -C build -j3\n' | ends
} >back
check 'a library that was taken away is installed; then nothing has changed' -O back run </dev/null
check 'engines: their packages are installed, and their tests run' run engines <<'EOT'

== installing munge openssh-client openssh-server parallel slurm-wlm

== building

== running the tests with engines
== it ran:
apt-get update
apt-get install
make -s -C build -j3
make -s -C build check-engines
EOT

touch -t 200001010000 tree/configure tree/build/config.status
touch tree/Makefile.am
{
	printf '\n== making configure\n'
	again | sed 's,^config.status --recheck$,autoreconf -fi|&,' | tr '|' '\n'
} >remade
check 'a changed configure.ac makes configure, which runs with the options that the tree has' -O remade run </dev/null
check 'once: a changed Makefile.am is for make' -O later run </dev/null

echo VERSION_CODENAME=trixie >os-release
OS_RELEASE=$work/os-release
export OS_RELEASE
check 'windows: where this is not Debian 12, what is needed' -s 1 -e "\
./quickstart: the zips have libraries of Debian 12, and its compilers make them; this system is another one.
./quickstart: a Debian 12 in a directory will do.  As root:
    debootstrap bookworm DIRECTORY && cp -R . DIRECTORY/rossym
    chroot DIRECTORY sh -c 'mount -t proc proc /proc; cd /rossym && ./quickstart windows'" run windows <<'EOT'
== it ran:
EOT
echo VERSION_CODENAME=bookworm >os-release
check 'windows: more packages, and zips instead of a backtrace' run windows <<'EOT'

== installing ca-certificates dpkg-dev gcc-mingw-w64-i686-win32 gcc-mingw-w64-x86-64-win32 mandoc zip

== building

== making build/rossym-*-windows-*.zip
== it ran:
apt-get update
apt-get install
make -s -C build -j3
make -s -C build -j3 dist-windows
EOT

dist_windows () {
	env -u MAKEFLAGS PATH="$work/none" "$(command -v "${MAKE:-make}")" -s -f "$SRC/windows/dist.mk" needed
}
check 'without them, make dist-windows names programs' -s 2 -g 'dist-windows: these programs are missing: apt-get dpkg-source mandoc zip '\
'i686-w64-mingw32-gcc x86_64-w64-mingw32-gcc; on Debian 12, ./quickstart windows installs them*' dist_windows </dev/null

# ------------------------------------------------------------------------------------------------ the end of make check

echo "echo 'ok 1 - good'; echo 'not ok 2 - bad'; echo '# command: x'; echo 'ok 3 # SKIP part: no strace'; echo '1..3'" >broken.sh
echo "echo 'ok 1 - good'; echo '1..1'" >sound.sh
# ended TEST...: the last lines that "make check" prints for these tests; from another directory, as ./quickstart runs it
ended () {
	# An outer make's options and job server are not for this one.
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL "${MAKE:-make}" -s -C "$tap_build" check-TESTS TESTS="$*" \
		TEST_SUITE_LOG=tests/quickstart-suite.log AM_COLOR_TESTS=no 2>ended.err |
		sed -n '/^FAIL: .* passed/,/^  again/p; /^Testsuite summary/,/^# TOTAL/p; s/^\(See .*\.log\).*/\1/p'
	rm -f "$tap_build/tests/quickstart-suite.log"
}
line=============================================================================
check 'what a failed file says; the end has what failed, what was skipped, and the whole path of the log' \
	ended "$work/broken.sh" "$work/sound.sh" <<EOT
FAIL: $work/broken.sh: 1 passed, 1 failed, 1 skipped
  not ok 2 - bad
  # command: x
  again: make check TESTS=$work/broken.sh
Testsuite summary for rossym $(rossym-log --version | sed -n '1s/.* //p')
FAIL: $work/broken.sh 2 - bad
skipped 1 in broken: no strace; Debian: strace
$line
# TOTAL: 4
See $tap_build/tests/quickstart-suite.log
EOT
check 'nothing if none failed' ended "$work/sound.sh" <<EOT
Testsuite summary for rossym $(rossym-log --version | sed -n '1s/.* //p')
$line
# TOTAL: 1
EOT

# ------------------------------------------------------------------------------------------------ without apt-get or root

stub bin/id <<'STUB'
echo 1000
STUB
stub bin/sudo <<'STUB'
echo "sudo $1 $2 $3" >>"$work/log"
exit 1
STUB
sed '/zlib1g-dev/d' installed >other
cp other installed
check 'sudo installs for others; if it fails, so does all' -s 1 run <<'EOT'

== installing zlib1g-dev
== it ran:
sudo apt-get update -qq
EOT
check 'an unknown word' -s 1 -e 'usage: ./quickstart [check | check-witness | engines | windows]' run cheque <<'EOT'
== it ran:
EOT

done_testing
