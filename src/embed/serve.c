// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "embed/serve.h"
#include "tool/diag.h"
#include "tool/paths.h"
#include "tool/tables.h"
#include "tool/wait.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct file_list {
	struct debuginfo_file *items;
	uint32_t count;
};

/* A request as it was received.  It owns all its bytes. */
struct received {
	struct tables_question question;
	struct debuginfo_file image;
	struct file_list files, dwos;
	uint32_t *rvas;
};

/* --------------------------------------------------------------------------------------------- receiving */

/* Read SIZE bytes.  False: standard input has ended. */
static bool receive_bytes(void *bytes, size_t size)
{
	char *at = bytes;
	while (size > 0) {
		ssize_t n = wait_read(STDIN_FILENO, at, size);
		if (n <= 0)
			return false;
		at += n;
		size -= (size_t)n;
	}
	return true;
}

static void free_file(const struct debuginfo_file *file)
{
	const union { const void *from; void *to; } path = { file->path }, bytes = { file->bytes };
	free(path.to);
	free(bytes.to);
}

static bool receive_file(struct debuginfo_file *file)
{
	struct tables_part part;
	if (!receive_bytes(&part, sizeof part) || part.path_length > TABLES_LONGEST_PATH || part.size > UINT32_MAX)
		return false;
	char *path = calloc(1, part.path_length + (size_t)1);
	void *bytes = malloc((size_t)part.size + 1);
	*file = (struct debuginfo_file){ path, bytes, (size_t)part.size, .named = false };
	if (path && bytes && receive_bytes(path, part.path_length) && receive_bytes(bytes, file->size))
		return true;
	free_file(file);
	*file = (struct debuginfo_file){ NULL, NULL, 0, .named = false };
	return false;
}

static bool is_dwo(const struct debuginfo_file *file)
{
	static const char suffix[] = ".dwo";
	size_t length = strlen(file->path);
	return length >= strlen(suffix) && strcmp(file->path + length - strlen(suffix), suffix) == 0;
}

static int by_last_part(const void *a, const void *b)
{
	const struct debuginfo_file *left = a, *right = b;
	return strcmp(paths_base(left->path), paths_base(right->path));
}

/* Receive COUNT files into both lists: .dwo files are sorted, the others keep their order. */
static bool receive_files(struct received *received, uint32_t count)
{
	struct file_list *files = &received->files, *dwos = &received->dwos;
	struct debuginfo_file file;
	files->items = calloc(count + (size_t)1, sizeof *files->items);
	dwos->items = calloc(count + (size_t)1, sizeof *dwos->items);
	if (!files->items || !dwos->items)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		if (!receive_file(&file))
			return false;
		struct file_list *list = is_dwo(&file) ? dwos : files;
		list->items[list->count++] = file;
	}
	qsort(dwos->items, dwos->count, sizeof *dwos->items, by_last_part);
	return true;
}

/* Receive a request after its question.  False: it is no request, or there is no memory. */
static bool receive_rest(struct received *received)
{
	const struct tables_question *question = &received->question;
	if (question->file_count > TABLES_MOST_FILES || question->rva_count > TABLES_MOST_RVAS)
		return false;
	if (question->has_image && !receive_file(&received->image))
		return false;
	if (!receive_files(received, question->file_count))
		return false;
	received->rvas = malloc((question->rva_count + (size_t)1) * sizeof *received->rvas);
	return received->rvas && receive_bytes(received->rvas, question->rva_count * sizeof *received->rvas);
}

static void free_list(struct file_list *list)
{
	for (uint32_t i = 0; i < list->count; i++)
		free_file(&list->items[i]);
	free(list->items);
}

static void free_received(struct received *received)
{
	free_file(&received->image);
	free_list(&received->files);
	free_list(&received->dwos);
	free(received->rvas);
}

/* -------------------------------------------------------------------------------------------- answering */

static bool send_bytes(const void *bytes, size_t size)
{
	return wait_write(STDOUT_FILENO, bytes, size);
}

/* Reading has this code only for a file that the user has named and that does not belong to the image.  Returns its path. */
static const char *named_file(const struct debuginfo_options *options)
{
	for (uint32_t i = 0; i < options->file_count; i++)
		if (options->files[i].named)
			return options->files[i].path;
	return NULL;
}

/* Send ERR as the reason why there is no table.  It is about the file NAME, or, if that is NULL, about the image.  False: the client
   is gone. */
static bool send_reason(enum rossym_code code, const char *name, const struct rossym_error *err)
{
	struct tables_reply reply = { .code = (uint32_t)code };
	rossym_format_error(err, name, err->code == ROSSYM_ESYS ? strerror(err->sys_errno) : NULL, reply.why,
			    sizeof reply.why);
	return send_bytes(&reply, sizeof reply);
}

/* Send the table in MADE.  It was checked; the counts come from a child, which may lie. */
static bool send_table(const struct made *made, const struct debuginfo_options *options)
{
	const struct rossym_built *table = &made->table;
	uint32_t origin = made->counts.pdb_file ? made->counts.pdb_file : made->counts.file;
	const struct tables_reply reply = { .code = ROSSYM_OK, .whole = !options->wanted, .size = table->bytes_size,
					    .origin = origin <= options->file_count ? origin : 0 };
	return send_bytes(&reply, sizeof reply) && send_bytes(table->bytes, table->bytes_size);
}

/* Make the table of JOB and send it, or why there is none.  An empty table for some addresses does not tell whether others
   have symbols, so the whole table is made then.  False: the client is gone. */
static bool answer(struct job *job)
{
	struct debuginfo_options *options = job->debuginfo;
	struct rossym_error err;
	struct made made = { .table = { .bytes = NULL } };
	enum made_how how = job_make(job, &made, &err);
	if (how == MADE && made.table.rows == 0 && options->wanted) {
		made_free(&made);
		made = (struct made){ .table = { .bytes = NULL } };
		options->wanted = NULL;
		how = job_make(job, &made, &err);
	}
	bool good;
	if (how == MADE && made.table.rows > 0) {
		good = send_table(&made, options);
	} else {
		if (how == MADE)
			job_describe_empty(job, &made, &err);
		/* Only a child that has not failed can tell that a named file does not belong to the image. */
		const bool refused = how != MADE && err.code == ROSSYM_ENOSYMS;
		good = send_reason(how == MADE_BROKEN ? ROSSYM_EDAMAGED : err.code, refused ? named_file(options) : NULL, &err);
	}
	made_free(&made);
	return good;
}

/* Answer RECEIVED with the options of OWN; if the request has no image, for the image of OWN. */
static bool answer_received(const struct job *own, const struct received *received, struct job_shown *shown)
{
	const struct tables_question *question = &received->question;
	struct debuginfo_options options = *own->debuginfo;
	struct job job = *own;
	job.debuginfo = &options;
	job.shown = shown;
	if (question->has_image) {
		job.source = received->image.path;
		job.image = received->image.bytes;
		job.image_size = received->image.size;
		options.files = received->files.items;
		options.file_count = received->files.count;
		options.dwos = received->dwos.items;
		options.dwo_count = received->dwos.count;
	}
	options.wanted = question->partial ? received->rvas : NULL;
	options.wanted_count = question->partial ? question->rva_count : 0;
	return answer(&job);
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
	bool good = greet(job_input_size(own));
	while (good) {
		struct received received = { .rvas = NULL };
		if (!receive_bytes(&received.question, sizeof received.question))
			return 0;
		good = receive_rest(&received) && (received.question.has_image || own->image) &&
		       answer_received(own, &received, &shown);
		free_received(&received);
	}
	diag("standard input or output is not that of a program that needs tables");
	return 1;
}
