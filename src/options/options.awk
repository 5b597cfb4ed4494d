# SPDX-License-Identifier: GPL-2.0-or-later
#
# Makes everything else that lists the options of the programs, from the section OPTIONS of their manual pages:
#
#	awk -v make=rows|bash|zsh|fish -f options.awk man/PROGRAM.1	the table in C, or completions for a shell
#	awk -v make=list -f options.awk man/*.1				a list of all options
#
# So an option is described in one place.  An item of that section has its letter, its long names, its argument and the
# paragraph of the manual.  Comments before the item have the rest:
#
#	.\" option SINCE [common] [whole|whole=NAME,...] EFFECT: HELP
#	.\" words WORD...
#	.It Fl e Ar file , Fl -exe Ns = Ns Ar file
#
# SINCE		the version that had it first
# common	--help shows it; --help=all shows all
# whole		it cannot be abbreviated; with NAMEs, only these of its names cannot
# EFFECT	call FUNCTION() or FUNCTION(MEMBER); or store MEMBER=true|false|argument|CONSTANT in the command line
# HELP		a line for --help and completions
# words		what shells offer for the argument, if the item does not tell: words, <file>, <directory>, <command> or
#		<none>.  Before the first item: what they offer for operands.
#
# The first long name is the option's; others are older names of it, or names in other programs.  Items without a
# paragraph share that of the next one.  The headings of groups are those of --help=all.  Fails if anything is missing.

function fail(text) {
	print "options.awk: " program ": " text >"/dev/stderr"
	failed = 1
}

# ------------------------------------------------------------------------------------ the pages

FNR == 1 {
	program = FILENAME
	sub(/.*\//, "", program)
	sub(/\.1$/, "", program)
	group = section = ""
}

/^\.Sh / {
	section = substr($0, 5)
	next
}

# Store the commands of examples.  A command can continue on the next line.
section == "EXAMPLES" && /^(\.Dl )?(\$ )?.*rossym-/ {
	line = $0
	while (line ~ /(\\e|\|)$/ && (getline more) > 0) {
		sub(/\\e$/, "", line)
		sub(/^ */, "", more)
		line = line more
	}
	sub(/^\.Dl /, "", line)
	sub(/^\$ /, "", line)
	gsub(/\\e/, "\\", line)
	examples[program] = examples[program] "\n" line " "
	next
}

section != "OPTIONS" { next }

/^\.Ss / {
	group = substr($0, 5)
	groups++
	next
}

/^\.\\" words / {
	words = substr($0, 11)
	if (!(program in operands))
		operands[program] = words
	next
}

/^\.\\" option / {
	specification = substr($0, 12)
	words = ""
	next
}

# Store the names of an item, and the argument of each name: "Ar file" as FILE, in brackets if "Op" is before it.
function read_item(   n, i, word, close_bracket, raise) {
	n = split($0, word, " ")
	names = 0
	close_bracket = raise = ""
	for (i = 2; i <= n; i++) {
		if (word[i] == "Fl") {
			if (names)
				argument_at[names] = argument_at[names] close_bracket
			close_bracket = ""
			name_at[++names] = word[++i]
			argument_at[names] = ""
			raise = 0
		} else if (word[i] == "Ns" || (word[i] ~ /^[,;]$/ && word[i + 1] == "Fl")) {
			continue
		} else if (word[i] == "Op") {
			argument_at[names] = argument_at[names] "["
			close_bracket = "]"
		} else if (word[i] ~ /^O[oc]$/) {
			argument_at[names] = argument_at[names] (word[i] == "Oo" ? "[" : "]")
		} else if (word[i] ~ /^(Ar|Cm)$/) {
			raise = word[i] == "Ar" && !is_gnu
		} else {
			argument_at[names] = argument_at[names] (raise ? toupper(word[i]) : word[i])
		}
	}
	argument_at[names] = argument_at[names] close_bracket
}

# Store the fields of the comment before an item.
function read_specification(   part, n, i) {
	i = index(specification, ": ")
	help = i ? substr(specification, i + 2) : ""
	n = split(i ? substr(specification, 1, i - 1) : specification, part, " ")
	since = effect = whole = common = ""
	for (i = 1; i <= n; i++)
		if (part[i] ~ /^[0-9]+\.[0-9]+\.[0-9]+$/)
			since = part[i]
		else if (part[i] == "common")
			common = 1
		else if (part[i] ~ /^whole/)
			whole = part[i]
		else
			effect = part[i]
	if (since == "")
		fail($0 ": no version")
	if (help == "")
		fail($0 ": no line of help")
	if (effect !~ /^([a-z_]+\([a-z_.]*\)|[a-z_.]+=[A-Za-z_]+)$/)
		fail($0 ": no effect")
}

function is_whole(name) {
	return whole == "whole" || index("," substr(whole, 7) ",", "," name ",")
}

section == "OPTIONS" && /^\.It Fl / {
	is_gnu = program == "rossym-addr2line" && group ~ /GNU/
	read_item()
	if (specification == "")
		fail($0 ": no comment before it")
	else
		read_specification()
	specification = ""
	count++
	program_of[count] = program
	since_of[count] = since
	help_of[count] = help
	letter = first = ""
	for (i = 1; i <= names; i++) {
		if (name_at[i] !~ /^-/) {
			if (letter == "")
				letter = name_at[i]
			else
				extra[count] = name_at[i]
			continue
		}
		name = substr(name_at[i], 2)
		if (is_gnu)
			sub(/=.*/, argument_at[i] ~ /^\[/ ? "=style" : "=<" substr(argument_at[i], 2) ">", argument_at[i])
		if (is_gnu && argument_at[i] ~ /^\[/)
			argument_at[i] = "[=style]"
		row = sprintf("\t{ %s, %s, %s, %s, %s, %s, %d, %s },\n", letter == "" ? 0 : "'" letter "'", quoted(name), quoted(argument_at[i]), \
			first == "" ? quoted(help) : "NULL", effect_in_c(), is_whole(name) ? "OPTION_WHOLE" : program != "rossym-addr2line" || is_gnu ? "OPTION_FIRST" : "OPTION_SECOND", common, \
			group == last_group ? "NULL" : quoted(group))
		last_group = group
		rows = rows row
		if (first == "") {
			first = name
			argument = argument_at[i]
		} else {
			others[count] = others[count] " --" name
		}
	}
	if (count in extra)
		rows = rows sprintf("\t{ '%s', \"\", NULL, NULL, %s, OPTION_FIRST, 0, NULL },\n", extra[count], effect_in_c())
	name_of[count] = first
	letter_of[count] = letter
	shown_of[count] = argument
	optional[count] = argument ~ /^\[/
	takes[count] = argument != ""
	if (letter != "")
		letter_takes[letter] = takes[count] && !optional[count]
	sub(/^\[?=/, "", argument)
	sub(/,\.\.\.$/, "", argument)
	gsub(/[\[\]<>]/, "", argument)
	argument_of[count] = argument
	offer[count] = words != "" ? words : argument ~ /^(FILE|executable)$/ ? "<file>" : argument == "DIR" ? "<directory>" : argument == "COMMAND" ? "<command>" : argument ~ /^[A-Za-z0-9]+\|[A-Za-z0-9|]+$/ ? argument : "<none>"
	gsub(/\|/, " ", offer[count])
	words = ""
	waiting = $0
	next
}

/^\.(El|It)/ {
	if (waiting != "" && /^\.El/)
		fail(waiting ": no paragraph")
	waiting = ""
	next
}

!/^\.(\\|Bl|Pp)/ { waiting = "" }

# ------------------------------------------------------------------------------------ rows in C

function quoted(text) {
	if (text == "")
		return "NULL"
	gsub(/[\\"]/, "\\\\&", text)
	return "\"" text "\""
}

function effect_in_c(   type, at, member, value) {
	if (effect ~ /\(\)$/)
		return "OPTION_CALLS(" substr(effect, 1, length(effect) - 2) ")"
	type = program
	sub(/^rossym-/, "struct ", type)
	if (effect ~ /\)$/) {
		at = index(effect, "(")
		return "OPTION_CALLS_FOR(" type "_command, " substr(effect, at + 1, length(effect) - at - 1) ", " substr(effect, 1, at - 1) ")"
	}
	at = index(effect, "=")
	member = type "_command, " substr(effect, 1, at - 1)
	value = substr(effect, at + 1)
	return value == "true" ? "OPTION_SETS(" member ")" : value == "false" ? "OPTION_CLEARS(" member ")" : value == "argument" ? "OPTION_STORES(" member ")" : "OPTION_CHOOSES(" member ", " value ")"
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
	bash_case("''", operands[program])
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
	print "\t'*:" (operands[program] == "<none>" ? "address" : "file") ":" zsh_action(operands[program]) "'"
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
	if (operands[program] == "<none>")
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

# ------------------------------------------------------------------------------------ the list

# The first example of the page with option I; "" if there is none.
function example_of(i,   n, line, j) {
	n = split(examples[program_of[i]], line, "\n")
	for (j = 1; j <= n; j++)
		if (index(line[j], program_of[i]) && (line[j] ~ ("--" name_of[i] "[ =]") || (letter_of[i] != "" && line[j] ~ (" -[a-zA-Z]*" letter_of[i] " "))))
			return substr(line[j], 1, length(line[j]) - 1)
	return ""
}

function list(   i, j, order) {
	print "All options of rossym's programs: name, program, the version that had it first, what it does, other names, an example."
	for (i = 1; i <= count; i++) {
		for (j = i - 1; j > 0 && name_of[order[j]] > name_of[i]; j--)
			order[j + 1] = order[j]
		order[j + 1] = i
	}
	for (j = 1; j <= count; j++) {
		i = order[j]
		printf "\n%s--%s%s  %s  %s\n    %s\n", letter_of[i] == "" ? "" : "-" letter_of[i] ", ", name_of[i], shown_of[i], program_of[i], since_of[i], help_of[i]
		if (i in others)
			print "    also" others[i]
		if (example_of(i) != "")
			print "    $ " example_of(i)
	}
}

END {
	if (count == 0)
		fail("no options were found")
	if (failed)
		exit 1
	if (make == "list") {
		list()
		exit
	}
	if (make == "rows") {
		print "/* SPDX-License-Identifier: GPL-2.0-or-later */"
		print "/* Made by options.awk from " program ".1. */"
		print "static const struct option_row option_rows[] = {"
		printf "%s", rows
		print "\tOPTION_ROWS_END,\n};"
		exit
	}
	if (make == "zsh")
		print "#compdef " program
	print "# SPDX-License-Identifier: GPL-2.0-or-later"
	print "# Made by options.awk from " program ".1."
	if (make == "bash")
		bash()
	else if (make == "zsh")
		zsh()
	else
		fish()
}
