// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/lookup.h"

enum {
	WINDOW = 64,	/* how many rows to read at once: 1 KiB, which takes hardly longer to read than one row */
	FAR = 1024	/* an honest look-up passes fewer rows than this */
};

/* Count the rows at or below ADDRESS. */
static int rows_up_to(const struct rs_table *table, const struct rs_source *source, uint64_t address, uint32_t *count,
		      struct rossym_error *err)
{
	struct rs_row rows[WINDOW];
	uint32_t low = 0, high = table->row_count;		/* rows before `low` are at or below ADDRESS, */
	uint64_t low_address = 0, high_address = UINT64_MAX;	/* rows from `high` on are above it */
	while (high - low > WINDOW) {
		uint32_t middle = low + (high - low) / 2;
		if (rs_table_read(table, source, middle, 1, rows, err) < 0)
			return -1;
		if (rows[0].address < low_address || rows[0].address > high_address)
			return rs_table_fail_order(table, source, err);
		if (rows[0].address <= address) {
			low = middle + 1;
			low_address = rows[0].address;
		} else {
			high = middle;
			high_address = rows[0].address;
		}
	}
	uint32_t left = high - low;
	if (rs_table_read(table, source, low, left, rows, err) < 0)
		return -1;
	*count = low;
	for (uint32_t i = 0; i < left; i++) {
		if (rows[i].address < low_address || rows[i].address > high_address)
			return rs_table_fail_order(table, source, err);
		low_address = rows[i].address;
		*count += rows[i].address <= address;
	}
	return 0;
}

/* A walk through the table towards lower addresses, which reads a window of rows at a time. */
struct descent {
	struct rs_table *table;
	const struct rs_source *source;
	struct rs_row rows[WINDOW];
	uint32_t first;		/* the number of rows[0] */
	uint32_t count;
	uint64_t last;		/* the address of the row seen last */
};

static const struct rs_row *row_below(struct descent *d, uint32_t end, struct rossym_error *err)
{
	uint32_t wanted = end - 1;
	if (d->count == 0 || wanted < d->first) {
		d->count = end < WINDOW ? end : WINDOW;
		d->first = end - d->count;
		if (rs_table_read(d->table, d->source, d->first, d->count, d->rows, err) < 0)
			return NULL;
	}
	const struct rs_row *row = &d->rows[wanted - d->first];
	if (row->address > d->last) {
		rs_table_fail_order(d->table, d->source, err);
		return NULL;
	}
	d->last = row->address;
	return row;
}

static int add_rows(struct rs_answer *answer, const struct descent *d, const struct rs_row *rows, uint32_t count,
		    struct rs_view *view, struct rossym_error *err)
{
	for (uint32_t i = 0; i < count; i++) {
		if (rs_table_fetch(d->table, d->source, &rows[i], err) < 0)
			return -1;
		rs_answer_add(answer, &rows[i], view);
	}
	return 0;
}

/* Combine the rows from BEGIN up to END, which all have one address, into ANSWER. */
static int combine(struct rs_answer *answer, const struct descent *d, uint32_t begin, uint32_t end,
		   struct rs_view *view, struct rossym_error *err)
{
	struct rs_row rows[WINDOW];
	rs_answer_start(answer);
	if (begin >= d->first && end - d->first <= d->count)
		return add_rows(answer, d, &d->rows[begin - d->first], end - begin, view, err);
	for (uint32_t count; begin < end; begin += count) {
		count = end - begin < WINDOW ? end - begin : WINDOW;
		if (rs_table_read(d->table, d->source, begin, count, rows, err) < 0 ||
		    add_rows(answer, d, rows, count, view, err) < 0)
			return -1;
	}
	return 0;
}

int rs_lookup(struct rs_table *table, const struct rs_source *source, uint64_t address, struct rs_payload *payload,
	      uint64_t *at, struct rossym_error *err)
{
	uint32_t end = 0;
	if (rows_up_to(table, source, address, &end, err) < 0)
		return -1;
	const uint32_t far = end > FAR ? end - FAR : 0;

	/* Go down to the nearest address that has an answer.  The walk meets the rows of an address in reverse, but of rows
	   with equal rank the first in the table counts.  So find the first row of the address, then add them in order. */
	struct rs_view view = rs_fetched_view(table, source);
	struct descent d = { .table = table, .source = source, .last = UINT64_MAX };
	while (end > 0) {
		const struct rs_row *row = row_below(&d, end, err);
		if (!row)
			return -1;
		uint64_t here = row->address;
		uint32_t begin = end - 1;
		while (begin > far && (row = row_below(&d, begin, err)) && row->address == here)
			begin--;
		if (!row)
			return -1;
		if (begin == far && far > 0)
			return RS_LOOKUP_FAR;

		struct rs_answer answer;
		if (combine(&answer, &d, begin, end, &view, err) < 0)
			return -1;
		if (answer.rank != RS_ANSWER_NONE) {
			*payload = rs_answer_payload(&answer, &view);
			*at = here;
			return 1;
		}
		end = begin;
		d.last = here;
	}
	return 0;
}
