/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * merge.h - one list of rows from spans and labels
 *
 * A row is valid up to the next row.  So where a span ends and no other one begins, there is a terminator: a row that
 * says that nothing is known.  A row with the same answer as the row before it is left out.  If a span ends with a
 * call, its terminator is one byte later, so that the call's return address has the answer of the call.
 */
#ifndef DEBUGINFO_MERGE_H
#define DEBUGINFO_MERGE_H

#include "debuginfo/base/reading.h"

/* Make the rows of READING's draft from its spans and labels, and sort its functions.  Returns 0; or -1 after storing
   an error. */
int rs_merge(struct reading *reading);

#endif
