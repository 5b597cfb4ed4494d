// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/check.h"
#include "lib/answer.h"
#include "lib/error.h"
#include "core/layout.h"

#include <inttypes.h>
#include <string.h>

static int check_strings(const struct rs_row *row, uint32_t number, const struct rs_table *table, struct rossym_error *err)
{
	uint64_t at = table->rows_offset + (uint64_t)number * table->row_size;
	uint32_t offsets_at = table->row_size == 16 ? 4 : 8;
	if (row->function != 0 && row->function >= table->strings_length)
		return rs_fail(err, ROSSYM_EDAMAGED, at + offsets_at,
			       "row %" PRIu32 " has its function at 0x%" PRIx32 " of 0x%" PRIx32 " bytes of strings", number,
			       row->function, table->strings_length);
	if (row->file != 0 && row->file >= table->strings_length)
		return rs_fail(err, ROSSYM_EDAMAGED, at + offsets_at + 4,
			       "row %" PRIu32 " has its file at 0x%" PRIx32 " of 0x%" PRIx32 " bytes of strings", number,
			       row->file, table->strings_length);
	return 0;
}

/* The rows of one address, while they go by. */
struct group {
	uint64_t address;
	uint32_t candidates;	/* rows in code that count: one of them answers */
};

static void end_group(struct group *group, struct rossym_report *report)
{
	if (group->candidates > 1)
		report->shadowed += group->candidates - 1;
	group->candidates = 0;
}

static void count_row(const struct rs_row *row, const struct rs_table *table, const char *strings,
		      const struct rs_pe *pe, struct group *group, struct rossym_report *report)
{
	bool has_file = *rs_table_string(table, strings, row->file) != '\0';
	report->line_without_file += row->line && !has_file;
	report->file_without_line += has_file && !row->line;

	struct rs_view view = rs_table_view(table, strings);
	enum rs_row_kind kind = rs_row_kind(row, &view);
	report->constant_names += kind == RS_ROW_CONSTANT_NAME;
	if (kind == RS_ROW_CONSTANT_ONLY) {
		report->linker_constants++;
		return;
	}
	const struct rs_section *section = pe ? rs_pe_section_at(pe, row->address) : NULL;
	if (pe && !section) {
		report->outside++;
	} else if (pe && !rs_section_is_code(section->characteristics)) {
		report->in_data++;
	} else {
		group->candidates++;
	}
}

static void count_long_strings(const struct rs_table *table, const char *strings, struct rossym_report *report)
{
	for (uint32_t at = 0; at < table->strings_length;) {
		size_t length = strlen(strings + at);
		report->too_long += length > RS_STRING_MAX;
		at = length < table->strings_length - at ? at + (uint32_t)length + 1 : table->strings_length;
	}
}

int rs_check(struct rs_table *table, const struct rs_source *source, const struct rs_pe *pe,
	     struct rossym_report *ret_report, struct rossym_error *err)
{
	struct rossym_report report;
	memset(&report, 0, sizeof report);
	const char *strings = rs_table_strings(table, source, err);
	if (!strings)
		return -1;
	report.rows = table->row_count;
	if (table->strings_length > 0) {
		report.unterminated = strings[table->strings_length - 1] != '\0';
		report.first_not_empty = strings[0] != '\0';
	}
	count_long_strings(table, strings, &report);

	struct rs_row rows[RS_ROWS_MAX];
	struct group group = { .address = 0, .candidates = 0 };
	for (uint32_t first = 0, count; first < table->row_count; first += count) {
		count = table->row_count - first < RS_ROWS_MAX ? table->row_count - first : RS_ROWS_MAX;
		if (rs_table_read(table, source, first, count, rows, err) < 0)
			return -1;
		for (uint32_t i = 0; i < count; i++) {
			if (rows[i].address < group.address)
				return rs_table_fail_order(table, source, err);
			if (check_strings(&rows[i], first + i, table, err) < 0)
				return -1;
			if (rows[i].address != group.address)
				end_group(&group, &report);
			else if (first + i > 0)
				report.duplicates++;
			group.address = rows[i].address;
			count_row(&rows[i], table, strings, pe, &group, &report);
		}
	}
	end_group(&group, &report);
	*ret_report = report;
	return 0;
}
