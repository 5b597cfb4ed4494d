/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call.h - whether code ends with a call
 *
 * The address after a call is a return address.  Where the call does not return, no code of the function follows, and
 * the return address in a backtrace lies outside of it.
 */
#ifndef DEBUGINFO_CALL_H
#define DEBUGINFO_CALL_H

#include "debuginfo/reading.h"

/* Whether the code from BEGIN, where an instruction begins, up to END (RVAs) ends with a call and its section goes on
   at END. */
bool call_ends_at(const struct reading *reading, uint32_t begin, uint32_t end);

#endif
