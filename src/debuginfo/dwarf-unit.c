// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dwarf-unit.c - the reasons for which a unit is rejected, the warnings about it, and the budgets that end the reading
 * of hostile input.
 *
 * Budgets are counts of work, not time: the same file gives the same table on every machine.
 */
#include "config.h"
#include "debuginfo/dwarf-unit.h"

#include <stdarg.h>
#include <stdio.h>

enum outcome unit_reject(struct dwarf_unit *unit, const char *why)
{
	if (!unit->why)
		unit->why = why;
	return UNIT_REJECTED;
}

void unit_forgive(struct dwarf_unit *unit)
{
	if (unit->error)
		dwarf_dealloc_error(unit->reader->dbg, unit->error);
	unit->error = NULL;
	unit->why = NULL;
}

void unit_warn(struct dwarf_unit *unit, const char *format, ...)
{
	char text[256];
	va_list args;
	if (unit->reader->quiet || unit->reader->warnings++ >= DWARF_MOST_WARNINGS)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	reading_warn(unit->reader->reading, "%s", text);
}

void unit_warn_unread(struct dwarf_unit *unit)
{
	char what[128] = " is left out";
	if (unit->is_partial)
		snprintf(what, sizeof what, ": functions and inlined calls around and after the entry at 0x%llx%s are left out",
			 (unsigned long long)unit->offset, unit->is_split ? " of its .dwo file" : "");
	unit_warn(unit, "DWARF unit at 0x%llx%s: %s%s%s", (unsigned long long)unit->start, what,
		  unit->why ? unit->why : "header", unit->error ? ": " : "",
		  unit->error ? dwarf_errmsg(unit->error) : "");
	unit_forgive(unit);
}

bool dwarf_spend(uint64_t *left, uint64_t n)
{
	bool enough = n <= *left;
	*left = enough ? *left - n : 0;
	return enough;
}

bool unit_work(struct dwarf_unit *unit, uint64_t n)
{
	return dwarf_spend(&unit->reader->work, n);
}
