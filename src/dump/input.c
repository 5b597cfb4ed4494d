// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "dump/input.h"
#include "core/bytes.h"

bool dump_read(const struct dump_input *input, uint64_t offset, void *bytes, size_t size)
{
	return rs_in_range(offset, size, input->size) && input->read(input->context, offset, bytes, size);
}

void dump_problem(struct dump_problems *problems, const char *what, uint64_t offset, const char *wrong)
{
	if (++problems->count > DUMP_PROBLEMS)
		return;
	text_add(&problems->text, what);
	text_add(&problems->text, " at offset 0x");
	text_add_hex(&problems->text, offset);
	text_add(&problems->text, ": ");
	text_add(&problems->text, wrong);
	text_add_char(&problems->text, '\n');
}
