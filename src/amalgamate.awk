# SPDX-License-Identifier: GPL-2.0-or-later
#
# Makes one file out of many, for projects that copy it into their own tree:
#
#	awk -v top=DIRECTORY -v version=VERSION -v name=NAME -v about=TEXT -f amalgamate.awk SOURCE... >NAME
#
# SOURCEs are files below DIRECTORY, in the order in which they are written; most begin with src/.  A SOURCE that begins
# with # is a line for the preprocessor, such as #ifdef.  A header is written once, where it is first included; but if
# it is between two such lines, it is written again later, because a compiler may skip these lines.  Headers that
# projects copy as files stay #include lines.  Functions that are not part of the interface become static: so the result
# defines only the names of the interface, and a compiler drops what nobody calls.
#
# If NAME ends with .h, there is one SOURCE, whose first lines are replaced.  If NAME ends with .c, the result begins
# with a list of its files.

BEGIN {
	copied = name ~ /host/ ? "(^|/)(config|rossym-host)\\.h$" : "(^|/)rossym-(core|kernel)\\.h$"
	print "/* SPDX-License-Identifier: GPL-2.0-or-later */"
	print "/* " name " of rossym " version ": " about ".  Made by \"make amalgamation\": change the sources instead. */"
	for (i = 1; i < ARGC; i++)
		if (ARGV[i] ~ /^#/)
			write_condition(ARGV[i])
		else
			write_file(ARGV[i])
	if (name ~ /\.c$/) {
		write_list()
		write_settings()
	}
	for (i = 1; i <= line_count; i++)
		print lines[i]
	exit
}

function write_condition(line,   file) {
	for (file in conditional)
		delete written[file]
	split("", conditional)
	is_conditional = line !~ /^#endif/
	lines[++line_count] = line
}

# Print a comment with the files, in the order in which they are in the result.
function write_list(   i) {
	print "/*\n * In this file:"
	for (i = 1; i <= count; i++)
		print " *\t" files[i]
	print " */"
}

# Print lines that turn off the warnings of compilers about functions that nobody calls, and of MSVC about C99.
function write_settings() {
	print "#define ROSSYM_AMALGAMATION 1"
	print "#if defined __GNUC__ || defined __clang__"
	print "#pragma GCC diagnostic ignored \"-Wunused-function\""
	print "#elif defined _MSC_VER"
	print "#pragma warning(disable: 4200 4204 4505)"
	print "#endif"
}

# Write FILE, unless it has been written.
function write_file(file,   path, line, status) {
	if (file in written)
		return
	written[file]
	if (is_conditional)
		conditional[file]
	files[++count] = file
	if (name ~ /\.c$/)
		lines[++line_count] = "\n/* ======== " file " */\n"
	path = top "/" file
	while ((status = (getline line <path)) > 0)
		if (line ~ /^#[ \t]*include[ \t]*"/)
			write_include(line)
		else if (line !~ /SPDX-License-Identifier/)
			lines[++line_count] = is_internal(line) ? "static " line : line
	close(path)
	if (status < 0) {
		print "amalgamate.awk: cannot read " path | "cat >&2"
		exit 1
	}
}

# Write the file that LINE includes; for a header that projects copy, an #include line.
function write_include(line,   part) {
	split(line, part, "\"")
	if (part[2] !~ copied) {
		write_file(found(part[2]))
		return
	}
	sub(/.*\//, "", part[2])
	if (!(part[2] in written))
		lines[++line_count] = "#include \"" part[2] "\""
	written[part[2]]
}

# Returns the path of the file that is included as NAME: its path below src/ or below DIRECTORY, or its name in compat/.
function found(name,   path, line) {
	path = "src/" name
	if ((getline line <(top "/" path)) < 0)
		return name ~ /\// ? name : "compat/" name
	close(top "/" path)
	return path
}

# Whether LINE declares or defines an external function outside the interface.  It begins in the first column.
function is_internal(line) {
	if (line !~ /^[A-Za-z_][A-Za-z0-9_ *]*\(/ || line ~ /^(static|extern|typedef) /)
		return 0
	sub(/\(.*/, "", line)
	sub(/.*[ *]/, "", line)
	return line !~ /^(rossym_core_|rossym_host_|RosSym)/
}
