/* SPDX-License-Identifier: GPL-2.0-or-later */
/* code-names.h - the names of exception codes and bugchecks, and what the parameters of bugchecks mean */
#ifndef CODE_NAMES_H
#define CODE_NAMES_H

#include <stdbool.h>
#include <stdint.h>

/* The exceptions whose first two parameters are the kind of an access to memory, and its address. */
#define EXCEPTION_VIOLATION UINT32_C(0xc0000005)
#define EXCEPTION_IN_PAGE UINT32_C(0xc0000006)

/* Returns Microsoft's name of the exception CODE; NULL: it is not in our list. */
const char *find_exception_name(uint32_t code);

enum { BUGCHECK_PARAMETERS = 4 };

/* The four functions below ignore the flag 0x10000000, which Windows adds to some codes. */

/* Returns Microsoft's name of the bugcheck CODE; NULL: it is not in our list. */
const char *find_bugcheck_name(uint32_t code);

/* Returns what parameter number PARAMETER (0 to 3) of bugcheck CODE means; NULL: it is not in our list. */
const char *find_bugcheck_meaning(uint32_t code, unsigned parameter);

/* Whether the first parameter of bugcheck CODE is the code of an exception. */
bool bugcheck_has_exception(uint32_t code);

/* Whether parameter number PARAMETER (0 to 3) of bugcheck CODE is the address of a CONTEXT. */
bool bugcheck_parameter_is_context(uint32_t code, unsigned parameter);

#endif
