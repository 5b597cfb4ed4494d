// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "dump/contents.h"

#include <string.h>

bool dump_is(const uint8_t *bytes)
{
	return memcmp(bytes, MINIDUMP_SIGNATURE, 4) == 0 || kernel_dump_is(bytes);
}

bool dump_contents_open(struct dump_contents *dump, const struct dump_input *input, struct dump_problems *problems)
{
	uint8_t bytes[DUMP_SIGNATURE];
	memset(dump, 0, sizeof *dump);
	dump->is_kernel = dump_read(input, 0, bytes, sizeof bytes) && kernel_dump_is(bytes);
	dump->memory.input = input;
	const bool good = dump->is_kernel ? kernel_dump_open(&dump->kernel, input, &dump->memory, problems)
					  : minidump_open(&dump->minidump, input, problems) &&
						    minidump_fill(&dump->minidump, &dump->memory.pieces);
	dump->module_count = dump->is_kernel ? kernel_dump_module_count(&dump->kernel) : dump->minidump.modules.count;
	return good;
}

void dump_contents_close(struct dump_contents *dump)
{
	if (dump->is_kernel)
		kernel_dump_close(&dump->kernel);
	dump_memory_close(&dump->memory);
}

bool dump_module(const struct dump_contents *dump, uint32_t i, struct dump_module *module)
{
	return dump->is_kernel ? kernel_dump_module(&dump->kernel, i, module)
			       : minidump_module(&dump->minidump, i, module);
}

bool dump_range(const struct dump_contents *dump, uint32_t i, uint64_t *base, uint32_t *size)
{
	return dump->is_kernel ? kernel_dump_range(&dump->kernel, i, base, size)
			       : minidump_range(&dump->minidump, i, base, size);
}
