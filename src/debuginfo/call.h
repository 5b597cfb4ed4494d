/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call.h - whether code ends with a call
 *
 * The address after a call is its return address.  If the called function never returns, the compiler may put no code
 * after the call.  Then the return address in a backtrace belongs to the code that follows, and a look-up would name
 * another function.
 */
#ifndef DEBUGINFO_CALL_H
#define DEBUGINFO_CALL_H

#include "debuginfo/base/reading.h"

/* Whether the code from BEGIN up to END (RVAs) ends with a call, and END is in the same section.  BEGIN must be the
   beginning of an instruction. */
bool rs_call_ends_at(struct reading *reading, uint32_t begin, uint32_t end);

#endif
