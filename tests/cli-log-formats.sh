# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every log of tests/logs: what rossym-log makes of it is NAME.want; a second program agrees with every answer; and what is
# added can be taken away again.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/logs.sh"

log_modules sym

log () {
	rossym-log -d sym --module=freeldr.sys@10000 "$@"
}

# Each answer of the JSON output, asked of rossym-addr2line.
witness () {
	log --format=json "$1" >json 2>/dev/null || return 1
	grep '"why"' json >unanswered
	grep -v '"why"' json >answered
	test -s answered || return 0
	sed -n 's/.*"rva":"\(0x[0-9a-f]*\)","return_address":\([a-z]*\),"image":"\([^"]*\)".*"frames":\[{"line":\([0-9]*\),"file":"\([^"]*\)","function":"\([^"]*\)"}\]}$/\1 \2 \3 \6 \5:\4/p' \
		answered >rows
	test "$(wc -l <rows)" -eq "$(wc -l <answered)" || { echo 'an object is not understood'; return 1; }
	while read -r rva is_return image function place; do
		case $is_return in
		true) set -- --return-addresses ;;
		false) set -- ;;
		esac
		printf '%s %s %s\n' "$rva" "$is_return" "$(rossym-addr2line -fp --rva "$@" -e "$image" "$rva")"
		echo "$rva $is_return $function at $place" >&3
	done <rows >seen 3>wanted
	diff seen wanted
}

# In pieces of seven bytes, as from a serial line.
pieces () {
	dd bs=7 if="$1" 2>/dev/null | log -
}

without () {
	log "$1" 2>/dev/null | rossym-log -u
}

for file in "$SRC"/tests/logs/*.log; do
	name=${file##*/}
	name=${name%.log}
	want=$SRC/tests/logs/$name.want
	log "$file" >"got-$name" 2>"err-$name"
	ok "$name: as expected" cmp "got-$name" "$want"
	ok "$name: rossym-addr2line agrees" witness "$file"
	check "$name: in pieces" -g '*' -O "$want" pieces "$file"
	check "$name: a second time changes nothing" -g '*' -O "$want" log "$want"
	check "$name: without modules, byte for byte" -g '*' -O "$file" rossym-log "$file"
	check "$name: raw" -O "$file" -I "$file" log2lines -r
	case $name in
	translated) ;;
	*)
		check "$name: -u undoes it" -O "$file" without "$file"
		check "$name: -U changes nothing" -g '*' -O "$want" log -U "$want"
		;;
	esac
done

done_testing
