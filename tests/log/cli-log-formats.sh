# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every log of tests/logs: what rossym-log makes of it is NAME.want; a second program agrees with every answer; and what is
# added can be taken away again.  NAME.tokens lists each address that a reader of the log wants: its line and column; whether it is a
# return address (null where the log leaves it open); its place, MODULE+RVA, or "?" where no module of tests/lib/logs.sh is; its text.
# +5 after the place: KDBG has subtracted 5 from a return address.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/logs.sh"

log_modules sym
log_modules silent silent

log () {
	rossym-log -d sym --module=freeldr.sys@10000 "$@"
}

# Store each answer of the JSON output about log $1, which is in the file "objects", for ask_again(): image, whether it is a return
# address, RVA, answer, log.
answers () {
	grep -v '"why"' objects >answered # the rest is about modules
	sed -n 's/.*"rva":"\(0x[0-9a-f]*\)","return_address":\([a-z]*\),"image":"\([^"]*\)".*"frames":\[{"line":\([0-9]*\),"file":"\([^"]*\)","function":"\([^"]*\)"}\]}$/\3|\2|\1|\6 at \5:\4|/p' \
		answered | sed "s|\$|${1##*/}|" >rows
	cat rows >>all-answers
	test "$(wc -l <rows)" -eq "$(wc -l <answered)" || { echo 'an object is not understood'; return 1; }
}

# Ask rossym-addr2line for all of them: those of one image together, because it takes time to start a program.
ask_again () {
	cut -d '|' -f 1,2 all-answers | sort -u | while IFS='|' read -r image is_return; do
		grep -F "$image|$is_return|" all-answers >rows
		case $is_return in
		true) set -- --return-addresses ;;
		false | null) set -- ;;
		esac
		cut -d '|' -f 3 rows | rossym-addr2line -fp --rva "$@" -e "$image" | paste -d '|' rows - |
			awk -F '|' '$4 != $6 { print $5 ": " $1 ", " $3 ": " $4 ", but rossym-addr2line: " $6 }'
	done
}

# The addresses of "objects", in the form of NAME.tokens without what was subtracted.
tokens () {
	sed '
		s/^{"line":\([0-9]*\),"column":\([0-9]*\),.*"token":"\(\([^"\\]\|\\.\)*\)".*"rva":"0x\([0-9a-f]*\)","return_address":\([a-z]*\),"image":"sym\/\([^"]*\)".*/\1:\2 \6 \7+\5: \3/
		s/^{"line":\([0-9]*\),"column":\([0-9]*\),.*"token":"\(\([^"\\]\|\\.\)*\)".*"return_address":\([a-z]*\),.*/\1:\2 \5 ?: \3/' objects
}

# In pieces of seven bytes, as from a serial line.  On a busy machine the next one may come later than 100 ms after "> ", which would be a
# prompt then.
pieces () {
	dd bs=7 if="$1" 2>/dev/null | log --wait=100000 -
}

# The lines of log $1 whose addresses are in modules that the log tells of later.  A pipe does not wait for that.
later () {
	case $1 in
	brackets) echo 55 ;;
	bugcheck) echo 1 ;;
	drwtsn32) echo 4 ;;
	wine) echo 1 ;;
	forms) echo 4 ;;
	kdbg-i386) echo 12 ;;
	kdbg-x64) echo 8 ;;
	kernel32-new) echo 4 ;;
	kernel32-old) echo 3 ;;
	wrapped) echo 47,50 ;;
	esac
}

without () {
	log "$1" 2>/dev/null | rossym-log -u
}

# The lines of log $1 of which only the code tells what kind of address they have, as a script of sed that deletes them.
open_lines () {
	rossym-log -d silent --module=freeldr.sys@10000 --format=json "$1" 2>/dev/null |
		sed -n 's/^{"line":\([0-9]*\),.*"return_address":null.*/\1d/p'
}

without_code () {
	rossym-log -d silent --module=freeldr.sys@10000 "$1" | sed 's/silent/sym/' | sed -f open
}

for file in "$SRC"/tests/logs/*.log; do
	cases 'where they are, and which are return addresses'
	case $name in
	translated)		# -U and -u take what KDBG has written for ours
		rossym-log -u "$file" >bare
		ok "$name: -u takes all annotations" test "$(grep -c ':[0-9]* (.*)' bare)" -eq 0
		check "$name: -u takes those of a run, too" -O bare rossym-log -u "got-$name"
		;;
	*)
		check "$name: -u undoes it" -O "$file" rossym-log -u "got-$name"
		check "$name: -U changes nothing" -g '*' -O "$want" log -U "$want"
		;;
	esac
done

cases 'no address is both exact and a return address'
for file in "$SRC"/tests/logs/*.log; do
	case $file in
	*/translated.log) ;;
	*/escapes.log) cat "$file" ;;
	*/wrapped.log) cat "$file" && echo ;;
	*) cat "$file" && echo && { cat "$file" && echo; } >&3 ;;
	esac
done >all 3>all-unescaped
lines=$(wc -l <all)
cat >prefixes <<END
12:00:01 
00:00:12.345678 
2026-11-02T10:00:01.123Z 
2026-11-02 10:00:01,5 +0100 
Nov 02 10:00:01 
Nov 02 10:00:01 host qemu[12]: 
Nov 02 10:00:01 host kernel: 
Mon Nov  2 10:00:01 2026 
1:02:03 PM 
12.345678 
[Mon Nov  2 10:00:01 2026] 
[   12.345678] 
[1234] 
00000012${tab}0.12345678${tab}[4] 
> > 
     1${tab}
>
* 
  12. 
$esc[0m
> $esc[32m12:00:01$esc[0m [   12.345678] $esc]0;title$esc\\
--- Press q to abort, any other key to continue --- 
END
in_front () {
	sed "s|^|$(printf '%s' "$1" | sed 's/[\\&|]/\\&/g')|"
}
while IFS= read -r prefix; do
	cat all >&3
	in_front "$prefix" <all >&4
done <prefixes 3>all-many 4>all-prefixed
with_prefixes () {
	first=1
	while IFS= read -r prefix; do
		sed -n "$first,$((first + lines - 1))p" "$1" | in_front "$prefix"
		first=$((first + lines))
	done <prefixes
}
cases 'what stands in front of each line changes nothing'

# The same in HTML and JSON, whose escapes are those of a second program where there is one, in Markdown and in CSV.
html () { sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g'; }
markdown () { sed 's/[]\\<>_*`[]/\\&/g'; }
json () { sed 's/["\\]/\\&/g; s/\t/\\t/g; s/.*/{"time":"12:00:01","x":{"y":1,"log":"&\\n"}}/'; }
csv () { sed 's/"/""/g; s/.*/"1","host","&","x"/'; }
for escape in csv html markdown json; do
	# In CSV a line that is one word is a field in front of others.
	cases 'as expected'
done
python () {
	python3 -c "import html, sys
text = sys.stdin.buffer.read().decode('latin-1')
sys.stdout.buffer.write(html.$1(text).encode('latin-1'))"
}
log all-unescaped >all-want 2>/dev/null
python escape <all-unescaped >all-escaped
log all-escaped 2>/dev/null | python unescape >all-got
ok 'html: Python reads what was written' cmp all-want all-got

# The last line of a log is not wrapped: what follows in the next one is not its rest.
echo 'wine: Unhandled page fault on write access to 00000000 at address' >first.log
printf 'x\n7C5E1230 (thread 0024), starting debugger... <>: \n' >second.log
check 'the end of a log and the beginning of the next' rossym-log --format=json first.log second.log

done_testing
