// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dwarf-scopes.c - a walk through the entries of a unit, which keeps those of functions and inlined calls
 *
 * Entries are a tree, stored in the order in which the walk visits them: an entry, those inside it, its next sibling.
 * The walk keeps its path in an array instead of recursing, because the input decides how deep the tree is.
 */
#include "config.h"
#include "debuginfo/dwarf-unit.h"
#include "lib/array.h"
#include "lib/alloc.h"

#include <string.h>

/* The deepest nesting of entries.  They nest as the source does. */
enum { DEEPEST = 2048 };

/* One entry on the path from the unit's entry to the current one. */
struct level {
	Dwarf_Die die;
	uint32_t scope;		/* the scope of this entry, or else the innermost one around it */
	uint64_t visited;	/* how many entries came before it */
};

struct entry_walk {
	struct dwarf_unit *unit;
	struct level *levels;
	uint32_t depth;		/* of the current one */
	uint64_t visited;
};

/* What the attributes of a function or inlined call say. */
struct scope_entry {
	struct scope scope;
	struct entry_code code;
	bool has_call_file;
	uint64_t call_file;
};

/* Store the value of ATTRIBUTE in ENTRY, if we need it.  A value of the wrong kind counts as absent. */
static enum outcome read_attribute(struct dwarf_unit *unit, struct scope_entry *entry, Dwarf_Attribute attribute)
{
	Dwarf_Debug dbg = unit->reader->dbg;
	struct scope *scope = &entry->scope;
	Dwarf_Half number = 0, form = 0;
	uint64_t value = 0;

	if (dwarf_whatattr(attribute, &number, &unit->error) != DW_DLV_OK ||
	    dwarf_whatform(attribute, &form, &unit->error) != DW_DLV_OK)
		return unit_reject(unit, "attribute");
	switch (number) {
	case DW_AT_name:
		if (!scope->name)
			dwarf_object_string(dbg, attribute, &scope->name);
		break;
	case DW_AT_linkage_name:
	case DW_AT_MIPS_linkage_name:
		scope->linkage |= dwarf_object_string(dbg, attribute, &scope->name);
		break;
	case DW_AT_abstract_origin:
	case DW_AT_specification:
		if (form != DW_FORM_ref_sig8 && dwarf_object_reference(dbg, attribute, &value) && value <= UINT32_MAX)
			scope->origin = (uint32_t)value;
		break;
	case DW_AT_low_pc:
	case DW_AT_high_pc:
	case DW_AT_ranges:
		unit_code_attribute(unit, &entry->code, number, attribute, form);
		break;
	case DW_AT_call_file:
		entry->has_call_file = dwarf_object_number(dbg, attribute, &entry->call_file);
		break;
	case DW_AT_call_line:
		if (dwarf_object_number(dbg, attribute, &value) && value < UINT32_MAX)
			scope->call_line = (uint32_t)value;
		break;
	default:
		break;
	}
	return UNIT_OK;
}

/* Add ENTRY to the reader's scopes, and its ranges to the extents. */
static enum outcome add_scope(struct entry_walk *walk, struct scope_entry *entry)
{
	struct dwarf_unit *unit = walk->unit;
	struct dwarf_reader *reader = unit->reader;
	uint32_t number = reader->scope_count;
	enum outcome outcome = UNIT_OK;
	/* Since DWARF 5, file 0 is the unit's own file.  Before, 0 meant unknown. */
	if (entry->call_file || (unit->version >= 5 && (entry->has_call_file || entry->scope.call_line)))
		outcome = unit_file(unit, entry->call_file, &entry->scope.call_file);
	if (outcome != UNIT_OK)
		return outcome;
	if (rs_array_grow(&reader->scopes, &reader->scope_room, number, sizeof *reader->scopes) < 0)
		return reading_memory(reader->reading);
	reader->scopes[reader->scope_count++] = entry->scope;

	uint32_t extents = reader->extent_count;
	outcome = unit_add_code(unit, &entry->code, number);
	/* A function begins at its first range.  Its other ranges are parts that the compiler moved elsewhere. */
	if (outcome == UNIT_OK && entry->scope.parent == NO_SCOPE && reader->extent_count > extents) {
		const struct extent *first = &reader->extents[extents];
		reader->reading->di->counts.dwarf_functions++;
		if (unit_owns(unit, first->begin, first->end))
			outcome = reading_function(reader->reading, first->begin, first->end, number);
	}
	return outcome;
}

/* Read the attributes of DIE, a function or an inlined call inside scope PARENT, and add it. */
static enum outcome read_scope(struct entry_walk *walk, Dwarf_Die die, Dwarf_Half tag, uint32_t parent)
{
	struct dwarf_unit *unit = walk->unit;
	Dwarf_Debug dbg = unit->reader->dbg;
	Dwarf_Attribute *attributes = NULL;
	Dwarf_Signed count = 0;
	struct scope_entry entry = { .scope.offset = (uint32_t)walk->unit->offset };
	enum outcome outcome = UNIT_OK;

	unit->has_functions = true;
	entry.scope.parent = tag == DW_TAG_inlined_subroutine ? parent : NO_SCOPE;
	int res = dwarf_attrlist(die, &attributes, &count, &unit->error);
	if (res == DW_DLV_ERROR)
		return unit_reject(unit, "entry");
	if (res == DW_DLV_NO_ENTRY)
		count = 0;
	for (Dwarf_Signed i = 0; i < count && outcome == UNIT_OK; i++)
		outcome = read_attribute(unit, &entry, attributes[i]);
	/* libdwarf goes through the whole string, and many entries can share a long one. */
	if (outcome == UNIT_OK && entry.scope.name && !unit_work(unit, strlen(entry.scope.name)))
		outcome = unit_reject(unit, "entry");
	if (outcome == UNIT_OK)
		outcome = add_scope(walk, &entry);
	for (Dwarf_Signed i = 0; i < count; i++)
		dwarf_dealloc_attribute(attributes[i]);
	if (res == DW_DLV_OK)
		dwarf_dealloc(dbg, attributes, DW_DLA_LIST);
	return outcome;
}

/* Make DIE the current entry, at DEPTH.  The walk frees it.  Offsets must ascend, or damaged references between
   entries could make the walk go in circles. */
static enum outcome visit(struct entry_walk *walk, Dwarf_Die die, uint32_t depth)
{
	struct dwarf_unit *unit = walk->unit;
	struct level *level = &walk->levels[depth];
	Dwarf_Off offset = 0;
	Dwarf_Half tag = 0;

	level->die = die;
	level->scope = depth > 0 ? walk->levels[depth - 1].scope : NO_SCOPE;
	level->visited = walk->visited++;
	walk->depth = depth;
	if (dwarf_dieoffset(die, &offset, &unit->error) != DW_DLV_OK || dwarf_tag(die, &tag, &unit->error) != DW_DLV_OK)
		return unit_reject(unit, "entry");
	if (offset > UINT32_MAX || (depth > 0 && offset <= unit->offset) || !unit_work(unit, WORK_ENTRY))
		return unit_reject(unit, "entries out of order");
	unit->offset = offset;
	if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine && tag != DW_TAG_entry_point)
		return UNIT_OK;
	uint32_t parent = level->scope;
	level->scope = unit->reader->scope_count;
	return read_scope(walk, die, tag, parent);
}

/* Leave the current entry for its next sibling, or, if it has none, for that of an entry around it.  Sets *DONE at
   the end of the unit. */
static enum outcome go_on(struct entry_walk *walk, bool *done)
{
	struct dwarf_unit *unit = walk->unit;
	for (;;) {
		struct level *level = &walk->levels[walk->depth];
		if (walk->depth == 0) {
			*done = true;
			return UNIT_OK;
		}
		/* Without a sibling attribute, libdwarf parses all entries inside the current one again to find the
		   sibling. */
		if (!unit_work(unit, WORK_ENTRY * (walk->visited - level->visited)))
			return unit_reject(unit, "entries too deep");
		Dwarf_Die sibling = NULL;
		int res = dwarf_siblingof_b(unit->reader->dbg, level->die, 1, &sibling, &unit->error);
		dwarf_dealloc_die(level->die);
		level->die = NULL;
		level->scope = level[-1].scope;
		if (res == DW_DLV_ERROR)
			return unit_reject(unit, "entry");
		if (res == DW_DLV_OK)
			return visit(walk, sibling, walk->depth);
		walk->depth--;
	}
}

/* Visit all entries of the unit. */
static enum outcome walk_entries(struct entry_walk *walk)
{
	struct dwarf_unit *unit = walk->unit;
	bool done = false;
	enum outcome outcome = visit(walk, unit->die, 0);
	while (outcome == UNIT_OK && !done) {
		Dwarf_Die child = NULL;
		int res = dwarf_child(walk->levels[walk->depth].die, &child, &unit->error);
		if (res == DW_DLV_ERROR)
			return unit_reject(unit, "entry");
		if (res == DW_DLV_NO_ENTRY) {
			outcome = go_on(walk, &done);
		} else if (walk->depth + 1 >= DEEPEST) {
			dwarf_dealloc_die(child);
			return unit_reject(unit, "entries too deep");
		} else {
			outcome = visit(walk, child, walk->depth + 1);
		}
	}
	return outcome;
}

/* Drop the extents of the scopes around the current entry, at which the walk failed: not all of their inlined calls
   are known, so their code could get a wrong answer.  Extents are in the order of their scopes, and the path is too. */
static void drop_open_scopes(struct entry_walk *walk)
{
	struct dwarf_reader *reader = walk->unit->reader;
	uint32_t kept = 0, depth = 0;
	for (uint32_t i = 0; i < reader->extent_count; i++) {
		const struct extent *extent = &reader->extents[i];
		while (depth <= walk->depth && (walk->levels[depth].scope == NO_SCOPE || walk->levels[depth].scope < extent->what))
			depth++;
		if (depth > walk->depth || walk->levels[depth].scope != extent->what)
			reader->extents[kept++] = *extent;
	}
	reader->extent_count = kept;
}

enum outcome unit_read_scopes(struct dwarf_unit *unit)
{
	struct entry_walk walk = { .unit = unit };
	unit->reader->extent_count = 0;
	walk.levels = rs_alloc(DEEPEST, sizeof *walk.levels);
	if (!walk.levels)
		return reading_memory(unit->reader->reading);
	enum outcome outcome = walk_entries(&walk);
	if (outcome == UNIT_REJECTED) {
		drop_open_scopes(&walk);
		unit->is_partial = true;
		outcome = UNIT_OK;
	}
	for (uint32_t i = 1; i <= walk.depth; i++)	/* the caller frees the unit's own entry, number 0 */
		if (walk.levels[i].die)
			dwarf_dealloc_die(walk.levels[i].die);
	rs_free(walk.levels);
	return outcome;
}
