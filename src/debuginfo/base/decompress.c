// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "debuginfo/base/decompress.h"

#ifdef HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

/* For each kind of compression, the library's name and the name of its file.  FILE contains the version of the
   interface that the headers describe.  FILE is NULL if this program was built without the library. */
static const struct {
	const char *name, *file;
} libraries[] = {
#ifdef HAVE_ZLIB
	[COMPRESSION_ZLIB] = { "zlib", "libz.so.1" },
#else
	[COMPRESSION_ZLIB] = { "zlib", NULL },
#endif
#ifdef HAVE_ZSTD
	[COMPRESSION_ZSTD] = { "zstd", "libzstd.so.1" },
#else
	[COMPRESSION_ZSTD] = { "zstd", NULL },
#endif
};

/* With LOAD_DECOMPRESSORS, load_library() loads the library for COMPRESSION.  FIND looks up FUNCTION in LIBRARY; after
   that, HAS(FUNCTION) is true if the library has the function, and FOUND(FUNCTION) is the function.  Otherwise this
   program is linked with the libraries: there is nothing to load, and FUNCTION itself is called. */
#ifdef LOAD_DECOMPRESSORS

#include <dlfcn.h>
#include <string.h>

static void *load_library(uint32_t compression)
{
	const char *file = libraries[compression].file;
	return file ? dlopen(file, RTLD_NOW | RTLD_LOCAL) : NULL;
}

static void unload_library(void *library)
{
	if (library)
		dlclose(library);
}

static bool can_load_library(uint32_t compression)
{
	void *library = load_library(compression);
	unload_library(library);
	return library;
}

/* FIND uses memcpy(), because C does not convert a pointer to data into a pointer to a function. */
#define FIND(library, function) \
	__typeof__(function) *function##_of = NULL; \
	void *address = (library) ? dlsym((library), #function) : NULL; \
	memcpy(&function##_of, &address, sizeof address)
#define HAS(function) (function##_of != NULL)
#define FOUND(function) function##_of

#else

#define load_library(compression) NULL
#define unload_library(library) (void)(library)
#define can_load_library(compression) (libraries[compression].file != NULL)
#define FIND(library, function) (void)(library)
#define HAS(function) true
#define FOUND(function) function

#endif

void rs_decompressors_load(struct rs_decompressors *loaded)
{
	loaded->zlib = load_library(COMPRESSION_ZLIB);
	loaded->zstd = load_library(COMPRESSION_ZSTD);
}

void rs_decompressors_unload(struct rs_decompressors *loaded)
{
	unload_library(loaded->zlib);
	unload_library(loaded->zstd);
	*loaded = (struct rs_decompressors){ NULL, NULL };
}

const char *rs_decompress_missing_library(uint32_t compression)
{
	if (compression == COMPRESSION_UNKNOWN && !libraries[COMPRESSION_ZLIB].file)
		return libraries[COMPRESSION_ZLIB].name;
	const bool known = compression == COMPRESSION_ZLIB || compression == COMPRESSION_ZSTD;
	return known && !can_load_library(compression) ? libraries[compression].name : NULL;
}

bool rs_decompress(uint32_t compression, const void *from, size_t size, void *to, size_t length)
{
	bool good = false;
#ifdef HAVE_ZLIB
	if (compression == COMPRESSION_ZLIB) {
		void *library = load_library(compression);
		uLongf have = (uLongf)length;
		FIND(library, uncompress);
		good = HAS(uncompress) && FOUND(uncompress)(to, &have, from, (uLong)size) == Z_OK && have == length;
		unload_library(library);
	}
#endif
#ifdef HAVE_ZSTD
	if (compression == COMPRESSION_ZSTD) {
		void *library = load_library(compression);
		FIND(library, ZSTD_decompress);
		good = HAS(ZSTD_decompress) && FOUND(ZSTD_decompress)(to, length, from, size) == length;
		unload_library(library);
	}
#endif
	(void)compression, (void)from, (void)size, (void)to, (void)length;
	return good;
}
