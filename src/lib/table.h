/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table.h - the rows and strings of a .rossym section, as they stand in the file
 *
 * Opening judges the header and the bounds: behind it every row and the strings exist.  A row is only bytes until
 * it is read; whether its string offsets are inside the strings is answered by rs_table_string().
 */
#ifndef RS_TABLE_H
#define RS_TABLE_H

#include "lib/segments.h"
#include "rossym.h"

#include <stdbool.h>

struct rs_table {
	uint64_t offset;	/* of the header, in the source */
	uint64_t rows_offset;	/* of the first row, in the source */
	uint32_t row_count;
	uint32_t row_size;
	struct rs_segments strings;
	uint32_t strings_length;
};

struct rs_row {
	uint64_t address;
	uint32_t function;	/* offsets into the strings */
	uint32_t file;
	uint32_t line;
};

/*
 * Open the table at OFFSET of SOURCE, which has SIZE bytes, perhaps more than the source has from there.
 * WIDE: it is of a 64-bit image, whose rows have one of three sizes.
 */
int rs_table_open(struct rs_table *table, const struct rs_source *source, uint64_t offset, uint64_t size, bool wide,
		  struct rossym_error *err);
void rs_table_clear(struct rs_table *table);

/* How many rows rs_table_read() can be asked for at once. */
enum { RS_ROWS_MAX = 256 };

/* Read COUNT rows, which exist, beginning with row FIRST. */
int rs_table_read(const struct rs_table *table, const struct rs_source *source, uint32_t first, uint32_t count,
		  struct rs_row *rows, struct rossym_error *err);

/* The two halves of that, for those who want all rows: the bytes of COUNT rows, which are in memory or read into BUFFER, and
   the rows that BYTES are. */
const uint8_t *rs_table_bytes(const struct rs_table *table, const struct rs_source *source, uint32_t first, uint32_t count,
			      uint8_t *buffer, struct rossym_error *err);
void rs_table_decode(const struct rs_table *table, const uint8_t *bytes, uint32_t count, struct rs_row *rows);

/* All the strings' bytes; NULL on error. */
const char *rs_table_strings(struct rs_table *table, const struct rs_source *source, struct rossym_error *err);

/* The same, with RS_SEGMENTS_SLACK bytes behind them. */
const char *rs_table_padded(struct rs_table *table, const struct rs_source *source, struct rossym_error *err);

/* Where they begin in the source. */
uint64_t rs_table_strings_offset(const struct rs_table *table);

/* The offset of a string that came from the table; UINT32_MAX for others. */
uint32_t rs_table_offset_of(const struct rs_table *table, const struct rs_source *source, const char *string);

/* The string at OFFSET of STRINGS, or NULL if that is outside.  Offset 0 is "" whatever stands there. */
const char *rs_table_string(const struct rs_table *table, const char *strings, uint32_t offset);

/* What a string is, as far as answers depend on it, and which string it was that has been judged last. */
enum rs_word { RS_WORD_NOTHING, RS_WORD_TEXT, RS_WORD_CONSTANT, RS_WORD_TERMINATOR };

struct rs_judged {
	uint32_t offset;	/* 0 is nothing, as all zeros say */
	enum rs_word word;
};

/* The strings as those see them who look at few: all of them where they are there, else what has been fetched.  Made
   by the two functions below, read by rs_view_string() by the rules of rs_table_string(). */
struct rs_view {
	const struct rs_table *table;
	const struct rs_source *source;
	const char *strings;	/* or NULL */
	struct rs_judged function, file;	/* answer.c's: neighbours mostly have the same */
};

static inline struct rs_view rs_table_view(const struct rs_table *table, const char *strings)
{
	return (struct rs_view){ .table = table, .strings = strings };
}

/* The view of those who have fetched what they ask for. */
static inline struct rs_view rs_fetched_view(const struct rs_table *table, const struct rs_source *source)
{
	return (struct rs_view){ .table = table, .source = source };
}

const char *rs_view_string(const struct rs_view *view, uint32_t offset);

/* Fetch the strings of ROW, wherever they are, so that a view without all strings can be asked for them. */
int rs_table_fetch(struct rs_table *table, const struct rs_source *source, const struct rs_row *row,
		   struct rossym_error *err);

/* Say which row is the first that is out of order.  Returns -1, whatever it finds. */
int rs_table_fail_order(const struct rs_table *table, const struct rs_source *source, struct rossym_error *err);

#endif
