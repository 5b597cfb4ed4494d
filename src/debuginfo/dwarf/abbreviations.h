/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * abbreviations.h - how the entries of a unit are encoded: .debug_abbrev (DWARF 5, 7.5.3)
 *
 * Each entry begins with the code of an abbreviation, which gives its tag and the names and forms of its attributes.
 */
#ifndef DEBUGINFO_DWARF_ABBREVIATIONS_H
#define DEBUGINFO_DWARF_ABBREVIATIONS_H

#include "debuginfo/dwarf/forms.h"

struct abbreviation {
	uint64_t code;
	uint32_t first, count; /* its attributes */
	uint32_t size;	       /* of the values of an entry together; 0 if it varies */
	uint16_t tag;
	bool has_children;
};

struct abbreviations {		    /* one table of .debug_abbrev; several units can share it */
	struct abbreviation *items; /* ascending by code; of equal codes the first one in the section comes first */
	uint32_t count, room;
	struct attribute *attributes; /* of all abbreviations, one after the other */
	uint32_t attribute_count, attribute_room;
	/* What the table was read for.  Another unit with the same encoding need not read it again. */
	const uint8_t *at; /* its first byte; NULL = nothing was read */
	struct unit_encoding encoding;
};

/* Read the table at *C, of a unit with ENCODING, into ABBREVIATIONS; abbreviations_clear() frees it.  If LAST is not 0,
   reading stops after the abbreviation with this code.  *C is moved past what was read.  If the table ends too early,
   the abbreviations before that are kept: many entries need no others.  Returns 0, or -1 without memory. */
int abbreviations_read(struct abbreviations *abbreviations, struct decoder *c, const struct unit_encoding *encoding,
		       uint64_t last);
void abbreviations_clear(struct abbreviations *abbreviations);

/* The abbreviation with CODE, or NULL. */
const struct abbreviation *abbreviations_search(const struct abbreviations *abbreviations, uint64_t code);
static inline const struct abbreviation *abbreviations_find(const struct abbreviations *abbreviations, uint64_t code)
{
	/* Compilers number abbreviations 1, 2, 3 and so on, so the search is hardly ever needed. */
	if (code - 1 < abbreviations->count && abbreviations->items[code - 1].code == code)
		return &abbreviations->items[code - 1];
	return abbreviations_search(abbreviations, code);
}

#endif
