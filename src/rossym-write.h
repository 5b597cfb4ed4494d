/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rossym-write.h - make .rossym tables, and put them into PE images
 *
 * The terms and the rules about threads, strings and errors are those of rossym.h.
 */
#ifndef ROSSYM_WRITE_H
#define ROSSYM_WRITE_H

#include "rossym.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A table that is being made.  One thread at a time. */
struct rossym_builder;

/* Make an empty one.  On success returns 0 and stores it in *RET; it must be given to rossym_builder_destroy().
   -1: ROSSYM_ENOMEM. */
int rossym_builder_create(struct rossym_builder **ret, struct rossym_error *err);

/* Free BUILDER, which may be NULL.  Tables that it has made are not touched. */
void rossym_builder_destroy(struct rossym_builder *builder);

/*
 * Let SHORTEN make names of functions shorter; NULL for nobody.  Strings of a table have at most 255 bytes: the ReactOS
 * kernel debugger copies them into 256.  SHORTEN is called with CONTEXT, once for each NAME of more.  What it
 * returns must stay in place until it is called again; it can be NULL, and can be too long.  A name that is still too
 * long loses its end.  Paths are not shown to it: a path that is too long loses its beginning.
 */
void rossym_builder_shorten(struct rossym_builder *builder,
			    const char *(*shorten)(void *context, const char *name), void *context);

/* For rossym_builder_flags(): without a block. */
#define ROSSYM_BUILD_NO_BLOCK 1u

/* For rossym_builder_flags(): rows that have frames around them become the outermost of these, and the block holds the
   others.  For readers that take the first row with a name for where the function begins. */
#define ROSSYM_BUILD_ENTRY_OUTER 2u

/* Set how to make the table: FLAGS is a sum of ROSSYM_BUILD_x.  Call it before anything is added.  If a flag is unknown,
   rossym_builder_finish() refuses to make a table. */
void rossym_builder_flags(struct rossym_builder *builder, unsigned flags);

/* A frame around an inlined call. */
struct rossym_outer {
	const char *function;	/* the caller; NULL is "" */
	const char *file;	/* where it calls; NULL and 0 if that is not known */
	uint32_t line;
	uint32_t next;		/* the frame around the caller, if that was inlined as well; or 0 */
};

/*
 * Add a frame, so that rows and other frames can name it.  Its strings are copied, and never cut.  Equal frames are one.
 * Returns 0 and stores its number, which is not 0, in *RET; or -1: ROSSYM_ENOMEM, or ROSSYM_EREFUSED if next is no such
 * number, for more than 512 frames around one another, or too many frames or strings.
 */
int rossym_builder_add_frame(struct rossym_builder *builder, const struct rossym_outer *frame, uint32_t *ret,
			     struct rossym_error *err);

/*
 * Add a function that was not inlined: where it begins, its length, its name.  places is not looked at.
 * Returns 0, or -1: ROSSYM_ENOMEM, or ROSSYM_EREFUSED for one without a name (NULL), one that ends beyond 32 bits, or too
 * many.
 */
int rossym_builder_add_function(struct rossym_builder *builder, const struct rossym_function *function,
				struct rossym_error *err);

/*
 * Add a row.  Its strings are copied; NULL is "".  damage is not looked at.  Rows may come in any order; of rows that have
 * the same address all are kept, in the order in which they came, though a good table has one row an address.
 * A row speaks for all addresses up to the next one, so where code ends there should be a row whose function is
 * ROSSYM_TERMINATOR, with neither file nor line.
 * Returns 0, or -1: ROSSYM_ENOMEM, or ROSSYM_EREFUSED for an rva of more than 32 bits, an outer that is no frame's number,
 * or too many rows or strings.  BUILDER is as before then.
 */
int rossym_builder_add(struct rossym_builder *builder, const struct rossym_row *row, struct rossym_error *err);

/* A finished table. */
struct rossym_built {
	void *bytes;		/* the content of a .rossym section, which is also a bare table: rossym_free() it */
	size_t size;
	uint32_t rows;
	uint32_t strings_size;
	uint32_t cut_functions;	/* names that were longer than 255 bytes, and paths */
	uint32_t cut_files;
	uint32_t block_size;	/* bytes of the block, without those before it; 0: there is nothing to write in one */
	uint32_t frames, runs, functions, long_strings;	/* as in struct rossym_block */
};

/*
 * Make the table of all rows added so far.  The bytes depend on nothing but the rows and their order.  More rows can
 * be added afterwards, for another table.
 * Returns 0 and stores it in *RET, or -1: ROSSYM_ENOMEM, or ROSSYM_EREFUSED for a table of 4 GiB or unknown flags.
 */
int rossym_builder_finish(struct rossym_builder *builder, struct rossym_built *ret, struct rossym_error *err);

/* For rossym_embed(): debug sections and COFF symbols stay. */
#define ROSSYM_EMBED_KEEP_DEBUG 1u

struct rossym_embed_options {
	unsigned flags;
	/* The file that debuggers are to open for this image's debug information: its name without directories, and
	   the CRC of its content.  NULL: none.  Takes the place of one that the image has; not together with
	   ROSSYM_EMBED_KEEP_DEBUG. */
	const char *debuglink;
	uint32_t debuglink_crc;
};

/* What rossym_embed() did. */
struct rossym_embed_report {
	uint32_t sections;		/* debug sections that went */
	uint64_t section_bytes;		/* and their bytes in the file */
	uint32_t symbols;		/* COFF symbols that went, auxiliary entries included */
	uint32_t relocations;		/* base relocations that went, because they were for these sections */
	uint32_t tables;		/* .rossym sections that the new one took the place of */
	uint32_t debug_entries;		/* entries of the debug directory whose data went */
	uint32_t certificate;		/* bytes of a certificate table that went, for it no longer holds: worth a warning */
	uint32_t header_growth;		/* bytes by which the headers grew to have room */
	uint32_t holes;			/* gaps that debug sections left in the middle of the image, now part of others */
	uint64_t overlay;		/* bytes behind the sections' data that stay there and are no symbols */
	uint32_t table_rva, table_offset;	/* where the table went; 0 without one */
};

/*
 * Put TABLE_SIZE bytes at TABLE, the content of a .rossym section, into the image that is SIZE bytes at IMAGE: the content
 * of its file.  Without ROSSYM_EMBED_KEEP_DEBUG take out debug information: sections whose name begins with .stab,
 * .debug_ or .zdebug_, and COFF symbols.  With a TABLE of NULL do only that; a .rossym section that is there stays.
 *
 * Code and data keep their RVAs and their bytes, except for base relocations and file offsets in the debug directory
 * that would point to what went away.  The table's section is the last.  Header fields and checksum are made right.
 * OPTIONS may be NULL.  IMAGE is not changed, and the result owns all it needs.
 *
 * Returns 0, stores the new file in *RET and *RET_SIZE, which the caller must give to rossym_free(), and fills
 * *REPORT, which may be NULL.  Or -1: ROSSYM_ENOMEM; ROSSYM_ENOTPE and ROSSYM_EARCHIVE for IMAGE, ROSSYM_EDAMAGED for TABLE,
 * as when opening them; ROSSYM_EREFUSED for an image that cannot be edited, or unknown flags.
 */
int rossym_embed(const void *image, size_t size, const void *table, size_t table_size,
		 const struct rossym_embed_options *options, void **ret, size_t *ret_size,
		 struct rossym_embed_report *report, struct rossym_error *err);

#ifdef __cplusplus
}
#endif

#endif /* ROSSYM_WRITE_H */
