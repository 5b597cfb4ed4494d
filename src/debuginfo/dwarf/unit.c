// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * unit.c - stores faults of units, warns of them, takes work from budgets, which bound the time for hostile input, and
 * finds units in the cache
 *
 * Budgets count work instead of time, so that a file gives the same table on every machine.
 */
#include "config.h"
#include "debuginfo/dwarf/unit.h"
#include "lib/base/array.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum outcome rs_unit_reject(struct dw_unit *unit, enum dw_section_id id, const uint8_t *at, const char *why)
{
	const struct dw_section *section = &unit->sections->items[id];
	if (!unit->fault.why)
		unit->fault = (struct fault){ why, id, at && section->bytes ? (uint64_t)(at - section->bytes) : 0 };
	return UNIT_REJECTED;
}

void rs_unit_warn(struct dw_unit *unit, const char *format, ...)
{
	char text[256];
	va_list args;
	if (unit->reader->quiet || unit->reader->warnings++ >= DW_WARNINGS_MAX)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	rs_reading_warn(unit->reader->reading, "%s", text);
}

void rs_unit_warn_unread(struct dw_unit *unit)
{
	const char *of = unit->is_split ? " of its .dwo file" : "";
	char what[128] = " is left out";
	if (unit->is_partial)
		snprintf(what, sizeof what,
			 ": functions and inlined calls around and after the entry at 0x%llx%s are left out",
			 (unsigned long long)unit->entry, of);
	rs_unit_warn(unit, "DWARF unit at 0x%llx%s: %s+0x%llx: %s", (unsigned long long)unit->header.start, what,
		     rs_dw_section_name(unit->fault.section), (unsigned long long)unit->fault.offset, unit->fault.why);
	unit->fault.why = NULL;
}

bool rs_dw_spend_budget(uint64_t *left, uint64_t n)
{
	bool enough = n <= *left;
	*left = enough ? *left - n : 0;
	return enough;
}

bool rs_unit_spend_work(struct dw_unit *unit, uint64_t n)
{
	return rs_dw_spend_budget(&unit->reader->work_left, n);
}

struct known_unit *rs_known_unit_at(struct dw_reader *reader, uint64_t offset)
{
	struct dw_keep *keep = reader->keep;
	uint32_t i = keep->next;
	if (i >= keep->count || keep->units[i].begin != offset)
		i = rs_array_first(keep->units, keep->count, sizeof *keep->units, offsetof(struct known_unit, end),
				   offset + 1);
	keep->next = i + 1;
	return i < keep->count && keep->units[i].begin <= offset ? &keep->units[i] : NULL;
}
