// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * guide.c - finds the row of an address, and the row's names, with few cache lines and little code
 *
 * All numbers of the table are read by rs_guide_read_word(), which stays inside the content of .rossym whatever the
 * offset is.  So the other functions may compute with unchecked numbers: in a damaged table the answer is wrong, but no
 * byte outside of the content is read.  A packed table is used only after rossym_core_check().
 *
 * rs_core_lookup() gives the same answers without the guide; tests/bench/kernel.sh compares the two.
 *
 * For example, the table in rossym(5) has rows at 0x1000, 0x1010 and 0x1018.  Its guide has two buckets of 16 addresses
 * (`shift` is 4), and `before` is 0, 1, 3: no row comes before the first bucket, one before the second, and there are
 * three in all.  The address 0x1014 is in the second bucket, so a bisection between 1 and 3 finds that two rows are at
 * or below it: row 1 answers.
 */
#include "core/guide.h"
#include "core/mem.h"

/* Where the next number begins in the content: at bit BIT, counted from the lowest bit of byte AT. */
struct bit_place {
	uint32_t at, bit;
};

/* Returns the number of WIDTH bits, at most 32, at PLACE, and moves PLACE to its end. */
/*@ requires guided(guide) && \valid(place) && \separated(guide, place);
    assigns *place; */
static RS_HOT uint32_t read_next_bits(const struct rs_guide *guide, struct bit_place *place, uint32_t width)
{
	const uint64_t bits = rs_guide_read_word(guide, place->at + place->bit / 8) >> place->bit % 8;
	place->bit += width;
	return (uint32_t)(bits & ((UINT64_C(1) << width % 64) - 1));
}

/* ------------------------------------------------------------------------------------------------ rows */

/* Returns how many items are at or below ADDRESS. */
/*@ requires guided(guide);
    assigns \nothing; */
static RS_HOT uint32_t count_items_up_to(const struct rs_guide *guide, uint32_t address)
{
	if (address < guide->first)
		return 0;
	uint32_t bucket = (address - guide->first) >> guide->shift;
	if (bucket >= guide->buckets)
		bucket = guide->buckets - 1;
	uint32_t low = guide->before[bucket], high = guide->before[bucket + 1];
	/*@ loop assigns low, high;
	    loop variant high - low; */
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		if (rs_guide_read_address(guide, middle) <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* A row, and its number in the table. */
struct guided_row {
	uint32_t address, function, file, line, number;
};

/* Find the last row at or below ADDRESS.  False: there is none, or the row before it has the same address. */
/*@ requires guided(guide) && \valid(row) && \separated(guide, row);
    assigns *row; */
static RS_HOT bool find_row(const struct rs_guide *guide, uint32_t address, struct guided_row *row)
{
	const uint32_t count = count_items_up_to(guide, address), at = guide->items + (count - 1) * RS_ROW_SIZE;
	if (count == 0)
		return false;
	const uint64_t first = rs_guide_read_word(guide, at), second = rs_guide_read_word(guide, at + 8);
	*row = (struct guided_row){ (uint32_t)first, (uint32_t)(first >> 32), (uint32_t)second,
				    (uint32_t)(second >> 32), count - 1 };
	return count == 1 || (uint32_t)rs_guide_read_word(guide, at - RS_ROW_SIZE) != row->address;
}

/* Do what find_row() does, in a packed table.  Never finds the first row of a group, because the row before it, in
   another group, may have the same address.  core/layout.h shows the data of a group. */
/*@ requires guided(guide) && \valid(row) && \separated(guide, row);
    assigns *row; */
static RS_HOT bool find_packed_row(const struct rs_guide *guide, uint32_t address, struct guided_row *row)
{
	const uint8_t *widths = guide->group_widths;
	const uint32_t count = count_items_up_to(guide, address);
	struct bit_place place = { guide->items + (count - 1) * guide->item_size, 0 };
	if (count == 0)
		return false;
	uint32_t here = read_next_bits(guide, &place, widths[RS_GROUP_ADDRESS]),
		 line = read_next_bits(guide, &place, widths[RS_GROUP_LINE]);
	uint32_t context = read_next_bits(guide, &place, widths[RS_GROUP_CONTEXT]);
	const uint32_t bytes = guide->data + read_next_bits(guide, &place, widths[RS_GROUP_OFFSET]);
	const uint32_t begin = (count - 1) * RS_GROUP_ROWS, left = guide->rows - begin;
	const uint32_t rows = left < RS_GROUP_ROWS ? left : RS_GROUP_ROWS;
	const uint32_t header = (uint32_t)rs_guide_read_word(guide, bytes), deltas = header & 63,
		       lines = header >> 6 & 63;
	const uint32_t contexts = header >> 12 & 63, bases = header >> 18 & 63, choices = header >> 24 & 31;
	uint32_t choice_bits = 0, number = 0, delta = 0;
	/*@ loop invariant choice_bits <= 5;
	    loop assigns choice_bits;
	    loop variant 5 - choice_bits; */
	while (choice_bits < 5 && choices >> choice_bits != 0)
		choice_bits++;
	const uint32_t choices_end = RS_GROUP_HEADER * 8 + (choices + 1) * (contexts + bases);
	place = (struct bit_place){ bytes, choices_end };
	/*@ loop invariant number < 32;
	    loop assigns number, delta, here, place;
	    loop variant rows - number; */
	for (; number + 1 < rows; number++) {
		const uint32_t next = read_next_bits(guide, &place, deltas);
		if (next > address - here)
			break;
		here += next;
		delta = next;
	}
	/* Then the row is the first of its group, or has the address of the row before it. */
	if (delta == 0)
		return false;
	const uint32_t chosen = choices_end + (rows - 1) * deltas;
	place.bit = chosen + number * choice_bits;
	const uint32_t choice = read_next_bits(guide, &place, choice_bits);
	place.bit = RS_GROUP_HEADER * 8 + choice * (contexts + bases);
	context += read_next_bits(guide, &place, contexts);
	line += read_next_bits(guide, &place, bases);
	place.bit = chosen + rows * choice_bits + number * lines;
	line += read_next_bits(guide, &place, lines);
	place = (struct bit_place){ guide->contexts + context * guide->context_size, 0 };
	const uint32_t function = read_next_bits(guide, &place, guide->context_widths[RS_CONTEXT_FUNCTION]);
	const uint32_t file = read_next_bits(guide, &place, guide->context_widths[RS_CONTEXT_FILE]);
	*row = (struct guided_row){ here, function, file, line, begin + number };
	return context < guide->context_count;
}

/* ------------------------------------------------------------------------------------------------ strings */

/* A piece of a string: LENGTH bytes at offset AT of the content. */
struct string_piece {
	uint32_t at, length;
};

/* Returns the next piece of the string at *AT, an offset in the content: a phrase, or one byte.  Moves *AT to the next
   piece. */
/*@ requires guided(guide) && \valid(at) && \separated(guide, at);
    assigns *at; */
static RS_HOT struct string_piece read_next_piece(const struct rs_guide *guide, uint32_t *at)
{
	const uint32_t bytes = (uint32_t)rs_guide_read_word(guide, *at),
		       symbol = (bytes & 0x7f) << 8 | (bytes >> 8 & 0xff);
	if (!rs_is_packed_flag_set(guide->packed) || (bytes & 0x80) == 0)
		return (struct string_piece){ (*at)++, 1 };
	*at += 2;
	/* A byte of 0x80 or more is encoded as two bytes, the second of which is the byte itself. */
	if (symbol < RS_PHRASE_FIRST)
		return (struct string_piece){ *at - 1, 1 };
	const uint32_t number = symbol - RS_PHRASE_FIRST;
	const uint32_t entry = (uint32_t)rs_guide_read_word(guide, guide->strings -
									   (guide->phrases - number) * RS_PHRASE_SIZE);
	return (struct string_piece){ guide->strings - (entry & 0xffffff), entry >> 24 };
}

/* Whether OFFSET is that of a known string, which begins with neither NUL nor EXCEPT. */
/*@ requires guided(guide);
    assigns \nothing; */
static bool string_begins_unlike(const struct rs_guide *guide, uint32_t offset, uint8_t except)
{
	uint32_t at = guide->strings + offset;
	if (offset == 0 || offset >= guide->strings_length)
		return false;
	const uint8_t first = (uint8_t)rs_guide_read_word(guide, read_next_piece(guide, &at).at);
	return first != 0 && first != except;
}

/* Prefetch the string at OFFSET.  If both strings of an answer are prefetched, their pages are waited for at the same
   time, not one after the other. */
/*@ requires guided(guide);
    assigns \nothing; */
static RS_HOT void prefetch_string(const struct rs_guide *guide, uint32_t offset)
{
	const uint32_t at = guide->strings + offset;
	if (at < guide->size)
		RS_PREFETCH(guide->content + at);
}

/* Copy the string at OFFSET, with NUL, to the SIZE bytes at TO.  False: the string is unknown, empty or too long. */
/*@ requires guided(guide) && \valid(to + (0 .. size - 1));
    requires \separated(guide, to + (0 .. size - 1)) && size <= 0x7fffffff;
    assigns to[0 .. size - 1]; */
static RS_HOT bool copy_string(const struct rs_guide *guide, uint32_t offset, char *to, uint32_t size)
{
	const uint32_t end = guide->strings + guide->strings_length;
	uint32_t at = guide->strings + offset, length = 0;
	if (offset == 0)
		return false;
	/*@ loop invariant length <= size;
	    loop assigns at, length, to[0 .. size - 1];
	    loop variant size - length; */
	while (at < end && length < size) {
		/* A plain string is one piece, up to the end of all strings: the copy below stops at its NUL. */
		struct string_piece piece = { at, end - at };
		if (rs_is_packed_flag_set(guide->packed))
			piece = read_next_piece(guide, &at);
		const uint32_t room = size - length, count = piece.length < room ? piece.length : room;
		if (piece.at >= guide->size || count > guide->size - piece.at || count == 0)
			return false;
		const uint8_t *from = guide->content + piece.at;
		uint32_t i = 0;
		/*@ loop invariant i < count <= size - length;
		    loop assigns i, to[0 .. size - 1];
		    loop variant count - i; */
		do {
			to[length + i] = (char)from[i];
		} while (from[i] != 0 && ++i < count);
		if (i < count)
			return length + i > 0;
		if (!rs_is_packed_flag_set(guide->packed))
			return false;
		length += count;
	}
	return false;
}

/* ------------------------------------------------------------------------------------------------ looking up */

/*@ predicate can_guide{L}(struct rossym_core *core) =
      \valid_read(core) && (core->table.guide != \null ==> guided(core->table.guide)); */

/* Find the row for RVA by the guide, store it in *ROW, and prefetch its strings.  Returns the guide; or NULL: then call
   rs_core_lookup().  The result is NULL if there is no guide; if RVA is in none of the guide's sections; if the row
   begins before the section of RVA, shares its address with another row, or has no line; or if a packed table has not
   been checked, or find_packed_row() does not find the row. */
/*@ requires can_guide(core) && \valid(row) && \separated(core, core->table.guide, row);
    assigns *row;
    ensures \result == \null || (\result == core->table.guide && guided(\result)); */
static RS_HOT const struct rs_guide *find_row_for_rva(const struct rossym_core *core, uint64_t rva,
						      struct guided_row *row)
{
	const struct rs_guide *guide = core->table.guide;
	if (!guide || rva > UINT32_MAX)
		return NULL;
	uint32_t i = 0;
	/*@ loop invariant 0 <= i <= RS_GUIDE_CODE;
	    loop assigns i;
	    loop variant RS_GUIDE_CODE - i; */
	while (i < RS_GUIDE_CODE && rva - guide->code[i].begin >= guide->code[i].size)
		i++;
	if (i == RS_GUIDE_CODE)
		return NULL;
	if (rs_is_packed_flag_set(guide->packed) ? !core->checked || !find_packed_row(guide, (uint32_t)rva, row)
						 : !find_row(guide, (uint32_t)rva, row))
		return NULL;
	prefetch_string(guide, row->function);
	prefetch_string(guide, row->file);
	return row->address >= guide->code[i].begin && row->line != 0 ? guide : NULL;
}

/*@ requires can_guide(core) && \valid(answer) && \separated(core, core->table.guide, answer);
    assigns *answer; */
bool rs_guide_lookup(const struct rossym_core *core, uint64_t rva, struct rossym_core_answer *answer)
{
	struct guided_row row;
	const struct rs_guide *guide = find_row_for_rva(core, rva, &row);
	if (!guide || !string_begins_unlike(guide, row.function, '_') || !string_begins_unlike(guide, row.file, '\0'))
		return false;
	*answer = (struct rossym_core_answer){ row.function, row.file, row.line, row.address, row.number };
	return true;
}

/*@ requires can_guide(core) && \valid(line) && size > 0 && \valid(file + (0 .. size - 1)) && \valid(function + (0 .. size - 1));
    requires \separated(core, core->table.guide, line, file + (0 .. size - 1), function + (0 .. size - 1));
    assigns *line, file[0 .. size - 1], function[0 .. size - 1]; */
int RS_HOT rossym_core_quick(const struct rossym_core *core, uint64_t rva, uint32_t *line, char *file, char *function,
			     size_t size)
{
	struct guided_row row;
	const struct rs_guide *guide = find_row_for_rva(core, rva, &row);
	const uint32_t room = size < INT32_MAX ? (uint32_t)size : INT32_MAX;
	if (!guide || (core->checked && core->parts.longs.count > 0) ||
	    !copy_string(guide, row.function, function, room) || function[0] == '_' ||
	    !copy_string(guide, row.file, file, room))
		return 0;
	*line = row.line;
	return 1;
}
