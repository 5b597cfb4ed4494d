#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# path.sh DIRECTORY COMMAND...	makes DIRECTORY, a PATH with links to the programs that "make check" may use, and to no others
#
# What else is installed cannot change how such a test ends.  These are the utilities of POSIX and coreutils, what the compiler
# brings, make, python3, and the first words of the COMMANDs, which are those of the Makefile.  TEST_AWK=PROGRAM and TEST_SHELL=PROGRAM take the place of awk and sh.  A program that is not there gets no
# link: the test that needs it says so.

set -eu
directory=$1
shift
commands=
for command; do
	case $command in
	/*) ;;
	*) commands="$commands ${command%% *}" ;;
	esac
done

utilities='awk basename cat chmod chown cksum cmp comm cp cut date dd df diff dirname du echo env expand expr false file find fold
	getconf grep head iconv id join kill link ln locale ls mkdir mkfifo mktemp mv nice nl nohup od paste pathchk printf ps pwd
	readlink rm rmdir sed seq sh shuf sleep sort split stat stty sum sync tac tail tee test timeout touch tr true truncate tsort
	tty umask uname unexpand uniq unlink wc whoami xargs yes'
compilers='addr2line ar as c++filt cc gcc g++ c++ cpp ld ldd nm objcopy objdump ranlib readelf size strip'
others='getent gzip localedef make patch pkg-config python3 setpriv sha1sum tar'

# Prints the file that program $1 is.  "command -v" would name what the shell has itself.
file_of () {
	case $1 in
	/*) echo "$1" ;;
	*) echo "$PATH" | tr : '\n' | sed "s,\$,/$1," | while read -r file; do test ! -x "$file" || { echo "$file"; break; }; done ;;
	esac
}

rm -rf "$directory"
mkdir -p "$directory"
set --
for name in $(printf '%s\n' $commands $utilities $compilers $others | sort -u); do
	case $name in
	# The one in PATH may be a script that needs another shell.
	python3) file=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null) ;;
	*) file=$(file_of "$name") ;;
	esac
	test -z "$file" || set -- "$@" "$file"
done
ln -s "$@" "$directory"
test -z "${TEST_AWK-}" || ln -sf "$(file_of "$TEST_AWK")" "$directory/awk"
test -z "${TEST_SHELL-}" || ln -sf "$(file_of "$TEST_SHELL")" "$directory/sh"
