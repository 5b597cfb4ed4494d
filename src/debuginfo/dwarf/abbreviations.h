/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * abbreviations.h - how the entries of a unit are encoded: .debug_abbrev (DWARF 5, 7.5.3)
 *
 * Each entry (DIE) begins with the code of an abbreviation, which gives its tag, and the names and forms of its
 * attributes.
 */
#ifndef DEBUGINFO_DWARF_ABBREVIATIONS_H
#define DEBUGINFO_DWARF_ABBREVIATIONS_H

#include "debuginfo/dwarf/forms.h"

struct abbreviation {
	uint64_t code;
	uint32_t first, count; /* its attributes: COUNT of them, from index FIRST on */
	uint32_t size;	       /* bytes of all values of an entry together; 0 if that varies */
	uint16_t tag;
	bool has_children;
};

struct abbreviations {		    /* one table of .debug_abbrev; several units can share it */
	struct abbreviation *items; /* ascending by code; of equal codes the first one in the section comes first */
	uint32_t count, room;
	struct attribute *attributes; /* those of one abbreviation after those of another */
	uint32_t attribute_count, attribute_room;
	/* Which table this is.  For the next unit with the same table and encoding, it need not be read again. */
	const uint8_t *at; /* the table's first byte; NULL = it was not read, or not all of it */
	struct unit_encoding encoding;
};

/* Read the table at *C, of a unit with ENCODING, into ABBREVIATIONS; abbreviations_clear() frees it.  If LAST is not 0,
   reading stops after the abbreviation with this code.  *C moves past what was read.  If the section ends within the
   table, the abbreviations before that can be used: many entries need no others.  Returns 0; or -1 without memory. */
int abbreviations_read(struct abbreviations *abbreviations, struct decoder *c, const struct unit_encoding *encoding,
		       uint64_t last);
void abbreviations_clear(struct abbreviations *abbreviations);

/* The abbreviation with CODE; NULL if there is none. */
const struct abbreviation *abbreviations_search(const struct abbreviations *abbreviations, uint64_t code);
static inline const struct abbreviation *abbreviations_find(const struct abbreviations *abbreviations, uint64_t code)
{
	/* Compilers number abbreviations 1, 2, 3 and so on, so the search is hardly ever needed. */
	if (code - 1 < abbreviations->count && abbreviations->items[code - 1].code == code)
		return &abbreviations->items[code - 1];
	return abbreviations_search(abbreviations, code);
}

#endif
