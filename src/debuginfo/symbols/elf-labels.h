/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elf-labels.h - labels from the symbol table of an ELF file
 *
 * They name code for which DWARF has no function, such as code in assembly language.  A symbol with a size names no
 * code after its end.
 */
#ifndef DEBUGINFO_SYMBOLS_ELF_LABELS_H
#define DEBUGINFO_SYMBOLS_ELF_LABELS_H

#include "debuginfo/base/reading.h"

/* These do what rs_symbols_read() and rs_symbols_name_at() of symbols.h do, for ELF symbols. */
int rs_elf_labels_read(struct reading *reading);
int rs_elf_labels_name_at(struct reading *reading, uint32_t rva, uint32_t *ret);

#endif
