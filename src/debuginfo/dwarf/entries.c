// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * entries.c - walks through the entries of a unit, and collects those of functions and inlined calls
 *
 * Entries are a tree, stored in the order in which the walk visits them: an entry, its children, an end mark, its
 * next sibling.  The walk has its path in an array instead of recursing, because the input decides how deep the tree
 * is.
 *
 * Most entries are variables and types, which are skipped; their size mostly follows from the abbreviation.
 * DW_AT_sibling is not used to skip children, because a declaration inside a type can have the name of a function
 * that is defined elsewhere.
 */
#include "config.h"
#include "debuginfo/dwarf/constants.h"
#include "debuginfo/dwarf/entries.h"
#include "debuginfo/dwarf/header.h"
#include "debuginfo/dwarf/range-lists.h"
#include "debuginfo/dwarf/values.h"
#include "debuginfo/dwarf/wanted.h"
#include "lib/base/array.h"

#include <string.h>

struct entry_walk {
	struct dw_unit *unit;
	struct decoder c;
	const uint8_t *info; /* .debug_info */
	/* length of the path: the entries around the next one to read; the last of them is being read,
	   or its children are */
	uint32_t depth;
	uint32_t scopes[DW_DEEPEST]; /* for each entry of the path, its scope, or else the innermost scope around it */
};

struct scope_entry { /* the attributes of a function or inlined call */
	struct scope scope;
	struct entry_code code;
	bool has_call_file;
	uint64_t call_file;
};

/* Whether entries of TAG are scopes. */
static bool is_scope(uint16_t tag)
{
	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine || tag == DW_TAG_entry_point;
}

/* Store VALUE of the attribute NAME in ENTRY, if it is needed.  A linkage name replaces a plain one. */
static void store_attribute(struct dw_unit *unit, uint16_t name, const struct value *value, struct scope_entry *entry)
{
	struct scope *scope = &entry->scope;
	uint64_t number;
	switch (name) {
	case DW_AT_name:
		if (!scope->name)
			value_string(unit, value, &scope->name);
		break;
	case DW_AT_linkage_name:
	case DW_AT_MIPS_linkage_name:
		scope->linkage |= value_string(unit, value, &scope->name);
		break;
	case DW_AT_abstract_origin:
	case DW_AT_specification:
		value_reference(unit, value, &scope->origin);
		break;
	case DW_AT_low_pc:
	case DW_AT_high_pc:
	case DW_AT_ranges:
		entry_code_attribute(unit, &entry->code, name, value);
		break;
	case DW_AT_call_file:
		entry->has_call_file = value_number(value, &entry->call_file);
		break;
	case DW_AT_call_line:
		if (value_number(value, &number) && number < UINT32_MAX)
			scope->call_line = (uint32_t)number;
		break;
	default:
		break;
	}
}

/* Store the string number of the path of the file from which ENTRY, an inlined call, was called. */
static enum outcome find_call_file(struct dw_unit *unit, struct scope_entry *entry)
{
	/* Since DWARF 5, file 0 is the unit's source file.  Before, 0 meant unknown. */
	if (entry->call_file ||
	    (unit->header.encoding.version >= 5 && (entry->has_call_file || entry->scope.call_line)))
		return unit_file(unit, entry->call_file, &entry->scope.call_file);
	return UNIT_OK;
}

/* Add SCOPE to the reader's scopes, and the ranges of its CODE to the reader's extents. */
static enum outcome add_scope(struct dw_unit *unit, const struct scope *scope, const struct entry_code *code)
{
	struct dw_reader *reader = unit->reader;
	uint32_t number = reader->scope_count, extents = reader->extent_count;
	/* All of the name is read later, and in a hostile file many entries can share a long one. */
	if (scope->name && !unit_work(unit, strlen(scope->name)))
		return unit_reject(unit, DW_INFO, unit->sections->items[DW_INFO].bytes + scope->offset,
				   "names are used too often");
	if (rs_array_grow(&reader->scopes, &reader->scope_room, number, sizeof *reader->scopes) < 0)
		return reading_memory(reader->reading);
	reader->scopes[reader->scope_count++] = *scope;
	if (dw_copy_name(reader, &reader->scopes[number].name) < 0)
		return UNIT_FATAL;
	enum outcome outcome = unit_add_code(unit, code, number);
	if (scope->parent != NO_SCOPE)
		return outcome;
	/* A function begins with its first range.  The others are parts that the compiler has moved elsewhere. */
	struct scope *function = &reader->scopes[number];
	function->begin = function->end = 0;
	if (reader->extent_count > extents) {
		const struct extent *range = &reader->extents[extents];
		function->begin = range->begin;
		function->end = outcome == UNIT_OK && unit_contains(unit, range->begin, range->end) ? range->end : 0;
		reader->reading->di->counts.dwarf_functions += outcome == UNIT_OK;
	}
	return outcome;
}

#define UNREADABLE "an entry ends too early, or has a value of an unknown form"

/* Read the entry at OFFSET, a function or an inlined call, whose values are next, and add it as a scope. */
static enum outcome read_scope(struct entry_walk *walk, const struct abbreviation *abbreviation, uint32_t offset)
{
	struct dw_unit *unit = walk->unit;
	const struct attribute *all = unit->reader->abbreviations.attributes; /* NULL if no abbreviation has any */
	struct scope_entry entry = { .scope = { .offset = offset, .parent = NO_SCOPE } };
	unit->has_functions = true;
	if (abbreviation->tag == DW_TAG_inlined_subroutine && walk->depth > 1)
		entry.scope.parent = walk->scopes[walk->depth - 2];
	walk->scopes[walk->depth - 1] = unit->reader->scope_count;
	for (uint32_t i = 0; i < abbreviation->count; i++) {
		const struct attribute *attribute = &all[abbreviation->first + i];
		struct value value;
		value_read(&walk->c, attribute, &unit->header.encoding, &value);
		store_attribute(unit, attribute->name, &value, &entry);
	}
	if (walk->c.bad)
		return unit_reject(unit, DW_INFO, walk->info + offset, UNREADABLE);
	enum outcome outcome = find_call_file(unit, &entry);
	return outcome == UNIT_OK ? add_scope(unit, &entry.scope, &entry.code) : outcome;
}

static void skip_values(struct entry_walk *walk, const struct abbreviation *abbreviation)
{
	const struct attribute *all = walk->unit->reader->abbreviations.attributes;
	if (abbreviation->size) {
		decoder_take(&walk->c, abbreviation->size);
		return;
	}
	for (uint32_t i = 0; i < abbreviation->count; i++)
		value_skip(&walk->c, &all[abbreviation->first + i], &walk->unit->header.encoding);
}

/* Read or skip the entry that begins AT; its CODE was read.  If it has children, it stays on the path. */
static enum outcome read_entry(struct entry_walk *walk, const uint8_t *at, uint64_t code)
{
	struct dw_unit *unit = walk->unit;
	const struct abbreviation *abbreviation = abbreviations_find(&unit->reader->abbreviations, code);
	enum outcome outcome = UNIT_OK;
	if (!abbreviation)
		return unit_reject(unit, DW_INFO, at, "an entry has an unknown abbreviation");
	if (walk->depth >= DW_DEEPEST)
		return unit_reject(unit, DW_INFO, at, "entries are nested too deep");
	walk->scopes[walk->depth] = walk->depth > 0 ? walk->scopes[walk->depth - 1] : (uint32_t)NO_SCOPE;
	walk->depth++;
	if (is_scope(abbreviation->tag))
		outcome = read_scope(walk, abbreviation, (uint32_t)(at - walk->info));
	else
		skip_values(walk, abbreviation);
	if (outcome == UNIT_OK && walk->c.bad)
		outcome = unit_reject(unit, DW_INFO, at, UNREADABLE);
	if (outcome == UNIT_OK && !abbreviation->has_children)
		walk->depth--;
	return outcome;
}

/* Visit all entries of the unit: from the first one to the end of its children, or to the end of the unit.  After a
   failure, unit->entry is the offset of the entry. */
static enum outcome visit_all(struct entry_walk *walk)
{
	struct decoder *c = &walk->c;
	enum outcome outcome = UNIT_OK;
	do {
		const uint8_t *at = c->at;
		uint64_t code = decoder_uleb(c);
		walk->unit->entry = (uint32_t)(at - walk->info);
		if (c->bad)
			outcome = unit_reject(walk->unit, DW_INFO, at, UNREADABLE);
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

enum outcome unit_read_scopes(struct dw_unit *unit)
{
	const struct dw_section *info = &unit->sections->items[DW_INFO];
	const uint32_t size = unit->header.next - unit->header.entries;
	struct entry_walk walk; /* not initialised as a whole, because it is large */
	walk.unit = unit;
	walk.info = info->bytes;
	walk.depth = 0;
	walk.c = (struct decoder){ info->bytes + unit->header.entries, info->bytes + unit->header.next, false };
	unit->reader->extent_count = 0;
	unit->entry = unit->header.entries;
	enum outcome outcome = unit_read_abbreviations(unit, 0);
	/* In a hostile file, many units can have the same entries, in one .dwo file. */
	if (outcome == UNIT_OK && !unit_work(unit, WORK_ENTRIES * (uint64_t)size))
		outcome = unit_reject(unit, DW_INFO, walk.c.at, "entries are read too often");
	if (outcome == UNIT_OK)
		outcome = visit_all(&walk);
	if (outcome == UNIT_REJECTED) {
		drop_open_scopes(&walk);
		unit->is_partial = true;
		outcome = UNIT_OK;
	}
	return outcome;
}
