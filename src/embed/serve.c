// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "embed/serve.h"
#include "embed/kept.h"
#include "tool/diag.h"
#include "tool/process/tables.h"
#include "tool/wait.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* -------------------------------------------------------------------------------------------- answering */

static bool send_bytes(const void *bytes, size_t size)
{
	return wait_write(STDOUT_FILENO, bytes, size);
}

/* Returns the path of the file of debug information that the user has named, or NULL. */
static const char *named_file(const struct debuginfo_options *options)
{
	for (uint32_t i = 0; i < options->file_count; i++)
		if (options->files[i].named)
			return options->files[i].path;
	return NULL;
}

/* Send ERR as the reason why there is no table.  It is about the file NAME, or, if that is NULL, about the image.
   False: the client is gone. */
static bool send_reason(enum rossym_code code, const char *name, const struct rossym_error *err)
{
	struct tables_reply reply = { .code = (uint32_t)code };
	rossym_format_error(err, name, err->code == ROSSYM_ESYS ? strerror(err->sys_errno) : NULL, reply.why,
			    sizeof reply.why);
	return send_bytes(&reply, sizeof reply);
}

/* Send the table in MADE.  It is from a child that a hostile image may control, so the client checks it.  False: the
   client is gone. */
static bool send_table(const struct made *made, const struct debuginfo_options *options)
{
	const struct rossym_built *table = &made->table;
	uint32_t origin = made->counts.pdb_file ? made->counts.pdb_file : made->counts.file;
	const struct tables_reply reply = { .code = ROSSYM_OK,
					    .whole = made->whole != 0,
					    .size = table->bytes_size,
					    .origin = origin <= options->file_count ? origin : 0 };
	return send_bytes(&reply, sizeof reply) && send_bytes(table->bytes, table->bytes_size);
}

/* Ask the client to send the image again.  False: the client is gone. */
static bool send_again(void)
{
	const struct tables_reply reply = { .code = ROSSYM_EREFUSED, .again = 1 };
	return send_bytes(&reply, sizeof reply);
}

/* Send the table, or the reason why there is none.  False: the client is gone. */
static bool send_result(struct kept_image *image, enum made_how how, struct made *made, struct rossym_error *err)
{
	if (how == MADE && made->table.rows > 0)
		return send_table(made, &image->options);
	if (how == MADE)
		job_describe_empty(&image->job, made, err);
	/* Readers return ROSSYM_ENOSYMS only if the file that the user has named does not belong to the image. */
	const bool refused = how != MADE && err->code == ROSSYM_ENOSYMS;
	return send_reason(how == MADE_BROKEN ? ROSSYM_EDAMAGED : err->code,
			   refused ? named_file(&image->options) : NULL, err);
}

/* As job_make(), but fails if the image is a file that another program has changed since it was opened. */
static enum made_how make_unless_changed(struct job *job, const struct wanted_rvas *wanted, struct made *made,
					 struct rossym_error *err)
{
	static const char changed[] = "it has changed since it was opened";
	if (!job->file || !file_has_changed(job->file))
		return job_make(job, wanted, made, err);
	*err = (struct rossym_error){ .code = ROSSYM_ENOSYMS };
	memcpy(err->what, changed, sizeof changed);
	return MADE_NOTHING;
}

/* Answer a request for IMAGE.  False: the client is gone. */
static bool answer_request(struct kept *kept, struct kept_image *image, const struct wanted_rvas *wanted)
{
	struct rossym_error err;
	struct made made = { .table = { .bytes = NULL } };
	bool good;
	enum made_how how = make_unless_changed(&image->job, wanted, &made, &err);
	const bool has_rows = how == MADE && made.table.rows > 0;
	/* A child that fails after it has made a table may have used up its time limit in earlier requests, so let a
	   new child try.  A child that now says that the image has no rows has failed, too. */
	if (image->answered && (how == MADE_BROKEN || (how == MADE && !has_rows)))
		good = send_again();
	else
		good = send_result(image, how, &made, &err);
	image->answered = has_rows;
	if (!image->answered)
		kept_drop(kept, image);
	else if (image->job.child.running)
		kept_free_bytes(image);
	made_free(&made);
	return good;
}

/* Answer RECEIVED.  False: the request is invalid, there is no memory, or the client is gone. */
static bool answer_received(struct kept *kept, const struct job *own, struct received *received)
{
	const struct tables_question *question = &received->question;
	const struct wanted_rvas wanted = { question->partial ? received->rvas : NULL, question->rva_count };
	struct kept_image *image = question->has_image ? NULL : kept_find(kept, question->image);
	if (!image && !question->has_image && question->image != TABLES_OWN_IMAGE)
		return send_again();
	if (!image && (question->has_image || own->image))
		image = kept_add(kept, own, received);
	return image && answer_request(kept, image, &wanted);
}

/* ------------------------------------------------------------------------------------------------- serve */

/* Send the first message.  OPENED: how many bytes of the command line's files the child will read, or TABLES_FAILED.
   False: the client is gone. */
static bool send_greeting(uint64_t opened)
{
	struct tables_greeting greeting = { .opened = opened };
	snprintf(greeting.build, sizeof greeting.build, "%s", PACKAGE_VERSION);
	return send_bytes(&greeting, sizeof greeting);
}

int serve_failure(void)
{
	send_greeting(TABLES_FAILED);
	return 1;
}

int serve(const struct job *own)
{
	struct job_shown shown = { .count = 0 };
	struct job template = *own;
	struct kept kept = { .count = 0 };
	enum received_result result = RECEIVED;
	bool good = send_greeting(job_input_size(&template));
	template.shown = &shown;
	while (good && result == RECEIVED) {
		struct received received;
		result = received_read(&received);
		good = result == RECEIVED_END || (result == RECEIVED && answer_received(&kept, &template, &received));
		received_free(&received);
	}
	kept_clear(&kept);
	if (!good)
		diag("standard input or output is not that of a program that needs tables");
	return good ? 0 : 1;
}
