/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ask.h - how a child without rights learns which files are in the source tree
 *
 * It asks its parent, with the pipe on which it sends everything else, and waits for one byte on a pipe of its own.  The
 * parent judges the name like one from a file.
 */
#ifndef ASK_H
#define ASK_H

#include "tool/tree.h"

struct ask {
	struct tree *tree;
	size_t asked;
	int ends[2];		/* of the pipe for answers */
};

/* Before the child starts.  False: errno says why. */
bool ask_open(struct ask *ask, struct tree *tree);
void ask_close(struct ask *ask);

/* In the child: at first, and to wait for an answer. */
void ask_begin(struct ask *ask);
bool ask_wait(struct ask *ask);

/* In the parent: answer for NAME.  False if the child asks too often or takes no answers: then it is not to be trusted. */
bool ask_answer(struct ask *ask, const char *name);

#endif
