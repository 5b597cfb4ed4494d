/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bugcheck-names.h - the names of bugchecks, and what their parameters mean */
#ifndef BUGCHECK_NAMES_H
#define BUGCHECK_NAMES_H

#include <stdbool.h>
#include <stdint.h>

enum { BUGCHECK_PARAMETERS = 4 };

/* All functions ignore the flag 0x10000000, which Windows adds to some codes. */

/* Microsoft's name of CODE; NULL: it is not in our list. */
const char *bugcheck_name(uint32_t code);

/* Returns what parameter number PARAMETER (0 to 3) of bugcheck CODE means; NULL: it is not in our list. */
const char *bugcheck_meaning(uint32_t code, unsigned parameter);

/* Whether the first parameter of bugcheck CODE is the code of an exception. */
bool bugcheck_has_exception(uint32_t code);

/* Whether parameter number PARAMETER (0 to 3) of bugcheck CODE is the address of a CONTEXT. */
bool bugcheck_is_context(uint32_t code, unsigned parameter);

#endif
