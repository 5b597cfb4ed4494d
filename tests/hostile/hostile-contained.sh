# SPDX-License-Identifier: GPL-2.0-or-later
#
# The child that reads debug information crashes, hangs, ends or damages what it makes: there is a message, an exit status of its
# own, no output, and the old one stays.  A library that is loaded in front of the others does that, when the child calls memchr().
# What a child can send that is no answer is in hostile-workers.c.

tap_plain=yes # for LD_PRELOAD
. "${srcdir:-.}/tests/lib/tap.sh"

: "${CC:=cc}"
built_with HAVE_FORK || skip_all 'built without fork()'
has "${CC%% *}" || skip_all 'no compiler'

cat >broken.c <<'EOT'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Memory behind the end of a file: to touch it is a bus error. */
static volatile char *beyond;
static volatile int zero;

static pid_t parent;

__attribute__((constructor)) static void begin(void)
{
	parent = getpid();
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

static void do_harm(void)
{
	const char *how = getenv("BROKEN");
	if (!how || *how == 't' || getpid() == parent)
		return;
	if (*how == 'o' || *how == 'a') {	/* once: what looks like the parent's output; also to the pipe, 3 */
		static int done;
		if (!done++)
			for (int fd = 0; fd < 256; fd++)
				if (fd != 3 || *how == 'a')
					(void)!write(fd, "forged forged forged", 20);
		return;
	}
	if (*how == 'h')
		for (;;)
			;
	if (*how == 's') {
		pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
		signal(SIGALRM, SIG_IGN);
		pthread_mutex_lock(&mutex);
		pthread_mutex_lock(&mutex);
	}
	if (*how == 'e')
		_exit(0);
	if (*how == 'm') {
		for (;;)
			if (!malloc(1 << 20))
				abort();
	}
	signal(atoi(how), SIG_DFL);
	fault(atoi(how));
}

void *memchr(const void *bytes, int byte, size_t size)
{
	const volatile unsigned char *p = bytes;
	do_harm();
	for (; size > 0; p++, size--)
		if (*p == (unsigned char)byte)
			return (void *)p;
	return NULL;
}

/* The rows of a table on its way through the pipe. */
ssize_t write(int fd, const void *bytes, size_t size)
{
	ssize_t (*real)(int, const void *, size_t) = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
	const char *how = getenv("BROKEN");
	char *copy = how && *how == 't' && getpid() != parent && size > 500 && lseek(fd, 0, SEEK_CUR) < 0 ? malloc(size) : NULL;
	if (copy) {
		for (size_t i = 0; i < size; i++)
			copy[i] = ((const char *)bytes)[i] ^ (i < 16 ? 0 : 0x55);
		bytes = copy;
	}
	return real(fd, bytes, size);
}
EOT
$CC -shared -fPIC -o broken.so broken.c -ldl -lpthread 2>/dev/null || skip_all 'no shared libraries'
broken_as () {
	how=$1
	shift
	# A sanitizer wants to be the first library; here it need not be.
	BROKEN=$how ASAN_OPTIONS=verify_asan_link_order=0:handle_segv=0 LD_PRELOAD=$tap_tmp/work/broken.so "$@"
}
broken () {
	broken_as "$1" rossym-embed ../x.exe y.exe
}

cp "$DATA/dwarf32.nostrip.exe" x.exe
mkdir d
cd d || exit 99
ok 'nothing does harm' rossym-embed ../x.exe y.exe
echo old >y.exe
broken 11 2>/dev/null && skip_all 'memchr() cannot be replaced: it is linked statically'

# Two that sleep until their time is over, which takes ten seconds, meanwhile: their output is looked at in the end.
timeout=
has timeout && timeout='timeout 100'
asleep () (
	trap - EXIT
	mkdir "../$1" && cd "../$1" && echo old >y.exe || exit 99
	ulimit -St 1
	status=0
	broken_as s $timeout rossym-embed "../$2" y.exe >../asleep-$1.out 2>../asleep-$1.err || status=$?
	echo $status >"../asleep-$1.status"
)
awoken () {
	cat "../asleep-$1.out"
	cat "../asleep-$1.err" >&2
	return "$(cat "../asleep-$1.status")"
}
asleep one x.exe &
cd .. || exit 99
echo 'int start(void) { return 3; }' >program.c
made split split.exe split-program.dwo -- i686-w64-mingw32-gcc -gdwarf-5 -gsplit-dwarf -ffile-prefix-map="$PWD=/src" -nostdlib \
	-Wl,--entry=_start -o split.exe program.c
cd d || exit 99
asleep two split.exe &

crashes () {
	check "$1" -s 2 -e "rossym-embed: ../x.exe: reading the debug information $3; nothing was written" $2 </dev/null
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
# A parent that ignores the end of its children hands this down.
ignoring () {
	broken_as 11 sh -c 'trap "" CHLD; exec rossym-embed ../x.exe y.exe'
}
crashes 'it crashes, and the end of children is ignored' ignoring 'crashed (signal 11)'
crashes 'it ends the process' 'broken e' 'ended early (status 0)'
impatient () {
	ulimit -St 1
	broken h
}
crashes 'it hangs' impatient 'takes too long'
check 'the table is damaged' -s 2 -g '*: reading the debug information gave a damaged table; nothing was written' broken t </dev/null
check 'the table is damaged: the old output stays' cat y.exe <<-'EOT'
	old
EOT
if built_with ENABLE_SANDBOX || skip 'it takes all memory' 'built without a sandbox'; then
	hungry () {
		ulimit -v 400000
		broken m
	}
	crashes 'it takes all memory' hungry 'crashed (signal 6)'
fi
# fails WHAT HOW REASON
fails () {
	check "rossym-log: $1" -O answered -g "rossym-log: warning: x.exe: reading the debug information $3
rossym-log: x.exe: no .rossym section*" -s 1 broken_as "$2" rossym-log -e x.exe -e z.exe log </dev/null
}

cases 'contained'

done_testing
