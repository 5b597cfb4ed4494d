/* SPDX-License-Identifier: GPL-2.0-or-later */
/* functions.h - chooses, from the functions and further names that readers have found, those that a table gets */
#ifndef DEBUGINFO_SYMBOLS_FUNCTIONS_H
#define DEBUGINFO_SYMBOLS_FUNCTIONS_H

#include "debuginfo/base/reading.h"

/* Sort the functions that readers have found.  Then drop the further names (entries with length 0) that look-ups by
   name do not need.  These are a name that a function at the same address also has; and ".text$f" (RS_OWN_SECTION), the
   name of the section that GCC makes for a function f, if f is at the same address.  They stay if the name, or f, is at
   several addresses.  Returns 0; or -1 after storing an error. */
int rs_functions_finish(struct reading *reading);

#endif
