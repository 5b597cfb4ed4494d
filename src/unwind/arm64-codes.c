// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "unwind/arm64-codes.h"

unsigned rs_arm64_code_size(uint8_t code)
{
	if (code < ARM64_ALLOC_M)
		return 1;
	if (code < ARM64_ALLOC_L)
		return code == 0xdf ? 0 : 2;
	switch (code) {
	case ARM64_ALLOC_L:
		return 4;
	case ARM64_ADD_FP:
		return 2;
	case ARM64_SAVE_ANY_REG:
		return 3;
	case ARM64_SET_FP:
	case ARM64_NOP:
	case ARM64_END:
	case ARM64_END_C:
	case ARM64_SAVE_NEXT:
	case ARM64_CLEAR_UNWOUND_TO_CALL:
	case ARM64_PAC_SIGN_LR:
		return 1;
	default: /* codes for the frames of interrupts and the like, which only assembly code has, and reserved codes */
		return 0;
	}
}

bool rs_arm64_is_instruction(uint8_t code)
{
	return code != ARM64_CLEAR_UNWOUND_TO_CALL;
}
