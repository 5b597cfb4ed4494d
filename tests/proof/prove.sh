#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# prove.sh [FUNCTION...]: prove the contracts of src/core, of all functions or of these.  Prints for each function how many of its
# goals are proved, and how many there are.  Fails if a goal is not proved and open.table does not list it.

. "$SRC/tests/proof/lib.sh"

copy "$work"
test $# -eq 0 || set -- -wp-fct "$(echo "$*" | tr ' ' ,)"
prove "$work" "$work/log" "$@"
goals "$work/log" >"$work/goals"
awk '
	FNR == NR { if (!/^#/ && NF) known[$1, $2]; next }
	!($1 in all) { order[++count] = $1 }
	{ all[$1]++ }
	$3 == "yes" { proved[$1]++; next }
	($1, $2) in known { seen[$1, $2]; next }
	{ open[++news] = $1 " " $2 }
	END {
		for (i = 1; i <= count; i++) {
			f = order[i]
			printf "%-28s %4d of %4d\n", f, proved[f], all[f]
			sum += all[f]
			good += proved[f]
		}
		printf "%-28s %4d of %4d goals proved, in %d functions\n", "all", good, sum, count
		for (i = 1; i <= news; i++)
			print "not proved: " open[i]
		exit news > 0 || sum == 0
	}' "$SRC/tests/proof/open.table" "$work/goals"
