# SPDX-License-Identifier: GPL-2.0-or-later
#
# Forms of logs as rows of a text file: those of the program, and those of --forms.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/logs.sh"

# The file "bad" has the row $2; the message about line 2 is $1.
wrong () {
	printf '# a comment\n%s\n' "$2" >bad
	check "wrong: $1" -s 1 -e "rossym-log: bad:2:$1" rossym-log --forms=bad log </dev/null
}
# A line of a megabyte with the texts of all forms: the time is proportional to its length.
texts () {
	sed -n 's/^sample "\(.*\)" ".*/\1/p' "$own" | sed 's/\\[nt]/ /g; s/\\\(.\)/\1/g' | tr '\n' ' '
}
# milliseconds LOG: those of the processor, since others may run, too.
milliseconds () {
	(rossym-log -q "$1" >out && times) | awk 'NR == 2 { gsub(/[ms]/, " "); print int(1000 * ($1 * 60 + $2 + $3 * 60 + $4)) }'
}

cases 'forms'

done_testing
