// SPDX-License-Identifier: GPL-2.0-or-later
/* lookup.c - finds a row by binary search, and walks from there */
#include "core/lookup.h"

/* Some neighbouring rows of the table, at most RS_WINDOW_SIZE bytes. */
struct row_window {
	const struct rs_table *table;
	struct rossym_fault *fault;
	uint32_t first, count; /* number of the first row in the window, and how many rows are there */
	const uint8_t *bytes;
	uint8_t buffer[RS_WINDOW_SIZE];
};

/*@ predicate walking{L}(struct row_window *w) =
      \valid(w) && opened(w->table) && \valid(w->fault) && \separated(w, w->table, w->fault);
    predicate filled{L}(struct row_window *w) = bytes(w->bytes, w->count * w->table->row_size); */

/* Read the rows from FIRST up to END into the window, which has room for them. */
/*@ requires walking(rows) && first <= end && (end - first) * rows->table->row_size <= RS_WINDOW_SIZE;
    assigns rows->first, rows->count, rows->bytes, rows->buffer[0 .. RS_WINDOW_SIZE - 1], *rows->fault;
    ensures walking(rows);
    ensures filled(rows) && rows->first == first && rows->count == (\result < 0 ? 0 : end - first); */
static int read_rows(struct row_window *rows, uint32_t first, uint32_t end)
{
	rows->bytes = rs_table_bytes(rows->table, first, end - first, rows->buffer, rows->fault);
	rows->first = first;
	rows->count = rows->bytes ? end - first : 0;
	return rows->bytes ? 0 : -1;
}

/* Returns row NUMBER of the table, which is in the window. */
/*@ requires walking(rows) && filled(rows) && rows->first <= number < rows->first + rows->count;
    assigns \nothing; */
static struct rs_row row_in_window(const struct row_window *rows, uint32_t number)
{
	return rs_table_row(rows->table, rows->bytes + (size_t)(number - rows->first) * rows->table->row_size);
}

/*@ requires \valid_read(rows);
    assigns \nothing;
    ensures \result <==> rows->first <= number < rows->first + rows->count; */
static bool is_in_window(const struct row_window *rows, uint32_t number)
{
	return number >= rows->first && number - rows->first < rows->count;
}

/* Store row NUMBER in *ROW.  If the window lacks it, read it and rows before it, for a walk to lower numbers.  Of
   packed rows, only address and line are valid.  Returns 0 or -1. */
/*@ requires walking(rows) && filled(rows) && number < UINT32_MAX && \valid(row);
    requires \separated(rows, rows->table, rows->fault, row);
    assigns rows->first, rows->count, rows->bytes, rows->buffer[0 .. RS_WINDOW_SIZE - 1], *rows->fault, *row;
    ensures walking(rows);
    ensures filled(rows); */
static int read_row_downwards(struct row_window *rows, uint32_t number, struct rs_row *row)
{
	uint32_t end = number + 1, count = rs_table_rows_before(rows->table, end, end);
	if (!is_in_window(rows, number) && read_rows(rows, end - count, end) < 0)
		return -1;
	*row = row_in_window(rows, number);
	return 0;
}

/* Store row NUMBER in *ROW.  If the window lacks it, read it and rows after it, for a walk to higher numbers.  Returns
   0 or -1. */
/*@ requires walking(rows) && filled(rows) && number < rows->table->row_count && \valid(row);
    requires \separated(rows, rows->table, rows->fault, row);
    assigns rows->first, rows->count, rows->bytes, rows->buffer[0 .. RS_WINDOW_SIZE - 1], *rows->fault, *row;
    ensures walking(rows);
    ensures filled(rows); */
static int read_row_upwards(struct row_window *rows, uint32_t number, struct rs_row *row)
{
	uint32_t count = rs_table_rows_from(rows->table, number, rows->table->row_count - number);
	if (!is_in_window(rows, number) && read_rows(rows, number, number + count) < 0)
		return -1;
	*row = row_in_window(rows, number);
	return rs_row_unpack(rows->table, number, row, rows->fault);
}

/* ------------------------------------------------------------------------------------------------ searching */

/* Rows before `low` are at or below the address that is looked up; rows from `high` on are above it. */
struct bounds {
	uint32_t low, high;
	uint64_t low_address, high_address; /* the rows from `low` to `high` have addresses in this range */
};

/* Move one of the bounds to row NUMBER, whose address is ROW_ADDRESS.  False: the row is out of order, because its
   address is not between those of the bounds. */
/*@ requires \valid(bounds) && bounds->low <= number < bounds->high;
    assigns *bounds;
    ensures bounds->low <= bounds->high <= \old(bounds->high);
    ensures \result ==> bounds->high - bounds->low < \old(bounds->high - bounds->low); */
static bool narrow_bounds(struct bounds *bounds, uint32_t number, uint64_t row_address, uint64_t address)
{
	if (row_address < bounds->low_address || row_address > bounds->high_address)
		return false;
	if (row_address <= address) {
		bounds->low = number + 1;
		bounds->low_address = row_address;
	} else {
		bounds->high = number;
		bounds->high_address = row_address;
	}
	return true;
}

/* Set BOUNDS to the group of packed rows that has the last row at or below ADDRESS; if all rows are above ADDRESS, to
   no rows.  Returns 0 or -1. */
/*@ requires opened(table) && table->packed.groups != 0;
    requires \valid(bounds) && \valid(fault) && \separated(table, bounds, fault);
    assigns *bounds, *fault;
    ensures \result >= 0 ==> bounds->low <= bounds->high <= table->row_count; */
static int set_bounds_to_group(const struct rs_table *table, uint64_t address, struct bounds *bounds,
			       struct rossym_fault *fault)
{
	uint32_t groups;
	if (rs_packed_count_groups_up_to(table, address, &groups, &bounds->high_address, fault) < 0)
		return -1;
	bounds->low = groups > 0 ? (groups - 1) * RS_GROUP_ROWS : 0;
	bounds->high = table->row_count - bounds->low < RS_GROUP_ROWS ? table->row_count : bounds->low + RS_GROUP_ROWS;
	if (groups == 0)
		bounds->high = 0;
	return 0;
}

/* Store in *COUNT how many rows are at or below ADDRESS.  Leaves the rows around the last of them in the window.
   Returns 0 or -1. */
/*@ requires walking(rows) && \valid(count) && \separated(rows, rows->table, rows->fault, count);
    assigns rows->first, rows->count, rows->bytes, rows->buffer[0 .. RS_WINDOW_SIZE - 1], *rows->fault, *count;
    ensures walking(rows);
    ensures \result >= 0 ==> filled(rows) && *count <= rows->table->row_count; */
static int count_rows_up_to(struct row_window *rows, uint64_t address, uint32_t *count)
{
	const struct rs_table *table = rows->table;
	struct bounds bounds = { 0, table->row_count, 0, UINT64_MAX };
	if (rs_is_packed(table) && set_bounds_to_group(table, address, &bounds, rows->fault) < 0)
		return -1;
	/*@ loop invariant walking(rows) && bounds.low <= bounds.high <= table->row_count;
	    loop assigns bounds, rows->first, rows->count, rows->bytes, rows->buffer[0 .. RS_WINDOW_SIZE - 1],
	                 *rows->fault;
	    loop variant bounds.high - bounds.low; */
	while (rs_table_rows_at_once(table, bounds.high - bounds.low) < bounds.high - bounds.low) {
		uint32_t middle = bounds.low + (bounds.high - bounds.low) / 2;
		if (read_rows(rows, middle, middle + 1) < 0)
			return -1;
		if (!narrow_bounds(&bounds, middle, row_in_window(rows, middle).address, address))
			return rs_table_fail_order(table, rows->fault);
	}
	/* Check the order of all rows of the window, also of those above ADDRESS. */
	uint64_t before = bounds.low_address;
	const uint32_t first = bounds.low, end = bounds.high;
	*count = first;
	if (read_rows(rows, first, end) < 0)
		return -1;
	/*@ loop invariant first <= i <= end && first <= *count <= i;
	    loop assigns i, before, *count, *rows->fault;
	    loop variant end - i; */
	for (uint32_t i = first; i < end; i++) {
		uint64_t here = row_in_window(rows, i).address;
		if (here < before || here > bounds.high_address)
			return rs_table_fail_order(table, rows->fault);
		before = here;
		*count += here <= address;
	}
	return 0;
}

/* ------------------------------------------------------------------------------------------------ answering */

/* Find the rows that share the address of row END - 1, and store the number of the first of them in *RET_BEGIN.  Reads
   no row before row LIMIT.  *BEFORE is the address of row END, or UINT64_MAX, and becomes the address of the rows that
   are found.  Returns 0 or -1. */
/*@ requires walking(rows) && filled(rows) && limit <= end && \valid(before) && \valid(ret_begin);
    requires \separated(rows, rows->table, rows->fault, before, ret_begin);
    assigns rows->first, rows->count, rows->bytes, rows->buffer[0 .. RS_WINDOW_SIZE - 1], *rows->fault, *before,
            *ret_begin;
    ensures walking(rows);
    ensures filled(rows);
    ensures \result >= 0 ==> limit <= *ret_begin <= end && (limit < end ==> *ret_begin < end); */
static int find_rows_of_address(struct row_window *rows, uint32_t end, uint32_t limit, uint64_t *before,
				uint32_t *ret_begin)
{
	struct rs_row row;
	uint32_t begin = end;
	/*@ loop invariant walking(rows);
	    loop invariant filled(rows) && limit <= begin <= end;
	    loop assigns row, begin, rows->first, rows->count, rows->bytes, rows->buffer[0 .. RS_WINDOW_SIZE - 1],
	                 *rows->fault, *before;
	    loop variant begin; */
	while (begin > limit) {
		if (read_row_downwards(rows, begin - 1, &row) < 0)
			return -1;
		if (row.address > *before)
			return rs_table_fail_order(rows->table, rows->fault);
		if (begin < end && row.address != *before)
			break;
		*before = row.address;
		begin--;
	}
	*ret_begin = begin;
	return 0;
}

/* Combine the rows from BEGIN up to END, which all have one address, into ANSWER.  Returns 0 or -1. */
/*@ requires walking(rows);
    requires filled(rows);
    requires judging(words);
    requires begin <= end <= rows->table->row_count && \valid(answer);
    requires \separated(rows, rows->table, rows->fault, answer, words) && words->fault == rows->fault;
    requires words->strings == &rows->table->strings;
    assigns rows->first, rows->count, rows->bytes, rows->buffer[0 .. RS_WINDOW_SIZE - 1], *rows->fault, *answer,
            words->failed, words->function, words->file;
    ensures walking(rows);
    ensures filled(rows);
    ensures rows->table->row_count == \old(rows->table->row_count); */
static int combine_rows(struct row_window *rows, uint32_t begin, uint32_t end, struct rs_words *words,
			struct rs_answer *answer)
{
	struct rs_row row;
	rs_answer_start(answer);
	/*@ loop invariant walking(rows);
	    loop invariant filled(rows);
	    loop invariant judging(words);
	    loop invariant begin <= i <= end;
	    loop assigns i, row, rows->first, rows->count, rows->bytes, rows->buffer[0 .. RS_WINDOW_SIZE - 1],
	                 *rows->fault, *answer, words->failed, words->function, words->file;
	    loop variant end - i; */
	for (uint32_t i = begin; i < end; i++) {
		if (read_row_upwards(rows, i, &row) < 0)
			return -1;
		rs_answer_add_row(answer, &row, i, words);
		if (words->failed)
			return -1;
	}
	return 0;
}

/* Find the last row before row COUNT that counts (lookup.h), and answer from all rows at its address.  Reads no row
   before row LIMIT.  Returns as rs_lookup(). */
/*@ requires walking(rows);
    requires filled(rows);
    requires judging(words);
    requires limit <= count <= rows->table->row_count && \valid(found);
    requires \separated(rows, rows->table, rows->fault, found, words) && words->fault == rows->fault;
    requires words->strings == &rows->table->strings;
    assigns rows->first, rows->count, rows->bytes, rows->buffer[0 .. RS_WINDOW_SIZE - 1], *rows->fault, *found,
            words->failed, words->function, words->file; */
static int answer_below(struct row_window *rows, uint32_t count, uint32_t limit, struct rs_words *words,
			struct rs_found *found)
{
	/* The walk meets the rows of an address in reverse, but rs_answer_add_row() needs them in table order.  So first
	   find the first row of the address. */
	uint32_t begin = 0;
	uint64_t at = UINT64_MAX;
	/*@ loop invariant walking(rows);
	    loop invariant filled(rows);
	    loop invariant judging(words);
	    loop invariant limit <= end <= count;
	    loop invariant count <= rows->table->row_count;
	    loop assigns at, end, begin, *found, *rows->fault, words->failed, words->function, words->file;
	    loop assigns rows->first, rows->count, rows->bytes, rows->buffer[0 .. RS_WINDOW_SIZE - 1];
	    loop variant end; */
	for (uint32_t end = count; end > 0; end = begin) {
		struct rs_answer answer;
		if (find_rows_of_address(rows, end, limit, &at, &begin) < 0)
			return -1;
		if (begin == limit && limit > 0)
			return RS_LOOKUP_FAR;
		if (combine_rows(rows, begin, end, words, &answer) < 0)
			return -1;
		if (answer.rank != RS_ANSWER_NONE) {
			found->payload = rs_answer_payload(&answer, words);
			found->at = at;
			found->row = answer.number;
			return words->failed ? -1 : 1;
		}
	}
	return 0;
}

/*@ requires opened(table) && \valid(found) && \valid(fault) && \separated(table, found, fault);
    assigns *found, *fault; */
int rs_lookup(const struct rs_table *table, uint64_t address, uint32_t most, struct rs_found *found,
	      struct rossym_fault *fault)
{
	struct rs_words words = rs_words_of(&table->strings, fault);
	struct row_window rows;
	rows.table = table;
	rows.fault = fault;
	uint32_t count = 0;
	if (count_rows_up_to(&rows, address, &count) < 0)
		return -1;
	return answer_below(&rows, count, count > most ? count - most : 0, &words, found);
}

/* Whether row NUMBER counts: a row that is a linker constant and nothing else does not.  *BEFORE becomes the row's
   address.  Returns 1 or 0; or -1 on a fault, or if the row is out of order: its address is below the old *BEFORE. */
/*@ requires walking(rows) && filled(rows) && number < rows->table->row_count && \valid(before) && judging(words);
    requires \separated(rows, rows->table, rows->fault, before, words) && words->fault == rows->fault;
    requires words->strings == &rows->table->strings;
    assigns rows->first, rows->count, rows->bytes, rows->buffer[0 .. RS_WINDOW_SIZE - 1], *rows->fault, *before,
            words->failed, words->function, words->file;
    ensures walking(rows);
    ensures filled(rows); */
static int does_row_count(struct row_window *rows, uint32_t number, uint64_t *before, struct rs_words *words)
{
	struct rs_row row;
	if (read_row_upwards(rows, number, &row) < 0)
		return -1;
	if (row.address < *before)
		return rs_table_fail_order(rows->table, rows->fault);
	*before = row.address;
	/*@ assert filled(rows); */
	bool counts = rs_row_kind(&row, words) != RS_ROW_CONSTANT_ONLY;
	/*@ assert filled(rows); */
	return words->failed ? -1 : counts;
}

/* Find the first row from row NUMBER on that is more than a linker constant.  *ADDRESS becomes its address.  Returns 1;
   0 if there is none; or -1 on a fault, such as a row below the old *ADDRESS. */
/*@ requires walking(rows);
    requires filled(rows);
    requires judging(words);
    requires number <= rows->table->row_count && \valid(address);
    requires \separated(rows, rows->table, rows->fault, address, words) && words->fault == rows->fault;
    requires words->strings == &rows->table->strings;
    assigns rows->first, rows->count, rows->bytes, rows->buffer[0 .. RS_WINDOW_SIZE - 1], *rows->fault, *address,
            words->failed, words->function, words->file; */
static int find_next_counting_row(struct row_window *rows, uint32_t number, struct rs_words *words, uint64_t *address)
{
	int result = 0;
	/*@ loop invariant walking(rows);
	    loop invariant filled(rows);
	    loop invariant judging(words);
	    loop invariant number <= rows->table->row_count;
	    loop assigns number, result, *address, *rows->fault, words->failed, words->function, words->file;
	    loop assigns rows->first, rows->count, rows->bytes, rows->buffer[0 .. RS_WINDOW_SIZE - 1];
	    loop variant rows->table->row_count - number; */
	for (; number < rows->table->row_count && result == 0; number++)
		result = does_row_count(rows, number, address, words);
	return result;
}

/*@ requires opened(table) && \valid(next) && \valid(fault) && \separated(table, next, fault);
    assigns *next, *fault; */
int rs_lookup_next(const struct rs_table *table, uint64_t address, uint64_t *next, struct rossym_fault *fault)
{
	struct rs_words words = rs_words_of(&table->strings, fault);
	struct row_window rows;
	rows.table = table;
	rows.fault = fault;
	uint32_t number = 0;
	if (count_rows_up_to(&rows, address, &number) < 0)
		return -1;
	int result = find_next_counting_row(&rows, number, &words, &address);
	if (result > 0)
		*next = address;
	return result;
}
