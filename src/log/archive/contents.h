/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * contents.h - what has been unpacked, and is kept because it may be wanted again
 *
 * A content is the bytes of one entry of an archive: a module, or an archive in an archive.  Those that nobody uses are
 * freed when there are too many bytes, the least recently used first.  The bytes of a module whose image is open are
 * not counted: the set of modules (rossym-set.h) has a limit for these.
 */
#ifndef LOG_ARCHIVE_CONTENTS_H
#define LOG_ARCHIVE_CONTENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct content {
	void *bytes;
	size_t size;
	uint32_t archive, entry; /* its numbers: of the archive, and of the entry in it */
	unsigned users;		 /* archives that are being read from it */
	unsigned images;	 /* open images: it is not counted */
	struct content *newer, *older;
};

struct contents {
	struct content *newest, *oldest;
	size_t bytes, most; /* that are counted, and how many there may be */
};

/* Returns the content of an entry, which is the most recently used one now; or NULL. */
struct content *contents_find(struct contents *contents, uint32_t archive, uint32_t entry);

/* Keep the SIZE bytes at BYTES, which are on the heap.  Others make way, so those returned before may be gone, unless
   they have users or images.  Returns NULL, and frees BYTES, if there is no memory. */
struct content *contents_add(struct contents *contents, uint32_t archive, uint32_t entry, void *bytes, size_t size);

/* Make room for SIZE bytes more.  False: even without all that nobody uses there is too much. */
bool contents_make_room(struct contents *contents, size_t size);

/* An image has been opened from CONTENT: do not count its bytes.  It has been closed: count them again. */
void contents_lend(struct contents *contents, struct content *content);
void contents_take_back(struct contents *contents, struct content *content);

/* Free CONTENT, unless it has users or images. */
void contents_drop(struct contents *contents, struct content *content);

/* Take CONTENT, which has no users and no images, out of CONTENTS.  Returns its bytes, which the caller frees. */
void *contents_remove(struct contents *contents, struct content *content);

void contents_clear(struct contents *contents);

#endif
