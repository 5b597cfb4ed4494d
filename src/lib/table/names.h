/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.h - finds the address of a function by its name
 *
 * An index has either the names of a block's functions or the names in a table's rows, because a table without a block
 * has no other list of functions.  It is a hash table with an entry for each name.  The hash leaves out leading
 * underscores and the decoration that a calling convention adds on i386, so all spellings of a name have the same hash.
 * rs_names_find() then decides which spelling fits best.
 */
#ifndef RS_NAMES_H
#define RS_NAMES_H

#include "lib/base/pe-memory.h"

struct rs_block;
struct rs_names;

/* Build the index of the functions and other names of BLOCK, which is sound; if BLOCK is NULL, of the names in
   TABLE's rows.  STRINGS has all strings of TABLE.  BLOCK and STRINGS must outlive the index.  PE is the image:
   names of addresses outside its sections are left out.  PE is NULL for a bare table.  Returns an index to be
   rs_names_free()d; NULL on an error. */
struct rs_names *rs_names_build(const struct rs_table *table, const char *strings, const struct rs_block *block,
				const struct rs_pe *pe, struct rossym_error *err);
void rs_names_free(struct rs_names *names);

enum { RS_NAMES_EXACT = 4 }; /* what rs_names_find() returns if it finds exactly this name */

/* Store in *FUNCTION the function whose name fits NAME best; of several that fit equally, the one at the lowest
   address.  DECORATED: names of the image may have i386 decoration, so other spellings of NAME fit, too.  Returns how
   well the function fits, from 1 to RS_NAMES_EXACT, or 0 if there is none. */
int rs_names_find(const struct rs_names *names, const char *name, bool decorated, struct rossym_function *function);

#endif
