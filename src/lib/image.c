// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * image.c - the public interface: an image is the source of its bytes, its headers, its table, and the block and the
 * indexes, which are made when they are first needed
 */
#include "config.h"
#include "rossym.h"
#include "lib/alloc.h"
#include "lib/block.h"
#include "lib/bytes.h"
#include "lib/check.h"
#include "lib/codeview.h"
#include "lib/error.h"
#include "lib/index.h"
#include "lib/layout.h"
#include "lib/longs.h"
#include "lib/lookup.h"
#include "lib/names.h"
#include "lib/pe.h"
#include "lib/prefetch.h"
#include "lib/table.h"

#include <inttypes.h>
#include <string.h>

struct rossym_image {
	struct rs_source source;
	bool bare;
	struct rs_pe pe;		/* empty for a bare table */
	struct rs_table table;
	uint64_t section_end;		/* where the section ends in the source; the block ends at or before */
	uint64_t content_end;		/* the same without the padding, if the section has a virtual size */
	bool prepared;
	_Atomic(struct rs_index *) index;	/* NULL until it is prepared or a look-up would have far to go */
	_Atomic(struct rs_names *) names;	/* NULL until the first search for a name */
	_Atomic(struct rs_names *) block_names;	/* of its functions */
	_Atomic(struct rs_block *) block;	/* NULL until it is first needed */

	bool whole;			/* look-ups answer with whole strings, */
	struct rs_longs longs;		/* for which these may have been cut */
	_Atomic(int) shortened;		/* NEVER: no answer stayed short; else the state of why_short */
	struct rossym_error why_short;
};

/* The states of why_short.  Only the first thread that has a reason writes it. */
enum { NEVER, WRITING, WRITTEN };

const char *rossym_version(void)
{
	return PACKAGE_VERSION;
}

static const struct rs_section *find_table(const struct rs_pe *pe)
{
	for (uint32_t i = 0; i < pe->section_count; i++)
		if (memcmp(pe->sections[i].name, RS_SECTION_NAME, sizeof RS_SECTION_NAME) == 0)
			return &pe->sections[i];
	return NULL;
}

/* A file whose first number is the offset of rows right behind a header, all within the file. */
static int open_bare(struct rossym_image *image, struct rossym_error *err)
{
	struct rossym_error reason;
	if (rs_table_open(&image->table, &image->source, 0, image->source.size, false, &reason) == 0) {
		image->bare = true;
		image->section_end = image->content_end = image->source.size;
		return 0;
	}
	if (reason.code == ROSSYM_EDAMAGED)
		return rs_fail(err, ROSSYM_ENOTPE, reason.offset, "%s", reason.what);
	if (err)
		*err = reason;
	return -1;
}

static int fail_without_table(const struct rossym_image *image, struct rossym_error *err)
{
	char pdb[80];
	uint64_t at;
	int found = rs_codeview_name(&image->pe, &image->source, pdb, sizeof pdb, &at, err);
	if (found > 0)
		return rs_fail(err, ROSSYM_ENOSYMS, at, "its symbols are in %s", pdb);
	return found < 0 ? -1 : rs_fail(err, ROSSYM_ENOSYMS, 0, "no .rossym section");
}

static int open_pe(struct rossym_image *image, struct rossym_error *err)
{
	if (rs_pe_read(&image->pe, &image->source, err) < 0)
		return -1;
	const struct rs_section *section = find_table(&image->pe);
	if (!section)
		return fail_without_table(image, err);
	image->section_end = (uint64_t)section->raw_offset + section->raw_size;
	image->content_end = (uint64_t)section->raw_offset + section->size;
	return rs_table_open(&image->table, &image->source, section->raw_offset, section->raw_size, image->pe.wide, err);
}

static int open_content(struct rossym_image *image, struct rossym_error *err)
{
	uint8_t buffer[4];
	if (image->source.size < sizeof buffer)
		return open_pe(image, err);
	const uint8_t *first = rs_source_view(&image->source, 0, sizeof buffer, buffer, err);
	if (!first)
		return -1;
	return rs_le32(first) == RS_HEADER_SIZE ? open_bare(image, err) : open_pe(image, err);
}

static int open_headers(struct rossym_image *image, struct rossym_error *err)
{
	image->table.row_size = RS_ROW_SIZE;	/* of none */
	return rs_pe_read(&image->pe, &image->source, err);
}

typedef int open_function(struct rossym_image *image, struct rossym_error *err);

static int open_source(const struct rs_source *source, open_function *open, struct rossym_image **ret,
		       struct rossym_error *err)
{
	struct rossym_image *image = rs_alloc(1, sizeof *image);
	if (!image)
		return rs_fail_memory(err);
	image->source = *source;
	if (open(image, err) < 0) {
		image->source.fd = -1;	/* stays the caller's */
		rossym_close(image);
		return -1;
	}
	*ret = image;
	return 0;
}

static int open_path(const char *path, open_function *open, struct rossym_image **ret, struct rossym_error *err)
{
	struct rs_source source = RS_SOURCE_INIT;
	if (rs_check_name(path, err) < 0 || rs_source_open(&source, path, err) < 0)
		return -1;
	if (open_source(&source, open, ret, err) < 0) {
		rs_source_clear(&source);
		return -1;
	}
	return 0;
}

int rossym_open(const char *path, struct rossym_image **ret, struct rossym_error *err)
{
	return open_path(path, open_content, ret, err);
}

int rossym_open_headers(const char *path, struct rossym_image **ret, struct rossym_error *err)
{
	return open_path(path, open_headers, ret, err);
}

int rossym_open_memory(const void *data, size_t size, struct rossym_image **ret, struct rossym_error *err)
{
	struct rs_source source = RS_SOURCE_INIT;
	source.memory = data;
	source.size = size;
	return open_source(&source, open_content, ret, err);
}

static void free_index(struct rs_index *index)
{
	if (index)
		rs_index_clear(index);
	rs_free(index);
}

void rossym_close(struct rossym_image *image)
{
	if (!image)
		return;
	rs_names_free(atomic_load_explicit(&image->names, memory_order_relaxed));
	rs_names_free(atomic_load_explicit(&image->block_names, memory_order_relaxed));
	rs_block_free(atomic_load_explicit(&image->block, memory_order_relaxed));
	rs_longs_clear(&image->longs);
	free_index(atomic_load_explicit(&image->index, memory_order_relaxed));
	rs_table_clear(&image->table);
	rs_pe_clear(&image->pe);
	rs_source_clear(&image->source);
	rs_free(image);
}

void rossym_get_info(const struct rossym_image *image, struct rossym_info *info)
{
	*info = (struct rossym_info){
		.kind = image->bare ? ROSSYM_BARE : image->pe.wide ? ROSSYM_PE32PLUS : ROSSYM_PE32,
		.machine = image->pe.machine,
		.time_date_stamp = image->pe.time_date_stamp,
		.image_base = image->pe.image_base,
		.size_of_image = image->pe.size_of_image,
		.sections = image->pe.section_count,
		.rows = image->table.row_count,
		.row_size = image->table.row_size,
		.table_offset = image->table.offset,
		.strings_size = image->table.strings_length,
	};
}

/* Store SECTION, or nothing if SECTION is NULL.  Returns as rossym_get_section(). */
static int store_section(struct rossym_image *image, const struct rs_section *section, struct rossym_section *ret_section,
			 struct rossym_error *err)
{
	if (!section)
		return 0;
	const char *name = rs_pe_section_name(&image->pe, section, &image->source, err);
	if (!name)
		return -1;
	*ret_section = (struct rossym_section){
		.name = name,
		.rva = section->rva,
		.size = section->size,
		.virtual_size = section->virtual_size,
		.raw_size = section->raw_size,
		.raw_offset = section->raw_offset,
		.characteristics = section->characteristics,
	};
	return 1;
}

int rossym_get_section(struct rossym_image *image, uint32_t index, struct rossym_section *ret_section,
		       struct rossym_error *err)
{
	const struct rs_section *section = index < image->pe.section_count ? &image->pe.sections[index] : NULL;
	return store_section(image, section, ret_section, err);
}

int rossym_section_at(struct rossym_image *image, uint64_t rva, struct rossym_section *ret_section,
		      struct rossym_error *err)
{
	return store_section(image, rs_pe_section_at(&image->pe, rva), ret_section, err);
}

int rossym_read_section(struct rossym_image *image, uint32_t index, uint32_t offset, size_t length, void *buffer,
			struct rossym_error *err)
{
	if (index >= image->pe.section_count)
		return 0;
	const struct rs_section *section = &image->pe.sections[index];
	uint64_t at = (uint64_t)section->raw_offset + offset;
	if (!rs_in_range(offset, length, section->raw_size) || !rs_in_range(at, length, image->source.size))
		return 0;
	const uint8_t *bytes = rs_source_view(&image->source, at, length, buffer, err);
	if (!bytes)
		return -1;
	if (bytes != buffer)
		memcpy(buffer, bytes, length);
	return 1;
}

int rossym_section_is_code(const struct rossym_section *section)
{
	return rs_section_is_code(section->characteristics);
}

/* Whether anything may be said about RVA; then *RET is the section it lies in, or NULL in a bare table. */
static bool can_answer(const struct rossym_image *image, uint64_t rva, unsigned flags, const struct rs_section **ret)
{
	*ret = NULL;
	if (rva > UINT32_MAX)
		return false;
	if (image->bare)
		return true;
	const struct rs_section *section = rs_pe_section_at(&image->pe, rva);
	if (!section || (!(flags & ROSSYM_LOOKUP_DATA) && !rs_section_is_code(section->characteristics)))
		return false;
	*ret = section;
	return true;
}

/* Whether rows at AT speak for an address in SECTION: a row of another section says nothing about this one. */
static bool is_of_section(const struct rossym_image *image, uint64_t at, const struct rs_section *section)
{
	return !section || (at >= section->rva && (image->pe.ordered || rs_pe_section_at(&image->pe, at) == section));
}

/* ------------------------------------------------------------------------------------------- whole strings */

/* The block, read when it is first wanted; it may be absent or damaged.  NULL on an error that decides nothing. */
static const struct rs_block *get_block(struct rossym_image *image, struct rossym_error *err)
{
	struct rs_block *block = atomic_load_explicit(&image->block, memory_order_acquire), *published = NULL;
	if (block)
		return block;
	block = rs_block_read(&image->table, &image->source, image->section_end, err);
	/* Another thread may have published the block first. */
	if (block && !atomic_compare_exchange_strong_explicit(&image->block, &published, block, memory_order_acq_rel,
							      memory_order_acquire)) {
		rs_block_free(block);
		block = published;
	}
	return block;
}

static uint32_t length_of(const char *string)
{
	return (uint32_t)strnlen(string, ROSSYM_LENGTH_MAX);
}

static void set_function(struct rossym_frame *frame, const char *function)
{
	frame->function = *function ? function : NULL;
	frame->function_length = length_of(function);
}

static void set_file(struct rossym_frame *frame, const char *file)
{
	frame->file = *file ? file : NULL;
	frame->file_length = length_of(file);
}

/* FUNCTION and FILE are the strings of FRAME, as offsets in the table.  Replace those that were cut by the whole ones. */
static void make_whole(struct rossym_frame *frame, const struct rs_block *block, uint32_t function, uint32_t file)
{
	const char *whole_function = frame->function ? rs_block_whole(block, function) : NULL;
	const char *whole_file = frame->file ? rs_block_whole(block, file) : NULL;
	if (whole_function)
		set_function(frame, whole_function);
	if (whole_file)
		set_file(frame, whole_file);
}

static void note_short(struct rossym_image *image, const struct rossym_error *why)
{
	int never = NEVER;
	if (!atomic_compare_exchange_strong_explicit(&image->shortened, &never, WRITING, memory_order_relaxed,
						     memory_order_relaxed))
		return;
	image->why_short = *why;
	atomic_store_explicit(&image->shortened, WRITTEN, memory_order_release);
}

/* The same, but read the block only if one of the strings may have been cut.  If the block cannot be used, the strings stay. */
static void make_whole_if_cut(struct rossym_image *image, struct rossym_frame *frame, uint32_t function, uint32_t file)
{
	struct rossym_error err;
	if (!rs_longs_may_have(&image->longs, function) && !rs_longs_may_have(&image->longs, file))
		return;
	const struct rs_block *block = get_block(image, &err);
	if (!block)
		note_short(image, &err);
	else if (block->state == RS_BLOCK_DAMAGED)
		note_short(image, &block->why);
	else
		make_whole(frame, block, function, file);
}

int rossym_whole_strings(struct rossym_image *image, struct rossym_error *err)
{
	if (image->whole)
		return 0;
	struct rs_longs longs;
	if (rs_longs_read(&longs, &image->table, &image->source, image->content_end, err) < 0)
		return -1;
	rs_longs_clear(&image->longs);	/* an empty list, if this is not the first call */
	image->longs = longs;
	image->whole = rs_longs_any(&longs);
	struct rs_index *index = atomic_load_explicit(&image->index, memory_order_relaxed);
	if (image->whole && index)
		rs_index_mark(index, &longs);
	return 0;
}

int rossym_stayed_short(const struct rossym_image *image, struct rossym_error *why)
{
	if (atomic_load_explicit(&image->shortened, memory_order_acquire) != WRITTEN)
		return 0;
	if (why)
		*why = image->why_short;
	return 1;
}

/* ------------------------------------------------------------------------------------------------- look-ups */

/* Fill FRAME from any answer: its strings may be unknown, too long for the length in SAID, or cut. */
static void any_to_frame(struct rossym_image *image, const struct rs_index *index, const struct rs_said *said, uint32_t at,
			 struct rossym_frame *frame)
{
	frame->line = said->line;
	frame->function = said->function ? index->strings + said->function : NULL;
	frame->file = said->file ? index->strings + said->file : NULL;
	frame->row_rva = said->function | said->file | said->line ? at : 0;
	frame->function_length = rs_index_length(index, said->function, said->function_length);
	frame->file_length = rs_index_length(index, said->file, said->file_length);
	if (image->whole)
		make_whole_if_cut(image, frame, said->function, said->file);
}

static inline void plain_to_frame(const char *strings, const struct rs_said *said, uint32_t at, struct rossym_frame *frame)
{
	frame->function = strings + said->function;
	frame->file = strings + said->file;
	rs_prefetch(frame->function);
	rs_prefetch(frame->file);
	frame->line = said->line;
	frame->row_rva = at;
	frame->function_length = said->function_length;
	frame->file_length = said->file_length;
}

/* Take away the answers for addresses that are none, and those of other sections, of which the index does not know if
   sections overlap. */
static void drop_others(const struct rossym_image *image, const uint64_t *rvas, size_t count, unsigned flags,
			struct rossym_frame *frames)
{
	const bool overlapping = !image->bare && !image->pe.ordered;
	for (size_t i = 0; i < count; i++) {
		const struct rs_section *section;
		if (rvas[i] > UINT32_MAX ||
		    (overlapping && !(can_answer(image, rvas[i], flags, &section) &&
				      is_of_section(image, frames[i].row_rva, section))))
			frames[i] = (struct rossym_frame){ .function = NULL };
	}
}

/* The answers for up to RS_INDEX_BATCH addresses. */
static void lookup_in_index(struct rossym_image *image, const struct rs_index *index, const uint64_t *rvas, size_t count,
			    unsigned flags, struct rossym_frame *frames)
{
	const char *strings = index->strings;
	uint32_t ranks[RS_INDEX_BATCH], rows[RS_INDEX_BATCH];
	uint64_t all = 0;
	rs_index_find(index, rvas, count, ranks, rows);
	for (size_t i = 0; i < count; i++) {
		const struct rs_said *said = &index->said[ranks[i]];
		all |= rvas[i];
		if (said->plain)
			plain_to_frame(strings, said, rows[i], &frames[i]);
		else if (!said->data || (flags & ROSSYM_LOOKUP_DATA))
			any_to_frame(image, index, said, rows[i], &frames[i]);
		else
			frames[i] = (struct rossym_frame){ .function = NULL };
	}
	if (all > UINT32_MAX || !(image->bare || image->pe.ordered))
		drop_others(image, rvas, count, flags, frames);
}

/* The index, built when it is first wanted. */
static const struct rs_index *get_index(struct rossym_image *image, struct rossym_error *err)
{
	const struct rs_pe *pe = !image->bare && image->pe.ordered ? &image->pe : NULL;
	struct rs_index *index = atomic_load_explicit(&image->index, memory_order_acquire), *published = NULL;
	if (index)
		return index;
	index = rs_alloc(1, sizeof *index);
	if (!index) {
		rs_fail_memory(err);
		return NULL;
	}
	if (rs_index_build(index, &image->table, &image->source, pe, err) < 0) {
		rs_free(index);
		return NULL;
	}
	if (image->whole)
		rs_index_mark(index, &image->longs);
	/* Another thread may have published the index first. */
	if (!atomic_compare_exchange_strong_explicit(&image->index, &published, index, memory_order_acq_rel,
						     memory_order_acquire)) {
		free_index(index);
		index = published;
	}
	return index;
}

/* As rossym_lookup(), of an image that has an index. */
static int lookup_one(struct rossym_image *image, const struct rs_index *index, uint64_t rva, unsigned flags,
		      struct rossym_frame *frame)
{
	struct rossym_frame answer;
	lookup_in_index(image, index, &rva, 1, flags, &answer);
	if (!answer.function && !answer.file && !answer.line)
		return 0;
	*frame = answer;
	return 1;
}

/* The same of any. */
static int lookup_in_any(struct rossym_image *image, uint64_t rva, unsigned flags, struct rossym_frame *frame,
			  struct rossym_error *err)
{
	const struct rs_index *index = atomic_load_explicit(&image->index, memory_order_acquire);
	const struct rs_section *section;
	if (index)
		return lookup_one(image, index, rva, flags, frame);
	if (!can_answer(image, rva, flags, &section))
		return 0;
	struct rs_payload payload;
	uint64_t at;
	int found = rs_lookup(&image->table, &image->source, rva, &payload, &at, err);
	if (found == RS_LOOKUP_FAR)
		return (index = get_index(image, err)) ? lookup_one(image, index, rva, flags, frame) : -1;
	if (found <= 0)
		return found;
	if (!is_of_section(image, at, section) || (!payload.function && !payload.file && !payload.line))
		return 0;

	struct rs_view view = rs_fetched_view(&image->table, &image->source);
	const char *function = rs_view_string(&view, payload.function), *file = rs_view_string(&view, payload.file);
	frame->function = payload.function ? function : NULL;
	frame->file = payload.file ? file : NULL;
	frame->line = payload.line;
	frame->row_rva = (uint32_t)at;
	frame->function_length = payload.function ? length_of(function) : 0;
	frame->file_length = payload.file ? length_of(file) : 0;
	if (image->whole)
		make_whole_if_cut(image, frame, payload.function, payload.file);
	return 1;
}

int rossym_lookup(struct rossym_image *image, uint64_t rva, unsigned flags, struct rossym_frame *frame,
		  struct rossym_error *err)
{
	if (flags & ~ROSSYM_LOOKUP_DATA)
		return rs_fail_flags(err, flags & ~ROSSYM_LOOKUP_DATA);
	return lookup_in_any(image, rva, flags, frame, err);
}

int rossym_lookup_many(struct rossym_image *image, const uint64_t *rvas, size_t count, unsigned flags,
		       struct rossym_frame *frames, struct rossym_error *err)
{
	if (flags & ~ROSSYM_LOOKUP_DATA)
		return rs_fail_flags(err, flags & ~ROSSYM_LOOKUP_DATA);
	if (image->prepared) {
		const struct rs_index *index = atomic_load_explicit(&image->index, memory_order_relaxed);
		for (size_t done = 0, step; done < count; done += step) {
			step = count - done < RS_INDEX_BATCH ? count - done : RS_INDEX_BATCH;
			lookup_in_index(image, index, rvas + done, step, flags, frames + done);
		}
		return 0;
	}
	for (size_t i = 0; i < count; i++) {
		int found = lookup_in_any(image, rvas[i], flags, &frames[i], err);
		if (found < 0)
			return -1;
		if (found == 0)
			frames[i] = (struct rossym_frame){ .function = NULL };
	}
	return 0;
}

int rossym_prepare(struct rossym_image *image, struct rossym_error *err)
{
	image->prepared = get_index(image, err);
	return image->prepared ? 0 : -1;
}

int rossym_is_prepared(const struct rossym_image *image)
{
	return image->prepared;
}

int rossym_read_rows(struct rossym_image *image, uint32_t first, size_t count, struct rossym_row *rows,
		     struct rossym_error *err)
{
	if (first >= image->table.row_count)
		return 0;
	if (count > image->table.row_count - first)
		count = image->table.row_count - first;
	if (count > RS_ROWS_MAX)
		count = RS_ROWS_MAX;
	const char *strings = rs_table_strings(&image->table, &image->source, err);
	if (!strings)
		return -1;
	struct rs_row raw[RS_ROWS_MAX];
	if (rs_table_read(&image->table, &image->source, first, (uint32_t)count, raw, err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		const char *function = rs_table_string(&image->table, strings, raw[i].function);
		const char *file = rs_table_string(&image->table, strings, raw[i].file);
		rows[i] = (struct rossym_row){
			.rva = raw[i].address,
			.function = function ? function : "",
			.file = file ? file : "",
			.line = raw[i].line,
			.damage = (function ? 0 : ROSSYM_ROW_BAD_FUNCTION) | (file ? 0 : ROSSYM_ROW_BAD_FILE),
		};
	}
	return (int)count;
}

/* ------------------------------------------------------------------------------------------------- the block */

int rossym_read_block(struct rossym_image *image, struct rossym_block *ret, struct rossym_error *err)
{
	const struct rs_block *block = get_block(image, err);
	if (!block)
		return -1;
	if (block->state == RS_BLOCK_ABSENT)
		return 0;
	if (block->state == RS_BLOCK_DAMAGED) {
		if (err)
			*err = block->why;
		return -1;
	}
	if (ret)
		*ret = (struct rossym_block){
			.offset = block->offset,
			.size = block->size,
			.frames = block->frames.count,
			.runs = block->runs.count,
			.functions = block->functions.count,
			.long_strings = block->longs.count,
			.strings_size = block->strings_size,
			.entry_outer = block->inner,
		};
	return 1;
}

/* The states of struct rossym_frames: what comes next. */
enum { FRAMES_ENTRY, FRAMES_CHAIN, FRAMES_NONE };

static void begin_frames(struct rossym_frames *frames, const struct rs_block *block, uint32_t first)
{
	frames->next = first;
	frames->state = first != RS_BLOCK_NONE && block->inner ? FRAMES_CHAIN : FRAMES_ENTRY;
}

/* The offset of a string that the table has; of others a number that is no offset. */
static uint32_t offset_of(const struct rossym_image *image, const char *string)
{
	return string ? rs_table_offset_of(&image->table, &image->source, string) : UINT32_MAX;
}

int rossym_frames_begin(struct rossym_image *image, const struct rossym_frame *frame, struct rossym_frames *frames,
			struct rossym_error *err)
{
	const struct rs_block *block = get_block(image, err);
	if (!block)
		return -1;
	struct rossym_frame entry = *frame;
	uint32_t first = RS_BLOCK_NONE;
	if (block->state == RS_BLOCK_SOUND) {
		first = rs_block_chain_at(block, entry.row_rva);
		if (block->longs.count > 0)
			make_whole(&entry, block, offset_of(image, entry.function), offset_of(image, entry.file));
	}
	frames->image = image;
	frames->entry = entry;
	begin_frames(frames, block, first);
	return 0;
}

int rossym_frames_begin_row(struct rossym_image *image, uint32_t number, struct rossym_frames *frames,
			    struct rossym_error *err)
{
	const struct rs_block *block = get_block(image, err);
	const char *strings = block ? rs_table_padded(&image->table, &image->source, err) : NULL;
	struct rs_row row;
	if (!strings || rs_table_read(&image->table, &image->source, number, 1, &row, err) < 0)
		return -1;
	const char *function = rs_table_string(&image->table, strings, row.function);
	const char *file = rs_table_string(&image->table, strings, row.file);
	if (!function || !file)
		return rs_fail(err, ROSSYM_EDAMAGED, image->table.offset, "row %" PRIu32 " has strings outside the table",
			       number);
	struct rossym_frame entry = { .line = row.line, .row_rva = (uint32_t)row.address };
	set_function(&entry, function);
	set_file(&entry, file);
	if (block->state == RS_BLOCK_SOUND)
		make_whole(&entry, block, row.function, row.file);
	frames->image = image;
	frames->entry = entry;
	begin_frames(frames, block, block->state == RS_BLOCK_SOUND ? rs_block_chain_of(block, number) : RS_BLOCK_NONE);
	return 0;
}

int rossym_frames_next(struct rossym_frames *frames, struct rossym_frame *ret)
{
	if (frames->state == FRAMES_NONE)
		return 0;
	const struct rs_block *block = atomic_load_explicit(&frames->image->block, memory_order_acquire);
	struct rossym_frame result = frames->entry;
	if (frames->state == FRAMES_CHAIN) {
		struct rs_block_frame frame = rs_block_frame(block, frames->next);
		set_function(&result, frame.function);
		set_file(&result, frame.file);
		result.line = frame.line;
		frames->next = frame.next;
	}
	/* The entry stands at the other end of the chain if the frames are inside it. */
	if (frames->next != RS_BLOCK_NONE)
		frames->state = FRAMES_CHAIN;
	else
		frames->state = frames->state == FRAMES_CHAIN && block->inner ? FRAMES_ENTRY : FRAMES_NONE;
	*ret = result;
	return 1;
}

int rossym_get_function(struct rossym_image *image, uint32_t number, struct rossym_function *ret,
			struct rossym_error *err)
{
	const struct rs_block *block = get_block(image, err);
	if (!block)
		return -1;
	if (number >= block->functions.count)
		return 0;
	struct rs_block_func function = rs_block_func(block, number);
	*ret = (struct rossym_function){ .name = rs_block_string(block, function.name), .rva = function.rva, .places = 1,
					 .length = function.length };
	return 1;
}

int rossym_function_at(struct rossym_image *image, uint64_t rva, struct rossym_function *ret, struct rossym_error *err)
{
	const struct rs_block *block = get_block(image, err);
	if (!block)
		return -1;
	uint32_t at = rs_block_funcs_up_to(block, rva);
	struct rs_block_func best = { .length = 0 };
	struct rossym_function function = { .name = NULL };
	if (at > 0)
		function.rva = rs_block_func(block, at - 1).rva;
	for (; at > 0; at--, function.places++) {
		struct rs_block_func this = rs_block_func(block, at - 1);
		if (this.rva != function.rva)
			break;
		if (rva - this.rva < this.length && (!function.name || this.length <= best.length)) {
			best = this;
			function.name = rs_block_string(block, this.name);
		}
	}
	if (!function.name)
		return 0;
	function.length = best.length;
	*ret = function;
	return 1;
}

/* -------------------------------------------------------------------------------------------------- names */

/* Names that were not there before are kept, unless another thread was faster. */
static struct rs_names *publish(_Atomic(struct rs_names *) *place, struct rs_names *names)
{
	struct rs_names *published = NULL;
	if (!names || atomic_compare_exchange_strong_explicit(place, &published, names, memory_order_acq_rel,
							      memory_order_acquire))
		return names;
	rs_names_free(names);
	return published;
}

/* As rs_names_find(), or -1. */
static int find_in_block(struct rossym_image *image, const char *name, struct rossym_function *function,
			 struct rossym_error *err)
{
	const struct rs_block *block = get_block(image, err);
	if (!block)
		return -1;
	if (block->functions.count == 0)
		return 0;
	struct rs_names *names = atomic_load_explicit(&image->block_names, memory_order_acquire);
	if (!names)
		names = publish(&image->block_names, rs_names_build_block(block, image->bare ? NULL : &image->pe, err));
	if (!names)
		return -1;
	return rs_names_find(names, name, !image->pe.wide, function);
}

int rossym_find_function(struct rossym_image *image, const char *name, struct rossym_function *function,
			 struct rossym_error *err)
{
	struct rossym_function other;
	if (rs_check_name(name, err) < 0)
		return -1;
	int found = find_in_block(image, name, function, err);
	if (found < 0 || found == RS_NAMES_EXACT)
		return found < 0 ? -1 : 1;
	struct rs_names *names = atomic_load_explicit(&image->names, memory_order_acquire);
	if (!names)
		names = publish(&image->names, rs_names_build(&image->table, &image->source,
							      image->bare ? NULL : &image->pe, err));
	if (!names)
		return -1;
	/* A name that only rows have, for it was inlined everywhere, may be the better one. */
	int found_in_rows = rs_names_find(names, name, !image->pe.wide, &other);
	if (found_in_rows > found)
		*function = other;
	return found_in_rows > 0 || found > 0;
}

int rossym_check(struct rossym_image *image, struct rossym_report *ret, struct rossym_error *err)
{
	struct rossym_report report;
	if (rs_check(&image->table, &image->source, image->bare ? NULL : &image->pe, &report, err) < 0 ||
	    rossym_read_block(image, &report.block, err) < 0)
		return -1;
	*ret = report;
	return 0;
}
