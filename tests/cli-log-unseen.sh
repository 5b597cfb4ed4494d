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
here=$(line 0x1240) before=$(line 0x123f)
# lines LOG [OPTION...]: the line of each answer
lines () {
	printf '%b' "$1" >log
	shift
	rossym-log -d sym "$@" log 2>/dev/null | sed -n 's/.*(.*:\([0-9]*\) (.*/\1/p'
}

ok 'the byte before has another line' test "$here" -ne "$before"
check 'the code tells a return address, where the log does not' lines 'a.dll+0x1240\na.dll+0x1250\n' <<EOT
$before
$(line 0x1250)
EOT
check '... not with --exact' lines 'a.dll+0x1240\n' --exact <<EOT
$here
EOT
check '... not of a row that says what it is' lines 'Thread 0 (crashed)\n 0  a.dll + 0x1240\n' <<EOT
$here
EOT
check '... said in JSON' -i 'a.dll+0x1240 a.dll+0x1250\n' sh -c 'rossym-log -d sym --format=json | sed "s/.*\(\"return_address\":[a-z]*\).*/\1/"' <<'EOT'
"return_address":true
"return_address":null
EOT
check '... log2lines does not look at code' sh -c 'echo "<a.dll:1240>" | log2lines -d sym | sed "s/.*:\([0-9]*\) (.*/\1/"' <<EOT
$here
EOT
check 'between two calls, what KDBG prints stays open, and what no KDBG prints does not' lines '<a.dll:1340>\n<a.dll: 1340>\n<a.dll:1240>\n' <<EOT
$(line 0x1340)
$(line 0x133f)
$before
EOT
check 'AddressSanitizer has subtracted 1, LLVM has not; row 0 is exact' \
	lines '#0 0x7ff612341240 (C:\\x\\a.dll+0x1240)\n#1 0x7ff612341240 (C:\\x\\a.dll+0x1240)\n#2 0x7ff61234123f (C:\\x\\a.dll+0x123f)\n' <<EOT
$here
$before
$before
EOT
check 'newer Breakpads have subtracted 1: no remark that there is no call' \
	sh -c 'printf "Thread 0 (crashed)\n 0  a.dll + 0x1250\n 1  a.dll + 0x123f\n 2  a.dll + 0x123e\n" | rossym-log -d sym | grep -c "no call here"' <<'EOT'
1
EOT
check 'an offset that is decimal, as MATLAB prints it' lines '[  1] 0x00007ff612341250   C:\\my app\\a.dll+00004688\n' <<EOT
$(line 0x1250)
EOT
check 'an address and an offset that contradict each other: no answer' lines '[  1] 0x00007ff612341250   C:\\x\\a.dll+00001260\n' </dev/null
check '... if one is 1 more or less: an answer' lines '0x00007ff612341251 a.dll+00001250\n0x00007ff61234124f a.dll+00001250\n' <<EOT
$(line 0x1250)
$(line 0x1250)
EOT

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
ok "logs of many programs: $(tail -n 1 judged) places" test "$right" -ge 13

done_testing
