# SPDX-License-Identifier: GPL-2.0-or-later
#
# pdb-dia.awk - what rossym says about the code of an image, and what Microsoft's own reader of PDB files (DIA) says
#
#	awk -v asked=1 -f pdb-dia.awk SYM		prints the first and last address of each function and each line of SYM
#	awk -v asked=2 -f pdb-dia.awk SYM		prints each address of them, and the 16 after each function
#	awk -f pdb-dia.awk SYM ANSWERS			compares the answers of rossym-addr2line -a -f -i for these
#
# SYM is a dump in Breakpad's format that was made with DIA.  Each address is counted once for its function and once for its
# line, which are those of the outermost frame:
#
#	name		they are the same
#	undecorated	DIA has parameters besides, and perhaps "static", a type, "const"
#	underscore	DIA takes an underscore for decoration, also where names of C have none
#	public		only a public symbol is there, which DIA has without a size
#	none		both know nothing
#	line, no-line	the file and line are the same; both know none
#
# All else is different: it is printed, and the status is 1.

function number(text,	i, value) {
	value = 0
	for (i = 1; i <= length(text); i++)
		value = value * 16 + index("0123456789abcdef", tolower(substr(text, i, 1))) - 1
	return value
}
function rest(first,	i, text) {
	text = $first
	for (i = first + 1; i <= NF; i++)
		text = text " " $i
	return text
}
# ask for [BEGIN, BEGIN + SIZE), or its first and last byte
function ask(begin, size,	i) {
	for (i = 0; i < size; i++)
		if (asked == 2 || i == 0 || i == size - 1)
			wanted[begin + i]
}
# NAME without parameters: from the last ")" back to the "(" that belongs to it
function bare(name,	i, depth) {
	sub(/ const$/, "", name)
	if (name !~ /\)$/)
		return name
	for (i = length(name); i > 0; i--) {
		depth += (substr(name, i, 1) == ")") - (substr(name, i, 1) == "(")
		if (depth == 0)
			return substr(name, 1, i - 1)
	}
	return name
}
function name_case(theirs, ours) {
	if (theirs == "")
		return ours == "??" ? "none" : ours == public_at[at] ? "public" : "different"
	if (theirs == ours)
		return "name"
	if ("_" theirs == ours)
		return "underscore"
	theirs = bare(theirs)
	if (theirs == ours || substr(theirs, length(theirs) - length(ours)) == " " ours)
		return "undecorated"
	return "different"
}
function line_case(theirs, ours) {
	if (theirs == "")
		return ours ~ /^\?\?:[0?]$/ ? "no-line" : "different"
	return theirs == ours ? "line" : "different"
}
function judge(	name, line) {
	if (at == "")
		return
	name = name_case(function_at[at], function_name)
	line = line_case(place_at[at], place)
	if (name == "different" || line == "different") {
		printf "0x%x: DIA %s %s, ours %s %s\n", at, function_at[at], place_at[at], function_name, place
		failed = 1
	}
	counts[name == "different" ? "different-name" : name]++
	counts[line == "different" ? "different-line" : line]++
}

FNR == 1 { files++ }
{ sub(/\r$/, "") }

files == 1 && /^FILE / { file[$2] = rest(3); next }
files == 1 && /^FUNC / {
	first = $2 == "m" ? 3 : 2
	begin = number($first)
	size = number($(first + 1))
	for (i = 0; i < size; i++)
		function_at[begin + i] = rest(first + 3)
	ask(begin, size + (asked == 2 ? 16 : 0))
	next
}
files == 1 && /^PUBLIC / {
	begin = number($2)
	for (i = 0; i < 6; i++)		# a jump to what another module has
		public_at[begin + i] = rest(4)
	ask(begin, 6)
	next
}
files == 1 && /^[0-9a-f]/ {
	begin = number($1)
	size = number($2)
	for (i = 0; i < size; i++)
		place_at[begin + i] = file[$4] ":" $3
	ask(begin, size)
	next
}

files == 2 && /^0x[0-9a-f]*$/ {
	judge()
	at = number(substr($0, 3))
	frame = 0
	next
}
files == 2 {
	if (frame++ % 2 == 0)
		function_name = $0
	else
		place = $0
}

END {
	if (asked) {
		for (at in wanted)
			printf "0x%x\n", at
		exit
	}
	judge()
	for (which in counts)
		printf "%d %s, ", counts[which], which
	print ""
	exit failed
}
