/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * image.h - what an image is made of, for the files that implement the functions of rossym.h
 *
 * An image is the source of its bytes, and what the core knows about them.  The table can be from another place.  The
 * block and the indexes are made when they are first needed.  Several threads may need one first at the same time: each
 * makes it, one of them publishes its own, the others free theirs.
 *
 * An image whose tables are made on demand has no table itself, but an image inside for each table: same headers, other
 * rows.  So a public function that needs rows first asks demand.h for the image that has them.
 */
#ifndef RS_IMAGE_H
#define RS_IMAGE_H

#include "rossym.h"
#include "core/core.h"
#include "lib/table/block.h"
#include "lib/table/chains.h"
#include "lib/base/error.h"
#include "lib/table/frame.h"
#include "lib/table/index.h"
#include "lib/table/longs.h"
#include "lib/table/names.h"
#include "lib/base/pe-memory.h"
#include "lib/table/segments.h"
#include "lib/base/source.h"

#include <stdbool.h>

enum {
	/* an image gets at most so many tables for some addresses; the next one is for all */
	RS_DEMAND_MOST = 64,
	RS_DEMAND_MOST_RVAS = 4096, /* a look-up of more addresses gets a table for all addresses, too */
};

/* How tables are made on demand, or unpacked, and those that were made; demand.h says more. */
struct rs_demand {
	int (*make)(void *context, const uint32_t *rvas, size_t count, struct rossym_made *made,
		    struct rossym_error *err);
	void *context;
	struct rossym_core *packed; /* in place of MAKE: the packed table, of which tables are unpacked */
	bool frames;		    /* the caller has asked for the block of the packed table: frames will be wanted */
	bool whole_strings;	    /* look-ups answer with whole strings */
	bool nothing;		    /* nothing is known about the image, as `why` says */
	struct rossym_error why;
	bool whole;   /* the newest table is for all addresses */
	size_t bytes; /* of all tables */
	uint32_t count;
	struct {
		struct rossym_image *image;
		uint32_t *rvas; /* ascending; NULL if it is for all */
		uint32_t rva_count;
	} tables[RS_DEMAND_MOST + 1];
};

struct rossym_image {
	struct rs_source file;	    /* of the headers and sections */
	struct rossym_core core;    /* headers and table */
	struct rs_segments strings; /* the table's */
	uint8_t *unpacked;	    /* the table and its block, if they are packed in the file: `core` has these */
	uint64_t packed_offset;	    /* where the packed ones are in the file */
	bool loaded;		    /* the bytes are a loaded image, not a file */
	bool prepared;
	bool too_large;				  /* rossym_prepare_for() once had no memory for the index */
	RS_ATOMIC(struct rs_index *) index;	  /* NULL until it is prepared or a look-up would have far to go */
	RS_ATOMIC(struct rs_names *) names;	  /* NULL until the first search for a name */
	RS_ATOMIC(struct rs_names *) block_names; /* of its functions */
	RS_ATOMIC(struct rs_block *) block;	  /* NULL until it is first needed */
	RS_ATOMIC(struct rs_chains *) chains;	  /* of index and block; NULL until many look-ups are expected */
	bool no_chains;				  /* rossym_prepare_for() once could not make them */

	bool whole;		  /* look-ups answer with whole strings, in place of cut ones */
	struct rs_longs longs;	  /* which strings were cut */
	RS_ATOMIC(int) shortened; /* NEVER: no answer stayed short; else the state of why_short */
	struct rossym_error why_short;

	struct rs_demand *demand; /* its tables are made on demand; NULL: it has a table, or needs none */
	/* it is in the list of a struct rs_demand; its core.pe belongs to the image that has the list */
	bool inner;
};

/* Whether IMAGE is a bare table, which has no sections. */
static inline bool rs_image_is_bare(const struct rossym_image *image)
{
	return image->core.kind == ROSSYM_BARE;
}

/* Whether sections of IMAGE overlap, or are in another order than the index knows: then look-ups must ask the
   sections, too. */
static inline bool rs_image_needs_sections(const struct rossym_image *image)
{
	return !rs_image_is_bare(image) && !image->core.pe.ordered;
}

/* The image with the newest table: IMAGE itself, unless tables are made for it and one was. */
static inline const struct rossym_image *rs_image_newest(const struct rossym_image *image)
{
	return image->demand && image->demand->count > 0 ? image->demand->tables[image->demand->count - 1].image
							 : image;
}

/* open.c: take the rows, the strings and the block from the bare table in the SIZE bytes at TABLE; the headers of IMAGE
   stay. */
int rs_image_open_table(struct rossym_image *image, const void *table, size_t size, struct rossym_error *err);

/* image.c: the block, read when it is first wanted; it may be absent or damaged.  NULL on an error that
   decides nothing. */
const struct rs_block *rs_image_block(struct rossym_image *image, struct rossym_error *err);

/* image.c: the index, built when it is first wanted.  NULL on an error. */
const struct rs_index *rs_image_index(struct rossym_image *image, struct rossym_error *err);

/* image.c: make the chains, if there is an index and a block and EXPECTED look-ups are enough.  Without memory there
   are none. */
void rs_image_expect_frames(struct rossym_image *image, uint64_t expected);

/* references.c: for messages: store in NAME the last part of the name of the PDB file that the debug directory names, or
   of that in .gnu_debuglink if the image has no symbols; and in *AT where it is in the file.  Returns 1; 0 if there is
   none, or if the image may have other debug information too; or -1. */
int rs_reference_name(struct rossym_image *image, char *name, size_t size, uint64_t *at, struct rossym_error *err);

/* lookups.c: as rossym_lookup(), from the index. */
int rs_image_answer(struct rossym_image *image, const struct rs_index *index, uint64_t rva, unsigned flags,
		    struct rossym_frame *frame);

/* range.c: addresses around RVA that have one answer in the index; not always all of them. */
struct rossym_range rs_image_stretch(const struct rossym_image *image, const struct rs_index *index, uint64_t rva);

/* whole.c: read the list of cut strings, so that later answers have whole ones. */
int rs_image_want_whole(struct rossym_image *image, struct rossym_error *err);

/* whole.c: FUNCTION and FILE are the strings of FRAME, as offsets in the table.  Replace those that were cut by the
   whole ones. */
void rs_frame_make_whole(struct rossym_frame *frame, const struct rs_block *block, uint32_t function, uint32_t file);

/* whole.c: find out which strings of FRAME the table of IMAGE has, and replace those of them that were cut. */
void rs_frame_make_whole_of(const struct rossym_image *image, const struct rs_block *block, struct rossym_frame *frame);

/* whole.c: as rs_frame_make_whole(), but read the block only if one of the strings may have been cut.  If the block
   cannot be used, the strings stay. */
void rs_frame_make_whole_if_cut(struct rossym_image *image, struct rossym_frame *frame, uint32_t function,
				uint32_t file);

/* 0, or -1 if the caller of the library gives other flags than KNOWN. */
static inline int rs_check_flags(unsigned flags, unsigned known, struct rossym_error *err)
{
	return flags & ~known ? rs_fail_flags(err, flags & ~known) : 0;
}

#endif
