// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "embed/received.h"
#include "search/path.h"
#include "tool/wait.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Read SIZE bytes.  False: standard input has ended, or cannot be read. */
static bool receive_bytes(void *bytes, size_t size)
{
	return wait_read_all(STDIN_FILENO, bytes, size) == (ssize_t)size;
}

static void free_bytes(struct debuginfo_file *file)
{
	const union {
		const void *from;
		void *to;
	} bytes = { file->bytes };
	free(bytes.to);
	file->bytes = NULL;
}

static void free_file(struct debuginfo_file *file)
{
	const union {
		const void *from;
		void *to;
	} path = { file->path };
	free(path.to);
	free_bytes(file);
}

static bool receive_file(struct debuginfo_file *file)
{
	struct tables_part part;
	if (!receive_bytes(&part, sizeof part) || part.path_length > TABLES_PATH_LENGTH_MAX || part.size > UINT32_MAX)
		return false;
	char *path = calloc(1, part.path_length + (size_t)1);
	void *bytes = malloc((size_t)part.size + 1);
	*file = (struct debuginfo_file){ .path = path, .bytes = bytes, .size = (size_t)part.size };
	if (path && bytes && receive_bytes(path, part.path_length) && receive_bytes(bytes, file->size))
		return true;
	free_file(file);
	*file = (struct debuginfo_file){ .path = NULL };
	return false;
}

static bool is_dwo(const struct debuginfo_file *file)
{
	size_t length = strlen(file->path);
	const char *suffix = length >= 4 ? file->path + length - 4 : "";
	return strcmp(suffix, ".dwo") == 0 || strcmp(suffix, ".dwp") == 0;
}

static int by_last_part(const void *a, const void *b)
{
	const struct debuginfo_file *left = a, *right = b;
	return strcmp(rs_path_base(left->path), rs_path_base(right->path));
}

/* Receive COUNT files: .dwo and .dwp files into received->dwos, the others into received->files. */
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

enum received_result received_read(struct received *received)
{
	const struct tables_question *question = &received->question;
	*received = (struct received){ .rvas = NULL };
	if (!receive_bytes(&received->question, sizeof received->question))
		return RECEIVED_END;
	if (question->file_count > TABLES_FILES_MAX || question->rva_count > TABLES_RVAS_MAX ||
	    (question->has_image && question->image == TABLES_OWN_IMAGE))
		return RECEIVED_BAD;
	if (question->has_image && !receive_file(&received->image))
		return RECEIVED_BAD;
	if (!receive_files(received, question->file_count))
		return RECEIVED_BAD;
	received->rvas = malloc((question->rva_count + (size_t)1) * sizeof *received->rvas);
	if (!received->rvas || !receive_bytes(received->rvas, question->rva_count * sizeof *received->rvas))
		return RECEIVED_BAD;
	return RECEIVED;
}

void received_free_bytes(struct received *received)
{
	free_bytes(&received->image);
	for (uint32_t i = 0; i < received->files.count; i++)
		free_bytes(&received->files.items[i]);
	for (uint32_t i = 0; i < received->dwos.count; i++)
		free_bytes(&received->dwos.items[i]);
}

static void free_list(struct file_list *list)
{
	for (uint32_t i = 0; i < list->count; i++)
		free_file(&list->items[i]);
	free(list->items);
}

void received_free(struct received *received)
{
	free_file(&received->image);
	free_list(&received->files);
	free_list(&received->dwos);
	free(received->rvas);
}
