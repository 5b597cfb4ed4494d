/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * coff.h - labels from the COFF symbol table
 *
 * The table has a symbol for each function and each external label, also of code without debug information.  Symbols
 * have no sizes.  Absolute symbols, undefined symbols and symbols of whole sections name no code.
 */
#ifndef DEBUGINFO_SYMBOLS_COFF_H
#define DEBUGINFO_SYMBOLS_COFF_H

#include "debuginfo/base/reading.h"

/* These do what rs_symbols_read() and rs_symbols_name_at() of symbols.h do, for COFF symbols. */
int rs_coff_read(struct reading *reading);
int rs_coff_name_at(struct reading *reading, uint32_t rva, uint32_t *ret);

#endif
