/* SPDX-License-Identifier: GPL-2.0-or-later */
/* target.h - the names of BFD targets, as -b and GNUTARGET have them */
#ifndef ANSWER_TARGET_H
#define ANSWER_TARGET_H

#include <stdbool.h>

/* Whether NAME is a BFD target for PE, the configuration triplet of a system that has PE, or "default".  Any of them
   will do for any PE image, as for GNU addr2line up to 2.45. */
bool target_is_pe(const char *name);

#endif
