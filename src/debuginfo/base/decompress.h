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

/* How a section is compressed: the values of ELFCOMPRESS_*.  Values above these are unknown. */
enum { COMPRESSION_ZLIB = 1, COMPRESSION_ZSTD = 2, COMPRESSION_UNKNOWN = INT32_MAX };

/* The libraries that are loaded.  All zeros: none. */
struct rs_decompressors {
	void *zlib, *zstd;
};

/* Load the libraries now, for a process that will not be allowed to open files when it decompresses. */
void rs_decompressors_load(struct rs_decompressors *loaded);
void rs_decompressors_unload(struct rs_decompressors *loaded);

/* Returns the name of the library that COMPRESSION needs, if the program was built without it or it cannot be loaded;
   else NULL. */
const char *rs_decompress_missing_library(uint32_t compression);

/* Decompress the SIZE bytes at FROM to the LENGTH bytes at TO.  False: the data is damaged, or does not become exactly
   LENGTH bytes, or the library is not there. */
bool rs_decompress(uint32_t compression, const void *from, size_t size, void *to, size_t length);

#endif
