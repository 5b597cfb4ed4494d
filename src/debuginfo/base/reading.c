// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "debuginfo/base/reading.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"
#include "lib/base/sort.h"
#include "core/bytes.h"
#include "core/layout.h"
#include "compat/decoration.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool rs_symbol_file_find_section(const struct symbol_file *symbols, const char *name, struct section_bytes *ret)
{
	struct rs_pe *pe = symbols->pe;
	struct rs_elf_section elf_section;
	struct rs_elf_content content;
	if (symbols->elf) {
		if (!rs_elf_find_section(symbols->elf, name, &elf_section) ||
		    !rs_elf_find_content(symbols->elf, &elf_section, &content) || content.size > UINT32_MAX)
			return false;
		*ret = (struct section_bytes){ content.bytes, (uint32_t)content.size,
					       (uint32_t)(elf_section.address - symbols->base), content.compression,
					       content.whole_size };
		return true;
	}
	for (uint32_t i = 0; i < pe->section_count; i++) {
		const struct rs_section *section = &pe->sections[i];
		const char *section_name = rs_pe_section_name(pe, section, symbols->source, NULL);
		if (!section_name || strcmp(section_name, name) != 0)
			continue;
		/* The raw size is padded to the file alignment, so the section's size is used. */
		const uint8_t *bytes = section->raw_size == 0 || section->size == 0
					       ? NULL
					       : rs_source_bytes(symbols->source, section->raw_offset, section->size);
		*ret = (struct section_bytes){ bytes, section->size, section->rva, 0, section->size };
		return bytes;
	}
	return false;
}

const uint8_t *rs_symbol_file_entry_point(const struct symbol_file *symbols)
{
	return symbols->pe->optional_size < PE_OPT_ENTRY_POINT + 4
		       ? NULL
		       : rs_source_bytes(symbols->source, symbols->pe->optional + PE_OPT_ENTRY_POINT, 4);
}

const struct code *rs_reading_find_code(const struct reading *reading, uint64_t rva)
{
	if (rva >= UINT32_MAX)
		return NULL;
	const struct code *code = reading->code;
	uint32_t i = rs_array_first(code, reading->code_count, sizeof *code, offsetof(struct code, end), rva + 1);
	return i < reading->code_count && code[i].begin <= rva ? &code[i] : NULL;
}

uint32_t rs_reading_find_code_end(const struct reading *reading, uint64_t rva)
{
	const struct code *code = rs_reading_find_code(reading, rva);
	return code ? code->end : 0;
}

bool rs_reading_clip_to_rvas(const struct reading *reading, uint64_t begin, uint64_t end, uint32_t *ret_begin,
			     uint32_t *ret_end)
{
	begin = rs_reading_clear_thumb_bit(reading, begin);
	end = rs_reading_clear_thumb_bit(reading, end);
	const uint64_t rva = begin - reading->symbols.base;
	const uint32_t limit = begin < end ? rs_reading_find_code_end(reading, rva) : 0;
	if (limit == 0)
		return false;
	*ret_begin = (uint32_t)rva;
	*ret_end = end - begin < limit - rva ? (uint32_t)(rva + (end - begin)) : limit;
	return true;
}

/* Length in bytes of the longest call instruction that rs_code_ends_with_call() finds. */
enum { LONGEST_CALL = 7 };

/* Returns the wanted code around RVA, a wanted address in the section CODE.  It begins at the label at or below RVA, or
   LONGEST_CALL bytes before RVA if that is lower, and ends at the next label or at the end of CODE.  Without a label at
   or below RVA, it ends at RVA + 1. */
static struct wanted_code wanted_code_around(const struct reading *reading, const struct code *code, uint32_t rva)
{
	struct wanted_code wanted = { .begin = code->begin, .end = code->end, .address = rva };
	const struct label *labels = reading->labels;
	uint32_t next = rs_reading_label_index_from(reading, (uint64_t)rva + 1);
	uint32_t label = next > 0 ? labels[next - 1].rva : 0;
	bool labelled = next > 0 && label >= code->begin;
	if (rva - code->begin > LONGEST_CALL)
		wanted.begin = rva - LONGEST_CALL;
	if (labelled && label < wanted.begin)
		wanted.begin = label;
	if (!labelled)
		wanted.end = rva + 1;
	else if (next < reading->label_count && labels[next].rva < wanted.end)
		wanted.end = labels[next].rva;
	return wanted;
}

int rs_reading_find_wanted_code(struct reading *reading)
{
	const struct debuginfo_options *options = reading->options;
	if (!options->wanted)
		return 0;
	reading->wanted = rs_alloc((size_t)options->wanted_count + 1, sizeof *reading->wanted);
	if (!reading->wanted)
		return rs_fail_memory(reading->err);
	for (uint32_t i = 0; i < options->wanted_count; i++) {
		const struct code *code = rs_reading_find_code(reading, options->wanted[i]);
		if (code)
			reading->wanted[reading->wanted_count++] = wanted_code_around(reading, code,
										      options->wanted[i]);
	}
	return 0;
}

void rs_reading_extend_wanted_code(struct reading *reading)
{
	const struct rs_draft *draft = reading->di->draft;
	for (uint32_t i = 0; i < draft->function_count; i++) {
		uint64_t begin = draft->functions[i].rva, end = begin + draft->functions[i].length;
		uint32_t at = rs_array_first(reading->wanted, reading->wanted_count, sizeof *reading->wanted,
					     offsetof(struct wanted_code, end), begin + 1);
		for (; at < reading->wanted_count && reading->wanted[at].begin < end; at++)
			if (reading->wanted[at].begin > begin)
				reading->wanted[at].begin = (uint32_t)begin;
	}
}

bool rs_reading_is_wanted(const struct reading *reading, uint64_t begin, uint64_t end)
{
	if (!reading->wanted)
		return true;
	const uint32_t i = rs_array_first(reading->wanted, reading->wanted_count, sizeof *reading->wanted,
					  offsetof(struct wanted_code, end), begin + 1);
	return i < reading->wanted_count && reading->wanted[i].begin < end;
}

bool rs_reading_is_any_wanted(const struct reading *reading, const struct extent *extents, uint32_t count)
{
	bool wanted = count == 0;
	for (uint32_t i = 0; i < count && !wanted; i++)
		wanted = rs_reading_is_wanted(reading, extents[i].begin, extents[i].end);
	return wanted;
}

int rs_reading_add_span(struct reading *reading, const struct span *span)
{
	return RS_ARRAY_ADD(reading->spans, reading->span_room, reading->span_count, reading->err, *span);
}

int rs_reading_flatten_spans(struct reading *reading, const struct span *spans, uint32_t count, struct span **ret,
			     uint32_t *ret_count)
{
	struct extent *extents = rs_alloc(count, sizeof *extents), *flat = NULL;
	struct span *parts = NULL;
	for (uint32_t i = 0; extents && i < count; i++)
		extents[i] = (struct extent){ spans[i].begin, spans[i].end, i, (uint64_t)spans[i].order << 32 | i };
	if (extents && rs_extents_flatten(extents, count, &flat, ret_count) == 0)
		parts = rs_alloc(*ret_count, sizeof *parts);
	for (uint32_t i = 0; parts && i < *ret_count; i++) {
		parts[i] = spans[flat[i].what];
		parts[i].begin = flat[i].begin;
		parts[i].end = flat[i].end;
	}
	rs_free(extents);
	rs_free(flat);
	*ret = parts;
	return parts ? 0 : rs_fail_memory(reading->err);
}

uint32_t rs_reading_label_index_from(const struct reading *reading, uint64_t rva)
{
	return rs_array_first(reading->labels, reading->label_count, sizeof *reading->labels,
			      offsetof(struct label, rva), rva);
}

const struct label *rs_reading_label_at(const struct reading *reading, uint64_t rva)
{
	const uint32_t i = rs_reading_label_index_from(reading, rva);
	return i < reading->label_count && reading->labels[i].rva == rva ? &reading->labels[i] : NULL;
}

uint32_t rs_reading_find_object_end(const struct reading *reading, uint32_t rva)
{
	for (uint32_t i = rs_reading_label_index_from(reading, (uint64_t)rva + 1); i < reading->label_count; i++)
		if (reading->labels[i].object)
			return reading->labels[i].rva;
	return UINT32_MAX;
}

int rs_reading_add_label(struct reading *reading, const struct label *label)
{
	return RS_ARRAY_ADD(reading->labels, reading->label_room, reading->label_count, reading->err, *label);
}

int rs_reading_add_function(struct reading *reading, uint32_t rva, uint32_t end, uint32_t name)
{
	return rs_reading_is_wanted(reading, rva, end)
		       ? rs_draft_add_function(reading->di->draft, (struct rs_new_function){ rva, end - rva, name },
					       reading->err)
		       : 0;
}

/* Store in *RET the string number of TEXT.  Fails when all strings together reach the limit that limit_of_strings() of
   read-rows.c has set, so that damaged input cannot use up the memory. */
static int intern_text(struct reading *reading, const char *text, size_t length, uint32_t *ret)
{
	if (rs_strings_add(reading->di->draft->strings, text, length, ret, NULL) < 0)
		return rs_fail(reading->err, ROSSYM_ENOMEM, 0, "out of memory for names and paths");
	return 0;
}

int rs_reading_intern_path(struct reading *reading, const char *path, size_t length, uint32_t *ret)
{
	uint32_t number;
	if (intern_text(reading, path, length, &number) < 0)
		return -1;
	if (reading->options->map_path && number != 0) {
		const char *mapped = reading->options->map_path(reading->options->context,
								rs_string(reading->di->draft->strings, number));
		if (!mapped)
			return rs_fail_memory(reading->err);
		if (mapped != rs_string(reading->di->draft->strings, number) &&
		    intern_text(reading, mapped, strlen(mapped), &number) < 0)
			return -1;
	}
	*ret = number;
	return 0;
}

/* Remove the decoration of i386's calling conventions: stdcall makes _name@12, fastcall @name@12, vectorcall name@@12,
   and cdecl _name.  Names in debug information (NAME_DEBUG) have no leading underscore, except for the stdcall
   functions of clang's C++, such as __Z1fi@4.  Names of Microsoft's C++, such as ??_R3f@@8, have no such decoration. */
static void undecorate_name(const char **name, size_t *length, enum rs_reading_name kind)
{
	const char *text = *name;
	const size_t decoration = *length > 0 && text[0] == '?' ? 0 : decoration_length(text, *length);
	size_t n = *length - decoration;
	const bool cut = decoration > 0, vectorcall = cut && memcmp(text + n, "@@", 2) == 0;
	const bool fastcall = cut && text[0] == '@';
	const bool underscore = kind == NAME_COFF || (cut && n > 3 && memcmp(text, "__Z", 3) == 0);
	if (!vectorcall && n > 1 && (fastcall || (underscore && text[0] == '_'))) {
		text++;
		n--;
	}
	*name = text;
	*length = n;
}

int rs_reading_intern_name(struct reading *reading, const char *name, size_t length, enum rs_reading_name kind,
			   uint32_t *ret)
{
	if (reading->pe->machine == MACHINE_I386 && !reading->options->decorated)
		undecorate_name(&name, &length, kind);
	return intern_text(reading, name, length, ret);
}

/* Undecorates every name, even with options->decorated, so a name from symbols and debug information is one string. */
int rs_reading_add_other_name(struct reading *reading, uint32_t rva, const char *name, size_t length,
			      enum rs_reading_name kind)
{
	uint32_t number;
	if (reading->options->wanted || reading->options->no_inlines)
		return 0;
	if (reading->pe->machine == MACHINE_I386)
		undecorate_name(&name, &length, kind);
	return intern_text(reading, name, length, &number) < 0
		       ? -1
		       : rs_draft_add_function(reading->di->draft, (struct rs_new_function){ rva, 0, number },
					       reading->err);
}

void rs_reading_warn(struct reading *reading, const char *format, ...)
{
	if (!reading->options->warn)
		return;
	char text[1024]; /* a warning may contain a path, which can be long */
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	reading->options->warn(reading->options->context, text);
}

enum rs_reading_file_kind rs_reading_file_kind(const struct debuginfo_file *file)
{
	enum { MAGIC_SIZE = 4 };
	const size_t size = file->source.size < MAGIC_SIZE ? (size_t)file->source.size : MAGIC_SIZE;
	const uint8_t *magic = file->source.fd < 0 ? rs_source_bytes(&file->source, 0, size) : NULL;
	if (!magic)
		return KIND_PDB;
	if (rs_elf_has_magic(magic, size))
		return KIND_ELF;
	return size >= 2 && memcmp(magic, "MZ", 2) == 0 ? KIND_PE : KIND_PDB;
}

int rs_refusal_store(struct refusal *refusal, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(refusal->why, sizeof refusal->why, format, args);
	va_end(args);
	return 0;
}

int rs_reading_report_refusal(struct reading *reading, const struct debuginfo_file *file, const struct refusal *refusal)
{
	if (file->named)
		return rs_fail(reading->err, ROSSYM_ENOSYMS, 0, "%s", refusal->why);
	if (refusal->why[0])
		rs_reading_warn(reading, "%s is not used: %s", file->path, refusal->why);
	return 0;
}

/* ------------------------------------------------------------------------------------------------ extents */

static int compare_extents(const void *a, const void *b)
{
	const struct extent *x = a, *y = b;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->what < y->what ? -1 : x->what > y->what;
}

/* Extents that have begun and were not removed yet, as a binary heap: the rank of item N is not above those of items
   2N+1 and 2N+2, its children, so item 0, the top, has the lowest rank. */
struct extent_heap {
	const struct extent **items;
	uint32_t count;
};

static void push_extent(struct extent_heap *heap, const struct extent *extent)
{
	uint32_t at = heap->count++;
	while (at > 0 && heap->items[(at - 1) / 2]->rank > extent->rank) {
		heap->items[at] = heap->items[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	heap->items[at] = extent;
}

static void pop_extent(struct extent_heap *heap)
{
	const struct extent *last = heap->items[--heap->count];
	uint32_t at = 0;
	for (;;) {
		uint32_t child = 2 * at + 1;
		if (child >= heap->count)
			break;
		if (child + 1 < heap->count && heap->items[child + 1]->rank < heap->items[child]->rank)
			child++;
		if (heap->items[child]->rank >= last->rank)
			break;
		heap->items[at] = heap->items[child];
		at = child;
	}
	heap->items[at] = last;
}

/* Store in OUT the disjoint extents for the COUNT sorted extents IN; returns how many there are.  Goes up through the
   addresses at which the result may change: where an extent begins, or where the top of the heap ends.  An extent that
   ends while another is on top stays in the heap until it is on top itself.  Each extent is added to the heap and
   removed once, so the time is in proportion to COUNT * log(COUNT).  OUT must have room for twice COUNT extents. */
static uint32_t sweep_extents(const struct extent *in, uint32_t count, struct extent_heap *heap, struct extent *out)
{
	uint32_t n = 0, next = 0, at = 0;
	while (next < count || heap->count > 0) {
		if (heap->count == 0)
			at = in[next].begin;
		while (next < count && in[next].begin == at)
			push_extent(heap, &in[next++]);
		while (heap->count > 0 && heap->items[0]->end <= at)
			pop_extent(heap);
		if (heap->count == 0)
			continue;
		uint32_t until = heap->items[0]->end;
		if (next < count && in[next].begin < until)
			until = in[next].begin;
		if (n > 0 && out[n - 1].end == at && out[n - 1].what == heap->items[0]->what) {
			out[n - 1].end = until;
		} else {
			out[n] = *heap->items[0];
			out[n].begin = at;
			out[n++].end = until;
		}
		at = until;
	}
	return n;
}

int rs_extents_flatten(struct extent *extents, uint32_t count, struct extent **ret, uint32_t *ret_count)
{
	struct extent_heap heap = { rs_alloc(count, sizeof *heap.items), 0 };
	struct extent *out = count <= UINT32_MAX / 2 ? rs_resize(NULL, (size_t)count * 2 + 1, sizeof *out) : NULL;
	if (!heap.items || !out) {
		rs_free(heap.items);
		rs_free(out);
		return -1;
	}
	rs_sort(extents, count, sizeof *extents, compare_extents);
	*ret_count = sweep_extents(extents, count, &heap, out);
	*ret = out;
	rs_free(heap.items);
	return 0;
}

bool rs_extents_contain(const struct extent *extents, uint32_t count, uint32_t begin, uint32_t end)
{
	const uint32_t i = rs_array_first(extents, count, sizeof *extents, offsetof(struct extent, end),
					  (uint64_t)begin + 1);
	return i < count && extents[i].begin <= begin && end <= extents[i].end;
}
