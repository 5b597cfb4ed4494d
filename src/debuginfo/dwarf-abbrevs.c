// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How many abbreviations a unit has.  libdwarf makes objects of them, for each unit anew, and keeps them: units that share
 * one large table could take gigabytes.
 */
#include "config.h"
#include "debuginfo/dwarf-unit.h"

/* What things cost: some times the bytes that libdwarf allocates, and a little for each byte that it looks at. */
enum { COST_UNIT = 4096, COST_ABBREVIATION = 256, COST_BYTE = 4 };

/* The section NAME from OFFSET on; a bad cursor if there is no such. */
static struct cursor section_from(const struct dwarf_object *object, const char *name, uint64_t offset)
{
	const struct dwarf_section *section = dwarf_object_section(object, name);
	if (!section || offset >= section->size)
		return (struct cursor){ .bad = true };
	return (struct cursor){ section->bytes + offset, section->bytes + section->size, false };
}

/* Where the abbreviations of the unit at OFFSET begin. */
static struct cursor abbreviations(const struct dwarf_object *object, Dwarf_Off offset)
{
	struct cursor c = section_from(object, ".debug_info", offset);
	unsigned offset_size = 4;
	if (cursor_u32(&c) == 0xffffffff) {
		cursor_uint(&c, 8);
		offset_size = 8;
	}
	if (cursor_u16(&c) >= 5)
		cursor_u16(&c);		/* kind of the unit, size of an address */
	uint64_t at = cursor_uint(&c, offset_size);
	return c.bad ? c : section_from(object, ".debug_abbrev", at);
}

/* Go past one.  False at the end of the table. */
static bool skip_abbreviation(struct cursor *c)
{
	uint64_t name, form;
	if (cursor_uleb(c) == 0)
		return false;
	cursor_uleb(c);		/* tag */
	cursor_u8(c);		/* whether there are entries inside */
	do {
		name = cursor_uleb(c);
		form = cursor_uleb(c);
		if (form == DW_FORM_implicit_const)
			cursor_sleb(c);
	} while (name != 0 || form != 0);
	return !c->bad;
}

uint64_t dwarf_unit_cost(const struct dwarf_object *object, Dwarf_Off offset, uint64_t most)
{
	struct cursor c = abbreviations(object, offset);
	uint64_t cost = offset < object->sections[0].size ? COST_UNIT : 0;
	for (const uint8_t *at = c.at; cost <= most && !c.bad && skip_abbreviation(&c); at = c.at)
		cost += COST_ABBREVIATION + COST_BYTE * (uint64_t)(c.at - at);
	return cost;
}
