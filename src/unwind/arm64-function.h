/* SPDX-License-Identifier: GPL-2.0-or-later */
/* arm64-function.h - the codes in the unwind data of ARM64 images, each of which undoes an instruction */
#ifndef UNWIND_ARM64_FUNCTION_H
#define UNWIND_ARM64_FUNCTION_H

#include "unwind/unwind.h"

enum { ARM64_CODES = 4 * 255 }; /* bytes: the most that one function's unwind codes can have */

/* The unwind codes, by their first byte.  In most codes, the lower bits of that byte belong to an operand;
   they are 0 here. */
enum arm64_code {
	ARM64_ALLOC_S = 0x00,
	ARM64_SAVE_R19R20_X = 0x20,
	ARM64_SAVE_FPLR = 0x40,
	ARM64_SAVE_FPLR_X = 0x80,
	ARM64_ALLOC_M = 0xc0,
	ARM64_SAVE_REGP = 0xc8,
	ARM64_SAVE_REGP_X = 0xcc,
	ARM64_SAVE_REG = 0xd0,
	ARM64_SAVE_REG_X = 0xd4,
	ARM64_SAVE_LRPAIR = 0xd6,
	ARM64_SAVE_FREGP = 0xd8,
	ARM64_SAVE_FREGP_X = 0xda,
	ARM64_SAVE_FREG = 0xdc,
	ARM64_SAVE_FREG_X = 0xde,
	ARM64_ALLOC_L = 0xe0,
	ARM64_SET_FP,
	ARM64_ADD_FP,
	ARM64_NOP,
	ARM64_END,
	ARM64_END_C,
	ARM64_SAVE_NEXT,
	ARM64_SAVE_ANY_REG,
	ARM64_CLEAR_UNWOUND_TO_CALL = 0xec,
	ARM64_PAC_SIGN_LR = 0xfc,
};

/* Returns how many bytes an unwind code has whose first byte is CODE; 0: it is unknown. */
unsigned rs_arm64_code_size(uint8_t code);

/* Whether an unwind code whose first byte is CODE stands for an instruction of a prolog or epilog. */
bool rs_arm64_is_instruction(uint8_t code);

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
