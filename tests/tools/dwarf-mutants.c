// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dwarf-mutants COUNT [FIRST]	whether our answers for damaged DWARF are libdwarf's
 * dwarf-mutants 1 FIRST FILE	also writes the image of that mutant, for other readers
 *
 * Mutant number N is made by chance from N: units that tests/fuzz/units.c makes, of which some bytes are changed.  A mutant of
 * which we or libdwarf cannot read something is only read.  Of all others each address is compared:
 *	its file and line must be those of a row that libdwarf has there, and none only if libdwarf has none;
 *	so must its function be one that libdwarf has there, with all callers around it, their files and lines.
 * Where rows or functions overlap, each of them is right.  Stops at the first answer that is not, and shows it.
 *
 * One difference is known and not left out, as it is rare (430919, 673280 and 973910): libdwarf begins a line program after
 * the files, also where the header's length says otherwise.
 *
 * libdwarf breaks or hangs on some mutants.  So a child reads them, which notes where it is, and another child goes on after
 * the mutant at which one has ended.
 */
#include "config.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/parts.h"
#include "tests/fuzz/sections.h"
#include "tests/fuzz/units.h"
#include "tests/lib/maketable.h"
#include "tests/lib/memory.h"
#include "tests/lib/random.h"

#include <inttypes.h>
#include <libdwarf/dwarf.h>
#include <libdwarf/libdwarf.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* ------------------------------------------------------------------------------------------------ the witness */

/*
 * What libdwarf says about code: rows of line tables, functions and inlined calls, and their ranges.  It shares no code with
 * src/debuginfo/dwarf.  What an address gets where rows or ranges overlap is not decided here.  Texts belong to libdwarf, until the
 * Dwarf_Debug is closed.
 */

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
		if (kind != DW_UT_type && kind != DW_UT_split_type) {
			witness_address(&unit, unit.die, DW_AT_low_pc, &unit.low_pc);
			if (!witness_good(&unit, dwarf_srcfiles(unit.die, &unit.files, &unit.file_count, &unit.error)))
				unit.file_count = 0;
			witness_lines(&unit);
			witness_entry(&unit, unit.die, -1);
			witness_children(&unit, unit.die, -1, 0);
		}
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

/* ------------------------------------------------------------------------------------------------ one mutant */

enum {
	CHOICES_MAX = 1200,
	IMAGE_BASE = 0x400000,
	CODE = 0x401000,
	CODE_END = 0x411000,
	ADDRESSES = UNITS_CODE + 256,
	MICROSECONDS_MAX = 50000
};

/* What the child tells the parent. */
enum result { REJECTED, REFUSED, AGREES, DIFFERS, RESULTS };
static struct progress {
	uint64_t number; /* of the current mutant */
	bool in_libdwarf;
	uint64_t results[RESULTS];
} * progress;

/* ------------------------------------------------------------------------------------------------ libdwarf */

struct object {
	struct part parts[SECTIONS_KINDS];
	bool wide;
};

/* Whether a line program may have a discriminator, or an address, that is not as long as its opcode says.  The opcode decides,
   but libdwarf goes on after the number, and takes as many bytes as the unit's addresses have. */
static bool has_odd_opcode(const struct object *object)
{
	enum { SET_ADDRESS = 2, DISCRIMINATOR = 4, LINES = 6 };
	const struct part *lines = &object->parts[LINES];
	must(sections_kinds[LINES].letter == 'l');
	for (size_t i = 2; i + 1 < lines->size; i++) {
		const uint8_t *at = lines->bytes + i;
		const bool is_extended = at[-2] == 0 || (at[-2] >= 0x80 && at[-1] == 0);
		if ((at[0] == DISCRIMINATOR && (at[1] >= 0x80 || (is_extended && at[-1] != 2))) ||
		    (at[0] == SET_ADDRESS && is_extended && at[-1] != (object->wide ? 9 : 5)))
			return true;
	}
	return false;
}

/* Whether the headers in .debug_rnglists are sound: with others, libdwarf frees memory twice. */
static bool has_sound_lists(const struct object *object)
{
	enum { LISTS = 12, COUNT = 4, HEADER = 8 };
	const struct part *lists = &object->parts[LISTS];
	must(sections_kinds[LISTS].letter == 'R');
	for (size_t at = 0; at < lists->size;) {
		uint64_t length = 0, count = 0;
		const unsigned size = lists->bytes[at] == 0xff ? 8 : 4;
		at += size == 8 ? 4 : 0;
		if (lists->size - at < size)
			return false;
		memcpy(&length, lists->bytes + at, size);
		at += size;
		if (length > lists->size - at || length < HEADER || lists->bytes[at] != 5 || lists->bytes[at + 1] != 0)
			return false;
		memcpy(&count, lists->bytes + at + COUNT, 4);
		if (count > (length - HEADER) / size)
			return false;
		at += length;
	}
	return true;
}

/* Read all that libdwarf says of OBJECT into *W, in which all texts are DBG's.  Returns false if it cannot read something. */
static bool ask_libdwarf(const struct object *object, struct witness_object *sections, struct witness *w,
			 Dwarf_Debug *dbg)
{
	if (!has_sound_lists(object))
		return false;
	sections->wide = object->wide;
	for (int i = 0; i < SECTIONS_KINDS; i++)
		if (sections_kinds[i].name && object->parts[i].bytes)
			witness_add_section(sections, sections_kinds[i].name, object->parts[i].bytes,
					    object->parts[i].size);
	progress->in_libdwarf = true;
	setitimer(ITIMER_VIRTUAL, &(struct itimerval){ .it_value = { .tv_usec = MICROSECONDS_MAX } }, NULL);
	if (!witness_open(sections, dbg))
		return false;
	witness_read(w, *dbg);
	return w->faults == 0 && w->disorders == 0;
}

/* ------------------------------------------------------------------------------------------------ mutants */

static unsigned warnings;

static void count_warning(void *context, const char *text)
{
	(void)context, (void)text;
	warnings++;
}

static void show_warning(void *context, const char *text)
{
	(void)context;
	fprintf(stderr, "# %s\n", text);
}

/* Change some bytes of the parts, which are in UNITS. */
static void mutate(struct units *units, const struct object *object)
{
	for (unsigned n = random_below(4); n > 0; n--) {
		const struct part *part = &object->parts[random_below(SECTIONS_KINDS)];
		if (part->size == 0)
			continue;
		uint8_t *at = units->sections + (part->bytes - units->sections) + random_below((uint32_t)part->size);
		switch (random_below(3)) {
		case 0:
			*at = (uint8_t)random_u32();
			break;
		case 1:
			*at = (uint8_t)(*at + random_below(9) - 4);
			break;
		default:
			*at ^= (uint8_t)(1 << random_below(8));
			break;
		}
	}
}

/* ------------------------------------------------------------------------------------------------ comparing */

/* To us, a range or a sequence of rows that begins outside of code has been discarded. */
static bool is_code(uint64_t begin)
{
	return begin >= CODE && begin < CODE_END;
}

static bool same_text(const char *ours, const char *theirs)
{
	return theirs && theirs[0] ? ours && strcmp(ours, theirs) == 0 : !ours;
}

/* Whether what is said of a place is the same.  A line that is too large is unknown to us.  For libdwarf a name with a colon is
   a whole path; for us, as for GNU addr2line, only one that begins with a slash is. */
static bool same_place(const struct rossym_frame *frame, const char *file, uint64_t line)
{
	const char *last = file && file[0] != '/' && strchr(file, ':') && frame->file ? strrchr(frame->file, '/')
										      : NULL;
	if (last)
		return strcmp(last + 1, file) == 0 && frame->line == line;
	return same_text(frame->file, file) && (frame->line == line || (line >= UINT32_MAX && frame->line == 0));
}

/* Whether FRAME has the place of a row of UNIT.  *COVERED: there is one. */
static bool right_place(const struct witness *w, unsigned unit, const struct rossym_frame *frame, uint64_t address,
			bool *covered)
{
	for (size_t i = 0; i < w->row_count; i++) {
		const struct witness_row *row = &w->rows[i];
		if (row->unit != unit || !is_code(row->sequence) || row->low > address || row->high <= address)
			continue;
		*covered = true;
		if (same_place(frame, row->file, row->line) || same_place(frame, row->other, row->line))
			return true;
	}
	return !*covered && !frame->file && frame->line == 0;
}

/* Whether FRAMES are those of SCOPE and the scopes around it. */
static bool is_chain(const struct witness *w, int scope, const struct rossym_frame *frames, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		if (scope < 0 || !same_text(frames[i].function, witness_name(w, scope)))
			return false;
		const struct witness_scope *call = &w->scopes[scope];
		if (i + 1 < count &&
		    (call->parent < 0 || !same_place(&frames[i + 1], call->call_file, call->call_line)))
			return false;
		scope = call->parent;
	}
	return scope < 0;
}

/* Whether FRAMES are those of a function or inlined call of UNIT.  *COVERED: there is one. */
static bool right_chain(const struct witness *w, unsigned unit, const struct rossym_frame *frames, unsigned count,
			uint64_t address, bool *covered)
{
	for (size_t i = 0; i < w->range_count; i++) {
		const struct witness_range *range = &w->ranges[i];
		if (range->unit != unit || !is_code(range->low) || range->low > address || range->high <= address)
			continue;
		*covered = true;
		if (is_chain(w, range->scope, frames, count))
			return true;
	}
	return !*covered && count == 1 && !frames[0].function;
}

/* Whether FRAMES are what some unit says of ADDRESS, or nothing if none says anything. */
static bool right(const struct witness *w, const struct rossym_frame *frames, unsigned count, uint64_t address)
{
	bool any = false;
	for (unsigned unit = 0; unit < w->unit_count; unit++) {
		bool has_place = false, has_chain = false;
		const bool place = right_place(w, unit, &frames[0], address, &has_place);
		const bool chain = right_chain(w, unit, frames, count, address, &has_chain);
		if (place && chain && (has_place || has_chain))
			return true;
		any |= has_place || has_chain;
	}
	return !any && count == 1 && !frames[0].function && !frames[0].file && frames[0].line == 0;
}

static void show(uint64_t number, uint64_t address, const struct witness *w, const struct rossym_frame *frames,
		 unsigned count)
{
	fprintf(stderr, "mutant %" PRIu64 ": the answer for 0x%" PRIx64 " is\n", number, address);
	for (unsigned i = 0; i < count; i++)
		fprintf(stderr, "\t%s %s:%u\n", frames[i].function ? frames[i].function : "??",
			frames[i].file ? frames[i].file : "??", (unsigned)frames[i].line);
	fprintf(stderr, "and libdwarf has\n");
	for (size_t i = 0; i < w->row_count; i++)
		if (w->rows[i].low <= address && address < w->rows[i].high)
			fprintf(stderr, "\tfrom 0x%" PRIx64 " to 0x%" PRIx64 ": %s:%" PRIu64 "\n", w->rows[i].low,
				w->rows[i].high, w->rows[i].file ? w->rows[i].file : "??", w->rows[i].line);
	for (size_t i = 0; i < w->range_count; i++) {
		if (w->ranges[i].low > address || address >= w->ranges[i].high)
			continue;
		fprintf(stderr, "\tfrom 0x%" PRIx64 " to 0x%" PRIx64 ":", w->ranges[i].low, w->ranges[i].high);
		for (int scope = w->ranges[i].scope; scope >= 0; scope = w->scopes[scope].parent) {
			const char *name = witness_name(w, scope);
			fprintf(stderr, " %s (called at %s:%" PRIu64 ")", name ? name : "??",
				w->scopes[scope].call_file ? w->scopes[scope].call_file : "??",
				w->scopes[scope].call_line);
		}
		fprintf(stderr, "\n");
	}
}

/* Whether all answers of the table are right; without one, there are none.  With NUMBER, show one that is not. */
static bool compare(struct rossym_image *table, const struct witness *w, const uint64_t *number)
{
	for (unsigned i = 0; i < ADDRESSES; i++) {
		struct rossym_frame frames[ROSSYM_FRAMES_MAX] = { { .function = NULL } };
		struct rossym_error err;
		const uint64_t rva = UNITS_FIRST + i, address = IMAGE_BASE + rva;
		uint32_t count = 1;
		if (table)
			must(rossym_lookup_frames(table, &rva, 1, 0, frames, ROSSYM_FRAMES_MAX, &count, &err) == 1);
		if (right(w, frames, count, address))
			continue;
		if (number)
			show(*number, address, w, frames, count);
		return false;
	}
	return true;
}

/* Read IMAGE ourselves, and compare with what libdwarf says of OBJECT. */
static enum result try_image(uint64_t number, const uint8_t *image, size_t size, struct object *object, bool verbose)
{
	struct debuginfo_options options = { .warn = verbose ? show_warning : count_warning };
	struct rossym_built built;
	struct rossym_image *table = NULL;
	struct rossym_error err;
	struct witness w = { .faults = 0 };
	struct witness_object sections = { .count = 0 };
	Dwarf_Debug dbg = NULL;
	enum result result = REJECTED;
	warnings = 0;
	must(maketable_of_image(image, size, &options, &built, &err) == 0);
	if (built.rows > 0)
		must(rossym_open_memory(built.bytes, built.bytes_size, NULL, &table, &err) == 0);
	if (warnings == 0)
		result = !ask_libdwarf(object, &sections, &w, &dbg) ? REFUSED
			 : compare(table, &w, NULL)		    ? AGREES
								    : DIFFERS;
	if (result == DIFFERS && has_odd_opcode(object))
		result = REFUSED;
	if (result == DIFFERS)
		compare(table, &w, &number);
	if (dbg)
		witness_close(dbg);
	setitimer(ITIMER_VIRTUAL, &(struct itimerval){ .it_value = { 0 } }, NULL);
	progress->in_libdwarf = false;
	free(w.scopes);
	free(w.ranges);
	free(w.rows);
	for (unsigned i = 1; i < sections.count; i++)
		free(sections.sections[i].bytes);
	if (table)
		rossym_close(table);
	rossym_free(built.bytes);
	return result;
}

/* With PATH, show warnings, and write the image there. */
static enum result try_mutant(uint64_t number, const char *path)
{
	static struct units units;
	uint8_t choices[CHOICES_MAX];
	size_t image_size;
	random_start(number);
	for (unsigned i = 0; i < CHOICES_MAX; i++)
		choices[i] = (uint8_t)random_u32();
	units_make(&units, choices, sizeof choices);
	struct object object = { .wide = units.sections[0] & SECTIONS_WIDE };
	if (units.size == 0 || !parts_cut(units.sections, units.size, SECTIONS_LETTERS, object.parts))
		return REJECTED;
	mutate(&units, &object);
	uint8_t *image = sections_image(units.sections, units.size, &image_size);
	must(image != NULL);
	FILE *file = path ? fopen(path, "wb") : NULL;
	if (file) {
		must(fwrite(image, 1, image_size, file) == image_size);
		fclose(file);
	}
	const enum result result = try_image(number, image, image_size, &object, path != NULL);
	free(image);
	return result;
}

/* Try mutants from the current one up to END, in the child. */
static void try_mutants(uint64_t end, const char *path)
{
	for (; progress->number < end; progress->number++) {
		const enum result result = try_mutant(progress->number, path);
		progress->results[result]++;
		if (result == DIFFERS && !getenv("DWARF_MUTANTS_ALL"))
			break;
	}
}

/* The same, in children.  Returns false if an answer is wrong, or if we break. */
static bool try_in_children(uint64_t end, const char *path)
{
	while (progress->number < end && (progress->results[DIFFERS] == 0 || getenv("DWARF_MUTANTS_ALL"))) {
		int status = 0;
		const pid_t child = fork();
		must(child >= 0);
		if (child == 0) {
			try_mutants(end, path);
			_exit(0);
		}
		must(waitpid(child, &status, 0) == child);
		if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
			continue;
		if (!progress->in_libdwarf) {
			fprintf(stderr, "mutant %" PRIu64 " breaks us\n", progress->number);
			return false;
		}
		progress->results[REFUSED]++;
		progress->in_libdwarf = false;
		progress->number++;
	}
	return progress->results[DIFFERS] == 0;
}

int main(int argc, char **argv)
{
	const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
	progress = mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	must(progress != MAP_FAILED);
	const uint64_t first = progress->number = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
	const bool good = try_in_children(first + count, argc > 3 ? argv[3] : NULL);
	const uint64_t *results = progress->results;
	printf("%" PRIu64 " mutants: %" PRIu64 " have the same answers, %" PRIu64 " have others, %" PRIu64
	       " are in part unreadable, %" PRIu64 " for libdwarf alone\n",
	       results[0] + results[1] + results[2] + results[3], results[AGREES], results[DIFFERS], results[REJECTED],
	       results[REFUSED]);
	return !good;
}
