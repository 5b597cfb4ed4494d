// SPDX-License-Identifier: GPL-2.0-or-later
/* readers.c - runs all readers on an image, then merges their spans and labels */
#include "config.h"
#include "debuginfo/base/debuginfo.h"
#include "debuginfo/dwarf/dwarf.h"
#include "debuginfo/pdb/pdb.h"
#include "debuginfo/base/reading.h"
#include "debuginfo/steps.h"
#include "debuginfo/symbols/symbol-steps.h"
#include "lib/base/alloc.h"
#include "lib/base/sort.h"
#include "core/bytes.h"

#include <string.h>

/* Returns the offset of the bytes of SECTION; 0 unless it is code and all of them are in the file. */
static uint64_t file_offset_of_code(const struct rs_source *source, const struct rs_section *section)
{
	bool there = rs_section_is_code(section->characteristics) && section->raw_size > 0 &&
		     rs_in_range(section->raw_offset, section->size, source->size);
	return there ? section->raw_offset : 0;
}

/* Store in CODE the image's sections of code or, with options->data, all sections.  Returns how many. */
static uint32_t list_image_code(const struct reading *reading, struct code *code)
{
	const struct rs_pe *pe = reading->pe;
	uint32_t n = 0;
	for (uint32_t i = 0; i < pe->section_count; i++) {
		const struct rs_section *section = &pe->sections[i];
		if (section->size == 0 || section->size > UINT32_MAX - section->rva ||
		    !(reading->options->data || rs_section_is_code(section->characteristics)))
			continue;
		code[n++] = (struct code){ section->rva, section->rva + section->size,
					   file_offset_of_code(reading->source, section) };
	}
	return n;
}

/* Store in CODE the ELF file's sections of code that are within sections of the image.  They are more exact than the
   image's: a section of the image can have data, too, and can include addresses that debug information gives to
   discarded functions.  Returns how many. */
static uint32_t list_elf_code(const struct reading *reading, struct code *code)
{
	const struct elf *elf = reading->symbols.elf;
	uint32_t n = 0;
	for (uint32_t i = 0; i < elf->section_count; i++) {
		const struct rs_elf_section section = rs_elf_section(elf, i);
		const uint64_t rva = section.address - reading->symbols.base;
		const struct rs_section *around = rs_elf_is_code(&section) ? rs_pe_section_at(reading->pe, rva) : NULL;
		if (!around || !rs_in_range(rva - around->rva, section.size, around->size) ||
		    section.size > UINT32_MAX - rva)
			continue;
		const uint64_t offset = file_offset_of_code(reading->source, around);
		code[n++] = (struct code){ (uint32_t)rva, (uint32_t)(rva + section.size),
					   offset ? offset + (rva - around->rva) : 0 };
	}
	return n;
}

/* Find the sections of code.  Where they overlap, the one that begins first keeps the addresses. */
static int find_sections_of_code(struct reading *reading)
{
	const struct elf *elf = reading->symbols.elf;
	struct code *code = rs_alloc(elf ? elf->section_count : reading->pe->section_count, sizeof *code);
	if (!code)
		return rs_fail_memory(reading->err);
	reading->code = code;
	const uint32_t n = elf ? list_elf_code(reading, code) : list_image_code(reading, code);
	rs_sort(code, n, sizeof *code, rs_by_one);
	for (uint32_t i = 0; i < n; i++) {
		struct code *last = reading->code_count ? &code[reading->code_count - 1] : NULL;
		if (last && code[i].begin < last->end) {
			uint32_t begin = code[i].end > last->end ? last->end : code[i].end;
			if (code[i].offset)
				code[i].offset += begin - code[i].begin;
			code[i].begin = begin;
		}
		if (code[i].begin < code[i].end)
			code[reading->code_count++] = code[i];
	}
	return 0;
}

/* Returns how many bytes all names and paths together may take: more than any sound file needs.  A file has each name
   once, but paths take more than their bytes in the file, because each repeats its directory. */
static uint32_t limit_of_strings(const struct rs_source *source, const struct debuginfo_options *options)
{
	uint64_t limit = 2 * source->size + (1 << 20);
	for (uint32_t i = 0; i < options->dwo_count; i++)
		limit += 2 * options->dwos[i].source.size;
	for (uint32_t i = 0; i < options->file_count; i++)
		limit += 2 * options->files[i].source.size;
	return limit > UINT32_MAX / 2 ? UINT32_MAX / 2 : (uint32_t)limit;
}

int rs_debuginfo_read(struct debuginfo *di, struct rs_pe *pe, const struct rs_source *source,
		      const struct debuginfo_options *options, struct rossym_error *err)
{
	struct reading reading = { .di = di,
				   .pe = pe,
				   .source = source,
				   .symbols = { pe, NULL, source, pe->image_base },
				   .options = options,
				   .err = err };
	struct separate_file separate = { .pe = { .machine = 0 } };
	int ret = -1;
	memset(&di->counts, 0, sizeof di->counts);
	di->draft->strings->limit = limit_of_strings(source, options);
	if (rs_separate_find(&reading, &separate) < 0)
		goto out;
	if (options->wants_dwo) {
		ret = rs_dwarf_read(&reading);
		goto out;
	}
	rs_damage_warn(&reading);
	/* Labels come first: with them, the wanted code is found, and rs_stabs_read() learns where the code of
	   an object file ends. */
	if (find_sections_of_code(&reading) < 0 || rs_symbols_read(&reading) < 0 || rs_dwarf_read(&reading) < 0 ||
	    rs_pdb_read(&reading) < 0 || rs_stabs_read(&reading) < 0)
		goto out;
	rs_reading_have_read(&reading, DISCARD_ALL, 0);
	ret = rs_merge(&reading);
	if (ret == 0 && di->draft->rows.count == 0 && di->counts.pdb_file == 0 && di->counts.file == 0)
		ret = rs_damage_warn_references(&reading);
out:
	rs_separate_clear(&separate);
	rs_free(reading.code);
	rs_free(reading.wanted);
	rs_free(reading.spans);
	rs_free(reading.labels);
	return ret;
}
