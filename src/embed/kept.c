// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "embed/kept.h"

#include <stdlib.h>

/* The most bytes of all kept images together, job_input_size() of each.  One image alone may have more. */
static const uint64_t most_bytes = (uint64_t)512 << 20;

struct kept_image *kept_find(struct kept *kept, uint64_t number)
{
	kept->requests++;
	for (size_t i = 0; i < kept->count; i++) {
		if (kept->images[i]->number == number) {
			kept->images[i]->last_request = kept->requests;
			return kept->images[i];
		}
	}
	return NULL;
}

void kept_drop(struct kept *kept, struct kept_image *image)
{
	size_t at = 0;
	while (kept->images[at] != image)
		at++;
	kept->images[at] = kept->images[--kept->count];
	job_end(&image->job);
	received_free(&image->files);
	free(image);
}

void kept_clear(struct kept *kept)
{
	while (kept->count > 0)
		kept_drop(kept, kept->images[0]);
}

void kept_free_bytes(struct kept_image *image)
{
	if (image->number == TABLES_OWN_IMAGE)
		return;
	received_free_bytes(&image->files);
	image->job.image = image->job.disposable = NULL;
}

static uint64_t size_of_all(const struct kept *kept)
{
	uint64_t size = 0;
	for (size_t i = 0; i < kept->count; i++)
		size += kept->images[i]->size;
	return size;
}

/* Drop images until there is room for one of SIZE bytes. */
static void make_room(struct kept *kept, uint64_t size)
{
	while (kept->count == KEPT_MAX || (kept->count > 0 && size_of_all(kept) + size > most_bytes)) {
		struct kept_image *oldest = kept->images[0];
		for (size_t i = 1; i < kept->count; i++)
			if (kept->images[i]->last_request < oldest->last_request)
				oldest = kept->images[i];
		kept_drop(kept, oldest);
	}
}

/* Let the job of IMAGE read image->files. */
static void use_files(struct kept_image *image)
{
	const union {
		const void *from;
		void *to;
	} bytes = { image->files.image.bytes };
	struct debuginfo_options *options = &image->options;
	struct job *job = &image->job;
	job->source = image->files.image.path;
	job->image = job->disposable = bytes.to;
	job->image_size = image->files.image.size;
	job->input_size = 0;
	options->files = image->files.files.items;
	options->file_count = image->files.files.count;
	options->dwos = image->files.dwos.items;
	options->dwo_count = image->files.dwos.count;
}

struct kept_image *kept_add(struct kept *kept, const struct job *own, struct received *received)
{
	const uint64_t number = received->question.image;
	struct kept_image *image = kept_find(kept, number);
	if (image)
		kept_drop(kept, image);
	image = calloc(1, sizeof *image);
	if (!image)
		return NULL;
	image->number = number;
	image->last_request = kept->requests;
	image->options = *own->debuginfo;
	image->job = *own;
	image->job.debuginfo = &image->options;
	image->job.stays = true;
	if (received->question.has_image) {
		image->files = *received;
		image->files.rvas = NULL;
		*received = (struct received){ .question = received->question, .rvas = received->rvas };
		image->job.file = NULL;
		use_files(image);
	}
	image->size = job_input_size(&image->job);
	make_room(kept, image->size);
	kept->images[kept->count++] = image;
	return image;
}
