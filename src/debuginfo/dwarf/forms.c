// SPDX-License-Identifier: GPL-2.0-or-later
/* forms.c - decodes the values of each form, and reads abbreviations */
#include "config.h"
#include "debuginfo/dwarf/forms.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"
#include "lib/base/sort.h"
#include "compat/bisect.h"

/* Sizes that depend on the unit's encoding.  They occur only in the two tables below; rs_form_find() replaces them. */
enum { SIZE_OF_ADDRESS = 0x40, SIZE_OF_OFFSET, SIZE_OF_REFERENCE };

/* The standard's forms, by number: DW_FORM_addr and so on. */
static const struct form standard[] = {
	[0x01] = { CLASS_ADDRESS, SIZE_OF_ADDRESS },	  /* addr */
	[0x03] = { CLASS_OTHER, SIZE_BLOCK2 },		  /* block2 */
	[0x04] = { CLASS_OTHER, SIZE_BLOCK4 },		  /* block4 */
	[0x05] = { CLASS_CONSTANT, 2 },			  /* data2 */
	[0x06] = { CLASS_CONSTANT, 4 },			  /* data4 */
	[0x07] = { CLASS_CONSTANT, 8 },			  /* data8 */
	[0x08] = { CLASS_STRING, SIZE_STRING },		  /* string */
	[0x09] = { CLASS_OTHER, SIZE_BLOCK },		  /* block */
	[0x0a] = { CLASS_OTHER, SIZE_BLOCK1 },		  /* block1 */
	[0x0b] = { CLASS_CONSTANT, 1 },			  /* data1 */
	[0x0c] = { CLASS_OTHER, 1 },			  /* flag */
	[0x0d] = { CLASS_CONSTANT, SIZE_SLEB },		  /* sdata */
	[0x0e] = { CLASS_STRING_OFFSET, SIZE_OF_OFFSET }, /* strp */
	[0x0f] = { CLASS_CONSTANT, SIZE_ULEB },		  /* udata */
	[0x10] = { CLASS_REFERENCE, SIZE_OF_REFERENCE },  /* ref_addr */
	[0x11] = { CLASS_UNIT_REFERENCE, 1 },		  /* ref1 */
	[0x12] = { CLASS_UNIT_REFERENCE, 2 },		  /* ref2 */
	[0x13] = { CLASS_UNIT_REFERENCE, 4 },		  /* ref4 */
	[0x14] = { CLASS_UNIT_REFERENCE, 8 },		  /* ref8 */
	[0x15] = { CLASS_UNIT_REFERENCE, SIZE_ULEB },	  /* ref_udata */
	[0x16] = { CLASS_OTHER, SIZE_INDIRECT },	  /* indirect */
	[0x17] = { CLASS_CONSTANT, SIZE_OF_OFFSET },	  /* sec_offset */
	[0x18] = { CLASS_OTHER, SIZE_BLOCK },		  /* exprloc */
	[0x19] = { CLASS_OTHER, 0 },			  /* flag_present */
	[0x1a] = { CLASS_STRING_INDEX, SIZE_ULEB },	  /* strx */
	[0x1b] = { CLASS_ADDRESS_INDEX, SIZE_ULEB },	  /* addrx */
	[0x1c] = { CLASS_OTHER, 4 },			  /* ref_sup4: an entry of a supplementary file */
	[0x1d] = { CLASS_OTHER, SIZE_OF_OFFSET },	  /* strp_sup: a string of such a file */
	[0x1e] = { CLASS_OTHER, 16 },			  /* data16 */
	[0x1f] = { CLASS_LINE_STRING, SIZE_OF_OFFSET },	  /* line_strp */
	[0x20] = { CLASS_OTHER, 8 },			  /* ref_sig8: a type */
	[0x21] = { CLASS_CONSTANT, 0 },			  /* implicit_const */
	[0x22] = { CLASS_OTHER, SIZE_ULEB },		  /* loclistx */
	[0x23] = { CLASS_LIST_INDEX, SIZE_ULEB },	  /* rnglistx */
	[0x24] = { CLASS_OTHER, 8 },			  /* ref_sup8 */
	[0x25] = { CLASS_STRING_INDEX, 1 },		  /* strx1 */
	[0x26] = { CLASS_STRING_INDEX, 2 },		  /* strx2 */
	[0x27] = { CLASS_STRING_INDEX, 3 },		  /* strx3 */
	[0x28] = { CLASS_STRING_INDEX, 4 },		  /* strx4 */
	[0x29] = { CLASS_ADDRESS_INDEX, 1 },		  /* addrx1 */
	[0x2a] = { CLASS_ADDRESS_INDEX, 2 },		  /* addrx2 */
	[0x2b] = { CLASS_ADDRESS_INDEX, 3 },		  /* addrx3 */
	[0x2c] = { CLASS_ADDRESS_INDEX, 4 },		  /* addrx4 */
};

/* The forms of vendors. */
static const struct {
	uint16_t number;
	struct form form;
} others[] = {
	{ 0x1f01, { CLASS_ADDRESS_INDEX, SIZE_ULEB } },	       /* GNU_addr_index */
	{ 0x1f02, { CLASS_STRING_INDEX, SIZE_ULEB } },	       /* GNU_str_index */
	{ 0x1f20, { CLASS_OTHER, SIZE_OF_OFFSET } },	       /* GNU_ref_alt: an entry of a file that dwz made */
	{ 0x1f21, { CLASS_OTHER, SIZE_OF_OFFSET } },	       /* GNU_strp_alt: a string of such a file */
	{ 0x2001, { CLASS_ADDRESS_OFFSET, SIZE_ULEB_AND_4 } }, /* LLVM_addrx_offset */
};

bool rs_length_read(struct decoder *c, uint8_t *offset_size)
{
	uint64_t length = decoder_u32(c);
	*offset_size = length == UINT32_MAX ? 8 : 4;
	if (length == UINT32_MAX)
		length = decoder_uint(c, 8);
	if (c->bad || length > decoder_left(c))
		return false;
	c->end = c->at + length;
	return true;
}

bool rs_form_find(uint64_t number, const struct unit_encoding *encoding, struct form *ret)
{
	enum { STANDARD = sizeof standard / sizeof *standard, OTHERS = sizeof others / sizeof *others };
	const struct form *form = NULL;
	if (number < STANDARD && number != 0 && number != 2) /* the standard has no form of these two numbers */
		form = &standard[number];
	for (unsigned i = 0; i < OTHERS && !form; i++)
		if (others[i].number == number)
			form = &others[i].form;
	if (!form)
		return false;
	*ret = *form;
	if (form->size == SIZE_OF_ADDRESS)
		ret->size = encoding->address_size;
	else if (form->size == SIZE_OF_OFFSET)
		ret->size = encoding->offset_size;
	else if (form->size == SIZE_OF_REFERENCE) /* in DWARF 2, a reference has the size of an address */
		ret->size = encoding->version == 2 ? encoding->address_size : encoding->offset_size;
	return true;
}

/* -------------------------------------------------------------------------------------------- reading */

/* Read the number of a form, which is next in *C before a value, and store in *RET an attribute with that form. */
static void read_indirect_form(struct decoder *c, const struct unit_encoding *encoding, struct attribute *ret)
{
	uint64_t number = decoder_uleb(c);
	*ret = (struct attribute){ .form = { CLASS_OTHER, SIZE_UNKNOWN } };
	/* DW_FORM_implicit_const is refused, because its value is in the abbreviation; DW_FORM_indirect is refused,
	   because it could name itself without end. */
	if (number != DW_FORM_indirect && number != DW_FORM_implicit_const)
		rs_form_find(number, encoding, &ret->form);
}

void rs_value_read(struct decoder *c, const struct attribute *attribute, const struct unit_encoding *encoding,
		   struct value *ret)
{
	struct attribute other;
	if (attribute->form.size == SIZE_INDIRECT) {
		read_indirect_form(c, encoding, &other);
		attribute = &other;
	}
	*ret = (struct value){ .class = attribute->form.class };
	switch (attribute->form.size) {
	case 0:
		ret->number = (uint64_t)attribute->constant;
		break;
	case SIZE_ULEB:
		ret->number = decoder_uleb(c);
		break;
	case SIZE_SLEB:
		ret->number = decoder_sleb(c);
		break;
	case SIZE_STRING:
		ret->text = decoder_string(c);
		break;
	case SIZE_BLOCK1:
		decoder_take(c, decoder_u8(c));
		break;
	case SIZE_BLOCK2:
		decoder_take(c, decoder_u16(c));
		break;
	case SIZE_BLOCK4:
		decoder_take(c, decoder_u32(c));
		break;
	case SIZE_BLOCK:
		decoder_take(c, decoder_uleb(c));
		break;
	case SIZE_ULEB_AND_4:
		ret->number = decoder_uleb(c);
		ret->offset = decoder_u32(c);
		break;
	case SIZE_UNKNOWN:
		c->bad = true;
		c->at = c->end;
		break;
	default: /* a number of that many bytes; of 16 bytes only 8 are stored, but such values are never used */
		ret->number = decoder_uint(c, attribute->form.size);
		break;
	}
}

bool rs_value_number(const struct value *value, uint64_t *ret)
{
	if (value->class == CLASS_CONSTANT)
		*ret = value->number;
	return value->class == CLASS_CONSTANT;
}

/* ------------------------------------------------------------------------------------------------ abbreviations */

/* Returns the use (enum attribute_use) of the attribute with number NAME (DWARF 5, 7.5.4). */
static uint8_t find_attribute_use(uint64_t name)
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

/* Read the attributes of ABBREVIATION, up to the pair of zeros that ends them.  An unknown form gets SIZE_UNKNOWN, so
   only reading an entry with such an attribute fails. */
static int read_attributes(struct abbreviations *all, const struct unit_encoding *encoding, struct decoder *c,
			   struct abbreviation *abbreviation)
{
	uint64_t size = 0;
	bool varies = false;
	for (;;) {
		uint64_t name = decoder_uleb(c), number = decoder_uleb(c);
		struct attribute attribute = { .use = find_attribute_use(name) };
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

/* Move *C past the attributes of an abbreviation. */
static void skip_attributes(struct decoder *c)
{
	uint64_t name, number;
	do {
		name = decoder_uleb(c);
		number = decoder_uleb(c);
		if (number == DW_FORM_implicit_const)
			decoder_skip_leb(c);
	} while (!c->bad && (name != 0 || number != 0));
}

/* Append abbreviations at *C to ALL: if LAST is 0, those up to the end of the table or the section; else only the one
   with the code LAST.  Returns 0; or -1 if memory runs out. */
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
		const bool skipped = last > 0 && abbreviation.code != last;
		if (skipped)
			skip_attributes(c);
		else if (read_attributes(all, encoding, c, &abbreviation) < 0)
			return -1;
		if (c->bad)
			return 0;
		if (skipped)
			continue;
		if (rs_array_grow(&all->items, &all->room, all->count, sizeof *all->items) < 0)
			return -1;
		all->items[all->count++] = abbreviation;
		if (last > 0)
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
