/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run.h - runs --diff */
#ifndef DIFF_RUN_H
#define DIFF_RUN_H

#include "diff/diff.h"
#include "tool/input.h"

/* Compare the addresses of INPUT, whose visitor this sets, or those that request->all asks for.  Returns the exit
   status; DIFF_TROUBLE after a message. */
int diff_run(struct diff *diff, struct input *input);

#endif
