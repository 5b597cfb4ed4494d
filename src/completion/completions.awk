# SPDX-License-Identifier: GPL-2.0-or-later
#
# Makes completions for a shell from the option tables in the source of a program:
#
#	awk -v shell=bash|zsh|fish -v program=NAME -f completions.awk words SOURCE >COMPLETIONS
#
# It reads the source, and not the output of --help, because a cross-compiled program cannot be run.  Each row of a table is one
# line of the source.

# ------------------------------------------------------------------------------------ options and words

FILENAME ~ /words$/ {
	if ($1 == program || $1 == "*") {
		name = $2
		sub(/^[^ \t]+[ \t]+[^ \t]+[ \t]+/, "")
		words[name] = $0
	}
	next
}

# The option string of getopt(), such as "ab:C": a colon says that the letter before it takes an argument.
/^static const char letters\[\] = "/ {
	split($0, part, "\"")
	for (i = 1; i <= length(part[2]); i++)
		if (substr(part[2], i, 1) != ":")
			letter_takes[substr(part[2], i, 1)] = substr(part[2], i + 1, 1) == ":"
	next
}

# Remove a string literal or NULL, and the comma after it, from the beginning of "rest".  Returns the text of the literal.
function take_literal() {
	literal = ""
	if (match(rest, /^[ \t]*"([^"\\]|\\.)*"/)) {
		literal = substr(rest, 1, RLENGTH)
		sub(/^[ \t]*"/, "", literal)
		sub(/"$/, "", literal)
		gsub(/\\"/, "\"", literal)
	} else {
		match(rest, /^[ \t]*NULL/)
	}
	rest = substr(rest, RLENGTH + 1)
	sub(/^,/, "", rest)
	return literal
}

/struct option_row [a-z_]*\[\] = \{/ { table = 1 }
/^};/ { table = 0 }
table && /^\t\{ .*, "/ {
	value = $2
	rest = $0
	sub(/^\t\{ [^,]*,/, "", rest)
	long = take_literal()
	argument = take_literal()
	help = take_literal()
	if (help == "")
		next
	count++
	name_of[count] = long
	help_of[count] = help
	letter_of[count] = value ~ /^'.',$/ ? substr(value, 2, 1) : ""
	optional[count] = argument ~ /^\[/
	takes[count] = argument != ""
	sub(/^\[?=/, "", argument)
	sub(/,\.\.\.$/, "", argument)
	gsub(/[\[\]<>]/, "", argument)
	argument_of[count] = argument
	offer[count] = long in words ? words[long] : argument ~ /^(FILE|file|executable)$/ ? "<file>" : argument == "DIR" ? "<directory>" : argument == "COMMAND" ? "<command>" : argument ~ /^[a-z]+\|[a-z|]+$/ ? argument : "<none>"
	gsub(/\|/, " ", offer[count])
}

# ------------------------------------------------------------------------------------ bash

function bash_case(patterns, what, compgen) {
	compgen = what == "<file>" ? "-f" : what == "<directory>" ? "-d" : what == "<command>" ? "-c" : what == "<none>" ? "" : "-W '" what "'"
	printf "\t%s)\n", patterns
	if (what == "<file>" || what == "<directory>")
		print "\t\tcompopt -o filenames 2>/dev/null"
	print compgen == "" ? "\t\t;;" : "\t\tmapfile -t COMPREPLY < <(compgen " compgen " -P \"$prefix\" -- \"$word\") ;;"
}

function bash(   function_name, i, all, required, pattern) {
	function_name = "_" program
	gsub(/-/, "_", function_name)
	for (i = 1; i <= count; i++) {
		all = all " --" name_of[i] (takes[i] && !optional[i] ? "=" : "")
		if (letter_of[i] != "")
			all = all " -" letter_of[i]
		if (takes[i] && !optional[i])
			required = required " --" name_of[i]
		if (letter_takes[letter_of[i]])
			required = required " -" letter_of[i]
	}
	print function_name " () {"
	print "\tlocal word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} option= prefix="
	print "\tCOMPREPLY=()"
	print "\t# \"=\" is usually a word of its own."
	print "\tif [[ $word == --*=* ]]; then"
	print "\t\toption=${word%%=*} prefix=${word%%=*}= word=${word#*=}"
	print "\telif [[ $word == = ]]; then"
	print "\t\toption=$before word="
	print "\telif [[ $before == = && COMP_CWORD -ge 2 ]]; then"
	print "\t\toption=${COMP_WORDS[COMP_CWORD - 2]}"
	print "\telif [[ '" required " ' == *\" $before \"* ]]; then"
	print "\t\toption=$before"
	print "\telif [[ $word == -* ]]; then"
	print "\t\tmapfile -t COMPREPLY < <(compgen -W '" substr(all, 2) "' -- \"$word\")"
	print "\t\t[[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null"
	print "\t\treturn"
	print "\tfi"
	print "\tcase $option in"
	for (i = 1; i <= count; i++) {
		if (!takes[i])
			continue
		pattern = "--" name_of[i]
		if (letter_takes[letter_of[i]])
			pattern = "-" letter_of[i] " | " pattern
		bash_case(pattern, offer[i])
	}
	bash_case("''", words["operands"])
	print "\tesac"
	print "}"
	print "complete -F " function_name " " program
}

# ------------------------------------------------------------------------------------ zsh

# Escape TEXT for _arguments, to which brackets, colons and backslashes have a meaning, and for single quotes.
function zsh_text(text) {
	gsub(/[\[\]:\\]/, "\\\\&", text)
	gsub(/'/, "'\\''", text)
	return text
}

function zsh_action(what) {
	return what == "<file>" ? "_files" : what == "<directory>" ? "_files -/" : what == "<command>" ? "_command_names -e" : what == "<none>" ? "" : "(" what ")"
}

function zsh(   i, text, action) {
	print "_arguments -s -S \\"
	for (i = 1; i <= count; i++) {
		text = "[" zsh_text(help_of[i]) "]"
		action = ":" zsh_text(argument_of[i]) ":" zsh_action(offer[i])
		print "\t'*--" name_of[i] (!takes[i] ? text : optional[i] ? "=-" text ":" action : "=" text action) "' \\"
		if (letter_of[i] != "")
			print "\t'*-" letter_of[i] (letter_takes[letter_of[i]] ? "+" text action : text) "' \\"
	}
	print "\t'*:" (words["operands"] == "<none>" ? "address" : "file") ":" zsh_action(words["operands"]) "'"
}

# ------------------------------------------------------------------------------------ fish

function fish_quoted(text) {
	gsub(/'/, "\\'", text)
	return "'" text "'"
}

function fish_argument(what, is_optional) {
	return (is_optional ? "" : " -r") (what == "<file>" ? " -F" : what == "<directory>" ? " -f -a '(__fish_complete_directories)'" : what == "<command>" ? " -f -a '(__fish_complete_command)'" : what == "<none>" ? " -f" : " -f -a " fish_quoted(what))
}

function fish(   i, begin, argument) {
	begin = "complete -c " program
	if (words["operands"] == "<none>")
		print begin " -f"
	for (i = 1; i <= count; i++) {
		argument = takes[i] ? fish_argument(offer[i], optional[i]) : ""
		# If the name takes an argument and the letter does not, as -C and --demangle, they are two options.
		if (letter_of[i] != "" && letter_takes[letter_of[i]] != takes[i]) {
			print begin " -s " letter_of[i] " -d " fish_quoted(help_of[i])
			letter_of[i] = ""
		}
		print begin (letter_of[i] != "" ? " -s " letter_of[i] : "") " -l " name_of[i] argument " -d " fish_quoted(help_of[i])
	}
}

END {
	if (count == 0) {
		print "completions.awk: " program ": no options were found" >"/dev/stderr"
		exit 1
	}
	if (shell == "zsh")
		print "#compdef " program
	print "# SPDX-License-Identifier: GPL-2.0-or-later"
	print "# Made by completions.awk from the option tables of " program "."
	if (shell == "bash")
		bash()
	else if (shell == "zsh")
		zsh()
	else
		fish()
}
