/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * archive-stream.h - an archive as a stream of entries; the only user of libarchive
 *
 * An unpacker goes through the entries of one archive, from the first on, and gives the bytes of the entry that it is
 * at.  It takes its work and the entries that it passes from the budget.  When the budget is used up, it still
 * finishes an entry: the caller asks the budget between two entries.  It stops by itself only where one step can cost
 * any amount.
 */
#ifndef LOG_ARCHIVE_ARCHIVE_STREAM_H
#define LOG_ARCHIVE_ARCHIVE_STREAM_H

#include "log/archive/budget.h"
#include "log/archive/origin.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether this program can read archives. */
extern const bool archives_available;

/* An error message; it may contain names from the archive, not masked. */
struct archives_error {
	char what[256];
	bool over_budget; /* the budget was used up: nothing is known to be wrong with the archive */
	bool broken;	  /* the child that reads the archive has crashed, or worse */
	bool reported;	  /* a message has said so */
};

/* Returns -1 after storing WHAT in *ERR, or the message for a budget that is used up. */
int archives_fail(struct archives_error *err, const char *what);
int archives_over_budget(struct archives_error *err);

enum container_format { FORMAT_NONE, FORMAT_ISO, FORMAT_ZIP, FORMAT_7Z, FORMAT_CAB };

/* Open the archive at ORIGIN, which must stay where it is.  FIRST: it is a zip from one of its entries on, and only
   that entry is wanted.  NULL: an error. */
struct unpacker *unpack_open(const struct origin *origin, bool first, struct budget *budget,
			     struct archives_error *err);
void unpack_close(struct unpacker *unpacker);

struct unpack_entry {
	/* its path, in the locale's encoding or UTF-8; NULL if it is no file, or has no name */
	const char *name;
	uint32_t number; /* from 0 */
	/* the offset in the archive at which its bytes begin, as far as libarchive tells */
	uint64_t at;
	uint64_t size; /* as stated; 0 if it is not stated */
};

enum unpack_step { UNPACK_ENTRY, UNPACK_END, UNPACK_FAILED };

/* Go to the next entry.  Its name is valid until the next call. */
enum unpack_step unpack_next(struct unpacker *unpacker, struct unpack_entry *entry, struct archives_error *err);

/* How many entries unpack_next() has returned. */
uint32_t unpack_count(const struct unpacker *unpacker);

/* Valid after the first entry. */
enum container_format unpacker_format(const struct unpacker *unpacker);

/* Read SIZE bytes of the entry into TO.  Returns how many bytes it has read, fewer than SIZE only at the end of the
   entry; or -1. */
int64_t unpack_data(struct unpacker *unpacker, void *to, size_t size, struct archives_error *err);

/* Read the whole entry, of at most MOST bytes, into memory that the caller frees.  The stated size is not trusted:
   the memory grows with what is read.  IMAGE: only if it begins as a PE image does; else *CONTENT becomes NULL.
   Returns 0, or -1 after an error. */
int unpack_whole(struct unpacker *unpacker, size_t most, bool image, void **content, size_t *size,
		 struct archives_error *err);

#endif
