# SPDX-License-Identifier: GPL-2.0-or-later
#
# llvm.awk -v high_digits=0xDIGITS DUMP - what llvm-dwarfdump --debug-info --debug-line says of each byte of each function, as addr2line -afi prints it
#
# Each range of a function or inlined call paints its addresses, and inner calls, which come after outer ones, paint over them.  Each row
# of a line table paints up to the next one.  Some awks cannot print numbers above 2^31, so addresses are here without the digits above the
# last six, which are those of the image's base.

function hex(text,   i, n) {
	n = 0
	text = tolower(text)
	sub(/^.*0x/, "", text)
	sub(/[^0-9a-f].*$/, "", text)
	for (i = length(text) > 6 ? length(text) - 5 : 1; i <= length(text); i++)
		n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
	return n
}

function quoted(text) {
	sub(/^[^"]*"/, "", text)
	sub(/"[^"]*$/, "", text)
	return text
}

function join(directory, name) {
	return name ~ /^\// || directory == "" ? name : directory "/" name
}

# ------------------------------------------------------------------------------------------- functions and inlined calls

function paint_scope(from, to) {
	if (to > from && to - from < 65536)
		for (; from < to; from++)
			scope[from] = entry
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
	around[depth] = is_scope ? entry : ""
	if (tag == "DW_TAG_inlined_subroutine")
		for (i = depth - 1; !(entry in parent); i--)
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
		low = hex($2)
	else if ($1 == "DW_AT_high_pc")
		high = hex($2)
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
		paint_scope(hex($1), hex($2))
	next
}

# --------------------------------------------------------------------------------------------------------- rows of lines

function end_row(until) {
	if (row != "" && until - row < 65536)
		for (; row < until; row++)
			place[row] = where
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
	where = file[$4 + 0] ":" ($2 == 0 ? "?" : $2)
}

# --------------------------------------------------------------------------------------------------------------- answers

function name_of(entry,   plain) {
	for (plain = "??"; entry != ""; entry = origin[entry]) {
		if (entry in linkage)
			return linkage[entry]
		if (entry in name && plain == "??")
			plain = name[entry]
	}
	return plain
}

END {
	for (at in scope) {
		# The linker drops all copies of an inline function but one; what describes the others says address 0.
		if (at + 0 < 4096)
			continue
		text = high_digits sprintf("%06x", at)
		answer = at in place ? place[at] : "??:0"
		for (entry = scope[at]; ; entry = parent[entry]) {
			text = text "\n" name_of(entry) "\n" answer
			if (!(entry in parent))
				break
			answer = call_file[entry] ":" call_line[entry]
		}
		# One line for each address, so that sort can order them.
		gsub(/\n/, "\t", text)
		print text
	}
}
