# SPDX-License-Identifier: GPL-2.0-or-later
#
# What becomes of the output file when things go wrong, and when they do not.  cli-embed-access.sh has its owner, mode, ACL.

tap_plain=yes # for LD_PRELOAD
. "${srcdir:-.}/tests/lib/tap.sh"

umask 022
printf '0x00001000\t16\tmain\tmain.c\t3\t0\n' >rows
build x.exe <<-'EOT'
	pe32 base=0x400000
	section .text size=0x123
	section .debug_info size=0x1800 flags=0x42000040
EOT
rossym-embed --from-dump=rows x.exe good || exit 99
mkdir d
cd d || exit 99

mode () {
	ls -ld "$1" | cut -c 1-10
}
# Nothing but the named files may be in this directory.
only () {
	ls -A >../list
	printf '%s\n' "$@" | cmp -s - ../list || { cat ../list; return 1; }
}

# ------------------------------------------------------------------------------------------------- good

for m in 755 644 700 600; do
	chmod $m ../x.exe
	rm -f y.exe
	ok "a new output, mode $m" rossym-embed --from-dump=../rows ../x.exe y.exe
	on_posix check 'has the mode of the input' test "$(mode y.exe)" = "$(mode ../x.exe)" </dev/null
done
chmod 755 ../x.exe
ok 'nothing else is left' only y.exe
cp ../x.exe y.exe
chmod 750 y.exe
ok 'in place' rossym-embed --from-dump=../rows y.exe y.exe
ok 'the same as elsewhere' cmp ../good y.exe
on_posix check 'and the mode stays' mode y.exe <<-'EOT'
	-rwxr-x---
EOT
ok 'by another name' rossym-embed --from-dump=../rows ./y.exe "$(pwd)/y.exe"

mkdir sub
cp ../x.exe sub/real.exe
ln -s sub/real.exe link.exe
ok 'through a symbolic link' rossym-embed --from-dump=../rows ../x.exe link.exe
ok 'the link stays' test -L link.exe
ok 'and its target is written' cmp ../good sub/real.exe
ln sub/real.exe hard.exe
ok 'one of two names' rossym-embed --from-dump=../rows --keep-debug ../x.exe sub/real.exe
ok 'leaves the other one its content' cmp ../good hard.exe
ok 'a device' rossym-embed --from-dump=../rows ../x.exe /dev/null
ok 'stays a device' test -c /dev/null
if ! on_windows || skip 'a pipe' 'not on Windows'; then
	mkfifo fifo
	cat fifo >../piped &
	ok 'a pipe' rossym-embed --from-dump=../rows ../x.exe fifo
	wait
	ok 'gets the bytes' cmp ../good ../piped
fi
rm -rf sub link.exe hard.exe fifo
on_posix ok 'a name of 255 bytes' rossym-embed --from-dump=../rows ../x.exe "$(printf '%0255d' 0)"
rm -f 0*
# A child needs few numbers of descriptors besides those that are open.
on_posix ok 'few descriptors' sh -c 'ulimit -n 20 && exec rossym-embed --from-dump=../rows ../x.exe few.exe'
on_posix ok 'few descriptors: the output' cmp ../good few.exe
rm -f few.exe

# --------------------------------------------------------------------------------------------- progress

# The rows come when two seconds have been shown.  A busy machine can take longer.  It can also take a second to write the output; then
# a terminal sees that, too.
slow () {
	{
		terminal '(i=0; until grep "rows, [2-9] s" ../shown || test $((i += 1)) -gt 600; do sleep 0.1; done >/dev/null 2>&1
			cat ../rows) | rossym-embed --from-dump=- ../x.exe y.exe' | tee ../shown
		echo
	} | tr '\r' '\n' | tr -d '\033' | sed '/rows, \([3-9]\|[1-9][0-9][0-9]*\) s/d; /: y\.exe: writing, [0-9]* s$/,/^\[K$/d'
}
if on_windows; then
	skip 'a terminal sees what takes long' 'not on Windows'
elif terminal --test; then
	check 'a terminal sees what takes long' slow <<-'EOT'

		rossym-embed: -: reading rows, 1 s
		rossym-embed: -: reading rows, 2 s
		[K
	EOT
else
	skip 'progress' 'no terminal can be made'
fi
# Run the command, which must fail with a message that fits the pattern, and look at the output: it must be as before.
fails () {
	fails_name=$1
	fails_pattern=$2
	shift 2
	echo old >y.exe
	check "$fails_name" -s 1 -g "$fails_pattern" "$@" </dev/null
	check "$fails_name: the old output stays" cat y.exe <<-'EOT'
		old
	EOT
	ok "$fails_name: and nothing else" only y.exe
}
limited () {
	ulimit -f 1
	rossym-embed --from-dump=../rows ../big.exe y.exe
}

cases 'embed safety'
# Holes make these files that long.
if dd if=/dev/null of=../big bs=1 seek=4294967296 2>/dev/null && dd if=/dev/null of=../text bs=1 seek=1073741825 2>/dev/null ||
	skip 'files that are too large' 'no files with holes'; then
	check 'an image of 4 GiB is not read' -s 1 -e 'rossym-embed: ../big: larger than 4095 MiB; it is not read' \
		rossym-embed ../big y.exe </dev/null
	check 'nor a dump of more than 1 GiB' -s 1 -e 'rossym-embed: ../text: larger than 1024 MiB; it is not read' \
		rossym-embed --from-dump=../text ../x.exe y.exe </dev/null
	rm ../big ../text
fi
check 'no such directory' -s 1 -e 'rossym-embed: no/y.exe: cannot write: No such file or directory' \
	rossym-embed --from-dump=../rows ../x.exe no/y.exe </dev/null
check 'a full device' -s 1 -e 'rossym-embed: /dev/full: cannot write: No space left on device' \
	rossym-embed --from-dump=../rows ../x.exe /dev/full </dev/null

if on_windows; then
	skip 'permissions' 'cli-windows.sh has those of Windows'
elif can_be_nobody; then
	chmod a+rx .. ../x.exe ../rows
	echo old >y.exe
	chmod 555 .
	fails 'a directory that may not be written' 'rossym-embed: y.exe: cannot write: Permission denied' \
		as_nobody rossym-embed --from-dump=../rows ../x.exe y.exe
	chmod 777 .
	echo old >y.exe
	chmod 444 y.exe
	check 'an output that may not be written' -s 1 -e 'rossym-embed: y.exe: cannot write: Permission denied' \
		as_nobody rossym-embed --from-dump=../rows ../x.exe y.exe </dev/null
	chmod 755 .
	rm -f y.exe
else
	skip 'permissions' 'nobody cannot run the program'
fi

# ------------------------------------------------------------------------------ system calls that fail

# Each call between the first byte and the last is made to fail, or to be the moment of a signal.
: "${CC:=cc}"
cat >../fail.c <<'EOT'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int fails(const char *name)
{
	const char *wanted = getenv("FAIL"), *number = getenv("SIGNAL");
	if (!wanted || strcmp(wanted, name) != 0)
		return 0;
	if (number && atoi(number) == SIGKILL)
		kill(getpid(), SIGKILL);
	else if (number)
		raise(atoi(number));
	else
		errno = EIO;
	return !number;
}

ssize_t write(int fd, const void *bytes, size_t size)
{
	ssize_t (*real)(int, const void *, size_t) = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
	/* Not to the pipe between the processes. */
	return fd > 2 && lseek(fd, 0, SEEK_CUR) >= 0 && fails("write") ? -1 : real(fd, bytes, size);
}

/* The job of a shell in the background, and of nohup, ignores these. */
__attribute__((constructor)) static void as_in_the_foreground(void)
{
	signal(SIGHUP, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
}

int fsync(int fd)
{
	(void)fd;
	return fails("fsync") ? -1 : 0;
}

int fchmod(int fd, mode_t mode)
{
	int (*real)(int, mode_t) = (int (*)(int, mode_t))dlsym(RTLD_NEXT, "fchmod");
	return fails("fchmod") ? -1 : real(fd, mode);
}

int renameat(int directory, const char *from, int other, const char *to)
{
	int (*real)(int, const char *, int, const char *) = (int (*)(int, const char *, int, const char *))dlsym(RTLD_NEXT, "renameat");
	return fails("renameat") ? -1 : real(directory, from, other, to);
}

/* SWAP: after the program has looked at the output, and before or after it resolves the path, somebody does something there, who
   is asked through descriptor 8 and answers through 9. */
static void swap_now(void)
{
	static int swapped;
	char answer;
	if (!swapped++)
		(void)!(write(8, "\n", 1) == 1 && read(9, &answer, 1) == 1);
}

static int swaps;

int access(const char *path, int mode)
{
	int (*real)(const char *, int) = (int (*)(const char *, int))dlsym(RTLD_NEXT, "access");
	const char *when = getenv("SWAP");
	int result = real(path, mode);
	swaps |= when && mode == W_OK && strcmp(path, "y.exe") == 0;
	if (swaps && strcmp(when, "before") == 0)
		swap_now();
	return result;
}

char *realpath(const char *path, char *buffer)
{
	char *(*real)(const char *, char *) = (char *(*)(const char *, char *))dlsym(RTLD_NEXT, "realpath");
	char *result = real(path, buffer);
	if (swaps && strcmp(getenv("SWAP"), "after") == 0)
		swap_now();
	return result;
}

/* NAMED: as on a file system where a file without a name can get none. */
int linkat(int directory, const char *from, int other, const char *to, int flags)
{
	int (*real)(int, const char *, int, const char *, int) =
		(int (*)(int, const char *, int, const char *, int))dlsym(RTLD_NEXT, "linkat");
	if (getenv("NAMED") && strncmp(from, "/proc", 5) == 0) {
		errno = ENOENT;
		return -1;
	}
	return fails("linkat") ? -1 : real(directory, from, other, to, flags);
}
EOT
failing () {
	# A sanitizer wants to be the first library; here it need not be.
	FAIL=$1 ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD=$tap_tmp/work/fail.so \
		rossym-embed --from-dump=../rows ../x.exe y.exe
}
# As on a file system where the temporary file must have a name.
with_name () (
	NAMED=yes
	export NAMED
	"$@"
)
if on_windows; then
	skip 'system calls that fail, and signals' 'no LD_PRELOAD on Windows'
elif has "${CC%% *}" && $CC -shared -fPIC -o ../fail.so ../fail.c -ldl 2>/dev/null && failing none 2>/dev/null; then
	for call in write fsync fchmod renameat; do
		fails "$call fails" 'rossym-embed: y.exe: cannot write: Input/output error' failing $call
		fails "$call fails, with a name" 'rossym-embed: y.exe: cannot write: Input/output error' with_name failing $call
	done
	echo old >y.exe
	ok 'linkat fails: the file gets a name' failing linkat
	ok 'and its content' cmp ../good y.exe
	ok 'and nothing else is left' only y.exe
	# SIGHUP, SIGINT, SIGQUIT, SIGTERM.
	# SIGKILL leaves nothing only if the file has no name yet.
	echo '#define _GNU_SOURCE
		#include <fcntl.h>
		int main(void) { return open(".", O_TMPFILE | O_WRONLY, 0600) < 0; }' >../unnamed.c
	if $CC -o ../unnamed ../unnamed.c 2>/dev/null && ../unnamed || skip 'killed' 'the file system has no files without names'; then
		SIGNAL=9
		export SIGNAL
		for call in write fsync fchmod; do
			echo old >y.exe
			check "killed in $call" -s 137 -g '*' failing $call </dev/null
			ok "killed in $call: nothing is left" only y.exe
		done
	fi
	for SIGNAL in 1 2 3 15; do
		export SIGNAL
		for call in write fsync fchmod; do
			echo old >y.exe
			check "signal $SIGNAL in $call" -s $((128 + SIGNAL)) -g '*' with_name failing $call </dev/null
			check "signal $SIGNAL in $call: the old output stays" cat y.exe <<-'EOT'
				old
			EOT
			ok "signal $SIGNAL in $call: and nothing else" only y.exe
		done
	done
	check 'a signal that is ignored' sh -c 'trap "" TERM; SIGNAL=15; export SIGNAL; "$@"' sh env FAIL=fsync \
		ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD="$tap_tmp/work/fail.so" \
		rossym-embed --from-dump=../rows ../x.exe y.exe </dev/null
	ok 'does not stop the program' cmp ../good y.exe
	unset SIGNAL

	# Somebody else who can write here puts a link to a secret file in the place of the output, at the worst moment.
	for SWAP in before after; do
		export SWAP
		rm -f y.exe secret
		echo secret >secret
		echo mine >y.exe
		chmod 600 secret
		chmod 666 y.exe
		mkfifo ../ask ../answer
		(
			exec 8<>../ask 9<>../answer
			(read -r line <&8 && rm y.exe && ln -s secret y.exe && echo >&9) &
			failing none 2>/dev/null
			kill $! 2>/dev/null
		)
		rm ../ask ../answer
		check "a link, $SWAP the path is resolved: the secret file is not given away" sh -c 'ls -ln secret | cut -c 1-10; test -L y.exe' <<-'EOT'
			-rw-------
		EOT
	done
	check 'after that, not even its content changes' cat secret <<-'EOT'
		secret
	EOT
	unset SWAP
	rm -f y.exe secret
else
	skip 'system calls that fail' 'no compiler, or no LD_PRELOAD'
fi

done_testing
