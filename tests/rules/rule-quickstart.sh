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

stub () {
	{ echo '#!/bin/sh' && cat; } >"$1"
	chmod +x "$1"
}
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

cases 'the stubs'
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

again () {
	printf '\n== configuring in build/ again, with the same options\n'
	printf '\n== building\n'
	ends <<'EOT'
config.status --recheck
config.status
make -s -C build -j3
EOT
}

# ended TEST...: the last lines that "make check" prints for these tests; from another directory, as ./quickstart runs it
ended () {
	# An outer make's options and job server are not for this one.
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL "${MAKE:-make}" -s -C "$tap_build" check-TESTS TESTS="$*" \
		TEST_SUITE_LOG=tests/quickstart-suite.log AM_COLOR_TESTS=no 2>ended.err |
		sed -n '/^FAIL: .* passed/,/^  again/p; /^Testsuite summary/,/^# TOTAL/p; s/^\(See .*\.log\).*/\1/p'
	rm -f "$tap_build/tests/quickstart-suite.log"
}

cases 'the second one only builds'

done_testing
