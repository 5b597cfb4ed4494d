# SPDX-License-Identifier: GPL-2.0-or-later
#
# What configure builds with by default: readelf sees it in the programs and in the shared library.

. "${srcdir:-.}/tests/lib/tap.sh"

built_with ENABLE_HARDENING || skip_all 'built without hardening'
has readelf || skip_all 'no readelf'

# What configure found that the compiler takes.
takes () {
	sed -n 's/^  hardening  *//p' "$tap_build/config.log" | tail -n 1 | tr ' ' '\n' | grep -qx -- "$1"
}
summary=$(sed -n 's/^  hardening  *//p' "$tap_build/config.log" | tail -n 1)

for program in rossym-addr2line rossym-embed rossym-log; do
	file=$tap_build/src/$program
	if takes pie; then
		ok "$program: PIE" sh -c "readelf -h '$file' | grep -q 'Type: *DYN'"
	fi
	if takes relro; then
		ok "$program: RELRO" sh -c "readelf -lW '$file' | grep -q GNU_RELRO"
	fi
	if takes now; then
		ok "$program: BIND_NOW" sh -c "readelf -dW '$file' | grep -q -e BIND_NOW -e 'Flags:.* NOW'"
	fi
	if takes stack-protector; then
		ok "$program: stack protector" sh -c "readelf -sW '$file' | grep -q __stack_chk_fail"
	fi
done
# Functions like __memcpy_chk are there only in an optimized build.
case ${CFLAGS--O2} in
*-O[1-3s]*)
	if takes fortify; then
		ok 'fortified functions' sh -c "readelf -sW '$tap_build/src/rossym-log' | grep -q '__[a-z]*_chk'"
	fi
	;;
esac
diag "hardening: $summary"
done_testing
