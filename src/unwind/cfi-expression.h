/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cfi-expression.h - the expressions in CFI (DWARF 2 to 5, section 2.5), as far as compilers use them there */
#ifndef UNWIND_CFI_EXPRESSION_H
#define UNWIND_CFI_EXPRESSION_H

#include "unwind/cfi-cursor.h"

/* Compute the DWARF EXPRESSION with the registers of FRAME.  *CFA is pushed first; CFA may be NULL.  False: the
   expression makes no sense, or memory cannot be read. */
bool rs_cfi_expression(struct cfi_cursor expression, const struct unwind_frame *frame, const uint32_t *cfa,
		       uint32_t *value);

#endif
