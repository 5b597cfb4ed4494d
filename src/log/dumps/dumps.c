// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/dumps/dumps.h"
#include "log/dumps/dump-message.h"
#include "log/archive/archive-child.h"
#include "log/dumps/dump-serve.h"
#include "tool/diag.h"
#include "tool/mask.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/compat.h"

bool dumps_begins(int file)
{
	uint8_t bytes[DUMP_SIGNATURE];
	return pread(file, bytes, sizeof bytes, 0) == (ssize_t)sizeof bytes && rs_dump_is(bytes);
}

bool dumps_is(int fd)
{
	struct stat st;
	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && lseek(fd, 0, SEEK_CUR) == 0 && dumps_begins(fd);
}

/* ------------------------------------------------------------------------------------------------ the report */

/* Print what is wrong with the dump NAME: each line of PROBLEMS, and how many of the COUNT problems have no line. */
static void print_problems(const char *name, const struct strbuf *problems, uint32_t count)
{
	const char *end;
	for (const char *at = problems->bytes; at && (end = strchr(at, '\n')); at = end + 1)
		diag("%s: %.*s", name, end - at < 200 ? (int)(end - at) : 200, at);
	if (count > REPORT_PROBLEMS)
		diag("%s: %lu more problems of this kind", name, (unsigned long)(count - REPORT_PROBLEMS));
}

/* Append TEXT to REPORT, with control characters masked except newlines. */
static void append_report(struct strbuf *report, const struct strbuf *text)
{
	const char *end;
	for (const char *at = text->bytes; at && (end = strchr(at, '\n')); at = end + 1) {
		strbuf_add_masked(report, at, (size_t)(end - at));
		strbuf_add_char(report, '\n');
	}
}

/* ------------------------------------------------------------------------------------------------ child and parent */

/* The arguments and results of make_report(). */
struct dump_reading {
	int fd;
	const char *name;
	const struct dump_image_source *images;
	struct dump_answer made;
	struct strbuf report;
	struct report_problems problems;
};

#ifdef HAVE_FORK

#include "tool/process/worker.h"

static const size_t most_report = (size_t)64 << 20, most_problems = 64 << 10; /* bytes that a child may send */

/* Receive SIZE bytes.  False: they are more than MOST, the child has ended or is late, or there is no memory. */
static bool receive_text(struct pipes *pipes, struct strbuf *text, uint64_t size, size_t most)
{
	char piece[4096];
	if (size > most)
		return false;
	while (size > 0) {
		const size_t n = size < sizeof piece ? (size_t)size : sizeof piece;
		if (!pipes_receive(pipes, piece, n) || !strbuf_add_bytes(text, piece, n))
			return false;
		size -= n;
	}
	return true;
}

/* ------------------------------------------------------------------------------------------------ its questions */

/* Receive the module that follows a question for its image.  False: the child has failed. */
static bool receive_module(struct pipes *pipes, const struct dump_question *question, struct dump_module *module)
{
	if (question->number >= DUMP_IMAGES || !pipes_receive(pipes, module, sizeof *module))
		return false;
	module->name[sizeof module->name - 1] = '\0';
	return true;
}

/* Answer QUESTION.  The time that this program takes to find the answer is added to the child's deadline; the time to
   receive the rest of the question is not.  False: the child has failed. */
static bool answer_question(const struct dump_image_source *images, struct pipes *pipes, struct dump_question *question)
{
	uint8_t bytes[DUMP_PAGE];
	struct dump_reply reply;
	struct dump_module module;
	memset(&reply, 0, sizeof reply);
	question->section[DUMP_SECTION_NAME - 1] = '\0';
	if (question->kind == DUMP_FIND && !receive_module(pipes, question, &module))
		return false;
	const int64_t left = pipes_time_left(pipes);
	switch (question->kind) {
	case DUMP_FIND:
		reply.good = images->find(images->context, question->number, &module, &reply.base);
		break;
	case DUMP_SECTION:
		reply.good = images->section(images->context, question->number, question->section, &reply.rva,
					     &reply.size);
		break;
	case DUMP_PDB:
		reply.good = question->number < DUMP_IMAGES &&
			     images->find_pdb(images->context, question->number, question->rva, reply.guid,
					      &reply.file_size);
		break;
	case DUMP_READ:
		reply.good = question->size <= sizeof bytes &&
			     images->read(images->context, question->number, question->rva, bytes, question->size);
		break;
	default:
		return false;
	}
	pipes_allow(pipes, left);
	return pipes_send(pipes, &reply, sizeof reply) &&
	       (question->kind != DUMP_READ || !reply.good || pipes_send(pipes, bytes, question->size));
}

/* Answer questions, at most DUMP_QUESTIONS, and receive the report.  False: the child has failed. */
static bool receive_all(struct dump_reading *reading, struct pipes *pipes)
{
	struct dump_question question;
	for (int i = 0; i <= DUMP_QUESTIONS && pipes_receive(pipes, &question, sizeof question); i++) {
		if (question.kind == DUMP_DONE)
			return pipes_receive(pipes, &reading->made, sizeof reading->made) &&
			       receive_text(pipes, &reading->report, reading->made.report, most_report) &&
			       receive_text(pipes, &reading->problems.text, reading->made.problems, most_problems);
		if (!answer_question(reading->images, pipes, &question))
			return false;
	}
	return false;
}

/* ------------------------------------------------------------------------------------------------ start and end */

/* Let a child run dump_make().  False: it has failed, and a message says so. */
static bool make_report(struct forkserver *server, struct dump_reading *reading)
{
	struct pipes pipes;
	struct forkserver_end end;
	char why[100];
	const int error = forkserver_fork(server, DUMP_SLOT, 0, &reading->fd, 1, &pipes);
	if (error) {
		diag("%s: cannot start a process to read it: %s", reading->name, strerror(error));
		return false;
	}
	pipes_allow(&pipes, worker_patience(0));
	const bool good = receive_all(reading, &pipes);
	pipes_close(&pipes);
	if (good) {
		forkserver_end(server, DUMP_SLOT, &end);
	} else {
		forkserver_end_failed(server, DUMP_SLOT, "reading the dump", &pipes, why, sizeof why);
		diag("%s: %s", reading->name, why);
	}
	return good;
}

#else

static bool make_report(struct forkserver *server, struct dump_reading *reading)
{
	(void)server;
	reading->made = dump_make(reading->fd, reading->images, &reading->report, &reading->problems);
	return true;
}

#endif

bool dumps_read(struct forkserver *server, int fd, const char *name, const struct dump_image_source *images,
		struct strbuf *report, bool *whole)
{
	struct dump_reading reading = { .fd = fd, .name = name, .images = images };
	bool good = make_report(server, &reading);
	*whole = false;
	if (good) {
		print_problems(name, &reading.problems.text, reading.made.count);
		*whole = reading.made.count == 0;
		good = reading.made.good;
		if (!good && *whole)
			diag("%s: out of memory", name);
	}
	if (good)
		append_report(report, &reading.report);
	if (report->no_memory)
		diag("%s: out of memory", name);
	strbuf_clear(&reading.report);
	strbuf_clear(&reading.problems.text);
	return good && !report->no_memory;
}
