// SPDX-License-Identifier: GPL-2.0-or-later
/* rows.c - the public functions that read rows one after the other, copy a whole table, or check it */
#include "config.h"
#include "lib/image.h"
#include "lib/table/table-rows.h"
#include "lib/base/error.h"
#include "core/answer.h"
#include "core/layout.h"

#include <string.h>

void rossym_rows_begin(struct rossym_image *image, uint32_t first, struct rossym_rows *rows)
{
	rows->image = image;
	rows->strings = NULL;
	rows->next = first;
	rows->at = rows->count = 0;
}

/* Read the next rows, as many as fit, into rows->window.  Returns 1; 0 at the table's end; or -1. */
static int read_next_window(struct rossym_rows *rows, struct rossym_error *err)
{
	struct rossym_image *image = rows->image;
	if (rs_image_ensure_all_rows(image, err) < 0)
		return -1;
	const struct rs_table *table = &image->core.table;
	uint32_t left = rows->next < table->row_count ? table->row_count - rows->next : 0;
	uint32_t most = (uint32_t)sizeof rows->window / table->row_size, count = left < most ? left : most;
	if (count == 0)
		return 0;
	const char *strings = rs_table_strings_get_whole(&image->strings, err);
	size_t size = (size_t)count * table->row_size;
	const uint64_t offset = table->rows_offset + (uint64_t)rows->next * table->row_size;
	if (!strings || rs_reader_copy(&table->reader, offset, size, rows->window, err) < 0)
		return -1;
	rows->strings = strings;
	rows->next += count;
	rows->at = 0;
	rows->count = count;
	return 1;
}

int rossym_rows_next(struct rossym_rows *rows, struct rossym_row *row, struct rossym_error *err)
{
	int r = rows->at < rows->count ? 1 : read_next_window(rows, err);
	if (r <= 0)
		return r;
	const struct rs_table *table = &rows->image->core.table;
	const struct rs_row raw = rs_table_decode_row(table, rows->window + (size_t)rows->at++ * table->row_size);
	const char *function = rs_table_string(table, rows->strings, raw.function);
	const char *file = rs_table_string(table, rows->strings, raw.file);
	*row = (struct rossym_row){
		.rva = raw.address,
		.function = function ? function : "",
		.file = file ? file : "",
		.line = raw.line,
		.damage = (function ? 0 : ROSSYM_ROW_BAD_FUNCTION) | (file ? 0 : ROSSYM_ROW_BAD_FILE),
	};
	return 1;
}

int rossym_read_table(struct rossym_image *image, void **ret, size_t *ret_size, struct rossym_error *err)
{
	uint8_t *bytes;
	if (rs_image_ensure_all_rows(image, err) < 0 ||
	    rs_table_copy(&image->core.table, image->core.section_end, &bytes, ret_size, err) < 0)
		return -1;
	*ret = bytes;
	return 0;
}

/* ------------------------------------------------------------------------------------------------ checking */

/* The rows at one address, which are counted together. */
struct address_rows {
	uint64_t address;
	/* How many of these rows could answer: those that have more than a linker constant (core/words.h) and, unless
	   the table is bare, lie in code.  One of them answers; the others count as `shadowed` in the report. */
	uint32_t candidates;
};

/* Count in REPORT what is unusual about ROW, and in GROUP whether ROW could answer.  ROW must be valid. */
static void count_oddities_of_row(const struct rs_row *row, const struct rs_pe *pe, struct rs_words *words,
				  struct address_rows *group, struct rossym_report *report)
{
	bool has_file = rs_classify_string_cached(words, row->file, &words->file) != RS_WORD_NOTHING;
	report->line_without_file += row->line && !has_file;
	report->file_without_line += has_file && !row->line;

	enum rs_row_kind kind = rs_classify_row(row, words);
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
		report->shadowed += group->candidates++ > 0;
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

/* Check all rows of TABLE, and store the counts in *RET_REPORT, unless there is an error.  STRINGS has all strings of
   TABLE.  PE is the image; NULL for a bare table.  Returns 0; or -1 with the error of the first wrong row. */
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
	struct rs_words words = rs_words_make(&all, &fault);
	struct rs_row rows[RS_ROWS_MAX];
	struct address_rows group = { .address = 0, .candidates = 0 };
	for (uint32_t first = 0, count; first < table->row_count; first += count) {
		count = table->row_count - first < RS_ROWS_MAX ? table->row_count - first : RS_ROWS_MAX;
		if (rs_table_read_rows(table, first, count, rows, err) < 0)
			return -1;
		for (uint32_t i = 0; i < count; i++) {
			if (rs_row_check(table, first + i, &rows[i], group.address, &fault) < 0)
				return rs_fail_fault(err, &fault);
			if (rows[i].address != group.address)
				group.candidates = 0;
			else if (first + i > 0)
				report.duplicates++;
			group.address = rows[i].address;
			count_oddities_of_row(&rows[i], pe, &words, &group, &report);
		}
	}
	*ret_report = report;
	return 0;
}

int rossym_check(struct rossym_image *image, struct rossym_report *ret, struct rossym_error *err)
{
	struct rossym_report report;
	if (rs_sized_check(ret, sizeof report, err) < 0 || rs_image_ensure_all_rows(image, err) < 0)
		return -1;
	const char *strings = rs_table_strings_get_whole(&image->strings, err);
	if (!strings ||
	    check_table(&image->core.table, strings, rs_image_is_bare(image) ? NULL : &image->core.pe, &report, err) <
		    0 ||
	    rossym_read_block(image, NULL, err) < 0)
		return -1;
	rs_sized_fill(ret, &report, sizeof report);
	return 0;
}
