# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every log of tests/logs after a mailer has wrapped its lines at column 72 or 80: the addresses that are found, their kinds and
# answers are those of the log as it is.  `accepted' lists the exceptions.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/logs.sh"

log_modules sym

# Wrap standard input at column $1.  The file $2 gets, for each line of the output, the number of its line in the input.  Mailers wrap at
# a blank, which they remove, and count characters.
wrap () {
	LC_ALL=C awk -v width="$1" -v map="$2" '
	function columns(text) { gsub(/[\200-\277]/, "", text); return length(text) }
	function put(text) { print text end; print NR >map }
	{
		end = sub(/\r$/, "") ? "\r" : ""
		count = split($0, word, / /)
		line = word[1]
		for (i = 2; i <= count; i++) {
			if (columns(line " " word[i]) <= width || line ~ /^ *$/) {
				line = line " " word[i]
			} else {
				put(line)
				line = word[i]
			}
		}
		put(line)
	}'
}

# The answers for log $1: the line, by the map $2; what the address is; module, address and frames.
answers () {
	rossym-log -d sym --module=freeldr.sys@10000 --format=json "$1" 2>/dev/null | grep -v '"symbols":' |
		sed 's/^{"line":\([0-9]*\),"column":[0-9]*,"log":"[^"]*","token":"\([^"\\]\|\\.\)*",/\1 /; s/"address":"[^"]*","rva"/"rva"/' |
		awk 'NR == FNR { line[NR] = $1; next } { $1 = line[$1]; print }' "$2" - | sort
}

# How the answers for log $1, which are in the file "whole", change if it is wrapped at $2: "-" before what is lost, "+" before what is
# new.
differences () {
	wrap "$2" map-wrapped <"$1" >wrapped.log
	answers wrapped.log map-wrapped >wrapped
	! cmp -s whole wrapped || return 0
	comm -23 whole wrapped | sed 's/^/-/' | short
	comm -13 whole wrapped | sed 's/^/+/' | short
}

# Of each answer: line, module, RVA, whether it is a return address.
short () {
	sed 's/^\([-+][0-9]*\) .*"module":"\([^"]*\)".*"rva":"\([^"]*\)","return_address":\([a-z]*\),.*/\1 \2 \3 \4/'
}

# The differences of log $1 at width $2.
accepted () {
	case $1-$2 in
	# The first half ends in the number: "<NTOSKRNL.EXE:f1a38".  It may have been cut there, at the edge of a screen.  KDBG's own note,
	# with the answer, is in the second half.
	translated-72) echo '-3 ntoskrnl.exe 0xf1a38 null' ;;
	# The path of the row goes on on the next line.
	engines-72 | engines-80) printf -- '-35 ntdll.dll 0x1270 true\n+35 app.exe 0x1270 true\n' ;;
	translated-80) echo '-7 i8042prt.sys 0x1e80 null' ;;
	esac
}

for file in "$SRC"/tests/logs/*.log; do
	name=${file##*/}
	name=${name%.log}
	tr -d '\000' <"$file" | cmp -s - "$file" || continue # in UTF-16
	awk '{ print NR }' "$file" >map-whole
	answers "$file" map-whole >whole
	for width in 72 80; do
		accepted "$name" "$width" >want
		check "$name at $width" -O want differences "$file" "$width"
		cat wrapped >>all
	done
done
ok 'there are answers' test "$(wc -l <all)" -gt 1000

done_testing
