/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * labels.h - labels from a table of symbols, whose names are made when it is known which are wanted
 *
 * A reader of symbols adds a label for each symbol that names code, then has all of them sorted and named.
 */
#ifndef DEBUGINFO_SYMBOLS_LABELS_H
#define DEBUGINFO_SYMBOLS_LABELS_H

#include "debuginfo/base/reading.h"

/* Add a label for symbol INDEX.  Of labels at one address, the one with the highest INDEX is kept.  Returns 0, or -1
   after storing an error. */
int labels_add(struct reading *reading, uint32_t rva, uint32_t index, bool function);

/* Whether an earlier call has kept the labels: then none are to be added. */
bool labels_are_kept(const struct reading *reading);

/* Returns the name of symbol INDEX, which need not end with NUL, or NULL. */
typedef const char *labels_name_of(const void *context, uint32_t index, size_t *length);

/* Make READING's labels ascend, one for each address; call reading_find_wanted(); then name those that are wanted, with
   NAME_OF.  The others become labels without names.  Returns as labels_add(). */
int labels_name(struct reading *reading, labels_name_of *name_of, const void *context, enum reading_name kind);

/* Store the name of the label at RVA in *RET, whether or not it is wanted; leave *RET alone if there is none.  Returns
   as labels_add(). */
int labels_name_at(struct reading *reading, uint32_t rva, labels_name_of *name_of, const void *context,
		   enum reading_name kind, uint32_t *ret);

#endif
