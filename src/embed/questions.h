/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * questions.h - how a child without rights learns which files are in the source tree
 *
 * The child sends a name to its parent, on the pipe on which it sends everything else, and waits for one byte on a
 * second pipe: whether the source tree has a file of that name.  The parent trusts the names as little as those in
 * a file.
 */
#ifndef ASK_H
#define ASK_H

#include "tool/tree.h"

struct questions {
	struct tree *tree;
	size_t asked;
	int reading, writing; /* the ends of the pipe for answers: the child's and the parent's */
};

/* Make the pipe, before the child starts.  Returns false if that fails; errno says why. */
bool questions_open(struct questions *ask, struct tree *tree);
void questions_close(struct questions *ask);

/* In the child, which must have closed ask->writing: wait for the answer to a question, and return it. */
bool questions_wait(struct questions *ask);

/* In the parent: answer the question for NAME.  Returns false if the child asks too often or does not read the
   answers; then the caller gives up on this child. */
bool questions_answer(struct questions *ask, const char *name);

#endif
