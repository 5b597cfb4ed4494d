# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the code before return addresses tells: which build a log fits that names none, and " - no call here".

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/logs.sh"

# says NAME TEXT [OPTION...] COMMAND...: check, with TEXT as printf's %b writes it on standard output
says () {
	says=$1
	printf '%b' "$2" >said.want
	shift 2
	check "$says" -O said.want "$@"
}

# Function K of build N of a.sys begins at 0x1000 + 0x100 * K and calls function K - 1, or that which begins at TARGET.
# site N K: the return address of that call.
site () { echo $((0x1000 + 0x100 * $2 + 0x20 + 7 * $1 + 5)); }
call () {
	call_site=$(site "$1" "$2")
	call_target=${3-$((0x1000 + 0x100 * ($2 - 1)))}
	printf 'poke data:.text+%d e8 u32=%d\n' $((call_site - 0x1000 - 5)) $(((call_target - call_site) & 0xffffffff))
}
# code FILE N [MACHINE]: a.sys of build N
code () {
	mkdir -p "${1%/*}"
	{
		printf '%s base=0x10000\nsection .text rva=0x1000 size=0x1000 raw=0x1000 flags=code\nrossym\n' "${3-pe32}"
		for k in 0 1 2 3 4 5 6 7 8 9; do printf 'row 0x1%d00 f%d f.c %d\n' $k $k $((10 * $2 + k)); done
		for k in 1 2 3 4 5 6 7 8 9; do call "$2" $k; done
	} | build "$1"
}
# tree DIRECTORY N: build N with a kernel; bare DIRECTORY N: without one
tree () {
	kernel "$1/ntoskrnl.exe" "kernel$2" "$(build_name "$2").GNU_12.2.0" "(%s:%d) $(banner "$2")"
	code "$1/a.sys" "$2"
}
bare () { code "$1/a.sys" "$2"; }
# rows64 N FROM TO, rows32 N FROM TO: KDBG's stack in build N, without annotations
rows64 () {
	printf 'kdb:> bt\nFrames:\n[FFFFF88003CFB000] <a.sys:%x>\n' $((0x1001 + 0x100 * ($2 - 1)))
	for k in $(seq "$2" "$3"); do printf '[FFFFF88003CFB%d00] <a.sys:%x>\n' "$k" "$(site "$1" "$k")"; done
}
rows32 () {
	printf 'kdb:> bt\nEip:\n<a.sys:1001>\nFrames:\n'
	for k in $(seq "$2" "$3"); do printf '<a.sys:%x>\n' $(($(site "$1" "$k") - 5)); done
}
# place DIRECTORY N FITS: a line of --builds
place () { printf '%s\t0.4.17-x86-dev\t%s\t%s\t%d\n' "$1" "$(build_name "$2")" "$(build_commit "$2")" "$3"; }

for n in 1 2 3; do tree trees/$n $n; done
rows64 2 1 9 >log64
rows32 2 1 9 >log32

# --------------------------------------------------------------------------------------------- --builds with a log
{
	echo "9 of 9 frames fit build $(build_name 2); next best 0 of 9"
	place trees/2 2 9
	place trees/1 1 0
	place trees/3 3 0
} >want
cases '--builds: KDBG on x64'
{
	sed 's/^9 of/log64: 9 of/' want
	echo 'text: no frames that could show a build'
} >wants
# f2 calls g, or what jumps from there, or code without a name.
# odd DIRECTORY LINE...: an image with these lines
odd () {
	mkdir -p "odd/$1"
	{
		printf 'pe32 base=0x10000\nsection .text rva=0x1000 size=0x1000 raw=0x1000 flags=code\n'
		printf '%s\n' "$2"
		call 1 1
		call 1 2 $((0x1500))
		printf '%s\n' "$3"
	} | build "odd/$1/a.sys"
}
fits () { rossym-log --builds -d odd/function -d odd/jump -d odd/nameless "$@" | sed 1d | sort | cut -f1,5; }
# --------------------------------------------------------------------------------------------- the filter
# answered N: log64 with answers of build N.  Row 0 is exact, of the others the byte before counts.
answered () {
	printf 'kdb:> bt\nFrames:\n[FFFFF88003CFB000] <a.sys:1001 (f.c:%d (f0))>\n' $((10 * $1))
	for k in 1 2 3 4 5 6 7 8 9; do
		printf '[FFFFF88003CFB%d00] <a.sys:%x (f.c:%d (f%d))>\n' $k "$(site 2 $k)" $((10 * $1 + k)) $k
	done
}

cases 'two logs, one without addresses'
for n in 1 2 3; do bare bare/$n $n; done
# undecided WHAT LOG OPTION...: the filter does not use what it finds, and answers as without: of trees/1.
undecided () {
	what=$1
	log=$2
	shift 2
	STATUS=0
	rossym-log "$@" <"$log" >seen 2>said
	cat "$log" | rossym-log "$@" >expected 2>/dev/null
	check "$what: not used" sh -c 'cmp seen expected && ! grep names said'
}

cases 'a place without a kernel is a build, too'
{ printf 'pe32 base=0x10000\nsection .text rva=0x1000 size=0x1000 raw=0x1000 flags=code\nrossym\nrow 0x1000 f f.c 1\n'
	for k in 1 2 3 4 5; do call 2 $k; done; } | build half/1/a.sys
undecided 'another build fits five of nine' log64 -d half
undecided 'the log names its build' banner.log -d trees
{ printf '*** a.sys - Address 80011006 base at 80010000, DateStamp 12345678\n'; cat log64; } >stamp.log
undecided 'it has a DateStamp' stamp.log -d trees

# --------------------------------------------------------------------------------------------- " - no call here"
sed 's/ (f0))>/&/; /FB[1-9]00/s/))>/) - no call here)>/' want | sed 's/f.c:2/f.c:1/' >marked
check 'return addresses of another build' -O marked rossym-log -d trees/1 log64
check '... -u removes the mark, too' -O log64 rossym-log -u marked
check '... -U with the right image' -O want rossym-log -U -d trees/2 marked
says '... the mark of another build comes first' "$(banner 2)\nFrames:\n[FFFFF88003CFB100] <a.sys:1133 (f.c:11 (f1) - other build)>\n[FFFFF88003CFB100] <a.sys:1133 (f.c:11 (f1) - other build - no call here)>\n" -e "rossym-log: warning: the log is of ReactOS $(banner 2 | sed 's/^ReactOS //'), but trees/1/a.sys is of ReactOS $(banner 1 | sed 's/^ReactOS //'): answers from another build are marked, and may be wrong" \
	-i "$(banner 2)\nFrames:\n[FFFFF88003CFB100] <a.sys:1133>\n[FFFFF88003CFB100] <a.sys:1133>\n" rossym-log -d trees/1
says 'as JSON' '9\n' sh -c 'rossym-log -d trees/1 --format=json log64 | grep -c "\"no_call\":true"'
says '... not of an exact address' '1\n' sh -c 'rossym-log -d trees/1 --format=json log64 | grep -c "\"line\":3,.*\"function\":\"f0\"}.}$"'
says 'on a page' '9\n' sh -c 'rossym-log -d trees/1 --format=html log64 | grep -c "<span class=.note.>[^<]*no call here"'
{ printf '*** Fatal System Error: 0x0000000a\n                       (0x1,0x2,0x0,0x4)\n\n'; cat log64; } >crash.log
{ sed 3q crash.log; cat marked; } >crash.marked
says 'in a crash' '     1  return  f1 (f.c:11) in a.sys - no call here\n' sh -c 'rossym-log -d trees/1 --crashes crash.log | grep "^     1"'
says '... from an annotation that stays' '     1  return  f1 (f.c:11) in a.sys - no call here\n' sh -c 'rossym-log --crashes crash.marked | grep "^     1"'
says 'log2lines has no marks' '0\n' sh -c 'log2lines -d trees/1 log64 2>/dev/null | grep -c "no call"; :'
rossym-log -d trees/2 log32 >plain32
says 'KDBG on i386: what it has corrected is after a call' '0\n' sh -c 'grep -c "no call" plain32; :'
says '... or is not' '9\n' sh -c 'rossym-log -d trees/1 log32 | grep -c "no call here)>"'
says '... before 2010 it corrected nothing' '0\n' sh -c 'sed 1,4d rows | sed "1i\\
Eip:\\
<a.sys:1001>\\
Frames:
s/.* //" | rossym-log -d trees/2 | grep -c "no call"; :'
mkdir kinds arm gone
{ printf 'pe32 base=0x10000\nsection .text rva=0x1000 size=0x100 flags=code\nrossym\nrow 0x1000 _KiTrap0E a.s 1\nrow 0x1040 f a.c 2\nrow 0x1080 KiFastCallEntry a.c 3\n'
	printf 'poke data:.text+%d %s\n' 0x20 'ff d0' 0x40 'ff 55 08' 0x50 'ff 14 24' 0x58 'ff 15 00 10 01 00' 0x60 'cd 2e' 0x68 '0f 34' 0x70 '0f 05' 0x78 'e8 00 00 00 7f'; } |
	build kinds/k.sys
# kinds RVA...: how many of these return addresses are after no call
kinds () {
	for rva in "$@"; do printf '<k.sys: %08x>\n' $rva; done | rossym-log -d kinds | grep -c 'no call here' || :
}

# k.sys of ARM64: a call of f at 0x1044, an indirect one at 0x1054, a system call at 0x1064; KIND of ARM64EC has the header of
# x64, and its code is of KIND in the ranges of the load configuration at 0x2000.
arm64 () {
	printf '%s\nsection .text rva=0x1000 size=0x200 flags=code\n' "$1"
	printf 'section .rdata rva=0x2000 size=0x200 flags=rdata\nrossym\nrow 0x1000 f a.c 2\nrow 0x1100 g a.c 9\n'
	printf 'poke data:.text+%d %s\n' 0x40 'f0 ff ff 97' 0x50 '00 01 3f d6' 0x60 '21 00 00 d4' 0x70 'e8 8b ff ff ff'
	test $# -eq 1 || printf 'poke opt+%d %s\n' 192 'u32=0x2000 u32=0x140'
	test $# -eq 1 || printf 'poke data:.rdata+%d %s\n' 0 u32=0x140 200 u64=0x140002140 0x140 "u32=1 u32=0x2150 u32=1" \
		0x150 "u32=$((0x1000 + $2)) u32=0x200"
}
# marks DIRECTORY: of which return addresses - no call here
marks () {
	for rva in 1044 1054 1064 1068 1075; do printf '<k.sys: %08x>\n' 0x$rva; done | rossym-log -d "$1" |
		sed -n 's/<k.sys: 0000\([0-9a-f]*\) .* - no call here.*/\1/p' | tr '\n' ' '
}
# stacks KIND <DISASSEMBLY: stacks along the direct calls in an image whose base is 0x10000, as KDBG prints them: on i386, which
# has subtracted 5, or x64.  objdump is the witness of what is a call, and of whose function.
stacks () {
	awk -v kind="$1" '
	function hex(text,   n, i) {
		for (i = 1; i <= length(text); i++) n = 16 * n + index("123456789abcdef", substr(text, i, 1))
		return n
	}
	/^[0-9a-f]+ <.*>:$/ { begin = hex($1); called = ""; next }
	!/^ +[0-9a-f]+:\t/ { next }
	{ split($0, part, "\t"); sub(/^ +/, "", part[1]); sub(/:.*/, "", part[1]) }
	called != "" && !(called in caller) && begin != called { caller[called] = begin; site[called] = hex(part[1]); order[++count] = called }
	{ called = part[3] ~ /^call +[0-9a-f]+ </ ? hex(substr(part[3], match(part[3], /[0-9a-f]+ </), RLENGTH - 2)) : "" }
	END {
		for (i = 1; i <= count && rows < 40; i++) {
			if (!(caller[order[i]] in caller)) continue
			print "kdb:> bt"
			if (kind == "i386") printf "Eip:\n<driver.sys:%x>\n", order[i] - 65535
			print "Frames:"
			if (kind == "x64") printf "[FFFFF88003CFB000] <driver.sys:%x>\n", order[i] - 65535
			for (at = order[i]; at in caller && depth[i] < 4; at = caller[at]) {
				depth[i]++
				rows++
				if (kind == "x64") printf "[FFFFF88003CFB%d00] ", depth[i]
				printf "<driver.sys:%x>\n", site[at] - 65536 - (kind == "i386" ? 5 : 0)
			}
		}
	}'
}
# real MACHINE KIND ENTRY: two builds of the driver in tests/data/src, with other options of the compiler, and a log of each
real () {
	if ! witness "$1-w64-mingw32-g++" "$1-w64-mingw32-gcc" "$1-w64-mingw32-objdump"; then
		no_witness "real code for $1" "no $1-w64-mingw32-g++"
		return
	fi
	for level in O1 O2; do
		mkdir -p "real/$1/$level"
		for source in "$DATA"/src/driver/src/*.c "$DATA"/src/driver/src/*.cpp; do
			case $source in
			*.c) "$1-w64-mingw32-gcc" -g -$level -w -c "$source" -o "real/$1/$level/${source##*/}.o" ;;
			*) "$1-w64-mingw32-g++" -g -$level -w -c "$source" -o "real/$1/$level/${source##*/}.o" ;;
			esac || exit 99
		done
		"$1-w64-mingw32-gcc" -g -static -nostartfiles -Wl,--image-base,0x10000,-e,"$3",--disable-auto-import "real/$1/$level"/*.o \
			"$DATA/src/driver/src/stub.S" main.c -lgcc -o "real/$1/$level/driver.exe" || exit 99
		rm "real/$1/$level"/*.o
		"$1-w64-mingw32-objdump" -d "real/$1/$level/driver.exe" | stacks "$2" >"real/$1/$level.log"
		rossym-embed "real/$1/$level/driver.exe" "real/$1/$level/driver.sys" 2>/dev/null || exit 99
		rm "real/$1/$level/driver.exe"
	done
	for level in O1 O2; do
		rossym-log --builds -d "real/$1/O1" -d "real/$1/O2" "real/$1/$level.log" >fit
		diag "$1: $(head -n 1 fit)"
		frames=$(sed -n '1s/.* of \([0-9]*\) frames.*/\1/p' fit)
		ok "$1, $level: all frames fit" \
			grep "^$frames of $frames frames fit real/$1/$level; next best" fit
		ok '... they are at least ten, and less than half fit the other build' \
			awk 'NR == 1 { exit !($3 >= 10 && 2 * $(NF - 2) < $NF) }' fit
		check '... the filter uses it, and marks nothing' -O /dev/null -g 'rossym-log: * names no build; *' \
			sh -c "rossym-log -d real/$1/O1 -d real/$1/O2 real/$1/$level.log | grep 'no call here\\|/O[12] ' || :"
	done
}

cases 'no call here'

done_testing
