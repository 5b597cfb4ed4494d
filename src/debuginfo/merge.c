// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * merge.c - makes one list of rows from spans (ranges of code with one answer) and labels (names from an address on)
 *
 * A row is valid up to the next row.  So where a span ends and no other span begins, there is a terminator, a row that
 * ends the answer of the span.  A row with the same answer as the row before it is left out.  If a span ends with a
 * call, its terminator is one byte later, so that the call's return address has the answer of the call.  Rows and
 * functions are stored in the draft, the table before it is encoded.
 */
#include "config.h"
#include "debuginfo/steps.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"
#include "lib/base/sort.h"
#include "core/bytes.h"
#include "core/layout.h"
#include "unwind/calls.h"

#include "compat/pages.h"

#include <string.h>

struct merging {
	struct reading *reading;
	uint32_t terminator; /* string number of the function name that marks a row as a terminator */
	uint32_t at;	     /* rows are complete below this RVA */
	uint32_t label;	     /* labels before this index are below AT */
};

static bool have_same_answer(const struct rs_new_row *a, const struct rs_new_row *b)
{
	return a->function == b->function && a->file == b->file && a->line == b->line && a->frame == b->frame;
}

static struct rs_rows *merged_rows(const struct merging *merging)
{
	return &merging->reading->di->draft->rows;
}

/* Add ROW, unless it has the answer of the last row.  Call this in ascending order of RVAs. */
static int add_merged_row(struct merging *merging, struct rs_new_row row)
{
	struct rs_rows *rows = merged_rows(merging);
	if (rows->count > 0 && rows->items[rows->count - 1].rva == row.rva)
		rows->count--; /* ROW replaces a terminator at the end of a span */
	if (rows->count > 0 && have_same_answer(&rows->items[rows->count - 1], &row)) {
		merging->reading->di->counts.merged++;
		return 0;
	}
	return rs_rows_add(rows, row, merging->reading->err);
}

/* Add a terminator at RVA: from there up to the next row, nothing is known. */
static int add_terminator(struct merging *merging, uint32_t rva)
{
	return add_merged_row(merging, (struct rs_new_row){ rva, merging->terminator, 0, 0, 0 });
}

/* Returns INDEX, or the index of a later label: between the two, no label's row answers for a wanted address or ends a
   row that does. */
static uint32_t skip_unwanted_labels(const struct reading *reading, uint32_t index)
{
	if (!reading->wanted || index == reading->label_count)
		return index;
	const uint32_t next = rs_array_first(reading->wanted, reading->wanted_count, sizeof *reading->wanted,
					     offsetof(struct wanted_code, end), reading->labels[index].rva);
	if (next == reading->wanted_count)
		return reading->label_count;
	const uint32_t above = rs_reading_label_index_from(reading, (uint64_t)reading->wanted[next].begin + 1);
	return above > index + 1 ? above - 1 : index;
}

/* Add rows for the labels from merging->at up to UNTIL, a range without spans.  A label names the code up to the next
   label, the end of its section, or UNTIL.  Also adds a function for each label whose symbol is of a function. */
static int add_rows_of_labels_until(struct merging *merging, uint32_t until)
{
	struct reading *reading = merging->reading;
	if (merging->label < reading->label_count && reading->labels[merging->label].rva < merging->at)
		merging->label = skip_unwanted_labels(reading, merging->label);
	while (merging->label < reading->label_count && reading->labels[merging->label].rva < merging->at)
		merging->label++;
	for (uint32_t i = merging->label; i < reading->label_count; i = skip_unwanted_labels(reading, i + 1)) {
		const struct label *label = &reading->labels[i];
		if (label->rva >= until)
			break;
		if (label->name == 0) {
			if (merged_rows(merging)->count > 0 && add_terminator(merging, label->rva) < 0)
				return -1;
			continue;
		}
		uint32_t end = rs_reading_find_code_end(reading, label->rva);
		bool followed = end > until;
		if (followed)
			end = until;
		if (i + 1 < reading->label_count && reading->labels[i + 1].rva < end) {
			end = reading->labels[i + 1].rva;
			followed = true;
		}
		struct rs_new_row row = { label->rva, label->name, 0, 0, 0 };
		if (add_merged_row(merging, row) < 0 || (!followed && add_terminator(merging, end) < 0) ||
		    (label->function && rs_reading_add_function(reading, label->rva, end, label->name) < 0))
			return -1;
	}
	return 0;
}

/* Add ROW, for code at or above LABEL, with the name of LABEL as its function.  If LABEL has no name, because its name
   is not wanted, add a terminator in place of ROW. */
static int add_row_named_by(struct merging *merging, const struct label *label, struct rs_new_row row)
{
	row.function = label->name;
	return label->name ? add_merged_row(merging, row) : add_terminator(merging, row.rva);
}

/* Add rows for SPAN, which has a line but no function; labels at or above the RVA span->labels name its parts.  ROW is
   the first row of SPAN.  Code before the first such label has no function. */
static int add_rows_of_labelled_span(struct merging *merging, const struct span *span, struct rs_new_row row)
{
	const struct reading *reading = merging->reading;
	const struct label *labels = reading->labels;
	uint32_t next = rs_reading_label_index_from(reading, (uint64_t)row.rva + 1);
	const uint32_t named = next ? labels[next - 1].named : 0;
	const bool is_named = named && labels[named - 1].rva >= span->labels;
	if ((is_named ? add_row_named_by(merging, &labels[named - 1], row) : add_merged_row(merging, row)) < 0)
		return -1;
	for (; next < reading->label_count && labels[next].rva < span->end; next++) {
		row.rva = labels[next].rva;
		if (labels[next].named == next + 1 && add_row_named_by(merging, &labels[next], row) < 0)
			return -1;
	}
	return 0;
}

/* Add rows for the labels below SPAN, then for SPAN, and a terminator unless the next span begins at its end.  NEXT is
   the RVA at which the next span begins. */
static int add_rows_of_span(struct merging *merging, const struct span *span, uint32_t next)
{
	const bool has_function = span->function != SPAN_NO_FUNCTION;
	struct rs_new_row row = { span->begin, has_function ? span->function : 0, span->file, span->line,
				  has_function ? span->outer : 0 };
	if (add_rows_of_labels_until(merging, span->begin) < 0)
		return -1;
	if (!has_function && span->labels != SPAN_NO_LABELS ? add_rows_of_labelled_span(merging, span, row) < 0
							    : add_merged_row(merging, row) < 0)
		return -1;
	merging->at = span->end;
	return next == span->end ? 0 : add_terminator(merging, span->end);
}

/* Whether the spans ascend and no span overlaps the next one, as in most images. */
static bool spans_are_disjoint(const struct span *spans, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++)
		if (spans[i].begin < spans[i - 1].end)
			return false;
	return true;
}

/* Add rows for all spans.  Frees the memory pages of the spans, so do not use the spans afterwards. */
static int add_rows_of_all_spans(struct merging *merging)
{
	struct reading *reading = merging->reading;
	struct span *disjoint = NULL;
	uint32_t count = reading->span_count;
	if (!spans_are_disjoint(reading->spans, count))
		rs_stable_sort(reading->spans, count, sizeof *reading->spans, rs_compare_two_numbers);
	if (!spans_are_disjoint(reading->spans, count)) {
		if (rs_reading_flatten_spans(reading, reading->spans, count, &disjoint, &count) < 0)
			return -1;
		rs_free(reading->spans);
		reading->spans = disjoint;
	}
	for (uint32_t i = 0; i < count; i++) {
		if (add_rows_of_span(merging, &reading->spans[i],
				     i + 1 < count ? reading->spans[i + 1].begin : UINT32_MAX) < 0)
			return -1;
		rs_release_read_items(reading->spans, i, sizeof *reading->spans);
	}
	return 0;
}

/* Move each terminator that follows a call to the next byte, so that the return address of a call that never returns
   has the answer of the call.  If there is a row at that byte, drops the terminator. */
static void move_terminators(const struct merging *merging)
{
	struct rs_rows *all = merged_rows(merging);
	struct rs_new_row *rows = all->items;
	uint32_t kept = 0;
	for (uint32_t i = 0; i < all->count; i++) {
		struct rs_new_row row = rows[i];
		if (kept > 0 && row.function == merging->terminator &&
		    rs_code_ends_with_call(merging->reading, rows[kept - 1].rva, row.rva))
			row.rva++;
		bool followed = i + 1 < all->count && rows[i + 1].rva == row.rva;
		if (!followed && (kept == 0 || !have_same_answer(&rows[kept - 1], &row)))
			rows[kept++] = row;
	}
	all->count = kept;
}

/* Keep only the rows that answer for wanted addresses.  If the row after a kept row is not kept, replace it by a
   terminator.  If no row is kept, make one terminator, because an empty table would mean an image without symbols. */
static void keep_wanted_rows(const struct merging *merging)
{
	const struct debuginfo_options *options = merging->reading->options;
	struct rs_rows *all = merged_rows(merging);
	struct rs_new_row *rows = all->items, end = { .function = merging->terminator };
	uint32_t kept = 0, next = 0;
	bool open = false; /* the row before was kept, so its answer must be ended */
	for (uint32_t i = 0; i < all->count; i++) {
		uint64_t until = i + 1 < all->count ? rows[i + 1].rva : (uint64_t)UINT32_MAX + 1;
		while (next < options->wanted_count && options->wanted[next] < rows[i].rva)
			next++;
		bool wanted = next < options->wanted_count && options->wanted[next] < until;
		end.rva = rows[i].rva;
		if (wanted || open)
			rows[kept++] = wanted ? rows[i] : end;
		open = wanted;
	}
	if (kept == 0)
		rows[kept++] = end;
	all->count = kept;
}

/* Whether a full table, of all code, would have rows.  Supposes that units which were not read have some. */
static bool may_have_rows(const struct reading *reading)
{
	const struct debuginfo_counts *counts = &reading->di->counts;
	const bool all = !reading->options->wanted;
	bool may = reading->span_count > 0 ||
		   (!all && (counts->dwarf_units > 0 || counts->stabs_units > 0 ||
			     reading->keep->stabs_part_count > 0 || counts->pdb_contributions > 0));
	for (uint32_t i = 0; i < reading->label_count && !may; i++)
		may = all || reading->labels[i].rank < UINT32_MAX; /* some symbol names code */
	return may;
}

/* ------------------------------------------------------------------------------------------------ functions */

/* The code that has a certain name.  An array has an item for each string number, also of strings that name no code. */
struct named_code {
	uint32_t rva;
	bool known, function; /* KNOWN: a function or other code has the name; FUNCTION: a function has it */
	bool several;	      /* the name is at more than one RVA; RVA is one of them */
};

/* If FUNCTION is only another name of code (its length is 0), and this name begins with RS_OWN_SECTION, as ".text$f"
   does, store in *RET the string number of the rest, f; else store 0.  Returns 0; or -1 after storing an error. */
static int parse_section_name(struct reading *reading, const struct rs_new_function *function, uint32_t *ret)
{
	const size_t prefix = strlen(RS_OWN_SECTION);
	const char *name = rs_string(reading->di->draft->strings, function->name);
	*ret = 0;
	if (function->length > 0 || strncmp(name, RS_OWN_SECTION, prefix) != 0)
		return 0;
	return rs_strings_add_text(reading->di->draft->strings, name + prefix, ret, reading->err);
}

/* Returns 1 if look-ups by name find the code also without FUNCTION, which is only another name of it; 0 if not; or -1
   after storing an error.  NAMED has an item for each of the first COUNT string numbers. */
static int is_redundant_name(struct reading *reading, const struct rs_new_function *function,
			     const struct named_code *named, uint32_t count)
{
	const struct named_code *item = &named[function->name];
	uint32_t other;
	if (item->several)
		return 0;
	if (item->function)
		return 1;
	if (parse_section_name(reading, function, &other) < 0)
		return -1;
	return other > 0 && other < count && named[other].known && !named[other].several &&
	       named[other].rva == function->rva;
}

/* Sort the functions of the draft, and drop other names of code for which is_redundant_name() returns 1. */
static int drop_redundant_names(struct reading *reading)
{
	struct rs_draft *draft = reading->di->draft;
	struct rs_new_function *functions = draft->functions;
	const uint32_t count = draft->strings->count;
	uint32_t kept = 0;
	int needless = 0;
	if (draft->function_count == 0)
		return 0;
	rs_draft_sort_functions(draft);
	struct named_code *named = rs_alloc(count, sizeof *named);
	if (!named)
		return rs_fail_memory(reading->err);
	for (uint32_t i = 0; i < draft->function_count; i++) {
		struct named_code *item = &named[functions[i].name];
		item->several |= item->known && item->rva != functions[i].rva;
		item->known = true;
		item->rva = functions[i].rva;
		item->function |= functions[i].length > 0;
	}
	for (uint32_t i = 0; needless >= 0 && i < draft->function_count; i++) {
		needless = functions[i].length > 0 ? 0 : is_redundant_name(reading, &functions[i], named, count);
		if (needless == 0)
			functions[kept++] = functions[i];
	}
	draft->function_count = kept;
	rs_free(named);
	return needless < 0 ? -1 : 0;
}

/* ------------------------------------------------------------------------------------------------ the rows */

int rs_merge_into_rows(struct reading *reading)
{
	struct merging merging = { .reading = reading };
	struct rs_rows *rows = merged_rows(&merging);
	if (!may_have_rows(reading))
		return 0;
	if (rs_strings_add_text(reading->di->draft->strings, RS_TERMINATOR_NAME, &merging.terminator, reading->err) < 0)
		return -1;
	uint64_t expected = 1 + (reading->wanted ? 0 : (uint64_t)reading->span_count + reading->label_count);
	if (rs_array_reserve(&rows->items, &rows->room, 0, expected, sizeof *rows->items) < 0)
		return rs_fail_memory(reading->err);
	if (add_rows_of_all_spans(&merging) < 0 || add_rows_of_labels_until(&merging, UINT32_MAX) < 0)
		return -1;
	if (reading->options->places) {
		*reading->options->details = rs_places_extract_details(reading->options->places, reading->di->draft,
								       merging.terminator, reading->err);
		if (!*reading->options->details)
			return -1;
	}
	move_terminators(&merging);
	if (reading->options->wanted)
		keep_wanted_rows(&merging);
	return drop_redundant_names(reading);
}

/* ------------------------------------------------------------------------------------------------ calls */

/* The address after a call is its return address.  If the called function never returns, the call can be the last
   instruction of a function.  Then the return address in a backtrace is in the next function, and a look-up would name
   the wrong function.  The functions below find such calls. */

/* Copy SIZE bytes at ADDRESS of the image, as if loaded at its image base, to BYTES.  False if they are not there. */
static int read_call_bytes(void *context, uint64_t address, void *bytes, size_t size)
{
	const struct reading *reading = context;
	const struct rs_source *source = reading->source;
	const uint64_t rva = address - reading->pe->image_base;
	const struct code *code = rs_reading_find_code(reading, rva);
	const bool known = code && code->offset, header = !known && rva < reading->pe->headers;
	if (known && size > code->end - rva)
		return false;
	const uint64_t offset = known	 ? code->offset + (rva - code->begin)
				: header ? rva
					 : rs_pe_file_offset_of(reading->pe, source, rva, size);
	const uint8_t *found = header || offset > 0 ? rs_source_bytes(source, offset, size) : NULL;
	if (found)
		memcpy(bytes, found, size);
	return found != NULL;
}

static int find_image_range(void *context, uint64_t address, uint64_t *base, uint32_t *size)
{
	const struct reading *reading = context;
	*base = reading->pe->image_base;
	*size = reading->pe->size_of_image;
	return address - *base < *size;
}

static bool is_code_address(void *context, uint64_t address)
{
	const struct reading *reading = context;
	return rs_reading_find_code(reading, address - reading->pe->image_base) != NULL;
}

bool rs_code_ends_with_call(struct reading *reading, uint32_t begin, uint32_t end)
{
	const struct unwind_space space = { .read = read_call_bytes,
					    .module = find_image_range,
					    .context = reading,
					    .machine = reading->pe->machine,
					    .code = is_code_address };
	const struct code *code = rs_reading_find_code(reading, begin);
	uint64_t target;
	return code && code->offset && end > begin && end < code->end &&
	       rs_unwind_find_call(&space, reading->pe->image_base + end, end - begin, &target);
}
