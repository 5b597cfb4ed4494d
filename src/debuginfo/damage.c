// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * damage.c - warns of debug information that is there but cannot be found, because of damage
 *
 * A reader looks for a section by its name, and does nothing if there is none.  So damaged headers would look as if
 * there were no debug information.
 */
#include "config.h"
#include "core/bytes.h"
#include "core/layout.h"
#include "debuginfo/steps.h"
#include "lib/base/codeview.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------ names */

/* Whether NAME is the name of a DWARF section that was cut to 8 bytes, as GNU ld does with
   --disable-long-section-names.  Such a section cannot be read: .debug_l, for example, can be .debug_line, .debug_loc
   or another section. */
static bool is_cut_name(const char *name)
{
	static const char next[] = "acfgilmnprst"; /* the first letters of .debug_abbrev to .debug_types */
	return strcmp(name, ".zdebug_") == 0 ||
	       (strncmp(name, ".debug_", 7) == 0 && name[7] && strchr(next, name[7]) && !name[8]);
}

static void warn_cut_names(struct reading *reading)
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

/* A table of COFF symbols and the string table after it, as a file's header describes them. */
struct coff_tables {
	const struct rs_pe *pe;
	const struct rs_source *source;
	uint64_t symbols_size, strings, strings_size; /* strings: offset; 0 bytes: the string table cannot be used */
	const char *fault;			      /* why the string table cannot be used; NULL if it can */
};

/* Find the COFF symbols and their strings in the file that has the symbols. */
static struct coff_tables find_coff_tables(const struct reading *reading)
{
	struct coff_tables t = { .pe = reading->symbols.pe, .source = reading->symbols.source };
	if (reading->symbols.elf || t.pe->symbol_count == 0) {
		t.pe = reading->pe;
		t.source = reading->source;
	}
	t.symbols_size = (uint64_t)t.pe->symbol_count * PE_COFF_SYMBOL_SIZE;
	t.strings = t.pe->symbol_offset + t.symbols_size;
	const uint8_t *there = rs_source_bytes(t.source, t.strings, PE_STRING_TABLE_HEADER);
	const uint32_t size = there ? rs_le32(there) : 0;
	if (t.pe->symbol_offset == 0)
		t.fault = "is not there, as the header has no offset of symbols";
	else if (!there)
		t.fault = "is past the end of the file";
	else if (size < PE_STRING_TABLE_HEADER)
		t.fault = "has a length of less than 4 bytes";
	else if (!rs_in_range(t.strings, size, t.source->size))
		t.fault = "is longer than the rest of the file";
	t.strings_size = t.fault ? 0 : size;
	return t;
}

/* Returns how many sections, which are not loaded, have a long name that is not in the string table.  Sections of
   stripped images that are loaded, such as .eh_frame, often have none. */
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

/* Returns how many symbols have a long name that is not in the string table.  The symbols are at FIRST. */
static uint32_t count_nameless_symbols(const struct coff_tables *t, const uint8_t *first)
{
	enum { LONG_NAME = 4 };
	uint32_t count = 0;
	for (uint32_t i = 0; i < t->pe->symbol_count; i++) {
		const uint8_t *symbol = first + (size_t)i * PE_COFF_SYMBOL_SIZE;
		count += rs_le32(symbol) == 0 && rs_le32(symbol + LONG_NAME) >= t->strings_size;
		i += symbol[PE_COFF_SYMBOL_AUXILIARIES];
	}
	return count;
}

static void warn_coff_tables(struct reading *reading)
{
	struct debuginfo_counts *counts = &reading->di->counts;
	const struct coff_tables t = find_coff_tables(reading);
	const uint8_t *there = t.pe->symbol_count > 0 && t.pe->symbol_offset > 0
				       ? rs_source_bytes(t.source, t.pe->symbol_offset, t.symbols_size)
				       : NULL;
	const uint32_t sections = count_nameless_sections(reading),
		       symbols = there ? count_nameless_symbols(&t, there) : 0;
	if (t.pe->symbol_count > 0 && !there) {
		counts->damaged++;
		rs_reading_warn(reading, "%" PRIu32 " COFF symbols at 0x%" PRIx32 " are not all in the file",
				t.pe->symbol_count, t.pe->symbol_offset);
	}
	if (sections == 0 && symbols == 0)
		return;
	counts->unreadable += sections;
	counts->damaged++;
	rs_reading_warn(reading,
			"the names of %" PRIu32 " sections and %" PRIu32
			" symbols are not known: the string table at 0x%" PRIx64 " %s",
			sections, symbols, t.strings, t.fault ? t.fault : "ends before them");
}

/* ------------------------------------------------------------------------------------------------ bytes */

static void warn_incomplete_section(struct reading *reading, const char *name, uint64_t size, uint64_t offset)
{
	reading->di->counts.unreadable++;
	rs_reading_warn(reading, "section %s is not all in the file: %" PRIu64 " bytes at 0x%" PRIx64, name, size,
			offset);
}

static void warn_pe_sections(struct reading *reading)
{
	const struct symbol_file *symbols = &reading->symbols;
	for (uint32_t i = 0; i < symbols->pe->section_count; i++) {
		const struct rs_section *section = &symbols->pe->sections[i];
		const char *name = rs_pe_section_name(symbols->pe, section, symbols->source, NULL);
		if (name && rs_pe_is_debug(section, name) && section->size > 0 &&
		    (section->raw_size == 0 || !rs_in_range(section->raw_offset, section->size, symbols->source->size)))
			warn_incomplete_section(reading, name, section->size, section->raw_offset);
	}
}

static void warn_elf_sections(struct reading *reading)
{
	const struct elf *elf = reading->symbols.elf;
	for (uint32_t i = 0; i < elf->section_count; i++) {
		const struct rs_elf_section section = rs_elf_section(elf, i);
		if (strncmp(section.name, ".debug_", 7) == 0 && section.type != ELF_NOBITS && section.size > 0 &&
		    !rs_in_range(section.offset, section.size, elf->source->size))
			warn_incomplete_section(reading, section.name, section.size, section.offset);
	}
}

void rs_damage_warn(struct reading *reading)
{
	warn_cut_names(reading);
	warn_coff_tables(reading);
	if (reading->symbols.elf)
		warn_elf_sections(reading);
	else
		warn_pe_sections(reading);
}

int rs_damage_warn_references(struct reading *reading)
{
	uint64_t at = 0;
	const char *fault = rs_codeview_fault(reading->pe, reading->source, &at);
	if (fault) {
		reading->di->counts.damaged++;
		rs_reading_warn(reading, "the name of the PDB file is not known: %s at 0x%" PRIx64, fault, at);
	}
	const int damaged = rs_separate_link_is_damaged(reading, &at);
	if (damaged > 0) {
		reading->di->counts.damaged++;
		rs_reading_warn(reading,
				"the name of the debug file is not known: .gnu_debuglink at 0x%" PRIx64 " is damaged",
				at);
	}
	return damaged < 0 ? -1 : 0;
}
