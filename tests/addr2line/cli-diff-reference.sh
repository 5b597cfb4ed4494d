# SPDX-License-Identifier: GPL-2.0-or-later
#
# rossym-addr2line --diff with references that do not do what they should: a message, status 2, and always an end.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/truth.sh"

truth_needs
need timeout
# stand_in NAME: a reference of that name, the script on standard input.  "gnu" in it is the real one.
stand_in () {
	{ echo '#!/bin/sh'; echo 'gnu () { addr2line "$@"; }'; cat; } >"$1"
	chmod +x "$1"
}
# compare REFERENCE [ARGUMENT...]
compare () {
	compare_reference=$1
	shift
	timeout 60 rossym-addr2line -f --diff="$nostrip" -e x.exe --reference="$compare_reference" "$@"
}
# What compare prints about a reference that stops after an answer, with more time if that answer came too late on a busy machine.
stops () {
	for stops_seconds in 1 5 25; do
		compare_status=0
		compare "$1" --diff-timeout=$stops_seconds $five >stopped 2>&1 || compare_status=$?
		grep -q 'at answer 1 of 5' stopped || break
	done
	sed "s/for $stops_seconds seconds/for so many seconds/" stopped >&2
	return $compare_status
}
# refuses MESSAGE NAME: about five addresses
refuses () {
	check "$2: $1" -s 2 -e "rossym-addr2line: the reference './$2' $1" compare "./$2" $five </dev/null
}
# arm MACHINE: an image with a table for that machine; the same image has no other debug information.
arm () {
	printf '%s\n' "pe64 base=0x140000000 machine=$1" 'section .text rva=0x1000 size=0x100 flags=code' \
		rossym 'row 0x1000 main main.c 3' | build arm.exe
}
hint () {
	check "$1" -s 2 -e "rossym-addr2line: the reference './silent' ended after 0 of 1 answers$2" \
		rossym-addr2line --diff=arm.exe -e arm.exe --reference=./silent 140001000 </dev/null
}

cases 'diff reference'
if witness llvm-addr2line || no_witness 'llvm-addr2line knows ARM64' 'no llvm-addr2line'; then
	check 'llvm-addr2line knows ARM64' -s 1 -g 'rossym-addr2line: 1 address compared: 1 differs*' \
		rossym-addr2line --diff=arm.exe -e arm.exe --reference=llvm-addr2line --brief --diff-ignore=none 140001000 </dev/null
fi

done_testing
