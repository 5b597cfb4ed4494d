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
# A line of a here-document in which the shell expands only %{NAME} and %(COMMAND).
function text(line,   all, c) {
	all = ""
	while (match(line, /[%\\$`]/)) {
		all = all substr(line, 1, RSTART - 1)
		line = substr(line, RSTART)
		c = substr(line, 1, 1)
		if (line ~ /^%[{(][A-Za-z_]/) {
			c = index(line, substr(line, 2, 1) == "{" ? "}" : ")")
			all = all "$" substr(line, 2, c - 1)
			line = substr(line, c + 1)
			continue
		}
		if (line ~ /^%[0-9a-f][0-9a-f]/) {
			c = sprintf("%c", 16 * hex(substr(line, 2, 1)) + hex(substr(line, 3, 1)))
			line = substr(line, 3)
		}
		all = all (index("\\$`", c) ? "\\" c : c)
		line = substr(line, 2)
	}
	return all line
}
# A word of the shell in which it expands only %{NAME}.
function quoted(word) {
	if (word ~ /%[{][A-Za-z_]/ || word ~ /%[0-9a-f][0-9a-f]/) {
		word = text(word)
		gsub(/"/, "\\\"", word)
		return "\"" word "\""
	}
	gsub(/'/, "'\\''", word)
	return "'" word "'"
}
function flush_setup() {
	if (setup == "")
		return
	if (has["|"])
		printf "{\n%s} <<tap_end\n%stap_end\n", setup, part["|"]
	else
		printf "%s", setup
	setup = ""
}
# What the option O of check gets: a file, or the lines of this kind in FILE of the test.
function option(kind, o, file) {
	if (at[kind] != "")
		options = options " -" o " " at[kind]
	if (!has[kind])
		return
	printf "tap_copy <<tap_end%s >\"$tap_tmp/%s\"\n%stap_end\n", cut[kind] ? " | tap_cut" : "", file, part[kind]
	options = options " -" o " \"$tap_tmp/" file "\""
}
function flush_case() {
	flush_setup()
	if (name == "")
		return
	if (command == "")
		refuse(name ": no command")
	options = ""
	if (status == "" && (has["!"] || at["!"] != "" || pattern != "") && !has[">"] && at[">"] == "")
		status = 1
	if (status != "")
		options = " -s " status
	if (pattern != "")
		options = options " -g " quoted(pattern)
	option("<", "I", "case-in")
	option("!", "E", "case-err")
	if (at[">"] != "")
		options = options " -O " at[">"]
	if (command ~ /^[{][ \n]/) {
		printf "tap_group () %s\n", command
		command = "tap_group"
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
	split("", cut)
	split("", at)
}
/^[+] / {
	setup = substr($0, 3) "\n"
	name = ""
}
/^[^\t]/ { next }
{
	kind = substr($0, 2, 1)
	mark = substr($0, 3, 1)
	rest = substr($0, 4 + (mark != "" && mark != " "))
}
kind == "$" && setup != "" { setup = setup rest "\n"; next }
kind == "$" { command = command (command == "" ? "" : "\n") rest; next }
kind == "?" { status = rest; next }
kind == "~" { pattern = pattern (pattern == "" ? "" : "\n") rest; next }
kind ~ /[<>!]/ && mark == "@" { at[kind] = rest; next }
kind ~ /[<>!|]/ && (mark == " " || mark == "" || kind == "<" && mark == ".") {
	has[kind] = 1
	cut[kind] = mark == "."
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
