// SPDX-License-Identifier: GPL-2.0-or-later
/* dwarf-scope.c - adds a scope to the reader's, from what the attributes of its entry say */
#include "config.h"
#include "debuginfo/dwarf-unit.h"
#include "lib/array.h"

#include <string.h>

/* Store the number of the file in which ENTRY was called. */
static enum outcome find_call_file(struct dwarf_unit *unit, struct scope_entry *entry)
{
	/* Since DWARF 5, file 0 is the unit's own file.  Before, 0 meant unknown. */
	if (entry->call_file || (unit->version >= 5 && (entry->has_call_file || entry->scope.call_line)))
		return unit_file(unit, entry->call_file, &entry->scope.call_file);
	return UNIT_OK;
}

/* Add the function of ENTRY, the newest scope, whose extents begin at number FIRST.  A function begins at its first range.
   Its other ranges are parts that the compiler moved elsewhere. */
static enum outcome add_function(struct dwarf_unit *unit, uint32_t first)
{
	struct dwarf_reader *reader = unit->reader;
	const struct extent *extent = &reader->extents[first];
	reader->reading->di->counts.dwarf_functions++;
	if (!unit_owns(unit, extent->begin, extent->end))
		return UNIT_OK;
	return reading_function(reader->reading, extent->begin, extent->end, extent->what) < 0 ? UNIT_FATAL : UNIT_OK;
}

enum outcome unit_add_scope(struct dwarf_unit *unit, struct scope_entry *entry)
{
	struct dwarf_reader *reader = unit->reader;
	uint32_t number = reader->scope_count, extents = reader->extent_count;
	/* The whole string is read, and many entries can share a long one. */
	if (entry->scope.name && !unit_work(unit, strlen(entry->scope.name)))
		return unit_reject(unit, "entry");
	enum outcome outcome = find_call_file(unit, entry);
	if (outcome != UNIT_OK)
		return outcome;
	if (rs_array_grow(&reader->scopes, &reader->scope_room, number, sizeof *reader->scopes) < 0)
		return reading_memory(reader->reading);
	reader->scopes[reader->scope_count++] = entry->scope;
	outcome = unit_add_code(unit, &entry->code, number);
	if (outcome == UNIT_OK && entry->scope.parent == NO_SCOPE && reader->extent_count > extents)
		outcome = add_function(unit, extents);
	return outcome;
}
