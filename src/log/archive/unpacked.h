/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unpacked.h - a cache of unpacked entries
 *
 * A content is the bytes of one entry of an archive, such as a module or an inner archive.  When the contents have more
 * bytes than the limit of the cache, contents without users and loans are freed, the least recently used first.  Bytes
 * that are lent do not count.  Most of these are of open images, and the set of modules (rossym-set.h) limits them.
 */
#ifndef LOG_ARCHIVE_UNPACKED_H
#define LOG_ARCHIVE_UNPACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct content {
	void *bytes;
	size_t size;
	uint32_t archive, entry; /* the number of the archive, and that of the entry in it */
	unsigned users;		 /* how many readers of an inner archive read from these bytes */
	unsigned loans;		 /* how many borrowers (unpacked_lend()) the bytes have; if any, they do not count */
	struct content *newer, *older;
};

struct unpacked {
	struct content *newest, *oldest;
	size_t bytes, most; /* how many bytes count now, and their limit */
};

/* Returns the content of an entry, and makes it the most recently used one.  Returns NULL if it is not in the cache. */
struct content *unpacked_find(struct unpacked *unpacked, uint32_t archive, uint32_t entry);

/* Add the SIZE bytes at BYTES, from malloc(), which UNPACKED then owns.  This may free contents that were returned
   before, unless they have users or are lent.  Returns NULL, and frees BYTES, if there is no memory. */
struct content *unpacked_add(struct unpacked *unpacked, uint32_t archive, uint32_t entry, void *bytes, size_t size);

/* Free contents without users and loans until there is room for SIZE bytes more.  Returns false if there is too little
   room even after all of them have been freed. */
bool unpacked_make_room(struct unpacked *unpacked, size_t size);

/* unpacked_lend(): a borrower, such as an open image, uses CONTENT, so its bytes do not count from now on.
   unpacked_take_back(): this borrower uses CONTENT no longer.  After the last one, the bytes count again; if that
   exceeds the limit, contents without users and loans are freed, perhaps CONTENT, too.  If KEEP is false, CONTENT is
   freed after its last borrower even if there is room. */
void unpacked_lend(struct unpacked *unpacked, struct content *content);
void unpacked_take_back(struct unpacked *unpacked, struct content *content, bool keep);

/* Take CONTENT, which has no users and is not lent, out of the cache.  Returns its bytes, which the caller frees. */
void *unpacked_remove(struct unpacked *unpacked, struct content *content);

void unpacked_clear(struct unpacked *unpacked);

#endif
