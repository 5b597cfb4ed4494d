# SPDX-License-Identifier: GPL-2.0-or-later
#
# The kernel's reader (src/kernel) answers as the program does: kernel-addr2line beside rossym-addr2line, for each byte of code.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"

reader=$tap_build/tests/tools/kernel-addr2line${EXEEXT-}
test -x "$reader" || skip_all "no program $reader"

# as_the_program WAY IMAGE: -f and -fi have the same answers.
as_the_program () {
	for options in -f -fi; do
		inlines=
		test $options = -f || inlines=-i
		ok "rossym-addr2line answers for $2" rossym-addr2line --rva $options -e "$2" <rvas
		cp "$OUT" wanted
		# shellcheck disable=SC2086
		check "$2, $1, $options: the same answers" -I rvas -O wanted "$reader" $inlines "$1" "$2"
	done
}

awk 'BEGIN { for (i = 0; i < 24576; i += i < 4096 ? 64 : 1) printf "%x\n", i }' >rvas
ok 'addresses' test "$(wc -l <rvas)" -gt 20000

# Functions around inlined calls, some with a name or a path of 200 bytes; a name that readers of old have no room for is cut.
awk 'BEGIN {
	long = sprintf("%200s", ""); gsub(/ /, "x", long)
	for (i = 0; i < 40; i++) {
		printf "%x\t4\tinner%d%s\ta.c\t%d\t0\n", 4096 + 4 * i, i, i % 5 ? "" : long, i + 1
		for (d = 1; d <= i % 7; d++)
			printf "%x\t4\touter%d\tb%s.c\t%d\t%d\n", 4096 + 4 * i, d, d % 3 ? "" : long, d % 4 ? d : 0, d
	}
	printf "1000\t160\tinner0\t\t0\t-1\n"
}' >dump
small_image small.exe
for frame in inner outer; do
	ok "a table of rows that are $frame frames" rossym-embed --from-dump=dump --entry-frame=$frame small.exe $frame.exe
	ok 'and the same as a bare table' rossym-embed --table-only --from-dump=dump --entry-frame=$frame $frame.sym
	as_the_program file $frame.exe
	as_the_program memory $frame.exe
	as_the_program file $frame.sym
	as_the_program raw $frame.sym
	ok 'some of the answers have inlined calls' test "$(wc -l <wanted)" -gt "$(($(wc -l <rvas) * 2 + 100))"
done

# Tables of the real rsym.
for image in dwarf32.exe stabs32.exe; do
	cp "$DATA/$image" . || exit 99
	as_the_program file $image
	as_the_program memory $image
done

for name in bad-not-ascending bad-strings-beyond bad-no-table; do
	image $name
	ok "$name: --check fails" sh -c "! rossym-addr2line --check -e $name"
	check "$name: so does Create" -s 1 "$reader" file $name
done

done_testing
