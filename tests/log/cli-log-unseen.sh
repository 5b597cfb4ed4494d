# SPDX-License-Identifier: GPL-2.0-or-later
#
# Logs of programs that rossym-log has no form for, or cannot tell apart: what the code of the image and the numbers of a row tell.
#
# LOG_FIXTURES=PATH	a directory with such logs and EXPECTED.tsv: file, line, text, answer, options; the modules are copies of
#			../driver/driver.sys, drv.dll and loader64.efi.  A log without an answer may miss it, but no answer may be wrong.

. "${srcdir:-.}/tests/lib/tap.sh"

mkdir sym
{
	cat <<-'END'
		pe32 base=0x10000
		section .text rva=0x1000 size=0x1000 raw=0x1000 flags=code
		rossym rva=0x4000
		generate rows=256 rva=0x1000 step=0x10 rows-per-function=1 functions-per-file=256
	END
	# Calls that end at 1240, 1340 and 1345.
	for end in 0x240 0x340 0x345; do
		echo "poke data:.text+$((end - 5)) e8 00 00 00 00"
	done
} | build sym/a.dll
line () { # RVA: the line of the table's row there
	rossym-addr2line -s --rva -e sym/a.dll "$1" | sed 's/.*://'
}
# lines LOG [OPTION...]: the line of each answer
lines () {
	printf '%b' "$1" >log
	shift
	rossym-log -d sym "$@" log 2>/dev/null | sed -n 's/.*(.*:\([0-9]*\) (.*/\1/p'
}

cases 'the code tells a return address, where the log does not'
# found LOG [OPTION...]: the lines of the log that have answers, and which
found () {
	printf '%b' "$1" >log
	shift
	rossym-log -d sym "$@" log 2>/dev/null | grep -n '(.*:[0-9]* (' | sed 's/^\([0-9]*\):.*(.*:\([0-9]*\) (.*/\1 \2/'
}
# each LINES ANSWER: lines 1 to LINES have this answer
each () {
	awk -v lines="$1" -v answer="$2" 'BEGIN { for (i = 1; i <= lines; i++) print i, answer }'
}
check 'an offset in a module' found '"a.dll" + 0x1250\nC:\\my app\\a.dll(0x69400000) + 0x1250 byte(s)\n at a!<BaseAddress>+0x1250\n(a.dll:0x1250)\na.dll!00001250\n/app/a.dll(+0x1250)\n' <<EOT
$(each 6 "$line1250")
EOT
check '... of a field' found '{ "module": "a.dll", "module_offset": "0x0000000000001250", "offset": "0x69401250" },\n{ "module": "a.dll", "rva": "0x1250" },\n' <<EOT
$(each 2 "$line1250")
EOT
check '... of an image whose place the line tells' found 'UEFI image [0x69400000:0x69404fff] pc=0x1250 "/EFI/a.dll"\n' <<EOT
$(each 1 "$line1250")
EOT
check '... after the line with its name' found 'Faulting module name: a.dll, version 1.2.3.4\nException code: 0xc0000005\nFault offset: 0x00001250\n' <<EOT
3 $line1250
EOT
check 'no offset' found 'a.dll+ 1250\na.dll+1250-1260\nhttp://x/a.dll+1250\na.dll:1250\nq=a.dll+1250\na.dll+125.3\na.dll: 0x1250 bytes\n' </dev/null
check 'an address and an offset must agree' found '0x69401250 x "a.dll" + 0x1250\n0x69401251 x "a.dll" + 0x1250\n0x69401250 x "a.dll" + 4688\n0x69401260 x "a.dll" + 0x1250\n' <<EOT
$(each 3 "$line1250")
EOT
cp sym/a.dll sym/k.sys || exit 99
cases 'to 4 KiB in the kernel'
check 'an offset in the section with code' found '69401250 0012FE60  0001:00000250 C:\\x\\a.dll\n' <<EOT
$(each 1 "$line1250")
EOT
check 'an address beside a name' found 'thrown at 0x69401250 (a.dll) in b.exe: 0xC0000005\n>\ta.dll!69401250()\na.dll   :0x0000000069401250  no symbols\nFault address: 69401250 (c:\\x\\a.dll)\n' \
	--module=a.dll@69400000 <<EOT
$(each 4 "$line1250")
EOT
cases '... at its preferred base'
check 'an address alone: written in full, or after a word' found 'x 0x69401250 y\nx $69401250\nx 00000000`69401250\nwords that nobody here knows 0x0000000069401250\nIP 0x69401250\n' --module=a.dll@69400000 <<EOT
$(each 5 "$line1250")
EOT
check '... after a word, exact' found 'Exception Address : 0x69401240\nCS:RIP:0033:0000000069401240\n' --module=a.dll@69400000 <<EOT
$(each 2 "$here")
EOT
check "... a caller's" found 'lr: 0000000069401240\nsaved rip = 0x69401240\n' --module=a.dll@69400000 <<EOT
$(each 2 "$before")
EOT
cases '... after a call'
check 'an address beside a function of the module' found 'C:\\x\\a.dll(rb_bug+0x1b8) [0x69401250]\n1: a.dll!main+0x12 [0x69401250]\n' --module=a.dll@69400000 <<EOT
$(each 2 "$line1250")
EOT
# all_found LOG [OPTION...]: all answers of each line
all_found () {
	printf '%b' "$1" >log
	shift
	rossym-log -d sym "$@" log 2>/dev/null | awk '{
		for (answers = NR ":"; match($0, /:[0-9]+ \([^()]*\)\)/); $0 = substr($0, RSTART + RLENGTH))
			answers = answers " " (substr($0, RSTART + 1) + 0)
		print answers
	}'
}
cases 'several addresses in a line'
check 'a base and an address in fields' found '{"module_name":"a.dll","module_base":"0x69400000","instruction_addr":"0x69401250"}\nModule: a.dll, Address: 0x69401250, Base: 0x69400000\n' <<EOT
$(each 2 "$line1250")
EOT
cases '... in columns, after a call: another address can be an entry point'

# ------------------------------------------------------------------------------------------- more kinds of logs

line1260=$(line 0x1260)
check 'what the code has accessed is no code' all_found 'addr=0x69401250 pc=0x69401260\nrip 0x69401260 info1 0x69401250\n' --module=a.dll@69400000 <<EOT
1: $line1260
2: $line1260
EOT
check '... nor is what is at a register, or tells of memory' found 'esi | 0x12345678 | 0x69401250 ==> x\nP3Home: 0000000069401250:  0000000000000000  0000000069401250\nRsp: 00000000B1C9BFF0:  0000000069401250\nbadAddr 0x69401250\nBlock 12 at 0x69401250: 84 bytes\nAddress 0x69401250 is 4 bytes inside a block\nobject 0x69401250\nxmm0 0x69401250\nfar_el1 0x69401250\n' \
	--module=a.dll@69400000 </dev/null
check '... nor are rows of numbers' found '69401240 00000001 69401340\n0018fe10  69401340\n' --module=a.dll@69400000 </dev/null
check 'a row with 32 bits has no sign' found '69401240 (a)\n  [69401240] x\n| 69401240 |\n(69401240) f\n' --module=a.dll@69400000 <<EOT
$(each 4 "$before")
EOT
check '... only the call before it tells' found '69401250 (x)\n  [69401250] x\nfor address 69401240\n00000040 69401240: x\n' --module=a.dll@69400000 </dev/null
check 'after a fault' found 'Exception: Access Violation at address 69401250. Reading\n' --module=a.dll@69400000 <<EOT
1 $line1250
EOT
check 'a heading some lines before its list' found 'x\nLoaded modules:\n\nzzz\n69400000 a.dll\n\n69401250 a.dll\n' <<EOT
7 $line1250
EOT
check 'modules after a stack' found 'main thread ($1a2c):\n69401250 a.dll\n\nmodules:\n69400000 a.dll\n6f3c0000 b.dll\n' <<EOT
2 $line1250
EOT
check 'a list with more numbers' found 'Offset(V) Name Base Size  and more words, so that this line is a long one\n------\n0xffffe00a12345678 k.sys 0xfffff80312340000 0x5000 \\x\n x 0xfffff80312341250 k.sys\n' <<EOT
4 $line1250
EOT
check "gdb's sections" found '\t0x69401000 - 0x69402000 is .text in C:\\x\\a.dll\n#0 0x69401250 in ?? () from C:\\x\\a.dll\n' <<EOT
2 $line1250
EOT
check "... and for other programs" found '=library-loaded,id="C:\\\\a.dll",ranges=[{from="0x69401000",to="0x69401414"}]\nframe={addr="0x69401250",from="C:\\\\a.dll"}\n' <<EOT
2 $line1250
EOT
check 'a level of severity before a row' found 'DLL information:\n[f=0001] Error: \t0x69400000\ta.dll\nError: 0x69401250 in a.dll\n' <<EOT
3 $line1250
EOT
check 'an address in place of an offset' found 'a.dll!0x69401250()\na.dll+0x11250\n7ff: a!+69401250 ( @ 0)\n' --module=a.dll@69400000 <<EOT
$(each 3 "$line1250")
EOT
check 'an offset after a mark' found 'a!+0x1250\nFrame0=a.dll!00001250\n' <<EOT
$(each 2 "$line1250")
EOT
check '... but not a number of a version' found 'a.dll@1250\nq=a.dll+1250\n' </dev/null
check 'an offset in decimal' found '0 00007FF669401250 C:\\x y\\a.dll+4688 ()\n' <<EOT
1 $line1250
EOT
check 'a name beside an address or its base' found '(x64pc=0x69401250/a.dll:"x")\n`0x69401250` (a.dll, base `0x69400000`)\nx "x.exe","a.dll","0x7FF669400000","0x7FF669401250","0x1250"\n' --module=a.dll@69400000 <<EOT
$(each 3 "$line1250")
EOT
check 'a base in a language of other letters' found '模块: a.dll\n基址: 0x69400000\n地址: 0x69401250\n' <<EOT
3 $line1250
EOT
check 'a caller' found 'called from 0x69401240\n   by 0x69401240: x\n' --module=a.dll@69400000 <<EOT
$(each 2 "$before")
EOT

check 'the first bytes of a log' found '`0x69401250` (a.dll)\n' --module=a.dll@69400000 <<EOT
1 $line1250
EOT
check 'a range of a module is not its code' found 'module a.dll mapped from 0x69400000 to 0x69410000\n0x69401250 (a.dll)\n' <<EOT
2 $line1250
EOT
check '... and a size no base' found '模块: a.dll\n基址: 0x69400000\n大小: 0x00410000\n地址: 0x69401250\n' <<EOT
4 $line1250
EOT
check 'words for code, beside words for data' found 'Instruction pointer: 0x69401250\nELR_EL1: 0x69401250\nException code 0xC0000005, 0x69401250\nStack buffer overflow at 0x69401250\npc 0x69401250 is in foo\nbad access at pc=0x69401250\n' --module=a.dll@69400000 <<EOT
$(each 6 "$line1250")
EOT
check '... a caller between a frame and a name' found '0018fe10 69401240 WinMain\n' --module=a.dll@69400000 <<EOT
$(each 1 "$before")
EOT
check '... and words for data' found 'error 0x69401250\na.dll: logfile offset 0x1250\nobject pointer 0x69401250\n' --module=a.dll@69400000 </dev/null

# ------------------------------------------------------------------------------------------- what people type, and give
check 'a line that somebody has typed' found '*** a.dll -- Address 69401250 base at 69400000, DateStamp 1234\n***a.dll \342\200\223 Address 694O1250 base at 694OOOOO\n(a.dll:1250)\na.dll:0x1250\n*** FOO.DLL - Address 694O1250\n' <<EOT
$(each 4 "$line1250")
EOT
printf 'a.dll+0x1250\nxx\n' >x.log
check '-q' sh -c 'printf "<a.dll:1250>\n<nowhere.dll:1250>\n" | rossym-log -q -d sym' <<EOT
$(printf '<a.dll:1250>\n' | rossym-log -d sym)
<nowhere.dll:1250>
EOT
# noted STAMP LENGTH: how many answers -e other.bin gives, whose DateStamp is 1 and whose length 5000
noted () {
	printf "$stamped" "$2" "$1" | rossym-log -q -e other.bin | grep -c '^y.dll.*('
}

cases '-e NAME=FILE'
while read -r name bytes what; do
	# 64 bytes, as files of these kinds have more
	{ printf "$bytes"; head -c 64 /dev/zero; } >"$name"
	check "... $name" -s 1 -e "rossym-log: $name: this is no log, but $what" -O /dev/null rossym-log "$name"
	check "... $name on standard input" -s 1 -e "rossym-log: standard input: this is no log, but $what" -O /dev/null -I "$name" rossym-log
done <<'EOT'
x.elf \177ELF an ELF file
x.pdb Microsoft\040C/C++\040MSF\0407.00 a PDB file
x.png \211PNG\r\n a picture
EOT
check 'text that begins as an image does is a log' -i 'MZ a.dll+0x1250 and more text, so that the line is as long as what is read of a file\n' rossym-log -d sym <<EOT
MZ $(echo a.dll+0x1250 | rossym-log -d sym) and more text, so that the line is as long as what is read of a file
EOT
if test "${HAVE_LIBARCHIVE:-yes}" = yes || skip 'logs in an archive' 'built without libarchive'; then
	cases 'logs in an archive'
fi

logs=${LOG_FIXTURES:-$SRC/../shared/fixtures/logs}
if ! test -f "$logs/EXPECTED.tsv"; then
	skip 'logs of many programs' 'files of others are not here'
	done_testing
	exit
fi
mkdir modules
cp "$logs/../driver/driver.sys" modules/drv.dll && cp modules/drv.dll modules/loader64.efi || exit 99
# What is wrong: an answer other than the expected one, or one on a line where none is expected.  "RIGHT of ALL" is the last line.
judge () {
	sed '/^#/d' "$logs/EXPECTED.tsv" >expected
	awk -F '\t' '{ print $1 "\t" $5 }' expected | sort -u >runs
	while IFS="$(printf '\t')" read -r file options; do
		# shellcheck disable=SC2086
		rossym-log -d modules --format=json $options "$logs/$file" 2>/dev/null |
			sed -n "s|^{\"line\":\([0-9]*\),.*\"frames\":\[{\"line\":\([0-9]*\),\"file\":\"\([^\"]*\)\",\"function\":\"\([^\"]*\)\".*|$file:\1:\3:\2 (\4)|p" >>answers
	done <runs
	awk -F '\t' 'FNR == NR { expected[$1 ":" $2 ":" $4]++; all++; next }
		expected[$0] { expected[$0]--; right++; next }
		{ print "wrong: " $0 }
		END { print right " of " all }' expected answers
}
judge >judged
check 'logs of many programs: no wrong answer' sh -c 'grep wrong judged || :' </dev/null
right=$(sed -n '$s/ .*//p' judged)
ok "logs of many programs: $(tail -n 1 judged) places" test "$right" -eq "$(wc -l <expected)"

done_testing
