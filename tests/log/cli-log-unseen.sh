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

# noted STAMP LENGTH: how many answers -e other.bin gives, whose DateStamp is 1 and whose length 5000
noted () {
	printf "$stamped" "$2" "$1" | rossym-log -q -e other.bin | grep -c '^y.dll.*('
}

cases 'the code tells a return address, where the log does not'
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
