// SPDX-License-Identifier: GPL-2.0-or-later
/* read-rows.c - runs all readers on an image, then merges their spans and labels; adds what was read to a table */
#include "config.h"
#include "debuginfo/read-rows.h"
#include "core/bytes.h"
#include "core/layout.h"
#include "debuginfo/dwarf/unit.h"
#include "debuginfo/pdb/key.h"
#include "debuginfo/pdb/pdb-module.h"
#include "debuginfo/steps.h"
#include "debuginfo/symbols/symbol-steps.h"
#include "lib/base/alloc.h"
#include "lib/base/codeview.h"
#include "lib/base/msf.h"
#include "lib/base/pe-memory.h"
#include "lib/base/sort.h"
#include "lib/base/source.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------ damage */

/* The functions of this part warn of debug information that cannot be found because headers or names are damaged.  A
   reader looks for a section by its name, and does nothing if there is none.  So without these warnings, an image with
   damaged headers would seem to have no debug information. */

/* Whether NAME is the name of a DWARF section after it was cut to 8 bytes, as GNU ld does with
   --disable-long-section-names.  Such a section cannot be read: .debug_l, for example, can be .debug_line, .debug_loc
   or another section. */
static bool is_cut_name(const char *name)
{
	static const char next[] = "acfgilmnprst"; /* the letters after ".debug_" in .debug_abbrev to .debug_types */
	return strcmp(name, ".zdebug_") == 0 ||
	       (strncmp(name, ".debug_", 7) == 0 && name[7] && strchr(next, name[7]) && !name[8]);
}

static void warn_of_cut_section_names(struct reading *reading)
{
	char list[160] = ""; /* room for all such names, of which there are 13 */
	for (uint32_t i = 0; i < reading->symbols.pe->section_count; i++) {
		const char *name = reading->symbols.pe->sections[i].name;
		reading->di->counts.unreadable += is_cut_name(name);
		if (is_cut_name(name) && !strstr(list, name)) {
			strcat(list, list[0] ? ", " : "");
			strcat(list, name);
		}
	}
	if (list[0])
		rs_reading_warn(reading, "debug information is not read where names of sections are cut to 8 bytes: %s",
				list);
}

/* Returns how many sections have a long name that is not in the string table.  Counts only sections that the loader may
   discard, as debug sections are: stripped images often lack the long names of other sections, such as .eh_frame. */
static uint32_t count_nameless_sections(const struct reading *reading)
{
	const struct symbol_file *symbols = &reading->symbols;
	uint32_t count = 0;
	for (uint32_t i = 0; !symbols->elf && i < symbols->pe->section_count; i++) {
		const struct rs_section *section = &symbols->pe->sections[i];
		const char *name = rs_pe_section_name(symbols->pe, section, symbols->source, NULL);
		count += name == section->name && name[0] == '/' && (section->characteristics & PE_SCN_MEM_DISCARDABLE);
	}
	return count;
}

/* Returns how many symbols have a long name that is not in the string table. */
static uint32_t count_lost_coff_names(const struct symbol_table *symbols)
{
	enum { LONG_NAME = 4 };
	uint32_t count = 0;
	for (uint32_t i = 0; i < symbols->count; i++) {
		const uint8_t *symbol = symbols->bytes + (size_t)i * PE_COFF_SYMBOL_SIZE;
		count += rs_le32(symbol) == 0 && rs_le32(symbol + LONG_NAME) >= symbols->strings_length;
		i += symbol[PE_COFF_SYMBOL_AUXILIARIES];
	}
	return count;
}

static void warn_of_damaged_coff_tables(struct reading *reading)
{
	struct debuginfo_counts *counts = &reading->di->counts;
	const struct symbol_table coff = rs_coff_symbols_find(reading);
	const uint32_t sections = count_nameless_sections(reading), symbols = count_lost_coff_names(&coff);
	if (coff.pe->symbol_count > 0 && !coff.bytes) {
		counts->damaged++;
		rs_reading_warn(reading, "%" PRIu32 " COFF symbols at 0x%" PRIx32 " are not all in the file",
				coff.pe->symbol_count, coff.pe->symbol_offset);
	}
	if (sections == 0 && symbols == 0)
		return;
	counts->unreadable += sections;
	counts->damaged++;
	rs_reading_warn(reading,
			"the names of %" PRIu32 " sections and %" PRIu32
			" symbols are not known: the string table at 0x%" PRIx64 " %s",
			sections, symbols, coff.strings_at, coff.fault ? coff.fault : "ends before them");
}

static void warn_incomplete_sections(struct reading *reading)
{
	const struct symbol_file *symbols = &reading->symbols;
	const uint32_t count = symbols->elf ? symbols->elf->section_count : symbols->pe->section_count;
	for (uint32_t i = 0; i < count; i++) {
		const struct rs_section *pe = symbols->elf ? NULL : &symbols->pe->sections[i];
		const char *name = pe ? rs_pe_section_name(symbols->pe, pe, symbols->source, NULL) : NULL;
		const struct rs_elf_section section = pe ? (struct rs_elf_section){ .name = name,
										    .offset = pe->raw_offset,
										    .size = pe->size }
							 : rs_elf_decode_section(symbols->elf, i);
		const bool is_debug = pe ? name && rs_pe_is_debug_section(pe, name)
					 : strncmp(section.name, ".debug_", 7) == 0 && section.type != ELF_NOBITS;
		if (!is_debug || section.size == 0 ||
		    ((!pe || pe->raw_size > 0) && rs_in_range(section.offset, section.size, symbols->source->size)))
			continue;
		reading->di->counts.unreadable++;
		rs_reading_warn(reading, "section %s is not all in the file: %" PRIu64 " bytes at 0x%" PRIx64,
				section.name, section.size, section.offset);
	}
}

/* Warn of sections and symbols that cannot be read, because their names are cut or lost, or their bytes are not all in
   the file.  Counts them in counts.unreadable and counts.damaged. */
static void warn_of_damage(struct reading *reading)
{
	warn_of_cut_section_names(reading);
	warn_of_damaged_coff_tables(reading);
	warn_incomplete_sections(reading);
}

/* Warn if the image's reference to a PDB file or debug file is damaged, which can be the reason why no reader has found
   anything.  Returns 0; or -1 after storing an error. */
static int warn_of_damaged_references(struct reading *reading)
{
	struct rossym_debug_reference link;
	uint64_t at = 0;
	const char *fault = rs_codeview_find_fault(reading->pe, reading->source, &at);
	if (fault) {
		reading->di->counts.damaged++;
		rs_reading_warn(reading, "the name of the PDB file is not known: %s at 0x%" PRIx64, fault, at);
	}
	const int found = rs_debuglink_read(reading->pe, reading->source, &link, reading->err);
	if (found == 0 && link.kind == ROSSYM_REFERENCE_DEBUGLINK) {
		reading->di->counts.damaged++;
		rs_reading_warn(reading,
				"the name of the debug file is not known: .gnu_debuglink at 0x%" PRIx64 " is damaged",
				link.offset);
	}
	return found < 0 ? -1 : 0;
}

/* ------------------------------------------------------------------------------------------------ readers */

/* Store in CODE the image's sections of code; with options->data, all sections.  If there is an ELF file, store the ELF
   file's sections of code that lie within sections of the image.  They are more exact: a section of the image can also
   contain data, and the addresses that discarded functions have in debug information.  Returns how many are stored. */
static uint32_t list_code(const struct reading *reading, struct code *code, uint32_t count)
{
	const struct elf *elf = reading->symbols.elf;
	uint32_t n = 0;
	for (uint32_t i = 0; i < count; i++) {
		const struct rs_section *around;
		uint64_t rva, size;
		if (elf) {
			const struct rs_elf_section section = rs_elf_decode_section(elf, i);
			rva = section.address - reading->symbols.base;
			size = section.size;
			around = rs_elf_is_code(&section) ? rs_pe_section_at(reading->pe, rva) : NULL;
		} else {
			around = &reading->pe->sections[i];
			rva = around->rva;
			size = around->size;
		}
		const bool is_code = around && rs_section_is_code(around->characteristics);
		if (!around || size == 0 || !(elf || is_code || reading->options->data) ||
		    !rs_in_range(rva - around->rva, size, around->size) || size > UINT32_MAX - rva)
			continue;
		const bool has_bytes = is_code && around->raw_offset > 0 && around->raw_size > 0 &&
				       rs_in_range(around->raw_offset, around->size, reading->source->size);
		code[n++] = (struct code){ (uint32_t)rva, (uint32_t)(rva + size),
					   has_bytes ? around->raw_offset + (rva - around->rva) : 0 };
	}
	return n;
}

/* Store the sections of code in reading->code.  Where they overlap, the one that begins first keeps the addresses. */
static int find_sections_of_code(struct reading *reading)
{
	const struct elf *elf = reading->symbols.elf;
	const uint32_t count = elf ? elf->section_count : reading->pe->section_count;
	struct code *code = rs_alloc(count, sizeof *code);
	if (!code)
		return rs_fail_memory(reading->err);
	reading->code = code;
	const uint32_t n = list_code(reading, code, count);
	rs_sort(code, n, sizeof *code, rs_compare_one_number);
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

/* Returns how many bytes all names and paths together may take: twice the size of the files plus 1 MiB, more than sound
   files need.  A file has each name once; a path becomes longer than in the file when its directory is added. */
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
	struct debuginfo_keep once = { .label_count = 0 };
	struct reading reading = { .di = di,
				   .pe = pe,
				   .source = source,
				   .symbols = { pe, NULL, source, pe->image_base },
				   .options = options,
				   .keep = options->keep ? options->keep : &once,
				   .err = err };
	const bool is_first = !reading.keep->separate;
	int ret = -1;
	memset(&di->counts, 0, sizeof di->counts);
	di->draft->strings->limit = limit_of_strings(source, options);
	if (rs_separate_choose_file(&reading) < 0)
		goto out;
	if (options->wants_dwo) {
		ret = rs_dwarf_read(&reading);
		goto out;
	}
	/* Warn only once, because each call with this cache would find the same damage. */
	if (is_first)
		warn_of_damage(&reading);
	/* Labels come first, because rs_symbols_read() uses them to find the wanted code, and rs_stabs_read() to find
	   the ends of object files. */
	if (find_sections_of_code(&reading) < 0 || rs_symbols_read(&reading) < 0 || rs_dwarf_read(&reading) < 0 ||
	    rs_pdb_read(&reading) < 0 || rs_stabs_read(&reading) < 0)
		goto out;
	if (options->have_read)
		options->have_read(options->context, DISCARD_ALL);
	ret = rs_merge_into_rows(&reading);
	if (ret == 0 && di->draft->rows.count == 0 && di->counts.pdb_file == 0 && di->counts.file == 0)
		ret = warn_of_damaged_references(&reading);
out:
	if (!reading.keep->labels) /* making them failed, so they are not in the cache */
		rs_free(reading.labels);
	rs_debuginfo_keep_clear(&once);
	rs_free(reading.code);
	rs_free(reading.wanted);
	rs_free(reading.spans);
	return ret;
}

/* ------------------------------------------------------------------------------------------------ tables */

/* Replace the answer of each row by its outermost frame, and drop rows that are then equal to the row before. */
static void replace_rows_by_outermost(struct rs_draft *draft)
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

/* Returns the size that the compressed sections of SOURCE, an ELF file, have uncompressed, as the file claims. */
static uint64_t elf_uncompressed_size(const struct rs_source *source)
{
	struct elf elf;
	uint64_t packed = 0, unpacked = 0;
	if (rs_elf_open(&elf, source, true, NULL) < 0)
		return 0;
	for (uint32_t i = 0; i < elf.section_count; i++) {
		const struct rs_elf_section section = rs_elf_decode_section(&elf, i);
		struct rs_elf_content content;
		if ((section.flags & ELF_COMPRESSED) && rs_elf_find_content(&elf, &section, &content) &&
		    (packed += section.size) <= source->size)
			unpacked += rs_dw_credible_size(content.whole_size, content.size, content.compression);
	}
	return unpacked;
}

/* Returns the size that the compressed sections of SOURCE, an image or object file, have uncompressed, as it claims. */
static uint64_t pe_uncompressed_size(const struct rs_source *source, bool is_image)
{
	static const char prefix[] = ".zdebug_";
	struct rs_pe pe = { .machine = 0 };
	uint64_t packed = 0, unpacked = 0;
	const int res = is_image ? rs_pe_read(&pe, source, NULL) : rs_pe_read_object(&pe, source, NULL);
	for (uint32_t i = 0; res == 0 && i < pe.section_count; i++) {
		const struct rs_section *section = &pe.sections[i];
		const char *name = rs_pe_section_name(&pe, section, source, NULL);
		const uint32_t size = section->raw_size < DW_Z_HEADER ? section->raw_size : DW_Z_HEADER;
		uint8_t buffer[DW_Z_HEADER];
		/* PACKED limits UNPACKED: in a hostile file, many sections can have the same bytes. */
		if (!name || strncmp(name, prefix, strlen(prefix)) != 0 ||
		    !rs_in_range(section->raw_offset, section->raw_size, source->size) ||
		    (packed += section->raw_size) > source->size)
			continue;
		const uint8_t *head = rs_source_view(source, section->raw_offset, size, buffer, NULL);
		unpacked += head ? rs_dw_uncompressed_size(head, section->raw_size) : 0;
	}
	rs_pe_clear(&pe);
	return unpacked;
}

size_t rs_debuginfo_uncompressed_size(const struct rs_source *source)
{
	const size_t size = (size_t)source->size;
	uint8_t buffer[RS_MSF_MAGIC_SIZE] = { 0 };
	if (rs_source_copy_present(source, 0, sizeof buffer, buffer, NULL) < 0)
		return size;
	/* A PDB file has no compressed sections, but read as an object file, it could seem to have thousands. */
	if (!rs_pdb_unreadable_kind(buffer, sizeof buffer))
		return size;
	const uint64_t claimed = rs_elf_has_magic(buffer, sizeof buffer)
					 ? elf_uncompressed_size(source)
					 : pe_uncompressed_size(source, memcmp(buffer, "MZ", 2) == 0);
	const uint64_t unpacked = rs_dw_credible_total(claimed, size);
	return unpacked <= SIZE_MAX - size ? size + (size_t)unpacked : SIZE_MAX;
}

bool rs_debuginfo_may_be_compressed(const struct rs_source *source)
{
	uint8_t buffer[4] = { 0 };
	return rs_source_copy_present(source, 0, sizeof buffer, buffer, NULL) == 0 &&
	       (rs_elf_has_magic(buffer, sizeof buffer) || rs_debuginfo_uncompressed_size(source) > source->size);
}

bool rs_debuginfo_may_be_split(const struct rs_source *source)
{
	const struct rs_section *section;
	struct rs_pe pe = { .machine = 0 };
	/* A .dwo file refers to addresses by indices in .debug_addr, so an image without it needs no .dwo file. */
	const bool found = rs_pe_read(&pe, source, NULL) == 0 &&
			   (rs_pe_find_section(&pe, source, ".debug_addr", &section, NULL) > 0 ||
			    rs_pe_find_section(&pe, source, ".zdebug_addr", &section, NULL) > 0);
	rs_pe_clear(&pe);
	return found;
}

void rs_debuginfo_list_dwos(const struct rs_source *source, const struct debuginfo_options *options)
{
	struct debuginfo_options silent = *options;
	struct rs_string_table strings;
	struct rs_draft draft = { .strings = &strings };
	struct debuginfo di = { .draft = &draft };
	struct rs_pe pe = { .machine = 0 };
	struct rossym_error err;
	silent.warn = NULL;
	if (rs_strings_open(&strings, UINT32_MAX, &err) < 0)
		return;
	if (rs_pe_read(&pe, source, &err) == 0)
		(void)rs_debuginfo_read(&di, &pe, source, &silent, &err);
	rs_pe_clear(&pe);
	rs_draft_clear(&draft);
	rs_strings_clear(&strings);
}

int rs_debuginfo_add_source_rows(struct rs_pe *pe, const struct rs_source *source,
				 const struct debuginfo_options *options, struct rossym_builder *builder,
				 struct debuginfo_counts *counts, struct rossym_error *err)
{
	struct rs_string_table *kept = options->keep ? &options->keep->strings : NULL;
	struct debuginfo_options reading = *options;
	if (kept && kept->count == 0 && rs_strings_open(kept, UINT32_MAX, err) < 0)
		return -1;
	struct debuginfo di = { .draft = rs_builder_share_draft(builder, kept) };
	/* If entry_outer is set, replace_rows_by_outermost() needs all frames, although the table gets none of them. */
	reading.no_frames |= options->no_inlines && !options->entry_outer;
	if (rs_debuginfo_read(&di, pe, source, &reading, err) < 0)
		return -1;
	*counts = di.counts;
	if (options->no_inlines) {
		replace_rows_by_outermost(di.draft);
		di.draft->function_count = 0;
	}
	return 0;
}

int rs_debuginfo_add_rows(const void *image, size_t size, const struct debuginfo_options *options,
			  struct rossym_builder *builder, struct debuginfo_counts *counts, struct rossym_error *err)
{
	const struct rs_source source = rs_source_from_memory(image, size);
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

/* Whether LOST is more than a tenth of ALL.  Less is acceptable: a unit or two can have values of an unknown form. */
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
	rs_dwarf_free_kept_units(keep->dwarf);
	rs_free(keep->stabs_parts);
	rs_separate_free(keep->separate);
	memset(keep, 0, sizeof *keep);
}
