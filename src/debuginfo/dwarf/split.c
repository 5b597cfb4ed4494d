// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * split.c - reads the scopes (functions and inlined calls) of a unit whose entries are in a .dwo file (DWARF 5, 7.3.2)
 *
 * gcc -gsplit-dwarf writes the entries of a unit into another file, NAME.dwo, an object file with one unit.  The
 * image has a skeleton of the unit, with the line table and the addresses.  Unit and skeleton have an id in common,
 * which is different for each compilation.  The .dwo files of a program can be packed into one .dwp file, a package.
 */
#include "config.h"
#include "debuginfo/dwarf/unit.h"
#include "lib/base/alloc.h"
#include "compat/last-part.h"
#include "compat/bisect.h"
#include "core/bytes.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------------ packages */

/* The index of a package, .debug_cu_index (DWARF 5, 7.3.5).  Each section of a package has a part from each .dwo file.
   The index is a hash table: for the id of a unit, it has a row with the offset and size of the unit's part of each
   section.  Version 5 of the index is the standard's; version 2 is GNU's, for units of DWARF 2 to 4.  .debug_tu_index,
   for units of types, is not read, because these have no code. */
struct package_index {
	uint32_t version, columns, units, slots;
	const uint8_t *ids;	/* for each slot, the id of a unit */
	const uint8_t *rows;	/* for each slot, the number of that unit's row, from 1 on; 0 = the slot is free */
	const uint8_t *kinds;	/* for each column, a kind of section */
	const uint8_t *offsets; /* for each row and column, the offset of the unit's part of that section */
	const uint8_t *sizes;	/* for each row and column, the size of that part */
};

enum { ID_SIZE = 8, NUMBER_SIZE = 4 };
enum { VERSION_GNU = 2, VERSION_5 = 5 };

/* Read into *INDEX the .debug_cu_index whose bytes are next in C.  Returns NULL; or why it cannot be read. */
static const char *read_package_index(struct package_index *index, struct decoder c)
{
	index->version = decoder_u32(&c); /* in version 5, this field has 2 bytes, and 2 zero bytes follow it */
	index->columns = decoder_u32(&c);
	index->units = decoder_u32(&c);
	index->slots = decoder_u32(&c);
	if (c.bad)
		return "the header is cut off";
	if (index->version != VERSION_GNU && index->version != VERSION_5)
		return "it is of an unknown version";
	if ((index->slots & (index->slots - 1)) != 0)
		return "the number of its slots is no power of two";
	index->ids = decoder_take(&c, (uint64_t)index->slots * ID_SIZE);
	index->rows = decoder_take(&c, (uint64_t)index->slots * NUMBER_SIZE);
	index->kinds = decoder_take(&c, (uint64_t)index->columns * NUMBER_SIZE);
	/* If not all columns are in the section, C stays bad; else COLUMNS is below 2^30, and no product overflows. */
	index->offsets = decoder_take(&c, (uint64_t)index->columns * NUMBER_SIZE * index->units);
	index->sizes = decoder_take(&c, (uint64_t)index->columns * NUMBER_SIZE * index->units);
	return c.bad ? "it is longer than the section" : NULL;
}

static uint32_t number_at(const uint8_t *numbers, size_t i)
{
	return rs_le32(numbers + i * NUMBER_SIZE);
}

/* Returns the number of the row of the unit with the id ID, from 1 on; 0 if the unit has none.  Tries at most as many
   slots as there are, so that a search ends also in a table without a free slot. */
static uint32_t find_package_row(const struct package_index *index, uint64_t id)
{
	const uint32_t mask = index->slots - 1;
	uint32_t slot = (uint32_t)id & mask;
	for (uint32_t i = 0; i < index->slots; i++, slot = (slot + ((uint32_t)(id >> 32) | 1)) & mask) {
		const uint32_t row = number_at(index->rows, slot);
		if (row == 0 || rs_le64(index->ids + (size_t)slot * ID_SIZE) == id)
			return row;
	}
	return 0;
}

/* Returns the section to which a column of KIND (DW_SECT_*) belongs; DW_SECTIONS if the section is not needed. */
static enum dw_section_id section_of_kind(const struct package_index *index, uint32_t kind)
{
	static const struct {
		uint32_t kind;
		enum dw_section_id section;
	} needed[] = { { 1, DW_INFO }, { 3, DW_ABBREV }, { 6, DW_STR_OFFSETS }, { 8, DW_RNGLISTS } };
	for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
		/* In version 2, kind 8 is .debug_macro. */
		if (needed[i].kind == kind && (index->version == VERSION_5 || needed[i].section != DW_RNGLISTS))
			return needed[i].section;
	return DW_SECTIONS;
}

/* Store in *PART the sections of the unit with the id ID; they are parts of WHOLE, the sections of the package.
   Returns false if the index does not have the unit (*WHY becomes NULL), or is damaged (*WHY becomes the reason). */
static bool find_unit_in_package(const struct package_index *index, uint64_t id, const struct dw_sections *whole,
				 struct dw_sections *part, const char **why)
{
	const uint32_t row = find_package_row(index, id);
	bool has_info = false;
	*why = row > index->units ? "the row of a unit is not there" : NULL;
	if (row == 0 || *why)
		return false;
	*part = *whole;
	for (uint32_t i = 0; i < index->columns; i++) {
		const enum dw_section_id section = section_of_kind(index, number_at(index->kinds, i));
		if (section == DW_SECTIONS)
			continue;
		const size_t cell = (row - 1) * (size_t)index->columns + i;
		const uint32_t offset = number_at(index->offsets, cell);
		struct dw_section *item = &part->items[section];
		item->size = number_at(index->sizes, cell);
		if (!rs_in_range(offset, item->size, whole->items[section].size)) {
			*why = "a part ends past the end of its section";
			return false;
		}
		item->bytes = item->size > 0 ? whole->items[section].bytes + offset : NULL;
		has_info |= section == DW_INFO && item->size > 0;
	}
	*why = has_info ? NULL : "a unit has no part of .debug_info";
	return has_info;
}

/* ------------------------------------------------------------------------------------------------ files */

/* Find the unit with the id of the skeleton UNIT in SECTIONS, and store its header in *RET.  Returns 1; 0 if there is
   none, UNIT has no id, or the budget is used up; or -1 if memory runs out.  *RET is valid only if 1 is returned. */
static int find_unit_by_id(struct dw_unit *unit, const struct dw_sections *sections, struct unit_header *ret)
{
	uint32_t size = sections->items[DW_INFO].size;
	for (uint32_t at = 0; unit->header.dwo_id != 0 && at < size && rs_unit_spend_work(unit, WORK_RANGE);) {
		struct dw_unit other = { .reader = unit->reader, .sections = sections };
		const enum outcome outcome = rs_unit_read_header(&other, at);
		if (other.header.next == 0)
			break;
		at = other.header.next;
		if (outcome != UNIT_OK || other.header.encoding.version != unit->header.encoding.version ||
		    other.header.encoding.address_size != unit->header.encoding.address_size)
			continue;
		/* Before DWARF 5, the id is an attribute. */
		if (rs_unit_read_first_entry(&other) == UNIT_FATAL)
			return -1;
		*ret = other.header;
		if (ret->dwo_id == unit->header.dwo_id)
			return 1;
	}
	return 0;
}

/* Read the scopes of UNIT from SECTIONS of the file at PATH, and name them now, because the file can be closed after
   this.  Sets *FOUND if the file has the unit; else warns. */
static enum outcome read_and_name_scopes(struct dw_unit *unit, const struct dw_sections *sections, const char *path,
					 bool *found)
{
	struct dw_reader *reader = unit->reader;
	const uint32_t first = reader->scope_count;
	const struct dw_sections *image = unit->sections;
	const struct unit_header skeleton = unit->header;
	struct unit_header header;
	int has = find_unit_by_id(unit, sections, &header);
	if (has < 0)
		return UNIT_FATAL;
	if (has == 0) {
		rs_unit_warn(unit, "DWARF unit at 0x%llx: %s is of another build, and not read",
			     (unsigned long long)skeleton.start, path);
		return UNIT_OK;
	}
	*found = true;
	unit->sections = sections;
	unit->header = header;
	unit->is_split = true;
	enum outcome outcome = rs_unit_read_scopes(unit);
	if (outcome == UNIT_OK && rs_dw_name_scopes(reader, first, skeleton.start) < 0)
		outcome = UNIT_FATAL;
	unit->header = skeleton;
	unit->sections = image;
	return outcome;
}

static bool is_package(const struct debuginfo_file *file)
{
	static const char suffix[] = ".dwp";
	const size_t length = strlen(file->path);
	return length >= strlen(suffix) && strcmp(file->path + length - strlen(suffix), suffix) == 0;
}

/* The last .dwo or .dwp file that was opened. */
struct split_file {
	const struct debuginfo_file *file;
	bool good; /* the file can be read */
	struct rs_pe pe;
	struct elf elf;
	struct dw_sections sections;
	struct dw_section index;      /* .debug_cu_index of a .dwp file */
	struct package_index package; /* decoded from INDEX */
};

/* Find the sections of SPLIT.  False if it is no .dwo or .dwp file, or cannot be read. */
static bool find_split_sections(const struct dw_reader *reader, struct split_file *split)
{
	const struct debuginfo_file *file = split->file;
	struct reading reading = *reader->reading;
	struct rossym_error err;
	reading.symbols = (struct symbol_file){ .pe = &split->pe, .source = &file->source };
	reading.err = &err;
	split->pe.wide = reader->reading->symbols.pe->wide;
	if (rs_reading_file_kind(file) == KIND_ELF)
		reading.symbols.elf = &split->elf;
	if ((reading.symbols.elf ? rs_elf_open(&split->elf, &file->source, false, &err)
				 : rs_pe_read_object(&split->pe, &file->source, &err)) < 0)
		return false;
	return rs_dw_sections_find(&split->sections, &reading, &reader->sections) > 0 &&
	       (!is_package(file) || rs_dw_section_find(&split->index, &reading, ".debug_cu_index") > 0);
}

/* Close the open file, and open FILE, unless FILE is open already.  If FILE cannot be read, warns and clears "good" of
   what it returns.  Returns NULL if memory runs out. */
static struct split_file *open_split_file(struct dw_unit *unit, const struct debuginfo_file *file)
{
	struct dw_reader *reader = unit->reader;
	const char *why = NULL;
	if (reader->split && reader->split->file == file)
		return reader->split;
	rs_dw_close_split(reader);
	struct split_file *split = reader->split = rs_alloc(1, sizeof *split);
	if (!split)
		return NULL;
	split->file = file;
	split->good = find_split_sections(reader, split);
	if (!split->good)
		rs_unit_warn(unit, "DWARF unit at 0x%llx: %s is no .%s file", (unsigned long long)unit->header.start,
			     file->path, is_package(file) ? "dwp" : "dwo");
	else if (is_package(file))
		why = read_package_index(
			&split->package,
			(struct decoder){ split->index.bytes, split->index.bytes + split->index.size, false });
	if (why) {
		rs_unit_warn(unit, "%s: .debug_cu_index: %s", file->path, why);
		split->good = false;
	}
	return split;
}

void rs_dw_close_split(struct dw_reader *reader)
{
	struct split_file *split = reader->split;
	if (!split)
		return;
	/* Forget the abbreviations of the last unit.  A table of them is recognized by its address in memory, where the
	   next file can have another table. */
	reader->abbreviations.at = NULL;
	rs_dw_sections_clear(&split->sections);
	rs_free(split->index.heap);
	rs_pe_clear(&split->pe);
	rs_free(split);
	reader->split = NULL;
}

/* Read the scopes of UNIT from FILE.  Sets *FOUND if FILE has the unit. */
static enum outcome read_split_file(struct dw_unit *unit, const struct debuginfo_file *file, bool *found)
{
	struct split_file *split = open_split_file(unit, file);
	struct dw_sections part;
	const char *why;
	if (!split)
		return rs_fail_memory(unit->reader->reading->err);
	if (!split->good)
		return UNIT_OK;
	if (!is_package(file))
		return read_and_name_scopes(unit, &split->sections, file->path, found);
	if (find_unit_in_package(&split->package, unit->header.dwo_id, &split->sections, &part, &why))
		return read_and_name_scopes(unit, &part, file->path, found);
	if (why)
		rs_unit_warn(unit, "DWARF unit at 0x%llx: %s: .debug_cu_index: %s",
			     (unsigned long long)unit->header.start, file->path, why);
	return UNIT_OK;
}

/* Returns the index of the first file of options->dwos whose name is NAME or comes after it in the order of names;
   dwo_count if there is none.  Several files, from different directories, can have one name. */
static uint32_t dwo_index_from(const struct debuginfo_options *options, const char *name)
{
	size_t at;
	BISECT(at, options->dwo_count, strcmp(path_last_part(options->dwos[at].path), name) < 0);
	return (uint32_t)at;
}

enum outcome rs_unit_read_split(struct dw_unit *unit)
{
	const struct debuginfo_options *options = unit->reader->reading->options;
	const char *name = path_last_part(unit->dwo_name);
	enum outcome outcome = UNIT_OK;
	bool found = false;
	unit->reader->extent_count = 0;
	for (uint32_t i = dwo_index_from(options, name); i < options->dwo_count && outcome == UNIT_OK && !found; i++) {
		if (strcmp(path_last_part(options->dwos[i].path), name) != 0)
			break;
		outcome = read_split_file(unit, &options->dwos[i], &found);
	}
	for (uint32_t i = 0; i < options->dwo_count && outcome == UNIT_OK && !found; i++)
		if (is_package(&options->dwos[i]))
			outcome = read_split_file(unit, &options->dwos[i], &found);
	/* If the .dwo file is missing, symbols must not name the unit's code: an inlined call would get the name of the
	   outer function, with a line of the inlined one.  Symbols name no code of units that have functions. */
	unit->known.has_functions = true;
	if (outcome == UNIT_OK && !found)
		rs_unit_warn(
			unit,
			"DWARF unit at 0x%llx: its functions and inlined calls are in %s, which was not found; see "
			"rossym-embed "
			"--debug-directory",
			(unsigned long long)unit->header.start, name);
	return outcome;
}
