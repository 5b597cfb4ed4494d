// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/find/table-maker.h"
#include "log/find/file-bytes.h"
#include "tool/diag.h"
#include "tool/wait.h"

#include <stdio.h>
#include <stdlib.h>

enum { LABEL_LENGTH_MAX = 600 }; /* bytes of a path for messages; a longer one is cut */

/* The most bytes of one request: an image and its debug files.  Ten times as much as ReactOS's kernel has. */
static const uint64_t most_bytes = (uint64_t)1 << 30;

/* What a table is made from, from the best grade to the worst: debug information in the image, a debug file, the
   symbols of the image. */
enum { GRADE_OWN = 1, GRADE_DEBUG_FILE, GRADE_SYMBOLS };

struct made_image {
	struct table_maker *maker;
	struct table_subject from;
	struct debug_files debug_files;
	uint64_t number;	 /* the image's number at the helper; 0: it has not been sent yet */
	uint64_t size;		 /* bytes that were sent: the image and its debug files */
	struct rossym_error why; /* the error that says why it has no table; returned if none can be made */
	struct tables_kept kept;
};

/* ------------------------------------------------------------------------------------------------ the helper */

/* Ask for no more tables, and report that once, with the reason WHY.  Returns false. */
static bool give_up(struct table_maker *maker, const char *why)
{
	if (!maker->failed)
		diag_warning("no debug information is read: %s", why);
	maker->failed = true;
	return false;
}

/* Start the helper.  A failure is reported only when a table is needed: then tables_ask() fails and tells
   the reason. */
static void start(struct table_maker *maker)
{
	maker->started = true;
	tables_start_idle(&maker->tables);
}

void table_maker_start(struct table_maker *maker)
{
	budget_start(&maker->budget, BUDGET_DEBUG_INFO, wait_clock());
#ifdef HAVE_FORK
	/* Start the helper now: later, this program has dropped the privilege to start another one. */
	start(maker);
#endif
}

void table_maker_end(struct table_maker *maker)
{
	tables_end(&maker->tables);
}

/* Subtract from the budget the cost of a request: SIZE bytes that were sent, and the time from SINCE until now. */
static void spend(struct table_maker *maker, uint64_t size, uint64_t since)
{
	budget_take(&maker->budget, size, wait_clock() - since);
}

static bool has_budget(struct table_maker *maker, const struct file *file)
{
	char label[LABEL_LENGTH_MAX];
	if (maker->budget.live)
		budget_fill(&maker->budget, wait_clock());
	if (budget_has(&maker->budget))
		return true;
	if (!maker->reported_over_budget)
		diag("%s: the budget for debug information is used up: %d GiB read, or %d seconds",
		     file_label(file, label, sizeof label), (int)BUDGET_DEBUG_INFO, (int)BUDGET_STEPS / 1000);
	maker->over_budget = maker->reported_over_budget = true;
	return false;
}

/* ------------------------------------------------------------------------------------------------ a request */

/* The files of a request, with their bytes: first the image, then its debug files. */
struct request_files {
	struct index *index;
	const struct file *origins[1 + DEBUG_FILES_MAX];
	struct file_bytes wholes[1 + DEBUG_FILES_MAX];
	struct tables_file files[1 + DEBUG_FILES_MAX];
	char labels[1 + DEBUG_FILES_MAX][LABEL_LENGTH_MAX];
	size_t count;
	uint64_t size;
};

static void add_bytes(struct request_files *files, const struct file *file, const void *bytes, size_t size)
{
	char *label = files->labels[files->count];
	files->origins[files->count] = file;
	files->files[files->count++] = (struct tables_file){ file_label(file, label, LABEL_LENGTH_MAX), bytes, size };
	files->size += size;
}

/* Add FILE.  If it cannot be read, print a warning and leave it out. */
static void add_file(struct request_files *files, const struct file *file)
{
	char label[LABEL_LENGTH_MAX];
	struct archives_error why;
	struct file_bytes *whole = &files->wholes[files->count];
	if (file_bytes_read(files->index, file, most_bytes - files->size, whole, &why))
		add_bytes(files, file, whole->bytes, whole->size);
	else if (!why.reported)
		diag_warning("%s: %s; it is not read", file_label(file, label, sizeof label), why.what);
}

/* Add the files for SELF.  Returns false if the image cannot be read. */
static bool add_files(struct request_files *files, const struct made_image *self)
{
	if (self->from.content)
		add_bytes(files, self->from.file, self->from.content->bytes, self->from.content->size);
	else
		add_file(files, self->from.file);
	for (unsigned i = 0; i < self->debug_files.count && files->count > 0; i++)
		add_file(files, self->debug_files.files[i]);
	return files->count > 0;
}

static void clear(struct request_files *files)
{
	for (size_t i = 0; i < files->count; i++)
		file_bytes_free(files->index, &files->wholes[i]);
}

/* ANSWER has no table.  If the reason is that there are no symbols, the caller reports self->why; if the helper has
   read debug files, its text is copied there.  Any other reason is printed here, as a warning. */
static void handle_failure(struct made_image *self, const struct tables_answer *answer)
{
	char label[LABEL_LENGTH_MAX];
	if (answer->code != ROSSYM_ENOSYMS)
		diag_warning("%s: %s", file_label(self->from.file, label, sizeof label), answer->why);
	else if (self->debug_files.count > 0)
		snprintf(self->why.what, sizeof self->why.what, "%.*s", (int)sizeof self->why.what - 1, answer->why);
}

/* Call tables_ask(), and send the image and its debug files, under a new number.  Returns false if that fails.  Returns
   false, too, if the image cannot be read, which a message has said; then answer->why is empty. */
static bool request_with_files(struct made_image *self, struct tables_request *request, struct tables_answer *answer)
{
	static struct request_files files; /* large, and there is only one at a time */
	*answer = (struct tables_answer){ .table = NULL };
	files = (struct request_files){ .index = self->from.index };
	if (!add_files(&files, self))
		return false;
	request->number = self->number = ++self->maker->images;
	request->image = files.files;
	request->files = files.files + 1;
	request->file_count = files.count - 1;
	self->size = files.size;
	bool good = tables_ask(&self->maker->tables, request, answer);
	clear(&files);
	if (good && answer->table)
		self->from.file->debug_file = files.origins[answer->origin < files.count ? answer->origin : 0];
	return good;
}

/* Ask the helper for a table for RVAS.  The files are sent for the first table, and again if the helper asks for them
   (answer->again).  Returns false if there is no table.  A message then says why, unless the image has no symbols. */
static bool request_table(struct made_image *self, const uint32_t *rvas, size_t count, struct tables_answer *answer)
{
	struct table_maker *maker = self->maker;
	struct tables_request request = {
		.number = self->number, .size = self->size, .rvas = rvas, .rva_count = count
	};
	const uint64_t since = wait_clock();
	uint64_t sent = 0;
	bool good = true;
	answer->again = self->number == 0;
	if (!answer->again)
		good = tables_ask(&maker->tables, &request, answer);
	if (good && answer->again) {
		good = request_with_files(self, &request, answer);
		sent = request.image ? self->size : 0;
	}
	spend(maker, sent, since);
	if (!good)
		return *answer->why && give_up(maker, answer->why);
	if (!answer->table)
		handle_failure(self, answer);
	return answer->table != NULL;
}

/* rossym_open_options.make: make a table for RVAS. */
static int make_table(void *context, const uint32_t *rvas, size_t count, struct rossym_made *made,
		      struct rossym_error *err)
{
	struct made_image *self = context;
	struct table_maker *maker = self->maker;
	struct tables_answer answer;
	if (!maker->started)
		start(maker);
	if (!maker->failed && !has_budget(maker, self->from.file)) {
		/* The budget may be refilled (budget_fill()).  After ROSSYM_ENOMEM the set asks again; after other
		   errors it does not use the file any more. */
		*err = (struct rossym_error){ .code = ROSSYM_ENOMEM };
		return -1;
	}
	*err = self->why;
	if (maker->failed || !request_table(self, rvas, count, &answer)) {
		self->from.nothing(self->from.context, self->from.file, &self->why);
		return -1;
	}
	return tables_hand_over(&self->kept, &answer, made, err);
}

/* ------------------------------------------------------------------------------------------------ opening */

static bool has_section(struct rossym_image *image, const char *name)
{
	struct rossym_section section;
	return rossym_find_section(image, name, &section, NULL) > 0;
}

/* Find what a table for IMAGE could be made from.  Returns its grade; 0 if there is nothing; -1 if
   there is no memory. */
static int find_grade(struct made_image *self, struct rossym_image *image)
{
	struct rossym_info info = { .size = sizeof info };
	bool own = has_section(image, ".debug_info") || has_section(image, ".zdebug_info") ||
		   has_section(image, ".stab");
	if (!debug_files_find(&self->debug_files, self->from.index, self->from.file, image))
		return -1;
	/* Nothing was found yet: read the directories, which can take long, and search the index, too. */
	if (!own && self->debug_files.count == 0 && !self->from.index->read) {
		index_read(self->from.index);
		if (!debug_files_find(&self->debug_files, self->from.index, self->from.file, image))
			return -1;
	}
	rossym_get_info(image, &info, NULL);
	return own ? GRADE_OWN : self->debug_files.count > 0 ? GRADE_DEBUG_FILE : info.symbols > 0 ? GRADE_SYMBOLS : 0;
}

int table_maker_open(struct table_maker *maker, const struct table_subject *from, const struct rossym_error *why,
		     struct rossym_image **image, struct made_image **made, struct rossym_error *err)
{
	const struct content *content = from->content;
	struct made_image *self = calloc(1, sizeof *self);
	struct rossym_open_options options = {
		.size = sizeof options, .flags = ROSSYM_OPEN_WHOLE_STRINGS, .make = make_table, .make_context = self
	};
	if (!self)
		return diag_fail_memory(err);
	*self = (struct made_image){ .maker = maker, .from = *from, .why = *why };
	int grade = content ? rossym_open_memory(content->bytes, content->size, &options, image, err)
			    : rossym_open(from->file->path, &options, image, err);
	if (grade == 0) {
		grade = find_grade(self, *image);
		*err = *why;
		if (grade < 0)
			diag_fail_memory(err);
		if (grade <= 0)
			rossym_close(*image);
	}
	if (grade > 0)
		*made = self;
	else
		made_image_free(self);
	return grade;
}

void made_image_free(struct made_image *made)
{
	tables_free_kept(&made->kept);
	free(made);
}
