// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "fuzz.h"
#include "parts.h"
#include "sections.h"
#include "units.h"
#include "tests/lib/dwarf.h"

#include <stdarg.h>

enum { IMAGE_BASE = 0x400000, SECTION_SIZE_MAX = 8192, FILES_MAX = 3, FUNCTIONS_MAX = 6 };

enum section { INFO, ABBREV, LINE, STR, LINE_STR, STR_OFFSETS, ADDR, RANGES, RNGLISTS, SECTIONS };
static const char letters[SECTIONS + 1] = "ialSLoArR";

struct section_bytes {
	uint8_t bytes[SECTION_SIZE_MAX];
	size_t size;
};

struct function {
	char name[UNITS_NAME];
	size_t abstract; /* offset of its abstract entry in .debug_info */
};

struct unit {
	unsigned version, number;
	bool wide;			  /* 64-bit DWARF */
	size_t start;			  /* of its header in .debug_info */
	size_t addresses, strings, lists; /* bases in .debug_addr, .debug_str_offsets, .debug_rnglists */
	unsigned address_count, string_count;
	unsigned begin, end;		   /* its code, counted from UNITS_FIRST */
	char files[FILES_MAX][UNITS_NAME]; /* as they are to be printed */
	unsigned file_count;
	unsigned next_code; /* of abbreviations */
};

struct maker {
	const uint8_t *data;
	size_t left;
	bool wide; /* addresses have 8 bytes */
	struct section_bytes sections[SECTIONS];
	struct units *units;
	struct function functions[FUNCTIONS_MAX];
	unsigned function_count;
};

/* The next choice, from 0 up to LIMIT - 1; 0 when the input has ended. */
static unsigned choose(struct maker *m, unsigned limit)
{
	if (m->left == 0)
		return 0;
	m->left--;
	return *m->data++ % limit;
}

/* ------------------------------------------------------------------------------------------------- bytes */

static void put(struct maker *m, enum section section, uint64_t value, unsigned size)
{
	struct section_bytes *to = &m->sections[section];
	for (; size > 0 && to->size < SECTION_SIZE_MAX; size--, value >>= 8)
		to->bytes[to->size++] = (uint8_t)value;
}

static void put_at(struct maker *m, enum section section, size_t at, uint64_t value, unsigned size)
{
	for (; size > 0 && at < SECTION_SIZE_MAX; size--, value >>= 8)
		m->sections[section].bytes[at++] = (uint8_t)value;
}

/* An unsigned LEB128, sometimes with more bytes than it needs. */
static void put_uleb(struct maker *m, enum section section, uint64_t value)
{
	unsigned more = choose(m, 8) == 1 ? 1 + choose(m, 2) : 0;
	for (; value >= 0x80; value >>= 7)
		put(m, section, (value & 0x7f) | 0x80, 1);
	put(m, section, value | (more ? 0x80 : 0), 1);
	for (; more > 0; more--)
		put(m, section, more > 1 ? 0x80 : 0, 1);
}

static void put_sleb(struct maker *m, enum section section, int64_t value)
{
	for (; value < -64 || value > 63; value = (value - (value & 0x7f)) / 128)
		put(m, section, (uint64_t)(value & 0x7f) | 0x80, 1);
	put(m, section, (uint64_t)(value & 0x7f), 1);
}

static size_t put_text(struct maker *m, enum section section, const char *text)
{
	const size_t at = m->sections[section].size;
	for (const char *p = text; *p; p++)
		put(m, section, (uint8_t)*p, 1);
	put(m, section, 0, 1);
	return at;
}

static void put_offset(struct maker *m, const struct unit *unit, enum section section, uint64_t value)
{
	put(m, section, value, unit->wide ? 8 : 4);
}

static void put_address(struct maker *m, enum section section, unsigned at)
{
	put(m, section, IMAGE_BASE + UNITS_FIRST + at, m->wide ? 8 : 4);
}

/* Put the arguments, unsigned numbers, as KINDS has it: b and w: in 1 and 2 bytes; u: as LEB128; a: as an address.  All of them are
   chosen before the first one is put. */
static void put_many(struct maker *m, enum section section, const char *kinds, ...)
{
	va_list ap;
	va_start(ap, kinds);
	for (; *kinds; kinds++) {
		const unsigned value = va_arg(ap, unsigned);
		if (*kinds == 'u')
			put_uleb(m, section, value);
		else if (*kinds == 'a')
			put_address(m, section, value);
		else
			put(m, section, value, *kinds == 'w' ? 2 : 1);
	}
	va_end(ap);
}

/* Begin something with a length; returns the place for put_length(). */
static size_t begin_length(struct maker *m, const struct unit *unit, enum section section)
{
	if (unit->wide)
		put(m, section, UINT32_MAX, 4);
	put_offset(m, unit, section, 0);
	return m->sections[section].size;
}

static void end_length(struct maker *m, const struct unit *unit, enum section section, size_t begin)
{
	const unsigned size = unit->wide ? 8 : 4;
	put_at(m, section, begin - size, m->sections[section].size - begin, size);
}

/* ------------------------------------------------------------------------------------------- entries and attributes */

/* An attribute of the entry that is begun; the caller writes its value. */
static void attribute(struct maker *m, unsigned name, unsigned form)
{
	put_uleb(m, ABBREV, name);
	if (form != FORM_IMPLICIT_CONST && choose(m, 6) == 1) {
		put_uleb(m, ABBREV, FORM_INDIRECT);
		put_uleb(m, INFO, form);
	} else {
		put_uleb(m, ABBREV, form);
	}
}

/* A number in FORM. */
static void put_value(struct maker *m, unsigned form, uint64_t value)
{
	static const uint8_t sizes[][2] = { { FORM_DATA1, 1 },	{ FORM_FLAG, 1 },  { FORM_BLOCK1, 1 },
					    { FORM_STRX1, 1 },	{ FORM_DATA2, 2 }, { FORM_BLOCK2, 2 },
					    { FORM_ADDRX2, 2 }, { FORM_DATA4, 4 }, { FORM_REF4, 4 },
					    { FORM_DATA8, 8 } };
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		if (sizes[i][0] == form) {
			put(m, INFO, value, sizes[i][1]);
			return;
		}
	if (form == FORM_SDATA)
		put_sleb(m, INFO, (int64_t)value);
	else
		put_uleb(m, INFO, value);
}

static void value_attribute(struct maker *m, unsigned name, unsigned form, uint64_t value)
{
	attribute(m, name, form);
	put_value(m, form, value);
}

static void offset_attribute(struct maker *m, const struct unit *unit, unsigned name, size_t offset)
{
	attribute(m, name, unit->version >= 4 ? FORM_SEC_OFFSET : unit->wide ? FORM_DATA8 : FORM_DATA4);
	put_offset(m, unit, INFO, offset);
}

/* An attribute that says nothing to a reader of lines. */
static void noise(struct maker *m, const struct unit *unit)
{
	static const uint8_t forms[] = { FORM_DATA1,	    FORM_DATA2,	  FORM_DATA8,  FORM_UDATA,
					 FORM_SDATA,	    FORM_FLAG,	  FORM_STRING, FORM_BLOCK,
					 FORM_BLOCK1,	    FORM_BLOCK2,  FORM_REF4,   FORM_REF_UDATA,
					 FORM_FLAG_PRESENT, FORM_EXPRLOC, FORM_DATA16, FORM_IMPLICIT_CONST };
	const unsigned count = unit->version < 4 ? 12 : unit->version < 5 ? 14 : 16;
	const unsigned form = forms[choose(m, count)], length = choose(m, 5);
	attribute(m, AT_VENDOR, form);
	switch (form) {
	case FORM_FLAG_PRESENT:
		break;
	case FORM_DATA16:
		put(m, INFO, choose(m, 256), 8);
		put(m, INFO, choose(m, 256), 8);
		break;
	case FORM_UDATA:
	case FORM_REF_UDATA:
		put_value(m, form, choose(m, 256) * 77U);
		break;
	case FORM_SDATA:
		put_sleb(m, INFO, (int)choose(m, 256) * 99 - 5000);
		break;
	case FORM_IMPLICIT_CONST:
		put_sleb(m, ABBREV, (int)choose(m, 256) - 128);
		break;
	case FORM_STRING:
		put_text(m, INFO, &"noise"[length]);
		break;
	case FORM_BLOCK:
	case FORM_EXPRLOC:
	case FORM_BLOCK1:
	case FORM_BLOCK2:
		put_value(m, form, length);
		put(m, INFO, choose(m, 256), length);
		break;
	default:
		put_value(m, form, choose(m, 256));
		break;
	}
}

static void maybe_noise(struct maker *m, const struct unit *unit)
{
	for (unsigned n = choose(m, 3); n > 1; n--)
		noise(m, unit);
}

/* Begin an entry with an abbreviation of its own.  Returns its offset. */
static size_t begin_entry(struct maker *m, struct unit *unit, unsigned tag, bool children)
{
	const size_t at = m->sections[INFO].size;
	put_many(m, ABBREV, "uub", unit->next_code, tag, children);
	put_uleb(m, INFO, unit->next_code);
	unit->next_code += 1 + (choose(m, 4) == 1 ? choose(m, 200) : 0);
	return at;
}

static void end_attributes(struct maker *m)
{
	put(m, ABBREV, 0, 2);
}

static void text_attribute(struct maker *m, struct unit *unit, unsigned name, const char *text)
{
	static const unsigned forms[] = { FORM_STRING, FORM_STRP, FORM_LINE_STRP, FORM_STRX, FORM_STRX1 };
	const unsigned form = forms[choose(m, unit->version < 5 ? 2 : 5)];
	attribute(m, name, form);
	if (form == FORM_STRING) {
		put_text(m, INFO, text);
	} else if (form == FORM_STRP || form == FORM_LINE_STRP) {
		put_offset(m, unit, INFO, put_text(m, form == FORM_STRP ? STR : LINE_STR, text));
	} else {
		put_value(m, form, unit->string_count++);
		put_offset(m, unit, STR_OFFSETS, put_text(m, STR, text));
	}
}

/* Add an address to the unit's part of .debug_addr; returns its number. */
static unsigned address_number(struct maker *m, struct unit *unit, unsigned at)
{
	put_address(m, ADDR, at);
	return unit->address_count++;
}

static void range_attributes(struct maker *m, struct unit *unit, unsigned begin, unsigned end)
{
	static const unsigned lows[] = { FORM_ADDR, FORM_ADDRX, FORM_ADDRX2 };
	static const unsigned highs[] = { FORM_ADDR, FORM_DATA4, FORM_UDATA, FORM_DATA2 };
	const unsigned low = lows[choose(m, unit->version < 5 ? 1 : 3)];
	attribute(m, AT_LOW_PC, low);
	if (low == FORM_ADDR)
		put_address(m, INFO, begin);
	else
		put_value(m, low, address_number(m, unit, begin));
	maybe_noise(m, unit);
	const unsigned high = highs[choose(m, unit->version < 4 ? 1 : 4)];
	attribute(m, AT_HIGH_PC, high);
	if (high == FORM_ADDR)
		put_address(m, INFO, end);
	else
		put_value(m, high, end - begin);
}

/* One entry of a range list of .debug_rnglists. */
static void put_range(struct maker *m, struct unit *unit, unsigned begin, unsigned end)
{
	const unsigned kind = choose(m, 4), length = end - begin, base = begin / 2;
	if (kind == 0)
		put_many(m, RNGLISTS, "baa", RLE_START_END, begin, end);
	else if (kind == 1)
		put_many(m, RNGLISTS, "bau", RLE_START_LENGTH, begin, length);
	else if (kind == 2)
		put_many(m, RNGLISTS, "buu", RLE_STARTX_LENGTH, address_number(m, unit, begin), length);
	else
		put_many(m, RNGLISTS, "babuu", RLE_BASE_ADDRESS, base, RLE_OFFSET_PAIR, begin - base, end - base);
}

/* The attribute for COUNT ranges. */
static void list_attribute(struct maker *m, struct unit *unit, const unsigned (*ranges)[2], unsigned count)
{
	offset_attribute(m, unit, AT_RANGES, m->sections[unit->version < 5 ? RANGES : RNGLISTS].size);
	if (unit->version < 5) {
		/* Addresses count from a base of 0: the unit has no DW_AT_low_pc, or says so here. */
		put(m, RANGES, m->wide ? UINT64_MAX : UINT32_MAX, m->wide ? 8 : 4);
		put(m, RANGES, 0, m->wide ? 8 : 4);
		for (unsigned i = 0; i < count; i++)
			put_many(m, RANGES, "aa", ranges[i][0], ranges[i][1]);
		put(m, RANGES, 0, 8);
		put(m, RANGES, 0, m->wide ? 8 : 0);
		return;
	}
	for (unsigned i = 0; i < count; i++)
		put_range(m, unit, ranges[i][0], ranges[i][1]);
	put(m, RNGLISTS, RLE_END, 1);
}

/* ------------------------------------------------------------------------------------------------- line tables */

struct line_state {
	unsigned address, file, line;
	unsigned opcode_base, line_range;
	int line_base;
};

static void put_extended(struct maker *m, unsigned opcode, unsigned length)
{
	put_many(m, LINE, "bub", 0, length + 1, opcode);
}

static void line_noise(struct maker *m, const struct line_state *state)
{
	switch (choose(m, 12)) {
	case 1:
		put_many(m, LINE, "bu", LNS_SET_COLUMN, choose(m, 256));
		break;
	case 2:
		put(m, LINE, LNS_NEGATE_STMT, 1);
		break;
	case 3:
		put(m, LINE, LNS_BASIC_BLOCK, 1);
		break;
	case 4:
		put_extended(m, LNE_DISCRIMINATOR, 1);
		put(m, LINE, choose(m, 100), 1);
		break;
	case 5:
		put_extended(m, LNE_VENDOR, 3);
		put(m, LINE, choose(m, 256), 3);
		break;
	case 6:
		if (state->opcode_base > LNS_PROLOGUE_END)
			put(m, LINE, LNS_PROLOGUE_END, 1);
		break;
	case 7:
		if (state->opcode_base > LNS_SET_ISA)
			put_many(m, LINE, "bu", LNS_SET_ISA, choose(m, 256));
		break;
	case 8:
		if (state->opcode_base > 14) { /* a standard opcode of a later version, with two arguments */
			put_many(m, LINE, "bu", 14, choose(m, 256));
			put_uleb(m, LINE, choose(m, 256));
		}
		break;
	default:
		break;
	}
}

static void advance_address(struct maker *m, struct line_state *state, unsigned to)
{
	const unsigned constant = (255 - state->opcode_base) / state->line_range, kind = choose(m, 4);
	if (kind == 1) {
		put_many(m, LINE, "bw", LNS_FIXED_ADVANCE_PC, to - state->address);
	} else if (kind == 2) {
		put_extended(m, LNE_SET_ADDRESS, m->wide ? 8 : 4);
		put_address(m, LINE, to);
	} else {
		if (kind == 3 && to - state->address >= constant) {
			put(m, LINE, LNS_CONST_ADD_PC, 1);
			state->address += constant;
		}
		put_many(m, LINE, "bu", LNS_ADVANCE_PC, to - state->address);
	}
	state->address = to;
}

static void put_row(struct maker *m, struct line_state *state, unsigned address, unsigned file, unsigned line)
{
	line_noise(m, state);
	if (file != state->file) {
		put_many(m, LINE, "bu", LNS_SET_FILE, file);
		state->file = file;
	}
	const int lines = (int)line - (int)state->line, more = lines - state->line_base;
	const uint64_t special = (uint64_t)(address - state->address) * state->line_range + (unsigned)more +
				 state->opcode_base;
	state->line = line;
	if (more >= 0 && (unsigned)more < state->line_range && special <= 255 && choose(m, 4) > 0) {
		put(m, LINE, special, 1);
		state->address = address;
		return;
	}
	if (address != state->address)
		advance_address(m, state, address);
	if (lines != 0) {
		put(m, LINE, LNS_ADVANCE_LINE, 1);
		put_sleb(m, LINE, lines);
	}
	put(m, LINE, LNS_COPY, 1);
}

/* The rows of the code from BEGIN up to END: one sequence. */
static void put_sequence(struct maker *m, const struct unit *unit, struct line_state state, unsigned begin,
			 unsigned end)
{
	put_extended(m, LNE_SET_ADDRESS, m->wide ? 8 : 4);
	put_address(m, LINE, begin);
	state.address = begin;
	for (unsigned at = begin, next; at < end; at = next) {
		const unsigned number = choose(m, unit->file_count);
		const unsigned line = 1 + choose(m, 256) * (choose(m, 8) == 1 ? 300 : 1);
		next = at + 1 + choose(m, 24);
		if (next > end)
			next = end;
		put_row(m, &state, at, number + (unit->version < 5), line);
		for (unsigned i = at; i < next; i++) {
			struct units_frame *frame = &m->units->frames[i][0];
			memcpy(frame->file, unit->files[number], sizeof frame->file);
			frame->line = line;
		}
	}
	if (state.address != end)
		advance_address(m, &state, end);
	put_extended(m, LNE_END_SEQUENCE, 0);
}

/* How directories and files of DWARF 5 are stored: a path in FORM, then maybe a directory and a checksum. */
static void put_path(struct maker *m, const struct unit *unit, unsigned form, const char *path)
{
	if (form == FORM_STRING)
		put_text(m, LINE, path);
	else
		put_offset(m, unit, LINE, put_text(m, form == FORM_STRP ? STR : LINE_STR, path));
}

static void put_files_5(struct maker *m, struct unit *unit, const char *directory)
{
	static const unsigned forms[] = { FORM_STRING, FORM_LINE_STRP, FORM_STRP };
	const unsigned form = forms[choose(m, 3)], checksum = choose(m, 2);
	put_many(m, LINE, "buuu", 1, LNCT_PATH, form, 2);
	put_path(m, unit, form, directory);
	put_path(m, unit, form, "inc");
	put_many(m, LINE, "buu", 2 + checksum, LNCT_PATH, form);
	if (checksum)
		put_many(m, LINE, "uu", LNCT_MD5, FORM_DATA16);
	put_many(m, LINE, "uuu", LNCT_DIRECTORY, FORM_UDATA, unit->file_count);
	for (unsigned i = 0; i < unit->file_count; i++) {
		char name[UNITS_NAME];
		snprintf(name, sizeof name, "f%u-%u.c", unit->number, i);
		put_path(m, unit, form, name);
		put(m, LINE, choose(m, 256), checksum ? 8 : 0);
		put(m, LINE, 1, checksum ? 8 : 0);
		put_uleb(m, LINE, i % 2);
	}
}

static void put_files(struct maker *m, const struct unit *unit)
{
	put_text(m, LINE, "inc");
	put(m, LINE, 0, 1);
	for (unsigned i = 0; i < unit->file_count; i++) {
		char name[UNITS_NAME];
		snprintf(name, sizeof name, "f%u-%u.c", unit->number, i);
		put_text(m, LINE, name);
		put_uleb(m, LINE, i % 2);
		put_uleb(m, LINE, choose(m, 256));
		put_uleb(m, LINE, choose(m, 256));
	}
	put(m, LINE, 0, 1);
}

/* The line table of UNIT.  Returns its offset. */
static size_t put_lines(struct maker *m, struct unit *unit, const char *directory)
{
	static const uint8_t lengths[] = { 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0, 2 };
	static const uint8_t bases[] = { 13, 10, 15, 11 };
	const size_t at = m->sections[LINE].size, begin = begin_length(m, unit, LINE);
	struct line_state state = { .file = 1, .line = 1 };
	state.opcode_base = bases[choose(m, sizeof bases)];
	state.line_range = 1 + choose(m, 20);
	state.line_base = -(int)choose(m, 8);
	unit->file_count = 1 + choose(m, FILES_MAX);
	for (unsigned i = 0; i < unit->file_count; i++)
		snprintf(unit->files[i], UNITS_NAME, "%s%s/f%u-%u.c", directory, i % 2 ? "/inc" : "", unit->number, i);
	put(m, LINE, unit->version, 2);
	if (unit->version >= 5)
		put(m, LINE, m->wide ? 8 : 4, 2);
	put_offset(m, unit, LINE, 0);
	const size_t header = m->sections[LINE].size;
	put(m, LINE, 1, 1); /* minimum_instruction_length */
	if (unit->version >= 4)
		put(m, LINE, 1, 1);    /* maximum_operations_per_instruction */
	put(m, LINE, choose(m, 2), 1); /* default_is_stmt */
	put_many(m, LINE, "bbb", (uint8_t)state.line_base, state.line_range, state.opcode_base);
	for (unsigned i = 0; i + 1 < state.opcode_base; i++)
		put(m, LINE, lengths[i], 1);
	if (unit->version >= 5)
		put_files_5(m, unit, directory);
	else
		put_files(m, unit);
	const unsigned size = unit->wide ? 8 : 4;
	put_at(m, LINE, header - size, m->sections[LINE].size - header, size);
	for (unsigned from = unit->begin, to; from < unit->end; from = to) {
		to = choose(m, 3) == 1 ? from + 1 + choose(m, 60) : unit->end;
		if (to > unit->end)
			to = unit->end;
		put_sequence(m, unit, state, from, to);
	}
	end_length(m, unit, LINE, begin);
	return at;
}

/* ------------------------------------------------------------------------------------------------- functions */

/* An abstract function, which is inlined in others, also in those of later units. */
static void put_abstract(struct maker *m, struct unit *unit)
{
	if (m->function_count == FUNCTIONS_MAX)
		return;
	const unsigned number = m->function_count++;
	struct function *function = &m->functions[number];
	snprintf(function->name, sizeof function->name, "inl%u", number);
	function->abstract = begin_entry(m, unit, TAG_SUBPROGRAM, false);
	maybe_noise(m, unit);
	text_attribute(m, unit, AT_NAME, function->name);
	if (choose(m, 3) == 1) {
		snprintf(function->name, sizeof function->name, "_Z3inl%u", number);
		text_attribute(m, unit, AT_LINKAGE, function->name);
	}
	value_attribute(m, AT_INLINE, FORM_DATA1, 1);
	end_attributes(m);
}

static void origin_attribute(struct maker *m, const struct unit *unit, const struct function *function)
{
	const bool own = function->abstract > unit->start;
	if (own && choose(m, 3) > 0) {
		value_attribute(m, AT_ORIGIN, FORM_REF4, function->abstract - unit->start);
		return;
	}
	attribute(m, AT_ORIGIN, FORM_REF_ADDR);
	put(m, INFO, function->abstract, (unit->version == 2 ? m->wide : unit->wide) ? 8 : 4);
}

/* A call that is inlined somewhere in the code from BEGIN up to END, which has DEPTH + 1 frames so far. */
static void put_inlined(struct maker *m, struct unit *unit, unsigned begin, unsigned end, unsigned depth)
{
	const struct function *function = &m->functions[choose(m, m->function_count)];
	const unsigned low = begin + choose(m, end - begin), high = low + 1 + choose(m, end - low);
	const unsigned file = choose(m, unit->file_count), line = 1 + choose(m, 200);
	const bool children = depth + 2 < UNITS_FRAMES && choose(m, 2);
	begin_entry(m, unit, TAG_INLINED, children);
	origin_attribute(m, unit, function);
	maybe_noise(m, unit);
	if (choose(m, 2))
		range_attributes(m, unit, low, high);
	else
		list_attribute(m, unit, (const unsigned[][2]){ { low, high } }, 1);
	value_attribute(m, AT_CALL_FILE, FORM_DATA1, file + (unit->version < 5));
	value_attribute(m, AT_CALL_LINE, FORM_UDATA, line);
	end_attributes(m);
	for (unsigned i = low; i < high; i++) {
		struct units_frame *frames = m->units->frames[i];
		for (unsigned k = depth + 1; k > 0; k--)
			frames[k] = frames[k - 1];
		/* The caller gets the place of the call, and the call keeps that of the code. */
		memcpy(frames[1].file, unit->files[file], UNITS_NAME);
		frames[1].line = line;
		memcpy(frames[0].function, function->name, UNITS_NAME);
		m->units->counts[i] = depth + 2;
	}
	if (children) {
		put_inlined(m, unit, low, high, depth + 1);
		put(m, INFO, 0, 1);
	}
}

static void name_code(struct maker *m, unsigned begin, unsigned end, const char name[UNITS_NAME])
{
	for (unsigned i = begin; i < end; i++) {
		memcpy(m->units->frames[i][0].function, name, UNITS_NAME);
		m->units->counts[i] = 1;
	}
}

/* A function with the code from BEGIN up to END, and from SECOND up to SECOND_END. */
static void put_function(struct maker *m, struct unit *unit, unsigned begin, unsigned end, unsigned second,
			 unsigned second_end)
{
	char name[UNITS_NAME];
	const bool inlined = m->function_count > 0 && choose(m, 2), block = choose(m, 4) == 1;
	snprintf(name, sizeof name, "fun%x", begin);
	name_code(m, begin, end, name);
	name_code(m, second, second_end, name);
	begin_entry(m, unit, TAG_SUBPROGRAM, inlined || block);
	maybe_noise(m, unit);
	text_attribute(m, unit, AT_NAME, name);
	if (second < second_end)
		list_attribute(m, unit, (const unsigned[][2]){ { begin, end }, { second, second_end } }, 2);
	else
		range_attributes(m, unit, begin, end);
	end_attributes(m);
	if (block) {
		begin_entry(m, unit, TAG_VARIABLE, false);
		noise(m, unit);
		end_attributes(m);
		begin_entry(m, unit, TAG_BLOCK, inlined);
		maybe_noise(m, unit);
		end_attributes(m);
	}
	if (inlined)
		put_inlined(m, unit, begin, end, 0);
	if (block && inlined)
		put(m, INFO, 0, 1);
	if (inlined || block)
		put(m, INFO, 0, 1);
}

static void put_functions(struct maker *m, struct unit *unit)
{
	for (unsigned n = choose(m, 3); n > 0; n--)
		put_abstract(m, unit);
	for (unsigned at = unit->begin; at < unit->end;) {
		unsigned ends[3] = { at, at, at };
		for (unsigned i = 0; i < 3; i++) {
			ends[i] = (i > 0 ? ends[i - 1] : at) + 1 + choose(m, 40);
			if (ends[i] > unit->end)
				ends[i] = unit->end;
		}
		/* Sometimes another function lies between the two parts of one. */
		const bool apart = choose(m, 3) == 1 && ends[2] > ends[1];
		put_function(m, unit, at, ends[0], apart ? ends[1] : 0, apart ? ends[2] : 0);
		if (apart && ends[1] > ends[0])
			put_function(m, unit, ends[0], ends[1], 0, 0);
		at = apart ? ends[2] : ends[0];
	}
}

/* ------------------------------------------------------------------------------------------------- units */

/* Begin the unit's part of a section in which DWARF 5 has a header for each part. */
static size_t begin_part(struct maker *m, const struct unit *unit, enum section section)
{
	const size_t begin = begin_length(m, unit, section);
	put(m, section, 5, 2);
	if (section == STR_OFFSETS)
		put(m, section, 0, 2);
	else
		put_many(m, section, "bb", m->wide ? 8 : 4, 0);
	if (section == RNGLISTS)
		put(m, section, 0, 4); /* no offsets: DW_FORM_rnglistx is not used */
	return begin;
}

static void put_unit(struct maker *m, struct unit *unit)
{
	char directory[16];
	size_t parts[SECTIONS] = { 0 };
	snprintf(directory, sizeof directory, "/dir%u", unit->number);
	const size_t lines = put_lines(m, unit, directory), abbreviations = m->sections[ABBREV].size;
	for (enum section i = 0; i < SECTIONS && unit->version >= 5; i++)
		if (i == STR_OFFSETS || i == ADDR || i == RNGLISTS)
			parts[i] = begin_part(m, unit, i);
	unit->strings = m->sections[STR_OFFSETS].size;
	unit->addresses = m->sections[ADDR].size;
	unit->lists = m->sections[RNGLISTS].size;
	unit->start = m->sections[INFO].size;
	unit->next_code = 1 + choose(m, 3);

	const size_t begin = begin_length(m, unit, INFO);
	put(m, INFO, unit->version, 2);
	if (unit->version >= 5) {
		put_many(m, INFO, "bb", UT_COMPILE, m->wide ? 8 : 4);
		put_offset(m, unit, INFO, abbreviations);
	} else {
		put_offset(m, unit, INFO, abbreviations);
		put(m, INFO, m->wide ? 8 : 4, 1);
	}
	begin_entry(m, unit, TAG_UNIT, true);
	if (unit->version >= 5) {
		offset_attribute(m, unit, AT_STR_OFFSETS_BASE, unit->strings);
		offset_attribute(m, unit, AT_ADDR_BASE, unit->addresses);
		offset_attribute(m, unit, AT_RNGLISTS_BASE, unit->lists);
	}
	text_attribute(m, unit, AT_NAME, "unit.c");
	maybe_noise(m, unit);
	text_attribute(m, unit, AT_COMP_DIR, directory);
	offset_attribute(m, unit, AT_STMT_LIST, lines);
	switch (choose(m, 3)) {
	case 0:
		range_attributes(m, unit, unit->begin, unit->end);
		break;
	case 1:
		list_attribute(m, unit, (const unsigned[][2]){ { unit->begin, unit->end } }, 1);
		break;
	default: /* it does not say */
		break;
	}
	end_attributes(m);
	put_functions(m, unit);
	put(m, INFO, 0, 1);
	put(m, ABBREV, 0, 1);
	end_length(m, unit, INFO, begin);
	for (enum section i = 0; i < SECTIONS; i++)
		if (parts[i])
			end_length(m, unit, i, parts[i]);
}

/* Change one thing. */
static void bend(struct maker *m)
{
	struct section_bytes *section = &m->sections[choose(m, SECTIONS)];
	const size_t at = choose(m, 256) << 8 | choose(m, 256);
	if (section->size == 0)
		return;
	if (choose(m, 4) == 1)
		section->size = at % section->size;
	else
		section->bytes[at % section->size] = (uint8_t)choose(m, 256);
}

void units_make(struct units *units, const uint8_t *data, size_t size)
{
	static struct maker maker;
	struct maker *m = &maker;
	memset(m, 0, sizeof *m);
	memset(units, 0, sizeof *units);
	*m = (struct maker){ .data = data, .left = size, .units = units };
	m->wide = choose(m, 2);
	units->bent = choose(m, 2);
	const unsigned count = 1 + choose(m, 3);
	for (unsigned i = 0, begin = 0; i < count; i++) {
		struct unit unit = { .version = 2 + choose(m, 4), .number = i, .begin = begin };
		unit.wide = unit.version >= 3 && choose(m, 4) == 1;
		unit.end = begin + 1 + choose(m, UNITS_CODE / 3 - 1);
		begin = unit.end + (choose(m, 2) ? 1 : 0);
		put_unit(m, &unit);
	}
	if (units->bent)
		bend(m);
	units->sections[units->size++] = m->wide ? SECTIONS_WIDE : 0;
	for (int i = 0; i < SECTIONS; i++) {
		const struct section_bytes *section = &m->sections[i];
		if (section->size == SECTION_SIZE_MAX ||
		    units->size + PARTS_MARK_SIZE + section->size > sizeof units->sections) {
			units->size = 0;
			return;
		}
		memcpy(units->sections + units->size, PARTS_MARK, PARTS_MARK_SIZE - 1);
		units->sections[units->size + PARTS_MARK_SIZE - 1] = (uint8_t)letters[i];
		memcpy(units->sections + units->size + PARTS_MARK_SIZE, section->bytes, section->size);
		units->size += PARTS_MARK_SIZE + section->size;
	}
}
