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
has readelf || skip_all 'no readelf'
test -e "$shared" || skip_all 'built without the shared library'
readelf -S "$shared" | grep -q '\.debug_info' || skip_all 'the shared library has no debug information'
readelf -h "$shared" | grep -q 'Machine:.*X86-64' || skip_all 'the description is that of a library for x86-64'

# What differs from the description $1.
differs () {
	abidiff --exported-interfaces-only --no-added-syms --suppressions "$SRC/tests/rules/rule-abi/accepted" "$1" "$shared" >differences
	differs_status=$?
	sed 's/ ([0-9]* filtered out)//g; /^$/d' differences
	return $differs_status
}
check 'nothing that programs rely on differs' differs "$description" <<'EOD'
Functions changes summary: 0 Removed, 0 Changed, 0 Added functions
Variables changes summary: 0 Removed, 0 Changed, 0 Added variable
EOD

# The sizes of structures that callers declare, and whose fields are not theirs.
sizes () {
	sed -n "s/.*<class-decl name='\(rossym_core\|rossym_functions\|rossym_frames\|rossym_rows\)' .*size-in-bits='\([0-9]*\)'.*/\1 \2/p" "$1" | sort -u
}
sizes "$description" >want
ok 'the description has sizes' test "$(wc -l <want)" -eq 4
ok 'the library can be described' abidw --exported-interfaces-only --out-file described.abi "$shared"
check 'the sizes are the same' -O want sizes described.abi

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
finds 'a function that is gone' 's/rossym_why_text/rossym_why_string/g' '\[D\].*rossym_why_string'
finds 'a field that has moved' "/<class-decl name='rossym_frame' /,/<.class-decl>/s/layout-offset-in-bits='64'/layout-offset-in-bits='32'/" \
	"'const char\* file' offset changed from 32 to 64"
finds 'a constant that has changed' "s/<enumerator name='ROSSYM_EDAMAGED' value='[0-9]*'/<enumerator name='ROSSYM_EDAMAGED' value='77'/" \
	"'rossym_code::ROSSYM_EDAMAGED' from value '77'"
finds 'a structure without a size that was shorter' "s/<class-decl name='rossym_range' size-in-bits='[0-9]*'/<class-decl name='rossym_range' size-in-bits='96'/" \
	'type size changed from 96'

done_testing
