/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * guide.h - look-ups in a kept table that touch few cache lines
 *
 * The guide lists the address of every 256th row.  rossym_core_keep() makes it, near what every look-up reads first.  A
 * look-up bisects the guide, then the 256 rows to which an entry leads.
 *
 * With cold caches a look-up waits for memory: for the rows that it meets in a bisection of the whole table, and for
 * the code that handles every case.  So usual rows are answered here, and rs_lookup() answers for the others.
 */
#ifndef RS_GUIDE_H
#define RS_GUIDE_H

#include "core/table.h"

/*@ predicate in_memory{L}(struct rs_table *t) =
      opened(t) && t->reader.memory != \null && t->packed.groups == 0 && t->rows_offset + t->row_count * t->row_size <= t->reader.size &&
      t->strings_offset + t->strings.length <= t->reader.size;
    predicate guided{L}(struct rs_table *t) =
      t->guide == \null ||
      (in_memory(t) && t->row_size == RS_ROW_SIZE && t->packed.groups == 0 && bytes(t->guide, (t->row_count + 255) / 256 * 4));
    predicate sectioned{L}(struct rs_pe *p) =
      \valid_read(p) && \valid_read(p->sections + (0 .. p->section_count - 1)); */

/* Returns how many bytes the guide to TABLE has; 0 for tables that get none. */
uint32_t rs_guide_size(const struct rs_table *table);

/* Fill GUIDE with the guide to TABLE, which is in memory. */
void rs_guide_make(const struct rs_table *table, uint8_t *guide);

/*
 * As rossym_core_lookup() for a usual row: the only one at its address, in the same section of code as RVA, with a
 * line, a file, and a function that does not begin with an underscore.  Returns true and fills *ANSWER then.
 * Otherwise, or if CORE has no guide, returns false: rs_core_lookup() has the answer.
 */
bool rs_guide_lookup(const struct rossym_core *core, uint64_t rva, struct rossym_core_answer *answer);

#endif
