/* SPDX-License-Identifier: GPL-2.0-or-later */
/* functions.h - the functions and other names that a table gets, of those that readers have found */
#ifndef DEBUGINFO_SYMBOLS_FUNCTIONS_H
#define DEBUGINFO_SYMBOLS_FUNCTIONS_H

#include "debuginfo/base/reading.h"

/* Sort what readers have found, and leave out other names that look-ups do not need: that of a function, unless code
   elsewhere has the name, too, and that of the section of a function (RS_OWN_SECTION).  Returns 0, or -1 as the
   functions of reading.h do. */
int functions_finish(struct reading *reading);

#endif
