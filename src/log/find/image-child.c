// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/find/image-child.h"

#ifdef HAVE_FORK

#include "log/find/image-message.h"
#include "tool/process/worker.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Limits for a child: of files that it asks for, of warnings that are shown, and of the bytes that it sends for a
   request: more than tables of real files have. */
enum { WANTS_MAX = 1 << 14, WARNINGS_MAX = 1001, WARNING_BYTES_MAX = 65536, SENT_LEAST = 16 << 20, SENT_PER_BYTE = 64 };

static const char doing[] = "reading the debug information";

/* Store an error.  Returns false. */
static bool fail(struct rossym_error *err, enum rossym_code code, const char *what)
{
	*err = (struct rossym_error){ .code = code };
	snprintf(err->what, sizeof err->what, "%s", what);
	return false;
}

/* End the child, which has failed, and store why in *ERR.  Returns false. */
static bool give_up(struct image_child *child, struct rossym_error *err)
{
	char text[sizeof err->what];
	struct forkserver_end end;
	if (child->strange && forkserver_end(child->server, child->slot, &end))
		snprintf(text, sizeof text, "%s gave what is no answer", doing);
	else
		forkserver_end_failed(child->server, child->slot, doing, &child->pipes, text, sizeof text);
	pipes_close(&child->pipes);
	child->running = false;
	return fail(err, ROSSYM_EDAMAGED, text);
}

void image_child_end(struct image_child *child)
{
	struct forkserver_end end;
	if (!child->running)
		return;
	pipes_close(&child->pipes);
	forkserver_end(child->server, child->slot, &end);
	child->running = false;
}

/* ------------------------------------------------------------------------------------------------ sending */

static bool send_file(struct image_child *child, const struct image_source *file)
{
	struct image_file head;
	memset(&head, 0, sizeof head);
	head.size = file->size;
	head.path_length = (uint32_t)strlen(file->path);
	head.is_open = file->fd >= 0;
	return pipes_send(&child->pipes, &head, sizeof head) &&
	       pipes_send(&child->pipes, file->path, head.path_length) &&
	       (head.is_open || pipes_send(&child->pipes, file->bytes, (size_t)file->size));
}

/* Returns the milliseconds that an honest child needs at most.  It may have to make a second table, for all addresses. */
static int64_t patience(const struct image_child *child)
{
	return 2 * worker_patience(child->size < SIZE_MAX ? (size_t)child->size : SIZE_MAX);
}

bool image_child_start(struct image_child *child, struct forkserver *server, unsigned slot,
		       const struct image_source *files, size_t count, struct rossym_error *err)
{
	int open[FORKSERVER_FILES_MAX];
	size_t open_count = 0;
	struct image_begin begin;
	memset(&begin, 0, sizeof begin);
	begin.files = (uint32_t)count;
	for (size_t i = 0; i < count; i++) {
		begin.input += files[i].size;
		if (files[i].fd >= 0)
			open[open_count++] = files[i].fd;
	}
	*child = (struct image_child){ .server = server,
				       .slot = slot,
				       .size = begin.input,
				       .wants = WANTS_MAX,
				       .warnings = WARNINGS_MAX,
				       .warning_bytes = WARNING_BYTES_MAX };
	const int error = forkserver_fork(server, slot, JOB_IMAGE, open, open_count, &child->pipes);
	if (error) {
		char text[sizeof err->what];
		snprintf(text, sizeof text, "cannot start a process: %.60s", strerror(error));
		return fail(err, ROSSYM_EDAMAGED, text);
	}
	child->running = true;
	pipes_allow(&child->pipes, patience(child));
	bool good = pipes_send(&child->pipes, &begin, sizeof begin);
	for (size_t i = 0; i < count && good; i++)
		good = send_file(child, &files[i]);
	return good || give_up(child, err);
}

/* ------------------------------------------------------------------------------------------------ receiving */

/* Note that what the child has sent is no answer.  Returns false. */
static bool refuse(struct image_child *child)
{
	child->strange = true;
	return false;
}

/* Receive SIZE bytes.  False: the child may not send so many, has ended, or is late. */
static bool receive(struct image_child *child, void *bytes, size_t size)
{
	if (size > child->left)
		return refuse(child);
	child->left -= size;
	return pipes_receive(&child->pipes, bytes, size);
}

/* Receive LENGTH bytes of text into TEXT, which has room for IMAGE_TEXT_LENGTH_MAX and a NUL. */
static bool receive_text(struct image_child *child, char *text, uint32_t length)
{
	if (length > IMAGE_TEXT_LENGTH_MAX)
		return refuse(child);
	if (!receive(child, text, length))
		return false;
	text[length] = '\0';
	return true;
}

static bool receive_warning(struct image_child *child, const struct image_host *host)
{
	char path[IMAGE_TEXT_LENGTH_MAX + 1], text[IMAGE_TEXT_LENGTH_MAX + 1];
	struct image_warning head;
	if (!receive(child, &head, sizeof head) || !receive_text(child, path, head.path_length) ||
	    !receive_text(child, text, head.length))
		return false;
	const size_t length = head.path_length + (size_t)head.length;
	if (child->warnings == 0)
		return true;
	if (--child->warnings == 0 || length > child->warning_bytes) {
		child->warnings = 0;
		host->warn(host->context, NULL, "there are more warnings, which are not shown", 0);
		return true;
	}
	child->warning_bytes -= length;
	host->warn(host->context, head.path_length ? path : NULL, text, head.sys_errno);
	return true;
}

static bool answer_want(struct image_child *child, const struct image_host *host)
{
	struct image_source file = { .fd = -1 };
	struct image_file none;
	struct image_want want;
	char name[IMAGE_TEXT_LENGTH_MAX + 1];
	if (child->wants == 0)
		return refuse(child);
	if (!receive(child, &want, sizeof want) || !receive_text(child, name, want.length))
		return false;
	child->wants--;
	memset(&none, 0, sizeof none);
	none.size = IMAGE_NO_FILE;
	const int64_t left = pipes_time_left(&child->pipes);
	const bool found = host->find_split(host->context, name, want.number, &file);
	pipes_allow(&child->pipes, left);
	if (!found)
		return pipes_send(&child->pipes, &none, sizeof none);
	const bool good = send_file(child, &file);
	host->release(host->context);
	return good;
}

static bool receive_table(struct image_child *child, struct image_answer *answer)
{
	struct image_table head;
	if (!receive(child, &head, sizeof head))
		return false;
	if (head.size == 0 || head.size > UINT32_MAX || head.size > child->left || head.origin >= IMAGE_FILES_MAX)
		return refuse(child);
	/* A false size costs nothing: the system provides memory only as it is written. */
	answer->table = malloc((size_t)head.size);
	if (!answer->table)
		return false;
	answer->size = (size_t)head.size;
	answer->whole = head.whole;
	answer->origin = head.origin;
	return receive(child, answer->table, answer->size);
}

/* Receive messages until there is an answer.  False: the child has failed. */
static bool receive_answer(struct image_child *child, const struct image_host *host, struct image_answer *answer)
{
	uint8_t kind;
	while (receive(child, &kind, 1)) {
		switch (kind) {
		case IMAGE_WARNING:
			if (!receive_warning(child, host))
				return false;
			break;
		case IMAGE_WANT:
			if (!answer_want(child, host))
				return false;
			break;
		case IMAGE_ERROR:
			if (!receive(child, &answer->error, sizeof answer->error))
				return false;
			answer->error.what[sizeof answer->error.what - 1] = '\0';
			return (answer->error.code > ROSSYM_OK && answer->error.code <= ROSSYM_EREFUSED) ||
			       refuse(child);
		case IMAGE_TABLE:
			return receive_table(child, answer);
		default:
			return refuse(child);
		}
	}
	return false;
}

static bool send_request(struct image_child *child, const uint32_t *rvas, size_t count)
{
	const uint32_t number = rvas ? (uint32_t)count : IMAGE_EVERYTHING;
	return pipes_send(&child->pipes, &number, sizeof number) &&
	       (!rvas || pipes_send(&child->pipes, rvas, count * sizeof *rvas));
}

void image_child_ask(struct image_child *child, const struct image_host *host, const uint32_t *rvas, size_t count,
		     struct image_answer *answer)
{
	*answer = (struct image_answer){ .table = NULL };
	child->left = child->size < (UINT64_MAX - SENT_LEAST) / SENT_PER_BYTE ? SENT_LEAST + child->size * SENT_PER_BYTE
									      : UINT64_MAX;
	pipes_allow(&child->pipes, patience(child));
	if (send_request(child, rvas, count) && receive_answer(child, host, answer))
		return;
	free(answer->table);
	answer->table = NULL;
	give_up(child, &answer->error);
}

#else

bool image_child_start(struct image_child *child, struct forkserver *server, unsigned slot,
		       const struct image_source *files, size_t count, struct rossym_error *err)
{
	(void)child, (void)server, (void)slot, (void)files, (void)count;
	*err = (struct rossym_error){ .code = ROSSYM_EREFUSED };
	return false;
}

void image_child_ask(struct image_child *child, const struct image_host *host, const uint32_t *rvas, size_t count,
		     struct image_answer *answer)
{
	(void)child, (void)host, (void)rvas, (void)count, (void)answer;
}

void image_child_end(struct image_child *child)
{
	(void)child;
}

#endif
