// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/find/missing.h"
#include "log/find/file-headers.h"

#include <string.h>

/* How many images of one name are opened, at most; the set considers no more for a module. */
enum { IMAGES_MAX = 64 };

static const char *path_of(const struct file *file)
{
	return file->inside ? file->inside : file->path;
}

/* Add the files that would give symbols to IMAGE, which is FILE, unless answers come from such a file. */
static void note_image(struct wanted_files *wanted, struct rossym_image *image, const struct file *file)
{
	if (!file->debug_file || file->debug_file == file)
		wanted_files_add_symbols(wanted, image, path_of(file));
}

/* If FILE is an image of MODULE's build, which then has no symbols, add the files that have them.  Returns whether it
   is one. */
static bool note_without_symbols(struct wanted_files *wanted, struct index *index, const struct rossym_module *module,
				 const struct file *file)
{
	struct rossym_info info = { .size = sizeof info };
	struct file_headers headers;
	if (!file_headers_open(index, file, &headers))
		return false;
	rossym_get_info(headers.image, &info, NULL);
	const bool is = !module->time_date_stamp || info.time_date_stamp == module->time_date_stamp;
	if (is)
		note_image(wanted, headers.image, file);
	file_headers_close(index, &headers);
	return is;
}

/* As note_without_symbols(), for all files with the name of MODULE.  Those of symbol stores are not in the list of the
   index, if they have no symbols. */
static bool note_all_without_symbols(struct wanted_files *wanted, struct index *index,
				     const struct rossym_module *module)
{
	size_t count;
	unsigned opened = 0;
	bool is = false;
	struct file **files = index_find(index, module->name, strlen(module->name) + 1, &count);
	for (size_t i = 0; i < count && opened < IMAGES_MAX; i++, opened++)
		is |= note_without_symbols(wanted, index, module, files[i]);
	for (size_t i = 0; i < index->other_count && opened < IMAGES_MAX; i++)
		if (strcmp(index->others[i]->name, module->name) == 0) {
			is |= note_without_symbols(wanted, index, module, index->others[i]);
			opened++;
		}
	return is;
}

void missing_note(struct wanted_files *wanted, struct index *index, const struct rossym_module *module,
		  struct rossym_image *image)
{
	const bool right = image && !module->other_stamp;
	if (right)
		note_image(wanted, image, module->file);
	else if (image || module->why == ROSSYM_WHY_BROKEN || !note_all_without_symbols(wanted, index, module))
		wanted_files_add_image(wanted, module->name, module->time_date_stamp, module->length);
}
