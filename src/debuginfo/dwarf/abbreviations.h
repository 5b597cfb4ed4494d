/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * abbreviations.h - how the entries of a unit are encoded: .debug_abbrev (DWARF 5, 7.5.3)
 *
 * Each entry (DIE) begins with the code of an abbreviation, which gives its tag, and the names and
 * forms of its attributes.
 */
#ifndef DEBUGINFO_DWARF_ABBREVIATIONS_H
#define DEBUGINFO_DWARF_ABBREVIATIONS_H

#include "debuginfo/dwarf/forms.h"

/* The attributes that are needed; those with the same meaning share a use. */
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
	AT_OF_SCOPE, /* functions and inlined calls need only the uses above; a unit's first entry needs all */
	AT_STMT_LIST = AT_OF_SCOPE,
	AT_COMP_DIR,
	AT_DWO_NAME,
	AT_DWO_ID,
	AT_STR_OFFSETS_BASE,
	AT_ADDR_BASE,
	AT_RNGLISTS_BASE,
	AT_RANGES_BASE,
	AT_OF_UNIT,
	AT_CALL_COLUMN = AT_OF_UNIT, /* these are needed only if details are wanted */
	AT_DECL_FILE,
	AT_DECL_LINE,
	AT_DISCRIMINATOR,
	AT_OF_DETAILED,
};

struct abbreviation {
	uint64_t code;
	uint32_t first, count; /* its attributes: COUNT of them, from index FIRST on */
	uint32_t size;	       /* bytes of all values of an entry together; 0: skip them one by one, as sizes vary */
	uint16_t tag;
	bool has_children;
};

struct abbreviations {		    /* one table of .debug_abbrev; several units can share it */
	struct abbreviation *items; /* ascending by code; of equal codes the first one in the section comes first */
	uint32_t count, room;
	struct attribute *attributes; /* attributes of all abbreviations, one abbreviation after another */
	uint32_t attribute_count, attribute_room;
	/* Identify this table, so that it is not read again for a next unit with the same table and encoding. */
	const uint8_t *at; /* the table's first byte; NULL = the table was not read, or only a part of it */
	struct unit_encoding encoding;
};

/* Read the table at *C, of a unit with ENCODING, into ABBREVIATIONS; rs_abbreviations_clear() frees it.  If LAST is not 0,
   reading stops after the abbreviation with this code.  *C moves past what was read.  If the section ends within the
   table, the abbreviations before that can be used: many entries need no others.  Returns 0; or -1 without memory. */
int rs_abbreviations_read(struct abbreviations *abbreviations, struct decoder *c, const struct unit_encoding *encoding,
			  uint64_t last);
void rs_abbreviations_clear(struct abbreviations *abbreviations);

/* Read the values of an entry with ABBREVIATION: those whose use is less than COUNT become VALUES[use].  entry_skip()
   only skips them.  A damaged value makes *C bad. */
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
