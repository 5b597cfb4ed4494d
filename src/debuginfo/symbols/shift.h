/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shift.h - finds by how much an image was moved after the link
 *
 * Programs such as rebase give an image another base: they change its headers and what base relocations name.  Addresses
 * in DWARF and stabs stay as they were.  Symbols are relative to sections, so the difference between the address of a
 * function in debug information and in symbols is the shift.
 *
 * Nearly no image was moved, and reading names costs time.  So first rs_shift_test() looks at the beginnings of a few units,
 * where symbols should be.  If most of these have none, rs_shift_compare() looks at names.
 */
#ifndef DEBUGINFO_SYMBOLS_SHIFT_H
#define DEBUGINFO_SYMBOLS_SHIFT_H

#include "debuginfo/base/reading.h"

enum { SHIFT_TESTS = 128 }; /* at most so many units are tested */

struct shift {
	struct reading *reading;
	uint32_t tested, labelled, inside; /* units: tested, those that begin at a label, those that begin in code */
	uint32_t searches;
	bool known, differs;
	uint64_t distance, other; /* DISTANCE is valid if KNOWN, OTHER if DIFFERS */
};

/* Test the beginning of a unit: whether it is INSIDE the code of the image, and then at which RVA. */
void rs_shift_test(struct shift *shift, bool inside, uint32_t rva);

/* Compare ADDRESS, at which debug information has the function NAME, with the symbols.  Returns 1 if the symbol was
   found, 0 if not; or -1 after storing an error. */
int rs_shift_compare(struct shift *shift, const char *name, size_t length, uint64_t address);

/* Visit the units that CONTEXT is for, as long as there is something to find out: call rs_shift_test() for some; if COMPARES,
   rs_shift_compare() for functions.  Returns 0, or -1 after storing an error. */
typedef int rs_shift_visit(void *context, struct shift *shift, bool compares);

/* Find out with VISIT by how much the image was moved, unless FOUND, which is zeros at first, has it; and correct
   reading->symbols.base.  WHAT is the kind of debug information.  Returns 1; 0 after a warning, if it cannot be used
   because functions had different shifts; or -1 after storing an error. */
int rs_shift_correct(struct reading *reading, struct shift_found *found, const char *what, rs_shift_visit *visit,
		     void *context);

#endif
