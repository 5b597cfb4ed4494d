/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dump-input.h - the bytes of a dump, and what is wrong with them */
#ifndef DUMP_DUMP_INPUT_H
#define DUMP_DUMP_INPUT_H

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
bool rs_dump_read(const struct dump_input *input, uint64_t offset, void *bytes, size_t size);

/* What is wrong with a dump, and who hears it. */
struct dump_problems {
	/* WHAT, at offset NUMBER of the file or, if IN_MEMORY, at this address of the memory that the dump is of, is WRONG: two
	   static strings.  NULL: nobody hears it. */
	void (*say)(void *context, const char *what, bool in_memory, uint64_t number, const char *wrong);
	void *context;
	uint32_t count; /* so many there are */
};

/* WHAT, which is at OFFSET of the file, is WRONG. */
void rs_dump_problem(struct dump_problems *problems, const char *what, uint64_t offset, const char *wrong);
/* ... which is at ADDRESS of the memory that the dump is of. */
void rs_dump_problem_in_memory(struct dump_problems *problems, const char *what, uint64_t address, const char *wrong);

#endif
