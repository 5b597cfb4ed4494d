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

/* The state of the child. */
struct archive_server {
	int reading, writing; /* its ends of the two pipes */
	struct budget budget;
	struct reply_taken unreported; /* work that has not been reported yet */
	size_t used;		       /* bytes of the buffer that have not been sent */
	char buffer[1 << 16];
};

/* ------------------------------------------------------------------------------------------------ sending */

/* Send SIZE bytes.  Exit if the program has closed its end of the pipe. */
static void write_out(const struct archive_server *server, const void *bytes, size_t size)
{
	if (!wait_write(server->writing, bytes, size))
		_exit(1);
}

static void flush(struct archive_server *server)
{
	write_out(server, server->buffer, server->used);
	server->used = 0;
}

static void append_reply(struct archive_server *server, const void *bytes, size_t size)
{
	if (size > sizeof server->buffer - server->used)
		flush(server);
	if (size > sizeof server->buffer) {
		write_out(server, bytes, size);
		return;
	}
	memcpy(server->buffer + server->used, bytes, size);
	server->used += size;
}

static void put_reply(struct archive_server *server, enum reply kind, const void *bytes, size_t size)
{
	uint8_t byte = (uint8_t)kind;
	append_reply(server, &byte, 1);
	append_reply(server, bytes, size);
}

/* Receive SIZE bytes.  Exit if the program has closed its end of the pipe. */
static void receive(const struct archive_server *server, void *bytes, size_t size)
{
	if (wait_read_all(server->reading, bytes, size) != (ssize_t)size)
		_exit(0);
}

/* ------------------------------------------------------------------------------------------- called by archive.c */

static void report_taken(struct archive_server *server)
{
	put_reply(server, REPLY_TAKEN, &server->unreported, sizeof server->unreported);
	flush(server);
	server->unreported = (struct reply_taken){ 0, 0 };
}

static void note_taken(void *context, uint64_t bytes, uint64_t steps)
{
	struct archive_server *server = context;
	server->unreported.bytes += bytes;
	server->unreported.steps += steps;
	if (server->unreported.bytes >= UNREPORTED_BYTES || server->unreported.steps >= UNREPORTED_STEPS)
		report_taken(server);
}

static bool send_name(void *context, const char *name, const struct archives_place *place)
{
	struct reply_file file;
	memset(&file, 0, sizeof file);
	file.place = *place;
	file.length = (uint32_t)strlen(name);
	put_reply(context, REPLY_FILE, &file, sizeof file);
	append_reply(context, name, file.length);
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

static void put_end(struct archive_server *server, const struct archive *archive, bool lists, bool failed,
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
	report_taken(server);
	put_reply(server, REPLY_END, &end, sizeof end);
	if (end.nodes)
		append_reply(server, nodes, end.nodes * sizeof *nodes);
	flush(server);
}

static int read_one(struct archive_server *server, struct archive *archive, const struct archive_request *request,
		    struct archives_error *err)
{
	void *bytes;
	size_t size;
	if (archive_read(archive, &request->place, (size_t)request->room, &bytes, &size, err) < 0)
		return -1;
	uint64_t number = size;
	report_taken(server); /* first, because the program accepts only a content whose work has been reported */
	put_reply(server, REPLY_CONTENT, &number, sizeof number);
	append_reply(server, bytes, size);
	free(bytes);
	return 0;
}

static void receive_nodes(struct archive_server *server, struct archive *archive, uint32_t count)
{
	static struct archive_node nodes[ARCHIVES_MAX];
	if (count > ARCHIVES_MAX)
		_exit(1);
	receive(server, nodes, count * sizeof *nodes);
	if (archive)
		archive_restore(archive, nodes, count);
}

void archive_serve(int file, int reading, int writing)
{
	static struct archive_server server;
	const struct archive_host host = { .visit = send_name, .room = ask_room, .context = &server };
	struct archives_error err = { .what = "" };
	struct archive_request request;
#ifdef __GLIBC__
	/* Let free() return large memory to the system at once. */
	mallopt(M_MMAP_THRESHOLD, 1 << 17);
#endif
	sandbox_unpacker();
	server.reading = reading;
	server.writing = writing;
	server.budget.most = INT64_MAX / 4; /* no limit here: what is left comes with each request */
	server.budget.taken = note_taken;
	server.budget.context = &server;
	struct archive *archive = archive_open(file, &server.budget, &host, &err);
	for (;;) {
		receive(&server, &request, sizeof request);
		if (request.nodes)
			receive_nodes(&server, archive, request.nodes);
		server.budget.bytes = request.bytes;
		server.budget.steps = request.steps;
		bool lists = request.kind == REQUEST_LIST;
		int status = !archive ? -1
			     : lists  ? archive_list(archive, request.most, &err)
				      : read_one(&server, archive, &request, &err);
		put_end(&server, archive, lists, status < 0, &err);
	}
}

#else

void archive_serve(int file, int reading, int writing)
{
	(void)file, (void)reading, (void)writing;
}

#endif
