// SPDX-License-Identifier: GPL-2.0-or-later
/* forms.c - how each form encodes a value */
#include "config.h"
#include "debuginfo/dwarf/constants.h"
#include "debuginfo/dwarf/forms.h"

/* Sizes that the unit's header tells; only in the table below. */
enum { SIZE_OF_ADDRESS = 0x40, SIZE_OF_OFFSET, SIZE_OF_REFERENCE };

/* The standard's forms, by number. */
static const struct form standard[] = {
	[DW_FORM_addr] = { CLASS_ADDRESS, SIZE_OF_ADDRESS },
	[DW_FORM_block2] = { CLASS_OTHER, SIZE_BLOCK2 },
	[DW_FORM_block4] = { CLASS_OTHER, SIZE_BLOCK4 },
	[DW_FORM_data2] = { CLASS_CONSTANT, 2 },
	[DW_FORM_data4] = { CLASS_CONSTANT, 4 },
	[DW_FORM_data8] = { CLASS_CONSTANT, 8 },
	[DW_FORM_string] = { CLASS_STRING, SIZE_STRING },
	[DW_FORM_block] = { CLASS_OTHER, SIZE_BLOCK },
	[DW_FORM_block1] = { CLASS_OTHER, SIZE_BLOCK1 },
	[DW_FORM_data1] = { CLASS_CONSTANT, 1 },
	[DW_FORM_flag] = { CLASS_OTHER, 1 },
	[DW_FORM_sdata] = { CLASS_SIGNED, SIZE_SLEB },
	[DW_FORM_strp] = { CLASS_STRING_OFFSET, SIZE_OF_OFFSET },
	[DW_FORM_udata] = { CLASS_CONSTANT, SIZE_ULEB },
	[DW_FORM_ref_addr] = { CLASS_REFERENCE, SIZE_OF_REFERENCE },
	[DW_FORM_ref1] = { CLASS_UNIT_REFERENCE, 1 },
	[DW_FORM_ref2] = { CLASS_UNIT_REFERENCE, 2 },
	[DW_FORM_ref4] = { CLASS_UNIT_REFERENCE, 4 },
	[DW_FORM_ref8] = { CLASS_UNIT_REFERENCE, 8 },
	[DW_FORM_ref_udata] = { CLASS_UNIT_REFERENCE, SIZE_ULEB },
	[DW_FORM_indirect] = { CLASS_OTHER, SIZE_INDIRECT },
	[DW_FORM_sec_offset] = { CLASS_SECTION_OFFSET, SIZE_OF_OFFSET },
	[DW_FORM_exprloc] = { CLASS_OTHER, SIZE_BLOCK },
	[DW_FORM_flag_present] = { CLASS_OTHER, 0 },
	[DW_FORM_strx] = { CLASS_STRING_INDEX, SIZE_ULEB },
	[DW_FORM_addrx] = { CLASS_ADDRESS_INDEX, SIZE_ULEB },
	[DW_FORM_ref_sup4] = { CLASS_OTHER, 4 }, /* these two are in a supplementary file */
	[DW_FORM_strp_sup] = { CLASS_OTHER, SIZE_OF_OFFSET },
	[DW_FORM_data16] = { CLASS_OTHER, 16 },
	[DW_FORM_line_strp] = { CLASS_LINE_STRING, SIZE_OF_OFFSET },
	[DW_FORM_ref_sig8] = { CLASS_OTHER, 8 }, /* a type */
	[DW_FORM_implicit_const] = { CLASS_SIGNED, 0 },
	[DW_FORM_loclistx] = { CLASS_OTHER, SIZE_ULEB },
	[DW_FORM_rnglistx] = { CLASS_LIST_INDEX, SIZE_ULEB },
	[DW_FORM_ref_sup8] = { CLASS_OTHER, 8 },
	[DW_FORM_strx1] = { CLASS_STRING_INDEX, 1 },
	[DW_FORM_strx2] = { CLASS_STRING_INDEX, 2 },
	[DW_FORM_strx3] = { CLASS_STRING_INDEX, 3 },
	[DW_FORM_strx4] = { CLASS_STRING_INDEX, 4 },
	[DW_FORM_addrx1] = { CLASS_ADDRESS_INDEX, 1 },
	[DW_FORM_addrx2] = { CLASS_ADDRESS_INDEX, 2 },
	[DW_FORM_addrx3] = { CLASS_ADDRESS_INDEX, 3 },
	[DW_FORM_addrx4] = { CLASS_ADDRESS_INDEX, 4 },
};

/* The forms of vendors. */
static const struct {
	uint16_t number;
	struct form form;
} others[] = {
	{ DW_FORM_GNU_addr_index, { CLASS_ADDRESS_INDEX, SIZE_ULEB } },
	{ DW_FORM_GNU_str_index, { CLASS_STRING_INDEX, SIZE_ULEB } },
	{ DW_FORM_GNU_ref_alt, { CLASS_OTHER, SIZE_OF_OFFSET } }, /* these two are in a file that dwz made */
	{ DW_FORM_GNU_strp_alt, { CLASS_OTHER, SIZE_OF_OFFSET } },
	{ DW_FORM_LLVM_addrx_offset, { CLASS_ADDRESS_OFFSET, SIZE_ULEB_AND_4 } },
};

bool form_find(uint64_t number, const struct unit_encoding *encoding, struct form *ret)
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
	else if (form->size == SIZE_OF_REFERENCE) /* DWARF 2 gave it the size of an address */
		ret->size = encoding->version == 2 ? encoding->address_size : encoding->offset_size;
	return true;
}

/* -------------------------------------------------------------------------------------------- reading */

/* Store the form that *C names in *RET: what follows is a value of this form. */
static void read_indirect(struct decoder *c, const struct unit_encoding *encoding, struct attribute *ret)
{
	uint64_t number = decoder_uleb(c);
	*ret = (struct attribute){ .form.size = SIZE_UNKNOWN };
	/* DW_FORM_implicit_const has its value in the abbreviation, which here is none.  An indirect form that names
	   itself would never end. */
	if (number != DW_FORM_indirect && number != DW_FORM_implicit_const)
		form_find(number, encoding, &ret->form);
}

void value_skip_varying(struct decoder *c, const struct attribute *attribute, const struct unit_encoding *encoding)
{
	struct attribute other;
	switch (attribute->form.size) {
	case SIZE_STRING:
		decoder_string(c);
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
		decoder_uleb(c);
		decoder_take(c, 4);
		break;
	case SIZE_INDIRECT:
		read_indirect(c, encoding, &other);
		value_skip(c, &other, encoding);
		break;
	case SIZE_UNKNOWN:
		c->bad = true;
		c->at = c->end;
		break;
	default:
		decoder_uleb(c);
		break;
	}
}

void value_read(struct decoder *c, const struct attribute *attribute, const struct unit_encoding *encoding,
		struct value *ret)
{
	struct attribute other;
	if (attribute->form.size == SIZE_INDIRECT) {
		read_indirect(c, encoding, &other);
		attribute = &other;
	}
	*ret = (struct value){ .class = attribute->form.class };
	if (ret->class == CLASS_OTHER)
		value_skip(c, attribute, encoding);
	else if (attribute->form.size == 0)
		ret->number = (uint64_t)attribute->constant;
	else if (attribute->form.size < SIZE_VARIES)
		ret->number = decoder_uint(c, attribute->form.size);
	else if (attribute->form.size == SIZE_STRING)
		ret->text = decoder_string(c);
	else
		ret->number = attribute->form.size == SIZE_SLEB ? decoder_sleb(c) : decoder_uleb(c);
	if (ret->class == CLASS_ADDRESS_OFFSET)
		ret->offset = decoder_u32(c);
}

bool value_number(const struct value *value, uint64_t *ret)
{
	bool good = value->class == CLASS_CONSTANT || value->class == CLASS_SECTION_OFFSET ||
		    (value->class == CLASS_SIGNED && value->number <= INT64_MAX);
	if (good)
		*ret = value->number;
	return good;
}
