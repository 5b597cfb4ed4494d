/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * decompress.h - decompresses sections with zlib and libzstd
 *
 * Few images have compressed sections.  So on systems with dlopen(), these libraries are loaded only for such images,
 * and neither our programs nor users of librossym are linked with them.
 */
#ifndef DEBUGINFO_BASE_DECOMPRESS_H
#define DEBUGINFO_BASE_DECOMPRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a section is compressed: values of ELFCOMPRESS_*.  COMPRESSION_UNKNOWN: a .zdebug_* section with no header. */
enum { COMPRESSION_ZLIB = 1, COMPRESSION_ZSTD = 2, COMPRESSION_UNKNOWN = INT32_MAX };

/* The libraries that are loaded.  All zeros: none. */
struct rs_decompressors {
	void *zlib, *zstd;
};

/* Load the libraries, to use them when this process can no longer open files.  Does nothing if they are linked in. */
void rs_decompressors_load(struct rs_decompressors *loaded);
void rs_decompressors_unload(struct rs_decompressors *loaded);

/* Returns the name of the library that COMPRESSION needs, if this program was built without the library or cannot load
   it; else NULL. */
const char *rs_decompress_missing_library(uint32_t compression);

/* Decompress the SIZE bytes at FROM to the LENGTH bytes at TO.  Returns false if the data is damaged or does not have
   exactly LENGTH bytes, if COMPRESSION is unknown, or if its library is missing. */
bool rs_decompress(uint32_t compression, const void *from, size_t size, void *to, size_t length);

#endif
