#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# faults.sh [FUNCTION...]: plant the faults of faults.table in the functions that are proved, in all or in these.  Each of these
# functions must have more goals that are not proved then.
#
# The proof of a function knows others only by their contracts, which no fault changes.  So one run tries all faults at once.  The
# provers take fewer steps here than in prove.sh, with and without the faults: they give up sooner where there is nothing to prove.

PROOF_STEPS=${PROOF_STEPS:-200000}
. "$SRC/tests/proof/lib.sh"

# plant FUNCTION EXPRESSION: change the definition of FUNCTION, which one file has.
plant () {
	for file in "$work"/src/core/*.[ch]; do
		sed "/^[a-z].*[ *]$1(.*[^;]\$/,/^}/{$2;}" "$file" >"$work/changed"
		cmp -s "$file" "$work/changed" && continue
		cp "$work/changed" "$file"
		return
	done
	return 1
}

copy "$work"
list "$work"
frama-c -cpp-extra-args="-I$work/src -DROSSYM_AMALGAMATION" -rte "$work/all.c" >"$work/log" || { cat "$work/log"; exit 1; }
sed -n 's/^\[rte:annot\] annotating function //p' "$work/log" | grep -v -x "$(echo "$SKIPPED" | sed 's/,/\\|/g')" | sort >"$work/proved"
sed '/^#/d; /^$/d; s/ .*//' "$SRC/tests/proof/faults.table" | sort >"$work/faulty"
if ! diff "$work/proved" "$work/faulty"; then
	echo 'faults.table (>) has not the functions that are proved (<)'
	exit 1
fi
functions=$*
test $# -eq 0 || set -- -wp-fct "$(echo "$functions" | tr ' ' ,)"
PROOF_CACHE=${PROOF_CACHE:-$work}/faults
mkdir -p "$PROOF_CACHE"
prove "$work" "$work/log" "$@"
goals "$work/log" >"$work/without"
missing=0
while read -r function expression; do
	case $function in
	'' | '#'*) continue ;;
	esac
	case " ${functions:-$function} " in
	*" $function "*) ;;
	*) continue ;;
	esac
	echo "$function"
	plant "$function" "$expression" || { echo "$function: the fault was not planted" >&2; missing=1; }
done <"$SRC/tests/proof/faults.table" >"$work/planted"
prove "$work" "$work/log" "$@"
goals "$work/log" >"$work/with"
awk '
	FNR == 1 { file++ }
	file == 1 { planted[++count] = $1; next }
	$3 == "no" { open[file, $1]++ }
	END {
		for (i = 1; i <= count; i++) {
			f = planted[i]
			more = (open[3, f] > open[2, f])
			found += more
			printf "%-28s %3d goals not proved with the fault, %d without%s\n", f, open[3, f], open[2, f],
				more ? "" : ": NOT FOUND"
		}
		print count + 0 " faults planted, " found + 0 " found"
		exit count == 0 || found < count
	}' "$work/planted" "$work/without" "$work/with" && exit $missing
