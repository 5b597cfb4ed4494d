// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "debuginfo/rows.h"
#include "core/bytes.h"
#include "debuginfo/dwarf/dwarf.h"
#include "debuginfo/dwarf/sections.h"
#include "lib/base/alloc.h"
#include "lib/base/error.h"
#include "lib/base/pe.h"
#include "lib/base/source.h"

#include "compat/release.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Add the frames to BUILDER.  NUMBERS gets the builder's number of each. */
static int add_frames(const struct debuginfo *di, struct rossym_builder *builder, uint32_t *numbers,
		      struct rossym_error *err)
{
	for (uint32_t i = 0; i < di->frame_count; i++) {
		const struct debuginfo_frame *frame = &di->frames[i];
		struct rossym_new_frame outer = {
			.size = sizeof outer,
			.function = strings_get(&di->strings, frame->function),
			.file = strings_get(&di->strings, frame->file),
			.line = frame->line,
			.next = frame->next == DEBUGINFO_NO_FRAME ? 0 : numbers[frame->next],
		};
		if (rossym_builder_add_frame(builder, &outer, &numbers[i], err) < 0)
			return -1;
	}
	return 0;
}

/* Returns ROW with the function and place of its outermost frame, as a row without frames. */
static struct debuginfo_row outermost(const struct debuginfo *di, struct debuginfo_row row)
{
	uint32_t last = DEBUGINFO_NO_FRAME;
	for (uint32_t at = row.outer; at != DEBUGINFO_NO_FRAME; at = di->frames[at].next)
		last = at;
	if (last != DEBUGINFO_NO_FRAME) {
		row.function = di->frames[last].function;
		row.file = di->frames[last].file;
		row.line = di->frames[last].line;
		row.outer = DEBUGINFO_NO_FRAME;
	}
	return row;
}

static bool says_the_same(const struct debuginfo_row *a, const struct debuginfo_row *b)
{
	return a->function == b->function && a->file == b->file && a->line == b->line;
}

/* Add the rows.  NUMBERS has the builder's numbers of the frames.  If it is NULL, the table gets no frames: each row
   becomes its outermost frame, and rows that then repeat the row before are left out.  The rows of DI are lost. */
static int add_rows(const struct debuginfo *di, const uint32_t *numbers, struct rossym_builder *builder,
		    struct rossym_error *err)
{
	struct debuginfo_row last = { .rva = 0 };
	for (uint32_t i = 0; i < di->row_count; i++) {
		struct debuginfo_row from = numbers ? di->rows[i] : outermost(di, di->rows[i]);
		rs_release_read(di->rows, i, sizeof *di->rows);
		if (!numbers && i > 0 && says_the_same(&from, &last))
			continue;
		last = from;
		struct rossym_new_row row = {
			.size = sizeof row,
			.rva = from.rva,
			.function = strings_get(&di->strings, from.function),
			.file = strings_get(&di->strings, from.file),
			.line = from.line,
			.outer = from.outer == DEBUGINFO_NO_FRAME ? 0 : numbers[from.outer],
		};
		if (rossym_builder_add(builder, &row, err) < 0)
			return -1;
	}
	return 0;
}

static int add_functions(const struct debuginfo *di, struct rossym_builder *builder, struct rossym_error *err)
{
	for (uint32_t i = 0; i < di->function_count; i++) {
		struct rossym_new_function function = {
			.size = sizeof function,
			.name = strings_get(&di->strings, di->functions[i].name),
			.rva = di->functions[i].rva,
			.length = di->functions[i].length,
		};
		if (rossym_builder_add_function(builder, &function, err) < 0)
			return -1;
	}
	return 0;
}

/* Add rows to BUILDER, and unless the options forbid it frames and functions. */
static int add_all(const struct debuginfo *di, const struct debuginfo_options *options, struct rossym_builder *builder,
		   struct rossym_error *err)
{
	int ret = -1;
	if (options->no_inlines)
		return add_rows(di, NULL, builder, err);
	uint32_t *numbers = rs_alloc(di->frame_count, sizeof *numbers);
	if (!numbers)
		return rs_fail_memory(err);
	if (add_frames(di, builder, numbers, err) == 0 && add_rows(di, numbers, builder, err) == 0)
		ret = add_functions(di, builder, err);
	rs_free(numbers);
	return ret;
}

/* Read the image that is SIZE bytes at IMAGE into *DI, as debuginfo_read() does. */
static int read_image(struct debuginfo *di, const void *image, size_t size, const struct debuginfo_options *options,
		      struct rossym_error *err)
{
	struct debuginfo_options reading = *options;
	struct rs_source source = RS_SOURCE_INIT;
	struct rs_pe pe;
	int ret = -1;
	source.memory = image;
	source.size = size;
	memset(&pe, 0, sizeof pe);
	/* To find the outermost frames, all frames are needed, even if the table gets none. */
	reading.no_inlines &= !options->entry_outer;
	if (rs_pe_read(&pe, &source, err) == 0)
		ret = debuginfo_read(di, &pe, &source, &reading, err);
	rs_pe_clear(&pe);
	return ret;
}

/* FILE as a source, which reads from the descriptor what must not be looked at in memory. */
static struct rs_source source_of(const struct debuginfo_file *file)
{
	return (struct rs_source){ .memory = file->mapped ? NULL : file->bytes,
				   .fd = file->mapped ? file->fd : -1,
				   .size = file->size };
}

static int read_headers(struct rs_pe *pe, const struct rs_source *source)
{
	struct rossym_error err;
	uint8_t buffer[2];
	const uint8_t *magic = rs_source_view(source, 0, sizeof buffer, buffer, NULL);
	const bool is_image = magic && memcmp(magic, "MZ", 2) == 0;
	return is_image ? rs_pe_read(pe, source, &err) : rs_pe_read_object(pe, source, &err);
}

/* How many bytes the compressed sections of an ELF file have when they are uncompressed. */
static uint64_t elf_uncompressed_size(const void *bytes, size_t size)
{
	struct elf elf;
	uint64_t packed = 0, unpacked = 0;
	if (elf_open(&elf, bytes, size, NULL) < 0)
		return 0;
	for (uint32_t i = 0; i < elf.section_count; i++) {
		const struct elf_section section = elf_section(&elf, i);
		struct elf_content content;
		if ((section.flags & ELF_COMPRESSED) && elf_content(&elf, &section, &content) &&
		    (packed += section.size) <= size)
			unpacked += dw_credible_size(content.whole_size, content.size);
	}
	return unpacked;
}

/* How many bytes the compressed sections of an image or an object file have when they are uncompressed. */
static uint64_t pe_uncompressed_size(const struct rs_source *source)
{
	static const char prefix[] = ".zdebug_";
	struct rs_pe pe = { .machine = 0 };
	uint64_t packed = 0, unpacked = 0;
	if (read_headers(&pe, source) < 0)
		goto out;
	for (uint32_t i = 0; i < pe.section_count; i++) {
		const struct rs_section *section = &pe.sections[i];
		const char *name = rs_pe_section_name(&pe, section, source, NULL);
		const uint32_t size = section->raw_size < DW_Z_HEADER ? section->raw_size : DW_Z_HEADER;
		uint8_t buffer[DW_Z_HEADER];
		/* Sections of compressed data do not overlap.  In a hostile file they can, to say a large number. */
		if (!name || strncmp(name, prefix, strlen(prefix)) != 0 ||
		    !rs_in_range(section->raw_offset, section->raw_size, source->size) ||
		    (packed += section->raw_size) > source->size)
			continue;
		const uint8_t *head = rs_source_view(source, section->raw_offset, size, buffer, NULL);
		unpacked += head ? dw_uncompressed_size(head, section->raw_size) : 0;
	}
out:
	rs_pe_clear(&pe);
	return unpacked;
}

size_t debuginfo_uncompressed_size(const struct debuginfo_file *file)
{
	const struct rs_source source = source_of(file);
	const uint64_t unpacked = !file->mapped && elf_is(file->bytes, file->size)
					  ? elf_uncompressed_size(file->bytes, file->size)
					  : pe_uncompressed_size(&source);
	return unpacked <= SIZE_MAX - file->size ? file->size + (size_t)unpacked : SIZE_MAX;
}

bool debuginfo_may_be_split(const struct debuginfo_file *file)
{
	const struct rs_source source = source_of(file);
	struct rossym_error err;
	struct rs_pe pe;
	bool found = false;
	memset(&pe, 0, sizeof pe);
	/* Split debug information has no addresses, only numbers of addresses in this section. */
	if (rs_pe_read(&pe, &source, &err) == 0) {
		for (uint32_t i = 0; i < pe.section_count && !found; i++) {
			const char *name = rs_pe_section_name(&pe, &pe.sections[i], &source, &err);
			found = name && (strcmp(name, ".debug_addr") == 0 || strcmp(name, ".zdebug_addr") == 0);
		}
	}
	rs_pe_clear(&pe);
	return found;
}

void debuginfo_list_dwos(const void *image, size_t size, const struct debuginfo_options *options)
{
	struct debuginfo_options silent = *options;
	struct debuginfo di;
	struct rossym_error err;
	silent.warn = NULL;
	if (read_image(&di, image, size, &silent, &err) == 0)
		debuginfo_clear(&di);
}

int debuginfo_add_rows(const void *image, size_t size, const struct debuginfo_options *options,
		       struct rossym_builder *builder, struct debuginfo_counts *counts, struct rossym_error *err)
{
	struct debuginfo di;
	if (read_image(&di, image, size, options, err) < 0)
		return -1;
	*counts = di.counts;
	int ret = add_all(&di, options, builder, err);
	debuginfo_clear_for(&di, options->keep);
	return ret;
}

/* A unit that uses something new is no reason to write nothing.  A table that lacks most of them is no table. */
static bool is_much(uint64_t lost, uint64_t all)
{
	return lost > all / 10;
}

bool debuginfo_is_partial(const struct debuginfo_counts *counts, char *text, size_t size)
{
	if (counts->unreadable > 0)
		snprintf(text, size, "%" PRIu32 " of its debug sections cannot be read", counts->unreadable);
	else if (is_much(counts->dwarf_code_lost, counts->dwarf_code))
		snprintf(text, size, "%" PRIu64 " of %" PRIu64 " bytes of code in its DWARF units are left out",
			 counts->dwarf_code_lost, counts->dwarf_code);
	else if (is_much(counts->dwarf_info_lost, counts->dwarf_info))
		snprintf(text, size, "%" PRIu64 " of %" PRIu64 " bytes of its DWARF units are left out",
			 counts->dwarf_info_lost, counts->dwarf_info);
	else
		return false;
	return true;
}

void debuginfo_keep_clear(struct debuginfo_keep *keep)
{
	strings_clear(&keep->strings);
	rs_free(keep->labels);
	dwarf_keep_free(keep->dwarf);
	memset(keep, 0, sizeof *keep);
}
