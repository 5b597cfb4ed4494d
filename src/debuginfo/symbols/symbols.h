/* SPDX-License-Identifier: GPL-2.0-or-later */
/* symbols.h - labels from the symbols that there are: COFF symbols (coff.h), or those of an ELF file (elf-labels.h) */
#ifndef DEBUGINFO_SYMBOLS_SYMBOLS_H
#define DEBUGINFO_SYMBOLS_SYMBOLS_H

#include "debuginfo/base/reading.h"

/* Fill READING's labels: ascending, one for each address.  Then call reading_find_wanted(); labels that are not wanted
   get no names.  Returns 0, or -1 as the functions of reading.h do. */
int symbols_read(struct reading *reading);

/* Store in *RET the number of the name of the label at RVA, wanted or not; leave *RET alone if there is none.  Call it
   when all labels are those of symbols_read().  Returns 0 or -1. */
int symbols_name_at(struct reading *reading, uint32_t rva, uint32_t *ret);

#endif
