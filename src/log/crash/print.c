// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/crash/print.h"
#include "log/crash/crash-block.h"
#include "log/crash/crash-table.h"

static void print(struct out *out, struct strbuf *block, bool markdown)
{
	struct strbuf fenced = { .bytes = NULL };
	if (block->length > 0 && markdown)
		block_add_fenced(&fenced, block);
	const struct strbuf *shown = markdown ? &fenced : block;
	if (shown->length > 0)
		out_bytes(out, shown->bytes, shown->length);
	block->no_memory |= fenced.no_memory;
	strbuf_clear(&fenced);
}

void crashes_print(struct out *out, struct crashes *crashes, bool markdown)
{
	struct strbuf block = { .bytes = NULL };
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
	strbuf_clear(&block);
}
