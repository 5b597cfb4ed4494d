// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "dump/contents.h"

#include <string.h>

bool rs_dump_is(const uint8_t *bytes)
{
	return memcmp(bytes, MINIDUMP_SIGNATURE, 4) == 0 || rs_kernel_dump_is(bytes);
}

bool rs_dump_contents_open(struct dump_contents *dump, const struct dump_input *input, struct dump_problems *problems)
{
	uint8_t bytes[DUMP_SIGNATURE];
	memset(dump, 0, sizeof *dump);
	dump->is_kernel = rs_dump_read(input, 0, bytes, sizeof bytes) && rs_kernel_dump_is(bytes);
	dump->memory.input = input;
	const bool good = dump->is_kernel ? rs_kernel_dump_open(&dump->kernel, input, &dump->memory, problems)
					  : rs_minidump_open(&dump->minidump, input, problems) &&
						    rs_minidump_fill(&dump->minidump, &dump->memory.pieces);
	dump->module_count = dump->is_kernel ? rs_kernel_dump_module_count(&dump->kernel)
					     : dump->minidump.modules.count;
	return good;
}

void rs_dump_contents_close(struct dump_contents *dump)
{
	if (dump->is_kernel)
		rs_kernel_dump_close(&dump->kernel);
	else
		rs_minidump_close(&dump->minidump);
	rs_dump_memory_clear(&dump->memory);
}

bool rs_dump_module(const struct dump_contents *dump, uint32_t i, struct dump_module *module)
{
	return dump->is_kernel ? rs_kernel_dump_read_module(&dump->kernel, i, module)
			       : rs_minidump_read_module(&dump->minidump, i, module);
}

bool rs_dump_range(const struct dump_contents *dump, uint32_t i, uint64_t *base, uint32_t *size)
{
	return dump->is_kernel ? rs_kernel_dump_read_range(&dump->kernel, i, base, size)
			       : rs_minidump_read_range(&dump->minidump, i, base, size);
}
