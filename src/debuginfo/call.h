/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call.h - whether code ends with a call
 *
 * The address after a call is a return address.  If the call never returns, the compiler may put no code after it, so that
 * the return address in a backtrace lies outside the function.
 */
#ifndef DEBUGINFO_CALL_H
#define DEBUGINFO_CALL_H

#include "debuginfo/reading.h"

/* Whether the code from BEGIN up to END (RVAs) ends with a call, and the section goes on at END.  An instruction must begin
   at BEGIN. */
bool call_ends_at(const struct reading *reading, uint32_t begin, uint32_t end);

#endif
