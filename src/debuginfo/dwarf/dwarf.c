// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dwarf.c - reads all units, one after another, and makes spans (ranges of code with one answer) of the lines and
 * scopes (functions and inlined calls) of each
 *
 * If a unit cannot be used, only this unit is left out.  A hostile file can cause much work with few bytes: by units
 * that share a table, range lists that are read again and again, or entries with long names.  So work and memory are
 * limited in proportion to the size of the input.
 *
 * A unit's ranges are those in its first entry and those of the sequences in its line table.  The entry alone is not
 * enough: gcc -gdwarf-2 -gstrict-dwarf writes only the range in .text, although a driver also has code in its sections
 * INIT and PAGE.  Spans and functions of a unit outside its ranges are left out.  Code in the ranges of a first entry is
 * claimed by that unit: sequences of other units do not extend the ranges of these units to it.  (A unit without a line
 * table, or whose table belongs to an earlier unit, claims nothing, because its ranges are not checked.)  A first pass
 * over all units, the survey, finds the claimed code.
 *
 * If answers are wanted for a few addresses only, units without wanted code (reading.h) in their ranges are skipped.
 * So skipping a unit changes no answer, also in a damaged or hostile file.  At first, only the ranges in the first entry
 * count, because the survey has found them.  Most wanted code is claimed, so no other unit can answer for it.  If this
 * is not so for some wanted address, the line tables of all units are read in a second attempt.  A unit that claims
 * nothing may have code anywhere, and is always read.
 *
 * .debug_aranges, a list of the ranges of all units, is not used, because it could differ from the units.
 *
 * Other facts, too, are known only after the units with wanted code have been read: which other units have the names of
 * their functions, and where these functions begin (reading.h).  If a skipped unit then turns out to be needed, a new
 * attempt goes through all units again; what an earlier attempt has read comes from the cache.
 */
#include "config.h"
#include "debuginfo/dwarf/unit.h"
#include "lib/base/alloc.h"
#include "compat/last-part.h"
#include "lib/base/array.h"

#include "compat/pages.h"

#include <string.h>

/* The budget of work: WORK_PER_BYTE for each byte of debug information, plus WORK_FREE; more than compilers need. */
enum { WORK_PER_BYTE = 32, WORK_FREE = 1 << 20 };

/* The budget of spans, which also limits the rows and the ranges of a unit: a span for each BYTES_PER_SPAN bytes of
   input, plus SPANS_FREE.  Compilers write about 40 bytes for a span, or 8 if there are only line tables. */
enum { BYTES_PER_SPAN = 2, SPANS_FREE = 1 << 16 };

/* Add those parts of SPAN that are wanted and in the unit's ranges.  Call this with ascending spans of the unit. */
static enum outcome add_wanted_span(struct dw_unit *unit, const struct span *span)
{
	static const struct extent everywhere = { .end = UINT32_MAX };
	struct reading *reading = unit->reader->reading;
	const struct known_unit *known = &unit->known;
	const struct extent *ranges = known->range_count > 0 ? known->ranges : &everywhere;
	const uint32_t count = known->range_count > 0 ? known->range_count : 1;
	while (unit->range_at < count && ranges[unit->range_at].end <= span->begin)
		unit->range_at++;
	for (uint32_t i = unit->range_at; i < count && ranges[i].begin < span->end; i++) {
		struct span part = *span;
		part.begin = ranges[i].begin > span->begin ? ranges[i].begin : span->begin;
		part.end = ranges[i].end < span->end ? ranges[i].end : span->end;
		if (rs_reading_is_wanted(reading, part.begin, part.end) && rs_reading_add_span(reading, &part) < 0)
			return UNIT_FATAL;
	}
	return UNIT_OK;
}

/* Returns the index of the last item that ends at or below RVA, or FIRST if that is greater.  ITEMS are COUNT
   structures of SIZE bytes, ascending and disjoint, whose first members are "begin" and "end". */
static uint32_t index_before(const void *items, uint32_t first, uint32_t count, size_t size, uint32_t rva)
{
	const uint32_t at = rs_array_first(items, count, size, offsetof(struct extent, end), (uint64_t)rva + 1);
	return at > first ? at - 1 : first;
}

/* Find the first wanted code that ends after RVA, and store its end in *UNTIL; false if there is none.  If this code
   begins after RVA, advance *LINE and *SCOPE, indices of segments and extents of UNIT, to the last segment and extent
   that end before the wanted code, because a span in it can begin where one of the two ends. */
static bool skip_unwanted_code(const struct reading *reading, const struct known_unit *unit, uint32_t rva,
			       uint32_t *line, uint32_t *scope, uint32_t *until)
{
	const uint32_t i = rs_array_first(reading->wanted, reading->wanted_count, sizeof *reading->wanted,
					  offsetof(struct wanted_code, end), (uint64_t)rva + 1);
	if (i == reading->wanted_count)
		return false;
	const struct wanted_code *wanted = &reading->wanted[i];
	*until = wanted->end;
	if (wanted->begin > rva) {
		*line = index_before(unit->segments, *line, unit->segment_count, sizeof *unit->segments, wanted->begin);
		*scope = index_before(unit->extents, *scope, unit->extent_count, sizeof *unit->extents, wanted->begin);
	}
	return true;
}

/* Make the unit's spans from its segments and extents.  A span is a part of the code with one line and one scope: it
   ends at the next address where a line or a scope begins or ends.  Frees the memory pages of the segments and extents,
   unless they are cached. */
static enum outcome add_spans(struct dw_unit *unit)
{
	struct reading *reading = unit->reader->reading;
	const struct known_unit *known = &unit->known;
	const bool is_cached = reading->wanted;
	/* A unit has at least 4 bytes, so each has its own order.  All orders are below those of other readers. */
	const uint32_t order = SPAN_DWARF + unit->header.start / 4;
	uint32_t line = 0, scope = 0, at = 0, until = 0;
	if (!is_cached &&
	    rs_array_reserve(&reading->spans, &reading->span_room, reading->span_count,
			     (uint64_t)known->segment_count + known->extent_count, sizeof *reading->spans) < 0)
		return rs_fail_memory(reading->err);
	while (line < known->segment_count || scope < known->extent_count) {
		if (is_cached && at >= until && !skip_unwanted_code(reading, known, at, &line, &scope, &until))
			break;
		const struct line_segment *l = line < known->segment_count ? &known->segments[line] : NULL;
		const struct extent *s = scope < known->extent_count ? &known->extents[scope] : NULL;
		uint32_t l_begin = !l ? UINT32_MAX : l->begin > at ? l->begin : at;
		uint32_t s_begin = !s ? UINT32_MAX : s->begin > at ? s->begin : at;
		struct span span = { .function = SPAN_NO_FUNCTION, .order = order, .labels = SPAN_NO_LABELS };
		span.begin = l_begin < s_begin ? l_begin : s_begin;
		span.end = UINT32_MAX;
		if (l && l_begin == span.begin) {
			span.end = l->end;
			span.file = l->file;
			span.line = l->line;
			if (!known->has_functions || unit->is_partial)
				span.labels = l->sequence;
		} else if (l_begin < span.end) {
			span.end = l_begin;
		}
		if (s && s_begin == span.begin) {
			span.end = s->end < span.end ? s->end : span.end;
			span.function = unit->first_scope + s->what;
			span.outer = 0;
		} else if (s_begin < span.end) {
			span.end = s_begin;
		}
		if (add_wanted_span(unit, &span) < 0)
			return UNIT_FATAL;
		at = span.end;
		const uint32_t lines = l && l->end <= at, scopes = s && s->end <= at;
		if (lines && !is_cached)
			rs_release_read_items(known->segments, line, sizeof *known->segments);
		if (scopes && !is_cached)
			rs_release_read_items(known->extents, scope, sizeof *known->extents);
		line += lines;
		scope += scopes;
	}
	if (!is_cached)
		rs_release_pages(known->segments, known->segment_count * sizeof *known->segments);
	return UNIT_OK;
}

/* Returns the sum of the lengths of COUNT items of SIZE bytes, whose first two members are "begin" and "end". */
static uint64_t sum_lengths(const void *items, uint32_t count, size_t size)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t ends[2];
		memcpy(ends, (const char *)items + i * size, sizeof ends);
		sum += ends[1] - ends[0];
	}
	return sum;
}

/* Whether the line table at OFFSET was read for an earlier unit. */
static bool are_lines_read(const struct dw_reader *reader, uint64_t offset)
{
	return reader->lines_read && offset < reader->sections.items[DW_LINE].size &&
	       (reader->lines_read[offset / 8] >> offset % 8 & 1);
}

/* Set the bit for OFFSET, unless it is past .debug_line, in reader->lines_read.  Returns 0; or -1 if memory runs out. */
static int mark_lines_read(struct dw_reader *reader, uint64_t offset)
{
	const uint32_t size = reader->sections.items[DW_LINE].size;
	if (!reader->lines_read)
		reader->lines_read = rs_alloc(size / 8 + 1, 1);
	if (!reader->lines_read)
		return rs_fail_memory(reader->reading->err);
	if (offset < size)
		reader->lines_read[offset / 8] |= (uint8_t)(1 << offset % 8);
	return 0;
}

/* Add the unclaimed parts of SEQUENCE to the reader's extents.  A sequence of a sound file goes over few claims.  In a
   hostile file, many sequences could each go over many; so each step after the first one takes work from the budget. */
static enum outcome add_unclaimed_code(struct dw_unit *unit, const struct line_sequence *sequence)
{
	struct dw_reader *reader = unit->reader;
	const struct dw_keep *keep = reader->keep;
	const uint32_t first = rs_array_first(keep->claims, keep->claim_count, sizeof *keep->claims,
					      offsetof(struct extent, end), (uint64_t)sequence->begin + 1);
	for (uint32_t i = first, at = sequence->begin; at < sequence->end; i++) {
		const bool is_last = i == keep->claim_count || keep->claims[i].begin >= sequence->end;
		const struct extent part = { at, is_last ? sequence->end : keep->claims[i].begin, 0, 0 };
		if (i > first && !rs_unit_spend_work(unit, WORK_RANGE))
			return rs_unit_reject(unit, DW_LINE, reader->sections.items[DW_LINE].bytes + unit->table.offset,
					      UNIT_TOO_LARGE);
		if (part.begin < part.end && RS_ARRAY_ADD(reader->extents, reader->extent_room, reader->extent_count,
							  reader->reading->err, part) < 0)
			return UNIT_FATAL;
		at = is_last ? sequence->end : keep->claims[i].end;
	}
	return UNIT_OK;
}

/* Make unit->known.ranges of the reader's extents (the ranges in the unit's first entry) and of the sequences in
   unit->rows.  If the first entry has no ranges, does nothing. */
static enum outcome find_unit_ranges(struct dw_unit *unit)
{
	struct dw_reader *reader = unit->reader;
	struct known_unit *known = &unit->known;
	enum outcome outcome = UNIT_OK;
	if (reader->extent_count == 0)
		return UNIT_OK;
	for (uint32_t i = 0; outcome == UNIT_OK && i < unit->rows.sequence_count; i++)
		outcome = add_unclaimed_code(unit, &unit->rows.sequences[i]);
	if (outcome == UNIT_OK &&
	    rs_extents_flatten(reader->extents, reader->extent_count, &known->ranges, &known->range_count) < 0)
		return rs_fail_memory(reader->reading->err);
	return outcome;
}

/* Run the program of the unit's line table, and find the unit's ranges.  Do neither if an earlier unit has the same
   line table, because the lines were given to the earlier unit. */
static enum outcome run_line_program_once(struct dw_unit *unit)
{
	if (are_lines_read(unit->reader, unit->table.offset))
		return UNIT_OK;
	enum outcome outcome = rs_unit_run_line_program(unit);
	return outcome == UNIT_OK ? find_unit_ranges(unit) : outcome;
}

/* Add the unit's spans, and its functions, which are among the reader's scopes from unit->first_scope on. */
static enum outcome add_spans_and_functions(struct dw_unit *unit)
{
	struct dw_reader *reader = unit->reader;
	for (uint32_t i = unit->first_scope; i < reader->scope_count; i++) {
		const struct scope *scope = &reader->scopes[i];
		if (!scope->parent && scope->end > 0 &&
		    rs_reading_add_function(reader->reading, scope->begin, scope->end, i) < 0)
			return UNIT_FATAL;
	}
	return add_spans(unit);
}

/* Copy the reader's scopes from unit->first_scope on to unit->known.scopes. */
static int copy_unit_scopes(struct dw_unit *unit)
{
	struct dw_reader *reader = unit->reader;
	const uint32_t count = reader->scope_count - unit->first_scope;
	unit->known.scopes = rs_resize(NULL, (size_t)count + 1, sizeof *reader->scopes); /* not zeroed */
	if (!unit->known.scopes)
		return rs_fail_memory(reader->reading->err);
	if (count > 0)
		memcpy(unit->known.scopes, reader->scopes + unit->first_scope, count * sizeof *reader->scopes);
	unit->known.scope_count = count;
	return 0;
}

/* Read the unit's lines and scopes, and make spans and functions of them. */
static enum outcome read_unit_code(struct dw_unit *unit)
{
	struct dw_reader *reader = unit->reader;
	struct known_unit *known = &unit->known;
	unit->first_scope = reader->scope_count;
	enum outcome outcome = rs_unit_make_segments(unit);
	if (outcome == UNIT_OK)
		outcome = unit->dwo_name ? rs_unit_read_split(unit) : rs_unit_read_scopes(unit);
	if (outcome != UNIT_OK)
		return outcome;
	if (rs_extents_flatten(reader->extents, reader->extent_count, &known->extents, &known->extent_count) < 0)
		return rs_fail_memory(reader->reading->err);
	rs_release_pages(reader->extents, reader->extent_count * sizeof *reader->extents);
	unit->in_scopes = sum_lengths(known->extents, known->extent_count, sizeof *known->extents);
	if (known->code_size == 0)
		known->code_size = sum_lengths(known->segments, known->segment_count, sizeof *known->segments);
	if (!rs_dw_spend_budget(&reader->spans_left, (uint64_t)known->segment_count + known->extent_count))
		return rs_unit_reject(unit, DW_INFO, reader->sections.items[DW_INFO].bytes + unit->header.start,
				      UNIT_TOO_LARGE);
	/* Only scopes can be outside the unit's ranges, because the ranges include those of the lines. */
	for (uint32_t i = 0; i < known->extent_count; i++)
		rs_unit_check_in_ranges(unit, known->extents[i].begin, known->extents[i].end);
	known->is_read = true;
	if ((reader->reading->wanted && copy_unit_scopes(unit) < 0) || add_spans_and_functions(unit) != UNIT_OK)
		return UNIT_FATAL;
	if (unit->is_clipped)
		rs_unit_warn(unit, "DWARF unit at 0x%llx: functions outside the unit's own ranges are left out",
			     (unsigned long long)unit->header.start);
	return UNIT_OK;
}

/* Store the ranges in the unit's first entry, which are the reader's extents, as ranges of the unit, and add them to the
   claimed code.  If the unit has no line table, or an earlier unit has the same, does neither: run_line_program_once()
   then finds no ranges of it, so its functions may be anywhere. */
static enum outcome survey_unit(struct dw_unit *unit)
{
	struct dw_reader *reader = unit->reader;
	struct dw_keep *keep = reader->keep;
	struct known_unit *known = &unit->known;
	if (reader->work_left == 0) /* perhaps some ranges were not read */
		return UNIT_REJECTED;
	known->skipped = known->is_surveyed = true;
	if (!known->has_lines || are_lines_read(reader, known->lines))
		return UNIT_OK;
	for (uint32_t i = 0; i < reader->extent_count; i++)
		if (RS_ARRAY_ADD(keep->claims, keep->claim_room, keep->claim_count, reader->reading->err,
				 reader->extents[i]) < 0)
			return UNIT_FATAL;
	if (mark_lines_read(reader, known->lines) < 0)
		return UNIT_FATAL;
	if (rs_extents_flatten(reader->extents, reader->extent_count, &known->ranges, &known->range_count) < 0)
		return rs_fail_memory(reader->reading->err);
	return UNIT_OK;
}

/* Read UNIT, whose header has been read.  If none of its code is wanted, only find its ranges, and set
   unit->known.skipped.  With options->wants_dwo, only report the name of its .dwo file. */
static enum outcome read_unit_after_header(struct dw_unit *unit)
{
	struct dw_reader *reader = unit->reader;
	struct known_unit *known = &unit->known;
	const struct debuginfo_options *options = reader->reading->options;
	enum outcome outcome = rs_unit_read_first_entry(unit);
	if (outcome != UNIT_OK || unit->header.kind == 0)
		return outcome;
	if (options->wants_dwo) {
		if (unit->dwo_name)
			options->wants_dwo(options->context, path_last_part(unit->dwo_name));
		return UNIT_OK;
	}
	outcome = rs_unit_read_ranges(unit);
	if (outcome == UNIT_OK)
		known->code_size = sum_lengths(reader->extents, reader->extent_count, sizeof *reader->extents);
	if (reader->is_surveying)
		return outcome == UNIT_OK ? survey_unit(unit) : outcome;
	if (outcome == UNIT_OK && known->has_lines)
		outcome = rs_unit_read_line_header(unit, known->lines);
	if (outcome == UNIT_OK && known->has_lines)
		outcome = run_line_program_once(unit);
	if (known->range_count > 0)
		known->code_size = sum_lengths(known->ranges, known->range_count, sizeof *known->ranges);
	const struct known_unit *earlier = rs_known_unit_at(reader, unit->header.start);
	known->skipped = (!earlier || earlier->skipped) &&
			 !rs_reading_is_any_wanted(reader->reading, known->ranges, known->range_count);
	if (outcome == UNIT_OK && !known->skipped)
		outcome = read_unit_code(unit);
	rs_unit_free_line_rows(unit);
	rs_unit_free_line_table(unit);
	if (outcome == UNIT_OK && known->has_lines && mark_lines_read(reader, known->lines) < 0)
		return UNIT_FATAL;
	return outcome;
}

/* Count a unit with LENGTH bytes in .debug_info. */
static void count_unit(struct dw_reader *reader, const struct known_unit *known, uint32_t length)
{
	struct debuginfo_counts *counts = &reader->reading->di->counts;
	counts->dwarf_units++;
	counts->dwarf_code += known->code_size;
	counts->dwarf_info += length;
}

/* Count the bytes of UNIT's code that are lost: all bytes if it is REJECTED; if it is partial, the bytes in none of the
   scopes that were read.  If the code is unknown, count the LENGTH bytes in .debug_info. */
static void count_lost_code(const struct dw_unit *unit, bool rejected, uint32_t length)
{
	struct debuginfo_counts *counts = &unit->reader->reading->di->counts;
	const uint64_t code = unit->known.code_size;
	counts->dwarf_units_rejected += rejected;
	if (rejected)
		counts->dwarf_code_lost += code;
	else if (unit->is_partial && code > unit->in_scopes)
		counts->dwarf_code_lost += code - unit->in_scopes;
	if (rejected && code == 0)
		counts->dwarf_info_lost += length;
}

/* Add the cached scopes, spans and functions of the unit KNOWN. */
static int add_cached_code(struct dw_reader *reader, const struct known_unit *known)
{
	struct dw_unit unit = { .reader = reader, .header.start = known->begin, .known = *known };
	unit.first_scope = reader->scope_count;
	if (rs_array_reserve(&reader->scopes, &reader->scope_room, reader->scope_count, known->scope_count,
			     sizeof *reader->scopes) < 0)
		return rs_fail_memory(reader->reading->err);
	memcpy(reader->scopes + reader->scope_count, known->scopes, known->scope_count * sizeof *reader->scopes);
	reader->scope_count += known->scope_count;
	return add_spans_and_functions(&unit) == UNIT_OK ? 0 : -1;
}

/* Use the cache for the unit KNOWN, which is skipped or was read. */
static int use_cached_unit(struct dw_reader *reader, const struct known_unit *known)
{
	count_unit(reader, known, known->end - known->begin);
	if (!known->skipped && add_cached_code(reader, known) < 0)
		return -1;
	return known->has_lines ? mark_lines_read(reader, known->lines) : 0;
}

static void clear_known_unit(struct known_unit *unit)
{
	rs_free(unit->ranges);
	rs_free(unit->segments);
	rs_free(unit->scopes);
	rs_free(unit->extents);
}

/* If only some code is wanted, move unit->known to the cache.  UNIT must have been read or skipped without a fault.

   The cache has the ranges of each unit, which decide if the unit can be skipped; and the lines and scopes of the units
   that were read, for the next attempt.  A process that makes several tables for one image keeps the cache, so that it
   reads each unit at most once.  A unit with a fault is not cached: it is read for each table, with its warnings. */
static enum outcome add_known_unit(struct dw_unit *unit)
{
	struct dw_keep *keep = unit->reader->keep;
	struct known_unit *known = rs_known_unit_at(unit->reader, unit->header.start);
	if (!unit->reader->reading->wanted)
		return UNIT_OK;
	if (known) {
		clear_known_unit(known); /* it was cached as skipped, or has no code to cache */
	} else {
		if (rs_array_grow(&keep->units, &keep->room, keep->count, sizeof *keep->units) < 0)
			return rs_fail_memory(unit->reader->reading->err);
		/* Units are added in ascending order, except those that had a fault in an earlier call. */
		known = keep->units + rs_array_first(keep->units, keep->count, sizeof *known,
						     offsetof(struct known_unit, begin), unit->header.start);
		memmove(known + 1, known, (size_t)(keep->units + keep->count++ - known) * sizeof *known);
	}
	*known = unit->known;
	known->begin = unit->header.start;
	known->end = unit->header.next;
	unit->known = (struct known_unit){ .is_read = false };
	return UNIT_OK;
}

/* Read the unit at OFFSET of .debug_info, or use the cache, and store the offset of the next unit in *NEXT.  A rejected
   unit gets no spans, but its scopes stay, because other units may refer to them. */
static int read_unit_at(struct dw_reader *reader, uint32_t offset, uint32_t *next)
{
	struct known_unit *known = rs_known_unit_at(reader, offset);
	if (known && reader->attempt == 0) {
		known->skipped = !rs_reading_is_any_wanted(reader->reading, known->ranges, known->range_count);
		known->has_fault = false;
	}
	const bool lacks_lines = known && known->is_surveyed && reader->keep->wants_all_lines;
	if (known && (known->skipped ? !lacks_lines : known->is_read)) {
		*next = known->end;
		return use_cached_unit(reader, known);
	}
	struct dw_unit unit = { .reader = reader, .sections = &reader->sections };
	reader->quiet = reader->is_surveying || (reader->attempt > 0 && (!known || known->has_fault));
	enum outcome outcome = rs_unit_read_header(&unit, offset);
	const bool is_last = unit.header.next == 0;
	*next = is_last ? reader->sections.items[DW_INFO].size : unit.header.next;
	if (outcome == UNIT_OK && unit.header.kind == 0)
		return 0;
	if (outcome == UNIT_OK && unit.header.kind != DW_UT_type && unit.header.kind != DW_UT_split_type)
		outcome = read_unit_after_header(&unit); /* units of types have no code */
	count_unit(reader, &unit.known, *next - offset);
	count_lost_code(&unit, outcome == UNIT_REJECTED, *next - offset);
	if (known)
		known->has_fault = outcome == UNIT_REJECTED || unit.is_partial;
	if (outcome == UNIT_REJECTED || unit.is_partial)
		rs_unit_warn_unread(&unit);
	else if (outcome == UNIT_OK)
		outcome = add_known_unit(&unit);
	if (is_last && !reader->quiet)
		rs_reading_warn(reader->reading, "DWARF from 0x%llx on is left out", (unsigned long long)offset);
	clear_known_unit(&unit.known);
	return outcome == UNIT_FATAL ? -1 : 0;
}

static void set_budgets(struct dw_reader *reader)
{
	const struct debuginfo_options *options = reader->reading->options;
	uint64_t dwarf = reader->sections.size, all = reader->reading->symbols.source->size;
	if (all < dwarf)
		all = dwarf; /* uncompressed sections can be larger than the file */
	for (uint32_t i = 0; i < options->dwo_count; i++) {
		dwarf += options->dwos[i].source.size;
		all += options->dwos[i].source.size;
	}
	reader->work_left = dwarf * WORK_PER_BYTE + WORK_FREE;
	reader->spans_left = all / BYTES_PER_SPAN + SPANS_FREE;
}

/* Read all units from the first one on.  COUNTS are those of before. */
static int read_units(struct dw_reader *reader, const struct debuginfo_counts *counts)
{
	const struct debuginfo_options *options = reader->reading->options;
	int ret = 0;
	reader->reading->di->counts = *counts;
	rs_free(reader->lines_read);
	reader->lines_read = NULL;
	set_budgets(reader);
	for (uint32_t at = 0; ret == 0 && at < reader->sections.items[DW_INFO].size;) {
		ret = read_unit_at(reader, at, &at);
		if (options->have_read && !options->wanted &&
		    !reader->is_surveying) /* no scope's name points into these bytes (keep_name_string()) */
			options->have_read(options->context, at);
	}
	return ret;
}

/* After this many attempts, no unit is skipped: in a hostile file, each attempt could find one more needed unit. */
enum { ATTEMPTS_MAX = 4 };

/* When all units were read or skipped, extend the wanted code by that of functions (reading.h), and mark those skipped
   units as needed that have wanted code, or names of scopes.  Returns whether it has marked any unit; then the reading
   must begin again. */
static bool mark_needed_units(struct dw_reader *reader)
{
	struct dw_keep *keep = reader->keep;
	bool more = reader->reading->wanted && rs_dw_mark_units_with_names(reader);
	rs_reading_extend_wanted_code(reader->reading);
	for (uint32_t i = 0; i < keep->count; i++) {
		struct known_unit *unit = &keep->units[i];
		if (unit->skipped && rs_reading_is_any_wanted(reader->reading, unit->ranges, unit->range_count)) {
			unit->skipped = false;
			more = true;
		}
	}
	for (uint32_t i = 0; more && reader->attempt + 1 >= ATTEMPTS_MAX && i < keep->count; i++)
		keep->units[i].skipped = false;
	return more;
}

/* Whether all code from BEGIN up to and with LAST is claimed. */
static bool is_claimed(const struct dw_keep *keep, uint32_t begin, uint32_t last)
{
	return rs_extents_contain(keep->claims, keep->claim_count, begin, last + 1);
}

/* Returns true if the line tables of skipped units cannot change an answer.  This is so if each wanted address has a
   span, and all code from the beginning of its function up to the address is claimed: then no skipped unit has a span or
   a function there.  If the span has no function, or is of an inlined call, all wanted code below the address must be
   claimed.  Returns false, too, if spans overlap so much that finding out takes long; only hostile files are like that. */
static bool are_answers_final(struct dw_reader *reader)
{
	struct reading *reading = reader->reading;
	struct wanted_code *wanted = reading->wanted;
	const uint32_t count = reading->wanted_count;
	uint32_t left = count;
	uint64_t steps = (uint64_t)reading->span_count + count;
	for (uint32_t i = 0; i < count; i++)
		wanted[i].is_final = false;
	for (uint32_t i = 0; left > 0 && i < reading->span_count; i++) {
		const struct span *span = &reading->spans[i];
		const struct scope *scope = span->function == SPAN_NO_FUNCTION ? NULL : &reader->scopes[span->function];
		uint32_t j = rs_array_first(wanted, count, sizeof *wanted, offsetof(struct wanted_code, address),
					    span->begin);
		for (; j < count && wanted[j].address < span->end; j++) {
			const uint32_t address = wanted[j].address;
			const bool contains = scope && !scope->parent && scope->begin <= address &&
					      address < scope->end;
			if (steps-- == 0)
				return false;
			if (!wanted[j].is_final &&
			    is_claimed(reader->keep, contains ? scope->begin : wanted[j].begin, address)) {
				wanted[j].is_final = true;
				left--;
			}
		}
	}
	return left == 0;
}

/* Find out if the line tables of all units must be read, because some wanted address is not claimed. */
static void want_lines_of_unclaimed_code(struct dw_reader *reader)
{
	const struct reading *reading = reader->reading;
	struct dw_keep *keep = reader->keep;
	for (uint32_t i = 0; i < reading->wanted_count && !keep->wants_all_lines; i++)
		keep->wants_all_lines = !is_claimed(keep, reading->wanted[i].address, reading->wanted[i].address);
}

/* Whether the reading must begin again, because skipped units or their line tables are needed. */
static bool must_read_again(struct dw_reader *reader)
{
	struct dw_keep *keep = reader->keep;
	if (mark_needed_units(reader))
		return true;
	if (!reader->reading->wanted || keep->wants_all_lines || are_answers_final(reader))
		return false;
	keep->wants_all_lines = true;
	return true;
}

/* Find the claimed code, and, if some code is wanted, make the cache.  COUNTS are those of before. */
static int survey_units(struct dw_reader *reader, const struct debuginfo_counts *counts)
{
	struct dw_keep *keep = reader->keep;
	reader->is_surveying = true;
	/* Forget the last table of abbreviations: the survey must spend the same work, whatever was read before it. */
	reader->abbreviations.at = NULL;
	if (read_units(reader, counts) < 0)
		return -1;
	reader->is_surveying = false;
	struct extent *claims = keep->claims;
	if (rs_extents_flatten(claims, keep->claim_count, &keep->claims, &keep->claim_count) < 0)
		return rs_fail_memory(reader->reading->err);
	rs_free(claims);
	keep->has_claims = true;
	return 0;
}

/* Read all units that are needed.  If skipped units turn out to be needed, drop the results, and begin again. */
static int read_needed_units(struct dw_reader *reader)
{
	struct reading *reading = reader->reading;
	const struct debuginfo_counts counts = reading->di->counts;
	if (!reading->options->wants_dwo) {
		if (!reader->keep->has_claims && survey_units(reader, &counts) < 0)
			return -1;
		want_lines_of_unclaimed_code(reader);
	}
	int ret = read_units(reader, &counts);
	while (ret == 0 && must_read_again(reader)) {
		reading->span_count = reading->di->draft->function_count = 0;
		reader->scope_count = 0;
		reader->attempt++;
		ret = read_units(reader, &counts);
	}
	return ret;
}

/* Find the sections, unless they are cached.  Returns 1; 0 if there is no .debug_info; or -1 after storing an error. */
static int find_dwarf_sections(struct dw_reader *reader)
{
	struct debuginfo_keep *keep = reader->reading->keep;
	if (!keep->dwarf) {
		keep->dwarf = rs_alloc(1, sizeof *keep->dwarf);
		if (!keep->dwarf)
			return rs_fail_memory(reader->reading->err);
		if (rs_dw_sections_find(&keep->dwarf->sections, reader->reading, NULL) < 0)
			return -1;
		reader->reading->di->counts.unreadable += keep->dwarf->sections.unreadable;
	}
	reader->keep = keep->dwarf;
	reader->sections = reader->keep->sections;
	return reader->sections.items[DW_INFO].bytes != NULL;
}

void rs_dwarf_free_kept_units(struct dw_keep *keep)
{
	if (!keep)
		return;
	rs_dw_sections_clear(&keep->sections);
	for (uint32_t i = 0; i < keep->count; i++)
		clear_known_unit(&keep->units[i]);
	rs_free(keep->units);
	rs_free(keep->claims);
	rs_free(keep);
}

int rs_dwarf_read(struct reading *reading)
{
	struct dw_reader reader = { .reading = reading };
	int ret = find_dwarf_sections(&reader);
	if (ret <= 0)
		goto out;
	set_budgets(&reader);
	if (!reading->options->wants_dwo)
		ret = rs_dw_correct_base(&reader);
	if (ret <= 0)
		goto out;
	ret = read_needed_units(&reader);
	if (reader.warnings > DW_WARNINGS_MAX)
		rs_reading_warn(reading, "DWARF: %u more warnings; %u of %u units are left out",
				reader.warnings - DW_WARNINGS_MAX, reading->di->counts.dwarf_units_rejected,
				reading->di->counts.dwarf_units);
	if (ret == 0)
		ret = rs_dw_resolve_scope_indices(&reader);
out:
	rs_free(reader.scopes);
	rs_free(reader.extents);
	rs_free(reader.lines_read);
	rs_dw_close_split(&reader);
	rs_abbreviations_clear(&reader.abbreviations);
	if (!reading->options->keep) { /* the decompressed sections are no longer needed */
		rs_dwarf_free_kept_units(reading->keep->dwarf);
		reading->keep->dwarf = NULL;
	}
	return ret;
}
