/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * coff.h - labels from the COFF symbol table
 *
 * The linker keeps a symbol for each function and each external label, also for code without debug information.
 * Symbols have no sizes.  Absolute symbols, undefined symbols and symbols of whole sections name no code.
 */
#ifndef DEBUGINFO_COFF_H
#define DEBUGINFO_COFF_H

#include "debuginfo/reading.h"

/* Fill READING's labels: ascending, one for each address.  Then call reading_find_wanted(); labels that are not wanted
   get no names. */
int coff_read(struct reading *reading);

/* Store in *RET the number of the name of the label at RVA, wanted or not; leave *RET alone if there is none.  Call it when all labels
   are those of coff_read().  Returns 0, or -1 as the functions of reading.h do. */
int coff_name_at(struct reading *reading, uint32_t rva, uint32_t *ret);

#endif
