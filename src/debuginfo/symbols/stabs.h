/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stabs.h - spans from stabs: sections .stab and .stabstr
 *
 * .stab is a list of 12-byte records in the order of the source: a file, its functions, their lines.  A function ends
 * at its end record, at the next function, or at the end of its file.  .stabstr has the strings, those of each object
 * file together.
 */
#ifndef DEBUGINFO_SYMBOLS_STABS_H
#define DEBUGINFO_SYMBOLS_STABS_H

#include "debuginfo/base/reading.h"

/* Add spans and functions to READING. */
int stabs_read(struct reading *reading);

#endif
