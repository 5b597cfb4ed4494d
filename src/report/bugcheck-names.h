/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bugcheck-names.h - what bugchecks are called, and what their parameters mean */
#ifndef BUGCHECK_NAMES_H
#define BUGCHECK_NAMES_H

#include <stdbool.h>
#include <stdint.h>

enum { BUGCHECK_PARAMETERS = 4 };

/* In all functions: Windows adds the flag 0x10000000 to some codes, which changes nothing. */

/* Microsoft's name of CODE; NULL: not known. */
const char *bugcheck_name(uint32_t code);

/* What the PARAMETER of bugcheck CODE, counted from 0, means; NULL: not known. */
const char *bugcheck_meaning(uint32_t code, unsigned parameter);

/* Whether the first parameter of bugcheck CODE is the code of an exception. */
bool bugcheck_has_exception(uint32_t code);

/* Whether the PARAMETER of bugcheck CODE, counted from 0, is the address of a CONTEXT. */
bool bugcheck_is_context(uint32_t code, unsigned parameter);

#endif
