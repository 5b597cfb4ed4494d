// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dwarf-entries.c - a walk through the entries of a unit, for units without a fault
 *
 * Replaces the walk in dwarf-scopes.c, its plain twin, which takes 10.6 times as many instructions for SQLite in C and 9.4 times
 * as many for C++ with templates: libdwarf makes an object for each entry and each attribute, and most entries are variables
 * and types, of which only the size is needed.  Here the sizes are known from the abbreviations.
 *
 * Both must give the same table and the same warnings.  So this walk judges nothing: at the first thing that is damaged,
 * unusual, or only known to libdwarf, it gives up, undoes what it did, and the twin reads the unit.
 */
#include "config.h"
#include "debuginfo/dwarf-unit.h"
#include "lib/array.h"
#include "lib/alloc.h"

/* No unit of a compiler has more attributes in its abbreviations. */
enum { MOST_VALUES = 1 << 16 };

/* The size of a value that its own bytes tell. */
enum { VARIES = 255 };

struct abbreviated {		/* an attribute */
	uint16_t name;
	uint8_t form, size;	/* SIZE in bytes, or VARIES */
	uint64_t constant;	/* the value, for DW_FORM_implicit_const */
};

struct abbreviation {
	uint32_t first, count;	/* its attributes */
	uint32_t size;		/* of all its values together; 0 if one varies, or if the values are needed */
	uint16_t tag;
	bool has_children;
	bool has_sibling;
};

#define NOT_SAID UINT64_MAX

struct open_entry {		/* an entry around the current one */
	uint32_t scope;		/* its scope, or else the innermost one around it */
	uint64_t visited;	/* how many entries came before it */
	uint64_t sibling;	/* where its next sibling is said to be in .debug_info, or NOT_SAID */
};

struct entries {
	struct dwarf_unit *unit;
	struct decoder c;
	const uint8_t *info;	/* the section */
	struct open_entry *around;
	uint32_t depth;
	uint64_t visited;
	uint64_t work;
};

/* libdwarf may refuse a number that has more bytes. */
enum { LONGEST = 9 };

/* As decoder_uleb(), but a number of more than LONGEST bytes is bad.  A zero of several bytes is bad, too: if it is the code of an
   entry, libdwarf sometimes looks at its first byte alone. */
static inline uint64_t uleb(struct decoder *c)
{
	if (c->at < c->end && *c->at < 0x80)
		return *c->at++;
	const uint8_t *at = c->at;
	uint64_t value = decoder_uleb(c);
	c->bad |= c->at - at > LONGEST || value == 0;
	return value;
}

/* The same for decoder_sleb(). */
static uint64_t sleb(struct decoder *c)
{
	const uint8_t *at = c->at;
	uint64_t value = decoder_sleb(c);
	c->bad |= c->at - at > LONGEST;
	return value;
}

/* ----------------------------------------------------------------------------------------- abbreviations */

/* The bytes of a value of FORM, VARIES, or -1 for a form that is left to libdwarf. */
static int size_of_form(const struct dwarf_unit *unit, uint64_t form)
{
	switch (form) {
	case DW_FORM_flag_present:
	case DW_FORM_implicit_const:
		return 0;
	case DW_FORM_data1:
	case DW_FORM_ref1:
	case DW_FORM_flag:
		return 1;
	case DW_FORM_data2:
	case DW_FORM_ref2:
		return 2;
	case DW_FORM_data4:
	case DW_FORM_ref4:
		return 4;
	case DW_FORM_data8:
	case DW_FORM_ref8:
	case DW_FORM_ref_sig8:
		return 8;
	case DW_FORM_data16:
		return 16;
	case DW_FORM_addr:
		return (int)unit->address_size;
	case DW_FORM_ref_addr:
		return (int)(unit->version == 2 ? unit->address_size : unit->offset_size);
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_sec_offset:
		return (int)unit->offset_size;
	case DW_FORM_string:
	case DW_FORM_sdata:
	case DW_FORM_udata:
	case DW_FORM_ref_udata:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
	case DW_FORM_block:
	case DW_FORM_block1:
	case DW_FORM_block2:
	case DW_FORM_block4:
	case DW_FORM_exprloc:
		return VARIES;
	default:
		return -1;
	}
}

/* Read the attributes of ABBREVIATION.  Returns UNIT_REJECTED for what is left to libdwarf, as the functions below. */
static enum outcome read_abbreviated(struct dwarf_unit *unit, struct decoder *c, struct abbreviation *abbreviation)
{
	struct abbreviations *all = &unit->reader->abbreviations;
	bool varies = dwarf_is_scope(abbreviation->tag);
	for (;;) {
		uint64_t name = uleb(c), form = uleb(c);
		int size = size_of_form(unit, form);
		if (name == 0 && form == 0)
			break;
		if (c->bad || name == 0 || name > DW_AT_hi_user || size < 0 || all->value_count >= MOST_VALUES)
			return UNIT_REJECTED;
		if (rs_array_grow(&all->values, &all->value_room, all->value_count, sizeof *all->values) < 0)
			return reading_memory(unit->reader->reading);
		struct abbreviated *value = &all->values[all->value_count++];
		*value = (struct abbreviated){ (uint16_t)name, (uint8_t)form, (uint8_t)size, 0 };
		if (form == DW_FORM_implicit_const)
			value->constant = sleb(c);
		if (name == DW_AT_sibling && abbreviation->has_sibling)
			return UNIT_REJECTED;	/* libdwarf takes the first */
		abbreviation->has_sibling |= name == DW_AT_sibling;
		varies |= size == VARIES;
		abbreviation->size += (uint32_t)size;
		abbreviation->count++;
	}
	if (varies || abbreviation->has_sibling)
		abbreviation->size = 0;
	return c->bad ? UNIT_REJECTED : UNIT_OK;
}

/* Read the abbreviations of the unit.  Compilers number them 1, 2, 3 and so on.  A unit that numbers them otherwise is left to libdwarf. */
static enum outcome read_abbreviations(struct dwarf_unit *unit)
{
	struct abbreviations *all = &unit->reader->abbreviations;
	struct decoder c = dwarf_abbreviations(unit->reader->object, unit->start);
	all->count = all->value_count = 0;
	for (uint64_t code; (code = uleb(&c)) != 0;) {
		uint64_t tag = uleb(&c);
		uint8_t has_children = decoder_u8(&c);
		if (c.bad || code != all->count + 1 || tag == 0 || tag > DW_TAG_hi_user || has_children > 1)
			return UNIT_REJECTED;
		if (rs_array_grow(&all->items, &all->room, all->count, sizeof *all->items) < 0)
			return reading_memory(unit->reader->reading);
		struct abbreviation *abbreviation = &all->items[all->count++];
		*abbreviation = (struct abbreviation){ .first = all->value_count, .tag = (uint16_t)tag,
						       .has_children = has_children };
		enum outcome outcome = read_abbreviated(unit, &c, abbreviation);
		if (outcome != UNIT_OK)
			return outcome;
	}
	return c.bad ? UNIT_REJECTED : UNIT_OK;
}

/* ------------------------------------------------------------------------------------------------ values */

static void skip_value(struct decoder *c, const struct abbreviated *value)
{
	switch (value->size == VARIES ? value->form : 0) {
	case 0:
		decoder_take(c, value->size);
		break;
	case DW_FORM_string:
		decoder_string(c);
		break;
	case DW_FORM_block1:
		decoder_take(c, decoder_u8(c));
		break;
	case DW_FORM_block2:
		decoder_take(c, decoder_u16(c));
		break;
	case DW_FORM_block4:
		decoder_take(c, decoder_u32(c));
		break;
	case DW_FORM_block:
	case DW_FORM_exprloc:
		decoder_take(c, uleb(c));
		break;
	default:
		uleb(c);
		break;
	}
}

/* Read a value that is an unsigned number.  Returns false if it is left to libdwarf, as the functions below. */
static bool read_number(struct decoder *c, const struct abbreviated *value, uint64_t *ret)
{
	switch (value->form) {
	case DW_FORM_data1:
	case DW_FORM_data2:
	case DW_FORM_data4:
	case DW_FORM_data8:
	case DW_FORM_sec_offset:
		*ret = decoder_uint(c, value->size);
		return true;
	case DW_FORM_udata:
		*ret = uleb(c);
		return true;
	case DW_FORM_implicit_const:
		*ret = value->constant;
		return *ret <= INT64_MAX;
	default:
		return false;
	}
}

static bool read_address(struct decoder *c, const struct abbreviated *value, uint64_t *ret)
{
	*ret = decoder_uint(c, value->size);
	return value->form == DW_FORM_addr;
}

/* Read a reference to another entry: its offset in .debug_info. */
static bool read_reference(struct entries *entries, const struct abbreviated *value, uint64_t *ret)
{
	const struct dwarf_unit *unit = entries->unit;
	switch (value->form) {
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
		*ret = decoder_uint(&entries->c, value->size);
		break;
	case DW_FORM_ref_udata:
		*ret = uleb(&entries->c);
		break;
	case DW_FORM_ref_addr:
		*ret = decoder_uint(&entries->c, value->size);
		return *ret < unit->reader->object->sections[0].size;
	default:
		return false;
	}
	bool inside = *ret < unit->next - unit->start;
	*ret += unit->start;
	return inside;
}

static bool read_string(struct entries *entries, const struct abbreviated *value, const char **ret)
{
	const char *section = value->form == DW_FORM_strp ? ".debug_str" : ".debug_line_str";
	if (value->form == DW_FORM_string) {
		*ret = decoder_string(&entries->c);
		return *ret != NULL;
	}
	if (value->form != DW_FORM_strp && value->form != DW_FORM_line_strp)
		return false;
	struct decoder c = dwarf_object_from(entries->unit->reader->object, section, decoder_uint(&entries->c, value->size));
	*ret = decoder_string(&c);
	return *ret != NULL;
}

/* ------------------------------------------------------------------------------------------------ scopes */

/* Store an attribute of a scope in ENTRY, or skip it. */
static bool read_attribute(struct entries *entries, const struct abbreviated *value, struct scope_entry *entry)
{
	struct decoder *c = &entries->c;
	const char *name = NULL;
	uint64_t number = 0;
	bool good = true;
	switch (value->name) {
	case DW_AT_name:
		good = read_string(entries, value, &name);
		if (!entry->scope.name)
			entry->scope.name = name;
		break;
	case DW_AT_linkage_name:
	case DW_AT_MIPS_linkage_name:
		good = read_string(entries, value, &entry->scope.name);
		entry->scope.linkage = true;
		break;
	case DW_AT_abstract_origin:
	case DW_AT_specification:
		good = read_reference(entries, value, &number) && number <= UINT32_MAX;
		entry->scope.origin = (uint32_t)number;
		break;
	case DW_AT_low_pc:
		good = read_address(c, value, &entry->code.low);
		entry->code.has_low = true;
		break;
	case DW_AT_high_pc:
		/* Of two attributes one may be a length; the other one then counts as a length, too. */
		entry->code.high_is_length |= value->form != DW_FORM_addr;
		good = value->form == DW_FORM_addr ? read_address(c, value, &entry->code.high)
						   : read_number(c, value, &entry->code.high);
		entry->code.has_high = true;
		break;
	case DW_AT_ranges:
		good = read_number(c, value, &entry->code.ranges);
		entry->code.has_ranges = entry->code.knows_ranges = true;
		entry->code.ranges_form = value->form;
		break;
	case DW_AT_call_file:
		good = read_number(c, value, &entry->call_file);
		entry->has_call_file = true;
		break;
	case DW_AT_call_line:
		good = read_number(c, value, &number) && number < UINT32_MAX;
		entry->scope.call_line = (uint32_t)number;
		break;
	default:
		skip_value(c, value);
		break;
	}
	return good;
}

/* Read the values of an entry.  Stores in ENTRY what they say, unless it is NULL, and in *SIBLING where the next sibling
   is said to be. */
static bool read_values(struct entries *entries, const struct abbreviation *abbreviation, struct scope_entry *entry,
			uint64_t *sibling)
{
	const struct abbreviated *values = entries->unit->reader->abbreviations.values;
	bool good = true;
	for (uint32_t i = 0; i < abbreviation->count && good; i++) {
		const struct abbreviated *value = &values[abbreviation->first + i];
		if (value->name == DW_AT_sibling)
			good = read_reference(entries, value, sibling);
		else if (entry)
			good = read_attribute(entries, value, entry);
		else
			skip_value(&entries->c, value);
	}
	return good;
}

/* Read the entry at OFFSET, a function or an inlined call inside *SCOPE, and add it: it then is *SCOPE. */
static enum outcome read_scope(struct entries *entries, const struct abbreviation *abbreviation, uint32_t offset,
			       uint32_t *scope, uint64_t *sibling)
{
	struct dwarf_unit *unit = entries->unit;
	struct scope_entry entry = { .scope.offset = offset };
	unit->has_functions = true;
	entry.scope.parent = abbreviation->tag == DW_TAG_inlined_subroutine ? *scope : (uint32_t)NO_SCOPE;
	if (!read_values(entries, abbreviation, &entry, sibling) || entries->c.bad)
		return UNIT_REJECTED;
	*scope = unit->reader->scope_count;
	return unit_add_scope(unit, &entry);
}

/* -------------------------------------------------------------------------------------------------- walk */

/* Leave the innermost entry around this place, where its children end. */
static bool leave(struct entries *entries)
{
	const struct open_entry *left = &entries->around[--entries->depth];
	if (entries->depth > 0)
		entries->work += WORK_ENTRY * (entries->visited - left->visited);
	return left->sibling == NOT_SAID || left->sibling == (uint64_t)(entries->c.at - entries->info);
}

/* Read the entry at OFFSET, whose code was read already, and enter it if it has children. */
static enum outcome read_entry(struct entries *entries, uint64_t offset, uint64_t code)
{
	const struct abbreviations *all = &entries->unit->reader->abbreviations;
	if (entries->c.bad || code > all->count || offset > UINT32_MAX)
		return UNIT_REJECTED;
	const struct abbreviation *abbreviation = &all->items[code - 1];
	struct open_entry *entry = &entries->around[entries->depth++];
	*entry = (struct open_entry){ entries->depth > 1 ? entry[-1].scope : (uint32_t)NO_SCOPE, entries->visited++, NOT_SAID };
	entries->work += WORK_ENTRY;
	if (abbreviation->size) {
		decoder_take(&entries->c, abbreviation->size);
	} else if (dwarf_is_scope(abbreviation->tag)) {
		enum outcome outcome = read_scope(entries, abbreviation, (uint32_t)offset, &entry->scope, &entry->sibling);
		if (outcome != UNIT_OK)
			return outcome;
	} else if (!read_values(entries, abbreviation, NULL, &entry->sibling)) {
		return UNIT_REJECTED;
	}
	if (entries->c.bad || entries->depth >= DWARF_DEEPEST)
		return UNIT_REJECTED;
	return abbreviation->has_children || leave(entries) ? UNIT_OK : UNIT_REJECTED;
}

/* Read all entries, from that of the unit to the end of its children. */
static enum outcome read_all(struct entries *entries)
{
	struct decoder *c = &entries->c;
	enum outcome outcome = UNIT_OK;
	do {
		uint64_t offset = (uint64_t)(c->at - entries->info), code = uleb(c);
		if (code != 0)
			outcome = read_entry(entries, offset, code);
		else if (c->bad || entries->depth == 0 || !leave(entries))
			outcome = UNIT_REJECTED;
	} while (outcome == UNIT_OK && entries->depth > 0);
	return outcome;
}

/* Find where the entries are, and read them. */
static enum outcome read_unit(struct dwarf_unit *unit, struct open_entry *around)
{
	const struct dwarf_section *info = &unit->reader->object->sections[0];
	struct entries entries = { .unit = unit, .info = info->bytes, .around = around };
	Dwarf_Off offset = 0;
	if (dwarf_dieoffset(unit->die, &offset, &unit->error) != DW_DLV_OK || unit->next > info->size || offset >= unit->next)
		return UNIT_REJECTED;
	entries.c = (struct decoder){ info->bytes + offset, info->bytes + unit->next, false };
	enum outcome outcome = read_abbreviations(unit);
	if (outcome == UNIT_OK)
		outcome = read_all(&entries);
	return outcome == UNIT_OK && !unit_work(unit, entries.work) ? UNIT_REJECTED : outcome;
}

enum outcome unit_read_entries(struct dwarf_unit *unit, bool *done)
{
	struct dwarf_reader *reader = unit->reader;
	struct debuginfo *di = reader->reading->di;
	const struct dwarf_unit before = *unit;
	const struct debuginfo_counts counts = di->counts;
	const uint32_t scopes = reader->scope_count, functions = di->function_count;
	const uint64_t work = reader->work;
	*done = false;
	if (unit->is_split || reader->reading->options->plain_walk)
		return UNIT_OK;
	struct open_entry *around = rs_alloc(DWARF_DEEPEST, sizeof *around);
	if (!around)
		return reading_memory(reader->reading);
	enum outcome outcome = read_unit(unit, around);
	rs_free(around);
	*done = outcome == UNIT_OK;
	if (outcome != UNIT_REJECTED)
		return outcome;
	unit_forgive(unit);
	*unit = before;
	di->counts = counts;
	di->function_count = functions;
	reader->extent_count = 0;
	reader->scope_count = scopes;
	reader->work = work;
	return UNIT_OK;
}
