// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "dump/input.h"
#include "core/bytes.h"

bool dump_read(const struct dump_input *input, uint64_t offset, void *bytes, size_t size)
{
	return rs_in_range(offset, size, input->size) && input->read(input->context, offset, bytes, size);
}

static void add(struct dump_problems *problems, const char *what, const char *at, uint64_t number, const char *wrong)
{
	if (++problems->count > DUMP_PROBLEMS)
		return;
	text_add(&problems->text, what);
	text_add(&problems->text, at);
	text_add_hex(&problems->text, number);
	text_add(&problems->text, ": ");
	text_add(&problems->text, wrong);
	text_add_char(&problems->text, '\n');
}

void dump_problem(struct dump_problems *problems, const char *what, uint64_t offset, const char *wrong)
{
	add(problems, what, " at offset 0x", offset, wrong);
}

void dump_problem_in_memory(struct dump_problems *problems, const char *what, uint64_t address, const char *wrong)
{
	add(problems, what, " at address 0x", address, wrong);
}
