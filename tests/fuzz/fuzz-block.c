// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The extension block: rows, strings and chunks in the form of block.h, behind checksums that are right.
 *
 * What must hold for each: all questions come to an end, chains too; the same question has the same answer, in an image
 * that is opened once more, in another order, and after rossym_prepare(); a look-up does not depend on the block; a
 * block that is refused is as none.  Whether it is, and what one that is sound says, is what its parts say when they
 * are read number by number and row by row.
 */
#include "config.h"
#include "block.h"
#include "fuzz.h"
#include "rossym.h"
#include "core/layout.h"

#include <string.h>

enum { CHAIN_ROOM = RS_CHAIN_MAX + 1, EFFORT = 1 << 16, MANY = 64 };

/* How much may still be asked: strings can be long, chains too, and each of many rows can have them. */
static uint32_t effort;

static bool spend(uint32_t cost)
{
	effort = cost < effort ? effort - cost : 0;
	return effort > 0;
}

/* From one that is asked to the next. */
static uint32_t step(uint32_t count)
{
	return count / MANY + 1;
}

/* ------------------------------------------------------------------------------------------------ comparing */

/* What was said, in its order. */
struct digest {
	uint64_t hash;
};

static void add_number(struct digest *digest, uint64_t number)
{
	digest->hash = (digest->hash ^ number ^ digest->hash >> 29) * UINT64_C(0x9e3779b97f4a7c15);
}

static void add_string(struct digest *digest, const char *string)
{
	add_number(digest, string != NULL);
	for (; string && *string; string++)
		digest->hash = (digest->hash ^ (uint8_t)*string) * UINT64_C(0x100000001b3);
}

static void add_frame(struct digest *digest, const struct rossym_frame *frame)
{
	must(frame->function_length == (frame->function ? strlen(frame->function) : 0));
	must(frame->file_length == (frame->file ? strlen(frame->file) : 0));
	add_string(digest, frame->function);
	add_string(digest, frame->file);
	add_number(digest, frame->line);
	spend(8 + frame->function_length + frame->file_length);
}

static bool same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_frame(const struct rossym_frame *a, const struct rossym_frame *b)
{
	return same(a->function, b->function) && same(a->file, b->file) && a->line == b->line;
}

/* ---------------------------------------------------------------------------------------------- single questions */

/* The frames that come; twice, for an iterator can be copied. */
static unsigned read_frames(struct rossym_frames *frames, struct rossym_frame chain[CHAIN_ROOM], struct digest *digest)
{
	struct rossym_frames again = *frames;
	struct rossym_frame frame;
	unsigned count = 0;
	while (rossym_frames_next(frames, &frame)) {
		must(count < CHAIN_ROOM);
		add_frame(digest, &frame);
		chain[count++] = frame;
	}
	must(count > 0 && !rossym_frames_next(frames, &frame));
	for (unsigned i = 0; i < count; i++)
		must(rossym_frames_next(&again, &frame) && same_frame(&frame, &chain[i]));
	must(!rossym_frames_next(&again, &frame));
	return count;
}

/* rossym_lookup_frames() must give the COUNT frames of CHAIN for RVA.  If COUNT is 0, nothing is known about RVA. */
static void ask_many(struct rossym_image *image, uint64_t rva, const struct rossym_frame *chain, unsigned count)
{
	static struct rossym_frame frames[CHAIN_ROOM];
	struct rossym_error err;
	uint32_t end = 0;
	must(rossym_lookup_frames(image, &rva, 1, ROSSYM_LOOKUP_DATA, frames, CHAIN_ROOM, &end, &err) == 1);
	must(end == (count > 0 ? count : 1));
	must(count > 0 || (!frames[0].function && !frames[0].file && !frames[0].line));
	for (unsigned i = 0; i < count; i++)
		must(same_frame(&frames[i], &chain[i]) && frames[i].row_rva == chain[i].row_rva);
}

/* What is known about an address, with and without its frames.  Returns how many of these were stored in CHAIN. */
static unsigned ask_address(struct rossym_image *image, uint64_t rva, bool refused, struct rossym_frame *answer,
			    struct rossym_frame chain[CHAIN_ROOM], struct digest *digest)
{
	struct rossym_frames frames;
	struct rossym_error err;
	int found = rossym_lookup(image, rva, ROSSYM_LOOKUP_DATA, answer, &err);
	must(found >= 0 || err.code == ROSSYM_EDAMAGED);
	add_number(digest, found > 0);
	if (found == 0)
		ask_many(image, rva, NULL, 0);
	if (found <= 0)
		return 0;
	add_frame(digest, answer);
	must(rossym_frames_begin(image, answer, &frames, &err) == 0);
	unsigned count = read_frames(&frames, chain, digest);
	ask_many(image, rva, chain, count);
	must(!refused || (count == 1 && same_frame(answer, &chain[0])));
	return count;
}

static bool is_said(const char *said, const char *string)
{
	return same(said, *string ? string : NULL);
}

/* The frames of a row are what the chunks say. */
static void compare_chain(const struct block_file *file, uint32_t row, const struct rossym_frame *chain, unsigned count)
{
	const uint8_t *p = file->rows.bytes + (size_t)row * RS_ROW_SIZE;
	uint32_t frame = block_chain(file, row);
	unsigned at = file->inner ? 0 : 1, entry = file->inner ? count - 1 : 0;
	must(is_said(chain[entry].function, block_whole(file, block_get(p + RS_ROW_FUNCTION))));
	must(is_said(chain[entry].file, block_whole(file, block_get(p + RS_ROW_FILE))));
	must(chain[entry].line == block_get(p + RS_ROW_LINE));
	for (; frame != RS_BLOCK_NONE; at++) {
		p = file->frames.bytes + (size_t)frame * FIRST_FRAME_SIZE;
		must(at < count && at != entry);
		must(is_said(chain[at].function, block_string(file, block_get(p + FIRST_FRAME_FUNCTION))));
		must(is_said(chain[at].file, block_string(file, block_get(p + FIRST_FRAME_FILE))));
		must(chain[at].line == block_get(p + FIRST_FRAME_LINE));
		frame = block_get(p + FIRST_FRAME_NEXT);
	}
	must(count == (file->inner ? at + 1 : at));
}

static uint32_t row_address(const struct block_file *file, uint32_t row)
{
	return block_get(file->rows.bytes + (size_t)row * RS_ROW_SIZE + RS_ROW_ADDRESS);
}

static bool is_alone(const struct block_file *file, uint32_t row)
{
	return (row == 0 || row_address(file, row - 1) != row_address(file, row)) &&
	       (row + 1 == file->rows.count || row_address(file, row + 1) != row_address(file, row));
}

static void ask_row(struct rossym_image *image, const struct block_file *file, uint32_t row, bool refused,
		    struct digest *digest)
{
	static struct rossym_frame by_row[CHAIN_ROOM], by_address[CHAIN_ROOM];
	struct rossym_frame answer;
	struct rossym_frames frames;
	struct rossym_error err;
	uint32_t rva = row_address(file, row);
	unsigned row_count = 0, count;
	if (rossym_frames_begin_row(image, row, &frames, &err) == 0)
		row_count = read_frames(&frames, by_row, digest);
	else
		must(!file->sound && err.code == ROSSYM_EDAMAGED);
	must(!refused || row_count <= 1);
	if (file->sound) {
		compare_chain(file, row, by_row, row_count);
		spend(file->runs.count + 2 * file->longs.count);
	}
	count = ask_address(image, rva, refused, &answer, by_address, digest);
	/* A row that shares its address with no other speaks for it, if it says anything; not always with
	   its function. */
	if (file->sound && count > 0 && answer.row_rva == rva && is_alone(file, row)) {
		unsigned entry = file->inner ? count - 1 : 0;
		must(count == row_count);
		for (unsigned i = 0; i < count; i++)
			must(i == entry ? by_row[i].line == by_address[i].line
					: same_frame(&by_row[i], &by_address[i]));
	}
	ask_address(image, (uint64_t)rva + 1, refused, &answer, by_address, digest);
}

/* ---------------------------------------------------------------------------------------------------- functions */

struct place {
	uint32_t rva, length, name;
};

static struct place place_in(const struct block_chunk *functions, uint32_t number)
{
	const uint8_t *p = functions->bytes + (size_t)number * FIRST_FUNCTION_SIZE;
	return (struct place){ block_get(p + FIRST_FUNCTION_RVA), block_get(p + FIRST_FUNCTION_LENGTH),
			       block_get(p + FIRST_FUNCTION_NAME) };
}

static struct place place_of(const struct block_file *file, uint32_t number)
{
	return place_in(&file->functions, number);
}

/* The shortest function around RVA of those that begin nearest to it, if there is one. */
static void compare_function_at(const struct block_file *file, uint64_t rva, int found,
				const struct rossym_function *function)
{
	uint32_t nearest = 0, places = 0, length = UINT32_MAX;
	bool any = false;
	for (uint32_t i = 0; i < file->functions.count && place_of(file, i).rva <= rva; i++)
		nearest = place_of(file, i).rva;
	for (uint32_t i = 0; i < file->functions.count; i++) {
		struct place place = place_of(file, i);
		if (place.rva != nearest || place.rva > rva)
			continue;
		places++;
		if (rva - place.rva < place.length && place.length <= length) {
			length = place.length;
			any = true;
		}
	}
	must(found == any);
	if (found)
		must(function->rva == nearest && function->length == length && function->places == places);
	spend(2 * file->functions.count);
}

static void ask_function_at(struct rossym_image *image, const struct block_file *file, uint64_t rva,
			    struct digest *digest)
{
	struct rossym_function function;
	struct rossym_error err;
	int found = rossym_function_at(image, rva, &function, &err);
	must(found >= 0);
	add_number(digest, (uint64_t)found);
	if (found) {
		must(rva >= function.rva && rva - function.rva < function.length);
		add_string(digest, function.name);
		add_number(digest, function.rva);
	}
	if (file->sound)
		compare_function_at(file, rva, found, &function);
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

/* Take those of FUNCTIONS that are called NAME and lie in a section into BEST: of the lowest address, the
   longest.  BEST has the name 0xffffffff before the first.  OTHER: only those that have no length, else only
   those that have one. */
static void take_named(struct rossym_image *image, const struct block_file *file, const struct block_chunk *functions,
		       const char *name, bool other, struct place *best)
{
	for (uint32_t i = 0; i < functions->count; i++) {
		struct place place = place_in(functions, i);
		spend(8);
		if ((place.length == 0) != other || !is_inside(image, place.rva) ||
		    strcmp(block_string(file, place.name), name) != 0)
			continue;
		if (best->name == UINT32_MAX || place.rva < best->rva ||
		    (place.rva == best->rva && place.length > best->length))
			*best = place;
	}
}

/* By a name that the block has exactly: as another name of code, or else as that of a function. */
static void compare_named(struct rossym_image *image, const struct block_file *file, const char *name,
			  const struct rossym_function *function)
{
	struct place best = { .name = UINT32_MAX };
	for (int other = 1; other >= 0 && best.name == UINT32_MAX; other--) {
		take_named(image, file, &file->functions, name, other, &best);
		take_named(image, file, &file->names, name, other, &best);
	}
	if (best.name != UINT32_MAX)
		must(strcmp(function->name, name) == 0 && function->rva == best.rva && function->length == best.length);
}

static void ask_name(struct rossym_image *image, const struct block_file *file, const char *name, struct digest *digest)
{
	struct rossym_function function;
	struct rossym_error err;
	int found = rossym_find_function(image, name, &function, &err);
	must(found >= 0 || err.code == ROSSYM_EDAMAGED);
	add_number(digest, found > 0);
	if (found <= 0)
		return;
	must(function.places > 0);
	add_string(digest, function.name);
	add_number(digest, function.rva);
	add_number(digest, function.length);
	if (file->sound && *name)
		compare_named(image, file, name, &function);
}

static void ask_function(struct rossym_image *image, const struct block_file *file, const struct place *place,
			 struct rossym_function function, struct digest *digest)
{
	struct rossym_function other;
	struct rossym_error err;
	add_string(digest, function.name);
	add_number(digest, function.rva);
	add_number(digest, function.length);
	spend(8 + (uint32_t)strlen(function.name));
	if (file->sound) {
		must(place->rva == function.rva && place->length == function.length);
		must(strcmp(block_string(file, place->name), function.name) == 0);
		/* There is at least this one. */
		must(!*function.name || !is_inside(image, function.rva) ||
		     rossym_find_function(image, function.name, &other, &err) == 1);
	}
	ask_function_at(image, file, function.rva, digest);
	ask_function_at(image, file, (uint64_t)function.rva + function.length, digest);
	if (function.length)
		ask_function_at(image, file, (uint64_t)function.rva + function.length - 1, digest);
	ask_name(image, file, function.name, digest);
}

/* ---------------------------------------------------------------------------------------------------------- all */

/* Functions and other names in the order of their addresses, functions first: the next one, of which AT counts those
   that are behind. */
static struct place next_place(const struct block_file *file, uint32_t at[2])
{
	const bool function = at[0] < file->functions.count, other = at[1] < file->names.count;
	if (function && (!other || place_of(file, at[0]).rva <= place_in(&file->names, at[1]).rva))
		return place_of(file, at[0]++);
	return other ? place_in(&file->names, at[1]++) : (struct place){ .rva = 0 };
}

/* Everything, from the rows on; of many, some.  Look-ups before the block is read are part of it. */
static struct digest ask_all(struct rossym_image *image, const struct block_file *file, bool refused)
{
	struct digest digest = { 0 };
	struct rossym_functions list;
	struct rossym_function function;
	struct rossym_frame answer;
	static struct rossym_frame chain[CHAIN_ROOM];
	uint32_t functions = 0, at[2] = { 0, 0 };
	struct rossym_block block = { .size = sizeof block };
	struct rossym_error err;
	struct rossym_info info = { .size = sizeof info };
	effort = EFFORT;
	/* In a wide image rows may have been taken for longer ones, and so for fewer. */
	rossym_get_info(image, &info, NULL);
	must(info.rows == file->rows.count || !file->sound);
	for (uint32_t row = 0; row < info.rows && row < file->rows.count && effort > EFFORT / 2;
	     row += step(file->rows.count))
		ask_row(image, file, row, refused, &digest);
	ask_address(image, 0, refused, &answer, chain, &digest);
	ask_address(image, UINT32_MAX, refused, &answer, chain, &digest);
	if (rossym_read_block(image, &block, &err) == 1)
		functions = block.functions + block.names;
	rossym_functions_begin(image, &list);
	for (uint32_t i = 0, chosen = 0; i < functions; i++) {
		must(rossym_functions_next(&list, &function, &err) == 1);
		const struct place place = next_place(file, at);
		if (i != chosen || effort <= 0)
			continue;
		ask_function(image, file, &place, function, &digest);
		chosen += step(functions);
	}
	must(rossym_functions_next(&list, &function, &err) == 0);
	ask_function_at(image, file, UINT32_MAX, &digest);
	ask_name(image, file, "main", &digest);
	ask_name(image, file, "_f@8", &digest);
	return digest;
}

/* What look-ups say, before the block has been touched or after. */
static struct digest look_up(struct rossym_image *image, const struct block_file *file)
{
	struct digest digest = { 0 };
	struct rossym_frame answer;
	effort = EFFORT / 2;
	for (uint32_t row = 0; row < file->rows.count && effort > 0; row += step(file->rows.count)) {
		int found = rossym_lookup(image, row_address(file, row), 0, &answer, NULL);
		add_number(&digest, (uint64_t)found);
		if (found > 0)
			add_frame(&digest, &answer);
	}
	return digest;
}

static void compare_facts(const struct block_file *file, const struct rossym_block *block)
{
	must(block->frames == file->frames.count && block->runs == file->runs.count);
	must(block->functions == file->functions.count && block->long_strings == file->longs.count);
	must(block->names == file->names.count);
	must(block->strings_size == file->own.count && block->entry_outer == file->inner);
}

static bool same_block(const struct rossym_block *a, const struct rossym_block *b)
{
	return a->offset == b->offset && a->length == b->length && a->frames == b->frames && a->runs == b->runs &&
	       a->functions == b->functions && a->long_strings == b->long_strings &&
	       a->strings_size == b->strings_size && a->entry_outer == b->entry_outer && a->names == b->names;
}

/* False: it is refused. */
static bool read_block(struct rossym_image *image, const struct block_file *file)
{
	struct rossym_block block = { .size = sizeof block }, again = block;
	struct rossym_report report = { .size = sizeof report };
	struct rossym_error err, other;
	int r = rossym_read_block(image, &block, &err);
	must(r >= 0 || (err.code == ROSSYM_EDAMAGED && err.what[0] && !strchr(err.what, '\n')));
	must(rossym_read_block(image, &again, &other) == r && same_block(&block, &again));
	must(r >= 0 || strcmp(err.what, other.what) == 0);
	int checked = rossym_check(image, &report, &err);
	must(checked == 0 || err.code == ROSSYM_EDAMAGED);
	must(r >= 0 || checked < 0);
	must(!file->known || (r == 1) == file->taken);
	if (file->sound) {
		must(checked == 0);
		compare_facts(file, &block);
	}
	return r == 1;
}

/* With ROSSYM_OPEN_WHOLE_STRINGS a look-up must give the same strings as the frame of its row; without a block, the
   same answer as before. */
static void compare_whole(struct rossym_image *image, const struct block_file *file, bool sound, bool prepare)
{
	struct rossym_image *other;
	struct rossym_frame answer, whole, frame;
	struct rossym_frames frames;
	struct rossym_block block = { .size = sizeof block };
	const struct rossym_open_options options = { .size = sizeof options, .flags = ROSSYM_OPEN_WHOLE_STRINGS };
	struct rossym_error err;
	must(rossym_open_memory(file->bytes, file->size, &options, &other, &err) == 0);
	if (prepare && rossym_prepare(other, &err) < 0)
		effort = 0;
	else
		effort = EFFORT / 2;
	rossym_read_block(image, &block, &err);
	for (uint32_t row = 0; row < file->rows.count && effort > 0; row += step(file->rows.count)) {
		int found = rossym_lookup(image, row_address(file, row), 0, &answer, &err);
		must(rossym_lookup(other, row_address(file, row), 0, &whole, &err) == found);
		if (found <= 0)
			continue;
		must(rossym_frames_begin(image, &answer, &frames, &err) == 0);
		must(rossym_frames_next(&frames, &frame));
		while (block.entry_outer && rossym_frames_next(&frames, &frame))
			;
		must(same_frame(&whole, sound ? &frame : &answer));
		spend(8 + whole.function_length + whole.file_length + file->longs.count);
	}
	must(!sound || !rossym_stayed_short(other, &err));
	rossym_close(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct block_file file;
	struct rossym_image *image, *other;
	struct rossym_error err;
	if (!block_make(data, size, &file))
		return 0;
	if (rossym_open_memory(file.bytes, file.size, NULL, &image, &err) < 0) {
		must(!file.sound);
		block_clear(&file);
		return 0;
	}
	struct digest before = look_up(image, &file);
	bool sound = read_block(image, &file);
	must(before.hash == look_up(image, &file).hash);
	struct digest digest = ask_all(image, &file, !sound);
	must(before.hash == look_up(image, &file).hash);
	compare_whole(image, &file, sound, false);
	compare_whole(image, &file, sound, true);

	/* Nothing asked for the block before. */
	must(rossym_open_memory(file.bytes, file.size, NULL, &other, &err) == 0);
	must(ask_all(other, &file, !sound).hash == digest.hash);
	rossym_close(other);
	must(rossym_open_memory(file.bytes, file.size, NULL, &other, &err) == 0);
	if (rossym_prepare(other, &err) == 0) {
		must(ask_all(other, &file, !sound).hash == digest.hash);
		/* Now frames are laid out, if there are any. */
		must(rossym_prepare_for(other, UINT32_MAX, &err) == 1);
		must(ask_all(other, &file, !sound).hash == digest.hash);
	} else {
		must(!file.sound && err.code == ROSSYM_EDAMAGED);
	}
	rossym_close(other);
	rossym_close(image);
	block_clear(&file);
	return 0;
}
