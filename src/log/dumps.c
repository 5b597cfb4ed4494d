// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/dumps.h"
#include "dump/minidump.h"
#include "dump/report.h"
#include "tool/diag.h"
#include "tool/mask.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/compat.h"

bool dumps_begins(int file)
{
	char bytes[4];
	return pread(file, bytes, sizeof bytes, 0) == (ssize_t)sizeof bytes &&
	       memcmp(bytes, MINIDUMP_SIGNATURE, sizeof bytes) == 0;
}

bool dumps_is(int fd)
{
	struct stat st;
	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && lseek(fd, 0, SEEK_CUR) == 0 && dumps_begins(fd);
}

/* ------------------------------------------------------------------------------------------------ the report */

/* Between child and parent: this, then the report and the problems.  Both are the same program, so it is sent as
   it is. */
struct dump_answer {
	uint64_t report, problems; /* how long they are */
	uint32_t count;		   /* of problems */
	uint32_t good;		   /* there is a report */
};

static bool read_file(void *context, uint64_t offset, void *bytes, size_t size)
{
	char *at = bytes;
	const int *fd = context;
	while (size > 0) {
		ssize_t n = pread(*fd, at, size, (off_t)offset);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		offset += (uint64_t)n;
		size -= (size_t)n;
	}
	return true;
}

static struct dump_answer make(int fd, struct text *report, struct dump_problems *problems)
{
	const off_t size = lseek(fd, 0, SEEK_END);
	const struct dump_input input = { read_file, &fd, size > 0 ? (uint64_t)size : 0 };
	struct dump_answer made;
	memset(&made, 0, sizeof made);
	made.good = dump_report(&input, report, problems);
	made.report = report->length;
	made.problems = problems->text.length;
	made.count = problems->count;
	return made;
}

/* Show what is wrong with the dump NAME: the lines of PROBLEMS, which are the first of COUNT. */
static void say_problems(const char *name, const struct text *problems, uint32_t count)
{
	const char *end;
	for (const char *at = problems->bytes; at && (end = strchr(at, '\n')); at = end + 1)
		diag("%s: %.*s", name, end - at < 200 ? (int)(end - at) : 200, at);
	if (count > DUMP_PROBLEMS)
		diag("%s: %lu more problems of this kind", name, (unsigned long)(count - DUMP_PROBLEMS));
}

/* Append TEXT to REPORT, without control characters but the ends of lines. */
static void take_report(struct text *report, const struct text *text)
{
	const char *end;
	for (const char *at = text->bytes; at && (end = strchr(at, '\n')); at = end + 1) {
		text_add_masked(report, at, (size_t)(end - at));
		text_add_char(report, '\n');
	}
}

/* ------------------------------------------------------------------------------------------------ child and parent */

#ifdef HAVE_FORK

#include "tool/process/pipe-read.h"
#include "tool/process/process.h"
#include "tool/process/sandbox.h"
#include "tool/wait.h"

enum { SLOT = FORKSERVER_MOST - 1 }; /* archive-child.h leaves it free */
static const size_t most_report = (size_t)64 << 20, most_problems = 64 << 10;

void dumps_serve(int file, int writing)
{
	struct text report = { .bytes = NULL };
	struct dump_problems problems = { .count = 0 };
	sandbox_unpacker();
	const struct dump_answer made = make(file, &report, &problems);
	_exit(wait_write(writing, &made, sizeof made) && wait_write(writing, report.bytes, report.length) &&
			      wait_write(writing, problems.text.bytes, problems.text.length)
		      ? 0
		      : 1);
}

static bool hear_text(struct pipe_reader *reader, struct text *text, uint64_t size, size_t most)
{
	char piece[4096];
	if (size > most)
		return false;
	while (size > 0) {
		const size_t n = size < sizeof piece ? (size_t)size : sizeof piece;
		if (!hear_all(reader, piece, n) || !text_add_bytes(text, piece, n))
			return false;
		size -= n;
	}
	return true;
}

/* Start the child.  Returns the end of the pipe from it, or -1 after a message. */
static int start(struct forkserver *server, int fd, const char *name)
{
	int from[2];
	int error = process_pipe(from) ? forkserver_fork(server, SLOT, fd, fd, from[1]) : errno;
	if (from[1] >= 0)
		close(from[1]);
	if (!error)
		return from[0];
	if (from[0] >= 0)
		close(from[0]);
	diag("%s: cannot start a process to read it: %s", name, strerror(error));
	return -1;
}

/* Say why the child failed. */
static void say_failure(const char *name, const struct pipe_reader *reader, bool ended,
			const struct forkserver_end *end)
{
	char text[100];
	pipe_reader_describe(text, sizeof text, "reading the dump", reader->late, end->status);
	if (!ended)
		diag("%s: the process that starts readers of dumps has ended", name);
	else if (end->error)
		diag("%s: cannot start a process to read it: %s", name, strerror(end->error));
	else
		diag("%s: %s", name, text);
}

/* As make(), by a child.  False after a message. */
static bool make_apart(struct forkserver *server, int fd, const char *name, struct dump_answer *made,
		       struct text *report, struct dump_problems *problems)
{
	struct pipe_reader reader;
	struct forkserver_end end;
	int pipe = start(server, fd, name);
	if (pipe < 0)
		return false;
	pipe_reader_begin(&reader, 0, pipe, pipe_reader_patience(0));
	bool heard = hear_all(&reader, made, sizeof *made) && hear_text(&reader, report, made->report, most_report) &&
		     hear_text(&reader, &problems->text, made->problems, most_problems);
	close(pipe);
	bool ended = forkserver_end(server, SLOT, &end);
	if (!heard)
		say_failure(name, &reader, ended, &end);
	return heard;
}

#else

void dumps_serve(int file, int writing)
{
	(void)file, (void)writing;
}

static bool make_apart(struct forkserver *server, int fd, const char *name, struct dump_answer *made,
		       struct text *report, struct dump_problems *problems)
{
	(void)server, (void)name;
	*made = make(fd, report, problems);
	return true;
}

#endif

bool dumps_read(struct forkserver *server, int fd, const char *name, struct text *report, bool *whole)
{
	struct text text = { .bytes = NULL };
	struct dump_problems problems = { .count = 0 };
	struct dump_answer made = { .good = false };
	*whole = false;
	bool good = make_apart(server, fd, name, &made, &text, &problems);
	if (good) {
		say_problems(name, &problems.text, made.count);
		*whole = made.count == 0;
		good = made.good;
		if (!good && made.count == 0)
			diag("%s: out of memory", name);
	}
	if (good)
		take_report(report, &text);
	good &= !report->no_memory;
	text_clear(&text);
	text_clear(&problems.text);
	return good;
}
