# SPDX-License-Identifier: GPL-2.0-or-later
#
# What lines of the sources the test suite reaches: a build of its own in coverage/, the tests, and lcov's figures, for each
# file in coverage/files.  Made by "make coverage", which gives SRC and MAKE; COVERAGE_JOBS is how many jobs run at once.

set -eu
for tool in lcov gcov; do
	command -v $tool >/dev/null || { echo "make coverage: no $tool" >&2; exit 1; }
done
unset MAKEFLAGS MFLAGS MAKELEVEL
jobs=${COVERAGE_JOBS-$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)}
rm -rf coverage
mkdir coverage
cd coverage

# Threads must not lose counts.
"$SRC/configure" --disable-shared CFLAGS="-g -O0 --coverage -fprofile-update=atomic -include $SRC/tests/tools/coverage.h" >log
"$MAKE" -s -j"$jobs" >>log
# Programs that count write files when they end, and complain on stderr if they cannot: a test that lets a program run with
# a limit fails here and nowhere else.  So failures are shown, and the figures are printed.  Somebody else may write them.
umask 0
"$MAKE" -s -j"$jobs" check >check.log 2>&1 || grep -E '^(FAIL|ERROR)' check.log || :
grep -E '^# (TOTAL|PASS|SKIP|FAIL|ERROR):' check.log | tr '\n' ' '
echo

# The programs under test only, not the tests.
lcov --quiet --capture --directory . --base-directory "$SRC" --output-file all >>log 2>&1
lcov --quiet --remove all '/usr/*' '*/tests/*' --output-file sources >>log 2>&1
lcov --quiet --extract sources '*/src/lib/*' --output-file lib >>log 2>&1
lcov --list sources >files 2>>log

lines_of () {
	lcov --summary "$1" 2>/dev/null | sed -n 's/^ *lines\.*: *//p'
}
echo "src/lib: $(lines_of lib)"
echo "all:     $(lines_of sources)"
