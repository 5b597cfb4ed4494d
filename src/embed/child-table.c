// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "embed/child-table.h"

#include <string.h>

#ifdef HAVE_FORK

#include "tool/process/sandbox.h"

#include <stdlib.h>

#include "compat/release.h"
#ifdef __GLIBC__
#include <malloc.h>
#endif

/*
 * The child has all else in its copy of the parent's memory, so its one request is empty.  A question is the name of a
 * file, and the reply a byte: 1 if the source tree has that file.  The answer is struct made, then the table.
 */

/* ------------------------------------------------------------------------------------------------ child */

/* Send the table in pieces.  Give the memory of each piece back to the system after sending it, so that child and parent
   do not both have the whole table in memory. */
static void send_table(struct channel *channel, const struct made *made)
{
	enum { PIECE = 1 << 18 };
	char *bytes = made->table.bytes;
	const size_t all = made->table.bytes_size;
	channel_begin(channel, CHANNEL_ANSWER, made, sizeof *made, all);
	for (size_t at = 0, size; at < all; at += size) {
		size = all - at < PIECE ? all - at : PIECE;
		channel_put(channel, bytes + at, size);
		rs_release(bytes + at, size);
	}
	channel_flush(channel);
}

void making_warn(struct making *making, const char *text)
{
	channel_warn(making->channel, NULL, text, 0);
}

void making_save_memory(void)
{
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, 1 << 17);
	malloc_trim(0);
#endif
}

static bool ask_parent(void *context, const char *name)
{
	struct making *making = context;
	char reply;
	channel_send(making->channel, CHANNEL_QUESTION, NULL, 0, name, strlen(name));
	channel_take(making->channel, CHANNEL_REPLY, &reply, 1);
	return reply;
}

/* What the child needs, for the main function of the child. */
struct request {
	struct making *making;
	const struct wanted_rvas *wanted;
};

/* The main function of the child: make the table and send it, or the error. */
static void serve_parent(void *context, struct channel *channel)
{
	const struct request *request = context;
	struct making *making = request->making;
	struct made made;
	struct rossym_error err;
	making->channel = channel;
	making->tree->is_there = ask_parent;
	making->tree->context = making;
	sandbox_child(making->input);
	making->in_child = true;
	memset(&made, 0, sizeof made);
	memset(&err, 0, sizeof err);
	channel_take(channel, CHANNEL_REQUEST, NULL, 0);
	if (making->make(making, request->wanted, &made, &err) == 0)
		send_table(channel, &made);
	else
		channel_send(channel, CHANNEL_ERROR, &err, sizeof err, NULL, 0);
	rossym_free(made.table.bytes);
}

/* ----------------------------------------------------------------------------------------------- parent */

static const struct worker_job table_job = {
	.doing = "reading the debug information",
	.question = { 0, TREE_NAME_LENGTH_MAX - 1, TREE_NAMES_MAX, true },
	.answer = sizeof(struct made),
};

static bool answer_name(void *context, struct worker *worker, const void *head, const char *name, size_t length)
{
	const struct making *making = context;
	const char reply = tree_look(making->tree, name);
	(void)head, (void)length;
	return channel_send(worker->channel, CHANNEL_REPLY, &reply, 1, NULL, 0);
}

static void take_warning(void *context, const char *path, const char *text, int sys_errno)
{
	const struct making *making = context;
	(void)path, (void)sys_errno;
	making->warn(making->context, text);
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

/* Check the table of ANSWER, and store it in *MADE. */
static enum made_how check_made(struct made *made, const struct worker_answer *answer, struct rossym_error *err)
{
	made->table.bytes = answer->tail;
	made->table.bytes_size = answer->size;
	*err = (struct rossym_error){ .code = ROSSYM_OK };
	if (answer->size > 0 && is_sound(&made->table, err))
		return MADE;
	if (err->code == ROSSYM_ENOMEM)
		return MADE_NOTHING;
	*err = (struct rossym_error){ .code = ROSSYM_ENOSYMS,
				      .what = "reading the debug information gave a damaged table" };
	return MADE_BROKEN;
}

enum made_how child_table_make(struct making *making, const struct wanted_rvas *wanted, struct made *made,
			       struct rossym_error *err)
{
	struct request context = { making, wanted };
	const struct worker_host host = { .question = answer_name, .warn = take_warning, .context = making };
	const struct worker_request request = { .patience = worker_patience(making->input),
						.most = worker_most(making->input) };
	struct worker_answer answer = { .head = made };
	struct worker worker;
	if (!worker_fork(&worker, &table_job, serve_parent, &context, err))
		return MADE_NOTHING;
	making->forked(making->context);
	const enum worker_result result = worker_ask(&worker, &request, &host, &answer);
	worker_end(&worker);
	made->table.bytes = NULL;
	if (result == WORKER_ANSWER)
		return check_made(made, &answer, err);
	*err = answer.error;
	if (result == WORKER_ERROR || err->code == ROSSYM_ENOMEM)
		return MADE_NOTHING;
	err->code = ROSSYM_ENOSYMS; /* messages for this code have no offset */
	return MADE_BROKEN;
}

void made_clear(struct made *made)
{
	free(made->table.bytes);
}

#else

void making_warn(struct making *making, const char *text)
{
	text = channel_count_warning(&making->warnings, text, strlen(text));
	if (text)
		making->warn(making->context, text);
}

void making_save_memory(void)
{
}

enum made_how child_table_make(struct making *making, const struct wanted_rvas *wanted, struct made *made,
			       struct rossym_error *err)
{
	return making->make(making, wanted, made, err) == 0 ? MADE : MADE_NOTHING;
}

void made_clear(struct made *made)
{
	rossym_free(made->table.bytes);
}

#endif
