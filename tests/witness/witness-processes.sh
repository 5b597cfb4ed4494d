# SPDX-License-Identifier: GPL-2.0-or-later
#
# Which processes the programs start, and which files they open, as strace sees it: rossym-addr2line reads an image without a table in
# its own process, and rossym-log in a process for each.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"

test -z "${RUNNER-}" || skip_all 'for programs of this system'
need strace
strace -qq -f -o trace true 2>/dev/null || skip_all 'strace may not trace'

traced () {
	ASAN_OPTIONS=detect_leaks=0 strace -qq -f -e trace=execve,execveat,openat,clone,clone3,fork,vfork -o trace "$@"
}
# Prints how many programs were started, and how many processes or threads.
started () {
	echo "$(grep -c -e 'execve(' -e 'execveat(' trace) $(grep -c -e clone -e fork trace)"
}

cases 'rossym-addr2line'
for image in plain.exe separate.exe "$DATA/stabs32.nostrip.exe"; do
	ok "${image##*/}: there is an answer" traced rossym-addr2line -f -i -e "$image" 4015cb 401720
	check '... of one program and one process' started <<-'END'
		1 0
	END
	ok '... for which no library is loaded that decompresses' sh -c '! grep -e libz.so -e libzstd trace'
done

addresses () {
	rossym-embed --table-only plain.exe table && rossym-addr2line --dump -e table | sed -n 's/^0x\([^	]*\)	[1-9].*/\1/p'
}

cases 'rossym-log'

done_testing
