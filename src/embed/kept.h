/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kept.h - the images of rossym-embed --serve, each with a child of its own that stays
 *
 * A child reads one image, and is asked about that one alone.  So whatever an image makes of its child, it decides no
 * answer about another image.  The client numbers the images, and no number ever means two of them; bytes are not
 * compared, since a stranger could choose them.
 *
 * A child has its image in memory, so there are only a few children.  When there are too many, the one that was asked
 * longest ago ends.
 */
#ifndef EMBED_KEPT_H
#define EMBED_KEPT_H

#include "embed/job.h"
#include "embed/received.h"

struct kept_image {
	uint64_t number;
	uint64_t last_request; /* the number of the last request for it */
	bool answered;	       /* it has given a table */
	uint64_t size;	       /* job_input_size() */
	struct received files; /* its files; when the child has the bytes, only names and sizes are left */
	struct debuginfo_options options;
	struct job job;
};

enum { KEPT_MOST = 8 };

/* All zeros: none. */
struct kept {
	struct kept_image *images[KEPT_MOST];
	size_t count;
	uint64_t requests;
};

/* The image NUMBER; NULL if it is not kept. */
struct kept_image *kept_find(struct kept *kept, uint64_t number);

/* Add the image of RECEIVED with the options of OWN, and take its files from RECEIVED; if it has none, add the image of
   OWN.  It takes the place of one with the same number.  NULL: no memory. */
struct kept_image *kept_add(struct kept *kept, const struct job *own, struct received *received);

/* The child has the bytes of the files: free them here. */
void kept_free_bytes(struct kept_image *image);

/* End its child, and free it. */
void kept_drop(struct kept *kept, struct kept_image *image);
void kept_clear(struct kept *kept);

#endif
