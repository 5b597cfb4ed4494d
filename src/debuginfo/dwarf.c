// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dwarf.c - reads all units, one after the other, and makes spans of the lines and scopes of each
 *
 * Each unit is rejected or taken on its own.  A hostile file can make much work with few bytes: units that share a
 * table, range lists that are read again and again, entries with long names.  So reading has budgets in proportion to
 * the size of the input.
 */
#include "config.h"
#include "debuginfo/dwarf.h"
#include "debuginfo/dwarf-unit.h"
#include "lib/alloc.h"

#include "compat/release.h"

#include <errno.h>
#include <string.h>

/* The budgets of work for each byte of debug information, and of libdwarf's memory for each byte of the input; any input
   may have WORK_FREE of both besides.  The output of compilers needs a fraction of it. */
enum { WORK_PER_BYTE = 32, WORK_FREE = 1 << 20 };

/* The budget of spans, and the most rows or ranges that one unit may have: one for this many bytes of the input, and
   SPANS_FREE besides.  Compilers write about one for 40 bytes, or for 8 if there are only lines, and those are short. */
enum { BYTES_PER_SPAN = 2, SPANS_FREE = 1 << 16 };

/* Make the unit's spans from its lines and its scopes, which both ascend without overlaps.  A span is a part of the
   code in which neither changes: from AT on, to the next address where a line or a scope begins or ends.  Lines and
   scopes are lost. */
static enum outcome add_spans(struct dwarf_unit *unit, struct extent *scopes, uint32_t scope_count)
{
	struct dwarf_reader *reader = unit->reader;
	struct line_segment *lines = reader->segments;
	uint32_t line = 0, scope = 0, at = 0;
	if (!reader->reading->wanted &&
	    reading_reserve_spans(reader->reading, (uint64_t)reader->segment_count + scope_count) < 0)
		return UNIT_FATAL;
	while (line < reader->segment_count || scope < scope_count) {
		const struct line_segment *l = line < reader->segment_count ? &lines[line] : NULL;
		const struct extent *s = scope < scope_count ? &scopes[scope] : NULL;
		uint32_t l_begin = !l ? UINT32_MAX : l->begin > at ? l->begin : at;
		uint32_t s_begin = !s ? UINT32_MAX : s->begin > at ? s->begin : at;
		struct span span = { .function = NO_SCOPE, .outer = DEBUGINFO_NO_FRAME, .order = reader->order,
				     .labels = SPAN_NO_LABELS };
		span.begin = l_begin < s_begin ? l_begin : s_begin;
		span.end = UINT32_MAX;
		if (l && l_begin == span.begin) {
			span.end = l->end;
			span.file = l->file;
			span.line = l->line;
			if (!unit->has_functions || unit->is_partial)
				span.labels = l->sequence;
		} else if (l_begin < span.end) {
			span.end = l_begin;
		}
		if (s && s_begin == span.begin) {
			span.end = s->end < span.end ? s->end : span.end;
			span.function = s->what;
			span.labels = SPAN_NO_LABELS;
		} else if (s_begin < span.end) {
			span.end = s_begin;
		}
		if (unit_span(unit, &span) < 0)
			return UNIT_FATAL;
		at = span.end;
		if (l && l->end <= at)
			rs_release_read(lines, line++, sizeof *lines);
		if (s && s->end <= at)
			rs_release_read(scopes, scope++, sizeof *scopes);
	}
	rs_release(lines, line * sizeof *lines);
	return UNIT_OK;
}

/* Store what ATTRIBUTE, of the unit's own entry, tells about the unit. */
static enum outcome read_unit_attribute(struct dwarf_unit *unit, Dwarf_Attribute attribute, struct entry_code *code,
					bool *has_lines, uint64_t *lines)
{
	Dwarf_Debug dbg = unit->reader->dbg;
	Dwarf_Half number = 0, form = 0;
	if (dwarf_whatattr(attribute, &number, &unit->error) != DW_DLV_OK)
		return unit_reject(unit, "attribute");
	switch (number) {
	case DW_AT_stmt_list:
		*has_lines = dwarf_object_number(dbg, attribute, lines);
		break;
	case DW_AT_rnglists_base:
		dwarf_object_number(dbg, attribute, &unit->rnglists_base);
		break;
	case DW_AT_addr_base:
	case DW_AT_GNU_addr_base:
		dwarf_object_number(dbg, attribute, &unit->addr_base);
		break;
	case DW_AT_low_pc:
	case DW_AT_high_pc:
	case DW_AT_ranges:
		if (dwarf_whatform(attribute, &form, &unit->error) != DW_DLV_OK)
			return unit_reject(unit, "attribute");
		unit_code_attribute(unit, code, number, attribute, form);
		break;
	case DW_AT_comp_dir:
		dwarf_object_string(dbg, attribute, &unit->comp_dir);
		break;
	case DW_AT_dwo_name:
	case DW_AT_GNU_dwo_name:
		dwarf_object_string(dbg, attribute, &unit->dwo_name);
		break;
	case DW_AT_GNU_dwo_id:
		dwarf_object_number(dbg, attribute, &unit->dwo_id);
		break;
	case DW_AT_GNU_ranges_base:
		dwarf_object_number(dbg, attribute, &unit->ranges_base);
		break;
	default:
		break;
	}
	return UNIT_OK;
}

/* Read the attributes of the unit's own entry.  Stores the offset of its line table in *LINES, if *HAS_LINES. */
static enum outcome read_unit_entry(struct dwarf_unit *unit, bool *has_lines, uint64_t *lines)
{
	struct entry_code code = { .has_low = false };
	Dwarf_Attribute *attributes = NULL;
	Dwarf_Signed count = 0;
	enum outcome outcome = UNIT_OK;
	int res = dwarf_attrlist(unit->die, &attributes, &count, &unit->error);
	if (res == DW_DLV_ERROR)
		return unit_reject(unit, "entry");
	if (res == DW_DLV_NO_ENTRY)
		return UNIT_OK;
	for (Dwarf_Signed i = 0; i < count && outcome == UNIT_OK; i++)
		outcome = read_unit_attribute(unit, attributes[i], &code, has_lines, lines);
	if (code.has_low)
		unit->low_pc = code.low;	/* range lists are relative to it */
	if (outcome == UNIT_OK)
		outcome = unit_read_own(unit, &code);
	for (Dwarf_Signed i = 0; i < count; i++)
		dwarf_dealloc_attribute(attributes[i]);
	dwarf_dealloc(unit->reader->dbg, attributes, DW_DLA_LIST);
	return outcome;
}

/* Read the unit's line table into rows, unless an earlier unit has the same line table.  Then the lines are known already,
   and reading them again would change nothing. */
static enum outcome read_rows_once(struct dwarf_unit *unit)
{
	struct dwarf_reader *reader = unit->reader;
	const struct dwarf_section *section = dwarf_object_section(reader->object, ".debug_line");
	uint64_t at = unit->table.offset;
	if (!reader->lines_read)
		reader->lines_read = rs_alloc(section->size / 8 + 1, 1);
	if (!reader->lines_read)
		return reading_memory(reader->reading);
	if (reader->lines_read[at / 8] >> at % 8 & 1)
		return UNIT_OK;
	enum outcome outcome = reader->reading->wanted ? unit_scan_lines(unit) : unit_run_lines(unit);
	return outcome == UNIT_OK ? unit_find_own(unit) : outcome;
}

/* Make spans and functions of the unit's rows and of its scopes. */
static enum outcome read_code(struct dwarf_unit *unit)
{
	struct dwarf_reader *reader = unit->reader;
	struct extent *scopes = NULL;
	uint32_t scope_count = 0;
	enum outcome outcome = unit_read_lines(unit);
	if (outcome == UNIT_OK)
		outcome = unit->dwo_name ? unit_read_split(unit) : unit_read_scopes(unit);
	if (outcome != UNIT_OK)
		return outcome;
	if (extents_flatten(reader->extents, reader->extent_count, &scopes, &scope_count) < 0)
		return reading_memory(reader->reading);
	rs_release(reader->extents, reader->extent_count * sizeof *reader->extents);
	if (dwarf_spend(&reader->room, (uint64_t)reader->segment_count + scope_count))
		outcome = add_spans(unit, scopes, scope_count);
	else
		outcome = unit_reject(unit, UNIT_TOO_LARGE);
	rs_free(scopes);
	if (outcome == UNIT_OK && unit->is_clipped)
		unit_warn(unit, "DWARF unit at 0x%llx: functions outside the unit's own ranges are left out",
			  (unsigned long long)unit->start);
	return outcome;
}

/* Read a unit, unless nothing of it is wanted; with the option wants_dwo, only report the name of its .dwo file. */
static enum outcome read_unit(struct dwarf_unit *unit)
{
	struct dwarf_reader *reader = unit->reader;
	const struct debuginfo_options *options = reader->reading->options;
	bool has_lines = false, passed = false;
	uint64_t lines = 0;
	enum outcome outcome = read_unit_entry(unit, &has_lines, &lines);
	if (options->wants_dwo) {
		if (outcome == UNIT_OK && unit->dwo_name)
			options->wants_dwo(options->context, reading_last_part(unit->dwo_name));
		return outcome;
	}
	if (outcome == UNIT_OK && has_lines)
		outcome = unit_open_files(unit, lines);
	if (outcome == UNIT_OK && has_lines)
		outcome = read_rows_once(unit);
	if (outcome == UNIT_OK)
		outcome = unit_pass(unit, &passed);
	if (outcome == UNIT_OK && !passed)
		outcome = read_code(unit);
	unit_close_rows(unit);
	unit_close_files(unit);
	reader->order++;
	if (outcome == UNIT_OK && has_lines)
		reader->lines_read[lines / 8] |= (uint8_t)(1 << lines % 8);
	return outcome;
}

/* Read the unit whose header was read last.  A rejected unit leaves no spans, but its scopes stay: other units may
   refer to them. */
static int take_unit(struct dwarf_reader *reader, const struct unit_header *header, Dwarf_Off offset)
{
	struct debuginfo *di = reader->reading->di;
	struct dwarf_unit unit = {
		.reader = reader, .version = header->version,
		.address_size = header->address_size, .offset_size = header->offset_size,
		.dwo_id = header->dwo_id, .start = offset, .next = header->next,
	};
	uint32_t spans = reader->reading->span_count, functions = di->function_count;
	enum outcome outcome;

	int res = dwarf_siblingof_b(reader->dbg, NULL, 1, &unit.die, &unit.error);
	if (res == DW_DLV_NO_ENTRY)
		return 0;
	if (res == DW_DLV_ERROR)
		outcome = unit_reject(&unit, "entry");
	else if (header->kind == DW_UT_type || header->kind == DW_UT_split_type)
		outcome = UNIT_OK;	/* no code */
	else if (header->address_size != 4 && header->address_size != 8)
		outcome = unit_reject(&unit, "address size");
	else
		outcome = read_unit(&unit);

	di->counts.dwarf_units++;
	if (outcome == UNIT_REJECTED) {
		reader->reading->span_count = spans;
		di->function_count = functions;
		di->counts.dwarf_units_rejected++;
	}
	if (outcome == UNIT_REJECTED || unit.is_partial)
		unit_warn_unread(&unit);
	if (res == DW_DLV_OK)
		dwarf_dealloc_die(unit.die);
	rs_free(unit.own);
	reader->quiet = false;
	return outcome == UNIT_FATAL ? -1 : 0;
}

/* Go past the unit at OFFSET, whose header is bad.  libdwarf does not do that, so let it see an empty unit there
   instead.  Returns 1 if reading can go on. */
static int skip_unit(struct dwarf_reader *reader, Dwarf_Off offset, Dwarf_Error error)
{
	struct dwarf_unit unit = { .reader = reader, .error = error, .start = offset };
	bool own_copy = false;
	reader->reading->di->counts.dwarf_units++;
	reader->reading->di->counts.dwarf_units_rejected++;
	unit_warn_unread(&unit);
	if (!dwarf_object_blank_unit(reader->object, offset, &own_copy)) {
		reading_warn(reader->reading, "DWARF from 0x%llx on is left out", (unsigned long long)offset);
		return 0;
	}
	if (own_copy)
		return 1;
	dwarf_object_close(reader->dbg);
	if (!dwarf_open_object(reader))
		return 0;
	for (Dwarf_Off at = 0; at < offset;) {	/* skip the units that were read before */
		struct unit_header header;
		Dwarf_Error again = NULL;
		int res = dwarf_next_unit(reader, at, &header, &again);
		if (res == DW_DLV_ERROR)
			dwarf_dealloc_error(reader->dbg, again);
		if (res != DW_DLV_OK || header.next <= at)
			return 0;
		at = header.next;
	}
	return 1;
}

/* Read all units.  SKIPPED is the offset of a unit that was made empty: it must not be read, and if it is bad again,
   no other attempt is made. */
static int read_units(struct dwarf_reader *reader)
{
	Dwarf_Off at = 0, skipped = UINT64_MAX;
	for (;;) {
		struct unit_header header;
		Dwarf_Error error = NULL;
		int res = dwarf_next_unit(reader, at, &header, &error);
		if (res == DW_DLV_NO_ENTRY)
			return 0;
		if (res == DW_DLV_ERROR) {
			if (at == skipped) {
				dwarf_dealloc_error(reader->dbg, error);
				return 0;
			}
			if (!skip_unit(reader, at, error))
				return 0;
			skipped = at;
			continue;
		}
		if (at != skipped && take_unit(reader, &header, at) < 0)
			return -1;
		if (header.next <= at)
			return 0;
		at = header.next;
	}
}

static void set_budgets(struct dwarf_reader *reader)
{
	const struct debuginfo_options *options = reader->reading->options;
	uint64_t dwarf = reader->object->size, all = reader->reading->symbols.source->size;
	if (all < dwarf)
		all = dwarf;	/* compressed sections have more bytes than the file that they are in */
	for (uint32_t i = 0; i < options->dwo_count; i++) {
		dwarf += options->dwos[i].size;
		all += options->dwos[i].size;
	}
	reader->work = dwarf * WORK_PER_BYTE + WORK_FREE;
	reader->objects = all * WORK_PER_BYTE + WORK_FREE;
	reader->room = all / BYTES_PER_SPAN + SPANS_FREE;
}

/* Read all units once more from the first one on, for the units that are needed now. */
static int begin_again(struct dwarf_reader *reader)
{
	const struct dwarf_section *lines = dwarf_object_section(reader->object, ".debug_line");
	reader->attempt++;
	reader->order = SPAN_DWARF;
	reader->scope_count = 0;
	if (reader->lines_read)
		memset(reader->lines_read, 0, lines->size / 8 + 1);
	set_budgets(reader);
	dwarf_object_close(reader->dbg);
	return dwarf_open_object(reader);
}

/* Read all units that are needed. */
static int read_needed(struct dwarf_reader *reader, uint32_t first_span, uint32_t first_function)
{
	struct reading *reading = reader->reading;
	const struct debuginfo_counts counts = reading->di->counts;
	int ret = read_units(reader);
	while (ret == 0 && dwarf_needs_more(reader, first_function)) {
		reading->di->counts = counts;
		reading->span_count = first_span;
		reading->di->function_count = first_function;
		if (!begin_again(reader))
			return 0;
		ret = read_units(reader);
	}
	return ret;
}

int dwarf_read(struct reading *reading)
{
	struct dwarf_object object;
	struct dwarf_reader reader = { .reading = reading, .object = &object, .order = SPAN_DWARF };
	uint32_t first_span = reading->span_count, first_function = reading->di->function_count;
	errno = 0;
	int ret = dwarf_object_find(&object, reading, NULL);
	if (ret <= 0)
		goto out;
	ret = 0;
	set_budgets(&reader);
	/* Each unit opens its .dwo file anew, so what is lost would add up. */
	if (reading->options->ends_after && reading->options->dwo_count == 0)
		dwarf_object_lose_memory();
	if (!dwarf_open_object(&reader))
		goto out;
	ret = read_needed(&reader, first_span, first_function);
	if (reader.warnings > DWARF_MOST_WARNINGS)
		reading_warn(reading, "DWARF: %u more warnings; %u of %u units are left out",
			     reader.warnings - DWARF_MOST_WARNINGS, reading->di->counts.dwarf_units_rejected,
			     reading->di->counts.dwarf_units);
	reading_have_read(reading, SPARE_LINES);
	if (ret == 0)
		ret = dwarf_resolve(&reader, first_span, first_function);
out:
	/* If an allocation fails, libdwarf may report damage, or that there is no such thing.  That must not become
	   a table that only lacks rows because memory was short. */
	if (ret == 0 && errno == ENOMEM)
		ret = reading_memory(reading);
	if (reader.dbg)
		dwarf_object_close(reader.dbg);
	rs_free(reader.scopes);
	rs_free(reader.extents);
	rs_free(reader.segments);
	rs_free(reader.lines_read);
	rs_free(reader.passed);
	rs_free(reader.passed_code);
	rs_free(reader.abbreviations.items);
	rs_free(reader.abbreviations.values);
	dwarf_object_clear(&object);
	return ret;
}
