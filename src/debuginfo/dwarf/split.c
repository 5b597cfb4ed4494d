// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * split.c - the scopes of a unit whose entries are in a .dwo file
 *
 * gcc -gsplit-dwarf writes the entries of a unit into another file, NAME.dwo, an object file with one unit.  The image
 * keeps a skeleton of the unit, with the line table and the addresses.  Both have the same id, which each compilation
 * makes anew.
 */
#include "config.h"
#include "debuginfo/dwarf/constants.h"
#include "debuginfo/dwarf/entries.h"
#include "debuginfo/dwarf/header.h"
#include "debuginfo/dwarf/scope.h"
#include "debuginfo/dwarf/split.h"

#include <string.h>

/* Find the unit with the id of UNIT among SECTIONS, and store its header in *RET.  Returns 1, 0 if there is none or
   UNIT has no id, or -1 without memory. */
static int find_unit(struct dw_unit *unit, const struct dw_sections *sections, struct unit_header *ret)
{
	uint32_t size = sections->items[DW_INFO].size;
	for (uint32_t at = 0; unit->header.dwo_id != 0 && at < size && unit_work(unit, WORK_RANGE);) {
		struct dw_unit other = { .reader = unit->reader, .sections = sections };
		enum header_result result = unit_read_header(&other, at);
		bool is_empty;
		if (result == HEADER_LAST)
			break;
		at = other.header.next;
		if (result != HEADER_READ || other.header.kind == DW_UT_split_type ||
		    other.header.encoding.version != unit->header.encoding.version ||
		    other.header.encoding.address_size != unit->header.encoding.address_size)
			continue;
		/* Before DWARF 5 an attribute has the id. */
		if (unit_read_own_entry(&other, &is_empty) == UNIT_FATAL)
			return -1;
		*ret = other.header;
		if (ret->dwo_id == unit->header.dwo_id)
			return 1;
	}
	return 0;
}

/* Read the scopes of UNIT from SECTIONS of the file at PATH, and name them, since the file is closed after this.  Sets
   *FOUND if the file has the unit. */
static enum outcome read_entries(struct dw_unit *unit, const struct dw_sections *sections, const char *path,
				 bool *found)
{
	struct dw_reader *reader = unit->reader;
	const uint32_t first = reader->scope_count;
	const struct dw_sections *image = unit->sections;
	const struct unit_header skeleton = unit->header;
	struct unit_header header;
	int has = find_unit(unit, sections, &header);
	if (has < 0)
		return UNIT_FATAL;
	if (has == 0) {
		unit_warn(unit, "DWARF unit at 0x%llx: %s is of another build, and not read",
			  (unsigned long long)skeleton.start, path);
		return UNIT_OK;
	}
	*found = true;
	unit->sections = sections;
	unit->header = header;
	unit->is_split = true;
	enum outcome outcome = unit_read_scopes(unit);
	if (outcome == UNIT_OK && dw_name_scopes(reader, first, skeleton.start) < 0)
		outcome = UNIT_FATAL;
	unit->header = skeleton;
	unit->sections = image;
	if (unit->is_partial) {
		unit_warn_unread(unit);
		/* COFF symbols may still know a name for the code of a unit without entries. */
		unit->is_partial = unit->has_functions = false;
	}
	return outcome;
}

/* Read the scopes of UNIT from FILE. */
static enum outcome read_file(struct dw_unit *unit, const struct debuginfo_file *file, bool *found)
{
	struct dw_reader *reader = unit->reader;
	struct dw_sections sections = { .size = 0 };
	struct reading reading = *reader->reading;
	struct rs_source source = { .memory = file->bytes, .fd = -1, .size = file->size };
	struct rossym_error err;
	struct rs_pe pe = { .machine = 0 };
	enum outcome outcome = UNIT_OK;

	reading.symbols = (struct symbol_file){ .pe = &pe, .source = &source };
	reading.err = &err;
	pe.wide = reader->reading->symbols.pe->wide;
	if (rs_pe_read_object(&pe, &source, &err) < 0 || dw_sections_find(&sections, &reading, &reader->sections) <= 0)
		unit_warn(unit, "DWARF unit at 0x%llx: %s is no .dwo file", (unsigned long long)unit->header.start,
			  file->path);
	else
		outcome = read_entries(unit, &sections, file->path, found);
	/* Another file's sections can have these addresses later. */
	reader->abbreviations.at = NULL;
	dw_sections_clear(&sections);
	rs_pe_clear(&pe);
	return outcome;
}

/* The number of the first file whose name is not below NAME.  Files ascend by name; two of a name are from
   different directories. */
static uint32_t first_file(const struct debuginfo_options *options, const char *name)
{
	uint32_t low = 0, high = options->dwo_count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (strcmp(reading_last_part(options->dwos[middle].path), name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

enum outcome unit_read_split(struct dw_unit *unit)
{
	const struct debuginfo_options *options = unit->reader->reading->options;
	const char *name = reading_last_part(unit->dwo_name);
	enum outcome outcome = UNIT_OK;
	bool found = false;
	unit->reader->extent_count = 0;
	for (uint32_t i = first_file(options, name); i < options->dwo_count && outcome == UNIT_OK && !found; i++) {
		if (strcmp(reading_last_part(options->dwos[i].path), name) != 0)
			break;
		outcome = read_file(unit, &options->dwos[i], &found);
	}
	if (outcome == UNIT_OK && !found)
		unit_warn(unit, "DWARF unit at 0x%llx: its functions and inlined calls are in %s, which was not found",
			  (unsigned long long)unit->header.start, name);
	return outcome;
}
