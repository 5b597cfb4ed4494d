// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * entries.c - walks through the entries of a unit in .debug_info (DWARF 5, 7.5), and collects the scopes, which are the
 * entries of functions and inlined calls
 *
 * Entries are a tree, stored in the order in which the walk visits them: an entry, its children, an end mark, its
 * next sibling.  The walk does not recurse, but stores its path in an array, because the depth of the tree depends on
 * the input.
 *
 * Most entries are variables and types, which are skipped; their size mostly follows from the abbreviation.
 * Children are not skipped by DW_AT_sibling, because those of a type can be declarations with the names of functions
 * that are defined elsewhere.
 */
#include "config.h"
#include "debuginfo/dwarf/unit.h"
#include "lib/base/array.h"

#include <string.h>

#define NO_SCOPE UINT32_MAX

struct entry_walk {
	struct dw_unit *unit;
	struct decoder c;
	const uint8_t *info; /* .debug_info */
	/* Length of the path.  The path has all entries that have not ended yet: from the unit's first entry to the
	   entry whose values or children are next. */
	uint32_t depth;
	/* For each entry of the path, the number of its scope, if it is a function or an inlined call; else of the
	   innermost scope around it, or NO_SCOPE. */
	uint32_t scopes[DW_DEPTH_MAX];
};

/* Store in scope->call_file the string number of the path of the file from which SCOPE was called.  VALUES are the
   values of its entry.  Does nothing if SCOPE is no inlined call, or the file is unknown. */
static enum outcome find_call_file(struct dw_unit *unit, const struct value *values, struct scope *scope)
{
	uint64_t file = 0;
	const bool has_file = rs_value_number(&values[AT_CALL_FILE], &file);
	/* Since DWARF 5, file 0 is the unit's source file.  Before, 0 meant unknown. */
	if (file == 0 && (unit->header.encoding.version < 5 || !(has_file || scope->call_line)))
		return UNIT_OK;
	return rs_unit_find_path_of_file(unit, file, &scope->call_file);
}

/* If the name of SCOPE is in .debug_info, as short names are, keep only its string number, because the memory of that
   section is freed after each unit (discard.h).  If only some code is wanted, that memory stays, so do nothing. */
static int keep_name_string(struct dw_reader *reader, struct scope *scope)
{
	const struct dw_section *info = &reader->sections.items[DW_INFO];
	const uint8_t *name = (const uint8_t *)scope->name;
	if (reader->reading->wanted || !name || name < info->bytes || name >= info->bytes + info->size)
		return 0;
	if (rs_reading_intern_name(reader->reading, scope->name, strlen(scope->name), NAME_DEBUG, &scope->string) < 0)
		return -1;
	scope->name = scope->string ? DW_KEPT_NAME : "";
	return 0;
}

/* Add SCOPE, an entry with VALUES, to the reader's scopes, and its ranges to the reader's extents. */
static enum outcome add_scope(struct dw_unit *unit, const struct scope *scope, const struct value *values)
{
	struct dw_reader *reader = unit->reader;
	uint32_t number = reader->scope_count, extents = reader->extent_count;
	/* Charge now for reading the name later: many entries of a hostile file can share a long name. */
	if (scope->name && !rs_unit_spend_work(unit, strlen(scope->name)))
		return rs_unit_reject(unit, DW_INFO, unit->sections->items[DW_INFO].bytes + scope->offset,
				      "names are used too often");
	if (rs_array_grow(&reader->scopes, &reader->scope_room, number, sizeof *reader->scopes) < 0)
		return rs_fail_memory(reader->reading->err);
	reader->scopes[reader->scope_count++] = *scope;
	if (keep_name_string(reader, &reader->scopes[number]) < 0)
		return UNIT_FATAL;
	enum outcome outcome = rs_unit_add_entry_ranges(unit, values, number - unit->first_scope);
	if (scope->parent)
		return outcome;
	/* A function begins with its first range.  The others are parts that the compiler has moved elsewhere. */
	struct scope *function = &reader->scopes[number];
	function->begin = function->end = 0;
	if (reader->extent_count > extents) {
		const struct extent *range = &reader->extents[extents];
		function->begin = range->begin;
		function->end = outcome == UNIT_OK && rs_unit_check_in_ranges(unit, range->begin, range->end)
					? range->end
					: 0;
		reader->reading->di->counts.dwarf_functions += outcome == UNIT_OK;
	}
	return outcome;
}

#define UNREADABLE "an entry ends too early, or has a value of an unknown form"

/* Store in SCOPE the linkage name in VALUES, or else the plain one.  clang's linkage name of a stdcall function of C is
   its COFF name, such as "_f@8"; gcc's is "f@8".  If the plain name is f, "_f@8" is from clang, and SCOPE gets the name
   f, unless names keep their decoration.  If the plain name is _f, "_f@8" is from gcc, and stays. */
static void find_entry_name(struct dw_unit *unit, const struct value *values, struct scope *scope)
{
	const char *plain = NULL;
	scope->linkage = rs_value_string(unit, &values[AT_LINKAGE_NAME], &scope->name);
	const bool is_coff = scope->linkage && scope->name[0] == '_' && strchr(scope->name, '@') &&
			     !unit->reader->reading->options->decorated;
	if ((scope->linkage && !is_coff) || !rs_value_string(unit, &values[AT_NAME], &plain))
		return;
	const size_t length = strlen(plain);
	if (!scope->linkage || (rs_unit_spend_work(unit, length) && strncmp(scope->name + 1, plain, length) == 0 &&
				scope->name[1 + length] == '@'))
		scope->name = plain;
}

/* Returns VALUE as a number; 0 if it is not a number, or too large. */
static uint32_t value_as_number(const struct value *value)
{
	uint64_t number;
	return rs_value_number(value, &number) && number <= UINT32_MAX ? (uint32_t)number : 0;
}

/* Add details to SCOPE, an entry with VALUES: a place where its function is declared; and a place for its call, with
   line, column and discriminator, if it is inlined. */
static enum outcome add_details(struct dw_unit *unit, const struct value *values, struct scope *scope)
{
	struct reading *reading = unit->reader->reading;
	struct rs_places *places = reading->options->places;
	const struct rs_place call = { .line = scope->call_line,
				       .column = value_as_number(&values[AT_CALL_COLUMN]),
				       .discriminator = value_as_number(&values[AT_DISCRIMINATOR]) };
	struct rs_place start = { .start_line = value_as_number(&values[AT_DECL_LINE]) };
	enum outcome outcome = UNIT_OK;
	uint64_t file;
	uint32_t number;
	if (rs_value_number(&values[AT_DECL_FILE], &file) && (file > 0 || unit->header.encoding.version >= 5))
		outcome = rs_unit_find_path_of_file(unit, file, &start.start_file);
	if (outcome != UNIT_OK)
		return outcome;
	if (rs_places_add(places, start, &number, reading->err) < 0 ||
	    rs_places_add(places, call, &scope->call_line, reading->err) < 0)
		return UNIT_FATAL;
	scope_set_declaration(scope, number);
	return UNIT_OK;
}

/* Read the entry at OFFSET of .debug_info, a function or an inlined call, whose values are next, and add its scope. */
static enum outcome read_scope(struct entry_walk *walk, const struct abbreviation *abbreviation, uint32_t offset)
{
	struct dw_unit *unit = walk->unit;
	struct scope scope = { .offset = offset };
	const uint32_t number = unit->reader->scope_count - unit->first_scope;
	struct value values[AT_OF_DETAILED];
	const bool detailed = unit->reader->reading->options->places;
	uint64_t line;
	unit->known.has_functions = true;
	const uint32_t around = walk->scopes[walk->depth - 1];
	if (abbreviation->tag == DW_TAG_inlined_subroutine && around != NO_SCOPE)
		scope.parent = number - around;
	walk->scopes[walk->depth - 1] = number;
	rs_entry_read(&walk->c, &unit->reader->abbreviations, abbreviation, values,
		      detailed ? AT_OF_DETAILED : AT_OF_SCOPE);
	if (walk->c.bad)
		return rs_unit_reject(unit, DW_INFO, walk->info + offset, UNREADABLE);
	rs_value_reference(unit, &values[AT_ORIGIN], &scope.origin);
	if (rs_value_number(&values[AT_CALL_LINE], &line) && line < UINT32_MAX)
		scope.call_line = (uint32_t)line;
	find_entry_name(unit, values, &scope);
	enum outcome outcome = find_call_file(unit, values, &scope);
	if (outcome == UNIT_OK && detailed)
		outcome = add_details(unit, values, &scope);
	return outcome == UNIT_OK ? add_scope(unit, &scope, values) : outcome;
}

/* Read or skip the entry that begins at AT; the CODE of its abbreviation was read already.  Adds it to the path, where
   it stays if it has children. */
static enum outcome read_entry(struct entry_walk *walk, const uint8_t *at, uint64_t code)
{
	struct dw_unit *unit = walk->unit;
	const struct abbreviation *abbreviation = abbreviations_find(&unit->reader->abbreviations, code);
	enum outcome outcome = UNIT_OK;
	if (!abbreviation)
		return rs_unit_reject(unit, DW_INFO, at, "an entry has an unknown abbreviation");
	if (walk->depth >= DW_DEPTH_MAX)
		return rs_unit_reject(unit, DW_INFO, at, "entries are nested too deep");
	walk->scopes[walk->depth] = walk->depth > 0 ? walk->scopes[walk->depth - 1] : NO_SCOPE;
	walk->depth++;
	if (abbreviation->tag == DW_TAG_subprogram || abbreviation->tag == DW_TAG_inlined_subroutine ||
	    abbreviation->tag == DW_TAG_entry_point)
		outcome = read_scope(walk, abbreviation, (uint32_t)(at - walk->info));
	else
		entry_skip(&walk->c, &unit->reader->abbreviations, abbreviation);
	if (outcome == UNIT_OK && walk->c.bad)
		outcome = rs_unit_reject(unit, DW_INFO, at, UNREADABLE);
	if (outcome == UNIT_OK && !abbreviation->has_children)
		walk->depth--;
	return outcome;
}

/* Read all entries of the unit: from the first one to the end of its children, or to the end of the unit.  After a
   failure, unit->entry is the offset of the entry that could not be read. */
static enum outcome visit_entries(struct entry_walk *walk)
{
	struct decoder *c = &walk->c;
	enum outcome outcome = UNIT_OK;
	do {
		const uint8_t *at = c->at;
		uint64_t code = decoder_uleb(c);
		walk->unit->entry = (uint32_t)(at - walk->info);
		if (c->bad)
			outcome = rs_unit_reject(walk->unit, DW_INFO, at, UNREADABLE);
		else if (code != 0)
			outcome = read_entry(walk, at, code);
		else if (walk->depth > 0)
			walk->depth--;
	} while (outcome == UNIT_OK && walk->depth > 0 && c->at < c->end);
	return outcome;
}

/* Drop the extents of the scopes around the current entry, at which the walk failed: some of their inlined calls are
   unknown, so their code could get a wrong answer.  Extents and the path both ascend by scope. */
static void drop_open_scopes(const struct entry_walk *walk)
{
	struct dw_reader *reader = walk->unit->reader;
	uint32_t kept = 0, depth = 0;
	for (uint32_t i = 0; i < reader->extent_count; i++) {
		const struct extent *extent = &reader->extents[i];
		while (depth < walk->depth && (walk->scopes[depth] == NO_SCOPE || walk->scopes[depth] < extent->what))
			depth++;
		if (depth >= walk->depth || walk->scopes[depth] != extent->what)
			reader->extents[kept++] = *extent;
	}
	reader->extent_count = kept;
}

enum outcome rs_unit_read_scopes(struct dw_unit *unit)
{
	const struct dw_section *info = &unit->sections->items[DW_INFO];
	const uint32_t size = unit->header.next - unit->header.entries;
	struct entry_walk walk; /* its large array needs no initial values */
	walk.unit = unit;
	walk.info = info->bytes;
	walk.depth = 0;
	walk.c = (struct decoder){ info->bytes + unit->header.entries, info->bytes + unit->header.next, false };
	unit->reader->extent_count = 0;
	unit->entry = unit->header.entries;
	enum outcome outcome = rs_unit_read_abbreviations(unit, 0);
	/* Charge for the entries: in a hostile file, many units can have theirs in one unit of a .dwo file. */
	if (outcome == UNIT_OK && !rs_unit_spend_work(unit, WORK_ENTRIES * (uint64_t)size))
		outcome = rs_unit_reject(unit, DW_INFO, walk.c.at, "entries are read too often");
	if (outcome == UNIT_OK)
		outcome = visit_entries(&walk);
	if (outcome == UNIT_REJECTED) {
		drop_open_scopes(&walk);
		unit->is_partial = true;
		outcome = UNIT_OK;
	}
	return outcome;
}
