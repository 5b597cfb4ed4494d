// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * procedures.c - makes spans of a module's code: ranges with a name, a file and a line
 *
 * A module is an object file that was linked.  Its symbols have the addresses of its procedures.  A contribution is a
 * range of code that the linker took from one module.  Linkers merge procedures of several modules if their code is
 * equal; then the code is a contribution of one module, and only that module's procedure and lines are used, so that
 * name and line agree.  Code of a contribution outside procedures, such as that of assemblers, gets the names of
 * publics (public symbols): each names the code from its address up to the next public, or to the end of the
 * contribution.  Code outside contributions, such as padding, has no name.
 */
#include "config.h"
#include "debuginfo/pdb/pdb-module.h"
#include "lib/base/alloc.h"
#include "lib/base/sort.h"
#include "lib/base/array.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>

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
	S_PROC_ID_END = 0x114f,
	S_LPROC32_DPC = 0x1155,
	S_LPROC32_DPC_ID = 0x1156,
	S_FASTLINK = 0x1167,
};

/* Where a record that describes code has its fields: offsets in the record's content, which follows its kind. */
struct record_layout {
	uint8_t size;		       /* how many bytes the content must have; a name must also end within it */
	uint8_t name, offset, segment; /* NAME is 0 if there is no name */
	uint8_t length, length_size;
	uint8_t other, other_segment; /* if NAME is 0: address of the code to which this code belongs or jumps */
};

static const struct record_layout procedure_layout = { 36, 35, 28, 32, 12, 4, 0, 0 };
static const struct record_layout thunk_layout = { 22, 21, 12, 16, 18, 2, 0, 0 };
static const struct record_layout sepcode_layout = { 28, 0, 16, 24, 8, 4, 20, 26 };
static const struct record_layout trampoline_layout = { 16, 0, 4, 12, 2, 2, 8, 14 };

struct code_reader {
	struct pdb_module *module;
	struct pdb_procedure *procedures; /* ascending and disjoint, after read_procedures() */
	uint32_t count, room;
	bool open;	/* the end record of the last procedure has not been read yet */
	uint32_t depth; /* if OPEN, how many scopes inside that procedure have not ended yet */
	uint32_t next;	/* index of the next procedure to make spans of */
	uint32_t line;	/* index in module->lines from which add_line_parts() goes on */
};

/* ------------------------------------------------------------------------------------------------- procedures */

/* Add the code that a record describes, if it begins in a contribution of the module, and cut it where the contribution
   ends.  A jump in a module without contributions is added, too, and cut at the end of its segment.  The record has
   LAYOUT, and SIZE bytes of CONTENT; NEXT is the offset of the record after it. */
static int add_code_of_record(struct code_reader *code, const struct record_layout *layout, const uint8_t *content,
			      uint32_t size, uint32_t next)
{
	const struct pdb_module *module = code->module;
	const struct pdb *pdb = module->pdb;
	struct pdb_procedure procedure = { .records = next, .records_end = next };
	if (size < layout->size || (layout->name && !memchr(content + layout->name, '\0', size - layout->name)))
		return 0;
	const uint32_t length = layout->length_size == 4 ? rs_le32(content + layout->length)
							 : rs_le16(content + layout->length);
	procedure.begin = rs_pdb_source_address(pdb, content + layout->segment, content + layout->offset);
	procedure.end = rs_pdb_find_end(module, procedure.begin, length);
	if (layout->name)
		procedure.name = (const char *)content + layout->name;
	else
		procedure.other = rs_pdb_source_address(pdb, content + layout->other_segment, content + layout->other);
	procedure.jumps = layout == &trampoline_layout;
	if (procedure.jumps && procedure.begin && module->entry->unplaced) {
		const struct pdb_section *section = &pdb->sections[rs_le16(content + layout->segment) - 1];
		const uint32_t left = section->begin + section->size - procedure.begin;
		procedure.end = procedure.begin + (length < left ? length : left);
	}
	const bool is_added = procedure.end > procedure.begin;
	code->open = is_added && !procedure.jumps; /* a trampoline has no end record */
	code->depth = 0;
	if (!is_added)
		return 0;
	return RS_ARRAY_ADD(code->procedures, code->room, code->count, pdb->reading->err, procedure);
}

/* Read the symbol record of KIND, of SIZE bytes at CONTENT; NEXT is the offset of the record after it.  Adds a
   procedure, or opens or ends a scope.  Counts scopes, because the offsets of end records in other records can be
   wrong: tools that change PDB files do not correct them. */
static int read_record(struct code_reader *code, uint32_t kind, const uint8_t *content, uint32_t size, uint32_t next)
{
	switch (kind) {
	case S_THUNK32:
		return add_code_of_record(code, &thunk_layout, content, size, next);
	case S_SEPCODE:
		return add_code_of_record(code, &sepcode_layout, content, size, next);
	case S_LPROC32:
	case S_GPROC32:
	case S_LPROC32_ID:
	case S_GPROC32_ID:
	case S_LPROC32_DPC:
	case S_LPROC32_DPC_ID:
		return add_code_of_record(code, &procedure_layout, content, size, next);
	case S_TRAMPOLINE:
		return add_code_of_record(code, &trampoline_layout, content, size, next);
	case S_GMANPROC: /* .NET code, whose scopes must not be counted as those of the procedure before */
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
		if (code->open && code->depth-- == 0) {
			code->procedures[code->count - 1].records_end = next;
			code->open = false;
		}
		return 0;
	case S_FASTLINK:
		code->module->pdb->fastlink = true;
		return 0;
	default:
		return 0;
	}
}

/* Read the module's symbols into the array of procedures.  Of procedures that overlap, the one that begins first stays;
   of those that begin together, the first in the stream. */
static int read_procedures(struct code_reader *code)
{
	struct pdb_module *module = code->module;
	struct decoder records = { .at = module->symbols, .end = module->symbols + module->symbol_size }, content;
	uint32_t kind, kept = 0;
	while (pdb_next_record(&records, &kind, &content))
		if (read_record(code, kind, content.at, (uint32_t)decoder_left(&content),
				(uint32_t)(records.at - module->symbols)) < 0)
			return -1;
	if (records.bad)
		rs_pdb_warn(module->pdb, module->entry->stream, 4 + (uint64_t)(records.at - module->symbols),
			    "a record of a symbol is damaged");
	rs_sort(code->procedures, code->count, sizeof *code->procedures, rs_compare_two_numbers);
	for (uint32_t i = 0; i < code->count; i++)
		if (kept == 0 || code->procedures[i].begin >= code->procedures[kept - 1].end)
			code->procedures[kept++] = code->procedures[i];
	code->count = kept;
	return 0;
}

/* ------------------------------------------------------------------------------------------------------ names */

/*
 * If NAME is a linkage name of Microsoft's C++, write its qualified name, the form that procedures have, to TEXT, of
 * SIZE bytes: ns::C::f for "?f@C@ns@@QAEXXZ", and the destructor ns::C::~C for "??1C@ns@@QAE@XZ".
 * Returns the length of the text; 0 for any other name, also those of templates and operators.
 */
static size_t write_qualified_name(const char *name, char *text, size_t size)
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

/* Store in *RET the string number of PUBLIC's name: the qualified name, if it has one, unless names stay decorated. */
static int make_public_name(struct pdb *pdb, const struct pdb_public *public, uint32_t *ret)
{
	const char *name = rs_pdb_public_name(pdb, public);
	char text[1024];
	size_t length = pdb->reading->options->decorated ? 0 : write_qualified_name(name, text, sizeof text);
	if (length > 0)
		return rs_reading_intern_name(pdb->reading, text, length, NAME_DEBUG, ret);
	return rs_reading_intern_name(pdb->reading, name, strlen(name), NAME_COFF, ret);
}

/* Whether LINKAGE, the linkage name of a public, can be that of the procedure NAME: whether it contains NAME without
   its scopes and template arguments.  Also returns true if the rest of NAME is no identifier, as with operators. */
static bool may_be_linkage_name(const char *name, const char *linkage)
{
	enum { IDENTIFIER_MAX = 255 };
	const size_t end = strcspn(name, "<"), size = strlen(linkage);
	size_t begin = end;
	while (begin > 0 && (isalnum((unsigned char)name[begin - 1]) || name[begin - 1] == '_'))
		begin--;
	const size_t length = end - begin;
	if (length == 0 || length > IDENTIFIER_MAX || (begin > 0 && name[begin - 1] != ':' && name[begin - 1] != '~'))
		return true;
	for (size_t i = 0; i + length <= size; i++) {
		const unsigned char before = i > 0 ? (unsigned char)linkage[i - 1] : 0;
		const unsigned char after = (unsigned char)linkage[i + length];
		/* A digit before the identifier is its length, or marks a constructor or destructor. */
		if (memcmp(linkage + i, name + begin, length) == 0 &&
		    (isdigit(before) || (!isalpha(before) && !isalnum(after) && after != '_')))
			return true;
	}
	return false;
}

/* Store in *RET the string number of the linkage name of PROCEDURE; *RET is unchanged unless exactly one public there
   can have it.  Linkers give functions of equal code one address (ICF), so a public can be another function's. */
static int find_linkage_name(struct pdb *pdb, const struct pdb_procedure *procedure, uint32_t *ret)
{
	struct pdb_slice at;
	const struct pdb_public *own = NULL;
	if (rs_pdb_find_publics(pdb, procedure->begin, procedure->begin + 1, &at) < 0)
		return -1;
	for (uint32_t i = 0; i < at.count; i++) {
		const struct pdb_public *public = &at.items[i];
		if (!rs_pdb_spend_work(pdb, 1 + public->size / 64))
			return 0;
		if (public->function != at.items[at.count - 1].function ||
		    !may_be_linkage_name(procedure->name, rs_pdb_public_name(pdb, public)))
			continue;
		if (own)
			return 0;
		own = public;
	}
	return own ? make_public_name(pdb, own, ret) : 0;
}

/* Store in *RET the string number of a name of the code at source ADDRESS: the name of a procedure of this module, or
   of a public; 0 if there is neither. */
static int find_code_name(struct code_reader *code, uint32_t address, uint32_t *ret)
{
	struct pdb *pdb = code->module->pdb;
	struct pdb_slice at = { NULL, 0 };
	uint32_t i = rs_array_first(code->procedures, code->count, sizeof *code->procedures,
				    offsetof(struct pdb_procedure, begin), address);
	*ret = 0;
	if (i < code->count && code->procedures[i].begin == address && code->procedures[i].name)
		return rs_reading_intern_name(pdb->reading, code->procedures[i].name, strlen(code->procedures[i].name),
					      NAME_DEBUG, ret);
	if (address > 0 && rs_pdb_find_publics(pdb, address, address + 1, &at) < 0)
		return -1;
	return at.count > 0 ? make_public_name(pdb, &at.items[at.count - 1], ret) : 0;
}

/* Store in *RET the string number of the name of PROCEDURE, a jump, as in Microsoft's debuggers: "@ILT+5(main)" goes to
   main, and is 5 bytes after the module's first procedure.  After an incremental link, calls go through such jumps. */
static int make_jump_name(struct code_reader *code, const struct pdb_procedure *procedure, uint32_t *ret)
{
	struct reading *reading = code->module->pdb->reading;
	char text[512];
	uint32_t target;
	if (find_code_name(code, procedure->other, &target) < 0)
		return -1;
	int length = snprintf(text, sizeof text, "@ILT+%" PRIu32 "(%.400s)",
			      procedure->begin - code->procedures[0].begin,
			      rs_string(reading->di->draft->strings, target));
	return target ? rs_reading_intern_name(reading, text, (size_t)length, NAME_DEBUG, ret) : 0;
}

/* Store in *RET the string number of the name of PROCEDURE; 0 if it has none. */
static int make_procedure_name(struct code_reader *code, const struct pdb_procedure *procedure, uint32_t *ret)
{
	struct pdb *pdb = code->module->pdb;
	*ret = 0;
	if (procedure->jumps)
		return make_jump_name(code, procedure, ret);
	if (!procedure->name)
		return find_code_name(code, procedure->other, ret);
	if (pdb->reading->options->decorated && find_linkage_name(pdb, procedure, ret) < 0)
		return -1;
	return *ret ? 0
		    : rs_reading_intern_name(pdb->reading, procedure->name, strlen(procedure->name), NAME_DEBUG, ret);
}

/* ------------------------------------------------------------------------------------------------------- spans */

/* Add to module->parts the code from BEGIN up to END, of FUNCTION: a part for each line and each gap between lines. */
static int add_line_parts(struct code_reader *code, uint32_t begin, uint32_t end, uint32_t function)
{
	struct pdb_module *module = code->module;
	/* Where spans overlap, the lowest order answers.  Modules without contributions get the highest one. */
	const uint32_t order = SPAN_PDB + (module->entry->unplaced ? module->pdb->entry_count : module->number);
	while (begin < end) {
		const struct pdb_line *line = code->line < module->line_count ? &module->lines[code->line] : NULL;
		if (line && line->end <= begin) {
			code->line++;
			continue;
		}
		struct span part = { .begin = begin, .end = end, .function = function, .outer = 0, .order = order };
		if (line && line->begin <= begin) {
			part.file = line->lead ? 0 : line->file;
			part.line = line->lead ? 0 : line->line;
			part.end = line->end < end ? line->end : end;
		} else if (line && line->begin < end) {
			part.end = line->begin;
		}
		if (RS_ARRAY_ADD(module->parts, module->part_room, module->part_count, module->pdb->reading->err,
				 part) < 0)
			return -1;
		begin = part.end;
	}
	return 0;
}

/* If answers for any code of PROCEDURE are wanted, make spans of its lines and inlined calls, and add a function. */
static int add_procedure_spans(struct code_reader *code, const struct pdb_procedure *procedure)
{
	struct pdb_module *module = code->module;
	if (!pdb_is_wanted(module->pdb, procedure->begin, procedure->end))
		return 0;
	uint32_t function;
	module->part_count = 0;
	if (make_procedure_name(code, procedure, &function) < 0 ||
	    add_line_parts(code, procedure->begin, procedure->end, function) < 0)
		return -1;
	/* Inlined calls have offsets from the start of the procedure.  For a part that was moved away from its
	   procedure, it is unknown from where they count. */
	if (procedure->name && rs_pdb_read_inlines(module, procedure) < 0)
		return -1;
	module->pdb->reading->di->counts.pdb_functions++;
	if (rs_pdb_add_spans(module, function) < 0)
		return -1;
	return rs_pdb_add_function(module->pdb, procedure->begin, procedure->end, function);
}

/* Add to module->parts the code from BEGIN up to END, which is in no procedure.  PUBLIC names it; NULL: it has no name.
   Also adds a function if PUBLIC is one. */
static int add_public_code(struct code_reader *code, const struct pdb_public *public, uint32_t begin, uint32_t end)
{
	struct pdb *pdb = code->module->pdb;
	uint32_t function = 0;
	if ((public && make_public_name(pdb, public, &function) < 0) || add_line_parts(code, begin, end, function) < 0)
		return -1;
	if (!public)
		return 0;
	pdb->reading->di->counts.pdb_publics++;
	/* This function ends only where the next public begins.  DWARF has the real ends of functions.  So if the image
	   has any DWARF unit, even one that was not read, leave the function to DWARF. */
	bool known = !public->function || pdb->reading->di->counts.dwarf_units > 0;
	return known ? 0 : rs_pdb_add_function(pdb, begin, end, function);
}

/* Make spans of the code from BEGIN up to END, which is in no procedure, with the names of publics, and with lines. */
static int add_public_spans(struct code_reader *code, uint32_t begin, uint32_t end)
{
	struct pdb_module *module = code->module;
	struct pdb_slice publics;
	if (begin >= end || !pdb_is_wanted(module->pdb, begin, end))
		return 0;
	if (rs_pdb_find_publics(module->pdb, begin, end, &publics) < 0)
		return -1;
	module->part_count = 0;
	for (uint32_t i = 0; i <= publics.count && rs_pdb_spend_work(module->pdb, 1); i++) {
		uint32_t next = i < publics.count ? publics.items[i].address : end;
		if (begin < next && add_public_code(code, i > 0 ? &publics.items[i - 1] : NULL, begin, next) < 0)
			return -1;
		begin = next;
	}
	/* A part that has only a name answers only where no other debug information does. */
	for (uint32_t k = 0; k < module->part_count; k++)
		if (module->parts[k].file == 0)
			module->parts[k].order = SPAN_PUBLICS;
	return rs_pdb_add_spans(module, 0);
}

/* Make spans of the code of CONTRIBUTION: of the procedures in it, and of the code between them. */
static int add_contribution_spans(struct code_reader *code, const struct pdb_contribution *contribution)
{
	uint32_t at = contribution->begin;
	for (; code->next < code->count && code->procedures[code->next].begin < contribution->end; code->next++) {
		const struct pdb_procedure *procedure = &code->procedures[code->next];
		if (add_public_spans(code, at, procedure->begin) < 0 || add_procedure_spans(code, procedure) < 0)
			return -1;
		at = procedure->end;
	}
	return add_public_spans(code, at, contribution->end);
}

int rs_pdb_read_code(struct pdb_module *module)
{
	struct code_reader code = { .module = module };
	int ret = read_procedures(&code);
	for (uint32_t i = module->entry->first; ret == 0 && i < module->entry->last; i++)
		ret = add_contribution_spans(&code, &module->pdb->contributions[i]);
	for (; ret == 0 && module->entry->unplaced && code.next < code.count; code.next++)
		ret = add_procedure_spans(&code, &code.procedures[code.next]);
	rs_free(code.procedures);
	return ret;
}
