# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the programs can still do while they look at bytes that others made: a library that is loaded in front of the
# others tries to, in a function that they call when they have opened what they need.

tap_plain=yes # for LD_PRELOAD
. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/small.sh"

with () {
	with_try=$1
	shift
	TRY=$with_try LD_PRELOAD=$tap_tmp/work/try.so "$@"
}

: "${CC:=cc}"
built_with ENABLE_SANDBOX || skip_all 'built without a sandbox'
has "${CC%% *}" || skip_all 'no compiler'

cat >try.c <<'EOT'
/* Once, when the program first writes to what OUTPUT names (1, or 3 for any higher one that is no pipe): tries what TRY
   says, and tells on standard error.  With OUTPUT=archive: when libarchive opens an archive; then the exit status tells. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Descriptors but for the first SPARED that can be read or written. */
static int others(int spared)
{
	int count = -1;
	char byte;
	for (int fd = spared; fd < 256; fd++)
		count += read(fd, &byte, 1) >= 0 || write(fd, "", 0) >= 0 || lseek(fd, 0, SEEK_CUR) >= 0;
	if (count < 0)
		errno = EPERM;
	return count;
}

static int attempt(const char *what)
{
	if (strcmp(what, "descriptors") == 0)
		return others(6);
	if (strcmp(what, "socket") == 0)
		return socket(AF_INET, SOCK_STREAM, 0);
	if (strcmp(what, "fork") == 0) {
		int child = fork();
		if (child == 0)
			_exit(0);
		return child;
	}
	if (strncmp(what, "new:", 4) == 0)
		return open(what + 4, O_WRONLY | O_CREAT, 0600);
	if (strncmp(what, "write:", 6) == 0)
		return open(what + 6, O_WRONLY);
	return open(what, O_RDONLY);
}

int archive_read_open1(void *archive)
{
	int (*real)(void *) = (int (*)(void *))dlsym(RTLD_NEXT, "archive_read_open1");
	const char *what = getenv("TRY"), *output = getenv("OUTPUT");
	if (what && output && strcmp(output, "archive") == 0)
		_exit(attempt(what) >= 0 ? 10 : errno == EPERM || errno == EACCES ? 11 : 12);
	return real(archive);
}

ssize_t write(int fd, const void *bytes, size_t size)
{
	static int done;
	ssize_t (*real)(int, const void *, size_t) = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
	const char *what = getenv("TRY"), *output = getenv("OUTPUT");
	int wanted = output ? atoi(output) : 1;
	if (wanted == 0)
		return real(fd, bytes, size);
	if (what && !done && (wanted == 1 ? fd == 1 : fd >= wanted && lseek(fd, 0, SEEK_CUR) >= 0)) {
		done = 1;
		const char *answer = attempt(what) >= 0 ? "could\n" : errno == EPERM || errno == EACCES ? "refused\n" : "failed\n";
		real(2, answer, strlen(answer));
	}
	return real(fd, bytes, size);
}
EOT
$CC -shared -fPIC -o try.so try.c -ldl 2>/dev/null || skip_all 'no shared libraries'
cases 'the library is loaded'
if test "$(cat said)" = could; then
	skip 'what is refused' 'this kernel has no sandbox'
	done_testing
fi

reader () {
	check "$1: $2" -e refused with "$2" rossym-addr2line -e x.exe $3 <<-'EOT'
		main.c:3
	EOT
}
for what in /dev/null x.exe /etc/passwd new:new.file write:copy.exe; do
	reader 'a look-up' $what 0x401000
done
seccomp=
with fork rossym-addr2line -e x.exe 0x401000 >/dev/null 2>said
test "$(cat said)" != refused || seccomp=yes
if test -n "$seccomp" || skip 'sockets and processes' 'no seccomp'; then
	reader 'a look-up' socket 0x401000
	reader 'a look-up' fork 0x401000
	reader 'a look-up with threads' fork '-P2 0x401000'
	reader 'a look-up with threads' socket '-P2 0x401000'
fi
cases 'sandbox'
plain () {
	check "an image without a table: $1" -e refused with "$1" rossym-addr2line -e split/plain.exe 0x4015cb <<-'EOT'
		/src/main.c:30
	EOT
}
split () {
	check "split DWARF: $1" -e "$2" with "$1" rossym-addr2line -f --rva -e split/split.exe 0x1000 <<-'EOT'
		start
		/src/program.c:1
	EOT
}
for what in /dev/null x.exe split/plain.exe /etc/passwd new:split/file write:copy.exe; do
	plain $what
done
for what in /dev/null x.exe /etc/passwd new:split/file write:split/plain.exe; do
	split $what refused
done
if test -n "$seccomp"; then
	for what in fork socket; do
		plain $what
		split $what refused
	done
	# Only with Landlock may it open files beside the image.
	with split/plain.exe rossym-addr2line -f --rva -e split/split.exe 0x1000 >/dev/null 2>said
	ok 'split DWARF: files beside the image, or none' grep -x -e could -e refused said
fi

# Threads work as without it.
for _ in $(seq 400); do printf '0x401000\n0x401010\n0x401020\n0x401040\n0x402000\n'; done >many
rossym-addr2line -fe x.exe <many >expected
check 'four threads' -O expected -I many rossym-addr2line -P4 -fe x.exe

# --------------------------------------------------------------------------------------------- rossym-embed

mkdir out elsewhere
printf '0x00001000\t16\tmain\tmain.c\t3\t0\n' >rows
embed () {
	OUTPUT=3 with "$1" rossym-embed --from-dump=rows x.exe out/y.exe
}
rossym-embed --from-dump=rows --table-only - >table
# Only Landlock can tell one file from another.
embed /etc/passwd 2>said
if test "$(cat said)" != could || skip 'rossym-embed' 'no Landlock'; then
	check 'rossym-embed cannot read' -e refused embed /etc/passwd </dev/null
	check 'nor write to its input' -e refused embed write:x.exe </dev/null
	check 'nor make a file elsewhere' -e refused embed new:elsewhere/z </dev/null
	check 'but beside its output' -e could embed new:out/z </dev/null
	rm out/z
	for what in /etc/passwd x.exe new:elsewhere/z write:x.exe; do
		check "a table on standard output: $what" -e refused -O table with "$what" \
			rossym-embed --from-dump=rows --table-only - </dev/null
	done
fi
rossym-embed --store=store x.exe >stored
add () {
	rm -rf store
	OUTPUT=3 with "$1" rossym-embed --store=store x.exe
}
add_tries () {
	check "a symbol store: $1" -e "$2" -O stored add "$1" </dev/null
}
if test "$(cat said)" != could || skip 'a symbol store' 'no Landlock'; then
	for what in /etc/passwd new:elsewhere/z write:x.exe write:copy.exe copy.exe; do
		add_tries $what refused
	done
	for what in x.exe new:store/z; do
		add_tries $what could
	done
fi
ok 'an output' rossym-embed --from-dump=rows x.exe out/y.exe
ok 'can be read' rossym-addr2line --check -e out/y.exe
ok 'an output that is a device' rossym-embed --from-dump=rows x.exe /dev/null
ln -s ../out/y.exe elsewhere/link
ok 'through a symbolic link' rossym-embed --from-dump=rows x.exe elsewhere/link
ok 'and a relative one' sh -c 'cd elsewhere && rossym-embed --from-dump=../rows ../x.exe link'
ok 'with a debug link' rossym-embed --from-dump=rows --debuglink=copy.exe x.exe out/y.exe

# rossym-log looks for modules as it needs them.
echo '<x.exe:1000>' >log
searcher () {
	check "a log: $1" -e "$2" with "$1" rossym-log -d . log <<-'EOT'
		<x.exe:1000 (main.c:3 (main))>
	EOT
}
searcher copy.exe could
searcher new:new.file refused
searcher write:copy.exe refused
if test -n "$seccomp" || skip 'a log: sockets and processes' 'no seccomp'; then
	searcher socket refused
	searcher fork refused
fi
ok 'nothing was made for a log' test ! -e new.file

# Archives are read by a process that has its archive and two pipes.
reader_of_archives () {
	check "an archive: $1" -s 1 -O log -e 'rossym-log: x.zip: reading the archive ended early (status 11)
rossym-log: warning: x.exe: there are no images below x.zip
rossym-log: 1 line looks like a code address of a module that is not there: x.exe (1); see -d' env OUTPUT=archive LD_PRELOAD=$tap_tmp/work/try.so TRY="$1" rossym-log -d x.zip log
}
if test "${HAVE_LIBARCHIVE:-yes}" = yes || skip 'archives' 'built without libarchive'; then
	zip -q x.zip x.exe
	check 'an archive' -i '<x.exe:1000>\n' rossym-log -d x.zip <<-'EOT'
		<x.exe:1000 (main.c:3 (main))>
	EOT
	for what in /dev/null copy.exe new:new.file write:copy.exe descriptors; do
		reader_of_archives $what </dev/null
	done
	for what in ${seccomp:+socket fork}; do
		reader_of_archives $what </dev/null
	done
	ok 'nothing was made for it' test ! -e new.file
fi

done_testing
