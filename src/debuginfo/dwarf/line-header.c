// SPDX-License-Identifier: GPL-2.0-or-later
/* line-header.c - reads the header of a line table: its directories and files (DWARF 5, 6.2.4) */
#include "config.h"
#include "debuginfo/dwarf/unit.h"
#include "lib/base/array.h"
#include "lib/base/alloc.h"

#include <string.h>

enum { DW_LNCT_path = 0x1, DW_LNCT_directory_index = 0x2 };

#define NO_END "the header of the line table ends too early"

static enum outcome add_path(struct dw_unit *unit, struct line_paths *paths, const char *name, uint64_t dir)
{
	if (rs_array_grow(&paths->items, &paths->room, paths->count, sizeof *paths->items) < 0)
		return rs_fail_memory(unit->reader->reading->err);
	paths->items[paths->count++] = (struct line_path){ name, dir < UINT32_MAX ? (uint32_t)dir : UINT32_MAX, 0 };
	return UNIT_OK;
}

/* Add the file NAME.  Its other fields are next in *C, in the form up to DWARF 4. */
static enum outcome add_old_file(struct dw_unit *unit, struct decoder *c, const char *name)
{
	uint64_t dir = decoder_uleb(c);
	decoder_uleb(c); /* time */
	decoder_uleb(c); /* size */
	return add_path(unit, &unit->table.files, name, dir);
}

/* Read directories and files in the form up to DWARF 4: two lists of strings; an empty string ends each list. */
static enum outcome read_old_dirs_and_files(struct dw_unit *unit, struct decoder *c)
{
	struct line_table *table = &unit->table;
	const char *name;
	/* Both lists begin with number 1.  Directory 0 is the compilation directory, and file 0 means "no file". */
	enum outcome outcome = add_path(unit, &table->dirs, NULL, 0);
	if (outcome == UNIT_OK)
		outcome = add_path(unit, &table->files, NULL, 0);
	while (outcome == UNIT_OK && (name = decoder_string(c)) != NULL && name[0])
		outcome = add_path(unit, &table->dirs, name, 0);
	while (outcome == UNIT_OK && (name = decoder_string(c)) != NULL && name[0])
		outcome = add_old_file(unit, c, name);
	return outcome;
}

enum outcome rs_unit_define_file(struct dw_unit *unit, struct decoder *c)
{
	const char *name = decoder_string(c);
	return name ? add_old_file(unit, c, name) : UNIT_OK;
}

/* Returns the string at OFFSET of section ID; NULL if OFFSET is past the section, or no NUL ends the string: then the
   name is unknown, but lines can still be used.  Counts wrong offsets in table->mid_string and table->out_of_range. */
static const char *string_in_section(struct dw_unit *unit, enum dw_section_id id, uint64_t offset)
{
	const struct dw_section *section = &unit->sections->items[id];
	if (offset >= section->size) {
		unit->table.mid_string++;
		unit->table.out_of_range++;
		return NULL;
	}
	unit->table.mid_string += offset > 0 && section->bytes[offset - 1] != '\0';
	struct decoder c = dw_decode_section(unit->sections, id, offset);
	return decoder_string(&c);
}

/* Returns the string that VALUE, the path of a directory or file, has or refers to; NULL if there is none. */
static const char *path_of_value(struct dw_unit *unit, const struct value *value)
{
	const struct line_table *table = &unit->table;
	uint64_t biased = value->number - table->strings_bias;
	const char *text = NULL;
	switch (value->class) {
	/* The linker's sum of offset and bias may have overflowed, so ignore bits above the size of the offset. */
	case CLASS_LINE_STRING:
		return string_in_section(unit, DW_LINE_STR,
					 table->encoding.offset_size == 4 ? (uint32_t)biased : biased);
	case CLASS_STRING_OFFSET:
		return string_in_section(unit, DW_STR, value->number);
	default:
		rs_value_string(unit, value, &text);
		return text;
	}
}

/* Read a directory or file, which has a value for each of the COUNT formats in FORMATS, and add it to PATHS. */
static enum outcome read_path_entry(struct dw_unit *unit, struct decoder *c, struct decoder formats, unsigned count,
				    struct line_paths *paths)
{
	const uint8_t *begin = c->at;
	const char *name = NULL;
	uint64_t dir = 0;
	for (unsigned n = 0; n < count; n++) {
		uint64_t content = decoder_uleb(&formats);
		struct attribute attribute = { .constant = 0 };
		struct value value;
		if (!rs_form_find(decoder_uleb(&formats), &unit->table.encoding, &attribute.form))
			return rs_unit_reject(unit, DW_LINE, begin, "a file of the line table has an unknown form");
		rs_value_read(c, &attribute, &unit->table.encoding, &value);
		if (content == DW_LNCT_path && !c->bad)
			name = path_of_value(unit, &value);
		else if (content == DW_LNCT_directory_index)
			rs_value_number(&value, &dir);
	}
	return c->bad ? rs_unit_reject(unit, DW_LINE, begin, NO_END) : add_path(unit, paths, name, dir);
}

/* Read directories or files in the form since DWARF 5: first a list of formats, which are pairs of a content type and a
   form; then entries with a value for each format. */
static enum outcome read_path_table(struct dw_unit *unit, struct decoder *c, struct line_paths *paths)
{
	const uint8_t *begin = c->at;
	uint8_t format_count = decoder_u8(c);
	struct decoder formats = *c;
	enum outcome outcome = UNIT_OK;
	for (unsigned i = 0; i < 2u * format_count; i++)
		decoder_uleb(c);
	uint64_t count = decoder_uleb(c);
	/* A sound entry has at least one byte, so the bytes that are left limit COUNT. */
	if (c->bad || count > decoder_left(c) || (format_count == 0 && count != 0))
		return rs_unit_reject(unit, DW_LINE, begin, NO_END);
	for (uint64_t i = 0; i < count && outcome == UNIT_OK; i++)
		outcome = read_path_entry(unit, c, formats, format_count, paths);
	return outcome;
}

/* Empty the lists, then read directories and files, with BIAS subtracted from offsets in .debug_line_str. */
static enum outcome read_biased_tables(struct dw_unit *unit, struct decoder *c, uint64_t bias)
{
	struct line_table *table = &unit->table;
	table->strings_bias = bias;
	table->dirs.count = table->files.count = table->mid_string = table->out_of_range = 0;
	enum outcome outcome = read_path_table(unit, c, &table->dirs);
	return outcome == UNIT_OK ? read_path_table(unit, c, &table->files) : outcome;
}

/*
 * Read directories and files in the form since DWARF 5.
 *
 * Clang 14 writes offsets in .debug_line_str with relocations of addresses, so the linker wrongly adds the section's
 * address, the bias, to them.  So read the tables without a bias first.  If some offset does not lead to the start of
 * a string, read them again with the bias subtracted.  If all offsets then lead to starts of strings, the linker has
 * added the bias.  Otherwise the tables are damaged, and are read without a bias once more.
 */
static enum outcome read_new_dirs_and_files(struct dw_unit *unit, struct decoder *c)
{
	const struct dw_section *strings = &unit->sections->items[DW_LINE_STR];
	const uint64_t biases[3] = { 0, unit->reader->reading->symbols.base + strings->rva, 0 };
	const struct decoder start = *c;
	for (int i = 0; i < (strings->bytes ? 3 : 1); i++) {
		*c = start;
		enum outcome outcome = read_biased_tables(unit, c, biases[i]);
		if (outcome != UNIT_OK || unit->table.mid_string == 0)
			return outcome;
	}
	if (unit->table.out_of_range > 0)
		rs_unit_warn(unit, "DWARF line table at 0x%llx: names of %u directories and files cannot be read",
			     (unsigned long long)unit->table.offset, unit->table.out_of_range);
	return UNIT_OK;
}

/* Returns the first byte of the unit's line table; NULL if it is past the section. */
static const uint8_t *line_table_start(const struct dw_unit *unit)
{
	const struct dw_section *section = &unit->sections->items[DW_LINE];
	return unit->table.offset < section->size ? section->bytes + unit->table.offset : NULL;
}

/* Read the header's fields after the length, up to the directories; find the program, which follows the header; and let
   *C end where the header ends.  Returns NULL; or why the table cannot be read. */
static const char *read_line_table_fields(struct dw_unit *unit, struct decoder *c)
{
	struct line_table *table = &unit->table;
	struct unit_encoding *encoding = &table->encoding;
	encoding->version = decoder_u16(c);
	if (!c->bad && (encoding->version < 2 || encoding->version > 5))
		return "line table of an unknown version";
	encoding->address_size = unit->header.encoding.address_size;
	if (encoding->version >= 5) {
		decoder_u8(c); /* size of an address */
		if (decoder_u8(c) != 0)
			return "line table with segment selectors";
	}
	uint64_t header_length = decoder_uint(c, encoding->offset_size);
	if (c->bad || header_length > decoder_left(c))
		return NO_END;
	table->program = (struct decoder){ c->at + header_length, c->end, false };
	c->end = c->at + header_length;
	table->least_length = decoder_u8(c);
	table->operations = encoding->version >= 4 ? decoder_u8(c) : 1;
	decoder_u8(c); /* default_is_stmt */
	table->line_base = (int8_t)decoder_u8(c);
	table->line_range = decoder_u8(c);
	table->opcode_base = decoder_u8(c);
	for (unsigned i = 1; i < table->opcode_base; i++)
		table->operands[i] = decoder_u8(c);
	if (c->bad)
		return NO_END;
	return table->operations == 0 || table->opcode_base == 0 ? "line table without operations or opcodes" : NULL;
}

enum outcome rs_unit_read_line_header(struct dw_unit *unit, uint64_t offset)
{
	struct decoder c = dw_decode_section(unit->sections, DW_LINE, offset);
	unit->table.offset = offset;
	const char *why = rs_length_read(&c, &unit->table.encoding.offset_size)
				  ? read_line_table_fields(unit, &c)
				  : "the line table is longer than the section";
	if (!why && !rs_unit_spend_work(unit, WORK_LINES * (uint64_t)decoder_left(&c)))
		why = "line tables are read too often";
	if (why)
		return rs_unit_reject(unit, DW_LINE, line_table_start(unit), why);
	enum outcome outcome = unit->table.encoding.version >= 5 ? read_new_dirs_and_files(unit, &c)
								 : read_old_dirs_and_files(unit, &c);
	return outcome == UNIT_OK && c.bad ? rs_unit_reject(unit, DW_LINE, line_table_start(unit), NO_END) : outcome;
}

void rs_unit_free_line_table(struct dw_unit *unit)
{
	rs_free(unit->table.dirs.items);
	rs_free(unit->table.files.items);
	unit->table = (struct line_table){ 0 };
}

/* Whether PATH begins with a slash.  A drive letter does not count, so that answers are those of GNU addr2line on
   Unix: C:/x.c becomes DIRECTORY/C:/x.c. */
static bool is_absolute(const char *path)
{
	return path[0] == '/';
}

/* Join COMP_DIR, DIR and NAME with slashes, and store the string number of the path in *RET.  "." and ".." stay in it.
   COMP_DIR and DIR may be NULL. */
static int join_path(struct dw_unit *unit, const char *comp_dir, const char *dir, const char *name, uint32_t *ret)
{
	struct reading *reading = unit->reader->reading;
	const char *const parts[] = { comp_dir ? comp_dir : "", comp_dir ? "/" : "", dir ? dir : "", dir ? "/" : "",
				      name };
	size_t length = 0;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		length += strlen(parts[i]);
	char *path = rs_alloc(length + 1, 1);
	if (!path)
		return rs_fail_memory(reading->err);
	for (size_t i = 0, at = 0; i < sizeof parts / sizeof *parts; at += strlen(parts[i++]))
		memcpy(path + at, parts[i], strlen(parts[i]));
	const int res = rs_reading_intern_path(reading, path, length, ret);
	rs_free(path);
	return res;
}

enum outcome rs_unit_find_path_of_file(struct dw_unit *unit, uint64_t index, uint32_t *ret)
{
	const struct line_table *table = &unit->table;
	*ret = 0;
	if (index >= table->files.count)
		return UNIT_OK;
	struct line_path *file = &table->files.items[index];
	if (file->string == 0) {
		const char *comp_dir = NULL, *dir = NULL;
		uint32_t string = 0;
		const bool known = file->name && file->name[0];
		if (known && !is_absolute(file->name)) {
			dir = file->dir < table->dirs.count ? table->dirs.items[file->dir].name : NULL;
			if (!dir || !is_absolute(dir))
				comp_dir = unit->comp_dir;
		}
		if (known && join_path(unit, comp_dir, dir, file->name, &string) < 0)
			return UNIT_FATAL;
		file->string = string + 1;
	}
	*ret = file->string - 1;
	return UNIT_OK;
}
