// SPDX-License-Identifier: GPL-2.0-or-later
/* values.c - addresses, strings and entries by their numbers and offsets */
#include "config.h"
#include "debuginfo/dwarf/values.h"

bool unit_address_at(const struct dw_unit *unit, uint64_t index, uint64_t *ret)
{
	const unsigned size = unit->header.encoding.address_size;
	if (index > UINT32_MAX)
		return false;
	struct decoder c = dw_section_from(unit->sections, DW_ADDR, unit->addr_base + index * size);
	uint64_t address = decoder_uint(&c, size);
	if (!c.bad)
		*ret = address;
	return !c.bad;
}

bool value_address(const struct dw_unit *unit, const struct value *value, uint64_t *ret)
{
	if (value->class == CLASS_ADDRESS) {
		*ret = value->number;
		return true;
	}
	uint64_t address;
	if (!value_is_address(value) || !unit_address_at(unit, value->number, &address))
		return false;
	*ret = address + value->offset;
	return true;
}

bool value_reference(const struct dw_unit *unit, const struct value *value, uint32_t *ret)
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

/* The offset of string number INDEX: in .debug_str_offsets after the unit's base. */
static bool string_offset(const struct dw_unit *unit, uint64_t index, uint64_t *ret)
{
	if (index > UINT32_MAX)
		return false;
	struct decoder c = dw_section_from(unit->sections, DW_STR_OFFSETS,
					   unit->header.str_offsets_base + index * unit->header.encoding.offset_size);
	*ret = decoder_uint(&c, unit->header.encoding.offset_size);
	return !c.bad;
}

bool value_string(const struct dw_unit *unit, const struct value *value, const char **ret)
{
	uint64_t offset = value->number;
	if (value->class == CLASS_STRING && value->text) {
		*ret = value->text;
		return true;
	}
	if (value->class == CLASS_STRING_INDEX
		    ? !string_offset(unit, value->number, &offset)
		    : value->class != CLASS_STRING_OFFSET && value->class != CLASS_LINE_STRING)
		return false;
	struct decoder c = dw_section_from(unit->sections, value->class == CLASS_LINE_STRING ? DW_LINE_STR : DW_STR,
					   offset);
	const char *text = decoder_string(&c);
	if (text)
		*ret = text;
	return text != NULL;
}
