# SPDX-License-Identifier: GPL-2.0-or-later
#
# Callers in minidumps of programs whose own notes say what they are: tests/witness-stacks/calls.c, made by several compilers and run
# by Wine.  "make check-wine" runs this; so does STACKS_WINE=wine in the environment of another "make check".

. "${srcdir:-.}/tests/lib/tap.sh"

wine=${RUNNER:-${STACKS_WINE-}}
test -n "$wine" || skip_all 'no Wine is asked for'
dlls=
for directory in /usr/lib/x86_64-linux-gnu/wine/x86_64-windows /usr/lib/wine/x86_64-windows /usr/lib64/wine/x86_64-windows; do
	test -f "$directory/ntdll.dll" && dlls=$directory
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
	if ! "$@" -Wall -Wextra -Wno-unknown-warning-option -o "$name/calls.exe" "$SRC/tests/witness-stacks/calls.c" -ldbghelp; then
		fail "$name: compiles"
		return
	fi
	# shellcheck disable=SC2086
	(cd "$name" && timeout 120 $wine ./calls.exe $dumps 7 </dev/null >wine.log 2>&1)
	(
		cd "$name" || exit
		set --
		i=0
		while test $i -lt $dumps; do
			set -- "$@" $i.dmp
			i=$((i + 1))
		done
		rossym-log -u -d . -d "$dlls" "$@" >report 2>errors
		frames <report
	)
	all=0 good=0 wrong=
	i=0
	while test $i -lt $dumps; do
		result=$(compare "$name/$i.seen" "$name/$i.txt")
		rest=${result#* }
		good=$((good + ${result%% *}))
		all=$((all + ${rest%% *}))
		case $rest in
		*:*) wrong="$wrong dump $i, frame ${rest#* };" ;;
		esac
		i=$((i + 1))
	done
	printf '# %-24s %6d frames %6d right %6d proved\n' "$name" "$all" "$good" "$(cat "$name/proved")"
	ok "$name: all frames are right" sh -c 'echo "$1"; test "$2" -gt "$4" && test "$2" = "$3"' sh "$wrong" "$all" "$good" $((dumps * 10))
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
		if has clang && has ld.lld; then
			stacks "$processor clang -$option" clang --target=$processor-w64-mingw32 -fuse-ld=lld -g -gcodeview -$option \
				-L"$(dirname "$($processor-w64-mingw32-gcc -print-libgcc-file-name)")" -Wl,--pdb=calls.pdb
		else
			skip "$processor clang -$option" 'no clang, or no lld'
		fi
	done
}

echo 'int main(void) { return 7; }' >seven.c
for processor in x86_64 i686; do
	if ! has $processor-w64-mingw32-gcc; then
		skip "$processor: all frames are right" 'no compiler'
		continue
	fi
	$processor-w64-mingw32-gcc -o seven.exe seven.c
	runs=0
	$wine ./seven.exe </dev/null >/dev/null 2>&1 || runs=$?
	if test "$runs" = 7; then
		every "$processor"
	else
		skip "$processor: all frames are right" 'this Wine does not run such programs'
	fi
done

done_testing
