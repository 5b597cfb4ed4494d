// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/process/tables.h"
#include "tool/array.h"
#include "tool/process/sibling.h"
#include "tool/diag.h"
#include "tool/process/sandbox.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ------------------------------------------------------------------------------------------------ start */

/* End the helper, which has failed, and store the reason.  Returns false. */
COMPAT_PRINTF(2, 3) static bool give_up(struct tables *tables, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(tables->why, sizeof tables->why, format, args);
	va_end(args);
	if (tables->running)
		process_kill(&tables->process);
	tables_end(tables);
	return false;
}

static size_t count_words(const char *const *words)
{
	size_t count = 0;
	while (words && words[count])
		count++;
	return count;
}

/* process_start() or process_start_idle(). */
typedef int run_function(struct process *process, const char *program, char *const *argv);

/* Start the program PATH by calling RUN(), with the command line --serve OPTIONS, then -- IMAGE if that is not NULL.
   Returns 0 or an errno. */
static int start(struct tables *tables, run_function *run, const char *path, const char *const *options,
		 const char *image)
{
	/* exec() does not change the strings, but its parameter is not const. */
	union {
		const char *from;
		char *to;
	} word;
	size_t count = count_words(options), used = 0;
	char **argv = malloc((count + 5) * sizeof *argv);
	if (!argv)
		return ENOMEM;
	word.from = diag_program();
	argv[used++] = word.to;
	argv[used++] = (char *)"--serve";
	for (size_t i = 0; i < count; i++) {
		word.from = options[i];
		argv[used++] = word.to;
	}
	word.from = image;
	if (image) {
		argv[used++] = (char *)"--";
		argv[used++] = word.to;
	}
	argv[used] = NULL;
	int number = run(&tables->process, path, argv);
	free(argv);
	return number;
}

/* As tables_start_at(), but start the program by calling RUN().  PATH: NULL if the program was not found. */
static bool start_by(struct tables *tables, run_function *run, const char *path, const char *const *options,
		     const char *image)
{
	struct stat st;
	*tables = (struct tables){ .running = false };
	int number = path ? start(tables, run, path, options, image) : ENOENT;
	tables->running = number == 0;
	if (!path)
		snprintf(tables->why, sizeof tables->why, "there is no rossym-embed beside this program");
	else if (number)
		snprintf(tables->why, sizeof tables->why, "cannot start %.100s: %s", path, strerror(number));
	/* The helper reads the image before it sends the greeting, so the deadline of the greeting depends on this
	   size.  The greeting replaces it by the size of all files. */
	tables->opened = image && stat(image, &st) == 0 ? (uint64_t)st.st_size : 0;
	return tables->running;
}

bool tables_start_at(struct tables *tables, const char *path, const char *const *options, const char *image)
{
	return start_by(tables, process_start, path, options, image);
}

bool tables_start(struct tables *tables, const char *const *options, const char *image)
{
	char *path = sibling_find("rossym-embed", INSTALLED_EMBED);
	bool good = start_by(tables, process_start, path, options, image);
	free(path);
	return good;
}

bool tables_start_idle(struct tables *tables)
{
	char *path = sibling_find("rossym-embed", INSTALLED_EMBED);
	bool good = start_by(tables, process_start_idle, path, NULL, NULL);
	free(path);
	return good;
}

void tables_end(struct tables *tables)
{
	if (!tables->running)
		return;
	/* The helper ends at the end of its input.  Do not wait for that: the sandbox may not allow it. */
	pipes_close(&tables->process.pipes);
	process_has_ended(&tables->process);
	tables->running = false;
}

/* ------------------------------------------------------------------------------------------ the two pipes */

/*
 * Set a deadline that an honest helper meets.  The helper has a child that reads SIZE bytes, and waits for it at most
 * five times the child's limit of CPU time (worker_patience()).  It may have to wait for a second child, which makes
 * the whole table.  Twelve times the limit is more than both waits.
 */
static void set_deadline(struct tables *tables, uint64_t size)
{
	enum { MULTIPLE = 12 };
	size_t input = size < SIZE_MAX ? (size_t)size : SIZE_MAX;
	int64_t most = (int64_t)sandbox_child_seconds(input) * 1000 * MULTIPLE;
	pipes_allow(&tables->process.pipes, tables->timeout ? tables->timeout : most);
}

static const char no_answer[] = "what rossym-embed sends is no answer";

/* GOOD is the result of the last transfer.  If it is false, end the helper and store the reason.  Returns GOOD. */
static bool check_transfer(struct tables *tables, bool good)
{
	const struct pipes *pipes = &tables->process.pipes;
	return good || give_up(tables, "%s",
			       pipes->late    ? "rossym-embed takes too long"
			       : pipes->error ? strerror(pipes->error)
					      : "rossym-embed has ended early");
}

static bool receive_bytes(struct tables *tables, void *bytes, size_t size)
{
	return check_transfer(tables, pipes_receive(&tables->process.pipes, bytes, size));
}

static bool send_bytes(struct tables *tables, const void *bytes, size_t size)
{
	return check_transfer(tables, pipes_send(&tables->process.pipes, bytes, size));
}

/* ---------------------------------------------------------------------------------------------- a request */

static bool receive_greeting(struct tables *tables)
{
	struct tables_greeting greeting;
	if (tables->greeted)
		return true;
	set_deadline(tables, tables->opened);
	if (!receive_bytes(tables, &greeting, sizeof greeting))
		return false;
	if (strncmp(greeting.build, PACKAGE_VERSION, sizeof greeting.build) != 0)
		return give_up(tables, "rossym-embed is of another version");
	tables->reported = greeting.opened == TABLES_FAILED;
	if (tables->reported)
		return give_up(tables, "rossym-embed cannot read its files");
	tables->opened = greeting.opened;
	return tables->greeted = true;
}

static bool send_file(struct tables *tables, const struct tables_file *file)
{
	size_t length = strlen(file->path);
	const struct tables_part part = { .size = file->size, .path_length = (uint32_t)length };
	return send_bytes(tables, &part, sizeof part) && send_bytes(tables, file->path, length) &&
	       send_bytes(tables, file->bytes, file->size);
}

static bool send_question(struct tables *tables, const struct tables_request *request)
{
	const struct tables_question question = {
		.image = request->number,
		.has_image = request->image != NULL,
		.file_count = (uint32_t)request->file_count,
		.partial = request->rvas != NULL,
		.rva_count = request->rvas ? (uint32_t)request->rva_count : 0,
	};
	return send_bytes(tables, &question, sizeof question);
}

static bool send_files(struct tables *tables, const struct tables_request *request)
{
	bool good = !request->image || send_file(tables, request->image);
	for (size_t i = 0; good && i < request->file_count; i++)
		good = send_file(tables, &request->files[i]);
	return good &&
	       (!request->rvas || send_bytes(tables, request->rvas, request->rva_count * sizeof *request->rvas));
}

static bool receive_answer(struct tables *tables, const struct tables_request *request, struct tables_answer *answer)
{
	struct tables_reply reply;
	if (!receive_bytes(tables, &reply, sizeof reply))
		return false;
	bool has_table = reply.code == ROSSYM_OK;
	if (reply.code > ROSSYM_EREFUSED || reply.origin > TABLES_FILES_MAX || has_table != (reply.size > 0) ||
	    reply.size > UINT32_MAX)
		return give_up(tables, "%s", no_answer);
	/* `again` makes no sense for a request with files. */
	if (reply.again && (has_table || request->image))
		return give_up(tables, "%s", no_answer);
	answer->code = (enum rossym_code)reply.code;
	answer->whole = reply.whole;
	answer->again = reply.again;
	answer->origin = reply.origin;
	answer->size = (size_t)reply.size;
	snprintf(answer->why, sizeof answer->why, "%.*s", (int)sizeof reply.why, reply.why);
	if (!has_table)
		return true;
	/* A false size costs nothing: the system provides memory only as it is written. */
	answer->table = malloc(answer->size);
	if (!answer->table)
		return give_up(tables, "out of memory");
	if (receive_bytes(tables, answer->table, answer->size))
		return true;
	free(answer->table);
	answer->table = NULL;
	return false;
}

/* Whether the request is within the limits of both sides. */
static bool is_within_limits(const struct tables_request *request)
{
	bool fit = request->file_count <= TABLES_FILES_MAX && request->rva_count <= TABLES_RVAS_MAX &&
		   (!request->image ||
		    (request->image->size <= UINT32_MAX && strlen(request->image->path) <= TABLES_PATH_LENGTH_MAX));
	for (size_t i = 0; fit && i < request->file_count; i++)
		fit = request->files[i].size <= UINT32_MAX && strlen(request->files[i].path) <= TABLES_PATH_LENGTH_MAX;
	return fit;
}

static bool ask_once(struct tables *tables, const struct tables_request *request, struct tables_answer *answer)
{
	const bool own = request->number == TABLES_OWN_IMAGE;
	uint64_t size = request->image ? request->image->size : own ? tables->opened : request->size;
	for (size_t i = 0; i < request->file_count; i++)
		size += request->files[i].size;
	set_deadline(tables, size);
	/* Send the question before the greeting is received: an idle helper starts only when there is input. */
	bool good = tables->running && send_question(tables, request) && receive_greeting(tables);
	if (good) {
		set_deadline(tables, size);
		good = send_files(tables, request) && receive_answer(tables, request, answer);
	}
	return good;
}

bool tables_ask(struct tables *tables, const struct tables_request *request, struct tables_answer *answer)
{
	*answer = (struct tables_answer){ .code = ROSSYM_EREFUSED, .why = "the request is too large" };
	if (!is_within_limits(request))
		return true;
	bool good = ask_once(tables, request, answer);
	/* The helper has the files of its own image, so nothing need be sent again: ask once more, and it makes the
	   table in a new child. */
	if (good && answer->again && request->number == TABLES_OWN_IMAGE)
		good = ask_once(tables, request, answer) && (!answer->again || give_up(tables, "%s", no_answer));
	if (!good)
		snprintf(answer->why, sizeof answer->why, "%s", tables->why);
	return good;
}

/* -------------------------------------------------------------------------------------------- for the library */

int tables_hand_over(struct tables_kept *kept, const struct tables_answer *answer, struct rossym_made *made,
		     struct rossym_error *err)
{
	void **items = array_with_room(kept->items, &kept->room, kept->count, sizeof *items);
	if (!items) {
		free(answer->table);
		return diag_fail_memory(err);
	}
	kept->items = items;
	items[kept->count++] = answer->table;
	made->table = answer->table;
	made->table_size = answer->size;
	made->whole = answer->whole;
	return 0;
}

void tables_free_kept(struct tables_kept *kept)
{
	for (size_t i = 0; i < kept->count; i++)
		free(kept->items[i]);
	free(kept->items);
	*kept = (struct tables_kept){ .items = NULL };
}
