# SPDX-License-Identifier: GPL-2.0-or-later
#
# Makes calls of check (tests/lib/tap.sh) from the cases of the section that the variable "section" names.

function refuse(what) {
	printf "%s:%d: %s\n", FILENAME, FNR, what | "cat >&2"
	failed = 1
	exit 1
}
function hex(digit) {
	return index("0123456789abcdef", digit) - 1
}
# A line of a here-document in which the shell expands only %{NAME}.
function text(line,   all, c) {
	all = ""
	while (line != "") {
		if (line ~ /^%[{][A-Za-z_]/) {
			c = index(line, "}")
			all = all "$" substr(line, 2, c - 1)
			line = substr(line, c + 1)
			continue
		}
		c = substr(line, 1, 1)
		if (line ~ /^%[0-9a-f][0-9a-f]/) {
			c = sprintf("%c", 16 * hex(substr(line, 2, 1)) + hex(substr(line, 3, 1)))
			line = substr(line, 3)
		}
		all = all (index("\\$`", c) ? "\\" c : c)
		line = substr(line, 2)
	}
	return all
}
function quoted(word) {
	gsub(/'/, "'\\''", word)
	return "'" word "'"
}
function flush_case() {
	if (name == "")
		return
	if (command == "")
		refuse(name ": no command")
	options = ""
	if (status != "")
		options = " -s " status
	if (pattern != "")
		options = options " -g " quoted(pattern)
	if (has["<"]) {
		printf "tap_copy >\"$tap_tmp/case-in\" <<tap_end\n%stap_end\n", part["<"]
		options = options " -I \"$tap_tmp/case-in\""
	}
	if (has["!"]) {
		printf "tap_copy >\"$tap_tmp/case-err\" <<tap_end\n%stap_end\n", part["!"]
		options = options " -E \"$tap_tmp/case-err\""
	}
	printf "check %s%s %s <<tap_end\n%stap_end\n", quoted(name), options, command, part[">"]
	name = ""
}

/^== / {
	flush_case()
	inside = substr($0, 4) == section
	found += inside
	next
}
!inside || /^\/\// || /^$/ { next }
/^[^\t]/ {
	flush_case()
	name = $0
	command = status = pattern = ""
	split("", has)
	split("", part)
	next
}
{
	kind = substr($0, 2, 1)
	rest = substr($0, 4)
}
kind == "$" { command = rest; next }
kind == "?" { status = rest; next }
kind == "~" { pattern = rest; next }
kind == "<" || kind == ">" || kind == "!" {
	has[kind] = 1
	part[kind] = part[kind] text(rest) "\n"
	next
}
{ refuse("what is this?") }
END {
	if (!failed) {
		flush_case()
		if (found != 1)
			refuse("section " section " is there " found + 0 " times")
	}
}
