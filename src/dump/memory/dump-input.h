/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dump-input.h - reads the bytes of a dump; reports what is wrong with them */
#ifndef DUMP_MEMORY_DUMP_INPUT_H
#define DUMP_MEMORY_DUMP_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dump_input {
	/* Read SIZE bytes at OFFSET, which are within the file.  False: they cannot be read. */
	bool (*read)(void *context, uint64_t offset, void *bytes, size_t size);
	void *context;
	uint64_t size; /* of the file, in bytes */
};

/* Read SIZE bytes at OFFSET.  False: some of them are past the end of the file, or cannot be read. */
bool rs_dump_read(const struct dump_input *input, uint64_t offset, void *bytes, size_t size);

enum { DUMP_KNOWN_PROBLEMS_MAX = 64 };

struct dump_problem {
	const char *what, *wrong;
	uint64_t number;
};

/* Where problems of a dump are reported.  A problem is found again whenever its bytes are read again, but each of the
   first DUMP_KNOWN_PROBLEMS_MAX is reported and counted once.  Later ones are reported and counted each time. */
struct dump_problems {
	/* Report a problem in static strings: WHAT, such as "the header", and what is WRONG, such as "is too short".
	   WHAT is at offset NUMBER of the file or, if IN_MEMORY, at address NUMBER of the memory that was dumped.
	   say() may be NULL: problems are then only counted. */
	void (*say)(void *context, const char *what, bool in_memory, uint64_t number, const char *wrong);
	void *context;
	uint32_t count;					    /* how many problems there were */
	struct dump_problem known[DUMP_KNOWN_PROBLEMS_MAX]; /* the first of them */
};

/* Report that WHAT, at OFFSET of the file, is WRONG. */
void rs_dump_add_problem(struct dump_problems *problems, const char *what, uint64_t offset, const char *wrong);
/* Report that WHAT, at ADDRESS of the memory that was dumped, is WRONG. */
void rs_dump_add_problem_in_memory(struct dump_problems *problems, const char *what, uint64_t address,
				   const char *wrong);

#endif
