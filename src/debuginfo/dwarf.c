// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "debuginfo/dwarf.h"
#include "debuginfo/dwarf-unit.h"
#include "lib/alloc.h"

#include <string.h>

/* Steps for each byte of debug information.  Compilers' output needs less than one. */
enum { WORK_PER_BYTE = 16, WORK_FREE = 1 << 20 };

enum outcome unit_reject(struct dwarf_unit *unit, const char *why)
{
	if (!unit->why)
		unit->why = why;
	return UNIT_REJECTED;
}

bool unit_work(struct dwarf_unit *unit, uint64_t n)
{
	struct dwarf_reader *reader = unit->reader;
	if (n > reader->work) {
		reader->work = 0;
		return false;
	}
	reader->work -= n;
	return true;
}

/* Lines and scopes of the unit, both ascending and disjoint, make its spans: each part where neither changes. */
static int add_spans(struct dwarf_unit *unit, const struct extent *scopes, uint32_t scope_count)
{
	struct dwarf_reader *reader = unit->reader;
	const struct line_segment *lines = reader->segments;
	uint32_t line = 0, scope = 0, at = 0;
	if (reading_reserve_spans(reader->reading, (uint64_t)reader->segment_count + scope_count) < 0)
		return -1;
	while (line < reader->segment_count || scope < scope_count) {
		const struct line_segment *l = line < reader->segment_count ? &lines[line] : NULL;
		const struct extent *s = scope < scope_count ? &scopes[scope] : NULL;
		uint32_t l_begin = !l ? UINT32_MAX : l->begin > at ? l->begin : at;
		uint32_t s_begin = !s ? UINT32_MAX : s->begin > at ? s->begin : at;
		struct span span = { .function = NO_SCOPE, .outer = DEBUGINFO_NO_FRAME, .order = reader->order,
				     .labels = SPAN_NO_LABELS };
		span.begin = l_begin < s_begin ? l_begin : s_begin;
		span.end = UINT32_MAX;
		if (l_begin == span.begin) {
			span.end = l->end;
			span.file = l->file;
			span.line = l->line;
			if (!unit->has_functions)
				span.labels = l->sequence;
		} else if (l_begin < span.end) {
			span.end = l_begin;
		}
		if (s_begin == span.begin) {
			span.end = s->end < span.end ? s->end : span.end;
			span.function = s->what;
		} else if (s_begin < span.end) {
			span.end = s_begin;
		}
		if (reading_span(reader->reading, &span) < 0)
			return -1;
		at = span.end;
		if (l && l->end <= at)
			line++;
		if (s && s->end <= at)
			scope++;
	}
	return 0;
}

/* What the unit's own entry says. */
static enum outcome read_unit_entry(struct dwarf_unit *unit, bool *has_lines, Dwarf_Off *lines)
{
	Dwarf_Attribute attribute = NULL;
	Dwarf_Error error = NULL;
	Dwarf_Addr low = 0;
	char *text = NULL;
	if (dwarf_lowpc(unit->die, &low, &error) == DW_DLV_OK)
		unit->low_pc = low;
	int res = dwarf_attr(unit->die, DW_AT_comp_dir, &attribute, &unit->error);
	if (res == DW_DLV_OK) {
		if (dwarf_formstring(attribute, &text, &error) == DW_DLV_OK)
			unit->comp_dir = text;
		dwarf_dealloc_attribute(attribute);
		res = dwarf_attr(unit->die, DW_AT_stmt_list, &attribute, &unit->error);
	} else if (res == DW_DLV_NO_ENTRY) {
		res = dwarf_attr(unit->die, DW_AT_stmt_list, &attribute, &unit->error);
	}
	if (res == DW_DLV_OK) {
		*has_lines = dwarf_global_formref(attribute, lines, &error) == DW_DLV_OK;
		dwarf_dealloc_attribute(attribute);
	}
	return res == DW_DLV_ERROR ? unit_reject(unit, "entry") : UNIT_OK;
}

static enum outcome read_unit(struct dwarf_unit *unit)
{
	struct dwarf_reader *reader = unit->reader;
	struct extent *scopes = NULL;
	uint32_t scope_count = 0;
	bool has_lines = false;
	Dwarf_Off lines = 0;
	enum outcome outcome = read_unit_entry(unit, &has_lines, &lines);
	reader->segment_count = 0;
	if (outcome == UNIT_OK && has_lines) {
		outcome = unit_open_files(unit, lines);
		if (outcome == UNIT_OK)
			outcome = unit_read_lines(unit);
	}
	if (outcome == UNIT_OK)
		outcome = unit_read_scopes(unit);
	unit_close_files(unit);
	if (outcome != UNIT_OK)
		return outcome;
	if (extents_flatten(reader->extents, reader->extent_count, &scopes, &scope_count) < 0)
		return reading_memory(reader->reading);
	outcome = add_spans(unit, scopes, scope_count);
	rs_free(scopes);
	reader->order++;
	return outcome;
}

static void warn_rejected(struct dwarf_unit *unit, Dwarf_Off offset)
{
	struct reading *reading = unit->reader->reading;
	reading->di->counts.dwarf_units_rejected++;
	reading_warn(reading, "DWARF unit at 0x%llx is left out: %s%s%s", (unsigned long long)offset,
		     unit->why ? unit->why : "header", unit->error ? ": " : "",
		     unit->error ? dwarf_errmsg(unit->error) : "");
	if (unit->error)
		dwarf_dealloc_error(unit->reader->dbg, unit->error);
}

/* A unit that is rejected leaves nothing but scopes, which other units may refer to. */
static int take_unit(struct dwarf_reader *reader, Dwarf_Half version, Dwarf_Half kind, Dwarf_Off offset)
{
	struct debuginfo *di = reader->reading->di;
	struct dwarf_unit unit = { .reader = reader, .version = version };
	uint32_t spans = reader->reading->span_count, functions = di->function_count;
	enum outcome outcome;

	int res = dwarf_siblingof_b(reader->dbg, NULL, 1, &unit.die, &unit.error);
	if (res == DW_DLV_NO_ENTRY)
		return 0;
	if (res == DW_DLV_ERROR)
		outcome = unit_reject(&unit, "entry");
	else if (kind == DW_UT_type || kind == DW_UT_split_type)
		outcome = UNIT_OK;	/* no code */
	else
		outcome = read_unit(&unit);

	di->counts.dwarf_units++;
	if (outcome == UNIT_REJECTED) {
		reader->reading->span_count = spans;
		di->function_count = functions;
		warn_rejected(&unit, offset);
	}
	if (res == DW_DLV_OK)
		dwarf_dealloc_die(unit.die);
	return outcome == UNIT_FATAL ? -1 : 0;
}

static int open_object(struct dwarf_reader *reader)
{
	Dwarf_Error error = NULL;
	Dwarf_Unsigned count = 0;
	int res = dwarf_object_open(reader->object, &reader->dbg, &error);
	if (res == DW_DLV_OK) {
		if (dwarf_load_rnglists(reader->dbg, &count, &error) == DW_DLV_OK)
			reader->ranges_contexts = count;
		return 1;
	}
	if (res == DW_DLV_ERROR) {
		reading_warn(reader->reading, "DWARF is left out: %s", dwarf_errmsg(error));
		dwarf_dealloc_error(NULL, error);
	}
	reader->dbg = NULL;
	return 0;
}

static int next_unit(struct dwarf_reader *reader, Dwarf_Half *version, Dwarf_Half *kind, Dwarf_Off *next,
		     Dwarf_Error *error)
{
	Dwarf_Unsigned length = 0, type_offset = 0;
	Dwarf_Half address_size = 0, offset_size = 0, extension = 0;
	Dwarf_Off abbrev = 0;
	Dwarf_Sig8 signature;
	return dwarf_next_cu_header_d(reader->dbg, 1, &length, version, &abbrev, &address_size, &offset_size, &extension,
				      &signature, &type_offset, next, kind, error);
}

/* The header of the unit at OFFSET is bad, and libdwarf does not go past such.  Let it see an empty unit there instead.
   1 if reading can go on. */
static int skip_unit(struct dwarf_reader *reader, Dwarf_Off offset, Dwarf_Error error)
{
	struct dwarf_unit unit = { .reader = reader, .error = error };
	bool own_copy = false;
	warn_rejected(&unit, offset);
	if (!dwarf_object_blank_unit(reader->object, offset, &own_copy)) {
		reading_warn(reader->reading, "DWARF from 0x%llx on is left out", (unsigned long long)offset);
		return 0;
	}
	if (own_copy)
		return 1;
	dwarf_object_close(reader->dbg);
	if (!open_object(reader))
		return 0;
	for (Dwarf_Off at = 0; at < offset;) {	/* what was read already */
		Dwarf_Half version = 0, kind = 0;
		Dwarf_Off next = 0;
		Dwarf_Error again = NULL;
		if (next_unit(reader, &version, &kind, &next, &again) != DW_DLV_OK || next <= at)
			return 0;
		at = next;
	}
	return 1;
}

static int read_units(struct dwarf_reader *reader)
{
	Dwarf_Off at = 0, skipped = UINT64_MAX;
	for (;;) {
		Dwarf_Half version = 0, kind = 0;
		Dwarf_Off next = 0;
		Dwarf_Error error = NULL;
		int res = next_unit(reader, &version, &kind, &next, &error);
		if (res == DW_DLV_NO_ENTRY)
			return 0;
		if (res == DW_DLV_ERROR) {
			if (at == skipped || !skip_unit(reader, at, error))
				return 0;
			skipped = at;
			continue;
		}
		if (at != skipped && take_unit(reader, version, kind, at) < 0)
			return -1;
		if (next <= at)
			return 0;
		at = next;
	}
}

int dwarf_read(struct reading *reading)
{
	struct dwarf_object object;
	struct dwarf_reader reader = { .reading = reading, .object = &object, .order = SPAN_DWARF };
	uint32_t first_span = reading->span_count, first_function = reading->di->function_count;
	int ret = dwarf_object_find(&object, reading);
	if (ret <= 0)
		goto out;
	ret = 0;
	reader.work = object.size * WORK_PER_BYTE + WORK_FREE;
	if (!open_object(&reader))
		goto out;
	ret = read_units(&reader);
	if (ret == 0)
		ret = dwarf_resolve(&reader, first_span, first_function);
out:
	if (reader.dbg)
		dwarf_object_close(reader.dbg);
	rs_free(reader.scopes);
	rs_free(reader.extents);
	rs_free(reader.segments);
	dwarf_object_clear(&object);
	return ret;
}
