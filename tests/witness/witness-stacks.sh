# SPDX-License-Identifier: GPL-2.0-or-later
#
# Callers in minidumps of programs whose own notes say what they are: tests/witness/witness-stacks/calls.c, made by several compilers and run
# by Wine.
#
# Programs of i686 need Wine for i386 (on Debian: dpkg --add-architecture i386, apt-get install wine32:i386); without it, or without
# their compiler, they are skipped by name.
#
# Environment: STACKS_WINE32 and STACKS_DLLS32, the command that runs a program of i686 with the files of the current directory, and the
# directory of its DLLs, if they are others, as in a chroot; STACKS_OPTIONS ("O0 O2 Os"), STACKS_DUMPS (2) of each program,
# STACKS_PROCESSORS.

. "${srcdir:-.}/tests/lib/tap.sh"

wine=${RUNNER:-${STACKS_WINE:-wine}}
has "${wine%% *}" || skip_all 'no wine'
dlls=
for processor in x86_64 i386; do
	for directory in /usr/lib/$processor-linux-gnu/wine/$processor-windows /usr/lib/wine/$processor-windows /usr/lib64/wine/$processor-windows; do
		test -f "$directory/ntdll.dll" && dlls="$dlls -d $directory"
	done
done
test -n "$dlls" || skip_all "no DLLs of Wine"
WINEDEBUG=-all
WINEPREFIX=${WINEPREFIX:-$tap_tmp/prefix}
export WINEDEBUG WINEPREFIX

# The frames of the crashed threads in the reports on standard input, in the form of calls.c; those of dump N go to N.seen.
# Frames below those that calls.c knows of are left out.
frames () {
	awk '
		/^Minidump of/ { file = number++ ".seen"; printf "" >file; inside = 0 }
		/\(crashed\)/ { inside = 1; next }
		/^$/ { inside = 0 }
		inside && /^ *[0-9]+  / {
			if ($2 == "calls.exe")
				print substr($4, 3) >file
			else if (last != "*")
				print "*" >file
			last = $2 == "calls.exe" ? "" : "*"
		}
		/proved$/ { proved++ }
		END { print proved + 0 >"proved" }'
}

# Compare the frames SEEN with the NOTES; print how many are right, and the first one that is not.
compare () {
	awk 'NR == FNR { want[++count] = $1; next } FNR <= count {
		if ($1 == want[FNR] || (want[FNR] == "?" && $1 != "*")) right++
		else if (!wrong) wrong = FNR ": " $1 " is not " want[FNR]
	} END { if (right < count && !wrong) wrong = right + 1 ": is missing"; print right + 0, count, wrong }' "$2" "$1"
}

# stacks NAME COMPILER...: each frame of DUMPS dumps, each of which takes Wine a second.
dumps=${STACKS_DUMPS:-2}
stacks () {
	name=$1
	shift
	mkdir "$name"
	if ! "$@" -Wall -Wextra -Wno-unknown-warning-option -o "$name/calls.exe" "$SRC/tests/witness/witness-stacks/calls.c" -ldbghelp; then
		fail "$name: compiles"
		return
	fi
	# shellcheck disable=SC2086
	(cd "$name" && timeout 120 $runner ./calls.exe $dumps 7 </dev/null >wine.log 2>&1)
	# shellcheck disable=SC2086
	(
		cd "$name" || exit
		rossym-log -u -d . $places $(seq -f %g.dmp 0 $((dumps - 1))) >report 2>errors
		frames <report
	)
	all=0 good=0 wrong=
	for i in $(seq 0 $((dumps - 1))); do
		test -f "$name/$i.txt" || { wrong="$wrong dump $i was not written;" all=$((all + 1)); continue; }
		result=$(compare "$name/$i.seen" "$name/$i.txt")
		rest=${result#* }
		good=$((good + ${result%% *}))
		all=$((all + ${rest%% *}))
		case $rest in
		*:*) wrong="$wrong dump $i, frame ${rest#* };" ;;
		esac
	done
	printf '# %-24s %6d frames %6d right %6d proved\n' "$name" "$all" "$good" "$(cat "$name/proved")"
	ok "$name: all frames are right" sh -c 'echo "$1"; test "$2" -gt "$4" && test "$2" = "$3"' sh "$wrong" "$all" "$good" $((dumps * 10))
}

# without_cfi COMPILER...: the same for a program that has FrameData and no CFI, as those of MSVC.
without_cfi () {
	"$@" -fno-asynchronous-unwind-tables -c -o calls.o 2>/dev/null && i686-w64-mingw32-objcopy -R .debug_frame calls.o &&
		clang --target=i686-w64-mingw32 -fuse-ld=lld -L"$(dirname "$(i686-w64-mingw32-gcc -print-libgcc-file-name)")" \
			-Wl,--pdb="$name/calls.pdb" -s -o "$name/calls.exe" calls.o -ldbghelp
}

# every PROCESSOR: with all compilers, and with each of their OPTIONS.
options=${STACKS_OPTIONS:-O0 O2 Os}
every () {
	processor=$1
	for option in $options; do
		# At -O1, too, the last call shall be a jump: calls.c takes that as given.
		tail=-foptimize-sibling-calls
		test "$option" = O0 && tail=-g
		stacks "$processor gcc -$option" $processor-w64-mingw32-gcc -g -$option $tail
		# Clang makes no such jump at -O1.
		test "$option" = O2 || { test -n "${STACKS_OPTIONS-}" && test "$option" != O1; } || continue
		if has clang && has ld.lld || skip "$processor clang -$option" 'no clang, or no lld'; then
			set -- clang --target=$processor-w64-mingw32 -fuse-ld=lld -g -gcodeview -$option \
				-L"$(dirname "$($processor-w64-mingw32-gcc -print-libgcc-file-name)")"
			stacks "$processor clang -$option" "$@" -Wl,--pdb=calls.pdb
			test $processor = x86_64 || stacks "$processor clang -$option FrameData" without_cfi "$@" -fomit-frame-pointer
		fi
	done
}

echo 'int main(void) { return 7; }' >seven.c
for processor in ${STACKS_PROCESSORS:-x86_64 i686}; do
	runner=$wine places=$dlls
	if test "$processor" = i686; then
		runner=${STACKS_WINE32:-$wine}
		test -z "${STACKS_DLLS32-}" || places="-d $STACKS_DLLS32"
	fi
	if ! has $processor-w64-mingw32-gcc; then
		skip "$processor: all frames are right" 'no compiler'
		continue
	fi
	$processor-w64-mingw32-gcc -o seven.exe seven.c
	runs=0
	$runner ./seven.exe </dev/null >/dev/null 2>&1 || runs=$?
	if test "$runs" = 7 || skip "$processor: all frames are right" 'this Wine does not run such programs'; then
		every "$processor"
	fi
done

done_testing
