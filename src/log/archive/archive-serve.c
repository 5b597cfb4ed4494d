// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/archive/archive-serve.h"

#if defined HAVE_FORK && defined HAVE_LIBARCHIVE

#include "log/archive/archive-message.h"
#include "tool/process/sandbox.h"
#include "tool/wait.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

struct serving {
	int reading, writing;
	struct budget budget;
	struct reply_taken unreported; /* work that has not been reported yet */
	size_t used;		       /* bytes of the buffer that have not been sent */
	char buffer[1 << 16];
};

/* ------------------------------------------------------------------------------------------------ sending */

/* Send SIZE bytes.  Exit if the program has closed its end of the pipe. */
static void write_out(const struct serving *serving, const void *bytes, size_t size)
{
	if (!wait_write(serving->writing, bytes, size))
		_exit(1);
}

static void flush(struct serving *serving)
{
	write_out(serving, serving->buffer, serving->used);
	serving->used = 0;
}

static void put(struct serving *serving, const void *bytes, size_t size)
{
	if (size > sizeof serving->buffer - serving->used)
		flush(serving);
	if (size > sizeof serving->buffer) {
		write_out(serving, bytes, size);
		return;
	}
	memcpy(serving->buffer + serving->used, bytes, size);
	serving->used += size;
}

static void put_reply(struct serving *serving, enum reply kind, const void *bytes, size_t size)
{
	uint8_t byte = (uint8_t)kind;
	put(serving, &byte, 1);
	put(serving, bytes, size);
}

/* Receive SIZE bytes.  Exit if the program has closed its end of the pipe. */
static void receive(const struct serving *serving, void *bytes, size_t size)
{
	if (wait_read_all(serving->reading, bytes, size) != (ssize_t)size)
		_exit(0);
}

/* ------------------------------------------------------------------------------------------- called by archive.c */

static void report_taken(struct serving *serving)
{
	put_reply(serving, REPLY_TAKEN, &serving->unreported, sizeof serving->unreported);
	flush(serving);
	serving->unreported = (struct reply_taken){ 0, 0 };
}

static void note_taken(void *context, uint64_t bytes, uint64_t steps)
{
	struct serving *serving = context;
	serving->unreported.bytes += bytes;
	serving->unreported.steps += steps;
	if (serving->unreported.bytes >= UNREPORTED_BYTES || serving->unreported.steps >= UNREPORTED_STEPS)
		report_taken(serving);
}

static bool visit(void *context, const char *name, const struct archives_place *place)
{
	struct reply_file file;
	memset(&file, 0, sizeof file);
	file.place = *place;
	file.length = (uint32_t)strlen(name);
	put_reply(context, REPLY_FILE, &file, sizeof file);
	put(context, name, file.length);
	return true;
}

static size_t ask_room(void *context, size_t wanted)
{
	uint64_t number = wanted;
	put_reply(context, REPLY_ROOM, &number, sizeof number);
	flush(context);
	receive(context, &number, sizeof number);
	return (size_t)number;
}

/* ------------------------------------------------------------------------------------------------ requests */

static void put_end(struct serving *serving, const struct archive *archive, bool lists, bool failed,
		    const struct archives_error *err)
{
	struct reply_end end;
	const struct archive_node *nodes = NULL;
	memset(&end, 0, sizeof end);
	end.failed = failed;
	end.over_budget = failed && err->over_budget;
	end.held = archive ? archive_held(archive) : 0;
	if (lists && archive)
		nodes = archive_nodes(archive, &end.nodes);
	if (failed)
		memcpy(end.what, err->what, strlen(err->what));
	report_taken(serving);
	put_reply(serving, REPLY_END, &end, sizeof end);
	if (end.nodes)
		put(serving, nodes, end.nodes * sizeof *nodes);
	flush(serving);
}

static int read_one(struct serving *serving, struct archive *archive, const struct archive_request *request,
		    struct archives_error *err)
{
	void *bytes;
	size_t size;
	if (archive_read(archive, &request->place, (size_t)request->room, &bytes, &size, err) < 0)
		return -1;
	uint64_t number = size;
	report_taken(serving); /* first, because the program accepts only a content whose work has been reported */
	put_reply(serving, REPLY_CONTENT, &number, sizeof number);
	put(serving, bytes, size);
	free(bytes);
	return 0;
}

static void receive_nodes(struct serving *serving, struct archive *archive, uint32_t count)
{
	static struct archive_node nodes[ARCHIVES_MOST];
	if (count > ARCHIVES_MOST)
		_exit(1);
	receive(serving, nodes, count * sizeof *nodes);
	if (archive)
		archive_restore(archive, nodes, count);
}

void archive_serve(int file, int reading, int writing)
{
	static struct serving serving;
	const struct archive_host host = { .visit = visit, .room = ask_room, .context = &serving };
	struct archives_error err = { .what = "" };
	struct archive_request request;
#ifdef __GLIBC__
	/* Let free() return large memory to the system at once. */
	mallopt(M_MMAP_THRESHOLD, 1 << 17);
#endif
	sandbox_unpacker();
	serving.reading = reading;
	serving.writing = writing;
	serving.budget.most = INT64_MAX / 4; /* no limit here: what is left comes with each request */
	serving.budget.taken = note_taken;
	serving.budget.context = &serving;
	struct archive *archive = archive_open(file, &serving.budget, &host, &err);
	for (;;) {
		receive(&serving, &request, sizeof request);
		if (request.nodes)
			receive_nodes(&serving, archive, request.nodes);
		serving.budget.bytes = request.bytes;
		serving.budget.steps = request.steps;
		bool lists = request.kind == REQUEST_LIST;
		int status = !archive ? -1
			     : lists  ? archive_list(archive, request.most, &err)
				      : read_one(&serving, archive, &request, &err);
		put_end(&serving, archive, lists, status < 0, &err);
	}
}

#else

void archive_serve(int file, int reading, int writing)
{
	(void)file, (void)reading, (void)writing;
}

#endif
