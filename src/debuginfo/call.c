// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "debuginfo/call.h"
#include "core/bytes.h"
#include "unwind/calls.h"

#include <string.h>

/* unwind_space.read: addresses are those of the image at its image base. */
static bool read_call_bytes(void *context, uint64_t address, void *bytes, size_t size)
{
	const struct reading *reading = context;
	const struct rs_source *source = reading->source;
	const uint64_t rva = address - reading->pe->image_base;
	const struct code *code = rs_reading_code_at(reading, rva);
	const bool known = code && code->offset, header = !known && rva < reading->pe->headers;
	if (known && size > code->end - rva)
		return false;
	const uint64_t offset = known	 ? code->offset + (rva - code->begin)
				: header ? rva
					 : rs_pe_in_file(reading->pe, source, rva, size);
	const uint8_t *found = header || offset > 0 ? rs_source_bytes(source, offset, size) : NULL;
	if (found)
		memcpy(bytes, found, size);
	return found;
}

static bool find_image(void *context, uint64_t address, uint64_t *base, uint32_t *size)
{
	const struct reading *reading = context;
	*base = reading->pe->image_base;
	*size = reading->pe->size_of_image;
	return address - *base < *size;
}

static bool is_code_address(void *context, uint64_t address)
{
	const struct reading *reading = context;
	return rs_reading_code_at(reading, address - reading->pe->image_base) != NULL;
}

bool rs_call_ends_at(struct reading *reading, uint32_t begin, uint32_t end)
{
	const struct unwind_space space = { .read = read_call_bytes,
					    .module = find_image,
					    .context = reading,
					    .machine = reading->pe->machine,
					    .code = is_code_address };
	const struct code *code = rs_reading_code_at(reading, begin);
	uint64_t target;
	return code && code->offset && end > begin && end < code->end &&
	       rs_unwind_find_call(&space, reading->pe->image_base + end, end - begin, &target);
}
