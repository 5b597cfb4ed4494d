// SPDX-License-Identifier: GPL-2.0-or-later
/* lookup.c - finds the last row at or below an address, and goes back to the rows that answer */
#include "core/lookup.h"

/* The window, a piece of the table (see rs_table_rows_per_window()), that was read last. */
struct row_window {
	const struct rs_table *table;
	struct rossym_fault *fault;
	uint32_t first, count; /* number of the first row in the window, and how many rows the window has */
	const uint8_t *bytes;
	uint8_t buffer[RS_WINDOW_SIZE];
};

/*@ predicate walking{L}(struct row_window *w) =
      \valid(w) && opened(w->table) && \valid(w->fault) && \separated(w, w->table, w->fault);
    predicate filled{L}(struct row_window *w) = bytes(w->bytes, w->count * w->table->row_size); */

/* Store row NUMBER in *ROW.  If the window ROWS lacks the row, read the window that has it.  Of a packed row, only
   address and line are valid.  Returns 0 or -1. */
/*@ requires walking(rows) && filled(rows) && number < rows->table->row_count && \valid(row);
    requires \separated(rows, rows->table, rows->fault, row);
    assigns rows->first, rows->count, rows->bytes, rows->buffer[0 .. RS_WINDOW_SIZE - 1], *rows->fault, *row;
    ensures walking(rows);
    ensures filled(rows); */
static int read_row(struct row_window *rows, uint32_t number, struct rs_row *row)
{
	const struct rs_table *table = rows->table;
	if (number < rows->first || number - rows->first >= rows->count) {
		const uint32_t size = rs_table_rows_per_window(table), first = number - number % size;
		const uint32_t count = rs_table_rows_at_once(table, table->row_count - first);
		/*@ assert size == 21 || size == 25 || size == 32; */
		/*@ assert number - size < first <= number; */
		/*@ assert number < first + count; */
		/*@ assert \separated(rows->buffer + (0 .. RS_WINDOW_SIZE - 1), table); */
		/*@ assert count * table->row_size <= RS_WINDOW_SIZE; */
		rows->bytes = rs_table_view_rows(table, first, count, rows->buffer, rows->fault);
		/*@ assert packed: table->packed.groups != 0 ==> packed_widths(table); */
		/*@ assert readable: readable(&table->reader) && readable(&table->strings.reader); */
		rows->first = first;
		rows->count = rows->bytes ? count : 0;
		if (!rows->bytes)
			return -1;
	}
	/*@ assert rows->first <= number < rows->first + rows->count; */
	/*@ assert (number - rows->first) * table->row_size + table->row_size <= rows->count * table->row_size; */
	*row = rs_table_decode_row(table, rows->bytes + (size_t)(number - rows->first) * table->row_size);
	return 0;
}

/* Do what read_row() does, but store all of *ROW, also if the row is packed. */
/*@ requires walking(rows) && filled(rows) && number < rows->table->row_count && \valid(row);
    requires \separated(rows, rows->table, rows->fault, row);
    assigns rows->first, rows->count, rows->bytes, rows->buffer[0 .. RS_WINDOW_SIZE - 1], *rows->fault, *row;
    ensures walking(rows);
    ensures filled(rows); */
static int read_whole_row(struct row_window *rows, uint32_t number, struct rs_row *row)
{
	return read_row(rows, number, row) < 0 ? -1 : rs_row_resolve_context(rows->table, number, row, rows->fault);
}

/* ------------------------------------------------------------------------------------------------ searching */

/* Store the address of the first row of window NUMBER, which must exist, in *ADDRESS.  Returns 0 or -1. */
/*@ requires walking(rows) && filled(rows) && \valid(address);
    requires number * (RS_WINDOW_SIZE / rows->table->row_size) < rows->table->row_count;
    requires \separated(rows, rows->table, rows->fault, address);
    assigns rows->first, rows->count, rows->bytes, rows->buffer[0 .. RS_WINDOW_SIZE - 1], *rows->fault, *address;
    ensures walking(rows);
    ensures filled(rows); */
static int read_window_address(struct row_window *rows, uint32_t number, uint64_t *address)
{
	const struct rs_table *table = rows->table;
	struct rs_row row;
	/* In a packed table, windows are groups, and the list of groups has this address: unpack no rows. */
	if (rs_is_packed(table))
		return rs_packed_read_address(table, number, address, rows->fault);
	if (read_row(rows, number * rs_table_rows_per_window(table), &row) < 0)
		return -1;
	*address = row.address;
	return 0;
}

/* Store in *COUNT how many rows are at or below ADDRESS.  Leaves in ROWS the window of the last of these rows. */
/*@ requires walking(rows) && \valid(count) && \separated(rows, rows->table, rows->fault, count);
    assigns rows->first, rows->count, rows->bytes, rows->buffer[0 .. RS_WINDOW_SIZE - 1], *rows->fault, *count;
    ensures walking(rows);
    ensures \result >= 0 ==> filled(rows) && *count <= rows->table->row_count; */
static int count_rows_up_to(struct row_window *rows, uint64_t address, uint32_t *count)
{
	const struct rs_table *table = rows->table;
	const uint32_t size = rs_table_rows_per_window(table), row_count = table->row_count;
	/* Windows before LOW begin at or below ADDRESS; those from HIGH on begin above it. */
	uint32_t low = 0, high = row_count / size + (row_count % size != 0);
	uint64_t before = 0, after = UINT64_MAX; /* where windows LOW - 1 and HIGH begin; else no limit */
	rows->bytes = rows->buffer;
	rows->first = rows->count = *count = 0;
	/*@ loop invariant walking(rows);
	    loop invariant filled(rows) && low <= high && high * size < row_count + size;
	    loop assigns low, high, before, after, rows->first, rows->count, rows->bytes,
	                 rows->buffer[0 .. RS_WINDOW_SIZE - 1], *rows->fault;
	    loop variant high - low; */
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		uint64_t here;
		/*@ assert middle * size <= (high - 1) * size < row_count; */
		if (read_window_address(rows, middle, &here) < 0)
			return -1;
		if (here < before || here > after)
			return rs_table_fail_order(table, rows->fault);
		if (here <= address) {
			low = middle + 1;
			before = here;
		} else {
			high = middle;
			after = here;
		}
	}
	/* Search the last window that begins at or below ADDRESS, or the first window if all begin above ADDRESS.
	   Check the order of all its rows, also of those above ADDRESS. */
	if (low == 0)
		after = UINT64_MAX;
	const uint32_t first = low > 0 ? (low - 1) * size : 0,
		       end = row_count - first < size ? row_count : first + size;
	/*@ assert first <= end <= row_count; */
	*count = first;
	/*@ loop invariant walking(rows);
	    loop invariant filled(rows) && first <= i <= end && first <= *count <= i;
	    loop assigns i, before, *count, rows->first, rows->count, rows->bytes,
	                 rows->buffer[0 .. RS_WINDOW_SIZE - 1], *rows->fault;
	    loop variant end - i; */
	for (uint32_t i = first; i < end; i++) {
		struct rs_row row;
		if (read_row(rows, i, &row) < 0)
			return -1;
		if (row.address < before || row.address > after)
			return rs_table_fail_order(table, rows->fault);
		before = row.address;
		*count += row.address <= address;
	}
	return 0;
}

/* ------------------------------------------------------------------------------------------------ answering */

/* Find the rows that share the address of row END - 1, and store the number of the first of them in *RET_BEGIN.  Reads
   no row before row LIMIT.  Before the call, *BEFORE is the address of row END, or UINT64_MAX if no row END was read;
   it becomes the address of the rows that are found.  Returns 0 or -1. */
/*@ requires walking(rows) && filled(rows) && limit <= end <= rows->table->row_count && \valid(before) && \valid(ret_begin);
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
		if (read_row(rows, begin - 1, &row) < 0)
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
		if (read_whole_row(rows, i, &row) < 0)
			return -1;
		rs_answer_offer_row(answer, &row, i, words);
		if (words->failed)
			return -1;
	}
	return 0;
}

/* Find the last row before row COUNT that counts (lookup.h), and answer from all rows at its address.  Reads no row
   before row LIMIT.  Returns what rs_lookup() does. */
/*@ requires walking(rows);
    requires filled(rows);
    requires judging(words);
    requires limit <= count <= rows->table->row_count && \valid(found);
    requires \separated(rows, rows->table, rows->fault, found, words) && words->fault == rows->fault;
    requires words->strings == &rows->table->strings;
    assigns rows->first, rows->count, rows->bytes, rows->buffer[0 .. RS_WINDOW_SIZE - 1], *rows->fault, *found,
            words->failed, words->function, words->file; */
static int answer_from_rows_before(struct row_window *rows, uint32_t count, uint32_t limit, struct rs_words *words,
				   struct rs_found *found)
{
	/* This loop goes from high addresses to low ones, but rs_answer_offer_row() needs the rows of an address in
	   table order.  So find the first row of the address before the rows are added. */
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
			found->payload = rs_answer_make_payload(&answer, words);
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
	struct rs_words words = rs_words_make(&table->strings, fault);
	struct row_window rows;
	rows.table = table;
	rows.fault = fault;
	uint32_t count = 0;
	if (count_rows_up_to(&rows, address, &count) < 0)
		return -1;
	return answer_from_rows_before(&rows, count, count > most ? count - most : 0, &words, found);
}

/* Find the first row from row NUMBER on that counts (lookup.h), and store its address in *ADDRESS.  Returns 1; 0 if
   there is none; or -1 on a fault, such as a row whose address is below what *ADDRESS was before the call. */
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
	bool counts = false;
	/*@ loop invariant walking(rows);
	    loop invariant filled(rows);
	    loop invariant judging(words);
	    loop invariant number <= rows->table->row_count;
	    loop assigns number, counts, *address, *rows->fault, words->failed, words->function, words->file;
	    loop assigns rows->first, rows->count, rows->bytes, rows->buffer[0 .. RS_WINDOW_SIZE - 1];
	    loop variant rows->table->row_count - number; */
	for (; number < rows->table->row_count && !counts; number++) {
		struct rs_row row;
		if (read_whole_row(rows, number, &row) < 0)
			return -1;
		if (row.address < *address)
			return rs_table_fail_order(rows->table, rows->fault);
		*address = row.address;
		/*@ assert filled(rows); */
		counts = rs_classify_row(&row, words) != RS_ROW_CONSTANT_ONLY;
		/*@ assert filled(rows); */
		if (words->failed)
			return -1;
	}
	return counts;
}

/*@ requires opened(table) && \valid(next) && \valid(fault) && \separated(table, next, fault);
    assigns *next, *fault; */
int rs_lookup_next_address(const struct rs_table *table, uint64_t address, uint64_t *next, struct rossym_fault *fault)
{
	struct rs_words words = rs_words_make(&table->strings, fault);
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
