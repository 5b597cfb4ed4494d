// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "block.h"
#include "fuzz.h"
#include "parts.h"
#include "pe.h"
#include "rossym-write.h"
#include "core/layout.h"
#include "tests/lib/forms.h"

#define NO_FRAME RS_BLOCK_NONE

/* Elements of the first form's chunks, and where their numbers are. */
enum { FIRST_FRAME_SIZE = 16, FIRST_FRAME_FUNCTION = 0, FIRST_FRAME_FILE = 4, FIRST_FRAME_NEXT = 12 };
enum { FIRST_RUN_SIZE = 8, FIRST_RUN_ROW = 0, FIRST_RUN_FRAME = 4 };
enum { FIRST_FUNCTION_SIZE = 12, FIRST_FUNCTION_RVA = 0, FIRST_FUNCTION_LENGTH = 4, FIRST_FUNCTION_NAME = 8 };
enum { FIRST_LONG_SIZE = 8, FIRST_LONG_SHORT = 0, FIRST_LONG_WHOLE = 4 };

struct chunk {
	uint8_t *bytes;
	uint32_t count; /* of elements; of strings, bytes */
};

struct table {
	uint8_t *bytes;
	size_t size;
	struct chunk parts[BLOCK_PARTS]; /* frames, outside or inside, at BLOCK_OUTER; names as functions */
};

/* ------------------------------------------------------------------------------------------------- putting together */

static const struct {
	const char *tag;
	uint32_t unit;
} chunks[BLOCK_PARTS] = {
	[BLOCK_OWN] = { "STRS", 1 },
	[BLOCK_OUTER] = { "INLN", FIRST_FRAME_SIZE },
	[BLOCK_INNER] = { "INNR", FIRST_FRAME_SIZE },
	[BLOCK_RUNS] = { "IMAP", FIRST_RUN_SIZE },
	[BLOCK_FUNCTIONS] = { "FUNC", FIRST_FUNCTION_SIZE },
	[BLOCK_LONGS] = { "LONG", FIRST_LONG_SIZE },
	[BLOCK_NAMES] = { "NAME", FIRST_FUNCTION_SIZE },
};

static uint8_t *append(uint8_t *p, const struct part *part)
{
	if (part->size)
		memcpy(p, part->bytes, part->size);
	return p + part->size;
}

static uint8_t *append_chunk(uint8_t *p, struct table *file, int kind, const struct part *part)
{
	struct chunk *chunk = &file->parts[kind == BLOCK_INNER ? BLOCK_OUTER : kind];
	memcpy(p, chunks[kind].tag, 4);
	forms_put(p + 4, (uint32_t)part->size);
	chunk->bytes = p + RS_CHUNK_HEADER;
	chunk->count = (uint32_t)part->size / chunks[kind].unit;
	append(chunk->bytes, part);
	return chunk->bytes + (part->size + 3) / 4 * 4;
}

/* No more than MOST elements. */
static void limit(struct part *part, size_t unit, size_t most)
{
	if (part->size / unit > most)
		part->size = most * unit;
}

/* Rows are whole, and so is what the chunks hold if their numbers are to be moved; and then there are not more runs
   than rows, nor more cut strings than there are places for them. */
static void trim(struct part parts[BLOCK_PARTS], bool move)
{
	parts[BLOCK_ROWS].size -= parts[BLOCK_ROWS].size % RS_ROW_SIZE;
	if (!move)
		return;
	for (int i = BLOCK_OWN; i <= BLOCK_NAMES; i++)
		parts[i].size -= parts[i].size % chunks[i].unit;
	if (parts[BLOCK_INNER].bytes)
		parts[BLOCK_OUTER].bytes = NULL;
	if (!parts[BLOCK_ROWS].size)
		parts[BLOCK_RUNS].bytes = NULL;
	parts[BLOCK_BEHIND].size = 0;
	for (int i = 0; i < BLOCK_PARTS; i++)
		if (!parts[i].bytes)
			parts[i].size = 0;
	limit(&parts[BLOCK_RUNS], FIRST_RUN_SIZE, parts[BLOCK_ROWS].size / RS_ROW_SIZE);
	limit(&parts[BLOCK_LONGS], FIRST_LONG_SIZE, parts[BLOCK_STRINGS].size);
}

/* ----------------------------------------------------------------------------------------------- moving numbers */

static void move_reference(const struct table *file, uint8_t *p)
{
	uint32_t reference = forms_get(p), own = reference & RS_BLOCK_OWN_FIRST;
	uint32_t count = own ? file->parts[BLOCK_OWN].count : file->parts[BLOCK_STRINGS].count;
	forms_put(p, own | (count ? (reference & ~RS_BLOCK_OWN_FIRST) % count : 0));
}

static void move_offset(const struct table *file, uint8_t *p)
{
	forms_put(p, file->parts[BLOCK_STRINGS].count ? forms_get(p) % file->parts[BLOCK_STRINGS].count : 0);
}

static void move_rows(const struct table *file)
{
	uint8_t *p = file->parts[BLOCK_ROWS].bytes;
	for (uint32_t i = 0, last = 0; i < file->parts[BLOCK_ROWS].count; i++, p += RS_ROW_SIZE) {
		if (forms_get(p + RS_ROW_ADDRESS) < last)
			forms_put(p + RS_ROW_ADDRESS, last);
		last = forms_get(p + RS_ROW_ADDRESS);
		move_offset(file, p + RS_ROW_FUNCTION);
		move_offset(file, p + RS_ROW_FILE);
	}
}

static void move_frames(const struct table *file)
{
	uint16_t *depths = needed(calloc(file->parts[BLOCK_OUTER].count + 1, sizeof *depths));
	uint8_t *p = file->parts[BLOCK_OUTER].bytes;
	for (uint32_t i = 0; i < file->parts[BLOCK_OUTER].count; i++, p += FIRST_FRAME_SIZE) {
		uint32_t next = forms_get(p + FIRST_FRAME_NEXT);
		if (next != NO_FRAME)
			next = i ? next % i : NO_FRAME;
		if (next != NO_FRAME && depths[next] == RS_CHAIN_MAX)
			next = NO_FRAME;
		depths[i] = (uint16_t)(next == NO_FRAME ? 1 : depths[next] + 1);
		forms_put(p + FIRST_FRAME_NEXT, next);
		move_reference(file, p + FIRST_FRAME_FUNCTION);
		move_reference(file, p + FIRST_FRAME_FILE);
	}
	free(depths);
}

/* The number at P is to be LOWEST or more, and below LIMIT. */
static void move_number(uint8_t *p, uint64_t lowest, uint64_t limit)
{
	uint64_t value = forms_get(p);
	must(lowest < limit);
	if (value < lowest || value >= limit)
		forms_put(p, (uint32_t)(lowest + value % (limit - lowest < 16 ? limit - lowest : 16)));
}

static void move_runs(const struct table *file)
{
	uint8_t *p = file->parts[BLOCK_RUNS].bytes;
	uint64_t lowest = 0;
	for (uint32_t i = 0; i < file->parts[BLOCK_RUNS].count; i++, p += FIRST_RUN_SIZE) {
		uint32_t frame = forms_get(p + FIRST_RUN_FRAME), left = file->parts[BLOCK_RUNS].count - i;
		/* As many rows are left as runs are to come. */
		move_number(p + FIRST_RUN_ROW, lowest, (uint64_t)file->parts[BLOCK_ROWS].count - left + 1);
		lowest = (uint64_t)forms_get(p + FIRST_RUN_ROW) + 1;
		if (frame != NO_FRAME)
			forms_put(p + FIRST_RUN_FRAME,
				  file->parts[BLOCK_OUTER].count ? frame % file->parts[BLOCK_OUTER].count : NO_FRAME);
	}
}

static void move_functions(const struct table *file, const struct chunk *functions)
{
	uint8_t *p = functions->bytes;
	uint32_t lowest = 0;
	for (uint32_t i = 0; i < functions->count; i++, p += FIRST_FUNCTION_SIZE) {
		move_number(p + FIRST_FUNCTION_RVA, lowest, UINT64_C(1) << 32);
		lowest = forms_get(p + FIRST_FUNCTION_RVA);
		if (forms_get(p + FIRST_FUNCTION_LENGTH) > UINT32_MAX - lowest)
			forms_put(p + FIRST_FUNCTION_LENGTH, UINT32_MAX - lowest);
		move_reference(file, p + FIRST_FUNCTION_NAME);
	}
}

static void move_longs(const struct table *file)
{
	uint8_t *p = file->parts[BLOCK_LONGS].bytes;
	uint64_t lowest = 0;
	for (uint32_t i = 0; i < file->parts[BLOCK_LONGS].count; i++, p += FIRST_LONG_SIZE) {
		move_number(p + FIRST_LONG_SHORT, lowest,
			    (uint64_t)file->parts[BLOCK_STRINGS].count - (file->parts[BLOCK_LONGS].count - i) + 1);
		lowest = (uint64_t)forms_get(p + FIRST_LONG_SHORT) + 1;
		move_reference(file, p + FIRST_LONG_WHOLE);
	}
}

static void move_all(const struct table *file)
{
	if (file->parts[BLOCK_STRINGS].count)
		file->parts[BLOCK_STRINGS].bytes[file->parts[BLOCK_STRINGS].count - 1] = '\0';
	if (file->parts[BLOCK_OWN].count)
		file->parts[BLOCK_OWN].bytes[file->parts[BLOCK_OWN].count - 1] = '\0';
	move_rows(file);
	move_frames(file);
	move_runs(file);
	move_functions(file, &file->parts[BLOCK_FUNCTIONS]);
	move_functions(file, &file->parts[BLOCK_NAMES]);
	move_longs(file);
}

/* ---------------------------------------------------------------------------------------------------------- damage */

/* A little more or less, small, the first one that is too large, or large. */
static uint32_t changed(const struct table *file, uint32_t number, uint8_t how, uint8_t amount)
{
	switch (how % 8) {
	case 0:
		return number + (uint32_t)(amount - 128);
	case 1:
		return amount;
	case 2:
		return RS_BLOCK_OWN_FIRST | amount;
	case 3:
		return file->parts[BLOCK_ROWS].count;
	case 4:
		return file->parts[BLOCK_OUTER].count;
	case 5:
		return file->parts[BLOCK_STRINGS].count;
	case 6:
		return RS_BLOCK_OWN_FIRST | file->parts[BLOCK_OWN].count;
	default:
		return UINT32_MAX - amount;
	}
}

/* Damage is done to the words in FROM ... TO - 1 of the block.  Returns whether some word is another one now. */
static bool damage(const struct table *file, uint8_t *block, size_t from, size_t to, const struct part *how)
{
	bool is_damaged = false;
	for (size_t i = 0; i + 4 <= how->size; i += 4) {
		const uint8_t *change = how->bytes + i;
		size_t at = (change[0] | (size_t)change[1] << 8) * 4;
		if (at < from || at + 4 > to)
			continue;
		uint32_t old = forms_get(block + at), new = changed(file, old, change[2], change[3]);
		forms_put(block + at, new);
		is_damaged |= new != old;
	}
	return is_damaged;
}

/* ----------------------------------------------------------------------------------------------------------- all */

/* Put the file's table, at TABLE_AT, which is sound, into a file of its own with a block of the second form. */
static void to_second_form(struct table *file, size_t table_at)
{
	size_t size;
	uint8_t *table = forms_other(file->bytes + table_at, &size), *bytes = needed(malloc(table_at + size));
	memcpy(bytes, file->bytes, table_at);
	memcpy(bytes + table_at, table, size);
	free(table);
	free(file->bytes);
	file->bytes = bytes;
	file->size = table_at + size;
	if (table_at)
		pe_section(bytes, PE_FIXED, RS_SECTION_NAME, 0x100000, size, table_at, RS_SECTION_CHARACTERISTICS);
}

uint8_t *block_make(const uint8_t *data, size_t size, size_t *ret_size, bool *sound)
{
	struct part parts[BLOCK_PARTS];
	struct table made, *file = &made;
	if (!parts_cut(data, size, BLOCK_LETTERS, parts))
		return NULL;
	memset(file, 0, sizeof *file);
	const bool image = data[0] & BLOCK_IMAGE, move = data[0] & BLOCK_MOVE;
	trim(parts, move);
	size_t table_at = image ? MAKEPE_HEADERS + 40 * (PE_FIXED + 1) : 0;
	size_t rows_size = parts[BLOCK_ROWS].size, strings_size = parts[BLOCK_STRINGS].size;
	size_t block_at = table_at + (RS_HEADER_SIZE + rows_size + strings_size + 3) / 4 * 4,
	       total = block_at + RS_BLOCK_CHUNKS;
	for (int i = BLOCK_OWN; i <= BLOCK_NAMES; i++)
		total += parts[i].bytes ? RS_CHUNK_HEADER + (parts[i].size + 3) / 4 * 4 : 0;
	total += parts[BLOCK_BEHIND].size;
	uint8_t *bytes = calloc(1, total), *table = bytes + table_at, *block = bytes + block_at, *p;
	if (!bytes)
		return NULL;
	file->bytes = bytes;
	file->size = total;
	if (image) {
		pe_start(bytes, data[0] & BLOCK_WIDE);
		pe_section(bytes, PE_FIXED, RS_SECTION_NAME, 0x100000, total - table_at, table_at,
			   RS_SECTION_CHARACTERISTICS);
	}
	forms_put(table + RS_HEADER_SYMBOLS_OFFSET, RS_HEADER_SIZE);
	forms_put(table + RS_HEADER_SYMBOLS_LENGTH, (uint32_t)rows_size);
	forms_put(table + RS_HEADER_STRINGS_OFFSET, (uint32_t)(RS_HEADER_SIZE + rows_size));
	forms_put(table + RS_HEADER_STRINGS_LENGTH, (uint32_t)strings_size);
	file->parts[BLOCK_ROWS] = (struct chunk){ table + RS_HEADER_SIZE, (uint32_t)rows_size / RS_ROW_SIZE };
	file->parts[BLOCK_STRINGS] = (struct chunk){ append(file->parts[BLOCK_ROWS].bytes, &parts[BLOCK_ROWS]),
						     (uint32_t)strings_size };
	append(file->parts[BLOCK_STRINGS].bytes, &parts[BLOCK_STRINGS]);

	memcpy(block, RS_BLOCK_MAGIC_FIRST, RS_BLOCK_LENGTH);
	p = block + RS_BLOCK_CHUNKS;
	for (int i = BLOCK_OWN; i <= BLOCK_NAMES; i++)
		if (parts[i].bytes)
			p = append_chunk(p, file, i, &parts[i]);
	append(p, &parts[BLOCK_BEHIND]);
	if (move)
		move_all(file);

	forms_put(block + RS_BLOCK_LENGTH, (uint32_t)(total - block_at));
	forms_put(block + RS_BLOCK_ROWS, file->parts[BLOCK_ROWS].count);
	if (data[0] & BLOCK_SECOND && move && strings_size) {
		to_second_form(file, table_at);
		block = file->bytes + block_at;
		table = file->bytes + table_at;
		total = file->size;
	}
	forms_put(block + RS_BLOCK_TABLE_CRC,
		  rossym_debuglink_crc(0, table, RS_HEADER_SIZE + rows_size + strings_size));
	*sound = !damage(file, block, RS_BLOCK_CRC_FROM, total - block_at, &parts[BLOCK_DAMAGE]);
	forms_put(block + RS_BLOCK_CRC,
		  rossym_debuglink_crc(0, block + RS_BLOCK_CRC_FROM, total - block_at - RS_BLOCK_CRC_FROM));
	*sound = !damage(file, block, 0, RS_BLOCK_CRC_FROM, &parts[BLOCK_DAMAGE]) && *sound && move;
	*ret_size = file->size;
	return file->bytes;
}
