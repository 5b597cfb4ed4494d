/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arm64-function.h - what the unwind data of an ARM64 image tell about a function
 *
 * The data have a code for each instruction of a prolog, the last instruction first, and a code for each instruction
 * of an epilog.  An entry of the exception directory can also pack a usual prolog and epilog into one word; then
 * their codes are made from that.
 */
#ifndef UNWIND_ARM64_FUNCTION_H
#define UNWIND_ARM64_FUNCTION_H

#include "unwind/arm64-codes.h"
#include "unwind/unwind.h"

enum { ARM64_INSTRUCTION = 4 };

struct arm64_function {
	uint32_t begin; /* RVA */
	uint8_t codes[ARM64_CODES];
	unsigned size;	/* of the codes, in bytes */
	unsigned first; /* index of the first code that was selected */
	unsigned skip;	/* how many instructions to skip from there on: not run yet (prolog), or already run (epilog) */
};

/* Find the function that contains RVA, and select the codes to undo there.  Returns UNWIND_CALLER; UNWIND_NOWHERE if
   there is no such function; UNWIND_MEMORY if something cannot be read; UNWIND_DAMAGED if the data make no sense. */
enum unwind_result rs_arm64_find(const struct unwind_space *space, uint64_t base, uint32_t rva,
				 struct arm64_function *function);

#endif
