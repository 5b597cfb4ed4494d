# SPDX-License-Identifier: GPL-2.0-or-later
#
# Images that were moved after the link, as rebase and editbin do it: their headers have another image base, but DWARF and stabs
# have the addresses of before.

. "${srcdir:-.}/tests/lib/tap.sh"

# move FILE COPY STEPS: by STEPS times 0x10000.  The image base is below 4 GiB or a multiple of 4 GiB plus one, so that its lower
# 32 bits suffice.
move () {
	move_at=$(($(od -An -tu4 -j60 -N4 "$1") + 24))
	case $(od -An -tu2 -j$move_at -N2 "$1" | tr -d ' ') in
	523) move_at=$((move_at + 24)) ;;
	*) move_at=$((move_at + 28)) ;;
	esac
	move_high=$(($(od -An -tu2 -j$((move_at + 2)) -N2 "$1") + $3))
	cp "$1" "$2" && chmod u+w "$2" &&
		printf "$(printf '\\%03o\\%03o' $((move_high & 255)) $((move_high >> 8 & 255)))" |
		dd of="$2" bs=1 seek=$((move_at + 2)) conv=notrunc 2>/dev/null
}
# by_rva IMAGE: the answers for all addresses at which its table has a row, and those around them
by_rva () {
	rossym-addr2line --rva -fi -e "$1" <rvas
}

for name in dwarf32 dwarf64 stabs32 driver/driver; do
	image=$(ls "$DATA/$name".nostrip.*)
	rossym-embed "$image" whole.exe && rossym-addr2line --dump -e whole.exe | cut -f1 >rvas
	ok "${name#*/}: there are rows" test "$(wc -l <rvas)" -gt 100
	by_rva "$image" >want
	ok "${name#*/}: there are lines" test "$(grep -c ':[0-9]' want)" -gt 100
	for steps in 1 256 -1; do
		move "$image" moved.exe $steps
		check "${name#*/}, moved by $steps steps" -O want by_rva moved.exe
		rossym-embed moved.exe table.exe
		check '... with a table' -O want by_rva table.exe
	done
done

done_testing
