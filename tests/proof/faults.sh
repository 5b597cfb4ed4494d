#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# faults.sh [FUNCTION...]: plant the faults of faults.table in the functions that are proved, in all or in these, one at a time.  The
# proof must fail each time.

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
sed -n 's/^\[rte:annot\] annotating function //p' "$work/log" | grep -v -x rs_read_into | sort >"$work/proved"
sed '/^#/d; /^$/d; s/ .*//' "$SRC/tests/proof/faults.table" | sort >"$work/faulty"
if ! diff "$work/proved" "$work/faulty"; then
	echo 'faults.table (>) has not the functions that are proved (<)'
	exit 1
fi
failed=0 planted=0
while read -r function expression; do
	case $function in
	'' | '#'*) continue ;;
	esac
	case " ${*:-$function} " in
	*" $function "*) ;;
	*) continue ;;
	esac
	rm -rf "$work/src"
	copy "$work"
	planted=$((planted + 1))
	known=$(grep -c "^$function " "$SRC/tests/proof/open.table")
	if ! plant "$function" "$expression"; then
		echo "$function: the fault was not planted"
		failed=$((failed + 1))
		continue
	fi
	prove "$work" "$work/log" -wp-fct "$function" </dev/null
	open=$(goals "$work/log" | grep -c "^$function .* no$")
	printf '%-24s %3d goals not proved with the fault, %d without\n' "$function" "$open" "$known"
	test "$open" -gt "$known" || failed=$((failed + 1))
done <"$SRC/tests/proof/faults.table"
echo "$planted faults planted, $((planted - failed)) found"
test $planted -gt 0 && test $failed -eq 0
