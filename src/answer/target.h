/* SPDX-License-Identifier: GPL-2.0-or-later */
/* target.h - the names of BFD targets, for -b and GNUTARGET */
#ifndef ANSWER_TARGET_H
#define ANSWER_TARGET_H

#include <stdbool.h>

/* Whether NAME is a BFD target for PE, the configuration triplet of a system that has PE, or "default".  Each of them
   is accepted for any PE image, as by GNU addr2line up to 2.45. */
bool target_is_pe(const char *name);

#endif
