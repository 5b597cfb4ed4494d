// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "debuginfo/dwarf-unit.h"
#include "lib/alloc.h"

#include <string.h>

/* Two-level line tables are an experiment of libdwarf's that no compiler for PE makes. */
enum { ONE_TABLE = 1 };

enum outcome unit_open_files(struct dwarf_unit *unit)
{
	Dwarf_Small tables = 0;
	Dwarf_Signed base = 0, count = 0, end = 0;
	int res = dwarf_srclines_b(unit->die, &unit->line_version, &tables, &unit->lines, &unit->error);
	if (res == DW_DLV_NO_ENTRY) {
		unit->lines = NULL;
		return UNIT_OK;
	}
	if (res != DW_DLV_OK || tables > ONE_TABLE)
		return unit_reject(unit, "line table");
	if (dwarf_srclines_files_indexes(unit->lines, &base, &count, &end, &unit->error) != DW_DLV_OK || end < 0 ||
	    end > INT32_MAX || !unit_work(unit, (uint64_t)end))
		return unit_reject(unit, "line table");
	unit->file_count = (uint32_t)end;
	unit->files = rs_alloc(unit->file_count, sizeof *unit->files);
	return unit->files ? UNIT_OK : reading_memory(unit->reader->reading);
}

void unit_close_files(struct dwarf_unit *unit)
{
	if (unit->lines)
		dwarf_srclines_dealloc_b(unit->lines);
	rs_free(unit->files);
	unit->lines = NULL;
	unit->files = NULL;
}

/* Only this is absolute for GNU on Unix, and its answers are what users know.  C:/x.c becomes DIRECTORY/C:/x.c. */
static bool is_absolute(const char *path)
{
	return path[0] == '/';
}

/* The directory with a number, NULL if it has none.  Before DWARF 5 number 0 is the compilation directory, which is not in
   the table, and libdwarf counts from 1. */
static const char *directory(struct dwarf_unit *unit, Dwarf_Unsigned index)
{
	const char *name = NULL;
	Dwarf_Signed count = 0;
	Dwarf_Error error = NULL;
	if (dwarf_srclines_include_dir_count(unit->lines, &count, &error) != DW_DLV_OK || count < 0)
		return NULL;
	uint64_t first = unit->line_version >= 5 ? 0 : 1;
	if (index < first || index - first >= (uint64_t)count)
		return NULL;
	return dwarf_srclines_include_dir_data(unit->lines, (Dwarf_Signed)index, &name, &error) == DW_DLV_OK ? name : NULL;
}

/* Joined textually, never tidied up. */
static enum outcome join(struct dwarf_unit *unit, const char *comp_dir, const char *dir, const char *name, uint32_t *ret)
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

enum outcome unit_file(struct dwarf_unit *unit, Dwarf_Unsigned index, uint32_t *ret)
{
	*ret = 0;
	if (index >= unit->file_count || (index == 0 && unit->line_version < 5))
		return UNIT_OK;
	if (unit->files[index]) {
		*ret = unit->files[index] - 1;
		return UNIT_OK;
	}
	const char *name = NULL;
	Dwarf_Unsigned dir_index = 0, time = 0, size = 0;
	Dwarf_Form_Data16 *md5 = NULL;
	if (dwarf_srclines_files_data_b(unit->lines, (Dwarf_Signed)index, &name, &dir_index, &time, &size, &md5,
					&unit->error) != DW_DLV_OK)
		return unit_reject(unit, "file table");
	if (name && name[0]) {
		const char *comp_dir = NULL, *dir = NULL;
		if (!is_absolute(name)) {
			dir = directory(unit, dir_index);
			if (!dir || !is_absolute(dir))
				comp_dir = unit->comp_dir;
		}
		if (join(unit, comp_dir, dir, name, ret) < 0)
			return UNIT_FATAL;
	}
	unit->files[index] = *ret + 1;
	return UNIT_OK;
}
