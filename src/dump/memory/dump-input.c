// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "dump/memory/dump-input.h"
#include "core/bytes.h"

#include <string.h>

bool rs_dump_read(const struct dump_input *input, uint64_t offset, void *bytes, size_t size)
{
	return rs_in_range(offset, size, input->size) && input->read(input->context, offset, bytes, size);
}

static void say_problem(struct dump_problems *problems, const char *what, bool in_memory, uint64_t number,
			const char *wrong)
{
	for (uint32_t i = 0; i < problems->count && i < DUMP_KNOWN_PROBLEMS_MAX; i++)
		if (problems->known[i].number == number && strcmp(problems->known[i].what, what) == 0 &&
		    strcmp(problems->known[i].wrong, wrong) == 0)
			return;
	if (problems->count < DUMP_KNOWN_PROBLEMS_MAX)
		problems->known[problems->count] = (struct dump_problem){ what, wrong, number };
	problems->count += problems->count < UINT32_MAX;
	if (problems->say)
		problems->say(problems->context, what, in_memory, number, wrong);
}

void rs_dump_add_problem(struct dump_problems *problems, const char *what, uint64_t offset, const char *wrong)
{
	say_problem(problems, what, false, offset, wrong);
}

void rs_dump_add_problem_in_memory(struct dump_problems *problems, const char *what, uint64_t address,
				   const char *wrong)
{
	say_problem(problems, what, true, address, wrong);
}
