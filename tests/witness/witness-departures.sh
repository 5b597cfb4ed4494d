# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every example in the file "departures" with both programs: each must do what stands there, and the two must differ.
. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/gnu.sh"

gnu_setup

for side in gnu ours; do
	(
		cd $side &&
		ln -s "$witness" program &&
		cp "$DATA/dwarf32.nostrip.exe" dwarf.exe && cp "$DATA/stabs32.nostrip.exe" stabs.exe &&
		mkdir next && ln -s /bin/echo next/addr2line &&
		# The section table begins at 0x178, PAGE is its second section, and its flags the last four bytes.
		gnu_patched execute.sys $((0x178 + 40 + 36)) '\0\0\0\140' &&
		gnu_patched notpaged.sys $((0x178 + 40 + 36)) '\40\0\0\150'
	) && printf 'bare\nrow 0x1000 main main.c 3\nrow 0x1010 main main.c 4\n' | "$MKIMAGE" - $side/bare || exit 99
done

# Divides the file: rows (NUMBER;condition;name), commands, and what each side must write, as lines of
# gnu_normalise.
awk '
/^#/ { next }
/^\[/ { name = substr($0, 2, length($0) - 2); need = ""; next }
/^\? / { need = substr($0, 3); next }
/^\$ / {
	n++
	print n ";" need ";" name >"examples"
	print substr($0, 3) >"commands"
	need = ""
	next
}
/^(gnu|ours)[>!=]/ {
	who = /^gnu/ ? "gnu" : "ours"
	mark = substr($0, length(who) + 1, 1)
	text = substr($0, length(who) + 3)
	if (mark == "=")
		want_status[who, n] = text
	else
		want[who, mark, n] = want[who, mark, n] n "\t" (mark == ">" ? "|" : "!") " " text "\n"
}
END {
	for (i = 1; i <= n; i++)
		for (s = 1; s <= 2; s++) {
			who = s == 1 ? "gnu" : "ours"
			print want[who, ">", i] want[who, "!", i] i "\t= " want_status[who, i] + 0 >(who ".want")
		}
}' "$SRC/tests/witness/witness-departures.table"

# A locale of our own, so that the system need not have it.  What localedef leaves where it fails is none.
mkdir ../locales
if has localedef && localedef -i fr_FR -f UTF-8 "$tap_tmp/locales/fr_FR.utf8" >/dev/null 2>&1; then
	LOCPATH=$tap_tmp/locales
	export LOCPATH
else
	rm -rf ../locales/fr_FR.utf8
fi

gnu_run gnu commands
gnu_run ours commands
gnu_normalise gnu raw
gnu_normalise ours raw

# Whether this example can be shown here.
possible () {
	case $1 in
	'') ;;
	demangler) test $gnu_demangler = yes ;;
	full) test -c /dev/full ;;
	posix) ! on_windows ;;
	old-gnu) known_difference "$witness" old-gnu >/dev/null ;;
	old-response) known_difference "$witness" response-escapes >/dev/null ;;
	locale\ *) test -d "$tap_tmp/locales/${1#locale }" ;;
	*) echo "Bail out! departures: unknown condition $1"; exit 99 ;;
	esac
}

while IFS=';' read -r number need name <&3; do
	title="$name: $(sed -n "${number}p" commands)"
	if ! possible "$need"; then
		skip "$title" "needs $need"
		continue
	fi
	for side in gnu ours; do
		sed -n "s/^$number	//p" $side.want >want
		sed -n "s/^$number	//p" $side.all >seen
		# What ours says is stored, and does not depend on the witness.
		case $side in
		gnu) beside "$witness" ;;
		ours) beside ;;
		esac
		check "$side, $title" -O want cat seen
		cp want $side.this
	done
	cmp -s gnu.this ours.this && fail "$title: no departure"
done 3<examples

done_testing
