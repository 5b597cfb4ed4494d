// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dwarf-split.c - the scopes of a unit whose entries are in a .dwo file
 *
 * gcc -gsplit-dwarf writes the entries of a unit into another file, NAME.dwo, an object file with one unit.  The image
 * keeps a skeleton of the unit, with the line table and the addresses.  Both have the same id, which each compilation
 * makes anew.
 */
#include "config.h"
#include "debuginfo/dwarf-unit.h"

#include <string.h>

/* Before DWARF 5 the id is an attribute of the unit's entry, not a field of its header. */
static uint64_t unit_id(struct dwarf_reader *reader, const struct unit_header *header, Dwarf_Die die)
{
	Dwarf_Attribute attribute;
	Dwarf_Error error = NULL;
	uint64_t id = header->dwo_id;
	if (header->version >= 5)
		return id;
	int res = dwarf_attr(die, DW_AT_GNU_dwo_id, &attribute, &error);
	if (res == DW_DLV_ERROR)
		dwarf_dealloc_error(reader->dbg, error);
	if (res != DW_DLV_OK)
		return 0;
	dwarf_object_number(reader->dbg, attribute, &id);
	dwarf_dealloc_attribute(attribute);
	return id;
}

/* Find the entry of the unit with the id of UNIT, in the file that the reader has open.  Returns NULL if there is
   none, or if UNIT has no id. */
static Dwarf_Die find_unit(struct dwarf_unit *unit)
{
	struct dwarf_reader *reader = unit->reader;
	struct unit_header header;
	Dwarf_Error error = NULL;
	Dwarf_Off at = 0;
	int res;
	if (unit->dwo_id == 0)
		return NULL;
	while ((res = dwarf_next_unit(reader, at, &header, &error)) == DW_DLV_OK && header.next > at &&
	       unit_work(unit, WORK_RANGE)) {
		Dwarf_Die die = NULL;
		at = header.next;
		res = dwarf_siblingof_b(reader->dbg, NULL, 1, &die, &error);
		if (res == DW_DLV_ERROR)
			break;
		if (res == DW_DLV_NO_ENTRY)
			continue;
		if (header.kind != DW_UT_split_type && header.version == unit->version &&
		    header.address_size == unit->address_size && unit_id(reader, &header, die) == unit->dwo_id) {
			unit->offset_size = header.offset_size;
			return die;
		}
		dwarf_dealloc_die(die);
	}
	if (res == DW_DLV_ERROR)
		dwarf_dealloc_error(reader->dbg, error);
	return NULL;
}

/* Read the scopes of UNIT from the file that the reader has open, and name them, since the file is closed after
   this.  Sets *FOUND if the file has the unit. */
static enum outcome read_entries(struct dwarf_unit *unit, const char *path, bool *found)
{
	enum { LISTS_HEADER_SIZE = 12, LISTS_HEADER_SIZE_64 = 20 };
	struct dwarf_reader *reader = unit->reader;
	uint32_t first = reader->scope_count;
	const struct dwarf_unit skeleton = *unit;
	Dwarf_Die die = find_unit(unit);
	if (!die) {
		unit_warn(unit, "DWARF unit at 0x%llx: %s is of another build, and not read", (unsigned long long)unit->start, path);
		return UNIT_OK;
	}
	*found = true;
	unit->die = die;
	unit->is_split = true;
	unit->rnglists_base = unit->offset_size == 8 ? LISTS_HEADER_SIZE_64 : LISTS_HEADER_SIZE;
	enum outcome outcome = unit_read_scopes(unit);
	if (outcome == UNIT_OK && dwarf_name_scopes(reader, first, unit->start) < 0)
		outcome = UNIT_FATAL;
	if (unit->is_partial) {
		unit_warn_unread(unit);
		/* COFF symbols may still know a name for the code of a unit without entries. */
		unit->is_partial = unit->has_functions = false;
	}
	dwarf_dealloc_die(die);
	unit->die = skeleton.die;
	unit->offset_size = skeleton.offset_size;
	return outcome;
}

/* Read the scopes of UNIT from FILE.  The reader's object is that of the file meanwhile. */
static enum outcome read_file(struct dwarf_unit *unit, const struct debuginfo_file *file, bool *found)
{
	struct dwarf_reader *reader = unit->reader;
	struct dwarf_object *image = reader->object, object = { .section_count = 0 };
	struct reading reading = *reader->reading;
	struct rs_source source = { .memory = file->bytes, .fd = -1, .size = file->size };
	struct rossym_error err;
	struct rs_pe pe = { .machine = 0 };
	Dwarf_Debug dbg = reader->dbg;
	enum outcome outcome = UNIT_OK;

	reading.symbols = (struct symbol_file){ &pe, &source };
	reading.err = &err;
	reader->object = &object;
	reader->dbg = NULL;
	pe.wide = reader->reading->symbols.pe->wide;
	if (rs_pe_read_object(&pe, &source, &err) < 0 || dwarf_object_find(&object, &reading, image) <= 0)
		unit_warn(unit, "DWARF unit at 0x%llx: %s is no .dwo file", (unsigned long long)unit->start, file->path);
	else if (dwarf_open_object(reader))
		outcome = read_entries(unit, file->path, found);
	if (reader->dbg)
		dwarf_object_close(reader->dbg);
	reader->object = image;
	reader->dbg = dbg;
	dwarf_object_clear(&object);
	rs_pe_clear(&pe);
	return outcome;
}

/* The number of the first file whose name is not below NAME.  Files ascend by name; two of a name are from different
   directories. */
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

enum outcome unit_read_split(struct dwarf_unit *unit)
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
			  (unsigned long long)unit->start, name);
	return outcome;
}
