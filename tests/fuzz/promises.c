// SPDX-License-Identifier: GPL-2.0-or-later
/* promises.h says what must hold. */
#include "config.h"
#include "promises.h"
#include "rossym.h"
#include "core/layout.h"

static struct rossym_error err;

enum { CHAIN_ROOM = RS_CHAIN_MAX + 1, EFFORT = 1 << 16, MANY = 64, SECTIONS = 6 };

static const char *broken;
static size_t image_size;
static bool is_damaged; /* some question has had an error for its answer */

#define promise(condition) ((condition) ? (void)0 : break_promise(#condition))

static void break_promise(const char *condition)
{
	if (!broken)
		broken = condition;
}

static void take_error(void)
{
	promise(err.code == ROSSYM_EDAMAGED && err.what[0] && !strchr(err.what, '\n') && err.offset <= image_size);
}

/* How much may still be asked: strings can be long, chains too, and each of many rows can have them. */
static uint32_t effort;

static void spend(uint32_t cost)
{
	effort = cost < effort ? effort - cost : 0;
}

/* From one that is asked to the next. */
static uint32_t step(uint32_t count)
{
	return count / MANY + 1;
}

/* ------------------------------------------------------------------------------------------------ comparing */

/* A hash of all answers so far. */
static uint64_t digest;

static void add_number(uint64_t number)
{
	digest = (digest ^ number ^ digest >> 29) * UINT64_C(0x9e3779b97f4a7c15);
}

static void add_string(const char *string)
{
	add_number(string != NULL);
	for (; string && *string; string++)
		digest = (digest ^ (uint8_t)*string) * UINT64_C(0x100000001b3);
}

static void add_frame(const struct rossym_frame *frame)
{
	promise(frame->function_length == (frame->function ? strlen(frame->function) : 0));
	promise(frame->file_length == (frame->file ? strlen(frame->file) : 0));
	add_string(frame->function);
	add_string(frame->file);
	add_number(frame->line);
	spend(8 + frame->function_length + frame->file_length);
}

static void add_function(const struct rossym_function *function)
{
	add_string(function->name);
	add_number(function->rva);
	add_number(function->length);
	spend(8 + (uint32_t)strlen(function->name));
}

static bool same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_frame(const struct rossym_frame *a, const struct rossym_frame *b)
{
	return same(a->function, b->function) && same(a->file, b->file) && a->line == b->line;
}

/* ------------------------------------------------------------------------------------------------ addresses */

/* The frames that come; twice, for an iterator can be copied. */
static unsigned read_frames(struct rossym_frames *frames, struct rossym_frame chain[CHAIN_ROOM])
{
	struct rossym_frames again = *frames;
	struct rossym_frame frame;
	unsigned count = 0;
	for (; count < CHAIN_ROOM && rossym_frames_next(frames, &frame); count++) {
		add_frame(&frame);
		chain[count] = frame;
	}
	promise(count > 0 && !rossym_frames_next(frames, &frame));
	for (unsigned i = 0; i < count; i++)
		promise(rossym_frames_next(&again, &frame) && same_frame(&frame, &chain[i]));
	promise(!rossym_frames_next(&again, &frame));
	return count;
}

/* The functions for many addresses must give the answer for RVA, and the COUNT frames of CHAIN.  If COUNT is 0, nothing is known. */
static void ask_many(struct rossym_image *image, uint64_t rva, const struct rossym_frame *answer,
		     const struct rossym_frame *chain, unsigned count)
{
	static struct rossym_frame frames[CHAIN_ROOM];
	struct rossym_frame one;
	uint32_t end = 0;
	promise(rossym_lookup_frames(image, &rva, 1, ROSSYM_LOOKUP_DATA, frames, CHAIN_ROOM, &end, &err) == 1);
	promise(end == (count > 0 ? count : 1));
	promise(count > 0 || (!frames[0].function && !frames[0].file && !frames[0].line));
	for (unsigned i = 0; i < count && i < end; i++)
		promise(same_frame(&frames[i], &chain[i]) && frames[i].row_rva == chain[i].row_rva);
	promise(rossym_lookup_many(image, &rva, 1, ROSSYM_LOOKUP_DATA, &one, &err) == 0);
	promise(count > 0 ? same_frame(&one, answer) : !one.function && !one.file && !one.line);
}

/* What is known about an address, with and without its frames.  Returns how many frames it has. */
static unsigned ask_address(struct rossym_image *image, uint64_t rva, bool has_block, struct rossym_frame *answer)
{
	static struct rossym_frame chain[CHAIN_ROOM];
	struct rossym_frames frames;
	unsigned count = 0;
	int found = 0;
	for (unsigned flags = 0; flags <= ROSSYM_LOOKUP_DATA; flags += ROSSYM_LOOKUP_DATA) {
		found = rossym_lookup(image, rva, flags, answer, &err);
		add_number((uint64_t)(found + 1));
		if (found < 0) {
			take_error();
			is_damaged = true;
		}
		if (found > 0) {
			promise(answer->function || answer->file || answer->line);
			add_frame(answer);
			add_number(answer->row_rva);
		}
	}
	if (found > 0) {
		promise(rossym_frames_begin(image, answer, &frames, &err) == 0);
		count = read_frames(&frames, chain);
		promise(has_block || (count == 1 && same_frame(answer, &chain[0])));
	}
	if (found >= 0)
		ask_many(image, rva, answer, chain, count);
	return count;
}

static void ask_near(struct rossym_image *image, uint64_t rva, bool has_block)
{
	struct rossym_frame answer;
	for (uint64_t i = rva - 1; i != rva + 2; i++) /* below 0 is the highest address */
		ask_address(image, i, has_block, &answer);
}

static void ask_rows(struct rossym_image *image, bool has_block)
{
	static struct rossym_frame chain[CHAIN_ROOM];
	struct rossym_info info = { .size = sizeof info };
	struct rossym_frames frames;
	struct rossym_rows rows;
	struct rossym_row row;
	uint32_t at = 0;
	int n;
	rossym_get_info(image, &info, NULL);
	rossym_rows_begin(image, 0, &rows);
	for (; (n = rossym_rows_next(&rows, &row, &err)) > 0; at++) {
		promise(row.damage <= 3 && !((row.damage & 1) && *row.function) && !((row.damage & 2) && *row.file));
		if (at % step(info.rows) != 0 || effort < EFFORT / 2)
			continue;
		const int begun = rossym_frames_begin_row(image, at, &frames, &err);
		if (begun == 0)
			promise(read_frames(&frames, chain) == 1 || has_block);
		else
			take_error();
		add_number((uint64_t)begun);
		ask_near(image, row.rva, has_block);
	}
	if (n < 0) {
		take_error();
		is_damaged = true;
	}
	promise(n < 0 || at == info.rows);
}

static void ask_sections(struct rossym_image *image, bool has_block)
{
	struct rossym_info info = { .size = sizeof info };
	struct rossym_section section;
	uint32_t count = 0;
	int found;
	rossym_get_info(image, &info, NULL);
	for (; (found = rossym_get_section(image, count, &section, &err)) > 0; count++) {
		if (count >= SECTIONS)
			continue;
		add_string(section.name);
		ask_near(image, section.rva, has_block);
		ask_near(image, (uint64_t)section.rva + section.size, has_block);
	}
	promise(found == 0 && count == info.sections);
}

/* ------------------------------------------------------------------------------------------------ functions */

static void ask_function_at(struct rossym_image *image, uint64_t rva)
{
	struct rossym_function function;
	int found = rossym_function_at(image, rva, &function, &err);
	promise(found >= 0);
	add_number((uint64_t)found);
	if (found > 0) {
		promise(rva >= function.rva && rva - function.rva < function.length);
		add_function(&function);
	}
}

/* Returns whether there is a function called NAME. */
static bool ask_name(struct rossym_image *image, const char *name)
{
	struct rossym_function function;
	int found = rossym_find_function(image, name, &function, &err);
	add_number((uint64_t)(found + 1));
	if (found < 0) {
		take_error();
		is_damaged = true;
	}
	if (found > 0) {
		promise(function.places > 0 && *function.name);
		add_function(&function);
	}
	return found > 0 && (strcmp(function.name, name) == 0 || !*name);
}

static bool is_inside(struct rossym_image *image, uint32_t rva)
{
	struct rossym_section section;
	struct rossym_info info = { .size = sizeof info };
	rossym_get_info(image, &info, NULL);
	for (uint32_t i = 0; rossym_get_section(image, i, &section, NULL) > 0; i++)
		if (rva >= section.rva && rva - section.rva < section.size)
			return true;
	return info.kind == ROSSYM_BARE;
}

static void ask_functions(struct rossym_image *image, uint32_t count)
{
	struct rossym_functions list;
	struct rossym_function function = { .name = "" };
	uint32_t i = 0;
	rossym_functions_begin(image, &list);
	for (uint32_t chosen = 0; i < count && rossym_functions_next(&list, &function, &err) == 1; i++) {
		if (i != chosen || effort == 0)
			continue;
		chosen += step(count);
		add_function(&function);
		ask_function_at(image, function.rva);
		ask_function_at(image, (uint64_t)function.rva + function.length);
		if (function.length)
			ask_function_at(image, (uint64_t)function.rva + function.length - 1);
		const bool found = ask_name(image, function.name);
		promise(found || is_damaged || !*function.name || !is_inside(image, function.rva));
	}
	promise(i == count && rossym_functions_next(&list, &function, &err) == 0);
}

/* What answers can be found by its name. */
static void find_answers(struct rossym_image *image)
{
	struct rossym_rows rows;
	struct rossym_row row;
	struct rossym_frame frame;
	rossym_rows_begin(image, 0, &rows);
	for (uint32_t i = 0; i < MANY && rossym_rows_next(&rows, &row, NULL) > 0; i++)
		if (rossym_lookup(image, row.rva, ROSSYM_LOOKUP_DATA, &frame, NULL) == 1 && frame.function &&
		    frame.function_length < 4096)
			promise(ask_name(image, frame.function));
}

/* ------------------------------------------------------------------------------------------------ all */

/* Ask everything; of many, some.  Returns the digest of the answers. */
static uint64_t ask_all(struct rossym_image *image)
{
	static const char *const names[] = { "main", "f", "_KeBugCheck@4", "_f@8", "DriverEntry", "" };
	struct rossym_block block = { .size = sizeof block };
	digest = 0;
	effort = EFFORT;
	const bool has_block = rossym_read_block(image, &block, &err) > 0;
	ask_near(image, 0, has_block);
	ask_near(image, UINT32_MAX, has_block);
	ask_near(image, (uint64_t)UINT32_MAX + 2, has_block);
	ask_sections(image, has_block);
	ask_rows(image, has_block);
	ask_functions(image, has_block ? block.functions + block.names : 0);
	ask_function_at(image, UINT32_MAX);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		ask_name(image, names[i]);
	return digest;
}

/* What look-ups say, before the block has been touched or after. */
static uint64_t look_up(struct rossym_image *image)
{
	struct rossym_rows rows;
	struct rossym_row row;
	struct rossym_frame answer;
	digest = 0;
	effort = EFFORT / 2;
	rossym_rows_begin(image, 0, &rows);
	for (uint32_t i = 0; effort > 0 && rossym_rows_next(&rows, &row, NULL) > 0; i++) {
		int found = i % 16 == 0 ? rossym_lookup(image, row.rva, 0, &answer, NULL) : 0;
		add_number((uint64_t)found);
		if (found > 0)
			add_frame(&answer);
	}
	return digest;
}

static bool same_block(const struct rossym_block *a, const struct rossym_block *b)
{
	return a->offset == b->offset && a->length == b->length && a->frames == b->frames && a->runs == b->runs &&
	       a->functions == b->functions && a->long_strings == b->long_strings &&
	       a->strings_size == b->strings_size && a->entry_outer == b->entry_outer && a->names == b->names;
}

static int read_block(struct rossym_image *image)
{
	struct rossym_block block = { .size = sizeof block }, again = block;
	struct rossym_error other = { .what = "" };
	err = other;
	int r = rossym_read_block(image, &block, &err);
	if (r < 0)
		take_error();
	promise(rossym_read_block(image, &again, &other) == r && same_block(&block, &again));
	promise(r >= 0 || strcmp(err.what, other.what) == 0);
	return r;
}

/* With ROSSYM_OPEN_WHOLE_STRINGS a look-up must give the same strings as the frame of its row; without a block, the
   same answer as before. */
static void compare_whole(struct rossym_image *image, const uint8_t *bytes, bool has_block, bool prepare)
{
	struct rossym_image *other;
	struct rossym_frame answer, whole, frame;
	struct rossym_frames frames;
	struct rossym_rows rows;
	struct rossym_row row;
	struct rossym_block block = { .size = sizeof block };
	const struct rossym_open_options options = { .size = sizeof options, .flags = ROSSYM_OPEN_WHOLE_STRINGS };
	const int opened = rossym_open_memory(bytes, image_size, &options, &other, &err);
	promise(opened == 0);
	if (opened < 0)
		return;
	effort = prepare && rossym_prepare(other, &err) < 0 ? 0 : EFFORT / 2;
	rossym_read_block(image, &block, &err);
	rossym_rows_begin(image, 0, &rows);
	for (uint32_t i = 0; effort > 0 && rossym_rows_next(&rows, &row, NULL) > 0; i++) {
		if (i % 16 != 0)
			continue;
		int found = rossym_lookup(image, row.rva, 0, &answer, &err);
		promise(rossym_lookup(other, row.rva, 0, &whole, &err) == found);
		if (found <= 0)
			continue;
		promise(rossym_frames_begin(image, &answer, &frames, &err) == 0 && rossym_frames_next(&frames, &frame));
		while (block.entry_outer && rossym_frames_next(&frames, &frame))
			;
		promise(same_frame(&whole, has_block ? &frame : &answer));
		spend(8 + whole.function_length + whole.file_length + block.long_strings);
	}
	promise(!has_block || !rossym_stayed_short(other, &err));
	rossym_close(other);
}

/* The same questions to an image that is opened once more; PREPARE it first for so many addresses, or for any number if it is 1. */
static void ask_again(const uint8_t *bytes, uint64_t expected, unsigned prepare, bool sound)
{
	struct rossym_image *image;
	const int opened = rossym_open_memory(bytes, image_size, NULL, &image, &err);
	promise(opened == 0);
	if (opened < 0)
		return;
	const int prepared = !prepare	    ? 0
			     : prepare == 1 ? rossym_prepare(image, &err)
					    : rossym_prepare_for(image, prepare, &err);
	if (prepared < 0)
		take_error();
	promise(prepared >= 0 || !sound);
	if (prepared >= 0) {
		const bool was_damaged = is_damaged;
		is_damaged = false;
		promise(ask_all(image) == expected);
		/* What the order of the whole table allows, no look-up can object to. */
		promise(!prepare || (!was_damaged && !is_damaged));
		if (prepare)
			find_answers(image);
		is_damaged |= was_damaged;
	}
	rossym_close(image);
}

const char *promises_broken(const uint8_t *bytes, size_t size, struct promises *seen)
{
	struct rossym_image *const untouched = (struct rossym_image *)(void *)&digest;
	struct rossym_image *image = untouched;
	struct rossym_report report = { .size = sizeof report };
	struct rossym_info info = { .size = sizeof info };
	err = (struct rossym_error){ .what = "" };
	*seen = (struct promises){ .opened = false };
	broken = NULL;
	image_size = size;
	is_damaged = false;
	const int opened = rossym_open_memory(bytes, size, NULL, &image, &err);
	if (opened != 0) {
		promise(opened == -1 && image == untouched && err.what[0] && !strchr(err.what, '\n') && !err.sys_errno);
		promise(err.code == ROSSYM_ENOTPE || err.code == ROSSYM_EARCHIVE || err.code == ROSSYM_ENOSYMS ||
			err.code == ROSSYM_EDAMAGED);
		promise(err.offset <= UINT64_C(0x100000000));
		return broken;
	}
	seen->opened = true;
	const uint64_t before = look_up(image);
	seen->block = read_block(image);
	promise(before == look_up(image));
	const uint64_t answers = ask_all(image);
	promise(before == look_up(image));
	compare_whole(image, bytes, seen->block > 0, false);
	compare_whole(image, bytes, seen->block > 0, true);
	rossym_get_info(image, &info, NULL);
	seen->sound = rossym_check(image, &report, &err) == 0;
	if (!seen->sound)
		take_error();
	promise(!seen->sound || (report.rows == info.rows && seen->block >= 0 && !is_damaged));
	rossym_close(image);
	ask_again(bytes, answers, 0, seen->sound);
	ask_again(bytes, answers, 1, seen->sound);
	/* Now frames are laid out, if there are any. */
	ask_again(bytes, answers, UINT32_MAX, seen->sound);
	return broken;
}
