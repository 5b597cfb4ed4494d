// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * guide.c - from an address to its row in few cache lines and little code
 *
 * Takes 0.5 to 0.65 times the time of its plain twin, rs_core_lookup(), with cold caches and 154,701 rows
 * (tests/bench/kernel.sh).  A guide of several levels, groups of 64 to 1,024 rows, and prefetching were not faster.
 */
#include "core/guide.h"
#include "core/pe.h"

enum { GUIDE_ROWS = 256, GUIDE_ENTRY = 4 };

/*@ requires in_memory(table) && table->row_size == RS_ROW_SIZE && number < table->row_count;
    assigns \nothing;
    ensures \result == (uint8_t *)table->reader.memory + table->rows_offset + number * RS_ROW_SIZE;
    ensures bytes(\result, (table->row_count - number) * RS_ROW_SIZE); */
static const uint8_t *guided_row(const struct rs_table *table, uint32_t number)
{
	return (const uint8_t *)table->reader.memory + (size_t)table->rows_offset + (size_t)number * RS_ROW_SIZE;
}

/* Returns the number of entries.  Tables with rows of another size are rare and get none. */
/*@ requires \valid_read(table);
    assigns \nothing;
    ensures \result == (table->row_size == RS_ROW_SIZE && table->packed.groups == 0 ? (table->row_count + 255) / 256 : 0); */
static uint32_t guide_count(const struct rs_table *table)
{
	return table->row_size == RS_ROW_SIZE && !rs_is_packed(table)
		       ? table->row_count / GUIDE_ROWS + (table->row_count % GUIDE_ROWS != 0)
		       : 0;
}

/*@ requires \valid_read(table);
    assigns \nothing;
    ensures \result == (table->row_size == RS_ROW_SIZE && table->packed.groups == 0 ? (table->row_count + 255) / 256 * GUIDE_ENTRY : 0); */
uint32_t rs_guide_size(const struct rs_table *table)
{
	return guide_count(table) * GUIDE_ENTRY;
}

/*@ requires in_memory(table) && table->packed.groups == 0;
    requires table->row_size == RS_ROW_SIZE && table->packed.groups == 0 ==> room(guide, (table->row_count + 255) / 256 * GUIDE_ENTRY);
    assigns guide[0 .. (table->row_count + 255) / 256 * GUIDE_ENTRY - 1]; */
void rs_guide_make(const struct rs_table *table, uint8_t *guide)
{
	const uint32_t count = guide_count(table);
	/*@ loop invariant i <= count;
	    loop assigns i, guide[0 .. count * GUIDE_ENTRY - 1];
	    loop variant count - i; */
	for (uint32_t i = 0; i < count; i++)
		rs_put32(guide + (size_t)i * GUIDE_ENTRY, rs_le32(guided_row(table, i * GUIDE_ROWS)));
}

/* Returns how many of COUNT addresses are at or below ADDRESS.  The first is at P, the others follow STEP
   bytes apart. */
/*@ requires step >= 4 && step <= RS_ROW_SIZE && bytes(p, count * step);
    assigns \nothing;
    ensures \result <= count; */
static uint32_t count_up_to(const uint8_t *p, size_t step, uint32_t count, uint32_t address)
{
	uint32_t low = 0, high = count;
	/*@ loop invariant low <= high <= count;
	    loop assigns low, high;
	    loop variant high - low; */
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (rs_le32(p + middle * step) <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Returns how many rows are at or below ADDRESS.  If the rows are not in order, returns some number of rows
   that exist. */
/*@ requires guided(table) && table->guide != \null;
    assigns \nothing;
    ensures \result <= table->row_count; */
static uint32_t count_rows(const struct rs_table *table, uint32_t address)
{
	uint32_t groups = count_up_to(table->guide, GUIDE_ENTRY, guide_count(table), address);
	if (groups == 0)
		return 0;
	const uint32_t first = (groups - 1) * GUIDE_ROWS, left = table->row_count - first;
	return first +
	       count_up_to(guided_row(table, first), RS_ROW_SIZE, left < GUIDE_ROWS ? left : GUIDE_ROWS, address);
}

/* Find the section of RVA and store its first address in *BEGIN, or 0 if the table has no sections.  Returns false if
   that section is not code, or if there is none.  Most code is in the first section, so a linear search is fastest. */
/*@ requires sectioned(pe) && \valid(begin);
    requires \separated(begin, pe) && \separated(begin, pe->sections + (0 .. pe->section_count - 1));
    assigns *begin; */
static bool find_code(const struct rs_pe *pe, uint64_t rva, uint32_t *begin)
{
	*begin = 0;
	/*@ loop invariant i <= pe->section_count;
	    loop assigns i, *begin;
	    loop variant pe->section_count - i; */
	for (uint32_t i = 0; i < pe->section_count; i++) {
		const struct rs_section *section = &pe->sections[i];
		*begin = section->rva;
		if (rva - section->rva < section->size)
			return pe->ordered && rs_section_is_code(section->characteristics);
	}
	return pe->section_count == 0;
}

/* Whether OFFSET is that of a string that begins with another byte than NUL and EXCEPT. */
/*@ requires in_memory(table);
    assigns \nothing; */
static bool is_text(const struct rs_table *table, uint32_t offset, uint8_t except)
{
	const uint8_t *strings = (const uint8_t *)table->reader.memory + (size_t)table->strings_offset;
	return offset > 0 && offset < table->strings.length && strings[offset] != '\0' && strings[offset] != except;
}

/*@ requires \valid_read(core) && guided(&core->table) && (core->table.guide != \null ==> sectioned(&core->pe));
    requires \valid(answer) && \separated(core, answer);
    assigns *answer; */
bool rs_guide_lookup(const struct rossym_core *core, uint64_t rva, struct rossym_core_answer *answer)
{
	const struct rs_table *table = &core->table;
	uint32_t begin, count;
	if (!table->guide || rva > UINT32_MAX || !find_code(&core->pe, rva, &begin))
		return false;
	count = count_rows(table, (uint32_t)rva);
	if (count == 0)
		return false;
	const uint8_t *p = guided_row(table, count - 1);
	const uint32_t at = rs_le32(p), function = rs_le32(p + RS_ROW_FUNCTION), file = rs_le32(p + RS_ROW_FILE);
	const uint32_t line = rs_le32(p + RS_ROW_LINE);
	if (at < begin || (count > 1 && rs_le32(p - RS_ROW_SIZE) == at) || line == 0 ||
	    !is_text(table, function, '_') || !is_text(table, file, '\0'))
		return false;
	*answer = (struct rossym_core_answer){ function, file, line, at, count - 1 };
	return true;
}
