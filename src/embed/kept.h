/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kept.h - the images of rossym-embed --serve, each with a child process that stays
 *
 * A child reads one image, and gets the requests for that image alone.  So a hostile image that takes over its child
 * can give wrong answers about itself only.  The client numbers the images, and never uses a number for two of them.
 * Images are not recognised by their bytes, because a stranger could choose these.
 *
 * A child has its image in memory, so there are only a few children.  When there are too many, the least recently used
 * one is ended.
 */
#ifndef EMBED_KEPT_H
#define EMBED_KEPT_H

#include "embed/job.h"
#include "embed/received.h"

struct kept_image {
	uint64_t number;
	uint64_t last_request; /* the value of `requests` in struct kept at the last request for this image */
	bool answered;	       /* for the last request, the child made a table with rows */
	uint64_t size;	       /* the result of job_input_size() */
	struct received
		files; /* the files of the image; kept_free_bytes() frees their bytes, and leaves names and sizes */
	struct debuginfo_options options;
	struct job job;
};

enum { KEPT_MAX = 8 };

/* All zeros: there are no images. */
struct kept {
	struct kept_image *images[KEPT_MAX];
	size_t count;
	uint64_t requests;
};

/* Returns image NUMBER, and makes it the most recently used one; NULL if there is no such image. */
struct kept_image *kept_find(struct kept *kept, uint64_t number);

/* Add the image of RECEIVED with the options of OWN.  Its files move from RECEIVED to the new image.  If RECEIVED has
   no image, adds that of OWN.  Replaces an image with the same number.  NULL: there is no memory. */
struct kept_image *kept_add(struct kept *kept, const struct job *own, struct received *received);

/* Free the bytes of the files of IMAGE, because its child, which is running, has a copy.  The image of the command line
   keeps its bytes. */
void kept_free_bytes(struct kept_image *image);

/* End the child of IMAGE, and free IMAGE. */
void kept_drop(struct kept *kept, struct kept_image *image);
void kept_clear(struct kept *kept);

#endif
