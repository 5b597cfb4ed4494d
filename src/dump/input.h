/* SPDX-License-Identifier: GPL-2.0-or-later */
/* input.h - the bytes of a dump, and what is wrong with them */
#ifndef DUMP_INPUT_H
#define DUMP_INPUT_H

#include "tool/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dump_input {
	/* Read SIZE bytes at OFFSET, which are within the file.  False: it cannot be read. */
	bool (*read)(void *context, uint64_t offset, void *bytes, size_t size);
	void *context;
	uint64_t size; /* of the file */
};

/* False: some of these bytes are past the end of the file, or cannot be read. */
bool dump_read(const struct dump_input *input, uint64_t offset, void *bytes, size_t size);

enum { DUMP_PROBLEMS = 20 }; /* that are said */

/* All zeros: there is none. */
struct dump_problems {
	struct text text; /* a line for each of the first DUMP_PROBLEMS */
	unsigned count;
};

/* WHAT, which is at OFFSET of the file, is WRONG. */
void dump_problem(struct dump_problems *problems, const char *what, uint64_t offset, const char *wrong);

/* ... which is at ADDRESS of the memory that the dump is of. */
void dump_problem_in_memory(struct dump_problems *problems, const char *what, uint64_t address, const char *wrong);

#endif
