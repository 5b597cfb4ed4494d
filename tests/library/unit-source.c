/* SPDX-License-Identifier: GPL-2.0-or-later */
/* src/lib/base/source.c: views of memory and of a file, files that are none, a file that shrinks, and parts that many
   threads want first.  src/lib/base/source.c: bytes from windows. */
#include "config.h"

#include "tests/lib/makepe.h"
#include "core/view.h"
#include "lib/base/source.h"
#include "tests/lib/tap.h"

#include <errno.h>
#include <sys/stat.h>
#if defined _POSIX_THREADS && _POSIX_THREADS > 0
#include <pthread.h>
#include <sched.h>
#define HAVE_THREADS
#endif

static const char digits[] = "0123456789"; /* with its NUL: 11 bytes */

static void memory(void)
{
	struct rs_source source = { .memory = (const uint8_t *)digits, .fd = -1, .size = sizeof digits };
	char buffer[16];
	struct rossym_error err;

	ok(rs_source_view(&source, 3, 4, buffer, &err) == (const uint8_t *)digits + 3,
	   "a view of memory is where it is");
	ok(rs_source_view(&source, sizeof digits, 0, buffer, &err) != NULL, "no bytes at the end");
	struct rs_source empty = RS_SOURCE_INIT;
	ok(rs_source_view(&empty, 0, 0, buffer, &err) != NULL, "no bytes of nothing");
	rs_source_close(&source);
	ok(rs_source_view(&source, 0, 1, buffer, &err) != NULL, "closing it changes nothing");

	const struct rossym_reader source_reader = rs_source_reader(&source);
	struct rs_part whole = { 2, sizeof digits - 2, .own = NULL }, cut = { 2, 3, .own = NULL },
		       none = { 4, 0, .own = NULL };
	const char *p = rs_part_get(&whole, &source_reader, &err);
	ok(p == digits + 2, "a part that ends in NUL is used where it is");
	p = rs_part_get(&cut, &source_reader, &err);
	ok(p != NULL && p != digits + 2, "a part that does not is copied");
	is_str(p, "234", "with a NUL behind it");
	ok(rs_part_get(&cut, &source_reader, &err) == p, "once");
	is_str(rs_part_get(&none, &source_reader, &err), "", "an empty part is an empty string");
	rs_part_clear(&whole);
	rs_part_clear(&cut);
	rs_part_clear(&none);
}

static void refuses(const char *path, int number, const char *name)
{
	struct rs_source source = RS_SOURCE_INIT;
	struct rossym_error err = { ROSSYM_OK, 0, 0, "" };
	bool good = ok(rs_source_open(&source, path, &err) == -1 && err.code == ROSSYM_ESYS &&
			       err.sys_errno == number && err.what[0] && source.fd == -1,
		       "%s", name);

	if (!good)
		diag("code %d, errno %d, what \"%s\"", (int)err.code, err.sys_errno, err.what);
}

static void no_files(void)
{
	char path[4096];

	refuses("no-such-directory/file", ENOENT, "no such file");
	refuses("/", EISDIR, "a directory");
	refuses("/dev/null", EINVAL, "a device");
	/* The name is free for a moment; who takes it makes this test fail, not pass. */
	if (makepe_file(path, "", 0) && unlink(path) == 0 && mkfifo(path, 0600) == 0) {
		refuses(path, EINVAL, "a FIFO, without waiting for a writer");
		unlink(path);
	} else {
		skip("a FIFO", "cannot make one");
	}
}

static void file(void)
{
	char path[4096], buffer[16];
	struct rs_source source = RS_SOURCE_INIT;
	struct rossym_error err = { ROSSYM_OK, 0, 0, "" };

	if (!ok(makepe_file(path, digits, sizeof digits) && rs_source_open(&source, path, &err) == 0, "opens a file"))
		return;
	is_uint(source.size, sizeof digits, "the size of a file");
	const uint8_t *p = rs_source_view(&source, 3, 4, buffer, &err);
	ok(p == (const uint8_t *)buffer, "a view of a file is in the buffer");
	is_mem(buffer, "3456", 4, "and is what stands there");
	p = rs_source_view(&source, 0, sizeof digits, buffer, &err);
	ok(p && memcmp(p, digits, sizeof digits) == 0, "all of it, after something else: no position is kept");
	ok(rs_source_view(&source, 11, 0, buffer, &err) != NULL, "no bytes at its end");

	const struct rossym_reader source_reader = rs_source_reader(&source);
	struct rs_part part = { 1, 4, .own = NULL }, late = { 4, 6, .own = NULL };
	is_str(rs_part_get(&part, &source_reader, &err), "1234", "a part of a file");

	if (!ok(truncate(path, 6) == 0, "cut it"))
		return;
	ok(!rs_source_view(&source, 4, 4, buffer, &err) && err.code == ROSSYM_ECHANGED, "a file that became shorter");
	is_uint(err.offset, 6, "it says where the file ends now");
	ok(err.what[0] != '\0', "and what happened");
	ok(!rs_source_view(&source, 8, 2, buffer, NULL), "a view behind its new end, without an error to fill in");
	ok(!rs_part_get(&late, &source_reader, &err) && err.code == ROSSYM_ECHANGED,
	   "a part that is not there any more");
	ok(!late.own, "leaves nothing behind");
	is_str(rs_part_get(&part, &source_reader, &err), "1234", "a part that was read before stays");
	ok(rs_source_view(&source, 0, 6, buffer, &err) != NULL, "what is left can be read");

	rs_part_clear(&part);
	rs_part_clear(&late);
	rs_source_close(&source);
	ok(!rs_source_view(&source, 0, 1, buffer, &err) && err.sys_errno == EBADF, "closed");
	rs_source_close(&source);
	unlink(path);
}

/* ------------------------------------------------------------------------------------------------ ahead */

enum { AHEAD_FILE = 3 * RS_AHEAD_SIZE + 100 };

/* A file of which the bytes from END on cannot be read. */
struct cut_file {
	uint8_t bytes[AHEAD_FILE];
	uint64_t end;
	unsigned reads;
};

static int read_cut(void *context, uint64_t offset, void *buffer, size_t length, struct rossym_fault *fault)
{
	struct cut_file *cut = context;
	cut->reads++;
	if (offset + length > cut->end)
		return rs_fault_store_at(fault, ROSSYM_FAULT_SHORTER, offset);
	memcpy(buffer, cut->bytes + offset, length);
	return 0;
}

/* Whether LENGTH bytes at OFFSET of READER are those of the file. */
static bool is_there(const struct rossym_reader *reader, const struct cut_file *cut, uint64_t offset, size_t length)
{
	static uint8_t buffer[AHEAD_FILE];
	struct rossym_fault fault;
	const uint8_t *p = rs_view(reader, offset, length, buffer, &fault);
	return p && memcmp(p, cut->bytes + offset, length) == 0;
}

static void ahead(void)
{
	static struct cut_file cut;
	static struct rs_ahead_window windows[2];
	struct rs_ahead ahead;
	struct rossym_fault fault;
	uint8_t buffer[8];
	const struct rossym_reader below = { NULL, AHEAD_FILE, read_cut, &cut };
	const struct rossym_reader memory = { .memory = digits, .size = sizeof digits };
	for (size_t i = 0; i < AHEAD_FILE; i++)
		cut.bytes[i] = (uint8_t)(i * 7 + i / 251);

	ok(rs_ahead_reader(&ahead, &memory, windows, 2).memory == digits, "memory needs no windows");
	cut.end = AHEAD_FILE;
	struct rossym_reader reader = rs_ahead_reader(&ahead, &below, windows, 2);
	ok(is_there(&reader, &cut, 5000, 3) && is_there(&reader, &cut, RS_AHEAD_SIZE, 1) &&
		   is_there(&reader, &cut, 2 * RS_AHEAD_SIZE - 8, 8),
	   "small reads of one window");
	is_uint(cut.reads, 1, "... are one read of the file");
	ok(is_there(&reader, &cut, RS_AHEAD_SIZE - 3, 6), "a read that two windows have");
	is_uint(cut.reads, 2, "... needs the other window");
	ok(is_there(&reader, &cut, AHEAD_FILE - 1, 1) && is_there(&reader, &cut, 10, 4), "the last window is shorter");
	is_uint(cut.reads, 3, "... and takes the place of the oldest one");
	ok(is_there(&reader, &cut, 2 * RS_AHEAD_SIZE - 1, 1), "that one is read again");
	is_uint(cut.reads, 4, "... when it is needed");
	ok(is_there(&reader, &cut, 100, RS_AHEAD_SIZE + 1), "what is longer than a window");
	is_uint(cut.reads, 5, "... is read at once");

	cut.end = RS_AHEAD_SIZE + 50;
	reader = rs_ahead_reader(&ahead, &below, windows, 2);
	ok(is_there(&reader, &cut, RS_AHEAD_SIZE + 40, 10) && is_there(&reader, &cut, RS_AHEAD_SIZE - 4, 8),
	   "of a window that cannot be read, bytes can");
	ok(!rs_view(&reader, RS_AHEAD_SIZE + 44, 8, buffer, &fault) && fault.code == ROSSYM_FAULT_SHORTER &&
		   fault.offset == RS_AHEAD_SIZE + 44,
	   "... or the fault is about them");
	ok(is_there(&reader, &cut, 0, 8), "another window can be read then");
	ok(!rs_view(&reader, AHEAD_FILE - 4, 5, buffer, &fault) && fault.code == ROSSYM_FAULT_RANGE,
	   "what is past the end of the file is out of range");
}

#ifdef HAVE_THREADS
enum { THREADS = 8, ROUNDS = 300 };

static struct rs_source shared_source;
static struct rs_part shared_part;
static atomic_int ready;
static const char *got[THREADS];

static void *want_part(void *argument)
{
	const struct rossym_reader shared_source_reader = rs_source_reader(&shared_source);
	struct rossym_error err;

	atomic_fetch_add(&ready, 1);
	while (atomic_load(&ready) < THREADS)
		sched_yield();
	got[(const char **)argument - got] = rs_part_get(&shared_part, &shared_source_reader, &err);
	return NULL;
}

#endif

static void threads(void)
{
	const char *const name = "threads that want a part first all get the same copy";
#ifdef HAVE_THREADS
	unsigned wrong = 0, odd = 0;
	shared_source = (struct rs_source){ .memory = (const uint8_t *)digits, .fd = -1, .size = sizeof digits };
	for (unsigned round = 0; round < ROUNDS; round++) {
		pthread_t thread[THREADS];
		unsigned started = 0;

		shared_part.offset = 2;
		shared_part.length = 5;
		atomic_init(&shared_part.own, NULL);
		atomic_init(&ready, 0);
		while (started < THREADS && pthread_create(&thread[started], NULL, want_part, &got[started]) == 0)
			started++;
		if (started < THREADS) { /* let those that wait for the others go on */
			atomic_store(&ready, THREADS);
			odd++;
		}
		for (unsigned i = 0; i < started; i++)
			pthread_join(thread[i], NULL);
		for (unsigned i = 0; i < started; i++)
			wrong += !got[i] || got[i] != got[0] || strcmp(got[i], "23456") != 0;
		rs_part_clear(&shared_part);
	}
	is_uint(wrong, 0, name);
	if (odd)
		diag("%u of %d rounds had too few threads", odd, ROUNDS);
#else
	skip(name, "no threads");
#endif
}

int main(void)
{
	memory();
	no_files();
	file();
	ahead();
	threads();
	return done_testing();
}
