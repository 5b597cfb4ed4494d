// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "answer/batch.h"
#include "tool/address.h"
#include "tool/diag.h"
#include "tool/input.h"

#include <string.h>

void batch_initialize(struct batch *batch, const struct query_rules *rules, unsigned flags, struct record_style *style,
		      batch_take *take, void *data)
{
	/* Set members one by one: assigning the structure would clear its large arrays, too, which takes time. */
	batch->rules = rules;
	batch->flags = flags;
	batch->style = style;
	batch->take = take;
	batch->data = data;
	batch->seen = (struct query_seen){ .number = 0 };
	batch->lookups = 0;
	batch->err = (struct rossym_error){ .code = ROSSYM_OK };
	batch->count = 0;
}

bool batch_print_if_failed(const struct batch *batch, bool good)
{
	if (good)
		return true;
	return batch->err.code == ROSSYM_OK ? diag_report_no_memory()
					    : diag_image_error(batch->rules->path, &batch->err);
}

/* Do what rossym_lookup_frames() does for RVAS, and also store the details of each frame in batch->details. */
static int look_up_with_details(struct batch *batch, const uint64_t *rvas, size_t count, uint32_t *ends)
{
	const struct rossym_symbolize_options options = { .size = sizeof options, .flags = batch->flags };
	struct rossym_image *image = batch->rules->image;
	const int room = sizeof batch->frames / sizeof *batch->frames;
	int used = 0;
	if (rossym_prepare_addresses(image, rvas, count, &batch->err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		struct rossym_symbol *symbol = batch->details + used;
		if (room - used < ROSSYM_FRAMES_MAX)
			return (int)i;
		symbol->size = sizeof *symbol;
		int found = rossym_symbolize(image, rvas[i], &options, symbol, ROSSYM_FRAMES_MAX, &batch->err);
		if (found < 0)
			return -1;
		if (found > 1 && !records_want_frames(batch->style))
			found = 1;
		if (found == 0)
			batch->frames[used++] = (struct rossym_frame){ .function = NULL };
		for (; found > 0; found--, symbol++)
			batch->frames[used++] = (struct rossym_frame){
				symbol->function,	 symbol->file,	     symbol->line, symbol->row_rva,
				symbol->function_length, symbol->file_length
			};
		ends[i] = (uint32_t)used;
	}
	return (int)count;
}

/* Look up at least one of the *COUNT addresses from index FIRST on, and pass the answers to batch->take().  *COUNT
   becomes how many were looked up.  Returns false, with batch->err, if a look-up or take() fails. */
static bool look_up_part(struct batch *batch, size_t first, size_t *count)
{
	struct rossym_image *image = batch->rules->image;
	const uint64_t *rvas = batch->rvas + first;
	uint32_t ends[BATCH_SIZE];
	int done = (int)*count;
	if (batch->style->details) {
		done = look_up_with_details(batch, rvas, *count, ends);
	} else if (records_want_frames(batch->style)) {
		const uint32_t room = sizeof batch->frames / sizeof *batch->frames;
		done = rossym_lookup_frames(image, rvas, *count, batch->flags, batch->frames, room, ends, &batch->err);
	} else if (rossym_lookup_many(image, rvas, *count, batch->flags, batch->frames, &batch->err) < 0) {
		done = -1;
	} else {
		for (uint32_t i = 0; i < *count; i++)
			ends[i] = i + 1;
	}
	if (done < 0)
		return false;
	*count = (size_t)done;
	const struct records records = { batch->shown + first, batch->frames, ends, *count,
					 batch->style->details ? batch->details : NULL };
	batch->err.code = ROSSYM_OK;
	return batch->take(batch, &records);
}

bool batch_look_up(struct batch *batch)
{
	size_t count = batch->count;
	batch->count = 0;
	/* In an image that is not prepared, a look-up can fail.  The addresses before the failing one must still be
	   answered, so after a failure look up one address at a time. */
	size_t most = BATCH_SIZE;
	for (size_t done = 0, step; done < count; done += step) {
		step = count - done < most ? count - done : most;
		if (look_up_part(batch, done, &step))
			continue;
		if (batch->err.code == ROSSYM_OK || step == 1) /* take() has failed, or the look-up of one address */
			return false;
		step = 0; /* repeat this step with one address */
		most = 1;
	}
	return true;
}

static bool look_up_if_full(struct batch *batch)
{
	return batch->count < BATCH_SIZE || batch_look_up(batch);
}

bool batch_add(struct batch *batch, uint64_t shown, uint64_t rva)
{
	batch->shown[batch->count] = shown;
	batch->rvas[batch->count++] = rva;
	return look_up_if_full(batch);
}

/* Do what query_parse_silently() does, with the line from TEXT to NEWLINE. */
static bool parse_silently(const struct batch *batch, char *text, char *newline, struct query *query,
			   struct query_seen *seen)
{
	*newline = '\0';
	const bool silent = query_parse_silently(batch->rules, text, query, seen);
	*newline = '\n';
	return silent;
}

bool batch_prepare_lines(struct batch *batch, char *text, char *end)
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
	return rossym_prepare_addresses(batch->rules->image, rvas, count, &batch->err) >= 0;
}

bool batch_add_lines(struct batch *batch, char **text, char *end)
{
	while (*text < end) {
		uint64_t *numbers = batch->shown + batch->count;
		size_t count = address_parse_lines(text, end, numbers, BATCH_SIZE - batch->count);
		query_convert_numbers(batch->rules, numbers, count, batch->rvas + batch->count, &batch->seen);
		batch->count += count;
		if (!look_up_if_full(batch))
			return false;
		if (count > 0)
			continue;

		/* The line is not just a number.  Parse it here; if it is too long or may need a message, return, and
		   leave it to the caller. */
		char *newline = memchr(*text, '\n', (size_t)(end - *text));
		struct query query;
		if (newline - *text > LINES_LENGTH_MAX || !parse_silently(batch, *text, newline, &query, &batch->seen))
			return true;
		*text = newline + 1;
		if (!batch_add(batch, query.shown, query.rva))
			return false;
	}
	return true;
}

bool batch_visit_prepare(void *data, uint64_t count)
{
	struct batch *batch = data;
	batch->lookups += count;
	/* If preparing fails, the answers to the earlier addresses must come before the message. */
	if (!batch_visit_finish(batch))
		return false;
	const int prepared = rossym_prepare_for(batch->rules->image, batch->lookups, &batch->err);
	batch->style->overreadable = prepared > 0;
	return batch_print_if_failed(batch, prepared >= 0);
}

bool batch_add_numbers(void *data, const uint64_t *numbers, size_t count)
{
	struct batch *batch = data;
	bool good = true;
	for (size_t done = 0, step; done < count && good; done += step) {
		size_t room = BATCH_SIZE - batch->count;
		step = count - done < room ? count - done : room;
		memcpy(batch->shown + batch->count, numbers + done, step * sizeof *numbers);
		query_convert_numbers(batch->rules, numbers + done, step, batch->rvas + batch->count, &batch->seen);
		batch->count += step;
		good = look_up_if_full(batch);
	}
	return batch_print_if_failed(batch, good);
}

bool batch_visit_finish(void *data)
{
	struct batch *batch = data;
	return batch_print_if_failed(batch, batch_look_up(batch));
}
