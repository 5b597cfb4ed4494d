# SPDX-License-Identifier: GPL-2.0-or-later
#
# A library that reads debug information and crashes, hangs, or ends the process: there is a message, no output, and the
# old one stays.  A library that is loaded in front of libdwarf plays that part.

. "${srcdir:-.}/tests/lib/tap.sh"

: "${CC:=cc}"
grep -q '^#define HAVE_FORK 1' "$tap_build/config.h" || { pass 'built without fork()'; done_testing; }
grep -q '^#define HAVE_LIBDWARF 1' "$tap_build/config.h" || { pass 'built without libdwarf'; done_testing; }
has "${CC%% *}" || skip_all 'no compiler'

cat >broken.c <<'EOT'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Memory behind the end of a file: to touch it is a bus error. */
static volatile char *beyond;
static volatile int zero;

__attribute__((constructor)) static void map(void)
{
	FILE *empty = tmpfile();
	void *page = empty ? mmap(NULL, 1, PROT_READ, MAP_SHARED, fileno(empty), 0) : MAP_FAILED;
	beyond = page == MAP_FAILED ? NULL : page;
	if (empty)
		fclose(empty);
}

/* No process may signal itself when it reads debug information; but for abort(). */
static int fault(int number)
{
	switch (number) {
	case SIGSEGV:
		return *(volatile char *)(zero + 1L);
	case SIGBUS:
		return *beyond;
	case SIGFPE:
		return 1000 / zero;
	default:
		abort();
	}
}

int dwarf_object_init_b(void)
{
	const char *how = getenv("BROKEN");
	if (!how)
		return -1;
	if (*how == 'h')
		for (;;)
			;
	if (*how == 'e')
		_exit(0);
	if (*how == 'm') {
		for (;;)
			if (!malloc(1 << 20))
				abort();
	}
	signal(atoi(how), SIG_DFL);
	return fault(atoi(how));
}
EOT
$CC -shared -fPIC -o broken.so broken.c 2>/dev/null || skip_all 'no shared libraries'
broken () {
	# A sanitizer wants to be the first library; here it need not be.
	BROKEN=$1 ASAN_OPTIONS=verify_asan_link_order=0:handle_segv=0 LD_PRELOAD=$tap_tmp/work/broken.so \
		rossym-embed ../x.exe y.exe
}

cp "$DATA/dwarf32.nostrip.exe" x.exe
mkdir d
cd d || exit 99
ok 'a library that is sound' rossym-embed ../x.exe y.exe
echo old >y.exe
broken 11 2>/dev/null && skip_all 'libdwarf cannot be replaced: it is linked statically'

crashes () {
	check "$1" -s 1 -e "rossym-embed: ../x.exe: reading the debug information $3; nothing was written" $2 </dev/null
	check "$1: the old output stays" cat y.exe <<-'EOT'
		old
	EOT
	check "$1: and nothing else" ls -A <<-'EOT'
		y.exe
	EOT
}
for signal in 11 6 7 8; do
	crashes "signal $signal" "broken $signal" "crashed (signal $signal)"
done
crashes 'it ends the process' 'broken e' 'ended early (status 0)'
impatient () {
	ulimit -St 1
	broken h
}
crashes 'it hangs' impatient 'takes too long'
if grep -q '^#define ENABLE_SANDBOX 1' "$tap_build/config.h"; then
	hungry () {
		ulimit -v 400000
		broken m
	}
	crashes 'it takes all memory' hungry 'crashed (signal 6)'
else
	pass 'built without limits'
fi
check 'in place' -s 1 -g '*crashed*' sh -c 'cp ../x.exe y.exe; BROKEN=11 ASAN_OPTIONS=verify_asan_link_order=0:handle_segv=0 \
	LD_PRELOAD=../broken.so rossym-embed y.exe y.exe' </dev/null
ok 'the input stays' cmp ../x.exe y.exe

done_testing
