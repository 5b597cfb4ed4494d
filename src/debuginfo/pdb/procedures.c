// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * procedures.c - which code of a module has which name, file and line
 *
 * The module's symbols tell where its procedures are.  Linkers give one range of code to several procedures, if their
 * code is equal; the range then is a contribution of one module, and only that module's procedure and lines are used,
 * so that name and line agree.  Code of a contribution outside procedures, such as that of assemblers, gets the names
 * of publics: each from its address up to the next one, or to the end of the contribution.  What is outside
 * contributions, such as padding, has no name.
 */
#include "config.h"
#include "debuginfo/pdb/pdb-module.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
	S_END = 0x0006,
	S_THUNK32 = 0x1102,
	S_BLOCK32 = 0x1103,
	S_WITH32 = 0x1104,
	S_LPROC32 = 0x110f,
	S_GPROC32 = 0x1110,
	S_GMANPROC = 0x112a,
	S_LMANPROC = 0x112b,
	S_TRAMPOLINE = 0x112c,
	S_SEPCODE = 0x1132,
	S_LPROC32_ID = 0x1146,
	S_GPROC32_ID = 0x1147,
	S_INLINESITE = 0x114d,
	S_INLINESITE_END = 0x114e,
	S_PROC_ID_END = 0x114f,
	S_LPROC32_DPC = 0x1155,
	S_LPROC32_DPC_ID = 0x1156,
	S_INLINESITE2 = 0x115d,
	S_FASTLINK = 0x1167,
};

/* Offsets in the content of records, which follows their kind. */
enum { PROC_LENGTH = 12, PROC_OFFSET = 28, PROC_SEGMENT = 32, PROC_NAME = 35 };
enum { THUNK_OFFSET = 12, THUNK_SEGMENT = 16, THUNK_LENGTH = 18, THUNK_NAME = 21 };
enum {
	SEPCODE_LENGTH = 8,
	SEPCODE_OFFSET = 16,
	SEPCODE_PARENT = 20,
	SEPCODE_SEGMENT = 24,
	SEPCODE_PARENT_SEGMENT = 26,
	SEPCODE_SIZE = 28
};
enum {
	TRAMPOLINE_LENGTH = 2,
	TRAMPOLINE_OFFSET = 4,
	TRAMPOLINE_TARGET = 8,
	TRAMPOLINE_SEGMENT = 12,
	TRAMPOLINE_TARGET_SEGMENT = 14,
	TRAMPOLINE_SIZE = 16
};

/* A procedure, or other code with a name. */
struct procedure {
	struct pdb_procedure own;
	/* Its name in the symbols, with a NUL; or NULL: then its name is made from that of the code at OTHER, of which
	   it is a part, or to which it jumps. */
	const char *name;
	uint32_t other;
	bool jumps;
};

struct code_reader {
	struct pdb_module *module;
	struct procedure *procedures; /* ascending and disjoint, when all are read */
	uint32_t count, room;
	bool open;	/* the last procedure has not ended yet */
	uint32_t depth; /* of the scopes in it */
	uint32_t next;	/* procedure */
	uint32_t line;	/* all lines before this one end at or before the code that is read */
};

/* ------------------------------------------------------------------------------------------------- procedures */

/* The string at OFFSET of a record's CONTENT of SIZE bytes, or NULL. */
static const char *record_name(const uint8_t *content, uint32_t size, uint32_t offset)
{
	return offset < size && memchr(content + offset, '\0', size - offset) ? (const char *)content + offset : NULL;
}

/* Keep PROCEDURE, whose code of LENGTH bytes is cut off at END. */
static int keep_procedure(struct code_reader *code, struct procedure procedure, uint32_t length, uint32_t end)
{
	struct pdb *pdb = code->module->pdb;
	procedure.own.end = length < end - procedure.own.begin ? procedure.own.begin + length : end;
	if (rs_array_grow(&code->procedures, &code->room, code->count, sizeof *code->procedures) < 0)
		return reading_memory(pdb->reading);
	code->procedures[code->count++] = procedure;
	code->open = true;
	code->depth = 0;
	return 0;
}

/* Add PROCEDURE, whose code of LENGTH bytes begins at its address, if that is the module's own. */
static int add_procedure(struct code_reader *code, struct procedure procedure, uint32_t length)
{
	const struct pdb_contribution *own = procedure.own.begin
						     ? pdb_contribution_at(code->module, procedure.own.begin)
						     : NULL;
	code->open = false;
	return own && length > 0 ? keep_procedure(code, procedure, length, own->end) : 0;
}

/* Add the jump PROCEDURE of LENGTH bytes in SEGMENT. */
static int add_jump(struct code_reader *code, struct procedure procedure, uint32_t segment, uint32_t length)
{
	const struct pdb *pdb = code->module->pdb;
	if (!code->module->entry->unplaced)
		return add_procedure(code, procedure, length);
	if (procedure.own.begin == 0 || length == 0)
		return 0;
	const struct pdb_section *section = &pdb->sections[segment - 1];
	return keep_procedure(code, procedure, length, section->begin + section->size);
}

/* Add the code that the record of KIND describes; NEXT is where the record after it begins. */
static int take_procedure(struct code_reader *code, uint32_t kind, const uint8_t *content, uint32_t size, uint32_t next)
{
	const struct pdb *pdb = code->module->pdb;
	struct procedure procedure = { .own = { .records = next, .records_end = next } };
	switch (kind) {
	case S_THUNK32:
		procedure.name = record_name(content, size, THUNK_NAME);
		if (!procedure.name)
			return 0;
		procedure.own.begin = pdb_address(pdb, rs_le16(content + THUNK_SEGMENT),
						  rs_le32(content + THUNK_OFFSET));
		return add_procedure(code, procedure, rs_le16(content + THUNK_LENGTH));
	case S_SEPCODE:
		if (size < SEPCODE_SIZE)
			return 0;
		procedure.own.begin = pdb_address(pdb, rs_le16(content + SEPCODE_SEGMENT),
						  rs_le32(content + SEPCODE_OFFSET));
		procedure.other = pdb_address(pdb, rs_le16(content + SEPCODE_PARENT_SEGMENT),
					      rs_le32(content + SEPCODE_PARENT));
		return add_procedure(code, procedure, rs_le32(content + SEPCODE_LENGTH));
	case S_TRAMPOLINE:
		if (size < TRAMPOLINE_SIZE)
			return 0;
		procedure.jumps = true;
		procedure.own.begin = pdb_address(pdb, rs_le16(content + TRAMPOLINE_SEGMENT),
						  rs_le32(content + TRAMPOLINE_OFFSET));
		procedure.other = pdb_address(pdb, rs_le16(content + TRAMPOLINE_TARGET_SEGMENT),
					      rs_le32(content + TRAMPOLINE_TARGET));
		return add_jump(code, procedure, rs_le16(content + TRAMPOLINE_SEGMENT),
				rs_le16(content + TRAMPOLINE_LENGTH));
	default:
		procedure.name = record_name(content, size, PROC_NAME);
		if (!procedure.name)
			return 0;
		procedure.own.begin = pdb_address(pdb, rs_le16(content + PROC_SEGMENT), rs_le32(content + PROC_OFFSET));
		return add_procedure(code, procedure, rs_le32(content + PROC_LENGTH));
	}
}

/* A scope ends at END.  The records say themselves where their scopes end, but tools that change PDB files do not keep
   that right, so scopes are counted. */
static void end_scope(struct code_reader *code, uint32_t end)
{
	if (!code->open)
		return;
	if (code->depth > 0) {
		code->depth--;
		return;
	}
	code->procedures[code->count - 1].own.records_end = end;
	code->open = false;
}

static int take_record(struct code_reader *code, uint32_t kind, const uint8_t *content, uint32_t size, uint32_t next)
{
	switch (kind) {
	case S_THUNK32:
	case S_SEPCODE:
	case S_LPROC32:
	case S_GPROC32:
	case S_LPROC32_ID:
	case S_GPROC32_ID:
	case S_LPROC32_DPC:
	case S_LPROC32_DPC_ID:
		return take_procedure(code, kind, content, size, next);
	case S_TRAMPOLINE:
		if (take_procedure(code, kind, content, size, next) < 0)
			return -1;
		code->open = false;
		return 0;
	case S_GMANPROC:
	case S_LMANPROC:
		code->open = false;
		return 0;
	case S_BLOCK32:
	case S_WITH32:
	case S_INLINESITE:
	case S_INLINESITE2:
		code->depth++;
		return 0;
	case S_END:
	case S_INLINESITE_END:
	case S_PROC_ID_END:
		end_scope(code, next);
		return 0;
	case S_FASTLINK:
		code->module->pdb->fastlink = true;
		return 0;
	default:
		return 0;
	}
}

static int by_begin(const void *a, const void *b)
{
	const struct procedure *x = a, *y = b;
	if (x->own.begin != y->own.begin)
		return x->own.begin < y->own.begin ? -1 : 1;
	return x->own.records < y->own.records ? -1 : x->own.records > y->own.records;
}

/* Read the symbols.  Of procedures that overlap, the one that begins first keeps the code; of those that begin
   together, the first in the stream. */
static int read_procedures(struct code_reader *code)
{
	struct pdb_module *module = code->module;
	uint32_t at = 0, kept = 0;
	while (module->symbol_size - at >= 4) {
		uint32_t size = rs_le16(module->symbols + at);
		if (size < 2 || size > module->symbol_size - at - 2) {
			pdb_warn(module->pdb, module->entry->stream, 4 + (uint64_t)at,
				 "a record of a symbol is damaged");
			break;
		}
		uint32_t next = at + 2 + size;
		if (take_record(code, rs_le16(module->symbols + at + 2), module->symbols + at + 4, size - 2, next) < 0)
			return -1;
		at = next;
	}
	if (code->count)
		qsort(code->procedures, code->count, sizeof *code->procedures, by_begin);
	for (uint32_t i = 0; i < code->count; i++)
		if (kept == 0 || code->procedures[i].own.begin >= code->procedures[kept - 1].own.end)
			code->procedures[kept++] = code->procedures[i];
	code->count = kept;
	return 0;
}

/* ------------------------------------------------------------------------------------------------------ names */

/*
 * Write to TEXT, of SIZE bytes, the qualified name with which the linkage name NAME of Microsoft's C++ begins, as
 * procedures are named: for "?f@C@ns@@QAEXXZ" ns::C::f, and for "??1C@ns@@QAE@XZ" the destructor ns::C::~C.  Returns
 * its length; 0 for any other name, such as those of templates and operators.
 */
static size_t qualified_name(const char *name, char *text, size_t size)
{
	const char *scopes[8], *special = "";
	size_t lengths[8], count = 0, length = 0;
	if (*name++ != '?')
		return 0;
	if (name[0] == '?' && (name[1] == '0' || name[1] == '1')) {
		special = name[1] == '1' ? "~" : " ";
		name += 2;
	}
	for (; *name != '@'; name += lengths[count++] + 1) {
		lengths[count] = strcspn(name, "@?$");
		if (count == 7 || lengths[count] == 0 || name[lengths[count]] != '@' ||
		    (name[0] >= '0' && name[0] <= '9'))
			return 0;
		scopes[count] = name;
	}
	for (size_t i = count; i-- > 0 && length < size;)
		length += (size_t)snprintf(text + length, size - length, "%.*s%s", (int)lengths[i], scopes[i],
					   i ? "::" : "");
	if (*special && count > 0 && length < size)
		length += (size_t)snprintf(text + length, size - length, "::%s%.*s", *special == '~' ? "~" : "",
					   (int)lengths[0], scopes[0]);
	return length < size ? length : 0;
}

static int name_public(struct pdb *pdb, const struct pdb_public *public, uint32_t *ret)
{
	const char *name = pdb_public_name(pdb, public);
	char text[1024];
	size_t length = pdb->reading->options->decorated ? 0 : qualified_name(name, text, sizeof text);
	if (length > 0)
		return reading_name(pdb->reading, text, length, NAME_DEBUG, ret);
	return reading_name(pdb->reading, name, strlen(name), NAME_COFF, ret);
}

/* Name the code at ADDRESS by the public that begins there; 0 if there is none. */
static int name_by_public(struct pdb *pdb, uint32_t address, uint32_t *ret)
{
	struct pdb_slice at;
	*ret = 0;
	if (address == 0)
		return 0;
	if (pdb_find_publics(pdb, address, address + 1, &at) < 0)
		return -1;
	return at.count > 0 ? name_public(pdb, at.items, ret) : 0;
}

/* Name the code at ADDRESS: by its procedure in this module, or by a public; 0 if it has neither. */
static int name_other(struct code_reader *code, uint32_t address, uint32_t *ret)
{
	struct pdb *pdb = code->module->pdb;
	uint32_t i = rs_array_first(code->procedures, code->count, sizeof *code->procedures,
				    offsetof(struct procedure, own.begin), address);
	if (i < code->count && code->procedures[i].own.begin == address && code->procedures[i].name)
		return reading_name(pdb->reading, code->procedures[i].name, strlen(code->procedures[i].name),
				    NAME_DEBUG, ret);
	return name_by_public(pdb, address, ret);
}

/* Incremental links send calls through a list of jumps.  Microsoft's debuggers call such a jump "@ILT+5(main)". */
static int name_jump(struct code_reader *code, const struct procedure *procedure, uint32_t *ret)
{
	struct reading *reading = code->module->pdb->reading;
	char text[512];
	uint32_t target;
	if (name_other(code, procedure->other, &target) < 0)
		return -1;
	int length = snprintf(text, sizeof text, "@ILT+%" PRIu32 "(%.400s)",
			      procedure->own.begin - code->procedures[0].own.begin,
			      rs_string(reading->di->draft->strings, target));
	return target ? reading_name(reading, text, (size_t)length, NAME_DEBUG, ret) : 0;
}

static int name_procedure(struct code_reader *code, const struct procedure *procedure, uint32_t *ret)
{
	struct pdb *pdb = code->module->pdb;
	*ret = 0;
	if (procedure->jumps)
		return name_jump(code, procedure, ret);
	if (!procedure->name)
		return name_other(code, procedure->other, ret);
	if (pdb->reading->options->decorated && name_by_public(pdb, procedure->own.begin, ret) < 0)
		return -1;
	return *ret ? 0 : reading_name(pdb->reading, procedure->name, strlen(procedure->name), NAME_DEBUG, ret);
}

/* ------------------------------------------------------------------------------------------------------- spans */

/* Where the linker says of another module that it has the code of an unplaced one, that module answers. */
static uint32_t order_of(const struct pdb_module *module)
{
	return SPAN_PDB + (module->entry->unplaced ? module->pdb->entry_count : module->number);
}

/* Add parts for the code from BEGIN up to END, which is of FUNCTION, with the lines in it. */
static int add_parts(struct code_reader *code, uint32_t begin, uint32_t end, uint32_t function)
{
	struct pdb_module *module = code->module;
	while (begin < end) {
		const struct pdb_line *line = code->line < module->line_count ? &module->lines[code->line] : NULL;
		if (line && line->end <= begin) {
			code->line++;
			continue;
		}
		struct span part = {
			.begin = begin, .end = end, .function = function, .outer = 0, .order = order_of(module)
		};
		if (line && line->begin <= begin) {
			part.file = line->lead ? 0 : line->file;
			part.line = line->lead ? 0 : line->line;
			part.end = line->end < end ? line->end : end;
		} else if (line && line->begin < end) {
			part.end = line->begin;
		}
		if (rs_array_grow(&module->parts, &module->part_room, module->part_count, sizeof *module->parts) < 0)
			return reading_memory(module->pdb->reading);
		module->parts[module->part_count++] = part;
		begin = part.end;
	}
	return 0;
}

/* Whether something in the code from BEGIN up to END is wanted. */
static bool is_wanted(const struct pdb *pdb, uint32_t begin, uint32_t end)
{
	return !pdb->selective || reading_is_wanted(pdb->reading, begin, end);
}

static int take_code(struct code_reader *code, const struct procedure *procedure)
{
	struct pdb_module *module = code->module;
	struct pdb_procedure own = procedure->own;
	if (!is_wanted(module->pdb, own.begin, own.end))
		return 0;
	module->part_count = 0;
	if (name_procedure(code, procedure, &own.function) < 0 || add_parts(code, own.begin, own.end, own.function) < 0)
		return -1;
	/* Inlined calls are relative to the start of their procedure; in a part of it elsewhere nothing says what they
	   are relative to. */
	if (procedure->name && pdb_read_inlines(module, &own) < 0)
		return -1;
	module->pdb->reading->di->counts.pdb_functions++;
	return pdb_keep(module, own.function) < 0 ? -1
						  : pdb_keep_function(module->pdb, own.begin, own.end, own.function);
}

/* Add the part from BEGIN up to END of code without procedures, which PUBLIC names; NULL: no public does. */
static int take_named(struct code_reader *code, const struct pdb_public *public, uint32_t begin, uint32_t end)
{
	struct pdb *pdb = code->module->pdb;
	uint32_t function = 0;
	if ((public && name_public(pdb, public, &function) < 0) || add_parts(code, begin, end, function) < 0)
		return -1;
	if (!public)
		return 0;
	pdb->reading->di->counts.pdb_publics++;
	/* Of a function in DWARF more is known than where the next public begins. */
	bool known = !public->function || pdb->reading->di->counts.dwarf_functions > 0;
	return known ? 0 : pdb_keep_function(pdb, begin, end, function);
}

/* Code without procedures: what the publics and the lines say about it. */
static int take_rest(struct code_reader *code, uint32_t begin, uint32_t end)
{
	struct pdb_module *module = code->module;
	struct pdb_slice publics;
	if (begin >= end || !is_wanted(module->pdb, begin, end))
		return 0;
	if (pdb_find_publics(module->pdb, begin, end, &publics) < 0)
		return -1;
	module->part_count = 0;
	for (uint32_t i = 0; i <= publics.count && pdb_spend(module->pdb, 1); i++) {
		uint32_t next = i < publics.count ? publics.items[i].address : end;
		if (begin < next && take_named(code, i > 0 ? &publics.items[i - 1] : NULL, begin, next) < 0)
			return -1;
		begin = next;
	}
	/* All other debug information knows more than a name. */
	for (uint32_t k = 0; k < module->part_count; k++)
		if (module->parts[k].file == 0)
			module->parts[k].order = SPAN_PUBLICS;
	return pdb_keep(module, 0);
}

static int take_contribution(struct code_reader *code, const struct pdb_contribution *own)
{
	uint32_t at = own->begin;
	for (; code->next < code->count && code->procedures[code->next].own.begin < own->end; code->next++) {
		const struct procedure *procedure = &code->procedures[code->next];
		if (take_rest(code, at, procedure->own.begin) < 0 || take_code(code, procedure) < 0)
			return -1;
		at = procedure->own.end;
	}
	return take_rest(code, at, own->end);
}

int pdb_read_code(struct pdb_module *module)
{
	struct code_reader code = { .module = module };
	int ret = read_procedures(&code);
	for (uint32_t i = module->entry->first; ret == 0 && i < module->entry->last; i++)
		ret = take_contribution(&code, &module->pdb->contributions[i]);
	for (; ret == 0 && module->entry->unplaced && code.next < code.count; code.next++)
		ret = take_code(&code, &code.procedures[code.next]);
	rs_free(code.procedures);
	return ret;
}
