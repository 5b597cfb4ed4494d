/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * constants.h - names that stand for numbers of the linker, not for code
 *
 * rsym stores GNU ld's absolute symbols (the section alignment, the stack size ...) as if their values were RVAs.
 * They end up as rows of their own, and as the function of real lines that follow them.
 */
#ifndef RS_CONSTANTS_H
#define RS_CONSTANTS_H

#include <stdbool.h>

/* Whether NAME is one of them, with any number of leading underscores. */
bool rs_is_linker_constant(const char *name);

#endif
