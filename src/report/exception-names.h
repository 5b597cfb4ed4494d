/* SPDX-License-Identifier: GPL-2.0-or-later */
/* exception-names.h - the names of exception codes */
#ifndef EXCEPTION_NAMES_H
#define EXCEPTION_NAMES_H

#include <stdint.h>

/* The codes whose parameters say which memory was accessed, and how. */
#define EXCEPTION_VIOLATION UINT32_C(0xc0000005)
#define EXCEPTION_IN_PAGE UINT32_C(0xc0000006)

/* Microsoft's name of CODE; NULL: it is not in our list. */
const char *exception_name(uint32_t code);

#endif
