// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "debuginfo/read-rows.h"
#include "core/bytes.h"
#include "debuginfo/dwarf/unit.h"
#include "debuginfo/pdb/key.h"
#include "lib/base/alloc.h"
#include "lib/base/msf.h"
#include "lib/base/pe-memory.h"
#include "lib/base/source.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Replace each row by its outermost frame, and drop rows that are then equal to the row before. */
static void keep_outermost(struct rs_draft *draft)
{
	struct rs_new_row *rows = draft->rows.items;
	uint32_t kept = 0;
	for (uint32_t i = 0; i < draft->rows.count; i++) {
		struct rs_new_row row = rows[i];
		for (uint32_t at = rows[i].frame; at > 0; at = draft->frames.items[at - 1].next) {
			const struct rs_frame *frame = &draft->frames.items[at - 1];
			row = (struct rs_new_row){ row.rva, frame->function, frame->file, frame->line, 0 };
		}
		const struct rs_new_row *last = kept > 0 ? &rows[kept - 1] : NULL;
		if (!last || last->function != row.function || last->file != row.file || last->line != row.line)
			rows[kept++] = row;
	}
	draft->rows.count = kept;
}

/* Read the headers of an image or an object file. */
static int read_pe_headers(struct rs_pe *pe, const struct rs_source *source)
{
	struct rossym_error err;
	uint8_t buffer[2];
	const uint8_t *magic = rs_source_view(source, 0, sizeof buffer, buffer, NULL);
	const bool is_image = magic && memcmp(magic, "MZ", 2) == 0;
	return is_image ? rs_pe_read(pe, source, &err) : rs_pe_read_object(pe, source, &err);
}

/* Returns the size of an ELF file's compressed sections when they are uncompressed. */
static uint64_t elf_uncompressed_size(const struct rs_source *source)
{
	struct elf elf;
	uint64_t packed = 0, unpacked = 0;
	if (rs_elf_open(&elf, source, true, NULL) < 0)
		return 0;
	for (uint32_t i = 0; i < elf.section_count; i++) {
		const struct rs_elf_section section = rs_elf_section(&elf, i);
		struct rs_elf_content content;
		if ((section.flags & ELF_COMPRESSED) && rs_elf_content(&elf, &section, &content) &&
		    (packed += section.size) <= source->size)
			unpacked += rs_dw_credible_size(content.whole_size, content.size, content.compression);
	}
	return unpacked;
}

/* Returns the size of an image's or object file's compressed sections when they are uncompressed. */
static uint64_t pe_uncompressed_size(const struct rs_source *source)
{
	static const char prefix[] = ".zdebug_";
	struct rs_pe pe = { .machine = 0 };
	uint64_t packed = 0, unpacked = 0;
	if (read_pe_headers(&pe, source) < 0)
		goto out;
	for (uint32_t i = 0; i < pe.section_count; i++) {
		const struct rs_section *section = &pe.sections[i];
		const char *name = rs_pe_section_name(&pe, section, source, NULL);
		const uint32_t size = section->raw_size < DW_Z_HEADER ? section->raw_size : DW_Z_HEADER;
		uint8_t buffer[DW_Z_HEADER];
		/* In a hostile file, sections may overlap, to make the sum large. */
		if (!name || strncmp(name, prefix, strlen(prefix)) != 0 ||
		    !rs_in_range(section->raw_offset, section->raw_size, source->size) ||
		    (packed += section->raw_size) > source->size)
			continue;
		const uint8_t *head = rs_source_view(source, section->raw_offset, size, buffer, NULL);
		unpacked += head ? rs_dw_uncompressed_size(head, section->raw_size) : 0;
	}
out:
	rs_pe_clear(&pe);
	return unpacked;
}

size_t rs_debuginfo_uncompressed_size(const struct rs_source *source)
{
	const size_t size = (size_t)source->size;
	uint8_t buffer[RS_MSF_MAGIC_SIZE] = { 0 };
	if (rs_source_copy_present(source, 0, sizeof buffer, buffer, NULL) < 0)
		return size;
	/* A PDB file has no compressed sections.  Read as an object file, it would seem to have thousands. */
	if (!rs_pdb_other_kind(buffer, sizeof buffer))
		return size;
	const uint64_t claimed = rs_elf_is(buffer, sizeof buffer) ? elf_uncompressed_size(source)
								  : pe_uncompressed_size(source);
	const uint64_t unpacked = rs_dw_credible_total(claimed, size);
	return unpacked <= SIZE_MAX - size ? size + (size_t)unpacked : SIZE_MAX;
}

bool rs_debuginfo_may_be_compressed(const struct rs_source *source)
{
	uint8_t buffer[4] = { 0 };
	return rs_source_copy_present(source, 0, sizeof buffer, buffer, NULL) == 0 &&
	       (rs_elf_is(buffer, sizeof buffer) || rs_debuginfo_uncompressed_size(source) > source->size);
}

bool rs_debuginfo_may_be_split(const struct rs_source *source)
{
	struct rossym_error err;
	struct rs_pe pe;
	bool found = false;
	memset(&pe, 0, sizeof pe);
	/* An image with .dwo files has .debug_addr: a .dwo file refers to addresses by their index in this section. */
	if (rs_pe_read(&pe, source, &err) == 0) {
		for (uint32_t i = 0; i < pe.section_count && !found; i++) {
			const char *name = rs_pe_section_name(&pe, &pe.sections[i], source, &err);
			found = name && (strcmp(name, ".debug_addr") == 0 || strcmp(name, ".zdebug_addr") == 0);
		}
	}
	rs_pe_clear(&pe);
	return found;
}

void rs_debuginfo_list_source_dwos(struct rs_pe *pe, const struct rs_source *source,
				   const struct debuginfo_options *options)
{
	struct debuginfo_options silent = *options;
	struct rs_string_table strings;
	struct rs_draft draft = { .strings = &strings };
	struct debuginfo di = { .draft = &draft };
	struct rossym_error err;
	silent.warn = NULL;
	if (rs_strings_open(&strings, UINT32_MAX, &err) < 0)
		return;
	(void)rs_debuginfo_read(&di, pe, source, &silent, &err);
	rs_draft_clear(&draft);
	rs_strings_clear(&strings);
}

void rs_debuginfo_list_dwos(const void *image, size_t size, const struct debuginfo_options *options)
{
	const struct rs_source source = rs_source_in(image, size);
	struct rossym_error err;
	struct rs_pe pe;
	memset(&pe, 0, sizeof pe);
	if (rs_pe_read(&pe, &source, &err) == 0)
		rs_debuginfo_list_source_dwos(&pe, &source, options);
	rs_pe_clear(&pe);
}

int rs_debuginfo_add_source_rows(struct rs_pe *pe, const struct rs_source *source,
				 const struct debuginfo_options *options, struct rossym_builder *builder,
				 struct debuginfo_counts *counts, struct rossym_error *err)
{
	struct rs_string_table *kept = options->keep ? &options->keep->strings : NULL;
	struct debuginfo_options reading = *options;
	if (kept && kept->count == 0 && rs_strings_open(kept, UINT32_MAX, err) < 0)
		return -1;
	struct debuginfo di = { .draft = rs_builder_draft(builder, kept) };
	/* If entry_outer is set, keep_outermost() needs all frames, although the table gets none of them. */
	reading.no_frames |= options->no_inlines && !options->entry_outer;
	if (rs_debuginfo_read(&di, pe, source, &reading, err) < 0)
		return -1;
	*counts = di.counts;
	if (options->no_inlines) {
		keep_outermost(di.draft);
		di.draft->function_count = 0;
	}
	return 0;
}

int rs_debuginfo_add_rows(const void *image, size_t size, const struct debuginfo_options *options,
			  struct rossym_builder *builder, struct debuginfo_counts *counts, struct rossym_error *err)
{
	const struct rs_source source = rs_source_in(image, size);
	struct rs_pe pe;
	memset(&pe, 0, sizeof pe);
	const int ret = rs_pe_read(&pe, &source, err) < 0
				? -1
				: rs_debuginfo_add_source_rows(&pe, &source, options, builder, counts, err);
	rs_pe_clear(&pe);
	return ret;
}

const char *rs_debuginfo_why_empty(const struct debuginfo_counts *counts)
{
	return counts->pdb_dotnet ? "its PDB file is .NET's, which has no symbols of machine code"
	       : counts->unreadable > 0 || counts->damaged > 0
		       ? "its debug information is damaged or cannot be read"
		       : "no debug information and no symbols of code were found";
}

/* Whether the LOST bytes are more than a tenth of ALL.  It is acceptable to lose a unit or two, for instance because of
   a new DWARF form. */
static bool is_above_tenth(uint64_t lost, uint64_t all)
{
	return lost > all / 10;
}

bool rs_debuginfo_is_partial(const struct debuginfo_counts *counts, char *text, size_t size)
{
	if (counts->unreadable > 0)
		snprintf(text, size, "%" PRIu32 " of its debug sections cannot be read", counts->unreadable);
	else if (is_above_tenth(counts->dwarf_code_lost, counts->dwarf_code))
		snprintf(text, size, "%" PRIu64 " of %" PRIu64 " bytes of code in its DWARF units are left out",
			 counts->dwarf_code_lost, counts->dwarf_code);
	else if (is_above_tenth(counts->dwarf_info_lost, counts->dwarf_info))
		snprintf(text, size, "%" PRIu64 " of %" PRIu64 " bytes of its DWARF units are left out",
			 counts->dwarf_info_lost, counts->dwarf_info);
	else
		return false;
	return true;
}

void rs_debuginfo_keep_clear(struct debuginfo_keep *keep)
{
	rs_strings_clear(&keep->strings);
	rs_free(keep->labels);
	rs_dwarf_keep_free(keep->dwarf);
	memset(keep, 0, sizeof *keep);
}
