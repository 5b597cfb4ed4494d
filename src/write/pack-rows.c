// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pack-rows.c - pack the rows of a group in the fewest bits
 *
 * For example, three rows have the contexts 0, 0 and 1, the lines 3, 4 and 0, and the deltas 16 and 8.  There are two
 * ways:
 *
 *	a choice for each context: 2 choices of 1 + 2 bits, 2 deltas of 5 bits, 3 rows of 1 bit for the choice and 1
 *	for the line: 6 + 10 + 6 = 22 bits, 3 bytes
 *
 *	a choice for each line: 3 choices of 1 + 3 bits, the same deltas, 3 rows of 2 bits for the choice and none for
 *	the line: 12 + 10 + 6 = 28 bits, 4 bytes
 *
 * The first takes fewer bytes, so it is written; core/packed.c shows these bytes.
 */
#include "config.h"
#include "write/pack-rows.h"
#include "core/bytes.h"

#include <stdbool.h>

struct new_group {
	const struct rs_packed_row *rows;
	uint32_t count; /* how many rows */
	struct rs_group_bases bases;
	/* Each choice is a context and a line: the lowest line of the rows that have the choice. */
	struct rs_packed_row choices[RS_GROUP_ROWS];
	uint32_t choice_count;
	uint32_t chosen[RS_GROUP_ROWS]; /* the choice of each row */
	uint32_t delta_bits, line_bits, context_bits, base_bits, choice_bits;
};

static uint32_t count_bits(uint32_t number)
{
	uint32_t bits = 0;
	for (; number; number >>= 1)
		bits++;
	return bits;
}

static uint32_t larger_of(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* Find the choices.  EACH_LINE: a choice for each pair of context and line, so that rows need no bits for their lines;
   else one for each context. */
static void find_choices(struct new_group *group, bool each_line)
{
	group->choice_count = 0;
	for (uint32_t i = 0; i < group->count; i++) {
		const struct rs_packed_row *row = &group->rows[i];
		uint32_t j = 0;
		while (j < group->choice_count && (group->choices[j].context != row->context ||
						   (each_line && group->choices[j].line != row->line)))
			j++;
		if (j == group->choice_count)
			group->choices[group->choice_count++] = *row;
		else if (row->line < group->choices[j].line)
			group->choices[j].line = row->line;
		group->chosen[i] = j;
	}
}

/* Find the bases and widths.  Returns how many bytes the group takes. */
static uint32_t measure_group(struct new_group *group)
{
	group->bases = (struct rs_group_bases){ UINT32_MAX, UINT32_MAX };
	for (uint32_t j = 0; j < group->choice_count; j++) {
		const struct rs_packed_row *choice = &group->choices[j];
		if (choice->line < group->bases.line)
			group->bases.line = choice->line;
		if (choice->context < group->bases.context)
			group->bases.context = choice->context;
	}
	group->delta_bits = group->line_bits = group->context_bits = group->base_bits = 0;
	for (uint32_t j = 0; j < group->choice_count; j++) {
		const struct rs_packed_row *choice = &group->choices[j];
		group->context_bits = larger_of(group->context_bits,
						count_bits(choice->context - group->bases.context));
		group->base_bits = larger_of(group->base_bits, count_bits(choice->line - group->bases.line));
	}
	for (uint32_t i = 0; i < group->count; i++) {
		const struct rs_packed_row *row = &group->rows[i];
		group->line_bits = larger_of(group->line_bits,
					     count_bits(row->line - group->choices[group->chosen[i]].line));
		if (i > 0)
			group->delta_bits = larger_of(group->delta_bits, count_bits(row->rva - row[-1].rva));
	}
	group->choice_bits = count_bits(group->choice_count - 1);
	const uint32_t bits = group->choice_count * (group->context_bits + group->base_bits) +
			      (group->count - 1) * group->delta_bits +
			      group->count * (group->choice_bits + group->line_bits);
	return RS_GROUP_HEADER + (bits + 7) / 8;
}

/* Write NUMBER, which has at most WIDTH bits, at bit *AT, and move *AT to its end. */
static void put_bits(uint8_t *to, uint32_t *at, uint32_t number, uint32_t width)
{
	uint64_t value = (uint64_t)number << *at % 8;
	for (uint8_t *p = to + *at / 8; value; value >>= 8)
		*p++ |= (uint8_t)value;
	*at += width;
}

uint32_t rs_pack_group(const struct rs_packed_row *rows, uint32_t count, struct rs_group_bases *bases,
		       uint8_t to[RS_GROUP_SIZE_MAX + 8])
{
	struct new_group group = { .rows = rows, .count = count };
	find_choices(&group, true);
	/* With a choice for each line, rows have no bits for lines.  So the group has at most RS_GROUP_SIZE_MAX bytes:
	   a header of 4, 32 choices of 64 bits, 31 deltas of 32 bits, and the choice of each row, 5 bits.  Use a choice
	   for each context if that takes no more. */
	const uint32_t each_line = measure_group(&group);
	find_choices(&group, false);
	uint32_t size = measure_group(&group);
	if (size > each_line) {
		find_choices(&group, true);
		size = measure_group(&group);
	}
	uint32_t at = RS_GROUP_HEADER * 8;
	rs_put32(to, group.delta_bits | group.line_bits << 6 | group.context_bits << 12 | group.base_bits << 18 |
			     (group.choice_count - 1) << 24);
	for (uint32_t j = 0; j < group.choice_count; j++) {
		put_bits(to, &at, group.choices[j].context - group.bases.context, group.context_bits);
		put_bits(to, &at, group.choices[j].line - group.bases.line, group.base_bits);
	}
	for (uint32_t i = 1; i < count; i++)
		put_bits(to, &at, rows[i].rva - rows[i - 1].rva, group.delta_bits);
	for (uint32_t i = 0; i < count; i++)
		put_bits(to, &at, group.chosen[i], group.choice_bits);
	for (uint32_t i = 0; i < count; i++)
		put_bits(to, &at, rows[i].line - group.choices[group.chosen[i]].line, group.line_bits);
	*bases = group.bases;
	return size;
}
