// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "debuginfo/base/decompress.h"

#ifdef HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#ifdef LOAD_DECOMPRESSORS
#include <dlfcn.h>
#include <string.h>

/* The file names contain the version of the interface that the headers describe. */
#ifdef HAVE_ZLIB
static const char zlib_name[] = "libz.so.1";
#endif
#ifdef HAVE_ZSTD
static const char zstd_name[] = "libzstd.so.1";
#endif

static void *load_library(const char *name)
{
	return dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

void rs_decompressors_load(struct rs_decompressors *loaded)
{
#ifdef HAVE_ZLIB
	loaded->zlib = load_library(zlib_name);
#endif
#ifdef HAVE_ZSTD
	loaded->zstd = load_library(zstd_name);
#endif
}

void rs_decompressors_unload(struct rs_decompressors *loaded)
{
	if (loaded->zlib)
		dlclose(loaded->zlib);
	if (loaded->zstd)
		dlclose(loaded->zstd);
	*loaded = (struct rs_decompressors){ NULL, NULL };
}

/* Whether the library called NAME can be loaded. */
static bool can_be_loaded(const char *name)
{
	void *library = load_library(name);
	const bool there = library != NULL;
	if (there)
		dlclose(library);
	return there;
}

/* In a block: declare FUNCTION as a pointer to the function FUNCTION of LIBRARY, or NULL.  memcpy(), because C does not
   convert a pointer to data into one to a function. */
#define FIND(library, function) \
	__typeof__(function) *function##_of = NULL; \
	void *address = (library) ? dlsym((library), #function) : NULL; \
	memcpy(&function##_of, &address, sizeof address)
#else

void rs_decompressors_load(struct rs_decompressors *loaded)
{
	(void)loaded;
}

void rs_decompressors_unload(struct rs_decompressors *loaded)
{
	(void)loaded;
}
#endif

const char *rs_decompress_lacks(uint32_t compression)
{
#if !defined HAVE_ZLIB
	if (compression == COMPRESSION_ZLIB || compression == COMPRESSION_UNKNOWN)
		return "zlib";
#elif defined LOAD_DECOMPRESSORS
	if (compression == COMPRESSION_ZLIB && !can_be_loaded(zlib_name))
		return "zlib";
#endif
#if !defined HAVE_ZSTD
	if (compression == COMPRESSION_ZSTD)
		return "zstd";
#elif defined LOAD_DECOMPRESSORS
	if (compression == COMPRESSION_ZSTD && !can_be_loaded(zstd_name))
		return "zstd";
#endif
	(void)compression;
	return NULL;
}

#ifdef HAVE_ZLIB
static bool decompress_zlib(const void *from, size_t size, void *to, size_t length)
{
	uLongf have = (uLongf)length;
#ifdef LOAD_DECOMPRESSORS
	void *library = load_library(zlib_name);
	FIND(library, uncompress);
	const bool good = uncompress_of && uncompress_of(to, &have, from, (uLong)size) == Z_OK && have == length;
	if (library)
		dlclose(library);
	return good;
#else
	return uncompress(to, &have, from, (uLong)size) == Z_OK && have == length;
#endif
}
#endif

#ifdef HAVE_ZSTD
static bool decompress_zstd(const void *from, size_t size, void *to, size_t length)
{
#ifdef LOAD_DECOMPRESSORS
	void *library = load_library(zstd_name);
	FIND(library, ZSTD_decompress);
	const bool good = ZSTD_decompress_of && ZSTD_decompress_of(to, length, from, size) == length;
	if (library)
		dlclose(library);
	return good;
#else
	return ZSTD_decompress(to, length, from, size) == length;
#endif
}
#endif

bool rs_decompress(uint32_t compression, const void *from, size_t size, void *to, size_t length)
{
#ifdef HAVE_ZLIB
	if (compression == COMPRESSION_ZLIB)
		return decompress_zlib(from, size, to, length);
#endif
#ifdef HAVE_ZSTD
	if (compression == COMPRESSION_ZSTD)
		return decompress_zstd(from, size, to, length);
#endif
	(void)compression, (void)from, (void)size, (void)to, (void)length;
	return false;
}
