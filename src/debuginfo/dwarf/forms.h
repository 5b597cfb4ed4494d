/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forms.h - values of attributes (DWARF 5, 7.5.5 and 7.5.6), and how the entries of a unit are encoded: .debug_abbrev
 * (7.5.3)
 *
 * An entry (a DIE) describes one thing of the source, such as a function.  It begins with the code of an abbreviation,
 * which has the tag of the entry, and the name and form of each attribute.  A form is the class of a value and its
 * encoding.  rs_value_read() decodes a value; values.c finds what the value refers to, often in another section.
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
	CLASS_OTHER,  /* not needed, such as a block, a flag or a reference to another file; or the form is unknown */
	CLASS_ADDRESS,
	CLASS_ADDRESS_INDEX,  /* index of an address in .debug_addr */
	CLASS_ADDRESS_OFFSET, /* index of an address in .debug_addr, and an offset from that address */
	CLASS_CONSTANT,	      /* a number, in two's complement if signed; or an offset in another section */
	CLASS_LIST_INDEX,     /* index of a range list */
	CLASS_UNIT_REFERENCE, /* offset of an entry from the unit's header */
	CLASS_REFERENCE,      /* offset of an entry in .debug_info */
	CLASS_STRING,	      /* the string itself */
	CLASS_STRING_OFFSET,  /* offset in .debug_str */
	CLASS_LINE_STRING,    /* offset in .debug_line_str */
	CLASS_STRING_INDEX,   /* index of an offset in .debug_str_offsets */
};

/* Sizes of values.  A number below SIZE_VARIES is the size in bytes, up to 16.  For the others, the size follows from
   the bytes of the value. */
enum value_size {
	SIZE_VARIES = 0x80,
	SIZE_ULEB = SIZE_VARIES,
	SIZE_SLEB,
	SIZE_STRING,
	SIZE_BLOCK1,
	SIZE_BLOCK2,
	SIZE_BLOCK4,
	SIZE_BLOCK,
	SIZE_ULEB_AND_4, /* for DW_FORM_LLVM_addrx_offset: a number in ULEB128, then 4 bytes */
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

/* Read the length at the beginning of a unit or a line table (DWARF 5, 7.4), and let *C end where the unit or table
   ends.  Stores the size of offsets in it: 4, or 8 in 64-bit DWARF.  False if fewer bytes than the length are left. */
bool rs_length_read(struct decoder *c, uint8_t *offset_size);

/* Store the class and size of form NUMBER in a unit with ENCODING.  False if the form is unknown. */
bool rs_form_find(uint64_t number, const struct unit_encoding *encoding, struct form *ret);

/* Store the value of ATTRIBUTE, which is next in *C; value_skip() only skips it.  A damaged value makes *C bad. */
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

/* Store the number in VALUE in *RET if it is a constant; else return false, and leave *RET unchanged. */
bool rs_value_number(const struct value *value, uint64_t *ret);

/* What attributes are used for; attributes with the same meaning have the same use. */
enum attribute_use {
	AT_UNUSED,
	AT_NAME,
	AT_LINKAGE_NAME,
	AT_ORIGIN, /* DW_AT_abstract_origin and DW_AT_specification */
	AT_LOW_PC,
	AT_HIGH_PC,
	AT_RANGES,
	AT_CALL_FILE,
	AT_CALL_LINE,
	AT_OF_SCOPE, /* how many uses functions and inlined calls need; a unit's first entry needs the next ones, too */
	AT_STMT_LIST = AT_OF_SCOPE,
	AT_COMP_DIR,
	AT_DWO_NAME,
	AT_DWO_ID,
	AT_STR_OFFSETS_BASE,
	AT_ADDR_BASE,
	AT_RNGLISTS_BASE,
	AT_RANGES_BASE,
	AT_OF_UNIT,
	AT_CALL_COLUMN = AT_OF_UNIT, /* from here on: needed by functions and inlined calls if details are wanted */
	AT_DECL_FILE,
	AT_DECL_LINE,
	AT_DISCRIMINATOR,
	AT_OF_DETAILED,
};

struct abbreviation {
	uint64_t code;
	uint32_t first, count; /* its attributes: COUNT of them, from index FIRST on */
	uint32_t size;	       /* bytes of all values of an entry together; 0: unknown, as the sizes vary */
	uint16_t tag;
	bool has_children;
};

struct abbreviations {		    /* one table of .debug_abbrev; several units can share it */
	struct abbreviation *items; /* ascending by code; of equal codes the first one in the section comes first */
	uint32_t count, room;
	struct attribute *attributes; /* attributes of all abbreviations, one abbreviation after another */
	uint32_t attribute_count, attribute_room;
	/* AT and ENCODING identify the table: if they are equal for the next unit, its table is not read again. */
	const uint8_t *at; /* the table's first byte; NULL = the table was not read, or only a part of it */
	struct unit_encoding encoding;
};

/* Read the table at *C, of a unit with ENCODING, into ABBREVIATIONS; rs_abbreviations_clear() frees it.  If LAST is not
   0, stores only the abbreviation with the code LAST, and stops after it.  *C moves past what was read.  If the section
   ends within the table, keeps the abbreviations before that: many entries need no others.  Returns 0; or -1 if memory
   runs out. */
int rs_abbreviations_read(struct abbreviations *abbreviations, struct decoder *c, const struct unit_encoding *encoding,
			  uint64_t last);
void rs_abbreviations_clear(struct abbreviations *abbreviations);

/* rs_entry_read() reads the values of an entry with ABBREVIATION: a value whose use is less than COUNT becomes
   VALUES[use].  entry_skip() skips all values.  A damaged value makes *C bad. */
void rs_entry_read(struct decoder *c, const struct abbreviations *abbreviations,
		   const struct abbreviation *abbreviation, struct value *values, unsigned count);
static inline void entry_skip(struct decoder *c, const struct abbreviations *abbreviations,
			      const struct abbreviation *abbreviation)
{
	if (abbreviation->size)
		decoder_take(c, abbreviation->size);
	for (uint32_t i = 0; i < abbreviation->count && !abbreviation->size; i++)
		value_skip(c, &abbreviations->attributes[abbreviation->first + i], &abbreviations->encoding);
}

/* Returns the abbreviation with CODE; NULL if there is none. */
const struct abbreviation *rs_abbreviations_search(const struct abbreviations *abbreviations, uint64_t code);
static inline const struct abbreviation *abbreviations_find(const struct abbreviations *abbreviations, uint64_t code)
{
	/* Compilers number abbreviations 1, 2, 3 and so on, so the search is hardly ever needed. */
	if (code - 1 < abbreviations->count && abbreviations->items[code - 1].code == code)
		return &abbreviations->items[code - 1];
	return rs_abbreviations_search(abbreviations, code);
}

#endif
