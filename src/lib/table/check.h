/* SPDX-License-Identifier: GPL-2.0-or-later */
/* check.h - check a whole table: count what is harmless but unusual, and stop at what is wrong */
#ifndef RS_CHECK_H
#define RS_CHECK_H

#include "lib/base/pe-memory.h"

/* Check all rows of TABLE, and store the counts in *REPORT; nothing is stored on an error.  STRINGS has all strings of
   TABLE.  PE: the image that the table belongs to; NULL for a bare table.  Returns 0; or -1
   and the error of the first row that is wrong. */
int rs_check(const struct rs_table *table, const char *strings, const struct rs_pe *pe, struct rossym_report *report,
	     struct rossym_error *err);

#endif
