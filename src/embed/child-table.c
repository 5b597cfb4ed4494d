// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "embed/child-table.h"

#include <string.h>

/* Bounds of the warnings about one image that are shown: how many, and their bytes together. */
enum { WARNINGS_MAX = 1000, WARNINGS_LENGTH_MAX = 65536 };

/* Show a warning; after too many, say so once. */
static void show_warning(struct making *making, const char *text)
{
	const size_t length = strlen(text);
	if (making->too_many_warnings)
		return;
	if (making->warnings < WARNINGS_MAX && length <= WARNINGS_LENGTH_MAX - making->warning_bytes) {
		making->warn(making->context, text);
		making->warnings++;
		making->warning_bytes += length;
		return;
	}
	making->too_many_warnings = true;
	making->warn(making->context, "there are more warnings, which are not shown");
}

#ifdef HAVE_FORK

#include "tool/process/sandbox.h"
#include "tool/wait.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "compat/release.h"
#ifdef __GLIBC__
#include <malloc.h>
#endif

/*
 * The child, which has all else in its copy of the parent's memory, sends any number of messages WARNING and QUESTION,
 * then ERROR or TABLE:
 *
 *	WARNING		its length, its text
 *	QUESTION	the length of a name, the name; the answer is a byte: 1 if the source tree has that file
 *	ERROR		struct rossym_error
 *	TABLE		struct made, the bytes of the table
 *
 * Both processes run the same program, so structures are sent as they are.
 */
enum message { WARNING = 1, ERROR, TABLE, QUESTION };

enum { WARNING_LENGTH_MAX = 1024 };

/* ------------------------------------------------------------------------------------------------ child */

static void send_bytes(int fd, const void *bytes, size_t size)
{
	/* If the parent has closed its end of the pipe, it needs nothing more. */
	if (!wait_write(fd, bytes, size))
		_exit(1);
}

/* Send the table in pieces.  Give the memory of each piece back to the system after sending it, so that child and parent
   do not both have the whole table in memory. */
static void send_table(int fd, const struct rossym_built *table)
{
	enum { PIECE = 1 << 18 };
	char *bytes = table->bytes;
	for (size_t at = 0, size; at < table->bytes_size; at += size) {
		size = table->bytes_size - at < PIECE ? table->bytes_size - at : PIECE;
		send_bytes(fd, bytes + at, size);
		rs_release(bytes + at, size);
	}
}

static void send_kind(int fd, enum message kind)
{
	uint8_t byte = (uint8_t)kind;
	send_bytes(fd, &byte, 1);
}

void making_warn(struct making *making, const char *text)
{
	size_t length = strlen(text);
	uint32_t sent = length < WARNING_LENGTH_MAX ? (uint32_t)length : WARNING_LENGTH_MAX;
	send_kind(making->writing, WARNING);
	send_bytes(making->writing, &sent, sizeof sent);
	send_bytes(making->writing, text, sent);
}

void making_save_memory(void)
{
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, 1 << 17);
	malloc_trim(0);
#endif
}

/* Receive SIZE bytes from the parent; end this process if the parent has closed the pipe. */
static void receive_bytes(const struct making *making, void *bytes, size_t size)
{
	ssize_t n = wait_read_all(making->reading, bytes, size);
	if (n != (ssize_t)size)
		_exit(n < 0 ? 1 : 0);
}

static bool ask_parent(void *context, const char *name)
{
	struct making *making = context;
	uint32_t length = (uint32_t)strlen(name);
	send_kind(making->writing, QUESTION);
	send_bytes(making->writing, &length, sizeof length);
	send_bytes(making->writing, name, length);
	char answer;
	receive_bytes(making, &answer, 1);
	return answer;
}

/* What the child needs, for the main function of the child. */
struct request {
	struct making *making;
	const struct wanted_rvas *wanted;
};

/* The main function of the child: make the table and send it, or the error. */
static void serve_parent(void *context, int reading, int writing)
{
	const struct request *request = context;
	struct making *making = request->making;
	struct made made;
	struct rossym_error err;
	making->reading = reading;
	making->writing = writing;
	making->tree->is_there = ask_parent;
	making->tree->context = making;
	sandbox_child(making->input);
	making->in_child = true;
	memset(&made, 0, sizeof made);
	memset(&err, 0, sizeof err);
	if (making->make(making, request->wanted, &made, &err) == 0) {
		send_kind(writing, TABLE);
		send_bytes(writing, &made, sizeof made);
		send_table(writing, &made.table);
		rossym_free(made.table.bytes);
	} else {
		send_kind(writing, ERROR);
		send_bytes(writing, &err, sizeof err);
	}
}

/* A child, as its parent sees it. */
struct child_table {
	struct worker worker;
	size_t name_requests; /* how many times the child has asked for a file of the source tree */
	uint64_t left;	      /* how many bytes the child may still send */
	bool sent_too_much;   /* the child wanted to send more than `left` */
};

/* ----------------------------------------------------------------------------------------------- parent */

/* Returns the most bytes that a child may send for INPUT bytes of debug information: more than tables of real files
   have.  The memory limit of the child (sandbox_child()) has the same 64 bytes for each byte of input. */
static uint64_t most_sent(size_t input)
{
	enum { LEAST = 16 << 20, PER_BYTE = 64 };
	return input < (UINT64_MAX - LEAST) / PER_BYTE ? LEAST + (uint64_t)input * PER_BYTE : UINT64_MAX;
}

static enum made_how fail(struct rossym_error *err, enum made_how how, enum rossym_code code, const char *what)
{
	*err = (struct rossym_error){ .code = code, .sys_errno = code == ROSSYM_ESYS ? errno : 0 };
	snprintf(err->what, sizeof err->what, "%s", what);
	return how;
}

/* Receive SIZE bytes from the child.  False: the child may not send so many; or it has sent fewer when it ended or its
   deadline passed. */
static bool receive(struct child_table *child, void *bytes, size_t size)
{
	child->sent_too_much = size > child->left;
	if (child->sent_too_much)
		return false;
	child->left -= size;
	return pipes_receive(&child->worker.pipes, bytes, size);
}

static bool receive_warning(struct child_table *child, struct making *making)
{
	char text[WARNING_LENGTH_MAX + 1];
	uint32_t length;
	if (!receive(child, &length, sizeof length) || length > WARNING_LENGTH_MAX || !receive(child, text, length))
		return false;
	text[length] = '\0';
	show_warning(making, text);
	return true;
}

static bool receive_question(struct child_table *child, const struct making *making)
{
	char name[TREE_NAME_LENGTH_MAX];
	uint32_t length;
	if (!receive(child, &length, sizeof length) || length >= sizeof name || !receive(child, name, length))
		return false;
	name[length] = '\0';
	if (child->name_requests++ == TREE_NAMES_MAX)
		return false;
	const char answer = tree_look(making->tree, name);
	return pipes_send(&child->worker.pipes, &answer, 1);
}

/* Whether the table passes every check of the library, and has as many rows as the child says.  If not, or if there is
   no memory to check it, stores the reason in *ERR and returns false; if only the number of rows is wrong,
   *ERR stays unchanged. */
static bool is_sound(const struct rossym_built *table, struct rossym_error *err)
{
	struct rossym_image *image;
	struct rossym_report report = { .size = sizeof report };
	if (rossym_open_memory(table->bytes, table->bytes_size, NULL, &image, err) < 0)
		return false;
	bool sound = rossym_check(image, &report, err) == 0 && report.rows == table->rows;
	rossym_close(image);
	return sound;
}

static enum made_how receive_table(struct child_table *child, struct made *made, struct rossym_error *err)
{
	if (!receive(child, made, sizeof *made)) {
		made->table.bytes = NULL;
		return MADE_BROKEN;
	}
	size_t size = made->table.bytes_size;
	made->table.bytes = NULL;
	if (size == 0 || size > UINT32_MAX || size > child->left)
		return fail(err, MADE_BROKEN, ROSSYM_ENOSYMS,
			    "reading the debug information gave a table of an impossible size");
	made->table.bytes = malloc(size);
	if (!made->table.bytes)
		return fail(err, MADE_NOTHING, ROSSYM_ENOMEM, "out of memory");
	if (!receive(child, made->table.bytes, size))
		return MADE_BROKEN;
	if (is_sound(&made->table, err))
		return MADE;
	return err->code == ROSSYM_ENOMEM
		       ? MADE_NOTHING
		       : fail(err, MADE_BROKEN, ROSSYM_ENOSYMS, "reading the debug information gave a damaged table");
}

static enum made_how receive_all(struct child_table *child, struct making *making, struct made *made,
				 struct rossym_error *err)
{
	uint8_t kind;
	while (receive(child, &kind, 1)) {
		switch (kind) {
		case WARNING:
			if (!receive_warning(child, making))
				return MADE_BROKEN;
			break;
		case QUESTION:
			if (!receive_question(child, making))
				return MADE_BROKEN;
			break;
		case TABLE:
			return receive_table(child, made, err);
		case ERROR:
			if (!receive(child, err, sizeof *err))
				return MADE_BROKEN;
			err->what[sizeof err->what - 1] = '\0';
			return err->code > ROSSYM_OK && err->code <= ROSSYM_EREFUSED ? MADE_NOTHING : MADE_BROKEN;
		default:
			return MADE_BROKEN;
		}
	}
	return MADE_BROKEN;
}

/* Store in *ERR why the child failed.  STATUS is from waitpid(). */
static void describe(struct rossym_error *err, const struct child_table *child, int status)
{
	char text[sizeof err->what];
	if (child->sent_too_much)
		snprintf(text, sizeof text, "reading the debug information gave more than the file can hold");
	else
		worker_describe(text, sizeof text, "reading the debug information", child->worker.pipes.late, status);
	fail(err, MADE_BROKEN, ROSSYM_ENOSYMS, text); /* messages for this code have no offset */
}

enum made_how child_table_make(struct making *making, const struct wanted_rvas *wanted, struct made *made,
			       struct rossym_error *err)
{
	struct request request = { making, wanted };
	struct child_table child = { .left = most_sent(making->input) };
	*err = (struct rossym_error){ .code = ROSSYM_OK };
	if (!worker_start(&child.worker, serve_parent, &request))
		return fail(err, MADE_NOTHING, ROSSYM_ESYS, "cannot start a process");
	making->forked(making->context);
	pipes_allow(&child.worker.pipes, worker_patience(making->input));
	const enum made_how how = receive_all(&child, making, made, err);
	const int status = worker_end(&child.worker);
	if (how == MADE_BROKEN && err->code == ROSSYM_OK)
		describe(err, &child, status);
	return how;
}

void made_free(struct made *made)
{
	free(made->table.bytes);
}

#else

void making_warn(struct making *making, const char *text)
{
	show_warning(making, text);
}

void making_save_memory(void)
{
}

enum made_how child_table_make(struct making *making, const struct wanted_rvas *wanted, struct made *made,
			       struct rossym_error *err)
{
	return making->make(making, wanted, made, err) == 0 ? MADE : MADE_NOTHING;
}

void made_free(struct made *made)
{
	rossym_free(made->table.bytes);
}

#endif
