# SPDX-License-Identifier: GPL-2.0-or-later
#
# The sources as a graph, which must be as src/README says: which file needs which, by #include lines and by the symbols of
# the objects in the build directory.  A file's name here has no ending: a .c and its .h are one file.  Each check is first
# run on made-up sources, where it must find what is wrong.

. "${srcdir:-.}/tests/lib/tap.sh"

# ------------------------------------------------------------------------------------------------ what src/README says

# The lines of README file $2 under the heading $1.
section () {
	awk -v heading="$1" '
		/^---/ { inside = last == heading; held = ""; next }
		{ if (inside && NR > 1) print held; held = last = $0 }
		END { if (inside) print held }' "$2" | sed 1d
}

# The files that the map of README $1 names.
mapped () {
	section 'The map' "$1" | awk '
		/^[a-z0-9\/-]+\/ / { folder = $1 == "src/" ? "" : $1 }
		/^  [A-Za-z]/ {
			name = $1
			if (sub(/\.\[ch\]$/, "", name)) { print folder name ".c"; print folder name ".h" } else print folder name
		}' | sort
}

# The files of source directory $1; a build may have put others there.
present () {
	(cd "$1" && find . -name '*.[ch]' -o -name '*.cc' -o -name '*.hh' -o -name '*.in' -o -name '*.map' -o -name '*.awk' -o -name README -o -name words -o -name forms.txt) |
		sed 's,^\./,,' | sort
}

# The folders of source directory $1 with more than $2 files.
crowded () {
	present "$1" | sed -n 's,/[^/]*$,,p' | sort | uniq -c | awk -v most="$2" '$1 > most { print "src/" $2 ": " $1 " files: divide it" }'
}

# What is wrong with the map of source directory $1.
map_errors () {
	present "$1" >map.present
	mapped "$1/README" >map.named
	comm -23 map.present map.named | sed 's,.*,src/&: src/README does not name it: add a line to "The map",'
	uniq map.named | comm -13 map.present - | sed 's|.*|src/&: src/README names it, but there is no such file|'
	uniq -d map.named | sed 's,.*,src/&: src/README names it twice,'
	# Other parts of the page name files, too: FOLDER/NAME.c.
	sed -n '/^The map$/,/^Who may need whom$/!p' "$1/README" | tr -c 'A-Za-z0-9_./-' '\n' |
		grep '^[a-z0-9]*/[a-z0-9_-]*\.[ch]$' | sort -u | comm -13 map.present - | grep -v -e '^tests/' -e '^compat/' |
		sed 's|.*|src/&: src/README speaks of it, but there is no such file|'
	:
}

# The exceptions of README $1 that begin with word $2, without it: "NAME" or "FROM TO".
accepted () {
	section 'Accepted exceptions' "$1" | sed -n "s/^  $2 \\([^:]*\\):.*/\\1/p" | sed 's/ -> / /' | sort
}

# ------------------------------------------------------------------------------------------------ the graph

# Arrows are lines "FROM TO WHY".  Those of the #include lines in source directory $1:
include_arrows () {
	(cd "$1" && find . -name '*.[ch]' -exec grep '^[ 	]*#[ 	]*include[ 	]*"' /dev/null {} +) |
		sed 's,^\./\(.*\)\.[ch]:[^"]*"\([^"]*\)".*,\1 \2,' |
		awk '{ to = $2; sub(/\.h$/, "", to); if (to != $1 && to != "config") print $1, to, $2 }' | sort -u
}

# The objects below build directory $1 that are newer than their sources in source directory $2: others are left from another
# configuration.
objects () {
	(cd "$1" && find . -name '*.o' ! -name '*-t.o') | awk '
		{
			file = $1
			gsub(/^\.\/|\.libs\/|rossym_[a-z0-9_]*-|lib[a-z0-9]*_la-|\.o$/, "", file)
			print $1, file
		}' | while read -r object file; do
			test -e "$2/$file.c" && test "$1/$object" -nt "$2/$file.c" && echo "$1/$object $file"
		done
}

# Lines "FILE d NAME" and "FILE u NAME" for what these objects define and do not define.
object_symbols () {
	objects "$1" "$2" >objects
	cut -d ' ' -f 1 objects | xargs nm -gPA 2>/dev/null | awk '
		FILENAME != "-" { source[$1 ":"] = $2; next }
		$2 !~ /^__/ && $2 != "main" { print source[$1], $3 ~ /^[UwV]$/ ? "u" : "d", $2 }' objects - | sort -u
}

# The arrows of such lines, but for names that two files define.
symbol_arrows () {
	awk '
		NR == FNR { if ($2 == "d") { many[$3] = $3 in where; where[$3] = $1 } next }
		$2 == "u" && $3 in where && !many[$3] { print $1, where[$3], $3 "()" }' "$1" "$1" | sort -u
}

# Arrows of file $1 without the accepted ones of file $2.
without () {
	awk 'FILENAME == ARGV[1] { gone[$1, $2] = 1; next } !(($1, $2) in gone)' "$2" "$1"
}

# The circles among the arrows in file $1, each once.
circles () {
	awk '
		{
			if (!(($1, $2) in why)) { count++; from[count] = $1; to[count] = $2; why[$1, $2] = $3 }
		}
		# Take away arrows from where none leads to, and to where none goes on, until only circles and what joins them is left.
		function trim(  i, taken, out, in_) {
			do {
				taken = 0
				split("", out); split("", in_)
				for (i = 1; i <= count; i++) if (from[i] != "") { out[from[i]]++; in_[to[i]]++ }
				for (i = 1; i <= count; i++)
					if (from[i] != "" && (!(to[i] in out) || !(from[i] in in_))) { from[i] = ""; taken = 1 }
			} while (taken)
		}
		function next_of(file,  i) { for (i = 1; i <= count; i++) if (from[i] == file) return i; return 0 }
		END {
			for (;;) {
				trim()
				for (first = 1; first <= count && from[first] == "";) first++
				if (first > count) break
				split("", seen)
				for (file = from[first]; !(file in seen); file = to[arrow]) { seen[file] = 1; arrow = next_of(file) }
				line = start = file
				do {
					arrow = next_of(file)
					line = line " -> " to[arrow] " (" why[file, to[arrow]] ")"
					file = to[arrow]
				} while (file != start)
				print line
				from[arrow] = ""
			}
		}' "$1"
}

# What is wrong with the arrows in file $1 under the table "Who may need whom" of README $2.  $3 is the source directory.
forbidden () {
	section 'Who may need whom' "$2" | sed -n 's/^  \([a-z]\)/\1/p' >forbidden.table
	awk -v src="$3" '
		function folder(file) { return file ~ /^rossym/ ? "public" : file ~ /\// ? substr(file, 1, length(file) - length(base(file)) - 1) : file }
		function base(file) { sub(/.*\//, "", file); return file }
		function declares(headers, name,  list, i, line, found) {
			for (i = split(headers, list, " "); i > 0; i--) {
				while (!found && (getline line <(src "/" list[i])) > 0) found = line ~ "[^A-Za-z0-9_]" name "[(]"
				close(src "/" list[i])
			}
			return found
		}
		FILENAME == ARGV[1] {
			order[$1] = NR
			allowed[$1] = ""
			for (i = 2; i <= NF; i++) {
				may[$1, $i] = 1
				if ($i ~ /\/.*\.h$/) doors[$1] = doors[$1] " " $i
				if ($i !~ /\./ && $i != "compat" && !($i in order))
					print "src/README: " $1 " may not need " $i ", which is not below it"
			}
			next
		}
		{
			a = folder($1); b = folder($2)
			name = $3; called = sub(/\(\)$/, "", name)
			if (a == b || a == "public" && b == "public") next
			if (!(a in order)) { print $1 ": src/README has no line for " a; next }
			if (b == "public" || name ~ /^compat\//) ok = (a, b == "public" ? name : "compat") in may
			else if (!(b in order)) { print $2 ": src/README has no line for " b; next }
			else if (!called) ok = (a, b) in may || (a, name) in may
			else ok = order[b] < order[a] && ((a, b) in may || name ~ /^rossym_/ || a in doors && declares(doors[a], name))
			if (!ok) print $1 " -> " $2 " (" $3 "): " \
				(b in order && order[b] > order[a] ? "a lower folder needs a higher one" : "src/README does not allow it")
		}' forbidden.table "$1" | sort
}

# ------------------------------------------------------------------------------------------------ names

# External names that two files of such lines define.
shared_names () {
	awk '$2 == "d" { files[$3] = files[$3] " " $1; n[$3]++ } END { for (name in n) if (n[name] > 1) print name ":" files[name] }' "$1" |
		sort
}

# Tags of structures that two files below source directory $1 define differently.
shared_tags () {
	(cd "$1" && find . -name '*.[ch]' | sort | sed 's,^\./,,' | xargs awk '
		# Compare TEXT, the code of FILE without comments, in which a definition is "struct TAG {" up to its "}".
		function take(file, text,  tag, depth, i, c) {
			gsub(/[ \t]+/, " ", text)
			while (match(text, /struct [A-Za-z_0-9]+ [{]/)) {
				text = substr(text, RSTART)
				split(text, words, " ")
				tag = words[2]
				depth = 0
				for (i = 1; i <= length(text); i++) {
					c = substr(text, i, 1)
					if (c == "{") depth++
					if (c == "}" && --depth == 0) break
				}
				if (!(tag in where)) { where[tag] = file; body[tag] = substr(text, 1, i) }
				else if (body[tag] != substr(text, 1, i) && last[tag] != file && where[tag] != file) {
					where[tag] = where[tag] " " file
					last[tag] = file
				}
				text = substr(text, 8)
			}
		}
		FNR == 1 { take(file, text); file = FILENAME; text = ""; inside = 0 }
		{
			sub(/\/\/.*/, "")
			for (line = $0; inside ? (end = index(line, "*/")) : (end = index(line, "/*"));) {
				if (!inside) text = text " " substr(line, 1, end - 1)
				line = substr(line, end + 2)
				inside = !inside
			}
			if (!inside) text = text " " line
		}
		END { take(file, text); for (tag in where) if (where[tag] ~ / /) print tag ": " where[tag] }') | sort
}

# Lines "NAME: FILES" of file $1 but for the names in file $2.
unaccepted () {
	awk -F ':' 'FILENAME == ARGV[1] { gone[$1] = 1; next } !($1 in gone)' "$2" "$1"
}

# ------------------------------------------------------------------------------------------------ can the checks fail?

cases 'circles are found'
if has nm || skip 'what the objects need' 'no nm'; then
	# By another name, since the directory's own may have blanks.
	ln -s "$tap_build/src" built
	object_symbols built "$SRC/src" >symbols
	ok 'there are objects, and each folder defines names' test "$(sed -n 's,/.* d .*,,p' symbols | uniq | wc -l)" -ge 9
	symbol_arrows symbols >symbol-arrows
	ok 'objects need each other' test -s symbol-arrows
	cat symbol-arrows >>arrows
	shared_names symbols >names
	check 'no two files have external functions of one name' unaccepted names accepted.function </dev/null
	sed 's/:.*//' names | comm -13 - accepted.function >stale
	check 'the accepted ones exist' cat stale </dev/null
fi
# The functions of the headers below source directory $1 whose last words are not those that src/README has for the end of a lifetime,
# or that end what nothing begins.
lifetimes () {
	find "$1" -name '*.h' -exec cat {} + | sed 's,/\*.*\*/,,' | grep -o '\<[a-z0-9_]*(' | tr -d '(' | sort -u >functions
	grep -E '_(delete|dispose|fini|finalize|deinit|cleanup|shutdown|terminate|term|unref|discard_all|release_all)$' functions
	for pair in close:open stop:start destroy:create; do
		sed -n "s/_${pair%:*}\$//p" functions | while read -r name; do
			grep -q "^${name}_${pair#*:}" functions || echo "${name}_${pair%:*}: there is no ${name}_${pair#*:}"
		done
	done
}

cases 'accepted arrows exist: if not, take them out of src/README'

done_testing
