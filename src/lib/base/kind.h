/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kind.h - name the kind of a file that is not a PE image, for messages */
#ifndef RS_KIND_H
#define RS_KIND_H

#include "rossym.h"

/* Store in *ERR the error for a file that has no MZ header: ROSSYM_EARCHIVE or ROSSYM_ENOTPE, with a message that names
   the kind of file.  HEAD has the first LENGTH bytes of the file.  Returns -1. */
int rs_kind_fail(const uint8_t *head, size_t length, struct rossym_error *err);

#endif
