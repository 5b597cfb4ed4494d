// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "dump/address-space.h"
#include "dump/dump-module.h"
#include "lib/base/alloc.h"

/* Store the addresses of all modules; a module whose data cannot be read gets size 0.  False: no heap memory left. */
static bool read_module_ranges(struct dump_space *space)
{
	const uint32_t count = space->dump->module_count;
	space->modules = rs_alloc((size_t)count + 1, sizeof *space->modules);
	if (!space->modules || !rs_dump_pieces_begin(&space->sorted, UINT64_MAX, count))
		return false;
	for (uint32_t i = 0; i < count; i++) {
		struct dump_module module = { .size = 0 };
		(void)rs_dump_read_module(space->dump, i, false, &module);
		space->modules[i] = (struct dump_range){ module.base, module.size };
		rs_dump_pieces_add(&space->sorted, (struct dump_piece){ module.base, module.size, (uint64_t)i << 32 });
	}
	rs_dump_pieces_sort_and_cut(&space->sorted);
	return true;
}

bool rs_dump_space_open(struct dump_space *space, const struct dump_contents *dump,
			const struct dump_image_source *images)
{
	*space = (struct dump_space){ .dump = dump };
	return read_module_ranges(space) && rs_dump_images_open(&space->images, dump, images);
}

void rs_dump_space_close(struct dump_space *space)
{
	rs_free(space->modules);
	rs_dump_pieces_clear(&space->sorted);
	rs_dump_images_close(&space->images);
}

uint32_t rs_dump_space_find_module(const struct dump_space *space, uint64_t address)
{
	uint64_t offset, gap;
	return rs_dump_pieces_find(&space->sorted, address, &offset, &gap) ? (uint32_t)(offset >> 32)
									   : space->dump->module_count;
}

/* Read up to SIZE bytes at the virtual address ADDRESS from the image of the module that is there.  Returns how many
   were read; 0: none can be read. */
static size_t read_memory_from_image(struct dump_space *space, uint64_t address, void *bytes, size_t size)
{
	const uint32_t number = rs_dump_space_find_module(space, address);
	if (number == space->dump->module_count)
		return 0;
	const struct dump_range *range = &space->modules[number];
	const uint32_t rva = (uint32_t)(address - range->base), room = range->size - rva;
	const size_t n = size < room ? size : room;
	return rs_dump_images_read(&space->images, number, rva, bytes, n) ? n : 0;
}

/* Count a read of SIZE bytes as 1, and 1 more for each ONE_READ bytes.  Returns false, and does not count it, if the
   reads so far have reached DUMP_READS: then the caller must not read. */
static bool count_read_if_allowed(struct dump_space *space, size_t size)
{
	enum { ONE_READ = 32 };
	if (space->reads >= DUMP_READS)
		return false;
	space->reads += 1 + (uint32_t)(size / ONE_READ);
	return true;
}

/* Read SIZE bytes at ADDRESS from the dump; read bytes that it lacks from images.  False: some bytes cannot be read. */
static int read_memory(void *context, uint64_t address, void *bytes, size_t size)
{
	struct dump_space *space = context;
	if (!count_read_if_allowed(space, size))
		return false;
	for (char *to = bytes; size > 0;) {
		uint64_t gap;
		size_t n = rs_dump_memory_read(&space->dump->memory, address, to, size, &gap);
		if (n == 0)
			n = read_memory_from_image(space, address, to, gap < size ? (size_t)gap : size);
		if (n == 0)
			return false;
		to += n;
		address += n;
		size -= n;
	}
	return true;
}

static int find_module(void *context, uint64_t address, uint64_t *base, uint32_t *size)
{
	struct dump_space *space = context;
	const uint32_t i = count_read_if_allowed(space, 0) ? rs_dump_space_find_module(space, address)
							   : space->dump->module_count;
	if (i == space->dump->module_count)
		return false;
	*base = space->modules[i].base;
	*size = space->modules[i].size;
	return true;
}

/* Find a section in the image of the module at BASE; or, if there is no image, in the module's memory.  The loader has
   relocated that memory for the load address, so `linked_at` becomes BASE. */
static int find_section(void *context, uint64_t base, const char *name, struct rossym_unwind_section *section)
{
	enum { HEADERS = 4096 }; /* reading a section table counts as a read of so many bytes */
	struct dump_space *space = context;
	const uint32_t number = rs_dump_space_find_module(space, base);
	if (rs_dump_images_has_image(&space->images, number, &section->linked_at))
		return rs_dump_images_find_section(&space->images, number, name, &section->rva, &section->length);
	section->linked_at = base;
	return number < space->dump->module_count && count_read_if_allowed(space, HEADERS) &&
	       rs_dump_find_mapped_section(&space->dump->memory, &space->modules[number], name, &section->rva,
					   &section->length);
}

/* Read SIZE bytes at RVA of the module at BASE: from its image; or, if there is no image, from the module's memory. */
static int read_module_image(void *context, uint64_t base, uint32_t rva, void *bytes, size_t size)
{
	struct dump_space *space = context;
	const uint32_t number = rs_dump_space_find_module(space, base);
	if (!count_read_if_allowed(space, size))
		return false;
	if (rs_dump_images_has_image(&space->images, number, NULL))
		return rs_dump_images_read(&space->images, number, rva, bytes, size);
	return number < space->dump->module_count &&
	       rs_dump_read_mapped(&space->dump->memory, &space->modules[number], rva, bytes, size);
}

static int find_frame_data(void *context, uint64_t base, uint32_t rva, struct rossym_unwind_frame_data *data)
{
	struct dump_space *space = context;
	return count_read_if_allowed(space, 0) &&
	       rs_dump_find_frame_data(&space->images, rs_dump_space_find_module(space, base), rva, data);
}

struct unwind_space rs_dump_space_for_unwinder(struct dump_space *space)
{
	return (struct unwind_space){ .read = read_memory,
				      .module = find_module,
				      .section = find_section,
				      .read_image = read_module_image,
				      .frame_data = find_frame_data,
				      .context = space };
}
