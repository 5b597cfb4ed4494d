# SPDX-License-Identifier: GPL-2.0-or-later
#
# --check: what is right or wrong with a table; and what damage does to everything else.
. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"

# Only the first and the last line are the same for all tables.
sound () {
	rossym-addr2line --check -e "$1" >report || return
	test -s report && grep -q "^$1: " report && tail -n 1 report
}

small_image x.exe
check 'a sound table' sound x.exe <<'END'
x.exe: no errors
END
for name in dwarf32.exe stabs32.exe driver/driver.sys driver/driver-stabs.sys; do
	base=${name##*/}
	cp "$DATA/$name" "$base"
	check "$base is sound" sound "$base" <<-END
		$base: no errors
	END
done
cases 'with an address'
for fact in 'linker constant' 'outside every section' 'only with --data' 'same address' 'line but no file' \
	'file but no line'; do
	ok "a note on: $fact" grep -q "note: 1 .*$fact" report
done

# The table stands at 0x1000, its rows from 0x1010 on, 16 bytes each.
# broken NAME AT: name.exe from the description on stdin is refused by --check and by a look-up that comes there.
broken () {
	build "$1.exe"
	check "--check: $1" -s 1 -g "rossym-addr2line: $1.exe: at $2: ?*" sh -c \
		'rossym-addr2line --check -e "$0" >/dev/null' \
		"$1.exe" </dev/null
	check "--dump: $1" -s 1 -g "rossym-addr2line: $1.exe: at $2: ?*" sh -c \
		'rossym-addr2line --dump -e "$0" >/dev/null' \
		"$1.exe" </dev/null
	awk 'BEGIN { for (i = 0; i < 200; i++) printf "%x\n", 4198400 + i }' >addresses
	check "many look-ups: $1" -s 1 -g "rossym-addr2line: $1.exe: at $2: ?*" \
		sh -c 'rossym-addr2line -e "$0" <addresses >/dev/null' "$1.exe" </dev/null
}
# refuses REFUSAL NAME OPTION...: how an image without anything is refused.
refuses () {
	says=$1
	name=$2
	shift 2
	check "$name: operands" -s 1 -e "$says" rossym-addr2line "$@" -e plain.exe 401000 </dev/null
	check "$name: stdin is not read" -s 1 -e "$says" -i '401000\n' sh -c \
		'rossym-addr2line -e plain.exe "$@"; r=$?; cat; exit $r' sh "$@" <<-'END'
		401000
	END
}

cases '--check: a string outside'
check 'no table: the file as it was given' -s 1 -e "rossym-addr2line: dir/${nothing#*: }" \
	rossym-addr2line -e dir/plain.exe 401000 </dev/null

done_testing
