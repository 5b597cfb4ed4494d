# SPDX-License-Identifier: GPL-2.0-or-later
#
# Which processes the programs start, and which files they open, as strace sees it: rossym-addr2line reads an image without a table in
# its own process, and rossym-log in a process for each.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"

test -z "${RUNNER-}" || skip_all 'for programs of this system'
need strace
strace -qq -f -o trace true 2>/dev/null || skip_all 'strace may not trace'

small_image x.exe
cp "$DATA/dwarf32.nostrip.exe" plain.exe
sed 's/\.debug_/.xebug_/g' plain.exe >separate.exe
cp plain.exe separate.dbg
cp -r "$DATA/made/hostile-contained/split" split || exit 99

traced () {
	ASAN_OPTIONS=detect_leaks=0 strace -qq -f -e trace=execve,execveat,openat,clone,clone3,fork,vfork -o trace "$@"
}
# Prints how many programs were started, and how many processes or threads.
started () {
	echo "$(grep -c -e 'execve(' -e 'execveat(' trace) $(grep -c -e clone -e fork trace)"
}

traced rossym-addr2line -f -e x.exe 401010 >/dev/null
check 'an image with a table: one program, one process' started <<'END'
1 0
END
ok "... and nothing is loaded or opened for others" sh -c "! grep openat trace | grep -e rossym-embed -e debug -e pdb -e libz"
for image in plain.exe separate.exe "$DATA/stabs32.nostrip.exe"; do
	ok "${image##*/}: there is an answer" traced rossym-addr2line -f -i -e "$image" 4015cb 401720
	check '... of one program and one process' started <<-'END'
		1 0
	END
	ok '... for which no library is loaded that decompresses' sh -c '! grep -e libz.so -e libzstd trace'
done
split=split/split.exe
ok 'split DWARF: there is an answer' traced rossym-addr2line -f -e $split "$(rossym-embed --table-only $split table && rossym-addr2line --dump -e table |
	sed -n 's/^\(0x[^	]*\)	[1-9].*/\1/p' | head -n 1)" --rva
check '... of one program and one process' started <<'END'
1 0
END
ok '... which has opened the .dwo file' grep 'openat.*\.dwo' trace
traced rossym-addr2line --no-debug-info -f -e plain.exe 4015cb 2>/dev/null
check '--no-debug-info' started <<'END'
1 0
END
addresses () {
	rossym-embed --table-only plain.exe table && rossym-addr2line --dump -e table | sed -n 's/^0x\([^	]*\)	[1-9].*/\1/p'
}
addresses >rvas
traced rossym-addr2line --rva -f -e plain.exe <rvas >said
ok 'many addresses have answers' test "$(grep -c '^/src/' said)" -gt 50
check '... of one program and one process' started <<'END'
1 0
END

# rossym-log: one program, a process that forks, and one for each image.
mkdir modules
cp plain.exe modules
cp "$DATA/dwarf64.nostrip.exe" modules/other.exe
for rva in 15cb 1720 1610; do echo "<plain.exe:$rva> <other.exe:$rva>"; done >log
traced rossym-log -d modules <log >said
ok 'rossym-log: two modules have answers' test "$(tr '>' '\n' <said | grep -c '(/src/')" = 6
check '... of one program, and a process each' started <<'END'
1 3
END

done_testing
