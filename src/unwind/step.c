// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "unwind/calls.h"
#include "unwind/unwind.h"

/* Step from a frame whose ip is in no module, on the assumption that a call through a bad pointer has led there.  The
   return address of that call is on top of the stack or, on ARM64, in the register lr. */
static enum unwind_result step_from_no_module(const struct unwind_space *space, struct rossym_unwind_frame *frame)
{
	uint64_t *lr = &frame->registers[UNWIND_ARM64_LR];
	if (!frame->exact)
		return UNWIND_NOWHERE;
	if (frame->machine == UNWIND_ARM64)
		frame->ip = *lr = unwind_strip_signature(*lr);
	else if (!unwind_pop_number(space, frame, frame->machine == UNWIND_I386 ? 4 : 8, &frame->ip))
		return UNWIND_MEMORY;
	frame->exact = false;
	if (frame->ip == 0)
		return UNWIND_END;
	return unwind_is_in_module(space, frame->ip - 1) && rs_unwind_is_after_call(space, frame->ip) ? UNWIND_SCANNED
												      : UNWIND_NOWHERE;
}

enum unwind_result rs_unwind_step(const struct unwind_space *space, struct rossym_unwind_frame *frame)
{
	const unsigned machine = frame->machine;
	struct rossym_unwind_frame caller = *frame;
	struct unwind_space own = *space;
	uint64_t base;
	uint32_t size;
	/* Look up the call, not the address after it: after the call of a function that never returns, that address can
	   be the beginning of the next function. */
	const uint64_t ip = frame->exact ? frame->ip : frame->ip - (machine == UNWIND_ARM64 ? 4 : 1);
	own.machine = machine;
	caller.proved = 0;
	const enum unwind_result result = space->module(space->context, ip, &base, &size) <= 0
						  ? step_from_no_module(&own, &caller)
					  : machine == UNWIND_I386  ? rs_unwind_step_x86(&own, base, ip, &caller)
					  : machine == UNWIND_AMD64 ? rs_unwind_step_x64(&own, base, ip, &caller)
								    : rs_unwind_step_arm64(&own, base, ip, &caller);
	if (unwind_found_caller(result))
		*frame = caller;
	return result;
}
