/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kind.h - name the kind of a file that is not a PE image, for messages */
#ifndef RS_KIND_H
#define RS_KIND_H

#include "rossym.h"

/* Fail with ROSSYM_EARCHIVE or ROSSYM_ENOTPE, and name the kind of a file without an MZ header.  HEAD is the whole
   file, or its first LENGTH bytes if these are enough to tell. */
int rs_kind_fail(const uint8_t *head, size_t length, struct rossym_error *err);

#endif
