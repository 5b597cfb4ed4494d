# SPDX-License-Identifier: GPL-2.0-or-later
#
# Programs that were linked with an older librossym.so.4 run with this one: abidiff compares the library with the description
# tests/rules/rule-abi/librossym-4.abi.  tests/rules/rule-abi/accepted has what may differ.  Until release 0.4.0 the description may be made anew.
#
# The description was made with the public headers in directory h, by
#	abidw --exported-interfaces-only --headers-dir h --drop-private-types --no-show-locs --no-corpus-path --no-comp-dir-path \
#		--no-elf-needed src/.libs/librossym.so.4

. "${srcdir:-.}/tests/lib/tap.sh"

shared=$tap_build/src/.libs/librossym.so
description=$SRC/tests/rules/rule-abi/librossym-4.abi
has abidiff || skip_all 'no abidiff'
beside abidiff
# What differs from the description $1.
differs () {
	abidiff --exported-interfaces-only --no-added-syms --suppressions "$SRC/tests/rules/rule-abi/accepted" "$1" "$shared" >differences
	differs_status=$?
	sed 's/ ([0-9]* filtered out)//g; /^$/d' differences
	return $differs_status
}
# The sizes of structures that callers declare, and whose fields are not theirs.
sizes () {
	sed -n "s/.*<class-decl name='\(rossym_core\|rossym_functions\|rossym_frames\|rossym_rows\)' .*size-in-bits='\([0-9]*\)'.*/\1 \2/p" "$1" | sort -u
}
# finds NAME SCRIPT PATTERN: abidiff finds what SCRIPT changes in the description, and says a line like PATTERN.
finds () {
	sed "$2" "$description" >changed.abi
	if cmp -s changed.abi "$description"; then
		fail "it finds $1: nothing was changed"
	else
		ok "it finds $1" sh -c '! eval "$1" && grep -q "$2" differences' sh \
			"abidiff --exported-interfaces-only --no-added-syms --suppressions '$SRC/tests/rules/rule-abi/accepted' changed.abi '$shared' >differences" "$3"
	fi
}

cases 'abi'

done_testing
