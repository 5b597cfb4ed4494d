// SPDX-License-Identifier: GPL-2.0-or-later
/* symbolize.c - the public function that gives all frames of an address in one call */
#include "config.h"
#include "lib/image.h"
#include "lib/base/error.h"

#include <string.h>

/* Returns a symbol for FRAME, with its function demangled as OPTIONS say.  PLACE has details of FRAME, or is NULL. */
static struct rossym_symbol make_symbol(const struct rossym_frame *frame, const struct rs_place *place,
					const char *strings, const struct rossym_symbolize_options *options)
{
	struct rossym_symbol symbol = { .function = frame->function,
					.file = frame->file,
					.line = frame->line,
					.row_rva = frame->row_rva,
					.function_length = frame->function_length,
					.file_length = frame->file_length };
	if (place) {
		symbol.column = place->column;
		symbol.discriminator = place->discriminator;
		symbol.start_line = place->start_line;
		symbol.start_file = place->start_file ? strings + place->start_file : NULL;
	}
	if (!options->demangle || !frame->function || frame->function_length == ROSSYM_LENGTH_MAX)
		return symbol;
	const char *plain = options->demangle(options->context, frame->function);
	if (!plain)
		return symbol;
	symbol.function = plain;
	symbol.function_length = (uint32_t)strnlen(plain, ROSSYM_LENGTH_MAX);
	return symbol;
}

/* Store SYMBOL in element INDEX of SYMBOLS.  All elements have the size in the field `size` of the first one. */
static void store_symbol(struct rossym_symbol *symbols, uint32_t index, const struct rossym_symbol *symbol)
{
	const size_t size = symbols->size;
	uint8_t *element = (uint8_t *)symbols + index * size;
	memcpy(element, &size, sizeof size);
	rs_sized_fill(element, symbol, sizeof *symbol);
}

int rossym_symbolize(struct rossym_image *image, uint64_t address, const struct rossym_symbolize_options *options,
		     struct rossym_symbol *symbols, uint32_t room, struct rossym_error *err)
{
	struct rossym_symbolize_options given = { .size = sizeof given };
	struct rossym_frames frames;
	struct rossym_frame frame;
	struct rs_detail_walk walk;
	uint32_t count = 0;
	if ((options && rs_sized_copy_in(&given, sizeof given, sizeof given, options, err) < 0) ||
	    rs_check_flags(given.flags, ROSSYM_LOOKUP_DATA | ROSSYM_SYMBOLIZE_RETURN, err) < 0 ||
	    (room > 0 && rs_sized_check(symbols, sizeof *symbols, err) < 0))
		return -1;
	/* A return address is after the call, perhaps in another line's code: look up the byte before, in the call. */
	const bool is_return = given.flags & ROSSYM_SYMBOLIZE_RETURN;
	if (address < given.load_address || address - given.load_address < is_return)
		return 0;
	const uint64_t rva = address - given.load_address - is_return;
	if (rs_image_ensure_answers(image, &rva, 1, err) < 0)
		return -1;
	const int found = rossym_lookup(image, rva, given.flags & ROSSYM_LOOKUP_DATA, &frame, err);
	if (found <= 0)
		return found;
	if (rossym_frames_begin(image, &frame, &frames, err) < 0)
		return -1;
	const struct rs_details *details = image->partial ? rs_kept_find_answer(&image->kept, rva)->details
							  : image->made.details;
	rs_details_begin_walk(details, rva, &walk);
	for (; rossym_frames_next(&frames, &frame); count++) {
		const struct rs_place *place = rs_details_next_place(&walk);
		const char *strings = details ? details->strings : NULL;
		if (count >= room)
			continue;
		const struct rossym_symbol symbol = make_symbol(&frame, place, strings, &given);
		store_symbol(symbols, count, &symbol);
	}
	return (int)count;
}
