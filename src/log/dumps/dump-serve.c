// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/dumps/dump-serve.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "compat/compat.h"

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

struct dump_answer dump_make(int fd, const struct dump_image_source *images, struct strbuf *report,
			     struct report_problems *problems)
{
	const off_t size = lseek(fd, 0, SEEK_END);
	const struct dump_input input = { read_file, &fd, size > 0 ? (uint64_t)size : 0 };
	struct dump_answer made;
	memset(&made, 0, sizeof made);
	made.good = dump_report(&input, images, report, problems);
	made.report = report->length;
	made.problems = problems->text.length;
	made.count = problems->count;
	return made;
}

#ifdef HAVE_FORK

#include "tool/process/sandbox.h"
#include "tool/wait.h"

/* The child's ends of its two pipes. */
struct pipe_ends {
	int reading, writing;
};

/* Send SIZE bytes.  Exit if the program has closed its end of the pipe. */
static void send_bytes(const struct pipe_ends *ends, const void *bytes, size_t size)
{
	if (!wait_write(ends->writing, bytes, size))
		_exit(1);
}

static void receive(const struct pipe_ends *ends, void *bytes, size_t size)
{
	if (wait_read_all(ends->reading, bytes, size) != (ssize_t)size)
		_exit(1);
}

static bool ask_for_image(void *context, uint32_t number, const struct dump_module *module, uint64_t *base)
{
	const struct dump_question question = { .kind = DUMP_FIND, .number = number };
	struct dump_reply reply;
	send_bytes(context, &question, sizeof question);
	send_bytes(context, module, sizeof *module);
	receive(context, &reply, sizeof reply);
	*base = reply.base;
	return reply.good;
}

static bool ask_for_section(void *context, uint32_t number, const char *name, uint32_t *rva, uint32_t *size)
{
	struct dump_question question = { .kind = DUMP_SECTION, .number = number };
	struct dump_reply reply;
	for (size_t i = 0; name[i] && i + 1 < sizeof question.section; i++)
		question.section[i] = name[i];
	send_bytes(context, &question, sizeof question);
	receive(context, &reply, sizeof reply);
	*rva = reply.rva;
	*size = reply.size;
	return reply.good;
}

static bool read_image(void *context, uint32_t number, uint32_t rva, void *bytes, size_t size)
{
	const struct dump_question question = {
		.kind = DUMP_READ, .number = number, .rva = rva, .size = (uint32_t)size
	};
	struct dump_reply reply;
	send_bytes(context, &question, sizeof question);
	receive(context, &reply, sizeof reply);
	if (reply.good)
		receive(context, bytes, size);
	return reply.good;
}

static bool find_pdb(void *context, uint32_t number, uint32_t choice, uint8_t guid[DUMP_GUID], uint64_t *size)
{
	const struct dump_question question = { .kind = DUMP_PDB, .number = number, .rva = choice };
	struct dump_reply reply;
	send_bytes(context, &question, sizeof question);
	receive(context, &reply, sizeof reply);
	memcpy(guid, reply.guid, sizeof reply.guid);
	*size = reply.file_size;
	return reply.good;
}

void dump_serve(int file, int reading, int writing)
{
	struct pipe_ends ends = { reading, writing };
	const struct dump_image_source images = { ask_for_image, ask_for_section, read_image, find_pdb, &ends };
	const struct dump_question done = { .kind = DUMP_DONE };
	struct strbuf report = { .bytes = NULL };
	struct report_problems problems = { .count = 0 };
	sandbox_unpacker();
	const struct dump_answer made = dump_make(file, &images, &report, &problems);
	send_bytes(&ends, &done, sizeof done);
	send_bytes(&ends, &made, sizeof made);
	send_bytes(&ends, report.bytes, report.length);
	send_bytes(&ends, problems.text.bytes, problems.text.length);
	_exit(0);
}

#else

void dump_serve(int file, int reading, int writing)
{
	(void)file, (void)reading, (void)writing;
}

#endif
