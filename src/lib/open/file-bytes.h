/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file-bytes.h - all bytes of a file in memory, as the readers of debug information need them
 *
 * A file is read into memory; or mapped, if the caller has asked for that.  Of a mapped file, only those pages are
 * read that are used.  But if another program shortens the file, reading the mapping raises SIGBUS.
 */
#ifndef RS_OPEN_FILE_BYTES_H
#define RS_OPEN_FILE_BYTES_H

#include "lib/base/source.h"

/* All zeros: none. */
struct rs_file_bytes {
	const uint8_t *bytes;
	uint8_t *heap;	 /* NULL, or `bytes`, which were read */
	uint8_t *mapped; /* NULL, or `bytes`, which are mapped */
	size_t size;
};

/* Make all bytes of SOURCE available: map the file if MAP and the system can, else read it.  Bytes that are in memory
   are used in place.  Returns 0; or -1, for the reasons of reading, or ROSSYM_EREFUSED for a file of 4 GiB or more. */
int rs_file_bytes_load(struct rs_file_bytes *ret, const struct rs_source *source, bool map, struct rossym_error *err);

/* Map all bytes of the file of SOURCE, however many it has.  Returns false if that is not possible. */
bool rs_file_bytes_map(struct rs_file_bytes *ret, const struct rs_source *source);

void rs_file_bytes_clear(struct rs_file_bytes *bytes);

#endif
