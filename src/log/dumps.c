// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/dumps.h"
#include "log/dump-message.h"
#include "log/dump-serve.h"
#include "tool/diag.h"
#include "tool/mask.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/compat.h"

bool dumps_begins(int file)
{
	uint8_t bytes[DUMP_SIGNATURE];
	return pread(file, bytes, sizeof bytes, 0) == (ssize_t)sizeof bytes && dump_is(bytes);
}

bool dumps_is(int fd)
{
	struct stat st;
	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && lseek(fd, 0, SEEK_CUR) == 0 && dumps_begins(fd);
}

/* ------------------------------------------------------------------------------------------------ the report */

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

enum { SLOT = FORKSERVER_MOST - 1 }; /* archive-child.h leaves it free */
static const size_t most_report = (size_t)64 << 20, most_problems = 64 << 10;

/* A child that reads a dump. */
struct dump_child {
	struct pipe_reader reader; /* the pipe from it */
	int to;			   /* the pipe to it */
	const struct dump_image_source *images;
};

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

/* ------------------------------------------------------------------------------------------------ its questions */

static bool tell(struct dump_child *child, const void *bytes, size_t size)
{
	/* If the child has ended, writing must fail, and not end this process. */
	void (*old)(int) = signal(SIGPIPE, SIG_IGN);
	const bool good = pipe_reader_tell(&child->reader, child->to, bytes, size);
	signal(SIGPIPE, old);
	return good;
}

/* Find the image of the module that follows the question. */
static bool find_image(struct dump_child *child, const struct dump_question *question, struct dump_reply *reply)
{
	struct dump_module module;
	if (question->number >= MINIDUMP_MODULES || !hear_all(&child->reader, &module, sizeof module))
		return false;
	module.name[sizeof module.name - 1] = '\0';
	reply->good = child->images->find(child->images->context, question->number, &module, &reply->base);
	return true;
}

/* Answer QUESTION.  The time that this takes is not the child's.  False: the child is of no more use. */
static bool answer(struct dump_child *child, struct dump_question *question)
{
	const struct dump_image_source *images = child->images;
	const int64_t left = pipe_reader_time_left(&child->reader);
	uint8_t bytes[DUMP_PAGE];
	struct dump_reply reply;
	memset(&reply, 0, sizeof reply);
	question->section[DUMP_SECTION_NAME - 1] = '\0';
	switch (question->kind) {
	case DUMP_FIND:
		if (!find_image(child, question, &reply))
			return false;
		break;
	case DUMP_SECTION:
		reply.good = images->section(images->context, question->number, question->section, &reply.rva,
					     &reply.size);
		break;
	case DUMP_READ:
		reply.good = question->size <= sizeof bytes &&
			     images->read(images->context, question->number, question->rva, bytes, question->size);
		break;
	default:
		return false;
	}
	pipe_reader_again(&child->reader, left);
	return tell(child, &reply, sizeof reply) &&
	       (question->kind != DUMP_READ || !reply.good || tell(child, bytes, question->size));
}

/* Hear all that the child says. */
static bool hear(struct dump_child *child, struct dump_answer *made, struct text *report,
		 struct dump_problems *problems)
{
	struct dump_question question;
	for (int i = 0; i <= DUMP_QUESTIONS && hear_all(&child->reader, &question, sizeof question); i++) {
		if (question.kind == DUMP_DONE)
			return hear_all(&child->reader, made, sizeof *made) &&
			       hear_text(&child->reader, report, made->report, most_report) &&
			       hear_text(&child->reader, &problems->text, made->problems, most_problems);
		if (!answer(child, &question))
			return false;
	}
	return false;
}

/* ------------------------------------------------------------------------------------------------ start and end */

static void close_end(int fd)
{
	if (fd >= 0)
		close(fd);
}

/* Start the child.  False after a message. */
static bool start(struct dump_child *child, struct forkserver *server, int fd, const char *name)
{
	int from[2] = { -1, -1 }, to[2] = { -1, -1 };
	const int error = process_pipe(from) && process_pipe(to) ? forkserver_fork(server, SLOT, fd, to[0], from[1])
								 : errno;
	close_end(from[1]);
	close_end(to[0]);
	child->to = to[1];
	if (!error) {
		pipe_reader_begin(&child->reader, 0, from[0], pipe_reader_patience(0));
		return true;
	}
	close_end(from[0]);
	close_end(to[1]);
	diag("%s: cannot start a process to read it: %s", name, strerror(error));
	return false;
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

/* As dump_make(), by a child.  False after a message. */
static bool make_apart(struct forkserver *server, int fd, const char *name, const struct dump_image_source *images,
		       struct dump_answer *made, struct text *report, struct dump_problems *problems)
{
	struct dump_child child = { .images = images };
	struct forkserver_end end;
	if (!start(&child, server, fd, name))
		return false;
	const bool heard = hear(&child, made, report, problems);
	close(child.reader.fd);
	close(child.to);
	const bool ended = forkserver_end(server, SLOT, &end);
	if (!heard)
		say_failure(name, &child.reader, ended, &end);
	return heard;
}

#else

static bool make_apart(struct forkserver *server, int fd, const char *name, const struct dump_image_source *images,
		       struct dump_answer *made, struct text *report, struct dump_problems *problems)
{
	(void)server, (void)name;
	*made = dump_make(fd, images, report, problems);
	return true;
}

#endif

bool dumps_read(struct forkserver *server, int fd, const char *name, const struct dump_image_source *images,
		struct text *report, bool *whole)
{
	struct text text = { .bytes = NULL };
	struct dump_problems problems = { .count = 0 };
	struct dump_answer made = { .good = false };
	*whole = false;
	bool good = make_apart(server, fd, name, images, &made, &text, &problems);
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
