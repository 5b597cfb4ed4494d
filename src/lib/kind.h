/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kind.h - what a file is that is no PE image: for messages */
#ifndef RS_KIND_H
#define RS_KIND_H

#include "rossym.h"

/* Fail with ROSSYM_EARCHIVE or ROSSYM_ENOTPE, and say what a file is that has no MZ header.  HEAD is its first LENGTH bytes:
   all of them, or enough to tell. */
int rs_kind_fail(const uint8_t *head, size_t length, struct rossym_error *err);

#endif
