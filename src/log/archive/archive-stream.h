/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * archive-stream.h - an archive as a stream of entries; the only user of libarchive
 *
 * An unpacker goes through the entries of one archive, from the first on, and unpacks the entry that it is at.  What it
 * reads and unpacks, and each entry, counts against the budget (budget.h).  But an unpacker does not stop when that is
 * used up: the caller must check it between two entries.  One call can cost any amount.  It fails for its cost only
 * if the budget is overdrawn by a gigabyte, or is too small for skipped entries that libarchive must unpack first.
 */
#ifndef LOG_ARCHIVE_ARCHIVE_STREAM_H
#define LOG_ARCHIVE_ARCHIVE_STREAM_H

#include "log/archive/budget.h"
#include "log/archive/origin.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether this program was built with libarchive, and so can read archives. */
extern const bool archives_available;

struct archives_error {
	char what[256];	  /* the message; control characters in a name from the archive are not masked */
	bool over_budget; /* the budget is used up: nothing is known to be wrong with the archive */
	bool broken;	  /* the worker that reads the archive has crashed, was late, or sent an impossible answer */
	bool reported;	  /* the error has been printed on standard error */
};

/* A format in which a single file can be compressed. */
struct compression {
	const char *begin; /* the first bytes of a file in this format */
	const char *says;  /* for a message: that the file is compressed, and a command that reads it */
};
enum { COMPRESSION_LENGTH = 6 }; /* the length of the longest `begin` */

/* Returns the format in which the file that begins with the LENGTH bytes at BYTES is compressed; NULL if it is not. */
const struct compression *identify_compression(const char *bytes, size_t length);

/* How many bytes of the budget a byte of a name costs: libarchive converts names one character at a time, and compares
   them.  For each byte this takes eight times as long as unpacking it. */
enum { ARCHIVES_NAME_WEIGHT = 8 };

/* Store in *ERR the message WHAT; or, the second function, that the budget is used up.  Both functions return -1. */
int archives_fail(struct archives_error *err, const char *what);
int archives_fail_over_budget(struct archives_error *err);

enum container_format { FORMAT_NONE, FORMAT_ISO, FORMAT_ZIP, FORMAT_7Z, FORMAT_CAB };

/* Open the archive at ORIGIN.  FIRST: ORIGIN begins at the local header of an entry in a zip, and only this entry will
   be read.  BUDGET, and what ORIGIN names (the open file, the memory or the unpacker), must stay valid until
   unpack_close().  Returns NULL after an error. */
struct unpacker *unpack_open(const struct origin *origin, bool first, struct budget *budget,
			     struct archives_error *err);
void unpack_close(struct unpacker *unpacker);

struct unpack_entry {
	/* the entry's path, in the locale's encoding or UTF-8; NULL: no regular file, damaged, or without a name */
	const char *name;
	uint32_t number; /* the entry's number, counted from 0 */
	/* the offset in the archive of the entry's bytes; can be wrong in formats other than ISO and zip */
	uint64_t at;
	uint64_t size;		      /* the entry's size as the archive states it; 0 if it states none */
	enum container_format format; /* of the archive */
};

enum unpack_step { UNPACK_ENTRY, UNPACK_END, UNPACK_FAILED };

/* Go to the next entry, and describe it in *ENTRY, whose name is valid until the next call.  Returns UNPACK_END after
   the last entry.  UNPACK_FAILED: an error. */
enum unpack_step unpack_go_to_next(struct unpacker *unpacker, struct unpack_entry *entry, struct archives_error *err);

/* Returns how many entries unpack_go_to_next() has gone to. */
uint32_t unpack_get_count(const struct unpacker *unpacker);

/* Read the next SIZE bytes of the current entry into TO.  Returns how many bytes it has read, fewer than SIZE only at
   the end of the entry; or -1 after an error. */
int64_t unpack_data(struct unpacker *unpacker, void *to, size_t size, struct archives_error *err);

/* Read the whole current entry, of at most MOST bytes, into memory that the caller frees.  The stated size is not
   trusted: the memory grows with what is read.  If IMAGE is true and the entry does not begin with "MZ", the signature
   of a PE image, the rest is not read, and *CONTENT becomes NULL.  Returns 0, or -1 after an error. */
int unpack_whole_entry(struct unpacker *unpacker, size_t most, bool image, void **content, size_t *size,
		       struct archives_error *err);

#endif
