// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/find/table-maker.h"
#include "log/find/file-bytes.h"
#include "search/debug-names.h"
#include "search/path.h"
#include "tool/array.h"
#include "tool/ascii.h"
#include "tool/diag.h"
#include "tool/files/file.h"
#include "tool/strbuf.h"
#include "tool/wait.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LABEL_LENGTH_MAX = 600 }; /* bytes of a path for messages; a longer one is cut */

/* Limits in bytes of the files of one image: of those in archives, which are unpacked into memory, and of a file with
   split DWARF. */
static const uint64_t most_unpacked = (uint64_t)1 << 30, most_split = (uint64_t)256 << 20;

/* What a table is made from, from the best grade to the worst: debug information in the image, a debug file, the
   symbols of the image. */
enum { GRADE_OWN = 1, GRADE_DEBUG_FILE, GRADE_SYMBOLS };

struct made_image {
	struct table_maker *maker;
	struct table_subject from;
	struct debug_files debug_files;
	struct image_child child;
	uint64_t last_request;	 /* the number of the last request */
	struct rossym_error why; /* the error that says why it has no table; returned if none can be made */
	const struct file *origins[1 + DEBUG_FILES_MAX]; /* the files of the child */
	size_t origin_count;
	struct file_bytes split; /* the bytes of the file with split DWARF that the child gets now */
	struct own_reading *own; /* without fork(): the image as this process reads it */
	void **tables;		 /* those that were made, which the image uses */
	size_t table_count, table_room;
};

void table_maker_start(struct table_maker *maker, struct forkserver *server)
{
	budget_start(&maker->budget, BUDGET_DEBUG_INFO, wait_clock());
	maker->server = server;
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

/* ------------------------------------------------------------------------------------------------ files of a child */

/* The files of an image, as they are given to a child: first the image, then its debug files. */
struct given_files {
	struct index *index;
	struct image_source sources[1 + DEBUG_FILES_MAX];
	struct file_bytes wholes[1 + DEBUG_FILES_MAX];
	char labels[1 + DEBUG_FILES_MAX][LABEL_LENGTH_MAX];
	size_t count;
	uint64_t unpacked;
};

/* Add FILE: as an open file, or as its bytes, CONTENT or those that are unpacked.  If it cannot be read, prints a warning
   and leaves it out. */
static void add_file(struct given_files *files, struct made_image *self, const struct file *file,
		     const struct content *content)
{
	char *label = files->labels[files->count];
	struct file_bytes *whole = &files->wholes[files->count];
	struct image_source source = { .path = file_label(file, label, LABEL_LENGTH_MAX), .fd = -1 };
	struct archives_error why;
	struct stat st;
	if (content) {
		source.bytes = content->bytes;
		source.size = content->size;
	} else if (file->inside) {
		if (!file_bytes_read(files->index, file, most_unpacked - files->unpacked, whole, &why)) {
			if (!why.reported)
				diag_warning("%s: %s; it is not read", label, why.what);
			return;
		}
		source.bytes = whole->bytes;
		source.size = whole->size;
		files->unpacked += whole->size;
	} else {
		source.path = file->path;
		source.fd = open_file(file->path, false);
		if (source.fd < 0 || fstat(source.fd, &st) < 0 || !S_ISREG(st.st_mode)) {
			diag_warning("%s: %s; it is not read", label,
				     source.fd < 0 ? strerror(errno) : "not a regular file");
			if (source.fd >= 0)
				close(source.fd);
			return;
		}
		source.size = (uint64_t)st.st_size;
	}
	self->origins[files->count] = file;
	files->sources[files->count++] = source;
}

static void clear(struct given_files *files)
{
	for (size_t i = 0; i < files->count; i++) {
		if (files->sources[i].fd >= 0)
			close(files->sources[i].fd);
		file_bytes_free(files->index, &files->wholes[i]);
	}
}

/* Add all files of SELF.  Returns false if the image cannot be read. */
static bool add_files(struct given_files *files, struct made_image *self)
{
	add_file(files, self, self->from.file, self->from.content);
	for (unsigned i = 0; i < self->debug_files.count && files->count > 0; i++)
		add_file(files, self, self->debug_files.files[i], NULL);
	return files->count > 0;
}

/* Print the warning TEXT about the file PATH; NULL: about the image.  NUMBER is an errno, or 0. */
static void warn(void *context, const char *path, const char *text, int number)
{
	const struct made_image *self = context;
	char label[LABEL_LENGTH_MAX];
	if (!path)
		path = file_label(self->from.file, label, sizeof label);
	if (number)
		diag_warning("%s: %s: %s; it is not read", path, text, strerror(number));
	else
		diag_warning("%s: %s", path, text);
}

/* ------------------------------------------------------------------------------------------- files with split DWARF */

/* Read file NUMBER of those in the directory of the image, and then those of the index, that are called NAME. */
static bool find_split(void *context, const char *name, uint32_t number, struct image_source *source)
{
	struct made_image *self = context;
	struct index *index = self->from.index;
	struct archives_error why;
	const struct file *found = NULL;
	size_t count;
	/* A child that was taken over can ask for as many files as it likes. */
	if (!rs_debug_name_is_plain(name) || !budget_has(&self->maker->budget))
		return false;
	if (!self->from.file->inside) {
		struct strbuf beside = { .length = 0 };
		const char *path = self->from.file->path;
		strbuf_add_bytes(&beside, path, (size_t)(rs_path_base(path) - path));
		strbuf_add(&beside, name);
		if (!beside.no_memory && access(beside.bytes, R_OK) == 0 && number-- == 0)
			found = index_file_outside(index, beside.bytes);
		strbuf_clear(&beside);
	}
	if (!found) {
		char lower[DEBUG_NAME_LENGTH_MAX + 1];
		const size_t length = strlen(name);
		for (size_t i = 0; i <= length; i++)
			lower[i] = to_lower(name[i]);
		index_read(index);
		struct file **files = index_find(index, lower, length + 1, &count);
		found = number < count ? files[number] : NULL;
	}
	if (!found || !file_bytes_read(index, found, most_split, &self->split, &why))
		return false;
	budget_take(&self->maker->budget, self->split.size, 0);
	*source = (struct image_source){ .path = found->inside ? found->inside : found->path,
					 .fd = -1,
					 .bytes = self->split.bytes,
					 .size = self->split.size };
	return true;
}

#ifdef HAVE_FORK

/* ------------------------------------------------------------------------------------------------ children */

/* Returns a slot that is free, after ending the child that was asked longest ago, if necessary. */
static unsigned find_slot(struct table_maker *maker)
{
	unsigned oldest = 0;
	for (unsigned i = 0; i < IMAGE_CHILDREN; i++) {
		if (!maker->images[i])
			return i;
		if (maker->images[i]->last_request < maker->images[oldest]->last_request)
			oldest = i;
	}
	image_child_end(&maker->images[oldest]->child);
	maker->images[oldest] = NULL;
	return oldest;
}

/* Free the slot of SELF, whose child has ended. */
static void free_slot(struct made_image *self)
{
	for (unsigned i = 0; i < IMAGE_CHILDREN; i++)
		if (self->maker->images[i] == self)
			self->maker->images[i] = NULL;
}

static void release_split(void *context)
{
	struct made_image *self = context;
	file_bytes_free(self->from.index, &self->split);
}

/* Start a child for SELF.  Returns false, with the reason in *ERR, which is empty if a message has said it. */
static bool start_child(struct made_image *self, struct rossym_error *err)
{
	static struct given_files files; /* large, and there is only one at a time */
	struct table_maker *maker = self->maker;
	*err = (struct rossym_error){ .code = ROSSYM_EDAMAGED };
	files = (struct given_files){ .index = self->from.index };
	if (!add_files(&files, self))
		return false;
	self->origin_count = files.count;
	const unsigned slot = find_slot(maker);
	const bool good = image_child_start(&self->child, maker->server, IMAGE_SLOT + slot, files.sources, files.count,
					    err);
	if (good)
		maker->images[slot] = self;
	budget_take(&maker->budget, self->child.size, 0);
	clear(&files);
	return good;
}

/* Ask the child of SELF.  Starts one if there is none; and another one, once, if a child that has answered before fails:
   it may have used up its time limit in earlier requests. */
static void ask(struct made_image *self, const uint32_t *rvas, size_t count, struct image_answer *answer)
{
	const struct image_host host = {
		.find_split = find_split, .release = release_split, .warn = warn, .context = self
	};
	for (int tries = 0; tries < 2; tries++) {
		const bool fresh = !self->child.running;
		*answer = (struct image_answer){ .table = NULL };
		if (fresh && !start_child(self, &answer->error)) {
			free_slot(self);
			return;
		}
		self->last_request = ++self->maker->requests;
		image_child_ask(&self->child, &host, rvas, count, answer);
		if (!self->child.running)
			free_slot(self);
		if (answer->table || self->child.running || fresh)
			return;
	}
}

static void free_own(struct made_image *self)
{
	(void)self;
}

#else

/* ------------------------------------------------------------------------------------------------ without children */

/* What this process reads of an image, on systems without fork().  All of it stays until the image is closed. */
struct own_reading {
	struct rossym_image *image;
	struct given_files files;
	struct file_bytes *split; /* files with split DWARF */
	size_t split_count, split_room;
	struct rossym_error error; /* if `useless`: why the image has no symbols */
	bool useless;
};

static struct rossym_debug_file as_debug_file(const struct image_source *source)
{
	return (struct rossym_debug_file){
		.path = source->path, .bytes = source->bytes, .bytes_size = (size_t)source->size, .fd = source->fd
	};
}

static void take_warning(void *context, const struct rossym_warning *warning)
{
	struct made_image *self = context;
	if (warning->code != ROSSYM_ENOSYMS) {
		warn(self, warning->path, warning->what, warning->sys_errno);
		return;
	}
	self->own->useless = true;
	self->own->error = (struct rossym_error){ .code = ROSSYM_ENOSYMS };
	snprintf(self->own->error.what, sizeof self->own->error.what, "%s", warning->what);
}

static int find_own_split(void *context, const char *name, size_t number, struct rossym_debug_file *file)
{
	struct made_image *self = context;
	struct own_reading *own = self->own;
	struct image_source source;
	struct file_bytes *split = array_with_room(own->split, &own->split_room, own->split_count, sizeof *split);
	own->split = split ? split : own->split;
	if (!split || !find_split(self, name, (uint32_t)number, &source))
		return 0;
	own->split[own->split_count++] = self->split;
	self->split = (struct file_bytes){ .bytes = NULL };
	*file = as_debug_file(&source);
	return 1;
}

/* Open the image of SELF with its debug information.  Returns 0; or -1 with *ERR, which is empty if a message has said
   why. */
static int open_own(struct made_image *self, struct rossym_error *err)
{
	struct rossym_debug_file files[DEBUG_FILES_MAX];
	struct own_reading *own = self->own = calloc(1, sizeof *own);
	*err = (struct rossym_error){ .code = ROSSYM_EDAMAGED };
	if (!own)
		return diag_fail_memory(err);
	own->files.index = self->from.index;
	if (!add_files(&own->files, self))
		return -1;
	self->origin_count = own->files.count;
	for (size_t i = 1; i < own->files.count; i++)
		files[i - 1] = as_debug_file(&own->files.sources[i]);
	const struct rossym_open_options options = {
		.size = sizeof options,
		.flags = ROSSYM_OPEN_DEBUG_INFO | ROSSYM_OPEN_ONE_THREAD,
		.path = own->files.sources[0].path,
		.debug_files = files,
		.debug_file_count = own->files.count - 1,
		.warn = take_warning,
		.warn_context = self,
		.find_split = find_own_split,
		.find_context = self,
	};
	const struct image_source *image = &own->files.sources[0];
	return image->fd >= 0 ? rossym_open_fd(image->fd, &options, &own->image, err)
			      : rossym_open_memory(image->bytes, (size_t)image->size, &options, &own->image, err);
}

static void free_own(struct made_image *self)
{
	struct own_reading *own = self->own;
	if (!own)
		return;
	rossym_close(own->image);
	clear(&own->files);
	for (size_t i = 0; i < own->split_count; i++)
		file_bytes_free(self->from.index, &own->split[i]);
	free(own->split);
	free(own);
}

/* Returns the number of the file of SELF that the newest table is from. */
static uint32_t find_own_origin(const struct made_image *self)
{
	struct rossym_info info = { .size = sizeof info };
	uint32_t number = 0;
	rossym_get_info(self->own->image, &info, NULL);
	for (uint32_t i = 1; info.debug_file && i < self->own->files.count && number == 0; i++)
		number = strcmp(self->own->files.sources[i].path, info.debug_file) == 0 ? i : 0;
	return number;
}

/* Make a table for the COUNT addresses RVAS; for everything if RVAS is NULL. */
static void ask(struct made_image *self, const uint32_t *rvas, size_t count, struct image_answer *answer)
{
	uint64_t *wide = calloc(count + 1, sizeof *wide);
	int whole = 1, result = -1;
	*answer = (struct image_answer){ .error = { .code = ROSSYM_ENOMEM } };
	for (size_t i = 0; wide && i < count; i++)
		wide[i] = rvas[i];
	if (wide && (self->own ? self->own->image != NULL : open_own(self, &answer->error) == 0))
		result = rvas ? rossym_read_table_for(self->own->image, wide, count, &answer->table, &answer->size,
						      &whole, &answer->error)
			      : rossym_read_table(self->own->image, &answer->table, &answer->size, &answer->error);
	free(wide);
	if (result == 0 && self->own->useless) {
		rossym_free(answer->table);
		answer->table = NULL;
		answer->error = self->own->error;
	}
	answer->whole = whole;
	answer->origin = answer->table ? find_own_origin(self) : 0;
}

#endif

/* ------------------------------------------------------------------------------------------------ tables */

/* ANSWER has no table.  If the reason is that there are no symbols, the caller reports self->why; if debug files were
   read, the reason is copied there.  Any other reason is printed here, as a warning. */
static void handle_failure(struct made_image *self, const struct image_answer *answer)
{
	char label[LABEL_LENGTH_MAX];
	if (answer->error.code == ROSSYM_ENOSYMS && self->debug_files.count > 0)
		self->why = answer->error;
	else if (answer->error.code != ROSSYM_ENOSYMS && answer->error.what[0])
		diag_warning("%s: %s", file_label(self->from.file, label, sizeof label), answer->error.what);
}

/* Let SELF own the table of ANSWER.  Returns 0; or -1, without memory, after freeing the table. */
static int keep_table(struct made_image *self, const struct image_answer *answer, struct rossym_made *made,
		      struct rossym_error *err)
{
	void **tables = array_with_room(self->tables, &self->table_room, self->table_count, sizeof *tables);
	if (!tables) {
		rossym_free(answer->table);
		return diag_fail_memory(err);
	}
	self->tables = tables;
	tables[self->table_count++] = answer->table;
	*made = (struct rossym_made){ .table = answer->table, .table_size = answer->size, .whole = answer->whole };
	return 0;
}

/* rossym_open_options.make: make a table for RVAS. */
static int make_table(void *context, const uint32_t *rvas, size_t count, struct rossym_made *made,
		      struct rossym_error *err)
{
	struct made_image *self = context;
	struct table_maker *maker = self->maker;
	struct image_answer answer;
	if (!has_budget(maker, self->from.file)) {
		/* The budget may be refilled (budget_fill()).  After ROSSYM_ENOMEM the set asks again; after other
		   errors it does not use the file any more. */
		*err = (struct rossym_error){ .code = ROSSYM_ENOMEM };
		return -1;
	}
	const uint64_t since = wait_clock();
	ask(self, rvas, count, &answer);
	budget_take(&maker->budget, 0, wait_clock() - since);
	if (!answer.table) {
		handle_failure(self, &answer);
		*err = self->why;
		self->from.nothing(self->from.context, self->from.file, &self->why);
		return -1;
	}
	self->from.file->debug_file = self->origins[answer.origin < self->origin_count ? answer.origin : 0];
	return keep_table(self, &answer, made, err);
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
#ifdef HAVE_FORK
	image_child_end(&made->child);
	free_slot(made);
#endif
	free_own(made);
	for (size_t i = 0; i < made->table_count; i++)
		rossym_free(made->tables[i]);
	free(made->tables);
	free(made);
}
