/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pieces.h - memory for all bytes of a file, into which each piece of the file is read when first needed
 *
 * The system provides a page of this memory only when the page is used.  A piece is read once, so later changes of the
 * file do not show.  After a failure, nothing more is read, and struct rs_pieces has the reason.
 */
#ifndef RS_PIECES_H
#define RS_PIECES_H

#include "lib/base/source.h"

/* All zeros: not open.  While it is open, the structure must not move. */
struct rs_pieces {
	const struct rs_source *file;
	uint8_t *bytes;		 /* memory for all bytes of the file; NULL: the bytes of `file` are in memory already */
	bool mapped;		 /* `bytes` is a mapping */
	uint8_t *read;		 /* for each page of the file, 1 if it has been read; NULL: all bytes are available */
	bool failed;		 /* a piece could not be read */
	struct rossym_error why; /* if `failed`: the reason */
};

/* Make the bytes of FILE available, but read nothing yet.  FILE must outlive PIECES.  If FILE is in memory, its bytes
   are used there.  MAP: map the file if the system can; then using its bytes raises SIGBUS if another program has
   shortened the file.  Returns 0; or -1: ROSSYM_ENOMEM, or ROSSYM_EREFUSED for a file of 4 GiB or more. */
int rs_pieces_open(struct rs_pieces *pieces, const struct rs_source *file, bool map, struct rossym_error *err);

/* Read all bytes that have not been read; after that, the file may be closed.  Returns 0 or -1. */
int rs_pieces_read_all(struct rs_pieces *pieces, struct rossym_error *err);

/* Map the open file FILE; unlike rs_pieces_open(), also one of 4 GiB or more.  Returns false if it cannot be mapped. */
bool rs_pieces_map(struct rs_pieces *pieces, const struct rs_source *file);

/* Returns a source with the bytes of PIECES.  PIECES must outlive the source. */
struct rs_source rs_pieces_source(struct rs_pieces *pieces);

void rs_pieces_clear(struct rs_pieces *pieces);

/* Returns a pointer to LENGTH bytes at OFFSET of SOURCE, which is in memory or from rs_pieces_source().  It is valid as
   long as SOURCE is.  NULL if SOURCE does not have all these bytes, or if they cannot be read. */
const uint8_t *rs_source_bytes(const struct rs_source *source, uint64_t offset, uint64_t length);

#endif
