# SPDX-License-Identifier: GPL-2.0-or-later
#
# A second decoder of inlined calls in PDB files, independent of src/debuginfo: it reads what llvm-pdbutil prints.
#
#	awk -f pdb-inlines.awk SECTIONS CONTRIBUTIONS INLINEES SYMBOLS
#
# The files are the output of llvm-pdbutil dump with --section-headers, --section-contribs, --il and --symbols.  Of the
# annotations only the bytes are used, not what llvm-pdbutil makes of them.
#
# Prints for each byte of a procedure with inlined calls the RVA, and for each call, the innermost first, a tab, the
# function, "|", the file, ":", and the line; then a tab and the procedure's name.  In the names llvm-pdbutil leaves out
# the scope, and may end with "..."; the name is empty if it is a number in the list of imports.  The last line is
#
#	structure SITES ROWS OUTSIDE OVERLAPPING UNKNOWN BAD FOLDED
#
# the numbers of inlined calls and of rows; of bytes of rows outside of the call around them or of the procedure; of bytes
# that two calls next to each other both have; of calls whose function is not in the list of inlined functions; of calls
# whose annotations are none; of procedures in whose place the linker put another one, which have no part in the rest.

function hex(text,    i, value) {
	value = 0
	for (i = 1; i <= length(text); i++)
		value = value * 16 + index("0123456789abcdef", tolower(substr(text, i, 1))) - 1
	return value
}

# The next byte of the annotations, and the next number: 0xxxxxxx, 10xxxxxx and a byte, or 110xxxxx and three.
function byte(    value) {
	if (at > length(code)) {
		bad = 1
		return 0
	}
	value = hex(substr(code, at, 2))
	at += 2
	return value
}
function number(    first) {
	first = byte()
	if (first < 128)
		return first
	if (first < 192)
		return (first - 128) * 256 + byte()
	if (first >= 224)
		bad = 1
	return (((first - 192) * 256 + byte()) * 256 + byte()) * 256 + byte()
}
function signed(value) {
	return value % 2 ? -int(value / 2) : value / 2
}

# A row begins: that before it ends, unless it has ended already.
function row(length_of) {
	if (rows && last[rows] < 0)
		last[rows] = offset
	else if (rows && last[rows] > offset)
		last[rows] = offset
	rows++
	first[rows] = offset
	last[rows] = length_of < 0 ? -1 : offset + length_of
	line_of[rows] = line
}

# Run the annotations CODE for a function that begins in LINE.  Fills first[], last[] and line_of[]; a row that has no
# end is bad.
function run(    op, value) {
	at = 1
	bad = rows = offset = 0
	while (at <= length(code)) {
		op = number()
		if (op == 0)
			break
		value = number()
		if (op == 3) {
			offset += value
			row(-1)
		} else if (op == 4) {
			if (rows && last[rows] < 0)
				last[rows] = offset + value
			offset += value
		} else if (op == 6) {
			line += signed(value)
		} else if (op == 11) {
			line += signed(int(value / 16))
			offset += value % 16
			row(-1)
		} else if (op == 12) {
			offset += number()
			row(value)
		} else if (op < 7 || op > 13) {
			bad = 1		# 1, 2 and 5 as well: no compiler is known to write 1 and 2, and files are not followed here
		}
	}
	if (rows && last[rows] < 0)
		bad = 1
}

# All bytes of the annotations are there.
function end_site(    i, p, key, around) {
	if (code == "none")
		return
	if (!folded) {
		sites++
		key = module SUBSEP inlinee
		line = key in inlinee_line ? inlinee_line[key] : -1000000
		unknown += !(key in inlinee_line)
		run()
		bads += bad
		around = depth > 1 ? stack[depth - 1] : 0
		for (i = 1; i <= rows; i++) {
			total += last[i] > first[i]
			for (p = first[i]; p < last[i]; p++) {
				if (p >= size || !((around, p) in has)) {
					outside++
				} else if (owner[p] != around) {
					overlapping++
				} else {
					has[stack[depth], p] = 1
					owner[p] = stack[depth]
					chain[p] = "\t" name "|" inlinee_file[key] ":" line_of[i] chain[p]
				}
			}
		}
		any = 1
	}
	code = "none"
}

function end_procedure(    p, i) {
	end_site()
	for (p = 0; any && p < size; p++)
		printf "%x%s\t%s\n", begin + p, chain[p], procedure
	split("", has)
	split("", owner)
	split("", chain)
	any = depth = 0
}

BEGIN { code = "none" }

FNR == 1 { file++ }

file == 1 && / virtual address$/ { section[++section_count] = hex($1) }

# "  SC[.text] | mod = 2, 0001:0288, size = 84, ..."; the offset is decimal.
file == 2 && / mod = / {
	split($0, part, / mod = |, |:|size = /)
	n = ++contributions[part[2] + 0]
	from[part[2] + 0, n] = section[part[3] + 0] + part[4]
	to[part[2] + 0, n] = section[part[3] + 0] + part[4] + part[6]
}

file == 3 && /^ *Mod [0-9]* / {
	module = substr($0, index($0, "Mod ") + 4, 4) + 0
}
file == 3 && /^ *0x[0-9A-F]* \| *[0-9]* \| / {
	split($0, part, /\| */)
	key = module SUBSEP $1
	inlinee_line[key] = part[2] + 0
	sub(/^[^|]*\|[^|]*\| /, "")
	sub(/ \((MD5|SHA-1|SHA-256): [0-9A-F]*\)$/, "")
	sub(/ \(no checksum\)$/, "")
	inlinee_file[key] = $0
}

file == 4 && /^ *Mod [0-9]* \| / {
	end_procedure()
	module = substr($0, index($0, "Mod ") + 4, 4) + 0
}
file == 4 && /^ *[0-9]+ \| S_/ {
	if ($3 ~ /^S_[GL]PROC32/) {
		end_procedure()
		procedure = substr($0, index($0, "`") + 1)
		sub(/`$/, "", procedure)
		wants_address = 1
		folded = 1
	} else {
		end_site()
	}
	if ($3 == "S_INLINESITE" || $3 == "S_INLINESITE2") {
		stack[++depth] = ++serial
		wants_code = 1
		code = ""
	} else {
		wants_code = 0
		depth -= $3 == "S_INLINESITE_END"
	}
	next
}
file == 4 && wants_address && / addr = [0-9]*:[0-9]*, code size = [0-9]*$/ {
	split($0, part, /addr = |:|, code size = /)
	begin = section[part[2] + 0] + part[3]
	size = part[4] + 0
	for (i = 1; i <= contributions[module]; i++)
		if (from[module, i] <= begin && begin < to[module, i])
			folded = 0
	folded = folded || (begin in taken)
	folds += folded
	taken[begin] = 1
	for (p = 0; p < size; p++) {
		has[0, p] = 1
		owner[p] = 0
	}
	wants_address = 0
}
file == 4 && wants_code && /^ *inlinee = / {
	inlinee = $3
	sub(/,$/, "", inlinee)
	name = ""
	if (match($0, /\(.*\), parent = /))
		name = substr($0, RSTART + 1, RLENGTH - 13)
	next
}
file == 4 && wants_code { code = code $1 }

END {
	end_procedure()
	printf "structure\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", sites, total, outside, overlapping, unknown, bads, folds
}
