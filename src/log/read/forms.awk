# SPDX-License-Identifier: GPL-2.0-or-later
#
# Makes from forms.txt the other two texts that must have the forms of logs:
#
#	awk -v make=rows -f forms.awk forms.txt			an array of its rows in C
#	awk -v make=page -f forms.awk forms.txt rossym-forms.7.in	the manual page: samples replace .\" forms
#
# So a form is described in one place.  A comment "#: TEXT" is the heading of the rows below.  Fails if a form has no
# heading, or a heading has no sample.

function fail(text) {
	print "forms.awk: " text >"/dev/stderr"
	failed = 1
}

# Returns the first line of the sample in ROW, shortened and escaped for mdoc, the language of the manual page.
function first_line(row,	i, c, line) {
	for (i = index(row, "\"") + 1; i <= length(row) && (c = substr(row, i, 1)) != "\""; i++) {
		if (c == "\\")
			c = substr(row, ++i, 1) == "n" ? "" : substr(row, i, 1) == "t" ? "\t" : substr(row, i, 1)
		if (c == "")
			break
		line = line c
	}
	sub(/[ \t]+$/, "", line)
	if (length(line) > 72) {
		line = substr(line, 1, 72)
		sub(/[ \t][^ \t]*$/, "", line)
		line = line " ..."
	}
	gsub(/\\/, "\\e", line)
	return line ~ /^[.']/ ? "\\&" line : line
}

function end_group() {
	if (heading != "" && group == "" && make == "page")
		fail(heading ": no sample is below this heading")
	if (group != "")
		page = page ".Ss " heading "\n.Bd -literal -offset indent\n" group ".Ed\n"
	group = ""
}

BEGIN {
	if (make == "rows")
		print "/* made of src/log/read/forms.txt */\nstatic const char *const form_rows[] = {"
}

# the template of the page
FNR == 1 && NR > 1 { end_group() }
NR > FNR {
	if ($0 == ".\\\" forms")
		printf "%s", page
	else
		print
	next
}

/^#: / {
	end_group()
	heading = substr($0, 4)
}

/^form/ && heading == "" { fail($0 ": no heading is above this row") }

/^form/ && make == "rows" {
	gsub(/[\\"]/, "\\\\&")
	print "\t\"" $0 "\","
}

# The page lacks samples that follow another sample, lines that it has already, and what some terminals cannot show.
/^sample/ && make == "page" && before !~ /^sample/ {
	line = first_line($0)
	if (!(line in seen) && line !~ /[^\t -~]/)
		group = group line "\n"
	seen[line]
}

{ before = $0 }

END {
	if (make == "rows")
		print "};"
	exit failed
}
