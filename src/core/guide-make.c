// SPDX-License-Identifier: GPL-2.0-or-later
/* guide-make.c - make the guide to a table */
#include "core/guide.h"
#include "core/mem.h"
#include "core/pe.h"

/* A guide has about one bucket for each BUCKET_ROWS rows or, in a packed table, for each group; but it has at most
   BUCKETS_MOST: that many fit into one page, together with the struct rossym_core that a kernel has before the guide.
   Touching a second page costs more time than a few more steps of a bisection. */
enum { BUCKET_ROWS = 4, BUCKETS_MOST = 700 };

/*@ logic integer items{L}(struct rs_table *t) =
      t->packed.groups != 0 ? (t->row_count + RS_GROUP_ROWS - 1) / RS_GROUP_ROWS :
      t->row_size == RS_ROW_SIZE ? t->row_count : 0;
    predicate buckets_most{L}(struct rs_table *t, integer most) =
      1 <= most <= BUCKETS_MOST && (items(t) > 1 ==> most >= 2); */

/* Returns how many items (guide.h) TABLE has; 0 for rows of 20 or 24 bytes: such tables are rare and get no guide. */
/*@ requires \valid_read(table);
    assigns \nothing;
    ensures \result == items(table); */
static uint32_t count_items(const struct rs_table *table)
{
	if (rs_is_packed(table))
		return table->row_count / RS_GROUP_ROWS + (table->row_count % RS_GROUP_ROWS != 0);
	return table->row_size == RS_ROW_SIZE ? table->row_count : 0;
}

/* Returns how many buckets the guide to TABLE may have; for two or more items at least two, so that `shift` stays below
   32. */
/*@ requires \valid_read(table) && items(table) > 0;
    assigns \nothing;
    ensures buckets_most(table, \result); */
static uint32_t compute_bucket_limit(const struct rs_table *table)
{
	const uint32_t wanted = rs_is_packed(table) ? count_items(table) : count_items(table) / BUCKET_ROWS + 2;
	return wanted < BUCKETS_MOST ? wanted : BUCKETS_MOST;
}

size_t rs_guide_size(const struct rs_table *table)
{
	if (count_items(table) == 0)
		return 0;
	return (size_t)rs_align(
		sizeof(struct rs_guide) + ((uint64_t)compute_bucket_limit(table) + 1) * sizeof(uint32_t), 8);
}

/* Store in CODE the first RS_GUIDE_CODE sections of code.  If sections overlap or are out of order, store none, because
   an address could be in two.  A bare table has no sections: store one that contains all addresses. */
/*@ requires headed(pe) && (pe->section_count > 0 ==> pe->sections != \null);
    requires \valid(code + (0 .. RS_GUIDE_CODE - 1)) && \separated(pe, code + (0 .. RS_GUIDE_CODE - 1));
    requires pe->sections != \null ==>
             \separated(code + (0 .. RS_GUIDE_CODE - 1), pe->sections + (0 .. pe->section_count - 1));
    assigns code[0 .. RS_GUIDE_CODE - 1]; */
static void store_code_sections(const struct rs_pe *pe, struct rs_code *code)
{
	uint32_t count = 0;
	if (pe->section_count == 0)
		code[0].size = UINT32_MAX;
	/*@ loop invariant i <= pe->section_count && count <= RS_GUIDE_CODE;
	    loop assigns i, count, code[0 .. RS_GUIDE_CODE - 1];
	    loop variant pe->section_count - i; */
	for (uint32_t i = 0; pe->ordered && i < pe->section_count && count < RS_GUIDE_CODE; i++)
		if (rs_section_is_code(pe->sections[i].characteristics) && pe->sections[i].size > 0)
			code[count++] = (struct rs_code){ pe->sections[i].rva, pe->sections[i].size };
}

/* Store in before[i] how many of the COUNT items come before bucket i; the last element of `before` is COUNT. */
/*@ requires has_content(guide) && guide->shift < 32 && guide->buckets <= BUCKETS_MOST;
    requires \valid(before + (0 .. guide->buckets)) && \separated(guide, before + (0 .. guide->buckets));
    assigns before[0 .. guide->buckets]; */
static void count_items_before_buckets(const struct rs_guide *guide, uint32_t *before, uint32_t count)
{
	const uint32_t buckets = guide->buckets;
	uint32_t bucket = 0;
	/*@ loop invariant i <= count && bucket <= buckets && has_content(guide) && guide->shift < 32;
	    loop assigns i, bucket, before[0 .. buckets];
	    loop variant count - i; */
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t address = rs_guide_read_address(guide, i);
		const uint32_t own = address < guide->first ? 0 : (address - guide->first) >> guide->shift;
		/*@ loop invariant bucket <= buckets;
		    loop assigns bucket, before[0 .. buckets];
		    loop variant buckets - bucket; */
		for (; bucket <= own && bucket < buckets; bucket++)
			before[bucket] = i;
	}
	/*@ loop invariant bucket <= buckets + 1;
	    loop assigns bucket, before[0 .. buckets];
	    loop variant buckets + 1 - bucket; */
	for (; bucket <= buckets; bucket++)
		before[bucket] = count;
}

void rs_guide_make(const struct rossym_core *core, struct rs_guide *guide)
{
	const struct rs_table *table = &core->table;
	const struct rs_packed *packed = &table->packed;
	const uint32_t count = count_items(table);
	uint32_t *before = (uint32_t *)(void *)(guide + 1);
	*guide = (struct rs_guide){ .content = table->reader.memory,
				    .before = before,
				    .size = (uint32_t)table->reader.size,
				    .packed = rs_is_packed(table),
				    .item_size = RS_ROW_SIZE,
				    .items = (uint32_t)table->rows_offset,
				    .rows = table->row_count,
				    .strings = (uint32_t)table->strings_offset,
				    .strings_length = table->strings.length };
	if (rs_is_packed(table)) {
		guide->item_size = (uint8_t)rs_packed_record_size(packed->group_widths);
		guide->context_size = (uint8_t)rs_packed_record_size(packed->context_widths);
		guide->items = (uint32_t)packed->groups;
		guide->contexts = guide->items + count * guide->item_size;
		guide->context_count = packed->context_count;
		guide->data = (uint32_t)rs_packed_data_offset(table);
		guide->phrases = table->strings.phrases;
		memcpy(guide->group_widths, packed->group_widths, RS_WIDTHS_SIZE);
		memcpy(guide->context_widths, packed->context_widths, RS_WIDTHS_SIZE);
	}
	store_code_sections(&core->pe, guide->code);
	const uint32_t last = rs_guide_read_address(guide, count - 1);
	guide->first = rs_guide_read_address(guide, 0);
	const uint32_t span = last > guide->first ? last - guide->first : 0;
	while (span >> guide->shift >= compute_bucket_limit(table))
		guide->shift++;
	guide->buckets = (span >> guide->shift) + 1;
	count_items_before_buckets(guide, before, count);
}
