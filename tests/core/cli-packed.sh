# SPDX-License-Identifier: GPL-2.0-or-later
#
# rossym-embed --packed and --unpacked: a packed table has the answers of the plain one, everywhere.

. "${srcdir:-.}/tests/lib/tap.sh"

# rows FILE IMAGE: what the table says
rows () {
	rossym-addr2line --dump -e "$2" >"$1"
}

# sizeless FILE: of rows that are no functions, the size depends on where sections end, and a new .rossym may change that
sizeless () {
	awk -F '\t' -v OFS='\t' '$6 >= 0 { $2 = "" } { print }' "$1" >"$1.sizeless" && mv "$1.sizeless" "$1"
}

same_answers () {
	test -s want && cmp want got
}

# same NAME PLAIN PACKED: all rows, frames, functions and names; and answers to addresses
same () {
	rows want "$2" && rows got "$3" || exit 99
	case $1 in
	odd-*) sizeless want && sizeless got || exit 99 ;;
	esac
	ok "$1: the dump" cmp want got
	base=$(rossym-addr2line --check -e "$2" | sed -n 's/.*image base 0x\([0-9a-f]*\).*/\1/p')
	awk -F '\t' -v base="0x${base:-0}" '$1 != last { print substr($1, 3); last = $1 }' want | awk 'NR % 7 == 1 || NR < 50' >rvas
	while read -r rva; do
		printf '%x\n' $((0x${base:-0} + 0x$rva)) $((0x${base:-0} + 0x$rva + 1))
	done <rvas >addresses
	rossym-addr2line -fip -e "$2" <addresses >want
	rossym-addr2line -fip -e "$3" <addresses >got
	ok "$1: answers" cmp want got
	# For few addresses only what is known about these is unpacked.
	some=$(awk -v every="$(($(wc -l <addresses) / 17 + 1))" 'NR % every == 1 || NR < 3' addresses)
	for style in -fip -afs '-fi --output-style=JSON'; do
		# shellcheck disable=SC2086
		case $style in
		*JSON)
			rossym-addr2line $style -e "$2" 0 $some ffffffff | sed "s|$2|IMAGE|g" >want
			rossym-addr2line $style -e "$3" 0 $some ffffffff | sed "s|$3|IMAGE|g" >got
			;;
		*)
			rossym-addr2line $style -e "$2" 0 $some ffffffff >want
			rossym-addr2line $style -e "$3" 0 $some ffffffff >got
			;;
		esac
		ok "$1: a few answers, $style" same_answers
	done
}

# Real images with frames.
for name in dwarf32 dwarf64; do
	for options in '' --entry-frame=outer --no-inlines; do
		# shellcheck disable=SC2086
		rossym-embed $options "$DATA/$name.nostrip.exe" plain.exe || exit 99
		# shellcheck disable=SC2086
		check "$name $options: packed" rossym-embed $options --packed "$DATA/$name.nostrip.exe" packed.exe </dev/null
		same "$name $options" plain.exe packed.exe
		ok "$name $options: --check" rossym-addr2line --check -e packed.exe
		check "$name $options: unpacked" rossym-embed --unpacked packed.exe unpacked.exe </dev/null
		same "$name $options, unpacked" plain.exe unpacked.exe
		check "$name $options: the plain table is packed" rossym-embed --packed plain.exe again.exe </dev/null
		# The bytes differ if the strings were in another order.
		same "$name $options, packed later" plain.exe again.exe
		check "$name $options: what is packed stays" rossym-embed --packed packed.exe again.exe </dev/null
		ok "$name $options: byte for byte" cmp packed.exe again.exe
	done
	rossym-embed "$DATA/$name.nostrip.exe" plain.exe && rossym-embed --packed "$DATA/$name.nostrip.exe" packed.exe || exit 99
	size=$(wc -c <packed.exe)
	ok "$name: smaller" test "$size" -lt "$(wc -c <plain.exe)"
	for tool in 'objcopy packed.exe copied.exe' 'strip -o copied.exe packed.exe'; do
		set -- $tool
		program=$1
		shift
		for prefix in x86_64-w64-mingw32- i686-w64-mingw32- ''; do
			has "$prefix$program" && break
		done
		if has "$prefix$program" && "$prefix$program" "$@" 2>err || skip "$name: $program" "$prefix$program cannot do it"; then
			same "$name: $program keeps it" plain.exe copied.exe
		fi
	done
	check "$name: --keep-debug" rossym-embed --keep-debug --packed "$DATA/$name.nostrip.exe" kept.exe </dev/null
	check "$name: a new table replaces a packed one" rossym-embed kept.exe again.exe </dev/null
	ok "$name: as without it" cmp plain.exe again.exe
	rossym-embed --table-only --packed "$DATA/$name.nostrip.exe" packed.sym || exit 99
	rossym-embed --table-only "$DATA/$name.nostrip.exe" plain.sym || exit 99
	rows want plain.sym && rows got packed.sym || exit 99
	ok "$name: a bare table" cmp want got
	# What rossym(5) says is enough to decode it.
	for entry in inner outer; do
		rossym-embed --table-only --packed --entry-frame=$entry "$DATA/$name.nostrip.exe" packed.sym && rows want packed.sym || exit 99
		awk -F '\t' -v OFS='\t' '$6 >= 0 { print $1, $3, $4, $5, $6 }' want >plain
		check "$name, $entry: as rossym(5) says" -O plain python3 "$SRC/tests/lib/packed.py" packed.sym
	done
done

# All images of the builder.
for description in "$SRC"/tests/images/good-*.img "$SRC"/tests/images/odd-*.img; do
	name=${description##*/}
	name=${name%.img}
	image "$name"
	test "$(wc -c <"$name")" -lt 65536 && rossym-addr2line --check -e "$name" >/dev/null 2>&1 || continue
	test "$(rossym-addr2line --dump -e "$name" | wc -l)" -gt 0 || continue
	case $name in
	*bare*) continue ;; # no image to put it into
	odd-pe64-addresses) ;; # addresses of more than 32 bits
	*)
		ok "$name: packed" rossym-embed --packed "$name" packed.exe
		same "$name" "$name" packed.exe
		;;
	esac
done

# What is not done.
# A look-up of one address does not read the rest: a wrong checksum of the block is found by who reads all.
number () {
	od -An -tu4 -j "$2" -N 4 "$1" | tr -d ' '
}

cases 'packed'
if test -n "$at" || skip 'one address is looked up in place' 'no objdump'; then
	block=$((($(number packed.sym 8) + $(number packed.sym 12) + 3) / 4 * 4))
	cp packed.exe damaged.exe
	printf '\377\377' | dd of=damaged.exe bs=1 seek=$((0x$at + block + 12)) conv=notrunc 2>/dev/null
	address=$(sed -n 20p addresses)
	rossym-addr2line -fie packed.exe "$address" >want
	check 'one address is looked up in place' -O want rossym-addr2line -fie damaged.exe "$address" </dev/null
	ok 'all of them are not' sh -c '! rossym-addr2line --check -e damaged.exe 2>err'
fi

# Damage.
at=$(objdump -h packed.exe 2>/dev/null | awk '$2 == ".rossym" { print $6 }')
if test -n "$at" || skip 'damage' 'no objdump'; then
	cp packed.exe damaged.exe
	printf '\377' | dd of=damaged.exe bs=1 seek=$((0x$at + 30)) conv=notrunc 2>/dev/null
	ok 'damage is refused' sh -c '! rossym-addr2line --check -e damaged.exe 2>err'
	ok 'with a message' grep -q 'rossym-addr2line: damaged.exe: .*0x' err
fi

done_testing
