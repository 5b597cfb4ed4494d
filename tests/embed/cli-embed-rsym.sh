# SPDX-License-Identifier: GPL-2.0-or-later
#
# Called as rsym: exactly its arguments, its rule for ELF, and builds that strip files without debug information go on.

. "${srcdir:-.}/tests/lib/tap.sh"

cp "$DATA/dwarf32.nostrip.exe" x.exe
chmod u+w x.exe
usage='Usage: rsym [-s <sources>] <input> <output>'
for args in '' 'x.exe' 'x.exe y.exe z.exe' '-s x.exe y.exe' '-s' '-v x.exe y.exe' '--help' '--from-dump=x x.exe y.exe'; do
	# shellcheck disable=SC2086
	check "usage: rsym $args" -s 1 -e "$usage" rsym $args </dev/null
done
ok 'nothing was written' test ! -e y.exe

check 'no input' -s 1 -e 'rsym: none: cannot open: No such file or directory' rsym none y.exe </dev/null
echo text >text
check 'no image' -s 1 -e 'rsym: text: at 0x0: no MZ header' rsym text y.exe </dev/null
printf '\177ELF and so on' >elf
check 'ELF is passed over in silence' rsym elf y.exe </dev/null
check 'with -s too' rsym -s /src elf y.exe </dev/null
ok 'without an output' test ! -e y.exe

build rsrc.dll <<-'EOT'
	pe32 base=0x400000
	section .rsrc size=0x20 flags=rdata fill=0x41
	section .debug_x size=0x20 flags=0x42000040
EOT
check 'nothing to embed is a warning' -e 'rsym: warning: rsrc.dll: nothing to embed' rsym rsrc.dll y.dll </dev/null
ok 'and the image is stripped' pecheck -n y.dll rsrc.dll
check 'once more' -e 'rsym: warning: y.dll: nothing to embed' rsym y.dll z.dll </dev/null
ok 'nothing changes' cmp y.dll z.dll

# For dbghelp: x.exe is a user-mode module.
rossym-embed -s /src --entry-frame=outer x.exe want.exe
check 'with sources' rsym -s /src x.exe y.exe </dev/null
ok 'as rossym-embed does it' cmp want.exe y.exe
check 'sources in two trees' rsym -s /none -s /src x.exe y.exe </dev/null
ok 'both count' cmp want.exe y.exe
cp x.exe z.exe
check 'in place' rsym -s /src z.exe z.exe </dev/null
ok 'the same' cmp want.exe z.exe
check 'without sources' rsym x.exe y.exe </dev/null
check 'paths stay' rossym-addr2line -e y.exe 0x401651 <<-'EOT'
	/src/ke/bug.c:19
EOT

# dbghelp takes the first row of a name for the beginning of a function.  found_by_dbghelp IMAGE: the functions that it finds then.
found_by_dbghelp () {
	rossym-addr2line --dump -e "$1" | cut -f 1 | uniq | sed 's/^0x0000/0x14000/' | rossym-addr2line -afp -e "$1" |
		awk '!/\?\?:/ && !($2 in seen) { seen[$2]; print $2 }'
}
# native IN OUT: a copy whose subsystem is that of the kernel.
native () {
	cp "$1" "$2" && printf '\001' | dd of="$2" bs=1 seek="$(($(od -An -tu4 -j60 -N4 "$2") + 92))" conv=notrunc 2>/dev/null
}
cp "$DATA/dwarf64.nostrip.exe" user.exe
native user.exe kernel.sys
ok 'a user-mode module' rsym -s /src user.exe user.made.exe
ok 'a module of the kernel' rsym -s /src kernel.sys kernel.made.sys
rossym-embed -s /src --entry-frame=outer user.exe want.exe
ok 'rows of the first are functions as the linker placed them' cmp want.exe user.made.exe
rossym-embed -s /src kernel.sys want.sys
ok 'rows of the second are the innermost' cmp want.sys kernel.made.sys
found_by_dbghelp user.made.exe >user.found
found_by_dbghelp kernel.made.sys >kernel.found
check 'an inlined function has no code of its own for dbghelp' -s 1 grep -w -e mix -e rotate_left user.found </dev/null
ok 'with the innermost rows it has' grep -w mix kernel.found
rossym-addr2line -fi -e user.made.exe 0x140001560 >user.frames
check 'rossym-addr2line -i says the same of both' -O user.frames rossym-addr2line -fi -e kernel.made.sys 0x140001560 </dev/null
ok 'there are two frames' test "$(wc -l <user.frames)" -eq 4

# What an older build or a second run gives it: an image without debug information that has a table.
check 'a table that is there' -e 'rsym: warning: want.exe: nothing to embed' rsym want.exe again.exe </dev/null
rossym-addr2line --dump -e want.exe >dump
check 'stays' -O dump rossym-addr2line --dump -e again.exe </dev/null
ok 'the image is as it was' cmp want.exe again.exe
check 'one of the real rsym' -e 'rsym: warning: old.exe: nothing to embed' sh -c 'cp "$1" old.exe && rsym old.exe new.exe' \
	sh "$DATA/dwarf32.exe" </dev/null
rossym-addr2line --dump -e "$DATA/dwarf32.exe" >dump
check 'stays too' -O dump rossym-addr2line --dump -e new.exe </dev/null
ok 'the witness' pecheck new.exe "$DATA/dwarf32.exe"

done_testing
