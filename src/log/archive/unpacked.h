/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unpacked.h - what has been unpacked, and is kept because it may be wanted again
 *
 * A content is the bytes of one entry of an archive: a module, or an archive in an archive.  Those that nobody uses are
 * freed when there are too many bytes, the least recently used first.  The bytes of a module whose image is open are
 * not counted: the set of modules (rossym-set.h) has a limit for these.
 */
#ifndef LOG_ARCHIVE_UNPACKED_H
#define LOG_ARCHIVE_UNPACKED_H

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

struct unpacked {
	struct content *newest, *oldest;
	size_t bytes, most; /* that are counted, and how many there may be */
};

/* Returns the content of an entry, which is the most recently used one now; or NULL. */
struct content *unpacked_find(struct unpacked *unpacked, uint32_t archive, uint32_t entry);

/* Keep the SIZE bytes at BYTES, which are on the heap.  Others make way, so those returned before may be gone, unless
   they have users or images.  Returns NULL, and frees BYTES, if there is no memory. */
struct content *unpacked_add(struct unpacked *unpacked, uint32_t archive, uint32_t entry, void *bytes, size_t size);

/* Make room for SIZE bytes more.  False: even without all that nobody uses there is too much. */
bool unpacked_make_room(struct unpacked *unpacked, size_t size);

/* An image has been opened from CONTENT: do not count its bytes.  It has been closed: count them again. */
void unpacked_lend(struct unpacked *unpacked, struct content *content);
void unpacked_take_back(struct unpacked *unpacked, struct content *content);

/* Free CONTENT, unless it has users or images. */
void unpacked_drop(struct unpacked *unpacked, struct content *content);

/* Take CONTENT, which has no users and no images, out of UNPACKED.  Returns its bytes, which the caller frees. */
void *unpacked_remove(struct unpacked *unpacked, struct content *content);

void unpacked_clear(struct unpacked *unpacked);

#endif
