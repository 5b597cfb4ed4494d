/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * labels.h - labels from a symbol table; those that are wanted get names
 *
 * A reader of symbols calls rs_labels_add() for each symbol that names code, then rs_labels_name_wanted() once, which sorts
 * the labels and names those that are wanted: making all names would take long.
 */
#ifndef DEBUGINFO_SYMBOLS_LABELS_H
#define DEBUGINFO_SYMBOLS_LABELS_H

#include "debuginfo/base/reading.h"

/* Add a label at RVA for symbol INDEX of the table.  Of several labels at one RVA, only one stays: of those that name
   functions, or else of all, the one with the highest INDEX.  Returns 0; or -1 after storing an error. */
int rs_labels_add(struct reading *reading, uint32_t rva, uint32_t index, bool function);

/* Whether an earlier call has cached the labels: then do not add any. */
bool rs_labels_are_cached(const struct reading *reading);

/* Returns the name of symbol INDEX, of *LENGTH bytes and perhaps without NUL; NULL if it has none. */
typedef const char *labels_name_of(const void *context, uint32_t index, size_t *length);

/* Sort READING's labels, leaving one for each RVA; call rs_reading_find_wanted(); then name the labels that are wanted by
   NAME_OF(CONTEXT, index).  The others get no names.  Returns as rs_labels_add(). */
int rs_labels_name_wanted(struct reading *reading, labels_name_of *name_of, const void *context,
			  enum rs_reading_name kind);

/* Store in *RET the string number of the name of the label at RVA, wanted or not; *RET is unchanged if there is no such
   label.  Returns as rs_labels_add(). */
int rs_labels_name_at(struct reading *reading, uint32_t rva, labels_name_of *name_of, const void *context,
		      enum rs_reading_name kind, uint32_t *ret);

#endif
