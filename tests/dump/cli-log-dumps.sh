# SPDX-License-Identifier: GPL-2.0-or-later
#
# Crash dumps as logs: the report of tests/tools/mkdump's minidumps, and of those that others have made, as other programs read them.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"

mkdump=$tap_build/tests/tools/mkdump
image () {
	build "$1" <<-END
		pe32 base=0x400000 stamp=$2
		section .text rva=0x1000 size=0x1000 raw=0 flags=code
		rossym rva=0x2000
		row 0x1000 start a.c 1
		row 0x1010 crash a.c 7
	END
}
symbols () {
	rossym-log "$@" x86.dmp 2>/dev/null | sed -n 's/.*5db90293.* 7 (/(/p'
}

test -x "$mkdump" || skip_all 'tests/tools/mkdump runs on another system'
cases 'the place of the crash'
if has timeout && ! on_windows; then
	mkfifo named
	check 'a named pipe as an operand' -O a.log sh -c 'cat a.log >named & timeout 60 rossym-log -u named'
fi
for begin in '' M MDM MDMQ P PAGEDU6 'PAGEDU65 <app.exe:1000>'; do
	printf '%s\nnext line\n' "$begin" >text.log
	check "a log in a pipe that begins with \"$begin\"" -O text.log sh -c 'cat text.log | rossym-log -u -d sym'
	printf '%s' "$begin" >text.log
	check '... and has nothing else' -O text.log sh -c 'cat text.log | rossym-log -u -d sym'
done
if test "${HAVE_LIBARCHIVE:-yes}" = yes || skip 'dumps in a zip' 'built without libarchive'; then
	cases 'dumps in a zip'
	mkcab dumps.cab inner/b.mdmp && check 'a dump in a cabinet' -O want rossym-log -d sym dumps.cab
	rm inner/c.dmp
	for tens in 0 1 2 3 4 5 6 7; do
		for n in 0 1 2 3 4 5 6 7; do cp x86.dmp inner/$tens$n.dmp; done
	done
	cases 'more dumps in an archive than are read'
fi
for processor in amd64 arm64; do
	"$mkdump" $processor $processor.dmp
	ok "$processor: the place of the crash" sh -c "rossym-log -d sym $processor.dmp | grep -qx ' 0  app.exe + 0x1010 (a.c:7 (crash))'"
done

# A module that is no longer loaded has answers, too, of its build.
unloaded () {
	rossym-log "$@" unloaded.dmp 2>/dev/null | grep -A1 gone | grep -v -e '^--' -e '^$'
}

cases 'a module that was unloaded'
if srcdir=$SRC UNWIND_KEEP=made MUTATIONS=0 "$tap_build/tests/dump/unit-unwind-arm64" >/dev/null 2>&1 ||
	skip 'arm64: a caller' 'tests/dump/unit-unwind-arm64 runs on another system'; then
	mv made/arm64 made/app.exe
	"$mkdump" arm64 stack.dmp 0x540 8 0x544 0 0x548 0x40001050 0x54c 1 0x328 0x40002004 0x32c 1
	callers () {
		rossym-log -u "$@" | sed -n '/(crashed)/,/^$/p' | grep -v ' = '
	}
	cases 'arm64: a caller'
fi

# A dump has DateStamps.  As text, it would be a log without frames.
cases '--builds'
if ! test -d "$dumps"; then
	skip 'real dumps' 'files of others are not here'
	done_testing
	exit
fi

# What minidump_stackwalk says about DUMP, without the frames that it scans for: the modules, and where each thread is.
seen_by_others () {
	awk '/^Loaded modules:/ { modules = 1; next }
	     modules && /^0x/ { sub(/^0x0*/, ""); print "module", $1, $4 }
	     /^Thread / { print "thread", $2, ($3 == "(crashed)" ? "crashed" : ""); first = 1 }
	     /^ 0  / && first { print $2, $3, $4; first = 0 }' "$1" | sort
}
seen () {
	awk '/^start / { modules = 1; next }
	     /^$/ { modules = 0 }
	     modules { sub(/^0*/, ""); print "module", $1, $3 }
	     /^Thread / { sub(/,/, "", $2); print "thread", $2, ($3 == "(crashed)," ? "crashed" : "") }
	     /^ 0  / { print $2, $3, $4 }' "$1" | sort
}
agrees () {
	rossym-log -u "$1" >report && seen report >ours && seen_by_others "${1%.dmp}.breakpad-nosym.txt" >theirs && test -s theirs &&
		test "$(grep -c '^module' ours)" -eq "$(grep -c '^module' theirs)" || return 1
	# It says nothing about a thread that was only there to write the dump.
	comm -23 theirs ours >missing
	test ! -s missing || { cat missing; return 1; }
}
for dump in "$dumps"/*/*.dmp; do
	test ! -f "${dump%.dmp}.breakpad-nosym.txt" || ok "${dump##*/}: as minidump_stackwalk" agrees "$dump"
done

# The place of each crash with symbols, as winedbg has it.  What it says at places outside of the images is that there is no module.
place () {
	rossym-log -u "$1" >report || return 1
	ours=$(sed -n '/(crashed)/ { n; s/^ 0  \([^ ]*\)\.\(exe\|dll\) + 0x\([0-9a-f]*\).*/\1 \3/p; s/^ 0  0x\([0-9a-f]*\) in no module/none \1/p; }' report)
	theirs=$(sed -n 's/^=>0 0x\([0-9a-f]*\) .* in \([^ ]*\) ([0-9a-fx]*)$/\2 \1/p; s/^=>0 0*x*\([0-9a-f]*\) ([0-9a-fx]*)$/none \1/p' "${1%.dmp}.winedbg.txt")
	base=$(sed -n "s/^\([0-9a-f]*\)  *[0-9a-f]*  *${theirs%% *}\.[de][lx][le] .*/\1/p" report)
	test -n "$theirs" && test "${ours%% *}" = "${theirs%% *}" &&
		test $((0x0${ours##* } + 0x${base:-0})) -eq $((0x0${theirs##* })) || { echo "$ours, not $theirs"; return 1; }
}
line () {
	rossym-log -d "$dumps/wine" "$1" 2>/dev/null | grep -q '^ 0  zoo-[^ ]*\.exe + 0x[0-9a-f]* (.*inner\.h:11 (sum2), inlined by .*zoo\.c:33 (level3))'
}
for dump in "$dumps"/wine/*.dmp; do
	test ! -s "${dump%.dmp}.winedbg.txt" || ok "${dump##*/}: as winedbg" place "$dump"
	case $dump in
	*-gcc*.0.dmp) ok "${dump##*/}: line and inlined call" line "$dump" ;;
	esac
done

# What is no list of anything.
for name in invalid-range invalid-record-count; do
	ok "$name.dmp" sh -c "rossym-log -u '$dumps/rust-minidump/$name.dmp' >output 2>errors; test \$? = 1 && test -s errors"
done

done_testing
