// SPDX-License-Identifier: GPL-2.0-or-later
/* step.c - the public functions that step from a frame to its caller, and name how the caller was found */
#include "config.h"
#include "lib/base/error.h"
#include "unwind/unwind.h"

int rossym_unwind_step(const struct rossym_unwind_space *given, struct rossym_unwind_frame *result,
		       struct rossym_error *err)
{
	struct rossym_unwind_space known;
	struct rossym_unwind_frame frame;
	if (rs_sized_copy_in(&known, sizeof known, sizeof known, given, err) < 0 ||
	    rs_sized_copy_in(&frame, sizeof frame, sizeof frame, result, err) < 0)
		return -1;
	if (!known.read || !known.module)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "the space has no function `read` or `module`");
	if (frame.machine != ROSSYM_MACHINE_X86 && frame.machine != ROSSYM_MACHINE_X64 &&
	    frame.machine != ROSSYM_MACHINE_ARM64)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "machine 0x%x has no unwinder", (unsigned)frame.machine);
	const struct unwind_space space = { .read = known.read,
					    .module = known.module,
					    .section = known.read_image ? known.section : NULL,
					    .read_image = known.read_image,
					    .frame_data = known.frame_data,
					    .context = known.context };
	const enum unwind_result status = rs_unwind_step(&space, &frame);
	frame.how = (int)status;
	rs_sized_fill(result, &frame, sizeof frame);
	return unwind_found_caller(status);
}

const char *rossym_unwound_text(enum rossym_unwound how)
{
	switch (how) {
	case ROSSYM_UNWOUND_CONTEXT:
		return "context";
	case ROSSYM_UNWOUND_INFO:
		return "unwound";
	case ROSSYM_UNWOUND_POINTER:
		return "frame pointer";
	case ROSSYM_UNWOUND_SCANNED:
		return "scanned";
	case ROSSYM_UNWOUND_END:
		return "end of the stack";
	case ROSSYM_UNWOUND_MEMORY:
		return "memory is not known";
	case ROSSYM_UNWOUND_NOWHERE:
		return "no unwind information";
	case ROSSYM_UNWOUND_DAMAGED:
		return "unwind information or stack are damaged";
	}
	return "unknown";
}
