// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/table/kept.h"
#include "core/lookup.h"
#include "lib/base/source.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"
#include "lib/base/sort.h"
#include "lib/table/block.h"
#include "lib/table/unpack.h"

/* A packed string, and a copy of its text. */
struct rs_kept_text {
	uint64_t string; /* the value that the core returns for it (rossym-core.h) */
	char *text;	 /* NULL: it has not been unpacked yet */
};

/* The state of rs_kept_add_answers(). */
struct keeper {
	struct rs_kept *kept;
	struct rossym_core core;
	struct rs_kept_batch batch;
	struct hash_table table; /* finds strings in batch.texts */
	struct rs_texts texts;	 /* all strings that were unpacked */
	uint64_t walked;	 /* how many frames and functions were passed in searches for others */
	bool whole_strings;
	struct rs_ahead ahead; /* reads ahead if the table is in a file */
	struct rs_ahead_window *windows;
	struct rossym_error *err;
};

/* GAVE_UP: rs_kept_add_answers() returns 1, because it would take too long: the nearest ROWS_MAX rows do not give an
   answer, or more than WALKED_MAX frames and functions were passed.  Then the caller makes the whole table. */
enum { GAVE_UP = 1, ROWS_MAX = 1024, WALKED_MAX = 1 << 20 };

static void clear_texts(struct rs_kept_batch *batch)
{
	for (uint32_t i = 0; i < batch->text_count; i++)
		rs_free(batch->texts[i].text);
	rs_free(batch->texts);
}

/* Store a copy of the text of STRING, which is packed, in *RET.  Returns 0 or -1. */
static int unpack_string(struct keeper *k, uint64_t string, char **ret)
{
	const uint32_t at = k->texts.length;
	if (rs_unpack_text(&k->core.table.strings, (uint32_t)string, 0, &k->texts, k->err) < 0)
		return -1;
	*ret = rs_copy_text(k->texts.bytes + at);
	return *ret ? 0 : rs_fail_memory(k->err);
}

/* Store in *RET a pointer to the text of STRING: into the table if the text is there, else to a copy in the batch. */
static int find_or_keep_string(struct keeper *k, uint64_t string, const char **ret)
{
	const struct rs_kept_text new = { .string = string };
	struct rs_kept_batch *batch = &k->batch;
	uint32_t number;
	*ret = string ? rossym_core_string_in_place(&k->core, string) : "";
	if (*ret)
		return 0;
	if (rs_array_intern(&batch->texts, &batch->text_room, &batch->text_count, &k->table, &new, sizeof new.string,
			    sizeof new, &number) < 0)
		return rs_fail_memory(k->err);
	struct rs_kept_text *text = &batch->texts[number - 1];
	if (!text->text && unpack_string(k, string, &text->text) < 0)
		return -1;
	*ret = text->text;
	return 0;
}

/* Store FRAME, a frame of the core, in *RET in the form of rossym.h.  Returns 0 or -1. */
static int make_frame(struct keeper *k, const struct rossym_core_frame *frame, uint32_t row_rva,
		      struct rossym_frame *ret)
{
	const char *function, *file;
	if (find_or_keep_string(k, frame->function, &function) < 0 || find_or_keep_string(k, frame->file, &file) < 0)
		return -1;
	rs_frame_set_function(ret, function);
	rs_frame_set_file(ret, file);
	ret->line = frame->line;
	ret->row_rva = row_rva;
	return 0;
}

/* Add to ANSWER its frames: that of FOUND, which the rows have given, and those around it.  Returns 0 or -1. */
static int add_frames(struct keeper *k, const struct rossym_core_answer *found, struct rs_kept_answer *answer)
{
	struct rs_kept *kept = k->kept;
	struct rossym_core_frame frame = { found->function, found->file, found->line };
	struct rossym_frame new;
	struct rossym_fault fault;
	uint32_t number = 0;
	int r = k->whole_strings ? rossym_core_row_frame(&k->core, found, &frame, &fault) : 0;
	if (r == 0 && make_frame(k, &frame, found->row_rva, &answer->frame) < 0)
		return -1;
	while (r >= 0 && (r = rossym_core_frame(&k->core, found, number, &frame, &fault)) > 0) {
		if (make_frame(k, &frame, found->row_rva, &new) < 0 ||
		    RS_ARRAY_ADD(kept->frames, kept->frame_room, kept->frame_count, k->err, new) < 0)
			return -1;
		k->walked += number++;
	}
	answer->frame_count = number;
	return r < 0 ? rs_fail_fault(k->err, &fault) : 0;
}

/* Store in ANSWER the function that contains answer->rva, if there is one.  Returns 0 or -1. */
static int add_function(struct keeper *k, struct rs_kept_answer *answer)
{
	struct rossym_core_function function;
	struct rs_block_func unused;
	struct rossym_fault fault;
	uint32_t places = 0;
	int found = k->core.checked ? rs_parts_find_function_at(&k->core.parts, answer->rva, &unused, &places, &fault)
				    : 0;
	k->walked += places;
	if (found > 0)
		found = rossym_core_function_at(&k->core, answer->rva, &function, &fault);
	if (found <= 0)
		return found < 0 ? rs_fail_fault(k->err, &fault) : 0;
	answer->function = (struct rossym_function){ NULL, function.rva, function.places, function.length };
	return find_or_keep_string(k, function.name, &answer->function.name);
}

/* Add the answer for RVA.  Returns 0, GAVE_UP or -1. */
static int add_answer(struct keeper *k, uint32_t rva)
{
	struct rs_kept *kept = k->kept;
	struct rs_kept_answer answer = { .rva = rva, .first = kept->frame_count, .details = k->batch.made.details };
	struct rossym_core_answer found;
	struct rossym_fault fault;
	const int r = rs_core_lookup(&k->core, rva, ROSSYM_LOOKUP_DATA, ROWS_MAX, &found, &fault);
	if (r < 0)
		return rs_fail_fault(k->err, &fault);
	if (r == RS_LOOKUP_FAR || k->walked > WALKED_MAX)
		return GAVE_UP;
	if ((r > 0 && add_frames(k, &found, &answer) < 0) || add_function(k, &answer) < 0)
		return -1;
	return RS_ARRAY_ADD(kept->answers, kept->room, kept->count, k->err, answer);
}

/* Find the table's block.  Do not check it: each search for an answer detects damage in the parts that it reads.
   Returns 0 or -1. */
static int open_block(struct keeper *k)
{
	enum { WINDOWS = 16 };
	struct rossym_core *core = &k->core;
	struct rs_table *table = &core->table;
	const struct rossym_reader below = table->reader;
	struct rs_columns names;
	struct rossym_fault fault;
	if (!below.memory) {
		k->windows = rs_alloc(WINDOWS, sizeof *k->windows);
		if (!k->windows)
			return rs_fail_memory(k->err);
		table->reader = table->strings.reader = rs_ahead_reader(&k->ahead, &below, k->windows, WINDOWS);
	}
	const int found = rs_parts_find_block(&core->parts, table, core->section_end, &fault);
	if (found == 0 && rs_is_packed(table))
		return rs_fail(k->err, ROSSYM_ECHANGED, table->offset, "the file was changed while it was read");
	core->checked = found > 0;
	return found < 0 || (found > 0 && rs_parts_open(&core->parts, &names, &fault) < 0)
		       ? rs_fail_fault(k->err, &fault)
		       : 0;
}

int rs_kept_add_answers(struct rs_kept *kept, const struct rossym_core *core, bool whole_strings,
			const struct rs_made *made, const uint32_t *rvas, uint32_t count, struct rossym_error *err)
{
	const uint32_t answers = kept->count, frames = kept->frame_count;
	struct keeper k = {
		.kept = kept, .core = *core, .batch.made = *made, .whole_strings = whole_strings, .err = err
	};
	int r = open_block(&k);
	for (uint32_t i = 0; i < count && r == 0; i++)
		r = add_answer(&k, rvas[i]);
	if (r == 0)
		r = RS_ARRAY_ADD(kept->batches, kept->batch_room, kept->batch_count, err, k.batch);
	rs_free(k.table.slots);
	rs_free(k.windows);
	rs_free(k.texts.bytes);
	if (r != 0) {
		clear_texts(&k.batch);
		kept->count = answers;
		kept->frame_count = frames;
		return r;
	}
	kept->bytes += made->size + k.texts.length;
	rs_sort(kept->answers, kept->count, sizeof *kept->answers, rs_compare_one_number);
	return 0;
}

void rs_made_clear(struct rs_made *made)
{
	rs_free(made->table);
	rs_details_free(made->details);
}

void rs_kept_clear(struct rs_kept *kept)
{
	for (uint32_t i = 0; i < kept->batch_count; i++) {
		clear_texts(&kept->batches[i]);
		rs_made_clear(&kept->batches[i].made);
	}
	rs_free(kept->batches);
	rs_free(kept->answers);
	rs_free(kept->frames);
}

const struct rs_kept_answer *rs_kept_find_answer(const struct rs_kept *kept, uint64_t rva)
{
	const uint32_t at = rs_array_first(kept->answers, kept->count, sizeof *kept->answers, 0, rva);
	return at < kept->count && kept->answers[at].rva == rva ? &kept->answers[at] : NULL;
}

/* Compares strings and line, too: two tables that were made for different addresses can have different rows, so row_rva
   alone does not identify an answer. */
const struct rs_kept_answer *rs_kept_find_answer_of_frame(const struct rs_kept *kept, const struct rossym_frame *frame)
{
	uint32_t i = rs_array_first(kept->answers, kept->count, sizeof *kept->answers, 0, frame->row_rva);
	for (; i < kept->count && kept->answers[i].frame.row_rva <= frame->row_rva; i++) {
		const struct rossym_frame *other = &kept->answers[i].frame;
		if (kept->answers[i].frame_count > 0 && other->row_rva == frame->row_rva &&
		    other->function == frame->function && other->file == frame->file && other->line == frame->line)
			return &kept->answers[i];
	}
	return NULL;
}
