/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * coff.h - labels from the COFF symbol table
 *
 * The linker leaves a symbol for each function and external label, whether it was compiled with debug information or
 * not. They have no sizes.  Absolute symbols, undefined ones and those that stand for whole sections name no code.
 */
#ifndef DEBUGINFO_COFF_H
#define DEBUGINFO_COFF_H

#include "debuginfo/reading.h"

/* Fill READING's labels: ascending, one per address. */
int coff_read(struct reading *reading);

#endif
