/* SPDX-License-Identifier: GPL-2.0-or-later */
/* functions.h - the functions and other names that a table gets, of those that readers have found */
#ifndef DEBUGINFO_SYMBOLS_FUNCTIONS_H
#define DEBUGINFO_SYMBOLS_FUNCTIONS_H

#include "debuginfo/base/reading.h"

/* Sort the functions that readers have found.  Then drop entries without a length that look-ups by name do not need: a
   name that a function at the same address also has; and the name of the section that GCC made for "f", ".text$f"
   (RS_OWN_SECTION), at the address of "f".  An entry stays if one of these names is at several addresses.  Returns 0;
   or -1 after storing an error. */
int functions_finish(struct reading *reading);

#endif
