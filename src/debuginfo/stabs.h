/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stabs.h - spans from stabs: sections .stab and .stabstr
 *
 * .stab is a list of 12-byte records that follows the source: a file, in it a function, in it lines.  A function ends
 * at its end record, at the next function, or at the end of its file.
 */
#ifndef DEBUGINFO_STABS_H
#define DEBUGINFO_STABS_H

#include "debuginfo/reading.h"

int stabs_read(struct reading *reading);

#endif
