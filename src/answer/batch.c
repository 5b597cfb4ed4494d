// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "answer/batch.h"
#include "tool/address.h"
#include "tool/diag.h"
#include "tool/lines.h"

#include <string.h>

void batch_open(struct batch *batch, const struct query_rules *rules, unsigned flags, struct record_style *style,
		struct out *out)
{
	/* Set member by member, because clearing the large arrays would take time. */
	batch->rules = rules;
	batch->flags = flags;
	batch->style = style;
	batch->out = out;
	batch->seen = (struct query_seen){ .number = 0 };
	batch->count = 0;
}

bool batch_is_good(const struct batch *batch, enum batch_status status, const struct rossym_error *err)
{
	switch (status) {
	case BATCH_OK:
		return true;
	case BATCH_NO_MEMORY:
		diag_no_memory();
		break;
	case BATCH_ERROR:
		diag_image(batch->rules->path, err);
		break;
	}
	return false;
}

/* Look up the COUNT addresses RVAS with their details, as rossym_lookup_frames() does it without. */
static int look_up_details(struct batch *batch, const uint64_t *rvas, size_t count, uint32_t *ends,
			   struct rossym_error *err)
{
	const struct rossym_symbolize_options options = { .size = sizeof options, .flags = batch->flags };
	struct rossym_image *image = batch->rules->image;
	struct rossym_symbol symbols[ROSSYM_FRAMES_MAX];
	const int room = sizeof batch->frames / sizeof *batch->frames;
	int used = 0;
	symbols[0].size = sizeof symbols[0];
	if (rossym_prepare_addresses(image, rvas, count, err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		int found = rossym_symbolize(image, rvas[i], &options, symbols, ROSSYM_FRAMES_MAX, err);
		if (found < 0)
			return -1;
		if (found > 1 && !records_want_frames(batch->style))
			found = 1;
		if (used + (found ? found : 1) > room)
			return (int)i;
		batch->frames[used] = (struct rossym_frame){ .function = NULL };
		batch->details[used] = (struct record_detail){ .start_file = NULL };
		for (int k = 0; k < found; k++) {
			const struct rossym_symbol *symbol = &symbols[k];
			batch->frames[used + k] = (struct rossym_frame){
				symbol->function,	 symbol->file,	     symbol->line, symbol->row_rva,
				symbol->function_length, symbol->file_length
			};
			batch->details[used + k] = (struct record_detail){ symbol->start_file, symbol->column,
									   symbol->discriminator, symbol->start_line };
		}
		used += found ? found : 1;
		ends[i] = (uint32_t)used;
	}
	return (int)count;
}

/* Look up and print at least one of the *COUNT addresses from FIRST on, and store in *COUNT how many were printed. */
static enum batch_status answer_part(struct batch *batch, size_t first, size_t *count, struct rossym_error *err)
{
	const struct query_rules *rules = batch->rules;
	const uint64_t *rvas = batch->rvas + first;
	uint32_t ends[BATCH_SIZE];
	int done = (int)*count;
	if (batch->style->details) {
		done = look_up_details(batch, rvas, *count, ends, err);
	} else if (records_want_frames(batch->style)) {
		const uint32_t room = sizeof batch->frames / sizeof *batch->frames;
		done = rossym_lookup_frames(rules->image, rvas, *count, batch->flags, batch->frames, room, ends, err);
	} else if (rossym_lookup_many(rules->image, rvas, *count, batch->flags, batch->frames, err) < 0) {
		done = -1;
	} else {
		for (uint32_t i = 0; i < *count; i++)
			ends[i] = i + 1;
	}
	if (done < 0)
		return BATCH_ERROR;
	*count = (size_t)done;
	const struct records records = { batch->shown + first, batch->frames, ends, *count,
					 batch->style->details ? batch->details : NULL };
	return records_print(batch->style, batch->out, &records) ? BATCH_OK : BATCH_NO_MEMORY;
}

enum batch_status batch_finish(struct batch *batch, struct rossym_error *err)
{
	size_t count = batch->count;
	batch->count = 0;
	/* In an image that is not prepared, a look-up can fail.  The addresses before the failing one must still be
	   answered, so then look up one at a time. */
	size_t most = BATCH_SIZE;
	for (size_t done = 0, step; done < count; done += step) {
		step = count - done < most ? count - done : most;
		enum batch_status status = answer_part(batch, done, &step, err);
		if (status == BATCH_ERROR && step > 1) {
			step = 0; /* repeat this step with one address */
			most = 1;
		} else if (status != BATCH_OK) {
			return status;
		}
	}
	return BATCH_OK;
}

/* Look up and print the batch if it is full. */
static enum batch_status finish_if_full(struct batch *batch, struct rossym_error *err)
{
	return batch->count == BATCH_SIZE ? batch_finish(batch, err) : BATCH_OK;
}

enum batch_status batch_add(struct batch *batch, const struct query *query, struct rossym_error *err)
{
	batch->shown[batch->count] = query->shown;
	batch->rvas[batch->count] = query->rva;
	batch->count++;
	return finish_if_full(batch, err);
}

enum batch_status batch_numbers(struct batch *batch, const uint64_t *numbers, size_t count, struct rossym_error *err)
{
	for (size_t done = 0, step; done < count; done += step) {
		size_t room = BATCH_SIZE - batch->count;
		step = count - done < room ? count - done : room;
		memcpy(batch->shown + batch->count, numbers + done, step * sizeof *numbers);
		query_numbers(batch->rules, numbers + done, step, batch->rvas + batch->count, &batch->seen);
		batch->count += step;
		enum batch_status status = finish_if_full(batch, err);
		if (status != BATCH_OK)
			return status;
	}
	return BATCH_OK;
}

/* Parse the line from TEXT to NEWLINE.  False: it may need a message, so query_text() must parse it. */
static bool parse_silently(const struct batch *batch, char *text, char *newline, struct query *query,
			   struct query_seen *seen)
{
	*newline = '\0';
	const bool silent = query_without_message(batch->rules, text, query, seen);
	*newline = '\n';
	return silent;
}

enum batch_status batch_announce(const struct batch *batch, char *text, char *end, struct rossym_error *err)
{
	enum { NUMBERS_MAX = 4096 };
	uint64_t rvas[NUMBERS_MAX];
	struct query_seen unused = { .number = 0 };
	struct query query;
	size_t count = 0;
	for (char *newline; text < end && count < NUMBERS_MAX; text = newline + 1) {
		newline = memchr(text, '\n', (size_t)(end - text));
		if (parse_silently(batch, text, newline, &query, &unused))
			rvas[count++] = query.rva;
	}
	return rossym_prepare_addresses(batch->rules->image, rvas, count, err) < 0 ? BATCH_ERROR : BATCH_OK;
}

enum batch_status batch_lines(struct batch *batch, char **text, char *end, struct rossym_error *err)
{
	while (*text < end) {
		uint64_t *numbers = batch->shown + batch->count;
		size_t count = address_lines(text, end, numbers, BATCH_SIZE - batch->count);
		query_numbers(batch->rules, numbers, count, batch->rvas + batch->count, &batch->seen);
		batch->count += count;
		enum batch_status status = finish_if_full(batch, err);
		if (status != BATCH_OK)
			return status;
		if (count > 0)
			continue;

		/* The line is not just a number.  Parse it here, unless it is too long or may need a message: then
		   leave it to the caller. */
		char *newline = memchr(*text, '\n', (size_t)(end - *text));
		struct query query;
		if (newline - *text > LINES_LENGTH_MAX || !parse_silently(batch, *text, newline, &query, &batch->seen))
			return BATCH_OK;
		*text = newline + 1;
		status = batch_add(batch, &query, err);
		if (status != BATCH_OK)
			return status;
	}
	return BATCH_OK;
}
