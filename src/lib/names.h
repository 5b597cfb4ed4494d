/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.h - from the name of a function to its address
 *
 * A table has no list of functions, only rows that name one, unless it has a block.  The index here has an entry
 * for each name of either, found by a hash of the part of the name that all its spellings share: without leading underscores and the
 * decoration that a calling convention adds on i386.  Which spellings may stand for each other is decided after that.
 */
#ifndef RS_NAMES_H
#define RS_NAMES_H

#include "lib/pe.h"

struct rs_block;
struct rs_names;

/* STRINGS: all of TABLE's.  PE: the image whose sections a row must lie in to be counted; NULL for a bare table. */
struct rs_names *rs_names_build(const struct rs_table *table, const char *strings, const struct rs_pe *pe,
				struct rossym_error *err);
/* The same for the functions of a sound block. */
struct rs_names *rs_names_build_block(const struct rs_block *block, const struct rs_pe *pe, struct rossym_error *err);
void rs_names_free(struct rs_names *names);

/* DECORATED: names of the image may carry i386 decoration.  How well it fits, from 1 to
   RS_NAMES_EXACT, or 0 if there is none. */
enum { RS_NAMES_EXACT = 4 };
int rs_names_find(const struct rs_names *names, const char *name, bool decorated, struct rossym_function *function);

#endif
