// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/crash/print.h"
#include "log/crash/block.h"
#include "log/crash/table.h"

/* Print BLOCK as Markdown's block of code, with a fence that is longer than any run of grave accents in it. */
static void print_fenced(struct out *out, const struct text *block)
{
	size_t run = 0, longest = 2;
	for (size_t i = 0; i < block->length; i++) {
		run = block->bytes[i] == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	for (size_t i = 0; i <= longest; i++)
		out_char(out, '`');
	out_text(out, "text\n");
	out_bytes(out, block->bytes, block->length);
	for (size_t i = 0; i <= longest; i++)
		out_char(out, '`');
	out_char(out, '\n');
}

static void print(struct out *out, const struct text *block, bool markdown)
{
	if (block->length > 0 && markdown)
		print_fenced(out, block);
	else if (block->length > 0)
		out_bytes(out, block->bytes, block->length);
}

void crashes_print(struct out *out, struct crashes *crashes, bool markdown)
{
	struct text block = { .bytes = NULL };
	if (crashes->log_count > 1)
		table_add(&block, crashes);
	print(out, &block, markdown);
	for (size_t i = 0; i < crashes->count; i++) {
		if (i > 0 || crashes->log_count > 1)
			out_char(out, '\n');
		block.length = 0;
		block_add(&block, crashes, i);
		print(out, &block, markdown);
	}
	crashes->no_memory |= block.no_memory;
	text_clear(&block);
}
