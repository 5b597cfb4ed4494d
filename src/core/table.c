// SPDX-License-Identifier: GPL-2.0-or-later
/* table.c - open a table, and check its rows */
#include "core/table.h"

/*
 * No field of a 64-bit image's table gives the size of a row, so the size is guessed.  A size fits if it divides the
 * length of all rows and if, in rows of this size, addresses ascend and hardly any string offset is outside the
 * strings.  Rows read with a wrong size are nonsense everywhere, so a sample suffices: neighbouring rows at some places
 * that are spread over the table.
 */
enum { SAMPLE_PLACES = 16, SAMPLE_ROWS = 32 };

struct fit {
	uint64_t last;	    /* the address of the row that was read before */
	uint32_t rows, bad; /* how many rows were read; how many of their string offsets are outside the strings */
};

/* Whether the addresses of the COUNT rows at P ascend, and the rows' padding is 0.  Counts the rows in FIT. */
/*@ requires opened(table) && bytes(p, count * table->row_size) && \valid(fit) && \separated(table, fit);
    assigns *fit; */
static bool check_sample_rows(const struct rs_table *table, const uint8_t *p, uint32_t count, struct fit *fit)
{
	/*@ loop invariant bytes(p, count * table->row_size);
	    loop assigns count, p, *fit;
	    loop variant count; */
	for (; count > 0; count--, p += table->row_size) {
		struct rs_row row = rs_table_decode_row(table, p);
		if (row.address < fit->last || (table->row_size == RS_ROW_SIZE_64_PADDED && rs_le32(p + 20) != 0))
			return false;
		fit->last = row.address;
		fit->rows++;
		fit->bad += !rs_is_string_offset(&table->strings, row.function);
		fit->bad += !rs_is_string_offset(&table->strings, row.file);
	}
	return true;
}

/* Whether the COUNT rows from row FIRST on pass check_sample_rows().  Returns 1, 0, or -1 on a fault. */
/*@ requires opened(table) && \valid(fit) && \valid(fault) && \separated(table, fit, fault);
    assigns *fit, *fault; */
static int check_sample_place(const struct rs_table *table, uint32_t first, uint32_t count, struct fit *fit,
			      struct rossym_fault *fault)
{
	uint8_t buffer[RS_WINDOW_SIZE];
	/*@ loop assigns first, count, step, *fit, *fault, buffer[0 .. RS_WINDOW_SIZE - 1];
	    loop variant count; */
	for (uint32_t step; count > 0; first += step, count -= step) {
		step = rs_table_rows_at_once(table, count);
		const uint8_t *p = rs_table_view_rows(table, first, step, buffer, fault);
		if (!p || !check_sample_rows(table, p, step, fit))
			return p ? 0 : -1;
	}
	return 1;
}

/* Whether a sample of the rows of TABLE makes sense if each row has row_size bytes.  Returns 1, 0, or -1 on a fault. */
/*@ requires opened(table) && \valid(fault) && \separated(table, fault);
    assigns *fault; */
static int is_row_size_plausible(const struct rs_table *table, struct rossym_fault *fault)
{
	struct fit fit = { 0, 0, 0 };
	/* A place begins at row SPAN * place / (SAMPLE_PLACES - 1).  SPAN is divided before it is multiplied, so that
	   no number needs 64 bits: on i386 a 64-bit division is a call to a function that a kernel may lack. */
	uint32_t span = table->row_count > SAMPLE_ROWS ? table->row_count - SAMPLE_ROWS : 0;
	const uint32_t whole = span / (SAMPLE_PLACES - 1), rest = span % (SAMPLE_PLACES - 1);
	uint32_t first = 0;
	/*@ loop assigns place, first, fit, *fault;
	    loop variant SAMPLE_PLACES + 1 - place; */
	for (uint32_t place = 1; place <= SAMPLE_PLACES; place++) {
		uint32_t left = table->row_count - first;
		int r = check_sample_place(table, first, left < SAMPLE_ROWS ? left : SAMPLE_ROWS, &fit, fault);
		if (r <= 0)
			return r;
		if (left <= SAMPLE_ROWS)
			break;
		/* Places must not overlap.  The last place ends with the table. */
		uint32_t next = whole * place + rest * place / (SAMPLE_PLACES - 1);
		first = next > first + SAMPLE_ROWS ? next : first + SAMPLE_ROWS;
	}
	/* A row has two string offsets, so this allows one bad offset in a hundred: a few damaged rows do not make the
	   right size fail. */
	return fit.bad * 100 <= fit.rows * 2;
}

/* Set the row size of a 64-bit image's table: the first of 16, 24 and 20 bytes that fits.  LENGTH is the number of
   bytes of all rows.  Returns 0 or -1. */
/*@ requires opened(table) && \valid(table) && \valid(fault) && \separated(table, fault);
    assigns table->row_size, table->row_count, *fault;
    ensures opened(table); */
static int choose_row_size(struct rs_table *table, uint32_t length, struct rossym_fault *fault)
{
	static const uint8_t sizes[] = { RS_ROW_SIZE, RS_ROW_SIZE_64_PADDED, RS_ROW_SIZE_64 };
	/*@ loop invariant i <= 3 && opened(table);
	    loop assigns i, table->row_size, table->row_count, *fault;
	    loop variant 3 - i; */
	for (size_t i = 0; i < sizeof sizes; i++) {
		if (length % sizes[i] != 0)
			continue;
		table->row_size = sizes[i];
		table->row_count = length / sizes[i];
		int r = is_row_size_plausible(table, fault);
		if (r != 0)
			return r < 0 ? -1 : 0;
	}
	if (length % RS_ROW_SIZE == 0 && length % RS_ROW_SIZE_64_PADDED != 0 && length % RS_ROW_SIZE_64 != 0) {
		/* Rows can have only 16 bytes, so the fault can name the first row that is out of order. */
		table->row_size = RS_ROW_SIZE;
		table->row_count = length / RS_ROW_SIZE;
		rs_table_fail_order(table, fault);
		if (fault->code != ROSSYM_FAULT_CHANGED)
			return -1;
	}
	return rs_fault_store(fault, ROSSYM_FAULT_ROW_SIZE, table->offset + RS_HEADER_SYMBOLS_LENGTH, length, 0, 0);
}

/* The four numbers of a table's header. */
struct header {
	uint32_t symbols, symbols_length, strings, strings_length;
};

/* Check the header H, which is at OFFSET.  From there on, the section claims to have SIZE bytes, and the reader has
   LEFT.  Returns 0 or -1. */
/*@ requires \valid_read(h) && \valid(fault);
    assigns *fault; */
static int check_table_header(const struct header *h, uint64_t offset, uint64_t size, uint64_t left,
			      struct rossym_fault *fault)
{
	uint64_t rows_end = (uint64_t)h->symbols + h->symbols_length, end = (uint64_t)h->strings + h->strings_length;
	if (h->symbols < RS_HEADER_SIZE)
		return rs_fault_store(fault, ROSSYM_FAULT_SYMBOLS_OFFSET, offset + RS_HEADER_SYMBOLS_OFFSET, h->symbols,
				      0, 0);
	if (rows_end > h->strings)
		return rs_fault_store(fault, ROSSYM_FAULT_STRINGS_OFFSET, offset + RS_HEADER_STRINGS_OFFSET, h->strings,
				      rows_end, 0);
	if (end > size)
		return rs_fault_store(fault, ROSSYM_FAULT_STRINGS_PAST, offset + RS_HEADER_STRINGS_LENGTH, end, size,
				      0);
	if (end > left)
		return rs_fault_store(fault, ROSSYM_FAULT_STRINGS_CUT, offset + left, end - left, 0, 0);
	return 0;
}

/* Set TABLE to the table at OFFSET of READER that has the header H, as if its rows had 16 bytes and were not packed. */
/*@ requires \valid(table) && readable(reader) && \valid_read(h) && \separated(table, reader, h);
    assigns *table;
    ensures opened(table) && table->packed.groups == 0;
    ensures table->reader == *reader && table->strings.reader == *reader; */
static void set_plain_table(struct rs_table *table, const struct rossym_reader *reader, uint64_t offset,
			    const struct header *h)
{
	table->reader = *reader;
	table->offset = offset;
	table->rows_offset = offset + h->symbols;
	table->strings_offset = offset + h->strings;
	table->row_count = h->symbols_length / RS_ROW_SIZE;
	table->row_size = RS_ROW_SIZE;
	table->strings.reader = *reader;
	table->strings.offset = table->strings_offset;
	table->strings.length = h->strings_length;
	table->strings.phrases = 0;
	table->strings.packed = false;
	table->guide = NULL;
	table->packed.groups = 0;
}

/*@ requires \valid(table) && readable(reader) && \valid(fault) && \separated(table, reader, fault);
    requires reader->memory != \null ==>
             \separated(table, fault, (uint8_t *)reader->memory + (0 .. reader->size - 1));
    assigns *table, *fault;
    ensures \result == 0 ==> opened(table); */
int rs_table_open(struct rs_table *table, const struct rossym_reader *reader, uint64_t offset, uint64_t size, bool wide,
		  struct rossym_fault *fault)
{
	uint64_t left = offset < reader->size ? reader->size - offset : 0;
	uint8_t buffer[RS_HEADER_SIZE];
	if (size < RS_HEADER_SIZE)
		return rs_fault_store(fault, ROSSYM_FAULT_TABLE_SHORT, offset, size, 0, 0);
	if (left < RS_HEADER_SIZE)
		return rs_fault_store_at(fault, ROSSYM_FAULT_TABLE_PAST, offset);
	const uint8_t *p = rs_view(reader, offset, RS_HEADER_SIZE, buffer, fault);
	if (!p)
		return -1;
	const struct header h = { rs_le32(p + RS_HEADER_SYMBOLS_OFFSET), rs_le32(p + RS_HEADER_SYMBOLS_LENGTH),
				  rs_le32(p + RS_HEADER_STRINGS_OFFSET), rs_le32(p + RS_HEADER_STRINGS_LENGTH) };
	if (check_table_header(&h, offset, size, left, fault) < 0)
		return -1;
	set_plain_table(table, reader, offset, &h);
	/* A packed table has strings, but no plain rows.  A plain table can have strings and no rows, too, so the block
	   after the strings decides. */
	const int packed = h.symbols_length == 0 && h.strings_length > 0 ? rs_packed_open(table, offset + size, fault)
									 : 0;
	if (packed > 0 && !rs_is_packed_flag_set(true))
		return rs_fault_store(fault, ROSSYM_FAULT_NO_PACKED, offset, 0, 0, 0);
	if (packed != 0)
		return packed < 0 ? -1 : 0;
	if (wide)
		return choose_row_size(table, h.symbols_length, fault);
	if (h.symbols_length % RS_ROW_SIZE != 0)
		return rs_fault_store(fault, ROSSYM_FAULT_SYMBOLS_LENGTH, offset + RS_HEADER_SYMBOLS_LENGTH,
				      h.symbols_length, 0, 0);
	return 0;
}

/* ------------------------------------------------------------------------------------------------ rows */

/* Returns the offset of row NUMBER in the file, for faults.  For packed rows, returns the offset of the
   data of all groups. */
/*@ requires \valid_read(table);
    assigns \nothing; */
static uint64_t find_row_place(const struct rs_table *table, uint32_t number)
{
	return rs_is_packed(table) ? rs_packed_data_offset(table)
				   : table->rows_offset + (uint64_t)number * table->row_size;
}

/*@ requires opened(table) && \valid_read(row) && \valid(fault) && \separated(table, row, fault);
    assigns *fault; */
static int check_row_order(const struct rs_table *table, uint32_t number, const struct rs_row *row, uint64_t before,
			   struct rossym_fault *fault)
{
	if (row->address < before)
		return rs_fault_store(fault, ROSSYM_FAULT_ORDER, find_row_place(table, number), number, row->address,
				      before);
	return 0;
}

/*@ requires opened(table) && \valid_read(row) && \valid(fault) && \separated(table, row, fault);
    assigns *fault; */
int rs_row_check(const struct rs_table *table, uint32_t number, const struct rs_row *row, uint64_t before,
		 struct rossym_fault *fault)
{
	/* The offset of the function comes after the address, which has 4 or 8 bytes. */
	uint64_t at = find_row_place(table, number) + (table->row_size == RS_ROW_SIZE ? 4 : 8);
	const struct rs_strings *strings = &table->strings;
	if (check_row_order(table, number, row, before, fault) < 0)
		return -1;
	if (!rs_is_string_offset(strings, row->function))
		return rs_fault_store(fault, ROSSYM_FAULT_FUNCTION, at, number, row->function, strings->length);
	if (!rs_is_string_offset(strings, row->file))
		return rs_fault_store(fault, ROSSYM_FAULT_FILE, at + 4, number, row->file, strings->length);
	return 0;
}

/* Check all rows, up to the first that is wrong.  ORDER_ONLY: check that addresses ascend, but not the strings.
   Returns 0 or -1. */
/*@ requires opened(table) && \valid(fault) && \separated(table, fault);
    assigns *fault; */
static int check_rows(const struct rs_table *table, bool order_only, struct rossym_fault *fault)
{
	/* A small window, because unpacking rows takes stack, too: a fourth of a group, if rows are packed. */
	enum { WINDOW = RS_WINDOW_SIZE / 4 };
	uint8_t buffer[WINDOW];
	uint64_t before = 0;
	/*@ loop invariant first <= table->row_count;
	    loop assigns first, count, before, *fault, buffer[0 .. WINDOW - 1];
	    loop variant table->row_count - first; */
	for (uint32_t first = 0, count; first < table->row_count; first += count) {
		const uint32_t left = table->row_count - first, most = WINDOW / table->row_size;
		count = rs_table_rows_at_once(table, left < most ? left : most);
		const uint8_t *p = rs_table_view_rows(table, first, count, buffer, fault);
		if (!p)
			return -1;
		/*@ loop invariant first <= i <= first + count && bytes(p, (first + count - i) * table->row_size);
		    loop assigns i, p, before, *fault;
		    loop variant first + count - i; */
		for (uint32_t i = first; i < first + count; i++, p += table->row_size) {
			struct rs_row row = rs_table_decode_row(table, p);
			if (!order_only && rs_row_resolve_context(table, i, &row, fault) < 0)
				return -1;
			int r = order_only ? check_row_order(table, i, &row, before, fault)
					   : rs_row_check(table, i, &row, before, fault);
			if (r < 0)
				return -1;
			before = row.address;
		}
	}
	return 0;
}

/*@ requires opened(table) && \valid(fault) && \separated(table, fault);
    assigns *fault; */
int rs_table_check(const struct rs_table *table, struct rossym_fault *fault)
{
	return check_rows(table, false, fault);
}

/*@ requires opened(table) && \valid(fault) && \separated(table, fault);
    assigns *fault;
    ensures \result == -1; */
int rs_table_fail_order(const struct rs_table *table, struct rossym_fault *fault)
{
	if (check_rows(table, true, fault) < 0)
		return -1;
	return rs_fault_store_at(fault, ROSSYM_FAULT_CHANGED, table->rows_offset);
}
