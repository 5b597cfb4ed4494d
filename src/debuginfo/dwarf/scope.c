// SPDX-License-Identifier: GPL-2.0-or-later
/* scope.c - adds a function or an inlined call to the reader's scopes */
#include "config.h"
#include "debuginfo/dwarf/known.h"
#include "debuginfo/dwarf/ranges.h"
#include "debuginfo/dwarf/scope.h"
#include "debuginfo/dwarf/wanted.h"
#include "lib/base/array.h"

#include <string.h>

/* Add the function of the newest scope, whose extents begin at number FIRST.  A function begins at its first range.
   Its other ranges are parts that the compiler moved elsewhere. */
static enum outcome add_function(struct dw_unit *unit, uint32_t first)
{
	struct dw_reader *reader = unit->reader;
	const struct extent *extent = &reader->extents[first];
	reader->reading->di->counts.dwarf_functions++;
	if (!unit_owns(unit, extent->begin, extent->end))
		return UNIT_OK;
	known_function(reader, extent->begin, extent->end, extent->what);
	return reading_function(reader->reading, extent->begin, extent->end, extent->what) < 0 ? UNIT_FATAL : UNIT_OK;
}

enum outcome unit_add_scope(struct dw_unit *unit, const struct scope *scope, const struct entry_code *code)
{
	struct dw_reader *reader = unit->reader;
	uint32_t number = reader->scope_count, extents = reader->extent_count;
	/* The whole string is read, and many entries can share a long one. */
	if (scope->name && !unit_work(unit, strlen(scope->name)))
		return unit_reject(unit, DW_INFO, unit->sections->items[DW_INFO].bytes + scope->offset,
				   "names are used too often");
	if (rs_array_grow(&reader->scopes, &reader->scope_room, number, sizeof *reader->scopes) < 0)
		return reading_memory(reader->reading);
	reader->scopes[reader->scope_count++] = *scope;
	enum outcome outcome = unit_add_code(unit, code, number);
	if (scope->parent != NO_SCOPE)
		return outcome;
	const bool has_code = reader->extent_count > extents;
	reader->scopes[number].begin = has_code ? reader->extents[extents].begin : 0;
	return outcome == UNIT_OK && has_code ? add_function(unit, extents) : outcome;
}
