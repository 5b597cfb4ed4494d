# SPDX-License-Identifier: GPL-2.0-or-later
#
# Versions of witnesses, for tests that compare with other programs.  tap.sh includes this.  tests/lib/witness.table, or the file that
# WITNESS_TABLE names, says what is known of them.
#
# version_of TOOL		prints a program's version; that of libdwarf is the version of its interface
# known_difference TOOL KEY	has the table a row KEY for the version of TOOL?  Says so in a line of diagnostics
# beside TOOL...		what fails from here on is a difference from these tools, all of which are there.  If the table knows the
#				versions of all of them, it is a failure.  Else it is counted and shown, and the test does not fail:
#				"not ok ... # TODO", which Automake calls XFAIL.  Without TOOL, everything fails again
# unless COMMAND [ARGUMENT...]	after "beside": it is a failure if COMMAND succeeds.  This is where a second witness is asked whether it
#				says what the first one says, and where our own answer is compared with a stored one

WITNESS_TABLE=${WITNESS_TABLE:-$SRC/tests/lib/witness.table}
witness_unknown= witness_other=

version_of () {
	case $1 in
	*gcc | *g++) "$1" -dumpversion ;;
	libdwarf) if built_with HAVE_LIBDWARF_0_2; then echo 0.2; else echo 0.1; fi ;;
	*) "$1" --version 2>/dev/null | grep -o '[0-9][0-9]*\.[0-9][0-9.]*' ;;
	esac | sed -n '1{s/[^0-9.].*//;p;}'
}

# The name that the table has for a tool.  Those of one project have one version.
witness_project () {
	case ${1##*/} in
	clang* | llvm-* | *lld*) echo llvm ;;
	*addr2line | *ld | *nm | *objcopy | *objdump | *strip) echo binutils ;;
	*gcc | *g++) echo gcc ;;
	abi*) echo libabigail ;;
	*) echo "${1##*/}" ;;
	esac
}

# Prints the last column of the rows of TOOL and KEY that have its version.  Of a version the first two numbers count.
witness_rows () {
	awk -F '\t+' -v tool="$(witness_project "$1")" -v version="$(version_of "$1")" -v key="$2" '
		function number(text,   part) { split(text, part, "."); return part[1] * 1000 + part[2] }
		$1 == tool && $3 == key && version != "" {
			split($2, limit, "-")
			if (number(limit[1]) <= number(version) && (limit[2] == "" || number(version) <= number(limit[2] (limit[2] ~ /\./ ? "" : ".999"))))
				print $NF
		}' "$WITNESS_TABLE"
}

known_difference () {
	witness_why=$(witness_rows "$1" "$2")
	test -n "$witness_why" || return
	diag "known of ${1##*/} $(version_of "$1"): $2: $witness_why"
}

beside () {
	witness_unknown= witness_other=
	for witness_tool in "$@"; do
		test -z "$(witness_rows "$witness_tool" known)" || continue
		witness_tool="$(witness_project "$witness_tool") $(version_of "$witness_tool")"
		case ", $witness_unknown," in
		*", $witness_tool,"*) ;;
		*) witness_unknown="$witness_unknown${witness_unknown:+, }$witness_tool" ;;
		esac
	done
}

unless () {
	witness_other=$1
	shift
	for witness_argument in "$@"; do
		witness_other="$witness_other '$witness_argument'"
	done
}

# Whether a failure now is one of the differences that no test fails for.
is_difference () {
	test -n "$witness_unknown" || return
	test -z "$witness_other" || ! eval "$witness_other" >/dev/null 2>&1
}
