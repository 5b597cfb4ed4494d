# SPDX-License-Identifier: GPL-2.0-or-later
#
# The callers in minidumps of ../shared/fixtures/dumps/wine: by the images of modules, and by the memory of the program,
# which tests/tools/fulldump.py adds.  Witnesses: the source, and winedbg where it is right.

. "${srcdir:-.}/tests/lib/tap.sh"

fulldump=$SRC/tests/tools/fulldump.py
dumps=${DUMP_FIXTURES:-$SRC/../shared/fixtures/dumps}/wine
test -d "$dumps" || skip_all 'files of others are not here'

# The crashed thread of report $1.
crashed () {
	sed -n '/(crashed)/,/^$/p' "$1"
}

# Of each mode: the functions, the innermost one first, inlined ones too; and the lines of zoo.c of the same frames: where the
# fault is, and the calls.  3 is below RaiseException(); 8 ends in the C library, whose memory is not there.
cat >modes <<\EOF
0|sum2 level3 level2 run main|33 40 120 144
1|call_null run main|44 121 144
2|leaf calls_leaf run main|49 53 122 144
3|die ends_with_call run main|60 66 123 144
4|leaf dynamic_frame run main|49 74 124 144
5|sum2 level3 big_frame run main|33 81 125 144
6|sum2 level3 level2 many_saved run main|33 40 88 126 144
7|sum2 tail_target run main|94 127 144
8|sum2 level3 level2 cmp|33 40 100
8-all|sum2 level3 level2 cmp through_qsort run main|33 40 100 105 128 144
9|call_null run main|44 129 144
10|run main|130 144
EOF
# The functions of the program of COMPILER in MODE.  As winedbg, too, has it, gcc's line of the fault is in sum2, and clang's in
# deref, which sum2 calls.
functions () {
	case $1-$2 in
	clang-[0568] | clang-8-all) printf 'deref ' ;;
	esac
	sed -n "s/^$2|\(.*\)|.*/\1/p" modes
}
lines () {
	sed -n "s/^$1|.*|//p" modes
}

# The functions that are annotated.
named () {
	crashed "$1" | sed -n 's/^ *[0-9]*  zoo[^ ]* + 0x[0-9a-f]* (\(.*\))$/\1/p' | awk '{ gsub(/, inlined by /, "\n") } 1' | sed -n 's/.*(\([a-z0-9_]*\)).*/\1/p' |
		grep -v -e '^__tmainCRTStartup$' -e '^mainCRTStartup$' | tr '\n' ' ' | sed 's/ $//'
}

# The lines that are annotated.  Clang has made one call of those of modes 1 and 9.
lined () {
	crashed annotated | grep -o 'zoo\.c:[0-9]*' | sed "s/.*://$1" | tr '\n' ' ' | sed 's/ $//'
}
has_lines () {
	case $1-$2 in
	clang-1) test "$(lined '; s/^129$/121/')" = "$(lines 1)" ;;
	*) test "$(lined '')" = "$(lines "$2")" ;;
	esac || { lined ''; echo; return 1; }
}

# The addresses in program $2 of the frames of report $1; those after a frame in another module do not count.
ours () {
	crashed "$1" | awk -v name="$2" '/^ *[0-9]+  / { if ($2 != name) exit; sub(/^0x0*/, "", $4); print $4 }'
}
theirs () {
	sed -n 's/^\(=>\|  *\)[0-9]* 0x0*14000\([0-9a-f]*\) .*/\2/p' "$1" | uniq | head -n "$2"
}

# The reports about $name.$mode; the functions and lines are those of MODE.
reports () {
	check "$name.$mode: a report" -O /dev/null sh -c "rossym-log -u -d '$dumps' '$dumps/$name.$mode.dmp' >report"
	printf '# %-16s %7d %7d\n' "$compiler $mode" "$(crashed report | grep -c '^ *[0-9][0-9]*  ')" "$(crashed report | grep -c proved)"
	rossym-log -d "$dumps" "$dumps/$name.$mode.dmp" >annotated 2>/dev/null
	named annotated >names
	want=$(functions "$compiler" "$1")
	ok "$name.$mode: $want" sh -c 'test "$(cat names)" = "$1" || { cat names; echo; exit 1; }' sh "$want"
	ok '... with their lines' has_lines "$compiler" "$1"
}

printf '# %-16s %7s %7s\n' dump frames proved
for compiler in gcc clang; do
	for mode in 0 1 2 4 5 6 8 9; do
		name=zoo-$compiler-x86_64
		reports $mode
		case $mode in
		1 | 9) continue ;; # winedbg finds no caller of what is no code
		esac
		ours report "$name.exe" >addresses
		theirs "$dumps/$name.$mode.winedbg.txt" "$(wc -l <addresses)" | sed 's/^0*//' >witness
		check "$name.$mode: the addresses of winedbg" -O witness cat addresses
	done
done

# i386: the addresses in all modules are those of winedbg, which loses its way in clang's programs and where a call went astray.
absolute () {
	awk '/^[0-9a-f]* [0-9a-f]*   / { base[$3] = $1 } /(crashed)/ { on = 1 } /^$/ { on = 0 } on && /^ *[0-9]+  / { print base[$2], $4 }' report |
		while read -r base offset; do printf '%08x\n' $((0x$base + offset)); done
}
for compiler in gcc gccnoeh clang; do
	for mode in 0 1 2 3 4 5 6 7 8 9 10; do
		name=zoo-$compiler-i686
		test "$mode" = 8 && all=8-all || all=$mode
		reports $all
		ok '... to the end of the stack' sh -c '! grep "further callers" report'
		case $compiler-$mode in
		clang-* | *-1 | *-9) continue ;;
		esac
		absolute >addresses
		sed -n 's/^\(=>\|  *\)[0-9]* 0x\([0-9a-f]*\) .*/\2/p' "$dumps/$name.$mode.winedbg.txt" | uniq >witness
		check "$name.$mode: the addresses of winedbg" -O witness cat addresses
	done
done

# By the FrameData of its PDB file, where the image has no CFI any more: in all modes, the frames of the program are the same.
mkdir frames
LC_ALL=C sed 's/\.eh_fram/.no_fram/g; s/\.debug_frame/.nobug_frame/g' "$dumps/zoo-clang-i686.exe" >frames/zoo-clang-i686.exe
cp "$dumps/zoo-clang-i686.pdb" frames
places () {
	crashed report | grep '^ *[0-9][0-9]*  '
}
for mode in 0 1 2 3 4 5 6 7 8 9 10; do
	rossym-log -u -d "$dumps" "$dumps/zoo-clang-i686.$mode.dmp" >report
	places >want
	rossym-log -u -d frames "$dumps/zoo-clang-i686.$mode.dmp" >report
	check "FrameData: zoo-clang-i686.$mode" -O want places
done
rm frames/zoo-clang-i686.pdb
rossym-log -u -d frames "$dumps/zoo-clang-i686.6.dmp" >report
ok '... for which the PDB file is needed' sh -c '! sed -n "/(crashed)/,/^$/p" report | grep -q "unwound, proved"'

# With the program's memory in the dump, no image is needed.
for compiler in gcc clang; do
	name=zoo-$compiler-x86_64
	rossym-log -u -d "$dumps" "$dumps/$name.6.dmp" >report
	crashed report >want
	"$fulldump" "$dumps/$name.6.dmp" "$dumps/$name.exe" 140000000 full.dmp
	check "$name: the memory of a program" -O /dev/null sh -c 'rossym-log -u full.dmp >report'
	crashed report >seen
	check '... has the frames of its image' -O want cat seen
done

# The other list of memory.
cases 'stacks'
if test -f "$wine/ntdll.dll" && ! grep -q 'which was not found' report || skip 'both stacks to their ends' 'there are no DLLs of Wine 8.0'; then
	for mode in 0 1 2 4 5 6 8 9 10; do
		for compiler in gcc clang; do
			test -f "$dumps/zoo-$compiler-x86_64.$mode.dmp" || continue
			rossym-log -u -d "$dumps" -d "$wine" "$dumps/zoo-$compiler-x86_64.$mode.dmp" >report 2>/dev/null
			ok "zoo-$compiler-x86_64.$mode: both stacks to their ends" sh -c '! grep "further callers" report && test "$(grep -c "^ *[0-9]*  ntdll.dll + 0x5dca8$" report)" = 2'
		done
	done
fi

done_testing
