/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.h - from the name of a function to its address
 *
 * A table has no list of functions, only rows that name one, unless it has a block.  The index here has an entry for
 * each name of either, found by a hash of the part of the name that all its spellings share: without leading
 * underscores and the decoration that a calling convention adds on i386.  Which spellings may stand for each other is
 * decided after that.
 */
#ifndef RS_NAMES_H
#define RS_NAMES_H

#include "lib/base/pe-memory.h"

struct rs_block;
struct rs_names;

/* Build the index of the names in TABLE's rows.  STRINGS: all of TABLE's; they must outlive the index.  PE: the image,
   of which only rows inside a section count; NULL for a bare table.  NULL on error; rs_names_free() the result. */
struct rs_names *rs_names_build(const struct rs_table *table, const char *strings, const struct rs_pe *pe,
				struct rossym_error *err);
/* Build the index of the functions and other names of a sound block. */
struct rs_names *rs_names_build_block(const struct rs_block *block, const struct rs_pe *pe, struct rossym_error *err);
void rs_names_free(struct rs_names *names);

/* Find NAME and store the function that fits it best, at its lowest address.  DECORATED: names of the image may
   carry i386 decoration, so other spellings fit too.  Returns how well it fits, from 1 to RS_NAMES_EXACT, or 0 if
   there is none. */
enum { RS_NAMES_EXACT = 4 };
int rs_names_find(const struct rs_names *names, const char *name, bool decorated, struct rossym_function *function);

#endif
