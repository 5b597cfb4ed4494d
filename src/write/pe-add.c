// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pe-add.c - new sections, and the string table for long names
 *
 * A section header has 8 bytes for the name.  A longer name is in the COFF string table, and the header says where.
 */
#include "config.h"
#include "write/pe-edit.h"
#include "lib/base/alloc.h"
#include "core/bytes.h"
#include "lib/base/error.h"
#include "core/layout.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --------------------------------------------------------------------------------------- new sections */

static void add_new_section(struct rs_edit *edit, const char *name, uint32_t characteristics, const uint8_t *data,
			    uint32_t size)
{
	struct rs_new_section *section = &edit->added[edit->added_count++];
	*section = (struct rs_new_section){ .characteristics = characteristics, .data = data, .size = size };
	if (strlen(name) > PE_SECTION_NAME_SIZE)
		section->long_name = name;
	else
		memcpy(section->name, name, strlen(name));
}

/* Add .gnu_debuglink: the name, zeros up to a multiple of 4, and the CRC.  Returns 0 or -1. */
static int add_debuglink(struct rs_edit *edit, struct rossym_error *err)
{
	const char *name = edit->options.debuglink;
	if (!name)
		return 0;
	if (edit->keep_debug)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "a link to debug information that stays here");
	size_t length = strlen(name);
	if (length == 0)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "a file name without bytes for the debug link");
	if (length > 0xffff)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "a file name of %zu bytes for the debug link", length);
	uint32_t at = (uint32_t)rs_align(length + 1, 4);
	edit->link = rs_alloc(1, at + 4);
	if (!edit->link)
		return rs_fail_memory(err);
	memcpy(edit->link, name, length);
	rs_put32(edit->link + at, edit->options.debuglink_crc);
	add_new_section(edit, ".gnu_debuglink", PE_SCN_CNT_INITIALIZED_DATA | PE_SCN_MEM_DISCARDABLE | PE_SCN_MEM_READ,
			edit->link, at + 4);
	return 0;
}

/* ------------------------------------------------------------------------------------------ long names */

/* Add NAME to the new string table, which may have at most LIMIT bytes.  Store "/" and the offset of NAME in FIELD, the
   8 bytes for a name in a section header.  Returns 0 or -1. */
static int add_long_name(struct rs_edit *edit, const char *name, uint64_t limit, char *field, struct rossym_error *err)
{
	size_t length = strlen(name) + 1;
	uint32_t at = edit->new_strings_size;
	/* FIELD has room for seven digits. */
	if (length > limit - at || at > 9999999)
		return rs_fail(err, ROSSYM_EREFUSED, edit->symbols.end, "section names that overlap each other");
	memcpy(edit->strings + at, name, length);
	edit->new_strings_size += (uint32_t)length;
	char text[16];
	memset(field, 0, PE_SECTION_NAME_SIZE);
	memcpy(field, text, (size_t)snprintf(text, sizeof text, "/%" PRIu32, at));
	return 0;
}

/* Make a string table for section names of more than 8 bytes, if there are any.  Sections that stay have their long
   names in it, too, because the old string table is removed with the symbols.  Returns 0 or -1. */
static int collect_long_names(struct rs_edit *edit, struct rossym_error *err)
{
	/* Names that share bytes in the old table do not share them in the new one, so allow the new table to be
	   somewhat larger.  Without a limit, a hostile image with many such names would need gigabytes. */
	uint64_t limit = PE_STRING_TABLE_HEADER + (uint64_t)edit->strings_size + 0x10000;
	bool any = false;
	for (uint32_t i = 0; i < edit->added_count; i++)
		if (edit->added[i].long_name) {
			limit += strlen(edit->added[i].long_name) + 1;
			any = true;
		}
	for (uint32_t i = 0; i < edit->pe.section_count && !any; i++)
		any = !edit->sections[i].removed && edit->sections[i].long_name;
	if (!any)
		return 0;
	edit->strings = rs_alloc((size_t)limit, 1);
	if (!edit->strings)
		return rs_fail_memory(err);
	edit->new_strings_size = PE_STRING_TABLE_HEADER;
	for (uint32_t i = 0; i < edit->pe.section_count; i++)
		if (!edit->sections[i].removed && edit->sections[i].long_name &&
		    add_long_name(edit, edit->sections[i].long_name, limit, edit->pe.sections[i].name, err) < 0)
			return -1;
	for (uint32_t i = 0; i < edit->added_count; i++)
		if (edit->added[i].long_name &&
		    add_long_name(edit, edit->added[i].long_name, limit, edit->added[i].name, err) < 0)
			return -1;
	rs_put32(edit->strings, edit->new_strings_size);
	return 0;
}

int rs_edit_add_sections(struct rs_edit *edit, const void *table, size_t table_size, struct rossym_error *err)
{
	if (add_debuglink(edit, err) < 0)
		return -1;
	/* By convention the table is in the last section. */
	if (table)
		add_new_section(edit, RS_SECTION_NAME, RS_SECTION_CHARACTERISTICS, table, (uint32_t)table_size);
	return collect_long_names(edit, err);
}
