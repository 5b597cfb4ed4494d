# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs the examples of a text as they are printed there.  To be read after tap.sh.
#
# An example is a line that begins with four blanks and "$ ": a shell command.  It goes on in the next line after a "\" or
# "|" at its end.  The lines after it that begin with four blanks are what it prints, stderr included.  The exit status
# is 0, unless the next command of the same block is "echo $?", which prints it.  A block ends at a line that does not
# begin with four blanks, an empty one included.
#
# examples NAME TEXT DIRECTORY	runs the examples of the file TEXT in DIRECTORY, one check each, titled NAME
#				leaves their number in $examples_count
# examples_of_man PAGE SECTION	prints the literal displays of a section of an mdoc page as such a text
# man_section PAGE SECTION	prints the source lines of a section
#				Without SECTION, both print what is in all of them.
# man_text			mdoc's escapes on stdin as the characters they stand for

man_section () {
	awk -v wanted=".Sh${2:+ $2}" '/^\.Sh / { inside = $0 == wanted || wanted == ".Sh"; next } inside' "$1"
}

man_text () {
	sed 's/\\&//g; s/\\(ga/`/g; s/\\(aq/'\''/g; s/\\(ha/^/g; s/\\(ti/~/g; s/\\-/-/g; s/\\e/\\/g'
}

examples_of_man () {
	man_section "$1" "${2-}" | awk '
		/^\.Bd -literal/ { inside = 1; next }
		/^\.Ed/ { inside = 0; print ""; next }
		inside { print "    " $0 }' | man_text
}

examples () {
	# One directory of files NUMBER.command, NUMBER.output and NUMBER.facts (block, whether the status is printed).
	examples_parts=$tap_tmp/examples
	rm -rf "$examples_parts"
	mkdir "$examples_parts" || exit 99
	awk -v to="$examples_parts/" '
		function finish(asked) {
			if (!number)
				return
			print last_block, asked >(to number ".facts")
			close(to number ".facts")
			close(to number ".command")
			close(to number ".output")
		}
		!/^    / { inside = more = 0; next }
		{
			line = substr($0, 5)
			if (!inside)
				block++
			inside = 1
		}
		line ~ /^\$ / {
			line = substr(line, 3)
			finish(line == "echo $?" && block == last_block)
			number++
			last_block = block
			printf "" >(to number ".output")
			more = 1
		}
		!number || block != last_block { next }
		more {
			print line >(to number ".command")
			more = line ~ /[\\|]$/
			next
		}
		{ print line >(to number ".output") }
		END { finish(0) }' "$2"
	examples_count=0
	while test -f "$examples_parts/$((examples_count + 1)).command"; do
		examples_count=$((examples_count + 1))
	done

	examples_number=0
	examples_block=
	examples_status=0
	while test $examples_number -lt $examples_count; do
		examples_number=$((examples_number + 1))
		read -r examples_at examples_asked <"$examples_parts/$examples_number.facts"
		test "$examples_at" = "$examples_block" || examples_status=0
		examples_block=$examples_at
		check "$1: $(cat "$examples_parts/$examples_number.command")" \
			-O "$examples_parts/$examples_number.output" \
			examples_run "$3" "$examples_parts/$examples_number.command" </dev/null
		examples_status=$(cat "$tap_tmp/example-status")
	done
}

# What "$?" is at the beginning of the command: the status of the one before it.
examples_run () {
	cd "$1" || return 99
	sh -c "(exit $examples_status)
$(cat "$2")" 2>&1
	examples_now=$?
	echo $examples_now >"$tap_tmp/example-status"
	test "$examples_asked" = 1 || return $examples_now
}
