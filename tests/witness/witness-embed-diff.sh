# SPDX-License-Identifier: GPL-2.0-or-later
#
# What rossym-embed writes, compared by --diff with what libbfd says about the unstripped image: every row, function, file,
# line and the chain of inlined calls.

. "${srcdir:-.}/tests/lib/tap.sh"

test -x "$REFERENCE_BIN" || skip_all 'built without libbfd'

embedded () {
	rossym-embed -s /src "$DATA/$1" final
}

embedded dwarf32.nostrip.exe
for options in -f '-f -i'; do
	for image in dwarf32.nostrip.exe dwarf64.nostrip.exe; do
		embedded $image
		# shellcheck disable=SC2086
		check "$image, $options: nothing differs" -g '*: *0 differ, *' \
			rossym-addr2line $options --diff="$DATA/$image" --diff-all -e final </dev/null
	done
	# Assembler routines without debug information of their functions: the table has names, libbfd has not.
	embedded driver/driver.nostrip.sys
	# shellcheck disable=SC2086
	check "driver.nostrip.sys, $options: names of assembler routines only" -g '*: *0 differ, *' \
		rossym-addr2line $options --diff="$DATA/driver/driver.nostrip.sys" --diff-all --diff-ignore=missing-there -e final </dev/null
done

# Where a sequence of lines ends with a call, its last line holds for one byte more.
embedded dwarf32.nostrip.exe
check 'that byte is a class of its own' -e 'rossym-addr2line: 2 addresses compared: 0 differ, 1 differs only in what is ignored
rossym-addr2line:         1 end (ignored)' rossym-addr2line -f --diff="$DATA/dwarf32.nostrip.exe" -e final 0x401ede 0x401edf </dev/null

# And it would be noticed: a line that is wrong.
embedded dwarf64.nostrip.exe
rossym-addr2line --dump -e final | awk -F '\t' -v OFS='\t' '$4 == "ke/bug.c" && $5 == 16 { $5 = 17 } { print }' >rows
ok 'a table with a wrong line' rossym-embed --from-dump=rows "$DATA/dwarf64.nostrip.exe" wrong
rossym-addr2line --diff="$DATA/dwarf64.nostrip.exe" --diff-all --brief -e wrong >/dev/null 2>summary
ok 'is found' grep ' line$' summary

done_testing
