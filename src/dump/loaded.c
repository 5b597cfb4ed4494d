// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "dump/loaded.h"
#include "dump/dump-module.h"
#include "core/bytes.h"
#include "lib/base/alloc.h"

static const char what[] = "the list of modules";

/* Store in *NEXT the address of the list entry after the entry at ADDRESS, whose first field points to the next. */
static bool read_next_address(const struct dump_loaded *loaded, uint64_t address, uint64_t *next)
{
	uint8_t link[8] = { 0 };
	if (!rs_dump_memory_read_all(loaded->memory, address, link, loaded->wide ? 8 : 4))
		return false;
	*next = rs_le64(link);
	return true;
}

static bool is_already_listed(const struct dump_loaded *loaded, uint64_t entry)
{
	uint32_t i = 0;
	while (i < loaded->count && loaded->entries[i] != entry)
		i++;
	return i < loaded->count;
}

bool rs_dump_loaded_open(struct dump_loaded *loaded, const struct dump_memory *memory, bool wide, uint64_t head,
			 struct dump_problems *problems)
{
	const char *wrong = NULL;
	uint64_t at = head, next;
	*loaded = (struct dump_loaded){ memory, wide, rs_alloc(DUMP_LOADED, sizeof *loaded->entries), 0 };
	if (!loaded->entries)
		return false;
	while (!wrong) {
		if (!read_next_address(loaded, at, &next))
			wrong = "is in memory that the dump does not have";
		else if (next == head)
			return true;
		else if (is_already_listed(loaded, next))
			wrong = "leads back to an entry before";
		else if (loaded->count == DUMP_LOADED)
			wrong = "has more entries than are read";
		else
			at = loaded->entries[loaded->count++] = next;
	}
	/* Drop the last entry if it cannot be read. */
	loaded->count -= loaded->count > 0 && !read_next_address(loaded, at, &next);
	rs_dump_add_problem_in_memory(problems, what, at, wrong);
	return true;
}

void rs_dump_loaded_close(struct dump_loaded *loaded)
{
	rs_free(loaded->entries);
	*loaded = (struct dump_loaded){ .entries = NULL };
}

/* Read the name of ENTRY: from its file name, or from the end of its path if FULL.  False: it is empty or too long, or
   cannot be read. */
static bool read_name(const struct dump_loaded *loaded, const uint8_t *entry, bool full, char *name)
{
	uint8_t units[2 * DUMP_UNITS];
	uint64_t address;
	const uint32_t length = rs_loader_entry_read_name(loaded->wide, entry, full, &address);
	if (length == 0 || length > sizeof units || !rs_dump_memory_read_all(loaded->memory, address, units, length))
		return false;
	rs_dump_name(name, units, length / 2);
	return name[0];
}

bool rs_dump_loaded_read_module(const struct dump_loaded *loaded, uint32_t i, bool whole, struct dump_module *module)
{
	uint8_t entry[LOADER_ENTRY_SIZE_MAX];
	if (i >= loaded->count ||
	    !rs_dump_memory_read_all(loaded->memory, loaded->entries[i], entry, rs_loader_entry_size(loaded->wide)))
		return false;
	rs_loader_entry_read_module(loaded->wide, entry, module);
	if (!whole)
		return true;
	rs_image_headers_read(loaded->memory, module);
	if (!read_name(loaded, entry, false, module->name) && !read_name(loaded, entry, true, module->name))
		module->name[0] = '\0';
	return true;
}
