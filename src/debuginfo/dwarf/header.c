// SPDX-License-Identifier: GPL-2.0-or-later
/* header.c - reads a unit's header and its first entry, which describes the unit (DWARF 5, 7.5.1 and 3.1) */
#include "config.h"
#include "debuginfo/dwarf/unit.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------------ header */

/* Read the fields of the header after the length.  Returns NULL; or why the unit cannot be read. */
static const char *read_unit_header_fields(struct unit_header *header, struct decoder *c)
{
	struct unit_encoding *encoding = &header->encoding;
	encoding->version = decoder_u16(c);
	if (!c->bad && (encoding->version < 2 || encoding->version > 5))
		return "the unit is of an unknown version";
	header->kind = encoding->version >= 5 ? decoder_u8(c) : (uint8_t)DW_UT_compile;
	if (encoding->version >= 5)
		encoding->address_size = decoder_u8(c);
	header->abbreviations = decoder_uint(c, encoding->offset_size);
	if (encoding->version < 5)
		encoding->address_size = decoder_u8(c);
	switch (header->kind) {
	case DW_UT_compile:
	case DW_UT_partial:
	case DW_UT_type: /* more fields follow, but entries of types are not needed */
	case DW_UT_split_type:
		break;
	case DW_UT_skeleton:
	case DW_UT_split_compile:
		header->dwo_id = decoder_uint(c, 8);
		break;
	default:
		return "the unit is of an unknown type";
	}
	if (c->bad)
		return "the header ends too early";
	if (encoding->address_size != 4 && encoding->address_size != 8)
		return "addresses have neither 4 nor 8 bytes";
	return NULL;
}

/* Set the bases for units without DW_AT_str_offsets_base or DW_AT_rnglists_base, as in .dwo files: the unit's part of
   such a section begins after the section's header, so these bases are the sizes of the headers. */
static void set_default_bases(struct unit_header *header)
{
	const bool is_64_bit = header->encoding.offset_size == 8;
	if (header->encoding.version < 5)
		return;
	header->str_offsets_base = is_64_bit ? 16 : 8;
	header->rnglists_base = is_64_bit ? 20 : 12;
}

enum outcome rs_unit_read_header(struct dw_unit *unit, uint32_t offset)
{
	struct unit_header *header = &unit->header;
	struct decoder c = dw_decode_section(unit->sections, DW_INFO, offset);
	const uint8_t *begin = c.at;
	*header = (struct unit_header){ .start = offset };
	if (!rs_length_read(&c, &header->encoding.offset_size))
		return rs_unit_reject(unit, DW_INFO, begin, "the unit is longer than the section");
	header->next = offset + (uint32_t)(c.end - begin);
	if (c.at == c.end)
		return UNIT_OK;
	const char *why = read_unit_header_fields(header, &c);
	header->entries = offset + (uint32_t)(c.at - begin);
	set_default_bases(header);
	return why ? rs_unit_reject(unit, DW_INFO, begin, why) : UNIT_OK;
}

/* --------------------------------------------------------------------------------------------- first entry */

/* Set the fields of UNIT that come from unit->values, the values of its first entry.  The bases come first, because
   other values may need them. */
static void store_values_of_first_entry(struct dw_unit *unit)
{
	const struct value *values = unit->values;
	rs_value_number(&values[AT_STR_OFFSETS_BASE], &unit->header.str_offsets_base);
	rs_value_number(&values[AT_RNGLISTS_BASE], &unit->header.rnglists_base);
	rs_value_number(&values[AT_ADDR_BASE], &unit->addr_base);
	rs_value_number(&values[AT_RANGES_BASE], &unit->ranges_base);
	rs_value_number(&values[AT_DWO_ID], &unit->header.dwo_id);
	rs_value_address(unit, &values[AT_LOW_PC], &unit->low);
	rs_value_string(unit, &values[AT_COMP_DIR], &unit->comp_dir);
	rs_value_string(unit, &values[AT_DWO_NAME], &unit->dwo_name);
	unit->known.has_lines = rs_value_number(&values[AT_STMT_LIST], &unit->known.lines);
}

enum outcome rs_unit_read_abbreviations(struct dw_unit *unit, uint64_t last)
{
	struct dw_reader *reader = unit->reader;
	struct abbreviations *all = &reader->abbreviations;
	struct decoder c = dw_decode_section(unit->sections, DW_ABBREV, unit->header.abbreviations);
	const uint8_t *begin = c.at;
	if (c.bad)
		return rs_unit_reject(unit, DW_ABBREV, begin, "the unit's abbreviations are not there");
	if (all->at == begin && memcmp(&all->encoding, &unit->header.encoding, sizeof all->encoding) == 0)
		return UNIT_OK;
	/* Do not read more than the budget allows: in a hostile file, many units can have parts of one large table. */
	const bool is_short = decoder_left(&c) > reader->work_left / WORK_ABBREVIATIONS;
	if (is_short)
		c.end = c.at + reader->work_left / WORK_ABBREVIATIONS;
	if (rs_abbreviations_read(all, &c, &unit->header.encoding, last) < 0)
		return rs_fail_memory(reader->reading->err);
	rs_unit_spend_work(unit, WORK_ABBREVIATIONS * (uint64_t)(c.at - begin));
	if (!c.bad || !is_short)
		return UNIT_OK;
	all->at = NULL;
	return rs_unit_reject(unit, DW_ABBREV, begin, "abbreviations are read too often");
}

enum outcome rs_unit_read_first_entry(struct dw_unit *unit)
{
	const struct abbreviations *all = &unit->reader->abbreviations;
	struct decoder c = dw_decode_section(unit->sections, DW_INFO, unit->header.entries);
	c.end = unit->sections->items[DW_INFO].bytes + unit->header.next;
	const uint8_t *begin = c.at;
	unit->entry = unit->header.entries;
	uint64_t code = c.at < c.end ? decoder_uleb(&c) : 0;
	if (code == 0) {
		unit->header.kind = 0;
		return UNIT_OK;
	}
	/* If the unit may be skipped, no other entry's abbreviation is needed yet. */
	const bool may_skip = unit->reader->is_surveying || unit->reader->reading->wanted;
	enum outcome outcome = rs_unit_read_abbreviations(unit, may_skip ? code : 0);
	if (outcome != UNIT_OK)
		return outcome;
	const struct abbreviation *abbreviation = abbreviations_find(all, code);
	if (!abbreviation)
		return rs_unit_reject(unit, DW_INFO, begin, "the unit's entry has an unknown abbreviation");
	rs_entry_read(&c, all, abbreviation, unit->values, AT_OF_UNIT);
	if (c.bad)
		return rs_unit_reject(unit, DW_INFO, begin, "the unit's entry cannot be read");
	store_values_of_first_entry(unit);
	return UNIT_OK;
}
