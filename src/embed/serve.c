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

/* Reading has this code only for a file that the user has named and that does not belong to the image.  Returns
   its path. */
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

/* Send the table in MADE, which comes from a child that may lie: the client checks it. */
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

/* Let the client send the image again. */
static bool send_again(void)
{
	const struct tables_reply reply = { .code = ROSSYM_EREFUSED, .again = 1 };
	return send_bytes(&reply, sizeof reply);
}

/* Send what was made, or why there is nothing. */
static bool send_result(struct kept_image *image, enum made_how how, struct made *made, struct rossym_error *err)
{
	if (how == MADE && made->table.rows > 0)
		return send_table(made, &image->options);
	if (how == MADE)
		job_describe_empty(&image->job, made, err);
	/* Only a child that has not failed can tell that a named file does not belong to the image. */
	const bool refused = how != MADE && err->code == ROSSYM_ENOSYMS;
	return send_reason(how == MADE_BROKEN ? ROSSYM_EDAMAGED : err->code,
			   refused ? named_file(&image->options) : NULL, err);
}

/* As job_make(), but for a file that another program has changed, in which the child would find anything. */
static enum made_how make(struct job *job, const struct wanted_rvas *wanted, struct made *made,
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
static bool answer(struct kept *kept, struct kept_image *image, const struct wanted_rvas *wanted)
{
	struct rossym_error err;
	struct made made = { .table = { .bytes = NULL } };
	bool good;
	enum made_how how = make(&image->job, wanted, &made, &err);
	const bool has_rows = how == MADE && made.table.rows > 0;
	/* A child that fails after it has given a table may have used up its time in earlier requests.  A new child has
	   as much as this one had.  And an image with rows does not lose them: a child that says so fails, too. */
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

/* Answer RECEIVED.  False: it is no request, or the client is gone. */
static bool answer_received(struct kept *kept, const struct job *own, struct received *received)
{
	const struct tables_question *question = &received->question;
	const struct wanted_rvas wanted = { question->partial ? received->rvas : NULL, question->rva_count };
	struct kept_image *image = question->has_image ? NULL : kept_find(kept, question->image);
	if (!image && !question->has_image && question->image != TABLES_OWN_IMAGE)
		return send_again();
	if (!image && (question->has_image || own->image))
		image = kept_add(kept, own, received);
	return image && answer(kept, image, &wanted);
}

/* ------------------------------------------------------------------------------------------------- serve */

static bool greet(uint64_t opened)
{
	struct tables_greeting greeting = { .opened = opened };
	snprintf(greeting.build, sizeof greeting.build, "%s", PACKAGE_VERSION);
	return send_bytes(&greeting, sizeof greeting);
}

int serve_failure(void)
{
	greet(TABLES_FAILED);
	return 1;
}

int serve(const struct job *own)
{
	struct job_shown shown = { .count = 0 };
	struct job template = *own;
	struct kept kept = { .count = 0 };
	enum received_result result = RECEIVED;
	bool good = greet(job_input_size(&template));
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
