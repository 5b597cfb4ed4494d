# SPDX-License-Identifier: GPL-2.0-or-later
#
# llvm.awk [-v several=1] DUMP - what llvm-dwarfdump --debug-info --debug-line says of each byte of each function, as addr2line -afi prints
# it: a line for each address, in no order, with tabs in place of line ends.  several=1: of several images, whose names come first; and
# of addresses where two answers are right, nothing.
#
# Each range of a function or inlined call paints its addresses, and inner calls, which come after outer ones, paint over them.  Each row
# of a line table paints up to the next one.  Some awks cannot print numbers above 2^31, so an address here is the text of its digits
# without the last six, a colon, and the number of these.

function hex(text,   i, n) {
	n = 0
	text = tolower(text)
	sub(/^.*0x/, "", text)
	sub(/[^0-9a-f].*$/, "", text)
	for (i = length(text) > 6 ? length(text) - 5 : 1; i <= length(text); i++)
		n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
	return n
}

# The digits of an address before the last six, and a colon.
function high_digits(text) {
	sub(/^.*0x0*/, "", text)
	sub(/[^0-9a-f].*$/, "", text)
	return substr(text, 1, length(text) > 6 ? length(text) - 6 : 0) ":"
}

# The text between quotation marks, or "": a text of another form has none.
function quoted(text) {
	if (text !~ /"/)
		return ""
	sub(/^[^"]*"/, "", text)
	sub(/"[^"]*$/, "", text)
	return text
}

function join(directory, name) {
	return name ~ /^\// || directory == "" ? name : directory "/" name
}

# A new file.
/:\tfile format / {
	answer_all()
	image = substr($0, 1, index($0, ":\tfile format ") - 1)
	digits = $NF ~ /386/ ? 2 : 10
	split("", scope)
	split("", parent)
	split("", linkage)
	split("", name)
	split("", origin)
	split("", call_file)
	split("", call_line)
	split("", table_of)
	split("", comp_dir)
	split("", place)
	split("", place_table)
	split("", doubtful)
	section = ""
}

# ------------------------------------------------------------------------------------------- functions and inlined calls

function is_around(outer, inner) {
	while (inner != outer && inner in parent)
		inner = parent[inner]
	return inner == outer
}

function paint_scope(from, to,   high, at) {
	high = high_digits(from)
	from = hex(from)
	to = hex(to)
	if (to > from && to - from < 65536)
		for (; from < to; from++) {
			at = high from
			if (at in scope && !is_around(scope[at], entry))
				doubtful[at]
			scope[at] = entry
		}
}

function end_entry() {
	if (is_scope && high != "")
		paint_scope(low, high)
	low = high = ""
	is_scope = 0
}

function begin_entry(depth, tag,   i) {
	is_unit = tag ~ /_unit$/
	is_scope = tag == "DW_TAG_subprogram" || tag == "DW_TAG_inlined_subroutine"
	if (is_unit)
		table = here = ""
	table_of[entry] = table
	around[depth] = is_scope ? entry : ""
	if (tag == "DW_TAG_inlined_subroutine")
		for (i = depth - 1; i >= 0 && !(entry in parent); i--)
			if (around[i] != "")
				parent[entry] = around[i]
}

/^\.debug_/ {
	end_entry()
	section = $1
	next
}
section ~ /^\.debug_(info|types)/ && /^0x[0-9a-f]+: +(DW_TAG_|NULL)/ {
	end_entry()
	match($0, /: +/)
	depth = RLENGTH
	entry = substr($1, 3, length($1) - 3)
	sub(/^0*/, "", entry)
	begin_entry((depth - 2) / 2, $2)
	next
}
section ~ /^\.debug_(info|types)/ && is_unit {
	if ($1 == "DW_AT_stmt_list")
		table = hex($2)
	else if ($1 == "DW_AT_comp_dir")
		comp_dir[table] = here = quoted($0)
	if (here != "" && !(table in comp_dir))
		comp_dir[table] = here
	next
}
section ~ /^\.debug_(info|types)/ && is_scope {
	if ($1 == "DW_AT_low_pc")
		low = $2
	else if ($1 == "DW_AT_high_pc")
		high = $2
	else if ($1 ~ /^DW_AT_(MIPS_)?linkage_name$/)
		linkage[entry] = quoted($0)
	else if ($1 == "DW_AT_name")
		name[entry] = quoted($0)
	else if ($1 ~ /^DW_AT_(abstract_origin|specification)$/) {
		# Of an entry of another unit, the number has more digits.
		origin[entry] = $2
		sub(/^\(0x0*/, "", origin[entry])
		sub(/\)$/, "", origin[entry])
	} else if ($1 == "DW_AT_call_file")
		call_file[entry] = quoted($0)
	else if ($1 == "DW_AT_call_line")
		call_line[entry] = substr($2, 2) + 0
	else if ($1 ~ /^\[0x/)
		paint_scope($1, $2)
	next
}

# --------------------------------------------------------------------------------------------------------- rows of lines

function end_row(until,   at) {
	if (row != "" && until - row < 65536)
		for (; row < until; row++) {
			at = row_high row
			if (at in place && place[at] != where)
				doubtful[at]
			place[at] = where
			place_table[at] = table
		}
	row = ""
}

/^debug_line\[0x/ {
	table = hex($1)
	split("", directory)
	split("", file)
	row = ""
	next
}
section == ".debug_line" && $1 == "version:" {
	version = $2
	directory[0] = comp_dir[table]
	next
}
/^include_directories\[/ {
	match($0, /[0-9]+\]/)
	number = substr($0, RSTART, RLENGTH - 1) + 0
	directory[number] = number == 0 ? quoted($0) : join(directory[0], quoted($0))
	next
}
/^file_names\[/ {
	match($0, /[0-9]+\]/)
	number = substr($0, RSTART, RLENGTH - 1) + 0
	next
}
section == ".debug_line" && $1 == "name:" {
	file[number] = quoted($0)
	next
}
section == ".debug_line" && $1 == "dir_index:" {
	file[number] = join(directory[$2], file[number])
	next
}
section == ".debug_line" && /^0x[0-9a-f]+ +[0-9]+ / {
	at = hex($1)
	end_row(at)
	if ($0 ~ /end_sequence/)
		next
	row = at
	row_high = high_digits($1)
	where = (file[$4 + 0] == "" ? "??" : file[$4 + 0]) ":" ($2 == 0 ? "?" : $2)
}

# --------------------------------------------------------------------------------------------------------------- answers

function name_of(entry,   plain) {
	for (plain = "??"; entry != ""; entry = origin[entry]) {
		if (linkage[entry] != "")
			return linkage[entry]
		if (name[entry] != "" && plain == "??")
			plain = name[entry]
	}
	return plain
}

function zeros(text, length_wanted) {
	while (length(text) < length_wanted)
		text = "0" text
	return text
}

function answer_all(   at, part, text, answer, entry) {
	end_entry()
	for (at in scope) {
		split(at, part, ":")
		# The linker drops all copies of an inline function but one; what describes the others says address 0.
		if ((part[1] == "" && part[2] + 0 < 4096) || (several && at in doubtful))
			continue
		text = (several ? image " " : "") "0x" zeros(part[1], digits) sprintf("%06x", part[2])
		answer = at in place ? place[at] : "??:?"
		for (entry = scope[at]; ; entry = parent[entry]) {
			text = text "\t" name_of(entry) "\t" answer
			if (!(entry in parent))
				break
			answer = (call_file[entry] == "" ? "??" : call_file[entry]) ":" (call_line[entry] ? call_line[entry] : "?")
		}
		print text
	}
}

END {
	answer_all()
}
