# SPDX-License-Identifier: GPL-2.0-or-later
#
# A system that fails, for tests of whole programs: after tap.sh, with tap_plain=yes before that.  Skips all where it cannot be had.
#
# with FAULT COMMAND...		runs it with a fault of tests/tools/faults-preload.c

case ${CFLAGS-} in
*-fsanitize*) skip_all 'the sanitizers have allocations and calls of their own' ;;
esac
: "${CC:=cc}"
has "${CC%% *}" || skip_all 'no compiler'
$CC -shared -fPIC -o faults.so "$SRC/tests/tools/faults-preload.c" -ldl 2>/dev/null || skip_all 'no shared libraries, or not glibc'

with () {
	with_fault=$1
	shift
	# A sanitizer wants to be the first library; here it need not be.
	FAULT=$with_fault ASAN_OPTIONS=verify_asan_link_order=0:allocator_may_return_null=1 \
		LD_PRELOAD=$tap_tmp/work/faults.so "$@"
}
