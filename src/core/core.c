// SPDX-License-Identifier: GPL-2.0-or-later
/* core.c - the public functions of rossym-core.h */
#include "core/core.h"
#include "core/guide.h"
#include "core/layout.h"
#include "core/lookup.h"
#include "core/parts.h"
#include "core/pe.h"
#include "core/text.h"

/* In rossym-core.h, a string is one number: its offset in the table's strings, or OWN plus its offset in the block's
   own strings.  Offsets have 32 bits, so the two kinds of numbers do not overlap. */
#define OWN (UINT64_C(1) << 32)

/*@ predicate usable{L}(struct rossym_core *c) =
      \valid_read(c) && opened(&c->table) && headed(&c->pe) && readable(&c->parts.strings.reader) &&
      (c->checked ==> parts_found(&c->parts));
    predicate unread{L}(struct rossym_core *c, struct rs_section *s) =
      c->pe.reader.memory != \null ==>
      \separated(s, (uint8_t *)c->pe.reader.memory + (0 .. c->pe.reader.size - 1)); */

/* ------------------------------------------------------------------------------------------------ opening */

/*@ requires readable(reader) && \valid(fault) && \separated(reader, fault);
    assigns *fault;
    ensures -1 <= \result <= 1; */
int rs_is_bare_table(const struct rossym_reader *reader, struct rossym_fault *fault)
{
	uint8_t buffer[4];
	if (reader->size < sizeof buffer)
		return 0;
	const uint8_t *first = rs_view(reader, 0, sizeof buffer, buffer, fault);
	return first ? rs_le32(first) == RS_HEADER_SIZE : -1;
}

int rs_core_open_bare_table(struct rossym_core *core, const struct rossym_reader *reader, bool wide,
			    struct rossym_fault *fault)
{
	memset(core, 0, sizeof *core);
	core->kind = ROSSYM_BARE;
	core->section_end = core->content_end = reader->size;
	return rs_table_open(&core->table, reader, 0, reader->size, wide, fault);
}

int rs_core_open_image_table(struct rossym_core *core, const struct rossym_reader *reader, bool loaded,
			     struct rossym_fault *fault)
{
	struct rs_section buffer;
	const struct rs_pe *pe = &core->pe;
	if (pe->table_section == pe->section_count)
		return rs_fault_store_at(fault, ROSSYM_FAULT_NO_TABLE, 0);
	const struct rs_section *section = rs_pe_get_section(pe, pe->table_section, &buffer, fault);
	if (!section)
		return -1;
	/* A loader maps the section's raw data, but no more bytes than the virtual size. */
	uint64_t offset = loaded ? section->rva : section->raw_offset;
	uint32_t size = loaded && section->size < section->raw_size ? section->size : section->raw_size;
	core->kind = pe->wide ? ROSSYM_PE32PLUS : ROSSYM_PE32;
	core->section_end = offset + size;
	core->content_end = offset + section->size;
	return rs_table_open(&core->table, reader, offset, size, pe->wide, fault);
}

/* Read all headers into core->pe.  The other fields of CORE become 0. */
static int open_headers(struct rossym_core *core, const struct rossym_reader *reader, struct rossym_fault *fault)
{
	memset(core, 0, sizeof *core);
	return rs_pe_open(&core->pe, reader, fault) < 0 || rs_pe_open_sections(&core->pe, fault) < 0 ? -1 : 0;
}

int rossym_core_open(struct rossym_core *core, const struct rossym_reader *reader, struct rossym_fault *fault)
{
	int bare = rs_is_bare_table(reader, fault);
	if (bare != 0)
		return bare < 0 ? -1 : rs_core_open_bare_table(core, reader, false, fault);
	return open_headers(core, reader, fault) < 0 ? -1 : rs_core_open_image_table(core, reader, false, fault);
}

int rossym_core_open_loaded(struct rossym_core *core, const struct rossym_reader *reader, struct rossym_fault *fault)
{
	return open_headers(core, reader, fault) < 0 ? -1 : rs_core_open_image_table(core, reader, true, fault);
}

int rossym_core_open_table(struct rossym_core *core, const struct rossym_reader *reader, int wide,
			   struct rossym_fault *fault)
{
	return rs_core_open_bare_table(core, reader, wide != 0, fault);
}

/* ------------------------------------------------------------------------------------------------ checking */

size_t rossym_core_scratch(const struct rossym_core *core)
{
	struct rs_parts parts;
	struct rossym_fault fault;
	if (rs_parts_find_block(&parts, &core->table, core->section_end, &fault) <= 0)
		memset(&parts, 0, sizeof parts);
	return rs_parts_scratch_size(&parts, &core->table);
}

int rossym_core_check(struct rossym_core *core, void *scratch, size_t size, struct rossym_fault *fault)
{
	core->checked = false;
	if (rs_table_check(&core->table, fault) < 0)
		return -1;
	int found = rs_parts_find_block(&core->parts, &core->table, core->section_end, fault);
	if (found <= 0)
		return found;
	if (rs_parts_verify(&core->parts, &core->table, scratch, size, fault) < 0)
		return -1;
	core->checked = true;
	return 0;
}

/* ------------------------------------------------------------------------------------------------ answers */

/* Find the section whose rows can answer for RVA.  Returns 1 and stores the section in *RET (NULL in a bare table).
   Returns 0 if no row can answer: RVA is in no section; or the section has no code, and FLAGS lack ROSSYM_LOOKUP_DATA.
   Returns -1 on a fault. */
/*@ requires usable(core) && \valid(buffer) && \valid(ret) && \valid(fault);
    requires \separated(core, buffer, ret, fault) && unread(core, buffer);
    assigns *buffer, *ret, *fault;
    ensures \result > 0 ==> *ret == \null || \valid_read(*ret); */
static int find_answering_section(const struct rossym_core *core, uint64_t rva, unsigned flags,
				  struct rs_section *buffer, const struct rs_section **ret, struct rossym_fault *fault)
{
	*ret = NULL;
	if (rva > UINT32_MAX)
		return 0;
	if (core->kind == ROSSYM_BARE)
		return 1;
	int found = rs_pe_find_section_at(&core->pe, rva, buffer, ret, fault);
	if (found <= 0)
		return found;
	return (flags & ROSSYM_LOOKUP_DATA) || rs_section_is_code((*ret)->characteristics);
}

/* Whether AT is in SECTION.  AT is the address of the last rows at or below an address in SECTION; the rows answer for
   that address only if AT is in SECTION, too.  In a bare table, SECTION is NULL and the result is 1.  Returns 1, 0 or
   -1. */
/*@ requires usable(core) && (section == \null || \valid_read(section)) && \valid(fault);
    requires \separated(core, fault);
    assigns *fault; */
static int is_in_same_section(const struct rossym_core *core, uint64_t at, const struct rs_section *section,
			      struct rossym_fault *fault)
{
	struct rs_section buffer;
	const struct rs_section *other = NULL;
	if (!section || (core->pe.ordered && at >= section->rva))
		return 1;
	int found = at >= section->rva ? rs_pe_find_section_at(&core->pe, at, &buffer, &other, fault) : 0;
	return found <= 0 ? found : other->header_offset == section->header_offset;
}

/*@ requires usable(core) && \valid(fault) && \separated(core, fault);
    assigns *fault; */
int rs_core_may_answer(const struct rossym_core *core, uint64_t rva, unsigned flags, uint64_t at,
		       struct rossym_fault *fault)
{
	struct rs_section buffer;
	const struct rs_section *section;
	int found = find_answering_section(core, rva, flags, &buffer, &section, fault);
	return found > 0 ? is_in_same_section(core, at, section, fault) : found;
}

/*@ requires usable(core) && \valid(answer) && \valid(fault) && \separated(core, answer, fault);
    assigns *answer, *fault; */
int rs_core_lookup(const struct rossym_core *core, uint64_t rva, unsigned flags, uint32_t most,
		   struct rossym_core_answer *answer, struct rossym_fault *fault)
{
	struct rs_section buffer;
	const struct rs_section *section;
	struct rs_found found = { { 0, 0, 0 }, 0, 0 };
	int r = find_answering_section(core, rva, flags, &buffer, &section, fault);
	if (r > 0)
		r = rs_lookup(&core->table, rva, most, &found, fault);
	if (r == 1)
		r = is_in_same_section(core, found.at, section, fault);
	if (r != 1)
		return r;
	const struct rs_payload *payload = &found.payload;
	if (!payload->function && !payload->file && !payload->line)
		return 0;
	*answer = (struct rossym_core_answer){ payload->function, payload->file, payload->line, (uint32_t)found.at,
					       found.row };
	return 1;
}

/*@ requires usable(core) && can_guide(core) && \valid(answer) && \valid(fault);
    requires \separated(core, core->table.guide, answer, fault);
    assigns *answer, *fault; */
int rossym_core_lookup(const struct rossym_core *core, uint64_t rva, unsigned flags, struct rossym_core_answer *answer,
		       struct rossym_fault *fault)
{
	return rs_guide_lookup(core, rva, answer) ? 1 : rs_core_lookup(core, rva, flags, UINT32_MAX, answer, fault);
}

/* An address range, both ends included. */
struct range {
	uint64_t first, last;
};

/* If RANGE crosses EDGE, the first address in a section or after one, cut RANGE at EDGE.  Keep the part with RVA. */
/*@ requires \valid(range);
    assigns *range; */
static void cut_range_at_edge(struct range *range, uint64_t rva, uint64_t edge)
{
	if (edge <= rva && edge > range->first)
		range->first = edge;
	if (edge > rva && edge <= range->last)
		range->last = edge - 1;
}

/*@ requires usable(core) && \valid_read(answer) && \valid(first) && \valid(last) && \valid(fault);
    requires \separated(core, answer, first, last, fault);
    assigns *first, *last, *fault; */
int rossym_core_range(const struct rossym_core *core, uint64_t rva, const struct rossym_core_answer *answer,
		      uint32_t *first, uint32_t *last, struct rossym_fault *fault)
{
	/* An answer holds from its rows up to the next row that counts (lookup.h), but not across a section's edge. */
	struct range range = { answer->row_rva, UINT32_MAX };
	uint64_t next = 0;
	int found = rs_lookup_next_address(&core->table, rva, &next, fault);
	if (found < 0)
		return -1;
	if (found > 0 && next <= range.last)
		range.last = next - 1;
	/*@ loop invariant i <= core->pe.section_count;
	    loop assigns i, range, *fault;
	    loop variant core->pe.section_count - i; */
	for (uint32_t i = 0; i < core->pe.section_count; i++) {
		struct rs_section buffer;
		const struct rs_section *section = rs_pe_get_section(&core->pe, i, &buffer, fault);
		if (!section)
			return -1;
		if (section->size > 0) {
			cut_range_at_edge(&range, rva, section->rva);
			cut_range_at_edge(&range, rva, (uint64_t)section->rva + section->size);
		}
	}
	*first = (uint32_t)range.first;
	*last = (uint32_t)range.last;
	return 0;
}

/* ------------------------------------------------------------------------------------------------ strings */

/* Returns the table's strings or the block's, whichever has STRING, and stores in *OFFSET where STRING begins in them;
   NULL if STRING is the unknown string, or no string of this table. */
/*@ requires \valid_read(core) && \valid(offset) && \separated(core, offset);
    assigns *offset;
    ensures \result == \null || \result == &core->table.strings || \result == &core->parts.strings;
    ensures \result != \null ==> 0 < *offset < \result->length; */
static const struct rs_strings *locate_string(const struct rossym_core *core, uint64_t string, uint32_t *offset)
{
	const struct rs_strings *strings = string < OWN ? &core->table.strings : &core->parts.strings;
	*offset = (uint32_t)string;
	return *offset > 0 && *offset < strings->length ? strings : NULL;
}

/* Returns 1 if a byte other than NUL is at OFFSET of STRINGS; 0 if a NUL is there, or if OFFSET is the end of all
   strings; or -1. */
/*@ requires \valid_read(strings) && readable(&strings->reader) && \valid(fault) && \separated(strings, fault);
    assigns *fault; */
static int has_text_at(const struct rs_strings *strings, uint64_t offset, struct rossym_fault *fault)
{
	uint8_t buffer;
	if (offset >= strings->length)
		return 0;
	const uint8_t *p = rs_view(&strings->reader, strings->offset + offset, 1, &buffer, fault);
	return p ? *p != '\0' : -1;
}

/*@ requires usable(core) && size > 0 && \valid(buffer + (0 .. size - 1)) && \valid(fault);
    requires \separated(core, buffer + (0 .. size - 1), fault);
    requires apart((uint8_t *)buffer, size, &core->table.strings.reader) &&
             apart((uint8_t *)buffer, size, &core->parts.strings.reader);
    assigns buffer[0 .. size - 1], *fault; */
int rossym_core_string(const struct rossym_core *core, uint64_t string, char *buffer, size_t size,
		       struct rossym_fault *fault)
{
	enum { STEP = 64 };
	uint32_t offset;
	const struct rs_strings *strings = locate_string(core, string, &offset);
	size_t have = 0;
	if (strings && rs_is_packed_flag_set(strings->packed)) {
		uint32_t length = 0;
		const uint32_t room = size - 1 < UINT32_MAX ? (uint32_t)(size - 1) : UINT32_MAX;
		int r = rs_text_copy(strings, offset, (uint8_t *)buffer, room, &length, fault);
		buffer[length] = '\0';
		return r;
	}
	/* The length is not known, so read in small steps, up to the NUL. */
	/*@ loop invariant have < size;
	    loop assigns have, buffer[0 .. size - 1], *fault;
	    loop variant size - have; */
	while (strings && have < size - 1 && have < strings->length - offset) {
		size_t left = strings->length - offset - have, step = left < STEP ? left : STEP;
		if (step > size - 1 - have)
			step = size - 1 - have;
		const uint8_t *p = rs_view(&strings->reader, strings->offset + offset + have, step,
					   (uint8_t *)buffer + have, fault);
		if (!p)
			return -1;
		/*@ loop invariant i <= step;
		    loop assigns i, buffer[0 .. size - 1];
		    loop variant step - i; */
		for (size_t i = 0; i < step; i++) {
			buffer[have + i] = (char)p[i];
			if (p[i] == '\0')
				return 0;
		}
		have += step;
	}
	buffer[have] = '\0';
	return strings ? has_text_at(strings, offset + (uint64_t)have, fault) : 0;
}

/*@ requires usable(core);
    assigns \nothing; */
const char *rossym_core_string_in_place(const struct rossym_core *core, uint64_t string)
{
	uint32_t offset;
	struct rossym_fault fault;
	const struct rs_strings *strings = locate_string(core, string, &offset);
	if (!strings || !strings->reader.memory || rs_is_packed_flag_set(strings->packed))
		return NULL;
	/* If the last byte of all strings is a NUL, every string ends with a NUL. */
	const uint8_t *last = rs_view(&strings->reader, strings->offset + strings->length - 1, 1, NULL, &fault);
	return last && *last == '\0' ? (const char *)last - (strings->length - 1 - offset) : NULL;
}

/* ------------------------------------------------------------------------------------------------ the block */

/* Returns the number (see OWN) of the string that REFERENCE, a number in a record of the block, refers to.  Offset 0,
   in the table's strings or in the block's own, becomes 0, the unknown string. */
/*@ requires \valid_read(core);
    assigns \nothing; */
static uint64_t convert_reference_to_string(const struct rossym_core *core, uint32_t reference)
{
	const uint32_t own_from = core->parts.own_from;
	uint64_t own = reference > own_from ? OWN + (reference - own_from) : 0;
	return reference < own_from ? reference : own;
}

/* If *STRING was cut for the table, replace it by its whole form, except if the list of cut strings gives "" as the
   whole form.  Returns 0 or -1. */
/*@ requires usable(core) && core->checked && \valid(string) && \valid(fault) && \separated(core, string, fault);
    assigns *string, *fault; */
static int replace_cut_string(const struct rossym_core *core, uint64_t *string, struct rossym_fault *fault)
{
	uint32_t reference = 0;
	char begin[2];
	int found = *string ? rs_parts_find_whole_string(&core->parts, (uint32_t)*string, &reference, fault) : 0;
	if (found <= 0)
		return found;
	uint64_t whole = convert_reference_to_string(core, reference);
	if (rossym_core_string(core, whole, begin, sizeof begin, fault) < 0)
		return -1;
	if (begin[0] != '\0')
		*string = whole;
	return 0;
}

/*@ requires usable(core) && \valid_read(answer) && \valid(ret) && \valid(fault);
    requires \separated(core, answer, ret, fault);
    assigns *ret, *fault; */
int rossym_core_row_frame(const struct rossym_core *core, const struct rossym_core_answer *answer,
			  struct rossym_core_frame *ret, struct rossym_fault *fault)
{
	struct rossym_core_frame frame = { answer->function, answer->file, answer->line };
	if (core->checked && core->parts.longs.count > 0 &&
	    (replace_cut_string(core, &frame.function, fault) < 0 || replace_cut_string(core, &frame.file, fault) < 0))
		return -1;
	*ret = frame;
	return 0;
}

/* The chain of an address is the list of its frames in the block, from the innermost to the outermost.  The row's own
   frame comes before the chain, or after it if the table's rows are the outermost frames (`inner`). */
/*@ requires usable(core) && \valid_read(answer) && \valid(frame) && \valid(fault);
    requires \separated(core, answer, frame, fault);
    assigns *frame, *fault; */
int rossym_core_frame(const struct rossym_core *core, const struct rossym_core_answer *answer, uint32_t number,
		      struct rossym_core_frame *frame, struct rossym_fault *fault)
{
	const bool inner = core->checked && core->parts.inner;
	const uint32_t first = inner ? 0 : 1; /* the position of the chain's first frame */
	uint32_t next = RS_BLOCK_NONE, before = core->parts.frames.count, at = first;
	if (number >= first && core->checked &&
	    rs_parts_find_chain(&core->parts, &core->table, answer->row, &next, fault) < 0)
		return -1;
	/*@ loop invariant first <= at <= first + RS_CHAIN_MAX + 1 && (next != RS_BLOCK_NONE ==> core->checked);
	    loop assigns at, next, before, *frame, *fault;
	    loop variant first + RS_CHAIN_MAX + 1 - at; */
	for (; next != RS_BLOCK_NONE && at <= first + RS_CHAIN_MAX; at++) {
		struct rs_outer outer;
		/* librossym calls this for unchecked blocks: check that frame numbers fall, so no chain is a circle. */
		if (next >= before)
			return rs_fault_store(fault, ROSSYM_FAULT_FRAME_NEXT, core->parts.place, before, next, 0);
		before = next;
		if (rs_parts_read_frame(&core->parts, &core->table, next, &outer, fault) < 0)
			return -1;
		if (at == number) {
			*frame = (struct rossym_core_frame){ convert_reference_to_string(core, outer.function),
							     convert_reference_to_string(core, outer.file),
							     outer.line };
			return 1;
		}
		next = outer.next;
	}
	const bool own = inner ? next == RS_BLOCK_NONE && number == at : number == 0;
	if (!own)
		return 0;
	return rossym_core_row_frame(core, answer, frame, fault) < 0 ? -1 : 1;
}

/*@ requires usable(core) && \valid(function) && \valid(fault) && \separated(core, function, fault);
    assigns *function, *fault; */
int rossym_core_function_at(const struct rossym_core *core, uint64_t rva, struct rossym_core_function *function,
			    struct rossym_fault *fault)
{
	struct rs_block_func found;
	uint32_t places = 0;
	int r = core->checked ? rs_parts_find_function_at(&core->parts, rva, &found, &places, fault) : 0;
	if (r > 0)
		*function = (struct rossym_core_function){ convert_reference_to_string(core, found.name), found.rva,
							   found.length, places };
	return r;
}
