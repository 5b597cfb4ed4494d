/* SPDX-License-Identifier: GPL-2.0-or-later */
/* symbols.h - labels from symbols, be they COFF symbols or those of an ELF file */
#ifndef DEBUGINFO_SYMBOLS_SYMBOLS_H
#define DEBUGINFO_SYMBOLS_SYMBOLS_H

#include "debuginfo/base/reading.h"

/* Fill READING's labels: ascending, one for each RVA.  Calls rs_reading_find_wanted(), and names only labels that are
   wanted.  Returns 0; or -1 after storing an error. */
int rs_symbols_read(struct reading *reading);

/* Store in *RET the string number of the name of the label at RVA, wanted or not; *RET is unchanged if there is no such
   label.  Call this after rs_symbols_read().  Returns 0; or -1 after storing an error. */
int rs_symbols_name_at(struct reading *reading, uint32_t rva, uint32_t *ret);

#endif
