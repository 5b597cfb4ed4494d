// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "unwind/unwind.h"

enum unwind_result rs_unwind_step(const struct unwind_space *space, struct rossym_unwind_frame *frame)
{
	const unsigned machine = frame->machine;
	struct rossym_unwind_frame caller = *frame;
	struct unwind_space own = *space;
	own.machine = machine;
	caller.proved = 0;
	const enum unwind_result result = machine == UNWIND_I386    ? rs_unwind_step_x86(&own, &caller)
					  : machine == UNWIND_AMD64 ? rs_unwind_step_x64(&own, &caller)
								    : rs_unwind_step_arm64(&own, &caller);
	if (unwind_is_frame(result))
		*frame = caller;
	return result;
}
