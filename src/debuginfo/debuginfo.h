/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debuginfo.h - from what a compiler left in an image to the rows of a .rossym table
 *
 * An image can have DWARF, stabs and COFF symbols, in part for different code.  Each reader turns its kind into line
 * rows and scopes; merge.c makes one sorted list of them, in which each address stands once.
 *
 * Strings are interned: equal strings have equal numbers, and number 0 is "", which stands for unknown.
 */
#ifndef DEBUGINFO_H
#define DEBUGINFO_H

#include "debuginfo/strings.h"
#include "lib/pe.h"
#include "lib/source.h"

#include <stdbool.h>
#include <stdint.h>

#define DEBUGINFO_NO_FRAME UINT32_MAX

/* An outer frame: a function into which code was inlined, and where it was called there. */
struct debuginfo_frame {
	uint32_t function;	/* the caller */
	uint32_t file, line;	/* the call site in it; 0, 0 = not recorded */
	uint32_t next;		/* the caller's own caller, an index lower than this one's; or DEBUGINFO_NO_FRAME */
};

/* The innermost frame of the code from RVA up to the next row. */
struct debuginfo_row {
	uint32_t rva;
	uint32_t function, file, line;
	uint32_t outer;		/* its first outer frame, or DEBUGINFO_NO_FRAME: not inlined */
};

struct debuginfo_function {	/* an out-of-line function */
	uint32_t rva, length;
	uint32_t name;
};

struct debuginfo_dwo {		/* a .dwo file: the part of the debug information that gcc -gsplit-dwarf leaves out of images */
	const char *path;
	const void *bytes;
	size_t size;
};

struct debuginfo_options {
	bool decorated;		/* keep stdcall and fastcall decoration, and the underscore of COFF names */
	bool data;		/* rows for COFF symbols in sections without code, too */
	bool no_inlines;	/* make no outer frames; rows then are merged more */
	bool entry_outer;	/* for rows.c: with no_inlines, each row is its outermost frame */
	/* What a path becomes: a string that lives until the next call; NULL if there is no memory.  A null pointer
	   instead of a function: paths stay. */
	const char *(*map_path)(void *context, const char *path);
	/* .dwo files for the units that name one, ascending by the last part of their paths.  Files of another build are
	   not used. */
	const struct debuginfo_dwo *dwos;
	uint32_t dwo_count;
	/* If not NULL, read nothing but the names of the .dwo files that the image needs, and call this with the last part
	   of each. */
	void (*wants_dwo)(void *context, const char *name);
	/* Something a user should know about the debug information.  May be NULL. */
	void (*warn)(void *context, const char *text);
	void *context;
};

struct debuginfo {
	struct strings strings;
	struct debuginfo_row *rows;	/* sorted, one per address, terminators included */
	uint32_t row_count;
	struct debuginfo_frame *frames;	/* shared by rows */
	uint32_t frame_count;
	struct debuginfo_function *functions;	/* sorted */
	uint32_t function_count;
	struct debuginfo_counts {	/* what was found, for -v */
		uint32_t dwarf_units, dwarf_units_rejected, dwarf_rows, dwarf_functions;
		uint32_t stabs_units, stabs_rows, stabs_functions;
		uint32_t coff_symbols;
		uint32_t duplicates, outside, merged;	/* rows that were dropped, and why */
	} counts;
};

/*
 * Read the debug information of the image PE.  SOURCE must be memory that holds the whole file and outlives the call,
 * not what it returns.  PE is not const because the names of its sections are read when they are first needed.
 *
 * What is damaged in the debug information costs what cannot be read of it, and a warning.  -1 only where nothing can
 * be had: memory ran out.  *DI then is empty; else it wants debuginfo_clear().  An image without anything gives no
 * rows.
 */
int debuginfo_read(struct debuginfo *di, struct rs_pe *pe, const struct rs_source *source,
		   const struct debuginfo_options *options, struct rossym_error *err);
void debuginfo_clear(struct debuginfo *di);

#endif
