# SPDX-License-Identifier: GPL-2.0-or-later
#
# Prints the messages in C sources, some more than once, with "%" in place of each conversion:
#
#	awk -f messages.awk SOURCE.c... | sort -u
#
# A message is all string literals in a call of diag() or the like, up to the ";" that ends it.  The texts in kind.c and
# fault.c are messages, too.  Definitions of functions, which are no calls, begin in the first column.

{ gsub(/PRI[xu](8|16|32|64)/, "\"s\"") }

FILENAME ~ /\/kind\.c$/ && /^\t\{ ".*", "an? .*" \},$/ {
	split($0, part, "\"")
	print part[4]
}

FILENAME ~ /\/fault\.c$/ && /^\t[^*]*".*[a-z][a-z]/ {
	match($0, /".*"/)
	text = substr($0, RSTART + 1, RLENGTH - 2)
	gsub(/\{x?\}/, "%", text)
	if (text !~ /"/ && text ~ /[a-z][a-z]/)
		print text
	next
}

call == "" && !/^[ \t].*[^a-z_](diag|diag_warning|diag_hint|diag_print_plain|rs_reading_warn|making_warn|rs_fail|rs_fail_errno|rs_fail_memory|not_pe|fputs)\(/ && !/^[ \t]+(diag|diag_warning|diag_hint|diag_print_plain|rs_reading_warn|making_warn|fputs)\(/ { next }

{
	call = call $0
	if ($0 !~ /;[ \t]*$/)
		next
	text = ""
	# Remove each "? :" that chooses between names of options: they are an argument, not text of the message.
	while (match(call, /\?[ \t]*"--?[a-z-]+"[ \t]*:[ \t]*"--?[a-z-]+"/))
		call = substr(call, 1, RSTART - 1) substr(call, RSTART + RLENGTH)
	kind = call ~ /(diag|making|rs_reading)_warn(ing)?\(/ ? "warning: " : call ~ /diag_hint\(/ ? "hint: " : ""
	rest = call ~ /fputs\(/ && call !~ /stderr/ ? "" : call
	while (match(rest, /"([^"\\]|\\.)*"/)) {
		text = text substr(rest, RSTART + 1, RLENGTH - 2)
		rest = substr(rest, RSTART + RLENGTH)
	}
	call = ""
	gsub(/\\n/, "", text)
	gsub(/\\"/, "\"", text)
	gsub(/%[-.*0-9]*z*[a-z]/, "%", text)
	if (text ~ /[a-z][a-z]/)
		print kind text
}
