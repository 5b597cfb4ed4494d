// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dwarf-headers.c - from one unit's header to the next, with libdwarf
 *
 * libdwarf makes an object for each abbreviation of a unit, for each unit anew, and keeps them all until it is closed.
 * Abbreviations say how entries are encoded, and units may share a table of them: a small file with many units that
 * share one large table would take gigabytes.  So the bytes are counted here before libdwarf sees a unit.
 */
#include "config.h"
#include "debuginfo/dwarf-unit.h"

#include <string.h>

/* Upper limits for the bytes that libdwarf allocates, and a little for each byte that it looks at. */
enum { COST_UNIT = 4096, COST_ABBREVIATION = 256, COST_BYTE = 4 };

struct decoder dwarf_abbreviations(const struct dwarf_object *object, Dwarf_Off offset)
{
	struct decoder c = dwarf_object_from(object, ".debug_info", offset);
	unsigned offset_size = 4;
	if (decoder_u32(&c) == 0xffffffff) {
		decoder_uint(&c, 8);
		offset_size = 8;
	}
	if (decoder_u16(&c) >= 5)
		decoder_u16(&c);	/* kind of the unit, size of an address */
	uint64_t at = decoder_uint(&c, offset_size);
	return c.bad ? c : dwarf_object_from(object, ".debug_abbrev", at);
}

/* Go past one abbreviation.  Returns false at the end of the table. */
static bool skip_abbreviation(struct decoder *c)
{
	uint64_t name, form;
	if (decoder_uleb(c) == 0)
		return false;
	decoder_uleb(c);	/* tag */
	decoder_u8(c);		/* whether there are entries inside */
	do {
		name = decoder_uleb(c);
		form = decoder_uleb(c);
		if (form == DW_FORM_implicit_const)
			decoder_sleb(c);
	} while (name != 0 || form != 0);
	return !c->bad;
}

/* How many bytes libdwarf keeps for the unit at OFFSET.  Stops counting above MOST. */
static uint64_t unit_cost(const struct dwarf_object *object, Dwarf_Off offset, uint64_t most)
{
	struct decoder c = dwarf_abbreviations(object, offset);
	uint64_t cost = offset < object->sections[0].size ? COST_UNIT : 0;
	for (const uint8_t *at = c.at; cost <= most && !c.bad && skip_abbreviation(&c); at = c.at)
		cost += COST_ABBREVIATION + COST_BYTE * (uint64_t)(c.at - at);
	return cost;
}

static bool may_open_unit(struct dwarf_reader *reader, Dwarf_Off at)
{
	if (dwarf_spend(&reader->objects, unit_cost(reader->object, at, reader->objects)))
		return true;
	reading_warn(reader->reading, "DWARF from 0x%llx on is left out: "
		     "more units or abbreviations than an image of this size can have", (unsigned long long)at);
	return false;
}

int dwarf_open_object(struct dwarf_reader *reader)
{
	Dwarf_Error error = NULL;
	int res = dwarf_object_open(reader->object, &reader->dbg, &error);
	if (res == DW_DLV_OK)
		return 1;
	if (res == DW_DLV_ERROR) {
		reading_warn(reader->reading, "DWARF is left out: %s", dwarf_errmsg(error));
		dwarf_dealloc_error(NULL, error);
	}
	reader->dbg = NULL;
	return 0;
}

int dwarf_next_unit(struct dwarf_reader *reader, Dwarf_Off at, struct unit_header *header, Dwarf_Error *error)
{
	if (!may_open_unit(reader, at))
		return DW_DLV_NO_ENTRY;
	Dwarf_Unsigned length = 0, type_offset = 0;
	Dwarf_Half extension = 0;
	Dwarf_Off abbrev = 0;
	Dwarf_Sig8 signature;
	*header = (struct unit_header){ 0 };
	memset(&signature, 0, sizeof signature);
	int res = dwarf_next_cu_header_d(reader->dbg, 1, &length, &header->version, &abbrev, &header->address_size,
					 &header->offset_size, &extension, &signature, &type_offset, &header->next,
					 &header->kind, error);
	for (int i = 8; i-- > 0;)
		header->dwo_id = header->dwo_id << 8 | (uint8_t)signature.signature[i];
	return res;
}
