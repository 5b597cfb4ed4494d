/* SPDX-License-Identifier: GPL-2.0-or-later */
/* functions.h - the functions and other names that a table gets, of those that readers have found */
#ifndef DEBUGINFO_SYMBOLS_FUNCTIONS_H
#define DEBUGINFO_SYMBOLS_FUNCTIONS_H

#include "debuginfo/base/reading.h"

/* Sort the functions that readers have found, and drop further names that look-ups by name do not need: a name that the
   function at that address has, unless code elsewhere has the name, too; and the name of a section that GCC made for
   the function there (RS_OWN_SECTION).  Returns 0; or -1 after storing an error. */
int functions_finish(struct reading *reading);

#endif
