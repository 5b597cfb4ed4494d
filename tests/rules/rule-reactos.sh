# SPDX-License-Identifier: GPL-2.0-or-later
#
# amalgamation/reactos/series.py: what it makes of a tree that has the lines it looks for, that its patches say the same, and that it
# changes nothing in another tree.  KDBG's new function prints what rossym-log adds to a log.

tap_plain=yes # for make
. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/amalgamation.sh"

need "${MAKE:-make}" python3 patch

series () {
	python3 amalgamation/reactos/series.py "$@"
}
# lines FILE: its lines are those of standard input.
lines () {
	mkdir -p "tree/$(dirname "$1")" && cat >"tree/$1"
}
# refuses NAME FILE REASON: a copy of the known tree is refused after its FILE was changed by the sed script on standard input.
refuses () {
	rm -rf tree other
	cp -R known tree
	sed -f - "known/$2" >"tree/$2"
	cp -R tree other
	check "$1" -s 1 -e "series.py: tree$3; nothing was changed" series --patches=no tree </dev/null
	check 'and stays as it is' diff -r tree other </dev/null
	ok 'without patches' test ! -e no
}
# Which rows of a backtrace check.py reads, when a frame counts as right, and that it stops at a tree without the lines that it changes.
judged () {
	python3 - <<-'EOT'
		import sys
		sys.path.insert(0, "amalgamation/reactos")
		import check
		log = """<hal.dll:1 (before.c:1 (it))>
		Entered debugger on embedded INT3
		Frames:
		[F800] <ntoskrnl.exe:1a94 (ke/a.c:5 (mix), inlined by ke/b.c:7 (f), inlined by g)>
		[F810] <hal.dll:20 (:0 (stop))>
		<ec835356>
		"""
		for text, *row in check.frames_of_kdbg(log):
		    print(text, *row)
		frame = ("f", "ke/b.c", 7)
		for witness in [("f", "ke/b.c", 7), ("", "ke/b.c", 7), ("f", "", 0), ("g", "ke/b.c", 7), ("f", "ke/c.c", 7), ("f", "ke/b.c", 8)]:
		    print(check.agrees([frame], [[witness]]), end=" ")
		print(check.agrees([frame], [[]]), check.agrees([frame, frame], [[frame]]), check.agrees([frame], [[("g", "", 0)], [frame]]))
		print(check.agrees([("f", "", 0)], [[("_f", "", 0)]]), check.agrees([("", "", 0)], [[("f", "ke/b.c", 7)]]))
		print(check.plain_name("/sdk/include/../../ntoskrnl/x.h", "/b"), check.plain_name("/b/sdk/wdm.h", "/b"), check.plain_name("??", "/b"))
		print(check.plain_function("KeBugCheck@4"), check.plain_function("f"))
		with open("asked", "w") as file:
		    file.write("no symbols\na.sys\nmodule\nhal.dll\n00001000\n00001003\t00000010\tx.c\tf\t00000005\ty.c\tg\n00001008\nend\ndone\n")
		print(check.asked("asked"))
		check.replace("./asked", r"[f]\t0+5", "g")
		print(open("asked").read().split()[-6])
		check.replace("./asked", "no such text", "")
	EOT
}

cases 'a tree'
# shellcheck disable=SC2086
if has "${CC%% *}" || skip 'KDBG' 'no compiler'; then
	cases 'its function compiles with the four files, and needs nothing else'
	./kdbg dwarf64.exe 1560 1600 >kdbg.out
	check 'rossym-log prints the same' -O kdbg.out rossym-log dwarf64.exe 1560 1600 </dev/null
	# Without the places of calls, as with -gstrict-dwarf; and a function without a line.
	printf '0x00001000\t16\tinner\tone.c\t3\t0\n0x00001000\t16\touter\t\t0\t1\n0x00001010\t16\talone\t\t0\t0\n' >rows
	cp "$DATA/dwarf64.nostrip.exe" plain.exe
	ok 'a table with unknown places' rossym-embed --from-dump=rows plain.exe unknown.exe
	./kdbg unknown.exe 1000 1010 >kdbg.out
	check 'they are printed' cat kdbg.out <<'EOT'
<unknown.exe:1000 (one.c:3 (inner), inlined by outer)>
<unknown.exe:1010 (:0 (alone))>
EOT
	check 'rossym-log prints the same' -O kdbg.out rossym-log unknown.exe 1000 1010 </dev/null
fi

done_testing
