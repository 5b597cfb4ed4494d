/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare.h - finds in what ways two answers for one address differ
 *
 * "Here" is the answer of the .rossym table, "there" that of the reference.  A function can have many names: _foo@8,
 * @foo@8 and foo; foo.part.0; _ZN2io3Irp8completeEi and, as ReactOS's rsym writes it, Irp::complete.  A file can have
 * many paths, which depend on the directory in which the compiler ran.
 */
#ifndef DIFF_COMPARE_H
#define DIFF_COMPARE_H

#include "diff/diff.h"

/* The frames of an answer, the innermost first.  COUNT is 0 if nothing is known.  Of each frame, only function, file and
   line are used; NULL and 0 mean unknown. */
struct diff_answer {
	const struct rossym_frame *frames;
	size_t count;
};

/* Compare what the options ask for.  Returns the classes of all differences as a sum of DIFF_BIT()s; 0 if the answers agree. */
unsigned diff_compare(const struct diff *diff, const struct diff_answer *here, const struct diff_answer *there);

#endif
