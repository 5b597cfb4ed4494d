/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * merge.h - one list of rows from spans and labels
 *
 * A row holds up to the next row.  So behind a span with nothing after it stands a terminator, a row that says that
 * nothing is known; and rows that would say the same as the row before them are left out.  Where the span ends with a
 * call, the terminator is one byte later.
 */
#ifndef DEBUGINFO_MERGE_H
#define DEBUGINFO_MERGE_H

#include "debuginfo/reading.h"

/* Make the rows of READING's debuginfo, and sort its functions. */
int merge(struct reading *reading);

#endif
