/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rossym-write.h - make .rossym tables, and put them into PE images
 *
 * A builder collects rows, frames and functions and makes a table of them; rossym_embed() puts a table into an image.
 * The terms and the rules about threads, strings and errors are those of rossym.h.
 *
 * Sizes   Each structure here begins with `size`.  The caller stores sizeof the structure there before each call, also
 *         in structures that the library fills, and 0 in fields that it does not use:
 *             struct rossym_new_row row = { .size = sizeof row, .rva = 0x1000, .function = "main" };
 *         Later versions may append fields.  A program that was compiled with an older header has smaller structures;
 *         the library takes the missing fields for 0.  If a newer program gives larger structures, the library accepts
 *         those whose surplus is 0, and stores 0 in the surplus of those that it fills.  Otherwise, and if a structure
 *         is smaller than it was in its first version, functions return -1, ROSSYM_EREFUSED.
 */
#ifndef ROSSYM_WRITE_H
#define ROSSYM_WRITE_H

#include "rossym.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------- tables */

/* A table that is being made.  One thread at a time may use it. */
struct rossym_builder;

/* For rossym_builder_options.flags: make no block.  Frames and functions can still be added, but the block that would
   have them is not made. */
#define ROSSYM_BUILD_NO_BLOCK 1u

/* For rossym_builder_options.flags: a row with frames around it gets the function, file and line of the outermost of
   these, and the block gets the others.  Use it for readers that take the first row with a name for the beginning of
   that function: without the flag, a row can have the name of an inlined function. */
#define ROSSYM_BUILD_ENTRY_OUTER 2u

/* For rossym_builder_options.flags: make a packed table, as rossym_pack() does; since 0.3.0. */
#define ROSSYM_BUILD_PACKED 4u

/* How to make a table. */
struct rossym_builder_options {
	size_t size;
	unsigned flags; /* a sum of ROSSYM_BUILD_x */

	/*
	 * Make a function's name shorter; NULL: cut it.  Strings of a table have at most 255 bytes, since the ReactOS
	 * kernel debugger copies them into 256.  rossym_builder_add() calls shorten(context, NAME) once for each
	 * different NAME that is longer.  The result must stay valid until the next call.  If the result is NULL, empty
	 * or still too long, NAME loses its end.  Paths that are too long lose their beginning; shorten()
	 * does not see them.
	 */
	const char *(*shorten)(void *context, const char *name);
	void *context;
};

/*
 * Make an empty table.  OPTIONS is not kept and may be NULL: no flags, no shorten().
 * Returns 0 and stores a builder in *RET that the caller must give to rossym_builder_destroy().
 * Returns -1: ROSSYM_ENOMEM; ROSSYM_EREFUSED for unknown flags or a wrong size.
 */
int rossym_builder_create(const struct rossym_builder_options *options, struct rossym_builder **ret,
			  struct rossym_error *err);

/* Free BUILDER, which may be NULL.  Tables that it has made stay.  Cannot fail. */
void rossym_builder_destroy(struct rossym_builder *builder);

/* A frame around an inlined call, to be added: the caller, and where it calls. */
struct rossym_new_frame {
	size_t size;
	const char *function; /* the caller's name; NULL is "" */
	const char *file;     /* the file of the call; NULL if that is not known */
	uint32_t line;	      /* the line of the call; 0 if that is not known */
	uint32_t next;	      /* if the caller was inlined as well, the number of the frame around it; or 0 */
};

/*
 * Add FRAME, so that rows and other frames can refer to it by number.  Its strings are copied, and never cut.  Adding
 * an equal frame again gives the same number.
 * Returns 0 and stores the number, which is never 0, in *RET.
 * Returns -1: ROSSYM_ENOMEM; ROSSYM_EREFUSED for a `next` that is no frame's number, for more than 512 frames around
 * one another, for too many frames or strings, or for a wrong size.  BUILDER is then as before.
 */
int rossym_builder_add_frame(struct rossym_builder *builder, const struct rossym_new_frame *frame, uint32_t *ret,
			     struct rossym_error *err);

/* A function to be added: one that has code of its own, not an inlined one; or another name of code, such as
   an alias. */
struct rossym_new_function {
	size_t size;
	const char *name; /* must not be NULL */
	uint32_t rva;	  /* the RVA at which its code begins */
	uint32_t length;  /* bytes of its code; 0: this is only an alias, which rossym_find_function() finds */
};

/*
 * Add FUNCTION.  Its name is copied, and never cut.
 * Returns 0, or -1: ROSSYM_ENOMEM; ROSSYM_EREFUSED for a name of NULL, for a function that ends past the 32 bits of an
 * RVA, for too many functions or strings, or for a wrong size.  BUILDER is then as before.
 */
int rossym_builder_add_function(struct rossym_builder *builder, const struct rossym_new_function *function,
				struct rossym_error *err);

/* A row to be added. */
struct rossym_new_row {
	size_t size;
	uint64_t rva;	      /* where the code begins that the row describes; at most UINT32_MAX */
	const char *function; /* the innermost function; NULL is "", unknown */
	const char *file;     /* NULL is "", unknown */
	uint32_t line;	      /* 0: unknown */
	uint32_t outer;	      /* if `function` was inlined here, the number of the frame around it; or 0 */
};

/*
 * Add ROW.  Its strings are copied; the table holds at most 255 bytes of each, and the block has the whole strings.  A
 * row describes all code up to the next row.  So at the end of the code, add a row whose function is ROSSYM_TERMINATOR,
 * without file and line.  Rows may come in any order.  The builder keeps all rows of one address, in the order in which
 * they came, but a good table has one row per address.
 * Returns 0, or -1: ROSSYM_ENOMEM; ROSSYM_EREFUSED for an rva above UINT32_MAX, for an `outer` that is no frame's
 * number, for too many rows, frames or strings, or for a wrong size.  The table's rows are then as before.
 */
int rossym_builder_add(struct rossym_builder *builder, const struct rossym_new_row *row, struct rossym_error *err);

/* A finished table. */
struct rossym_built {
	size_t size;
	void *bytes;	   /* the content of a .rossym section, which is also a bare table */
	size_t bytes_size; /* how many bytes, the block included */
	uint32_t rows;
	/* With ROSSYM_BUILD_PACKED, strings_size and block_size are those of the table before it is packed. */
	uint32_t strings_size;	/* bytes of the table's strings */
	uint32_t cut_functions; /* names of functions that had more than 255 bytes */
	uint32_t cut_files;	/* paths that had more than 255 bytes */
	uint32_t block_size;	/* bytes of the block; 0: none, because it would be empty or because of the flags */
	uint32_t frames;	/* in the block: frames of inlined calls */
	uint32_t runs;		/* in the block: how many times a row has other frames than the row before it */
	uint32_t functions;	/* in the block: functions */
	uint32_t long_strings;	/* in the block: strings that are cut in the table */
	uint32_t names;		/* in the block: other names of code; since 0.3.0 */
};

/*
 * Make the table of all that BUILDER has.  The bytes depend on nothing but the rows and their order, the frames, the
 * functions and the options.  More can be added afterwards, for another table.
 * Returns 0 and fills *RET, whose `size` the caller has set.  The caller must give its bytes to rossym_free(); they do
 * not depend on BUILDER.
 * Returns -1: ROSSYM_ENOMEM; ROSSYM_EREFUSED for a table of 4 GiB or more, or a wrong size.
 */
int rossym_builder_finish(struct rossym_builder *builder, struct rossym_built *ret, struct rossym_error *err);

/*
 * Pack a table: SIZE bytes at TABLE, the content of a .rossym section.  WIDE: 1 if the table may be
 * of a 64-bit image, whose rows can have more than 16 bytes (rossym_core_open_table()); else 0.  The packed table says
 * the same in a third to a seventh of the bytes.  All functions of rossym.h and rossym-core.h read packed tables since
 * 0.3.0; older readers find no rows in them.  rossym_read_table() unpacks a table again.
 *
 * Returns 0 and stores the packed table in *RET and *RET_SIZE, which the caller must give to rossym_free().  If TABLE
 * is packed already or has no rows, *RET is a copy of TABLE.  Returns -1: ROSSYM_ENOMEM; ROSSYM_EDAMAGED if anything is
 * wrong with the table or its block; ROSSYM_EREFUSED for addresses of more than 32 bits, or for a table of 4 GiB or
 * more.  Since 0.3.0.
 */
int rossym_pack(const void *table, size_t size, int wide, void **ret, size_t *ret_size, struct rossym_error *err);

/* ------------------------------------------------------------------------------------------------- images */

/* For rossym_embed_options.flags: debug sections and COFF symbols stay. */
#define ROSSYM_EMBED_KEEP_DEBUG 1u

/* What to do with an image. */
struct rossym_embed_options {
	size_t size;
	/* The name of the file that has the debug information of this image, for debuggers (.gnu_debuglink): without
	   directories, 1 to 65535 bytes.  It replaces the link that the image has.  NULL: no name is added, and the
	   link stays.  A name is refused together with ROSSYM_EMBED_KEEP_DEBUG. */
	const char *debuglink;
	uint32_t debuglink_crc; /* rossym_debuglink_crc() of that file's content */
	unsigned flags;		/* a sum of ROSSYM_EMBED_x */
};

/* What rossym_embed() did. */
struct rossym_embed_report {
	size_t size;
	uint64_t section_bytes; /* bytes in the file of the debug sections that were taken out */
	uint64_t overlay;	/* bytes that were kept after the data of the last section, without COFF symbols */
	uint32_t sections;	/* debug sections that were taken out */
	uint32_t symbols;	/* COFF symbols that were taken out, auxiliary entries included */
	uint32_t relocations;	/* base relocations that were taken out, because they were for the debug sections */
	uint32_t tables;	/* .rossym sections that the new one replaces */
	uint32_t debug_entries; /* entries of the debug directory whose data was taken out */
	/* bytes of the certificate table (signatures) that was taken out, because it does not hold for the new file;
	   worth a warning */
	uint32_t certificate;
	uint32_t header_growth; /* bytes by which the headers grew, to have room for the new section headers */
	/* gaps that debug sections left in the address space.  The section before a gap now covers it; if there is none
	   before it, an empty section .pad does */
	uint32_t holes;
	uint32_t table_rva;    /* where the table is loaded; 0 without a table */
	uint32_t table_offset; /* where the table is, in bytes from the start of the file; 0 without a table */
};

/*
 * Put TABLE_SIZE bytes at TABLE, the content of a .rossym section, into an image, and take debug information out of it:
 * COFF symbols, and sections without code whose names begin with .stab, .debug_ or .zdebug_.  With
 * ROSSYM_EMBED_KEEP_DEBUG these stay.  If TABLE is NULL, TABLE_SIZE is ignored, and a .rossym section that the image
 * has stays.  IMAGE has the SIZE bytes of the image's file; they are not changed.  OPTIONS may be NULL: no flags and no
 * link.
 *
 * Code and data keep their RVAs and their bytes, except base relocations for sections that are taken out, and file
 * offsets in the debug directory.  The table's section is the last one.  Headers and checksum are updated.
 *
 * Returns 0, stores the new file in *RET and *RET_SIZE, which the caller must give to rossym_free(), and fills *REPORT,
 * whose `size` the caller has set; REPORT may be NULL.  The new file depends on none of the arguments.
 * Returns -1: ROSSYM_ENOMEM; ROSSYM_ENOTPE and ROSSYM_EARCHIVE for IMAGE and ROSSYM_EDAMAGED for TABLE, as when opening
 * them; ROSSYM_EREFUSED for an image that cannot be edited without changing what it means, for a table of 2 GiB or
 * more, for a bad debuglink, for unknown flags, or for a wrong size.
 */
int rossym_embed(const void *image, size_t size, const void *table, size_t table_size,
		 const struct rossym_embed_options *options, void **ret, size_t *ret_size,
		 struct rossym_embed_report *report, struct rossym_error *err);

#ifdef __cplusplus
}
#endif

#endif /* ROSSYM_WRITE_H */
