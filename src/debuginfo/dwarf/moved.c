// SPDX-License-Identifier: GPL-2.0-or-later
/* moved.c - corrects the addresses of DWARF in an image that was moved after the link */
#include "config.h"
#include "debuginfo/dwarf/unit.h"
#include "debuginfo/symbols/symbol-steps.h"

/* At most this many functions of a unit are compared with symbols; fewer if the symbol of one is found. */
enum { FUNCTIONS_MAX = 16 };

/* Pass the address where the code of UNIT begins to rs_shift_count_unit(), unless UNIT has no code. */
static enum outcome count_unit_begin(struct dw_unit *unit, struct shift *shift)
{
	if (unit->values[AT_HIGH_PC].class == CLASS_ABSENT && unit->values[AT_RANGES].class == CLASS_ABSENT)
		return UNIT_OK;
	const enum outcome outcome = rs_unit_read_ranges(unit);
	const struct dw_reader *reader = unit->reader;
	if (outcome == UNIT_OK)
		rs_shift_count_unit(shift, reader->extent_count > 0,
				    reader->extent_count > 0 ? reader->extents[0].begin : 0);
	return outcome;
}

/* Returns the name of the function with VALUES; NULL if it has none.  If the function's entry has no name, reads the
   values of its declaration, in the same unit, into VALUES, and uses the name there. */
static const char *find_function_name(const struct dw_unit *unit, struct value values[AT_OF_SCOPE])
{
	enum { REFERENCES = 3 };
	const struct abbreviations *all = &unit->reader->abbreviations;
	const char *name = NULL;
	for (unsigned i = 0; i < REFERENCES; i++) {
		uint32_t origin;
		if (rs_value_string(unit, &values[AT_LINKAGE_NAME], &name) ||
		    rs_value_string(unit, &values[AT_NAME], &name) ||
		    !rs_value_reference(unit, &values[AT_ORIGIN], &origin) || origin < unit->header.entries ||
		    origin >= unit->header.next)
			break;
		struct decoder c = dw_decode_section(unit->sections, DW_INFO, origin);
		const struct abbreviation *abbreviation = abbreviations_find(all, decoder_uleb(&c));
		if (!abbreviation)
			break;
		rs_entry_read(&c, all, abbreviation, values, AT_OF_SCOPE);
		if (c.bad)
			break;
	}
	return name;
}

/* Compare the functions of UNIT with the symbols, until a symbol has been found for one of them. */
static enum outcome compare_unit_functions(struct dw_unit *unit, struct shift *shift)
{
	const struct abbreviations *all = &unit->reader->abbreviations;
	struct decoder c = dw_decode_section(unit->sections, DW_INFO, unit->header.entries);
	struct value values[AT_OF_SCOPE];
	uint64_t low;
	int found = 0;
	enum outcome outcome = rs_unit_read_abbreviations(unit, 0);
	c.end = unit->sections->items[DW_INFO].bytes + unit->header.next;
	if (outcome != UNIT_OK || !rs_unit_spend_work(unit, WORK_ENTRIES * (uint64_t)decoder_left(&c)))
		return outcome;
	for (unsigned functions = 0; found == 0 && functions < FUNCTIONS_MAX && c.at < c.end;) {
		const uint64_t code = decoder_uleb(&c);
		const struct abbreviation *abbreviation = code != 0 ? abbreviations_find(all, code) : NULL;
		if (code != 0 && !abbreviation)
			break;
		if (code == 0 || abbreviation->tag != DW_TAG_subprogram) {
			if (code != 0)
				entry_skip(&c, all, abbreviation);
			continue;
		}
		rs_entry_read(&c, all, abbreviation, values, AT_OF_SCOPE);
		if (c.bad || !rs_value_address(unit, &values[AT_LOW_PC], &low))
			continue;
		const char *name = find_function_name(unit, values);
		if (name)
			found = rs_shift_compare_function(shift, name, strlen(name), low);
		functions++;
	}
	return found < 0 ? UNIT_FATAL : UNIT_OK;
}

/* An rs_shift_visit (symbol-steps.h).  If COMPARES, compares functions of units with symbols, until two functions have
   different shifts; else calls count_unit_begin() for the first SHIFT_TESTS units. */
static int count_or_compare_units(void *context, struct shift *shift, bool compares)
{
	struct dw_reader *reader = context;
	const uint32_t size = reader->sections.items[DW_INFO].size;
	uint32_t most = compares ? UINT32_MAX : SHIFT_TESTS;
	enum outcome outcome = UNIT_OK;
	for (uint32_t at = 0, next; outcome != UNIT_FATAL && at < size && most-- > 0 && !shift->differs; at = next) {
		struct dw_unit unit = { .reader = reader, .sections = &reader->sections };
		outcome = rs_unit_read_header(&unit, at);
		next = unit.header.next;
		if (next == 0)
			break;
		if (outcome == UNIT_OK && (unit.header.kind == DW_UT_compile || unit.header.kind == DW_UT_partial))
			outcome = rs_unit_read_first_entry(&unit);
		else
			unit.header.kind = 0;
		if (outcome == UNIT_OK && unit.header.kind != 0)
			outcome = compares ? compare_unit_functions(&unit, shift) : count_unit_begin(&unit, shift);
	}
	return outcome == UNIT_FATAL ? -1 : 0;
}

int rs_dw_correct_base(struct dw_reader *reader)
{
	struct shift_found *found = &reader->keep->shift;
	found->known |= reader->reading->symbols.elf != NULL; /* no tool moves ELF files: the distance stays 0 */
	return rs_shift_correct_base(reader->reading, found, "DWARF", count_or_compare_units, reader);
}
