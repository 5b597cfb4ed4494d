/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forms.h - values of attributes (DWARF 5, 7.5.5 and 7.5.6)
 *
 * An abbreviation gives each attribute a form, which tells how its value is encoded and of which class it is.  Values
 * are read in two steps: rs_value_read() decodes the bytes; values.c finds what the value refers to,
 * often in another section.
 */
#ifndef DEBUGINFO_DWARF_FORMS_H
#define DEBUGINFO_DWARF_FORMS_H

#include "debuginfo/base/decoder.h"

#include <stdbool.h>
#include <stdint.h>

struct unit_encoding { /* version of a unit, and sizes in bytes of its addresses and offsets */
	uint16_t version;
	uint8_t address_size, offset_size;
};

enum value_class {
	CLASS_ABSENT, /* the entry has no such attribute */
	CLASS_OTHER,  /* not needed here, such as blocks, flags and references to other files; or an unknown form */
	CLASS_ADDRESS,
	CLASS_ADDRESS_INDEX,  /* index of an address in .debug_addr */
	CLASS_ADDRESS_OFFSET, /* index of an address in .debug_addr, and an offset from that address */
	CLASS_CONSTANT,	      /* if signed, in two's complement; also an offset in another section */
	CLASS_LIST_INDEX,     /* index of a range list */
	CLASS_UNIT_REFERENCE, /* offset of an entry from the unit's header */
	CLASS_REFERENCE,      /* offset of an entry in .debug_info */
	CLASS_STRING,	      /* the string itself */
	CLASS_STRING_OFFSET,  /* offset in .debug_str */
	CLASS_LINE_STRING,    /* offset in .debug_line_str */
	CLASS_STRING_INDEX,   /* index of an offset in .debug_str_offsets */
};

/* Sizes of values.  Those below SIZE_VARIES are numbers of bytes, up to 16; the others depend on
   the value's own bytes. */
enum value_size {
	SIZE_VARIES = 0x80,
	SIZE_ULEB = SIZE_VARIES,
	SIZE_SLEB,
	SIZE_STRING,
	SIZE_BLOCK1,
	SIZE_BLOCK2,
	SIZE_BLOCK4,
	SIZE_BLOCK,
	SIZE_ULEB_AND_4, /* DW_FORM_LLVM_addrx_offset */
	SIZE_INDIRECT,	 /* the value begins with the number of its form */
	SIZE_UNKNOWN,	 /* the form is unknown, so reading fails */
};

struct form {
	uint8_t class; /* enum value_class */
	uint8_t size;  /* enum value_size */
};

enum { DW_FORM_indirect = 0x16, DW_FORM_implicit_const = 0x21 };

struct attribute {
	struct form form;
	uint8_t use;	  /* enum attribute_use */
	int64_t constant; /* the value of DW_FORM_implicit_const, whose form has size 0 and CLASS_CONSTANT */
};

struct value {
	union {
		uint64_t number;
		const char *text; /* for CLASS_STRING */
	};
	uint32_t offset; /* for CLASS_ADDRESS_OFFSET */
	uint8_t class;
};

/* Read the length with which a unit or a line table begins (7.4), and let *C end that many bytes after it.  Stores the
   size of offsets in that unit or table.  False if fewer bytes are left. */
bool rs_length_read(struct decoder *c, uint8_t *offset_size);

/* Store the class and size of form NUMBER in a unit with ENCODING.  False if the form is unknown. */
bool rs_form_find(uint64_t number, const struct unit_encoding *encoding, struct form *ret);

/* Read the value of ATTRIBUTE, or skip it.  A damaged value makes *C bad. */
void rs_value_read(struct decoder *c, const struct attribute *attribute, const struct unit_encoding *encoding,
		   struct value *ret);
static inline void value_skip(struct decoder *c, const struct attribute *attribute,
			      const struct unit_encoding *encoding)
{
	struct value unused;
	if (attribute->form.size < SIZE_VARIES)
		decoder_take(c, attribute->form.size);
	else
		rs_value_read(c, attribute, encoding, &unused);
}

/* Store VALUE in *RET if it is a constant; else return false, and *RET is unchanged. */
bool rs_value_number(const struct value *value, uint64_t *ret);

#endif
