// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * values.c - finds what a value refers to: an address, a string, another entry
 *
 * Each function stores what it finds in *RET and returns true.  If the value is of another class or refers to something
 * outside its section, it returns false, and *RET is unchanged: the caller treats the attribute as absent.
 */
#include "config.h"
#include "debuginfo/dwarf/unit.h"

bool rs_unit_number_at(const struct dw_unit *unit, enum dw_section_id id, uint64_t index, uint64_t *ret)
{
	const struct unit_header *header = &unit->header;
	const unsigned size = id == DW_ADDR ? header->encoding.address_size : header->encoding.offset_size;
	const uint64_t base = id == DW_ADDR	     ? unit->addr_base
			      : id == DW_STR_OFFSETS ? header->str_offsets_base
						     : header->rnglists_base;
	if (index > UINT32_MAX)
		return false;
	struct decoder c = dw_section_from(unit->sections, id, base + index * size);
	const uint64_t number = decoder_uint(&c, size);
	if (!c.bad)
		*ret = number;
	return !c.bad;
}

bool rs_value_address(const struct dw_unit *unit, const struct value *value, uint64_t *ret)
{
	if (value->class == CLASS_ADDRESS) {
		*ret = value->number;
		return true;
	}
	uint64_t address;
	if ((value->class != CLASS_ADDRESS_INDEX && value->class != CLASS_ADDRESS_OFFSET) ||
	    !rs_unit_number_at(unit, DW_ADDR, value->number, &address))
		return false;
	*ret = address + value->offset;
	return true;
}

bool rs_value_reference(const struct dw_unit *unit, const struct value *value, uint32_t *ret)
{
	uint64_t offset = value->number;
	if (value->class == CLASS_UNIT_REFERENCE && offset < unit->header.next - unit->header.start)
		offset += unit->header.start;
	else if (value->class != CLASS_REFERENCE)
		return false;
	if (offset >= unit->sections->items[DW_INFO].size)
		return false;
	*ret = (uint32_t)offset;
	return true;
}

bool rs_value_string(const struct dw_unit *unit, const struct value *value, const char **ret)
{
	uint64_t offset = value->number;
	if (value->class == CLASS_STRING && value->text) {
		*ret = value->text;
		return true;
	}
	if (value->class == CLASS_STRING_INDEX
		    ? !rs_unit_number_at(unit, DW_STR_OFFSETS, value->number, &offset)
		    : value->class != CLASS_STRING_OFFSET && value->class != CLASS_LINE_STRING)
		return false;
	struct decoder c = dw_section_from(unit->sections, value->class == CLASS_LINE_STRING ? DW_LINE_STR : DW_STR,
					   offset);
	const char *text = decoder_string(&c);
	if (text)
		*ret = text;
	return text != NULL;
}
