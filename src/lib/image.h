/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * image.h - what an image is made of, for the files that implement the functions of rossym.h
 *
 * An image has the source of its bytes, and the core's view of them: headers and table.  The table need not come from
 * the same file.  The block and the indexes are made when they are first needed.  If several threads need one at the
 * same time, each makes it, but only one publishes its own; the others free theirs.
 *
 * An image can be `partial`: its table is packed and is not unpacked yet, or it has no table, and none has been made of
 * its debug information yet.  So a public function first calls rs_image_ensure_answers() or rs_image_ensure_all_rows().
 */
#ifndef RS_IMAGE_H
#define RS_IMAGE_H

#include "rossym.h"
#include "core/core.h"
#include "lib/table/block.h"
#include "lib/table/chains.h"
#include "lib/base/error.h"
#include "lib/table/index.h"
#include "lib/table/kept.h"
#include "lib/table/names.h"
#include "lib/base/details.h"
#include "lib/base/pe-memory.h"
#include "lib/table/table-strings.h"
#include "lib/base/source.h"

#include <stdbool.h>

enum {
	/* the flags of rossym_open_options that have an effect only with ROSSYM_OPEN_DEBUG_INFO */
	RS_OPEN_OF_DEBUG_INFO = ROSSYM_OPEN_RECORDED_PATHS | ROSSYM_OPEN_DECORATED | ROSSYM_OPEN_DATA |
				ROSSYM_OPEN_NO_FRAMES | ROSSYM_OPEN_MAPPED | ROSSYM_OPEN_ALL_FILES |
				ROSSYM_OPEN_DETAILS,
};

/* How tables are made from an image's debug information. */
struct rs_demand {
	/* Make a table for the COUNT addresses RVAS or, if made->whole is set, for all.  The caller sets made->whole if
	   RVAS is NULL; this function may also set it.  Returns 0 or -1. */
	int (*make)(void *context, const uint32_t *rvas, size_t count, struct rs_made *made, struct rossym_error *err);
	void (*end)(void *context); /* frees what `context` points to; NULL: nothing to free */
	void *context;
	const char *debug_file; /* the path of the file with the debug information, or NULL; valid until `end` */
	bool is_split;		/* there may be files with split DWARF (.dwo files) */
	bool opens_files;	/* `make` opens files with split DWARF */
};

struct rossym_image {
	struct rs_source file;		 /* has the bytes of headers and sections */
	struct rossym_core core;	 /* headers and table */
	struct rs_table_strings strings; /* the strings of `core.table`; not open while `partial` */
	struct rs_made made;		 /* `core.table`, if it was unpacked or made; else all zeros */
	uint64_t packed_offset;		 /* offset in the file of the packed table from which `made` was unpacked */
	/* `core.table` is packed, or there is none yet: look-ups answer from `kept` (demand.c) */
	bool partial;
	struct rs_kept kept;
	struct rs_demand *demand; /* makes tables from debug information; NULL: the image does not use it */
	bool loaded;		  /* the bytes are a loaded image, not a file */
	bool expects_frames;	  /* rossym_read_block(image, NULL) was called while `partial`: frames will be needed */
	bool too_large;		  /* rossym_prepare_for() had no memory for the index, and does not try again */
	RS_ATOMIC(struct rs_index *) index; /* NULL until rossym_prepare(), or a look-up that needs too many rows */
	RS_ATOMIC(struct rs_names *) names; /* finds functions by their names in rows; NULL until the first search */
	RS_ATOMIC(struct rs_names *) block_names; /* finds functions of the block; NULL until the first search */
	RS_ATOMIC(struct rs_block *) block;	  /* NULL until the block is first needed */
	RS_ATOMIC(struct rs_chains *) chains;	  /* made of index and block; NULL until many look-ups are expected */
	bool no_chains;				  /* making the chains has failed, and is not tried again */

	bool wants_whole; /* look-ups answer with whole strings in place of cut ones */
	bool whole;	  /* `wants_whole` is set, and some strings were or may have been cut */
	/* Which strings were cut.  The short form of a cut string can be any text of any length, so only the list in
	   the block identifies it.  Reading and checking the whole block would make a single look-up ten times as
	   expensive, so only the list is read: with one or two small reads if it is the first chunk, as in blocks of
	   this library.  The list is not checked: it only decides when the block is read, and the block is checked. */
	struct rs_longs {
		struct rs_parts parts; /* only its list `longs` is set */
		uint8_t *own;	       /* the bytes of the list, to be rs_free()d */
		bool unclear;	       /* the block looks damaged: every string may have been cut */
	} longs;
	RS_ATOMIC(int) short_state;    /* whether `why_short` is set: NEVER, a thread is WRITING it, or WRITTEN */
	struct rossym_error why_short; /* why the first cut string in an answer stayed cut: the block's error */
};

/* Whether FRAME has a known function, file or line. */
static inline bool rs_frame_is_known(const struct rossym_frame *frame)
{
	return frame->function || frame->file || frame->line;
}

/* Whether IMAGE is a bare table, which has no sections. */
static inline bool rs_image_is_bare(const struct rossym_image *image)
{
	return image->core.kind == ROSSYM_BARE;
}

/* Whether sections of IMAGE overlap or are not in order.  If so, the index ignores sections, so each look-up must check
   whether the row that the index gives may answer. */
static inline bool rs_image_needs_sections(const struct rossym_image *image)
{
	return !rs_image_is_bare(image) && !image->core.pe.ordered;
}

/* image.c: open the bare table in the SIZE bytes at TABLE into *CORE, with the headers of IMAGE.  Returns 0 or -1. */
int rs_image_open_table(const struct rossym_image *image, const void *table, size_t size, struct rossym_core *core,
			struct rossym_error *err);

/* image.c: returns the block, whose `state` tells whether it is absent or damaged; the first call reads it.  Returns
   NULL on an error, and then the next call tries again. */
const struct rs_block *rs_image_get_block(struct rossym_image *image, struct rossym_error *err);

/* image.c: returns the index; the first call builds it.  NULL on an error. */
const struct rs_index *rs_image_get_index(struct rossym_image *image, struct rossym_error *err);

/* image.c: make the chains (table/chains.h), if IMAGE has an index and a sound block, and if chains save time for
   EXPECTED look-ups.  If there is no memory for chains, look-ups work without them. */
void rs_image_make_chains_if_useful(struct rossym_image *image, uint64_t expected);

/* lookups.c: returns the answer of INDEX for RVA, as rossym_lookup() does; all zeros if nothing is known. */
struct rossym_frame rs_image_look_up(struct rossym_image *image, const struct rs_index *index, uint64_t rva,
				     unsigned flags);

/* image.c: if image->wants_whole is set, store in IMAGE which strings of CORE's table were cut.  Returns 0 or -1. */
int rs_image_read_cut_list(struct rossym_image *image, const struct rossym_core *core, struct rossym_error *err);

/* image.c: give FRAME whole strings, from BLOCK, in place of those that were cut.  FUNCTION and FILE are the offsets of
   FRAME's strings in the table's strings. */
void rs_frame_make_whole(struct rossym_frame *frame, const struct rs_block *block, uint32_t function, uint32_t file);

/* image.c: do what rs_frame_make_whole() does, but read the block only if one of the strings may have been cut.  If the
   block is damaged or cannot be read, the strings stay cut, and rossym_stayed_short() will return 1. */
void rs_frame_make_whole_if_cut(struct rossym_image *image, struct rossym_frame *frame, uint32_t function,
				uint32_t file);

/* demand.c: make answers for those of the COUNT addresses RVAS that are in sections and have none yet; if these are
   too many, make the whole table.  IMAGE must be partial.  Returns 0 or -1. */
int rs_demand_make_answers(struct rossym_image *image, const uint64_t *rvas, size_t count, struct rossym_error *err);

/* demand.c: make the whole table of IMAGE, which must be partial.  Returns 0 or -1. */
int rs_demand_make_whole_table(struct rossym_image *image, struct rossym_error *err);

/* Make sure that IMAGE can answer for the COUNT addresses RVAS.  If it stays partial, their answers are in image->kept.
   Returns 0 or -1. */
static inline int rs_image_ensure_answers(struct rossym_image *image, const uint64_t *rvas, size_t count,
					  struct rossym_error *err)
{
	return image->partial ? rs_demand_make_answers(image, rvas, count, err) : 0;
}

/* Make sure that IMAGE has all rows.  Returns 0 or -1. */
static inline int rs_image_ensure_all_rows(struct rossym_image *image, struct rossym_error *err)
{
	return image->partial ? rs_demand_make_whole_table(image, err) : 0;
}

#endif
