/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What libdwarf says about code: rows of line tables, functions and inlined calls, and their ranges.
 *
 * libdwarf shares no code with src/debuginfo/dwarf, so it is a witness.  What an address gets where rows or ranges overlap is
 * not decided here.  Texts belong to libdwarf, until the Dwarf_Debug is closed.
 */
#ifndef LIB_LIBDWARF_H
#define LIB_LIBDWARF_H

#include "tests/lib/memory.h"

#include <libdwarf/dwarf.h>
#include <libdwarf/libdwarf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Version 0.2 has renamed what gives it sections. */
#ifdef HAVE_LIBDWARF_0_2
typedef Dwarf_Obj_Access_Interface_a access_interface;
typedef Dwarf_Obj_Access_Methods_a access_methods;
typedef Dwarf_Obj_Access_Section_a access_section;
typedef Dwarf_Unsigned access_number;
typedef Dwarf_Small access_order;
#define ACCESS_NAME as_name
#define ACCESS_SIZE as_size
#define ACCESS_OBJECT ai_object
#define ACCESS_METHODS ai_methods
#define dwarf_ranges_dealloc dwarf_dealloc_ranges
#else
typedef struct Dwarf_Obj_Access_Interface_s access_interface;
typedef struct Dwarf_Obj_Access_Methods_s access_methods;
typedef Dwarf_Obj_Access_Section access_section;
typedef Dwarf_Half access_number;
typedef Dwarf_Endianness access_order;
#define ACCESS_NAME name
#define ACCESS_SIZE size
#define ACCESS_OBJECT object
#define ACCESS_METHODS methods
#endif

struct witness_scope { /* an entry of a function or of an inlined call */
	uint64_t offset, origin;
	const char *name, *linkage; /* NULL: it has none */
	const char *call_file;
	uint64_t call_line;
	int parent; /* of an inlined call: the scope around it, or -1 */
};

struct witness_range {
	uint64_t low, high;
	int scope;
	unsigned unit; /* its number */
};

struct witness_row {
	uint64_t low, high;
	const char *file, *other; /* NULL: it has none; what else it may be */
	uint64_t line;
	uint64_t sequence; /* where its sequence begins */
	unsigned unit;
};

struct witness {
	struct witness_scope *scopes;
	struct witness_range *ranges;
	struct witness_row *rows;
	size_t scope_count, range_count, row_count, scope_room, range_room, row_room;
	unsigned faults;    /* how often libdwarf could not read something */
	unsigned disorders; /* how many rows have a lower address than the row before them, or no row after them */
	unsigned unit_count;
};

/* Room for one more item of SIZE bytes in the array *ITEMS. */
static void witness_grow(void *items, size_t count, size_t *room, size_t size)
{
	if (count < *room)
		return;
	*room = *room ? 2 * *room : 64;
	*(void **)items = needed(realloc(*(void **)items, *room * size));
}

static void witness_free(struct witness *w)
{
	free(w->scopes);
	free(w->ranges);
	free(w->rows);
	memset(w, 0, sizeof *w);
}

/* ------------------------------------------------------------------------------------------------ sections */

enum { WITNESS_SECTIONS = 64, WITNESS_ROOM_BEHIND = 64 };

/* The sections of a file, from number 1 on, as libdwarf counts them. */
struct witness_object {
	struct {
		const char *name;
		uint8_t *bytes; /* with zeros behind, as libdwarf may read too far */
		size_t size;
	} sections[WITNESS_SECTIONS];
	unsigned count; /* with number 0 */
	bool wide;	/* addresses have 8 bytes */
	access_interface access;
};

static void witness_add_section(struct witness_object *object, const char *name, const uint8_t *bytes, size_t size)
{
	if (object->count == 0)
		object->count = 1;
	uint8_t *copy = object->count < WITNESS_SECTIONS ? calloc(1, size + WITNESS_ROOM_BEHIND) : NULL;
	if (!copy)
		abort();
	memcpy(copy, bytes, size);
	object->sections[object->count].name = name;
	object->sections[object->count].bytes = copy;
	object->sections[object->count++].size = size;
}

static void witness_free_object(struct witness_object *object)
{
	for (unsigned i = 1; i < object->count; i++)
		free(object->sections[i].bytes);
}

static int witness_section_info(void *context, access_number number, access_section *ret, int *error)
{
	const struct witness_object *object = context;
	(void)error;
	memset(ret, 0, sizeof *ret);
	ret->ACCESS_NAME = number > 0 ? object->sections[number].name : "";
	ret->ACCESS_SIZE = number > 0 ? object->sections[number].size : 0;
	return DW_DLV_OK;
}

static access_order witness_byte_order(void *context)
{
	(void)context;
#ifdef HAVE_LIBDWARF_0_2
	return DW_END_little;
#else
	return DW_OBJECT_LSB;
#endif
}

static Dwarf_Small witness_length_size(void *context)
{
	(void)context;
	return 4;
}

static Dwarf_Small witness_address_size(void *context)
{
	return ((const struct witness_object *)context)->wide ? 8 : 4;
}

#ifdef HAVE_LIBDWARF_0_2
static Dwarf_Unsigned witness_file_size(void *context)
{
	const struct witness_object *object = context;
	Dwarf_Unsigned size = 0;
	for (unsigned i = 1; i < object->count; i++)
		size += object->sections[i].size;
	return size;
}
#endif

static Dwarf_Unsigned witness_section_count(void *context)
{
	return ((const struct witness_object *)context)->count;
}

static int witness_load_section(void *context, access_number number, Dwarf_Small **ret, int *error)
{
	struct witness_object *object = context;
	(void)error;
	if (number == 0)
		return DW_DLV_NO_ENTRY;
	*ret = object->sections[number].bytes;
	return DW_DLV_OK;
}

/* Let libdwarf read OBJECT, which must stay as long as *DBG.  Returns false if it does not. */
static bool witness_open(struct witness_object *object, Dwarf_Debug *dbg)
{
	static const access_methods methods = {
		witness_section_info,  witness_byte_order,   witness_length_size,
		witness_address_size,
#ifdef HAVE_LIBDWARF_0_2
		witness_file_size,
#endif
		witness_section_count, witness_load_section, NULL,
	};
	Dwarf_Error error = NULL;
	object->access.ACCESS_OBJECT = object;
	object->access.ACCESS_METHODS = &methods;
	*dbg = NULL;
	return dwarf_object_init_b(&object->access, NULL, NULL, DW_GROUPNUMBER_ANY, dbg, &error) == DW_DLV_OK;
}

static void witness_close(Dwarf_Debug dbg)
{
#ifdef HAVE_LIBDWARF_0_2
	dwarf_object_finish(dbg);
#else
	Dwarf_Error error = NULL;
	dwarf_object_finish(dbg, &error);
#endif
}

/* ------------------------------------------------------------------------------------------------ one unit */

struct witness_unit {
	struct witness *witness;
	Dwarf_Debug dbg;
	Dwarf_Die die;
	Dwarf_Error error; /* of the last call */
	unsigned version;
	uint64_t low_pc;
	char **files; /* of its line table */
	Dwarf_Signed file_count;
};

/* Whether RESULT is success.  The error of a failure is counted and freed. */
static bool witness_good(struct witness_unit *unit, int result)
{
	if (result == DW_DLV_ERROR) {
		unit->witness->faults++;
		dwarf_dealloc_error(unit->dbg, unit->error);
		unit->error = NULL;
	}
	return result == DW_DLV_OK;
}

static const char *witness_text(struct witness_unit *unit, Dwarf_Die die, Dwarf_Half name)
{
	Dwarf_Attribute attribute;
	char *text = NULL;
	if (!witness_good(unit, dwarf_attr(die, name, &attribute, &unit->error)))
		return NULL;
	witness_good(unit, dwarf_formstring(attribute, &text, &unit->error));
	return text;
}

/* The constant NAME of DIE.  Returns false if it has none. */
static bool witness_number(struct witness_unit *unit, Dwarf_Die die, Dwarf_Half name, uint64_t *ret)
{
	Dwarf_Attribute attribute;
	Dwarf_Unsigned number;
	Dwarf_Signed signed_number;
	if (!witness_good(unit, dwarf_attr(die, name, &attribute, &unit->error)))
		return false;
	if (dwarf_formudata(attribute, &number, &unit->error) == DW_DLV_OK) {
		*ret = number;
		return true;
	}
	dwarf_dealloc_error(unit->dbg, unit->error);
	unit->error = NULL;
	if (!witness_good(unit, dwarf_formsdata(attribute, &signed_number, &unit->error)))
		return false;
	*ret = (uint64_t)signed_number;
	return true;
}

/* The address NAME of DIE.  Returns false if it has none, or a constant. */
static bool witness_address(struct witness_unit *unit, Dwarf_Die die, Dwarf_Half name, uint64_t *ret)
{
	Dwarf_Attribute attribute;
	Dwarf_Addr address = 0;
	Dwarf_Half form;
	if (!witness_good(unit, dwarf_attr(die, name, &attribute, &unit->error)) ||
	    !witness_good(unit, dwarf_whatform(attribute, &form, &unit->error)))
		return false;
	switch (form) {
	case DW_FORM_data1:
	case DW_FORM_data2:
	case DW_FORM_data4:
	case DW_FORM_data8:
	case DW_FORM_sdata:
	case DW_FORM_udata:
	case DW_FORM_implicit_const:
		return false;
	default:
		break;
	}
	if (!witness_good(unit, dwarf_formaddr(attribute, &address, &unit->error)))
		return false;
	*ret = address;
	return true;
}

static uint64_t witness_origin(struct witness_unit *unit, Dwarf_Die die)
{
	static const Dwarf_Half names[] = { DW_AT_abstract_origin, DW_AT_specification };
	for (int i = 0; i < 2; i++) {
		Dwarf_Attribute attribute;
		Dwarf_Off offset;
		if (!witness_good(unit, dwarf_attr(die, names[i], &attribute, &unit->error)))
			continue;
		if (witness_good(unit, dwarf_global_formref(attribute, &offset, &unit->error)))
			return offset;
	}
	return 0;
}

/* ------------------------------------------------------------------------------------------------ ranges */

static void witness_add_range(struct witness *w, int scope, uint64_t low, uint64_t high)
{
	if (low >= high)
		return;
	witness_grow(&w->ranges, w->range_count, &w->range_room, sizeof *w->ranges);
	w->ranges[w->range_count++] = (struct witness_range){ low, high, scope, w->unit_count };
}

/* A list of .debug_ranges at OFFSET. */
static void witness_pairs(struct witness_unit *unit, Dwarf_Die die, uint64_t offset, int scope)
{
	Dwarf_Ranges *ranges;
	Dwarf_Signed count;
	Dwarf_Unsigned bytes;
	Dwarf_Off real;
	uint64_t base = unit->low_pc;
	if (!witness_good(unit,
			  dwarf_get_ranges_b(unit->dbg, offset, die, &real, &ranges, &count, &bytes, &unit->error)))
		return;
	for (Dwarf_Signed i = 0; i < count && ranges[i].dwr_type != DW_RANGES_END; i++) {
		if (ranges[i].dwr_type == DW_RANGES_ADDRESS_SELECTION)
			base = ranges[i].dwr_addr2;
		else
			witness_add_range(unit->witness, scope, base + ranges[i].dwr_addr1, base + ranges[i].dwr_addr2);
	}
	dwarf_ranges_dealloc(unit->dbg, ranges, count);
}

/* A list of .debug_rnglists, which ATTRIBUTE of FORM names by OFFSET, its offset or number. */
static void witness_list(struct witness_unit *unit, Dwarf_Attribute attribute, Dwarf_Half form, uint64_t offset,
			 int scope)
{
	Dwarf_Rnglists_Head head;
	Dwarf_Unsigned count, global;
	if (!witness_good(unit,
			  dwarf_rnglists_get_rle_head(attribute, form, offset, &head, &count, &global, &unit->error)))
		return;
	for (Dwarf_Unsigned i = 0; i < count; i++) {
		unsigned length, kind;
		Dwarf_Unsigned raw[2], low, high;
		Dwarf_Bool unavailable;
		if (!witness_good(unit, dwarf_get_rnglists_entry_fields_a(head, i, &length, &kind, &raw[0], &raw[1],
									  &unavailable, &low, &high, &unit->error)))
			break;
		if (unavailable)
			unit->witness->faults++;
		else if (kind != DW_RLE_end_of_list && kind != DW_RLE_base_address && kind != DW_RLE_base_addressx)
			witness_add_range(unit->witness, scope, low, high);
	}
	dwarf_dealloc_rnglists_head(head);
}

static void witness_ranges(struct witness_unit *unit, Dwarf_Die die, int scope)
{
	Dwarf_Attribute attribute;
	Dwarf_Half form;
	Dwarf_Unsigned offset;
	Dwarf_Off section_offset;
	if (!witness_good(unit, dwarf_attr(die, DW_AT_ranges, &attribute, &unit->error)) ||
	    !witness_good(unit, dwarf_whatform(attribute, &form, &unit->error)))
		return;
	if (form == DW_FORM_rnglistx) {
		if (!witness_good(unit, dwarf_formudata(attribute, &offset, &unit->error)))
			return;
	} else {
		if (!witness_good(unit, dwarf_global_formref(attribute, &section_offset, &unit->error)))
			return;
		offset = section_offset;
	}
	if (unit->version >= 5)
		witness_list(unit, attribute, form, offset, scope);
	else
		witness_pairs(unit, die, offset, scope);
}

/* dwarf_lowpc() and dwarf_highpc() read DW_FORM_indirect as if it were an address. */
static void witness_code(struct witness_unit *unit, Dwarf_Die die, int scope)
{
	uint64_t low, high, length = 0;
	witness_ranges(unit, die, scope);
	if (!witness_address(unit, die, DW_AT_low_pc, &low))
		return;
	if (witness_address(unit, die, DW_AT_high_pc, &high))
		witness_add_range(unit->witness, scope, low, high);
	else if (witness_number(unit, die, DW_AT_high_pc, &length))
		witness_add_range(unit->witness, scope, low, low + length);
}

/* ------------------------------------------------------------------------------------------------ entries */

/* An entry that has an attribute twice is a fault: readers take the first or the last. */
static void witness_check_attributes(struct witness_unit *unit, Dwarf_Die die)
{
	enum { MOST = 64 };
	Dwarf_Attribute *attributes;
	Dwarf_Signed count;
	Dwarf_Half names[MOST];
	if (!witness_good(unit, dwarf_attrlist(die, &attributes, &count, &unit->error)))
		return;
	for (Dwarf_Signed i = 0; i < count && i < MOST; i++) {
		if (!witness_good(unit, dwarf_whatattr(attributes[i], &names[i], &unit->error)))
			names[i] = 0;
		for (Dwarf_Signed k = 0; k < i; k++)
			unit->witness->faults += names[k] == names[i] && names[i] < DW_AT_lo_user;
	}
}

/* Add DIE, whose innermost scope around it is OUTER, if it is a scope.  Returns the innermost scope of its children. */
static int witness_entry(struct witness_unit *unit, Dwarf_Die die, int outer)
{
	struct witness *w = unit->witness;
	Dwarf_Half tag;
	Dwarf_Off offset;
	uint64_t file = 0;
	if (!witness_good(unit, dwarf_tag(die, &tag, &unit->error)) ||
	    (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine && tag != DW_TAG_entry_point) ||
	    !witness_good(unit, dwarf_dieoffset(die, &offset, &unit->error)))
		return outer;
	struct witness_scope scope = { .offset = offset, .parent = -1 };
	witness_check_attributes(unit, die);
	scope.name = witness_text(unit, die, DW_AT_name);
	scope.linkage = witness_text(unit, die, DW_AT_linkage_name);
	if (!scope.linkage)
		scope.linkage = witness_text(unit, die, DW_AT_MIPS_linkage_name);
	scope.origin = witness_origin(unit, die);
	if (tag == DW_TAG_inlined_subroutine)
		scope.parent = outer;
	witness_number(unit, die, DW_AT_call_line, &scope.call_line);
	if (witness_number(unit, die, DW_AT_call_file, &file)) {
		/* Since DWARF 5, the files' numbers begin with 0; before, with 1. */
		uint64_t at = unit->version >= 5 ? file : file - 1;
		if (at < (uint64_t)unit->file_count)
			scope.call_file = unit->files[at];
	}
	witness_grow(&w->scopes, w->scope_count, &w->scope_room, sizeof *w->scopes);
	w->scopes[w->scope_count++] = scope;
	witness_code(unit, die, (int)w->scope_count - 1);
	return (int)w->scope_count - 1;
}

/* The entries in DIE. */
static void witness_children(struct witness_unit *unit, Dwarf_Die die, int outer, unsigned depth)
{
	Dwarf_Die child, next;
	int result = dwarf_child(die, &child, &unit->error);
	while (witness_good(unit, result)) {
		int scope = witness_entry(unit, child, outer);
		if (depth < 200)
			witness_children(unit, child, scope, depth + 1);
		else
			unit->witness->faults++;
		result = dwarf_siblingof_b(unit->dbg, child, true, &next, &unit->error);
		dwarf_dealloc_die(child);
		child = next;
	}
}

/* ------------------------------------------------------------------------------------------------ lines */

/* The row of LINE, which ends where NEXT begins, if it does not end a sequence.  *SEQUENCE is where the sequence begins, or
   UINT64_MAX before its first row. */
static void witness_line(struct witness_unit *unit, Dwarf_Line line, Dwarf_Line next, uint64_t *sequence)
{
	struct witness *w = unit->witness;
	struct witness_row row = { .file = NULL };
	Dwarf_Addr low, high;
	Dwarf_Unsigned number, file, isa, discriminator;
	Dwarf_Bool ends, prologue, epilogue;
	char *name = NULL;
	if (!witness_good(unit, dwarf_lineendsequence(line, &ends, &unit->error)) ||
	    !witness_good(unit, dwarf_prologue_end_etc(line, &prologue, &epilogue, &isa, &discriminator, &unit->error)))
		return;
	/* libdwarf also says that a sequence ends where an epilogue begins. */
	if (ends && !epilogue) {
		*sequence = UINT64_MAX;
		return;
	}
	if (!witness_good(unit, dwarf_lineaddr(line, &low, &unit->error)) ||
	    !witness_good(unit, dwarf_lineaddr(next, &high, &unit->error)) ||
	    !witness_good(unit, dwarf_lineno(line, &number, &unit->error)) ||
	    !witness_good(unit, dwarf_line_srcfileno(line, &file, &unit->error)))
		return;
	uint64_t at = unit->version >= 5 ? file : file - 1;
	if (at < (uint64_t)unit->file_count)
		name = unit->files[at];
	/* The standard lets the register begin with file 1; libdwarf says 0 for DWARF 5. */
	if (unit->version >= 5 && file == 0 && unit->file_count > 1)
		row.other = unit->files[1];
	w->disorders += high < low;
	if (*sequence == UINT64_MAX)
		*sequence = low;
	row.sequence = *sequence;
	row.unit = w->unit_count;
	if (low >= high)
		return;
	row.low = low, row.high = high, row.line = number, row.file = name;
	witness_grow(&w->rows, w->row_count, &w->row_room, sizeof *w->rows);
	w->rows[w->row_count++] = row;
}

static void witness_lines(struct witness_unit *unit)
{
	Dwarf_Unsigned version;
	Dwarf_Small tables;
	Dwarf_Line_Context context;
	Dwarf_Line *lines;
	Dwarf_Signed count = 0;
	uint64_t sequence = UINT64_MAX;
	if (!witness_good(unit, dwarf_srclines_b(unit->die, &version, &tables, &context, &unit->error)))
		return;
	unsigned of_unit = unit->version;
	unit->version = (unsigned)version; /* the files' numbers are those of the table's version */
	if (witness_good(unit, dwarf_srclines_from_linecontext(context, &lines, &count, &unit->error)))
		for (Dwarf_Signed i = 0; i + 1 < count; i++)
			witness_line(unit, lines[i], lines[i + 1], &sequence);
	/* Nobody knows where the last row of a sequence without an end ends. */
	Dwarf_Bool ends = true;
	if (count > 0 && witness_good(unit, dwarf_lineendsequence(lines[count - 1], &ends, &unit->error)))
		unit->witness->disorders += !ends;
	unit->version = of_unit;
	dwarf_srclines_dealloc_b(context);
}

/* ------------------------------------------------------------------------------------------------ all units */

/* Add what the unit of DIE says. */
static void witness_read_unit(struct witness_unit *unit)
{
	witness_address(unit, unit->die, DW_AT_low_pc, &unit->low_pc);
	if (!witness_good(unit, dwarf_srcfiles(unit->die, &unit->files, &unit->file_count, &unit->error)))
		unit->file_count = 0;
	witness_lines(unit);
	witness_entry(unit, unit->die, -1);
	witness_children(unit, unit->die, -1, 0);
}

/* Add what DBG says to *W. */
static void witness_read(struct witness *w, Dwarf_Debug dbg)
{
	for (;;) {
		struct witness_unit unit = { .witness = w, .dbg = dbg };
		Dwarf_Unsigned length, type_offset, next;
		Dwarf_Off abbreviations;
		Dwarf_Half version, address_size, length_size, extension, kind;
		Dwarf_Sig8 signature;
		int result = dwarf_next_cu_header_d(dbg, true, &length, &version, &abbreviations, &address_size,
						    &length_size, &extension, &signature, &type_offset, &next, &kind,
						    &unit.error);
		if (!witness_good(&unit, result))
			return;
		unit.version = version;
		if (!witness_good(&unit, dwarf_siblingof_b(dbg, NULL, true, &unit.die, &unit.error)))
			continue;
		if (kind != DW_UT_type && kind != DW_UT_split_type)
			witness_read_unit(&unit);
		dwarf_dealloc_die(unit.die);
		w->unit_count++;
	}
}

/* The name of scope number AT: of those that describe it, the first with a linkage name, or else with a name. */
static const char *witness_name(const struct witness *w, int at)
{
	const char *plain = NULL;
	for (int tries = 0; at >= 0 && tries < 100; tries++) {
		const struct witness_scope *scope = &w->scopes[at];
		if (scope->linkage)
			return scope->linkage;
		if (!plain)
			plain = scope->name;
		uint64_t origin = scope->origin;
		/* Scopes ascend by their offsets. */
		size_t low = 0, high = w->scope_count;
		while (low < high) {
			size_t middle = low + (high - low) / 2;
			if (w->scopes[middle].offset < origin)
				low = middle + 1;
			else
				high = middle;
		}
		at = origin && low < w->scope_count && w->scopes[low].offset == origin ? (int)low : -1;
	}
	return plain;
}

#endif
