// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dwarf-files.c - the header of a line table: its directories and files
 *
 * Line tables are read here and in dwarf-lines.c, and not by libdwarf, which makes an object of more than a hundred
 * bytes for each row, all rows at once: ten times the size of the file for one large unit.
 */
#include "config.h"
#include "debuginfo/dwarf-unit.h"
#include "lib/array.h"
#include "lib/alloc.h"

static enum outcome add_entry(struct dwarf_unit *unit, struct line_paths *paths, const char *name, uint64_t dir)
{
	if (rs_array_grow(&paths->items, &paths->room, paths->count, sizeof *paths->items) < 0)
		return reading_memory(unit->reader->reading);
	paths->items[paths->count++] = (struct line_path){ name, dir < UINT32_MAX ? (uint32_t)dir : UINT32_MAX, 0 };
	return UNIT_OK;
}

/* Directories and files up to DWARF 4: strings, each list ended by an empty one. */
static enum outcome read_old_tables(struct dwarf_unit *unit, struct decoder *c)
{
	struct line_table *table = &unit->table;
	const char *name;
	/* Directory 0 is the compilation directory and file 0 means "no file"; neither is in the table. */
	enum outcome outcome = add_entry(unit, &table->dirs, NULL, 0);
	if (outcome == UNIT_OK)
		outcome = add_entry(unit, &table->files, NULL, 0);
	while (outcome == UNIT_OK && (name = decoder_string(c)) != NULL && name[0])
		outcome = add_entry(unit, &table->dirs, name, 0);
	while (outcome == UNIT_OK && (name = decoder_string(c)) != NULL && name[0]) {
		uint64_t dir = decoder_uleb(c);
		decoder_uleb(c);		/* time */
		decoder_uleb(c);		/* size */
		outcome = add_entry(unit, &table->files, name, dir);
	}
	return outcome;
}

/* A string in another section.  If it does not exist, the name is unknown, but the lines are still good. */
static const char *string_at(struct dwarf_unit *unit, const char *section, uint64_t offset)
{
	const struct dwarf_section *found = dwarf_object_section(unit->reader->object, section);
	if (!found || offset >= found->size) {
		unit->table.loose++;
		unit->table.lost++;
		return NULL;
	}
	unit->table.loose += offset > 0 && found->bytes[offset - 1] != '\0';
	struct decoder c = dwarf_object_from(unit->reader->object, section, offset);
	return decoder_string(&c);
}

/* Read a reference to .debug_line_str and subtract the bias, modulo the width of the reference: the linker's
   addition may have overflowed. */
static uint64_t line_string_offset(const struct line_table *table, struct decoder *c)
{
	uint64_t offset = decoder_uint(c, table->offset_size) - table->strings_bias;
	return table->offset_size == 4 ? (uint32_t)offset : offset;
}

/* Read one value of FORM into *TEXT or *NUMBER; skip what is neither.  Returns false if DWARF allows no such form
   here. */
static bool read_form(struct dwarf_unit *unit, struct decoder *c, uint64_t form, const char **text, uint64_t *number)
{
	unsigned offset_size = unit->table.offset_size;
	switch (form) {
	case DW_FORM_string:
		*text = decoder_string(c);
		return true;
	case DW_FORM_line_strp:
		*text = string_at(unit, ".debug_line_str", line_string_offset(&unit->table, c));
		return true;
	case DW_FORM_strp:
		*text = string_at(unit, ".debug_str", decoder_uint(c, offset_size));
		return true;
	case DW_FORM_data1:
		*number = decoder_u8(c);
		return true;
	case DW_FORM_data2:
		*number = decoder_u16(c);
		return true;
	case DW_FORM_data4:
		*number = decoder_u32(c);
		return true;
	case DW_FORM_data8:
		*number = decoder_uint(c, 8);
		return true;
	case DW_FORM_udata:
		*number = decoder_uleb(c);
		return true;
	case DW_FORM_data16:
		decoder_take(c, 16);
		return true;
	case DW_FORM_block:
		decoder_take(c, decoder_uleb(c));
		return true;
	default:
		return false;
	}
}

/* Directories or files since DWARF 5: first a list of formats, pairs of content and form; then entries with a value
   for each format. */
static enum outcome read_table(struct dwarf_unit *unit, struct decoder *c, struct line_paths *paths)
{
	uint8_t format_count = decoder_u8(c);
	struct decoder formats = *c;
	for (unsigned i = 0; i < 2u * format_count; i++)
		decoder_uleb(c);
	uint64_t count = decoder_uleb(c);
	/* Each entry has at least one byte, unless entries have no fields. */
	if (c->bad || count > decoder_left(c) || (format_count == 0 && count != 0))
		return unit_reject(unit, "line table");
	for (uint64_t i = 0; i < count; i++) {
		struct decoder format = formats;
		const char *name = NULL;
		uint64_t dir = 0;
		for (unsigned n = 0; n < format_count; n++) {
			uint64_t content = decoder_uleb(&format), form = decoder_uleb(&format), number = 0;
			const char *text = NULL;
			if (!read_form(unit, c, form, &text, &number))
				return unit_reject(unit, "line table");
			if (content == DW_LNCT_path)
				name = text;
			else if (content == DW_LNCT_directory_index)
				dir = number;
		}
		if (c->bad)
			return unit_reject(unit, "line table");
		enum outcome outcome = add_entry(unit, paths, name, dir);
		if (outcome != UNIT_OK)
			return outcome;
	}
	return UNIT_OK;
}

static enum outcome read_biased_tables(struct dwarf_unit *unit, struct decoder *c, uint64_t bias)
{
	struct line_table *table = &unit->table;
	table->strings_bias = bias;
	table->dirs.count = table->files.count = table->loose = table->lost = 0;
	enum outcome outcome = read_table(unit, c, &table->dirs);
	return outcome == UNIT_OK ? read_table(unit, c, &table->files) : outcome;
}

/*
 * Directories and files since DWARF 5, with or without a bias.
 *
 * Clang 14 marks references to .debug_line_str as addresses, so that the linker adds the section's address to them: the
 * bias.  Read the tables as they are.  If a reference does not lead to the start of a string, read them again with the
 * bias subtracted; if all references then do, the linker has added it.  Else the tables are damaged and are taken as
 * they are.
 */
static enum outcome read_new_tables(struct dwarf_unit *unit, struct decoder *c)
{
	const struct dwarf_section *strings = dwarf_object_section(unit->reader->object, ".debug_line_str");
	const struct decoder start = *c;
	enum outcome outcome = read_biased_tables(unit, c, 0);
	if (outcome != UNIT_OK || unit->table.loose == 0)
		return outcome;
	if (strings) {
		*c = start;
		outcome = read_biased_tables(unit, c, unit->reader->reading->symbols.pe->image_base + strings->rva);
		if (outcome != UNIT_OK || unit->table.loose == 0)
			return outcome;
		*c = start;
		outcome = read_biased_tables(unit, c, 0);
	}
	if (outcome == UNIT_OK && unit->table.lost > 0)
		unit_warn(unit, "DWARF line table at 0x%llx: names of %u directories and files cannot be read",
			  (unsigned long long)unit->table.offset, unit->table.lost);
	return outcome;
}

/* Let *C be the line table at OFFSET, after its length field.  Returns false if it is not all there. */
static bool find_table(struct dwarf_unit *unit, uint64_t offset, struct decoder *c)
{
	*c = dwarf_object_from(unit->reader->object, ".debug_line", offset);
	uint64_t length = decoder_u32(c);
	unit->table.offset_size = 4;
	if (length == 0xffffffff) {
		length = decoder_uint(c, 8);
		unit->table.offset_size = 8;
	}
	if (c->bad || length > decoder_left(c))
		return false;
	c->end = c->at + length;
	return true;
}

/* Read the header up to the directories, and let *C be what is left of it; find the program. */
static enum outcome read_header(struct dwarf_unit *unit, struct decoder *c)
{
	struct line_table *table = &unit->table;
	table->version = decoder_u16(c);
	if (table->version < 2 || table->version > 5)
		return unit_reject(unit, "line table of an unknown version");
	if (table->version >= 5) {
		decoder_u8(c);		/* size of an address */
		if (decoder_u8(c) != 0)	/* and of a segment selector */
			return unit_reject(unit, "line table");
	}
	uint64_t header_length = decoder_uint(c, table->offset_size);
	if (c->bad || header_length > decoder_left(c))
		return unit_reject(unit, "line table");
	table->program = (struct decoder){ c->at + header_length, c->end, false };
	c->end = c->at + header_length;
	table->least_length = decoder_u8(c);
	table->operations = table->version >= 4 ? decoder_u8(c) : 1;
	decoder_u8(c);			/* default_is_stmt */
	table->line_base = (int8_t)decoder_u8(c);
	table->line_range = decoder_u8(c);
	table->opcode_base = decoder_u8(c);
	for (unsigned i = 1; i < table->opcode_base; i++)
		table->operands[i] = decoder_u8(c);
	if (c->bad || table->operations == 0 || table->opcode_base == 0)
		return unit_reject(unit, "line table");
	return UNIT_OK;
}

enum outcome unit_open_files(struct dwarf_unit *unit, uint64_t offset)
{
	struct decoder c;
	unit->table.offset = offset;
	if (!find_table(unit, offset, &c))
		return unit_reject(unit, "line table");
	enum outcome outcome = read_header(unit, &c);
	if (outcome != UNIT_OK)
		return outcome;
	if (!unit_work(unit, WORK_LINES * (uint64_t)decoder_left(&c)))
		return unit_reject(unit, "line table");
	outcome = unit->table.version >= 5 ? read_new_tables(unit, &c) : read_old_tables(unit, &c);
	if (outcome == UNIT_OK && c.bad)
		return unit_reject(unit, "line table");
	return outcome;
}

void unit_close_files(struct dwarf_unit *unit)
{
	rs_free(unit->table.dirs.items);
	rs_free(unit->table.files.items);
	unit->table = (struct line_table){ 0 };
}

/* Only a leading slash makes a name absolute, as in GNU addr2line on Unix, whose answers users know: C:/x.c becomes
   DIRECTORY/C:/x.c. */
static bool is_absolute(const char *path)
{
	return path[0] == '/';
}

/* Join the parts that are not NULL with slashes.  "." and ".." stay. */
static enum outcome join(struct dwarf_unit *unit, const char *comp_dir, const char *dir, const char *name,
			 uint32_t *ret)
{
	const char *parts[3] = { comp_dir, dir, name };
	size_t length = 0;
	for (int i = 0; i < 3; i++)
		length += parts[i] ? strlen(parts[i]) + 1 : 0;
	char *path = rs_alloc(length + 1, 1);
	if (!path)
		return reading_memory(unit->reader->reading);
	size_t at = 0;
	for (int i = 0; i < 3; i++) {
		if (!parts[i])
			continue;
		size_t n = strlen(parts[i]);
		memcpy(path + at, parts[i], n);
		at += n;
		if (i < 2)
			path[at++] = '/';
	}
	int res = reading_path(unit->reader->reading, path, at, ret);
	rs_free(path);
	return res;
}

enum outcome unit_file(struct dwarf_unit *unit, uint64_t index, uint32_t *ret)
{
	const struct line_table *table = &unit->table;
	*ret = 0;
	if (index >= table->files.count)
		return UNIT_OK;
	struct line_path *file = &table->files.items[index];
	if (file->known == 0) {
		const char *comp_dir = NULL, *dir = NULL;
		uint32_t string = 0;
		if (!file->name || !file->name[0]) {
			file->known = 1;
			return UNIT_OK;
		}
		if (!is_absolute(file->name)) {
			dir = file->dir < table->dirs.count ? table->dirs.items[file->dir].name : NULL;
			if (!dir || !is_absolute(dir))
				comp_dir = unit->comp_dir;
		}
		if (join(unit, comp_dir, dir, file->name, &string) < 0)
			return UNIT_FATAL;
		file->known = string + 1;
	}
	*ret = file->known - 1;
	return UNIT_OK;
}
