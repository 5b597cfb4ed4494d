# SPDX-License-Identifier: GPL-2.0-or-later
#
# What is so on Windows only: paths with drives and backslashes, files that are open, NUL, line ends.
. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"
. "$SRC/tests/lib/logs.sh"

on_windows || skip_all 'the programs are not for Windows'

# All of this system is drive Z.
here=$(printf 'Z:%s\n' "$(pwd)" | tr / '\\')
mkdir dir dir/deep
small_image dir/x.exe
cp dir/x.exe x.exe

# ---- the names of an image ----

for name in 'x.exe' '.\x.exe' './x.exe' 'X.EXE' 'dir\x.exe' 'dir\deep\..\x.exe' 'dir/deep\../x.exe' "$here\\x.exe" "$here\\dir\\x.exe" \
	"$(printf '%s/dir/x.exe' "$here" | tr '\\' /)" 'Z:x.exe' 'Z:dir\x.exe' "\\\\?\\$here\\x.exe"
do
	check "rossym-addr2line -e $name" rossym-addr2line -f -e "$name" 401010 <<-'END'
		main
		main.c:4
	END
done
# Wine's own drive C.
if test -d "${WINEPREFIX-}/drive_c" || skip 'drive C' 'no prefix'; then
	c=$WINEPREFIX/drive_c/rossym-test.$$
	mkdir "$c" && cp x.exe "$c/x.exe"
	cases 'drive C'
	rm -rf "$c"
fi
check 'one that is not there' -s 1 -e "rossym-addr2line: 'dir\\none.exe': No such file" rossym-addr2line -e 'dir\none.exe' 0 </dev/null
check 'a directory' -s 1 -e "rossym-addr2line: Warning: '.\\dir' is a directory" rossym-addr2line -e '.\dir' 0 </dev/null
# In a response file a backslash protects what follows; but not in single quotes, nor, before a letter, in double quotes.
printf '%s\n' '-f -e dir\\x.exe' '401010' >'dir/deep/args'
check 'a response file' rossym-addr2line '@dir\deep\args' <<'END'
main
main.c:4
END
for quoted in "'dir\\x.exe'" '"dir\x.exe"'; do
	printf '%s\n' "-f -e $quoted 401010" >args
	check "a response file: $quoted" rossym-addr2line @args <<-'END'
		main
		main.c:4
	END
done

crlf () {
	printf '401000\r\n401010\r\n\r\n402000' | rossym-addr2line -f -a "$@" -e 'dir\x.exe'
}

cases 'line ends'
check 'the same into a pipe' -O lf sh -c "printf '401000\\r\\n401010\\r\\n\\r\\n402000' | rossym-addr2line -f -a -e x.exe | cat" </dev/null
check 'the same with workers' -O lf crlf -P 2 </dev/null
# Nothing of ours has a carriage return, on stdout or stderr, in a file or a pipe.
no_returns () {
	"$@" >text 2>&1
	"$@" 2>&1 | cat >>text
	test -s text && tr -cd '\r' <text >returns && test ! -s returns
}
for command in 'rossym-addr2line --help' 'rossym-addr2line --version' 'rossym-addr2line --bogus' 'rossym-addr2line --dump -e x.exe' \
	'rossym-addr2line --check -e x.exe' 'rossym-addr2line --output-style=JSON -e x.exe 401010' 'rossym-embed --help' \
	'rossym-embed none none' 'rossym-log --help' 'rossym-log none'
do
	# shellcheck disable=SC2086
	ok "no carriage returns: $command" no_returns $command
done
rossym-addr2line --dump -e x.exe >rows
sed 's/$/\r/' rows >rows-crlf
rossym-embed --from-dump=rows --table-only lf.sym && rossym-embed --from-dump=rows-crlf --table-only crlf.sym
ok 'rows of a dump that end in CR LF make the same table' cmp lf.sym crlf.sym

# ---- what is written ----

only () {
	ls -A dir/deep >list
	printf '%s\n' "$@" | cmp -s - list || { cat list; return 1; }
}
rm dir/deep/args
rossym-embed --from-dump=rows x.exe good.exe || exit 99
for output in 'dir\deep\y.exe' 'dir/deep\Y.exe' "$here\\dir\\deep\\y.exe" 'Z:dir\deep\y.exe'; do
	echo old >dir/deep/y.exe
	check "rossym-embed x.exe $output" rossym-embed --from-dump=rows '.\x.exe' "$output" </dev/null
	ok "the file that was there is replaced: $output" cmp good.exe dir/deep/y.exe
	ok "and nothing else is there: $output" only y.exe
done
cp x.exe dir/deep/y.exe
check 'in place, by another name' rossym-embed --from-dump=rows 'dir\deep\y.exe' "$here\\DIR\\deep\\Y.EXE" </dev/null
ok 'is the same' cmp good.exe dir/deep/y.exe
ok 'under its old name' only y.exe
check 'a debug link to the output' -s 1 -e 'rossym-embed: --debuglink: dir\deep\..\deep\y.exe is the output' \
	rossym-embed --from-dump=rows '--debuglink=dir\deep\..\deep\y.exe' x.exe 'dir/deep/y.exe' </dev/null
cp x.exe dir/deep/link.dbg
ok 'a debug link' rossym-embed --from-dump=rows '--debuglink=dir\deep\link.dbg' x.exe linked.exe
ok 'has no directory' sh -c 'tr "\000" "\n" <linked.exe | grep -x link.dbg'
rm dir/deep/link.dbg
for device in NUL nul 'dir\NUL'; do
	check "rossym-embed x.exe $device" rossym-embed --from-dump=rows x.exe "$device" </dev/null
done

# An access control list.  Wine makes one of a mode, and a mode of one, though not always the same.
others () {
	ls -l dir/deep/y.exe | cut -c 8-10
}

cases 'what is written'
for directory in sym '.\sym' 'sym\' 'sym/' "$here\\sym" "$here\\sym\\" 'Z:sym'; do
	check "rossym-log -d $directory" -i '<hal.dll:1230>\n<I8042prt.sys:1230>\n' rossym-log -d "$directory" <<-END
		<hal.dll:1230 $note>
		<I8042prt.sys:1230 $note>
	END
done
check 'where a module is' -e "rossym-log: i8042prt.sys: $here\\sym\\drivers\\I8042prt.sys" -i '<I8042prt.sys:1230>\n' \
	rossym-log -v -d "$here\\sym\\drivers\\" <<END
<I8042prt.sys:1230 $note>
END
check 'rossym-log -e' -i '<hal.dll:1230>\n' rossym-log -e 'sym\hal.dll' <<END
<hal.dll:1230 $note>
END
check 'EXE OFFSET' rossym-log 'sym\drivers\I8042prt.sys' 1230 <<END
<sym\\drivers\\I8042prt.sys:1230 $note>
END
printf '<hal.dll:1230>\r\nline\n<hal.dll:1230>\r\n' >dir/serial.log
printf '<hal.dll:1230 %s>\r\nline\n<hal.dll:1230 %s>\r\n' "$note" "$note" >want
check 'a log, whose carriage returns stay' -O want rossym-log -d sym 'dir\serial.log' </dev/null
check 'a directory for a log' -s 1 -e 'rossym-log: .\dir: cannot read: Is a directory' rossym-log '.\dir' </dev/null
check 'a directory that is not there' -s 1 -e 'rossym-log: none\: No such file or directory' -i 'x\n' rossym-log -d 'none\' <<'END'
x
END
mkdir -p src/ntoskrnl/ke
i=0
while test $i -lt 170; do i=$((i + 1)); printf 'line %d\r\n' $i; done >src/ntoskrnl/ke/Thread0.c
for root in 'src' '.\src' "$here\\src" 'src\'; do
	check "rossym-log --source-root=$root" -i '<hal.dll:1230>\n' rossym-log -S1 "--source-root=$root" -d sym <<-END
		<hal.dll:1230 $note>
		| 0164  line 164
		| ----
	END
done

# Wine takes the names of files here for what the locale says.
in_unicode () {
	LC_ALL=C.UTF-8 "$@"
}

cases 'names outside the ANSI code page'
for name in "$nihon.exe" "$nihon\\$alpha.exe" ".\\$nihon/$alpha\\$nihon.exe" "$here\\$nihon\\$nihon.exe"; do
	cp x.exe "$(printf '%s\n' "$name" | sed 's/^Z://' | tr '\\' /)"
	check "rossym-addr2line -e $name" in_unicode rossym-addr2line -f -e "$name" 401010 <<-'END'
		main
		main.c:4
	END
done
cases '<nihon.exe:1010>'
printf '1\n2\n3\nfour\n' >"$nihon/$alpha.c"
check 'rossym-log -d, and lines of source' -i "<$nihon.exe:1010>\\n" \
	in_unicode rossym-log -S1 --source-root=. -d "$nihon" <<END
<$nihon.exe:1010 ($nihon/$alpha.c:4 (main))>
| 0004  four
| ----
END
check 'rossym-log -v' -e "rossym-log: $nihon.exe: $here\\$nihon/$nihon.exe" -i "<$nihon.exe:1010>\\n" \
	in_unicode rossym-log -v -d "$here\\$nihon" <<END
<$nihon.exe:1010 ($nihon/$alpha.c:4 (main))>
END
printf '<%s.exe:1010>\n' "$nihon" >"$alpha.log"
check 'rossym-log, a log' in_unicode rossym-log -e "$nihon/$nihon.exe" "$alpha.log" <<END
<$nihon.exe:1010 ($nihon/$alpha.c:4 (main))>
END
rm -rf "$nihon" "$nihon".* "$alpha".*

# ---- as on the system that built it ----

# ROSSYM_EMBED is that system's program.
same_table () {
	"$ROSSYM_EMBED" "$1" other.exe 2>other.err && rossym-embed "$1" ours.exe 2>ours.err &&
		cmp other.err ours.err && cmp other.exe ours.exe
}
if test -n "${ROSSYM_EMBED-}" || skip 'the same tables' 'no ROSSYM_EMBED'; then
	for image in "$SRC"/tests/data/*.nostrip.exe "$SRC"/tests/data/driver/*.nostrip.sys; do
		ok "the same table: ${image##*/}" same_table "$image"
	done
fi

# A helper of the path where "make install" puts it would be on whatever drive is the current one.
ok 'no program is run from a fixed path' sh -c '! grep -q -a /bin/rossym-embed "$tap_tmp/bin/rossym-log.exe"'

# ---- what is not there ----

check '--diff' -s 2 -e 'rossym-addr2line: built without --diff: on this system it cannot run another program' \
	rossym-addr2line --diff=x.exe -e x.exe 401010 </dev/null
check '--version says so' sh -c 'rossym-addr2line --version | grep ^Reference' <<'END'
Reference of --diff: none
END
check 'rossym-log --version' sh -c 'rossym-log --version | sed -n "s/^Archives: //p"' <<END
$(test "${HAVE_LIBARCHIVE-no}" = yes && echo libarchive || echo none)
END

done_testing
