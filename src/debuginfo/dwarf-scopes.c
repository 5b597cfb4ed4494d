// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dwarf-scopes.c - a walk through the entries of a unit, which keeps those of functions and inlined calls
 *
 * libdwarf reads the entries here.  dwarf-entries.c does the same in a fraction of the time for units without a fault,
 * and leaves all others to this file.
 *
 * Entries are a tree, stored in the order in which the walk visits them: an entry, those inside it, its next sibling.
 * The walk keeps its path in an array instead of recursing, because the input decides how deep the tree is.
 */
#include "config.h"
#include "debuginfo/dwarf-unit.h"
#include "lib/alloc.h"

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
	if (outcome == UNIT_OK)
		outcome = unit_add_scope(unit, &entry);
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
	if (!dwarf_is_scope(tag))
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
		} else if (walk->depth + 1 >= DWARF_DEEPEST) {
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
	bool done = false;
	if (unit_read_entries(unit, &done) == UNIT_FATAL)
		return UNIT_FATAL;
	if (done)
		return UNIT_OK;
	walk.levels = rs_alloc(DWARF_DEEPEST, sizeof *walk.levels);
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
