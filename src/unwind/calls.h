/* SPDX-License-Identifier: GPL-2.0-or-later */
/* calls.h - the call before a return address */
#ifndef UNWIND_CALLS_H
#define UNWIND_CALLS_H

#include "unwind/unwind.h"

/* Whether the bytes before ADDRESS, which is in a module, end with a call. */
bool rs_unwind_after_call(const struct unwind_space *space, uint64_t address);

/* Whether the code before ADDRESS is known, and is no call. */
bool rs_unwind_after_no_call(const struct unwind_space *space, uint64_t address);

/* Where the direct call goes to that ends at ADDRESS; 0: none does. */
uint64_t rs_unwind_call_target(const struct unwind_space *space, uint64_t address);

/* Whether the code at ADDRESS is a jump, as of a call through an import or an incremental link. */
bool rs_unwind_is_jump(const struct unwind_space *space, uint64_t address);

/* Whether the bytes before ADDRESS are a direct call of TARGET. */
bool rs_unwind_after_call_of(const struct unwind_space *space, uint64_t address, uint64_t target);

#endif
