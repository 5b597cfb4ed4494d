// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/demand.h"
#include "lib/base/error.h"
#include "core/answer.h"
#include "core/layout.h"
#include "lib/table/table-rows.h"

#include <string.h>

/* The rows at the current address. */
struct address_rows {
	uint64_t address;
	/* How many of the rows could answer: those that are no linker constants and, unless the table is bare, are in
	   code.  One of them answers; the others count as `shadowed` in the report. */
	uint32_t candidates;
};

static void count_shadowed(struct address_rows *group, struct rossym_report *report)
{
	if (group->candidates > 1)
		report->shadowed += group->candidates - 1;
	group->candidates = 0;
}

/* Count what is unusual about ROW, which is valid. */
static void count_row(const struct rs_row *row, const struct rs_pe *pe, struct rs_words *words,
		      struct address_rows *group, struct rossym_report *report)
{
	bool has_file = rs_word_at(words, row->file, &words->file) != RS_WORD_NOTHING;
	report->line_without_file += row->line && !has_file;
	report->file_without_line += has_file && !row->line;

	enum rs_row_kind kind = rs_row_kind(row, words);
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
	for (uint32_t at = 0; at < table->strings.length;) {
		size_t length = strlen(strings + at);
		report->too_long += length > RS_STRING_LENGTH_MAX;
		at = length < table->strings.length - at ? at + (uint32_t)length + 1 : table->strings.length;
	}
}

/* Check all rows of TABLE, and store the counts in *REPORT; nothing is stored on an error.  STRINGS has all strings of
   TABLE.  PE: the image that the table belongs to; NULL for a bare table.  Returns 0; or -1 and the error of the first row
   that is wrong. */
static int check_table(const struct rs_table *table, const char *strings, const struct rs_pe *pe,
		       struct rossym_report *ret_report, struct rossym_error *err)
{
	struct rossym_report report;
	memset(&report, 0, sizeof report);
	report.rows = table->row_count;
	if (table->strings.length > 0) {
		report.unterminated = strings[table->strings.length - 1] != '\0';
		report.first_not_empty = strings[0] != '\0';
	}
	count_long_strings(table, strings, &report);

	const struct rs_strings all = rs_strings_at(table, strings);
	struct rossym_fault fault;
	struct rs_words words = rs_words_of(&all, &fault);
	struct rs_row rows[RS_ROWS_MAX];
	struct address_rows group = { .address = 0, .candidates = 0 };
	for (uint32_t first = 0, count; first < table->row_count; first += count) {
		count = table->row_count - first < RS_ROWS_MAX ? table->row_count - first : RS_ROWS_MAX;
		if (rs_table_read(table, first, count, rows, err) < 0)
			return -1;
		for (uint32_t i = 0; i < count; i++) {
			if (rs_row_check(table, first + i, &rows[i], group.address, &fault) < 0)
				return rs_fail_fault(err, &fault);
			if (rows[i].address != group.address)
				count_shadowed(&group, &report);
			else if (first + i > 0)
				report.duplicates++;
			group.address = rows[i].address;
			count_row(&rows[i], pe, &words, &group, &report);
		}
	}
	count_shadowed(&group, &report);
	*ret_report = report;
	return 0;
}

int rossym_check(struct rossym_image *image, struct rossym_report *ret, struct rossym_error *err)
{
	struct rossym_report report;
	if (rs_sized_check(ret, sizeof report, err) < 0 || rs_image_need_all(image, err) < 0)
		return -1;
	const char *strings = rs_segments_whole(&image->strings, err);
	if (!strings ||
	    check_table(&image->core.table, strings, rs_image_is_bare(image) ? NULL : &image->core.pe, &report, err) <
		    0 ||
	    rossym_read_block(image, NULL, err) < 0)
		return -1;
	rs_sized_give(ret, &report, sizeof report);
	return 0;
}
