/* SPDX-License-Identifier: GPL-2.0-or-later */
/* arm64-packed.h - the unwind codes that a packed entry of an ARM64 image's exception directory stands for */
#ifndef UNWIND_ARM64_PACKED_H
#define UNWIND_ARM64_PACKED_H

#include "unwind/arm64-codes.h"

/* Write to CODES, of ARM64_CODES bytes, the codes that the packed entry WORD stands for: first those of the
   prolog, then, from index *EPILOG on, those of the only epilog, which ends the function.  *EPILOG is 0 for an
   entry of a part of a function that has no prolog or epilog of its own.  Returns the size of all codes in bytes;
   0: WORD makes no sense. */
unsigned rs_arm64_unpack(uint32_t word, uint8_t *codes, unsigned *epilog);

#endif
