/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arm64-function.h - what the unwind data of an ARM64 image tell about a function
 *
 * They have a code for each instruction of a prolog, the last instruction first, and the same for each epilog.  An entry
 * of the exception directory that packs all of this in one word stands for such codes, which are made here.
 */
#ifndef UNWIND_ARM64_FUNCTION_H
#define UNWIND_ARM64_FUNCTION_H

#include "unwind/arm64-codes.h"
#include "unwind/unwind.h"

enum { ARM64_INSTRUCTION = 4 };

struct arm64_function {
	uint32_t begin; /* RVA */
	uint8_t codes[ARM64_CODES];
	unsigned size;	/* of the codes */
	unsigned first; /* the codes from here on, */
	unsigned skip;	/* but for so many instructions, are to be undone at the place that was asked for */
};

/* Find the function that has RVA, and the codes for this place in it.  UNWIND_NOWHERE: there is none; UNWIND_MEMORY: not all is
   known. */
enum unwind_result rs_arm64_find(const struct unwind_space *space, uint64_t base, uint32_t rva,
				 struct arm64_function *function);

#endif
