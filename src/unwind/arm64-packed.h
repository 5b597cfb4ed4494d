/* SPDX-License-Identifier: GPL-2.0-or-later */
/* arm64-packed.h - the codes that a packed entry of an ARM64 image stands for */
#ifndef UNWIND_ARM64_PACKED_H
#define UNWIND_ARM64_PACKED_H

#include "unwind/arm64-codes.h"

/* Write to CODES, of ARM64_CODES bytes, what WORD stands for: the prolog; and from *EPILOG on the only epilog, which is the
   last code of the function; 0: it is a part of a function, which has neither.  Returns the size of all; 0: it makes no
   sense. */
unsigned rs_arm64_unpack(uint32_t word, uint8_t *codes, unsigned *epilog);

#endif
