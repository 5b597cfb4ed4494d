// SPDX-License-Identifier: GPL-2.0-or-later
/* abbreviations.c - reads a table of abbreviations */
#include "config.h"
#include "debuginfo/dwarf/abbreviations.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"
#include "lib/base/sort.h"
#include "compat/bisect.h"

/* The use of the attribute with number NAME (DWARF 5, 7.5.4). */
static uint8_t attribute_use_of(uint64_t name)
{
	static const uint8_t uses[] = {
		[0x03] = AT_NAME,      [0x10] = AT_STMT_LIST,	  [0x11] = AT_LOW_PC,
		[0x12] = AT_HIGH_PC,   [0x1b] = AT_COMP_DIR,	  [0x31] = AT_ORIGIN, /* DW_AT_abstract_origin */
		[0x3a] = AT_DECL_FILE, [0x3b] = AT_DECL_LINE,	  [0x47] = AT_ORIGIN, /* DW_AT_specification */
		[0x55] = AT_RANGES,    [0x57] = AT_CALL_COLUMN,	  [0x58] = AT_CALL_FILE,
		[0x59] = AT_CALL_LINE, [0x6e] = AT_LINKAGE_NAME,  [0x72] = AT_STR_OFFSETS_BASE,
		[0x73] = AT_ADDR_BASE, [0x74] = AT_RNGLISTS_BASE, [0x76] = AT_DWO_NAME,
	};
	if (name < sizeof uses)
		return uses[name];
	switch (name) {
	case 0x2007: /* DW_AT_MIPS_linkage_name, before DWARF 4 */
		return AT_LINKAGE_NAME;
	/* GNU's attributes for split DWARF before DWARF 5. */
	case 0x2130:
		return AT_DWO_NAME;
	case 0x2131:
		return AT_DWO_ID;
	case 0x2132:
		return AT_RANGES_BASE;
	case 0x2133:
		return AT_ADDR_BASE;
	case 0x2136: /* GNU's attribute of inlined calls */
		return AT_DISCRIMINATOR;
	default:
		return AT_UNUSED;
	}
}

/* Read the attributes of ABBREVIATION, up to the pair of zeros that ends them.  An unknown form is not an error
   here, but entries that have it cannot be read. */
static int read_attributes(struct abbreviations *all, const struct unit_encoding *encoding, struct decoder *c,
			   struct abbreviation *abbreviation)
{
	uint64_t size = 0;
	bool varies = false;
	for (;;) {
		uint64_t name = decoder_uleb(c), number = decoder_uleb(c);
		struct attribute attribute = { .use = attribute_use_of(name) };
		if (c->bad || (name == 0 && number == 0))
			break;
		if (!rs_form_find(number, encoding, &attribute.form))
			attribute.form = (struct form){ CLASS_OTHER, SIZE_UNKNOWN };
		if (number == DW_FORM_implicit_const)
			attribute.constant = (int64_t)decoder_sleb(c);
		if (rs_array_grow(&all->attributes, &all->attribute_room, all->attribute_count, sizeof attribute) < 0)
			return -1;
		all->attributes[all->attribute_count++] = attribute;
		varies |= attribute.form.size >= SIZE_VARIES;
		size += attribute.form.size;
		abbreviation->count++;
	}
	abbreviation->size = varies || size > UINT32_MAX ? 0 : (uint32_t)size;
	return 0;
}

/* Append the abbreviations at *C.  Stops after the one with code LAST, or at the end of the table or the section.
   Returns 0; or -1 without memory. */
static int read_abbreviations(struct abbreviations *all, const struct unit_encoding *encoding, struct decoder *c,
			      uint64_t last)
{
	for (;;) {
		struct abbreviation abbreviation = { .code = decoder_uleb(c), .first = all->attribute_count };
		if (abbreviation.code == 0)
			return 0;
		uint64_t tag = decoder_uleb(c);
		abbreviation.tag = tag <= UINT16_MAX ? (uint16_t)tag : 0;
		abbreviation.has_children = decoder_u8(c) != 0;
		if (read_attributes(all, encoding, c, &abbreviation) < 0)
			return -1;
		if (c->bad)
			return 0;
		if (rs_array_grow(&all->items, &all->room, all->count, sizeof *all->items) < 0)
			return -1;
		all->items[all->count++] = abbreviation;
		if (abbreviation.code == last)
			return 0;
	}
}

static int compare_codes(const void *a, const void *b)
{
	const struct abbreviation *x = a, *y = b;
	return x->code < y->code ? -1 : x->code > y->code;
}

int rs_abbreviations_read(struct abbreviations *all, struct decoder *c, const struct unit_encoding *encoding,
			  uint64_t last)
{
	const uint8_t *begin = c->at;
	all->count = all->attribute_count = 0;
	all->at = NULL;
	if (read_abbreviations(all, encoding, c, last) < 0)
		return -1;
	rs_stable_sort(all->items, all->count, sizeof *all->items, compare_codes);
	all->at = last == 0 ? begin : NULL;
	all->encoding = *encoding;
	return 0;
}

void rs_abbreviations_clear(struct abbreviations *abbreviations)
{
	rs_free(abbreviations->items);
	rs_free(abbreviations->attributes);
}

const struct abbreviation *rs_abbreviations_search(const struct abbreviations *abbreviations, uint64_t code)
{
	const struct abbreviation *items = abbreviations->items;
	size_t at;
	BISECT(at, abbreviations->count, items[at].code < code);
	return at < abbreviations->count && items[at].code == code ? &items[at] : NULL;
}

void rs_entry_read(struct decoder *c, const struct abbreviations *all, const struct abbreviation *abbreviation,
		   struct value *values, unsigned count)
{
	memset(values, 0, count * sizeof *values);
	for (uint32_t i = 0; i < abbreviation->count; i++) {
		const struct attribute *attribute = &all->attributes[abbreviation->first + i];
		if (attribute->use != AT_UNUSED && attribute->use < count)
			rs_value_read(c, attribute, &all->encoding, &values[attribute->use]);
		else
			value_skip(c, attribute, &all->encoding);
	}
}
