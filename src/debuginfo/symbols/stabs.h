/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stabs.h - spans from stabs: sections .stab and .stabstr
 *
 * .stab is a list of 12-byte records in the order of the source: a file, its functions, their lines.  A function ends
 * at its end record, at the next function, or at the end of its file.  .stabstr has the strings of one object file
 * after those of another; the string offset in a record counts from the first string of its object file.
 */
#ifndef DEBUGINFO_SYMBOLS_STABS_H
#define DEBUGINFO_SYMBOLS_STABS_H

#include "debuginfo/base/reading.h"

/* Add spans and functions to READING.  Returns 0; or -1 after storing an error. */
int rs_stabs_read(struct reading *reading);

#endif
