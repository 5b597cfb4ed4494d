/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kind.h - name the kind of a file that is not a PE image, for messages */
#ifndef RS_KIND_H
#define RS_KIND_H

#include "rossym.h"

/* Store ROSSYM_EARCHIVE or ROSSYM_ENOTPE in *ERR, with the kind of a file that has no MZ header.  HEAD has the first
   LENGTH bytes of the file; if the file is short, these are all of it.  Returns -1. */
int rs_kind_fail(const uint8_t *head, size_t length, struct rossym_error *err);

#endif
