// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * symbols.c - makes labels (names of code) from COFF symbols, or from the symbols of an ELF file
 *
 * A symbol of either kind is decoded into struct code_symbol, and becomes a label if it names code.  Then the labels
 * are sorted.  Only labels of wanted code (code whose debug information is needed, reading.h) get their names, because
 * making all names would take long.
 */
#include "config.h"
#include "debuginfo/symbols/symbol-steps.h"
#include "core/bytes.h"
#include "core/layout.h"
#include "debuginfo/base/decoder.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"
#include "lib/base/sort.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------ symbols */

/* What a symbol tells about code.  SYMBOL_LABEL: it names the code from its address on.  SYMBOL_SECTION: the code of an
   object file begins at its address.  SYMBOL_OTHER: nothing. */
enum symbol_kind { SYMBOL_OTHER, SYMBOL_LABEL, SYMBOL_SECTION };

struct code_symbol {
	enum symbol_kind kind;
	const char *name; /* has LENGTH bytes and may lack a NUL; NULL: the symbol has no name */
	size_t length;
	uint64_t rva;
	uint32_t weight;      /* as in struct label: decides which label at an address is kept */
	uint32_t records;     /* how many records the symbol has: its own, and the auxiliary ones after it */
	bool function;	      /* it is the symbol of a function */
	bool is_section_name; /* its name is that of a section, so look-ups by name must not find it */
};

/* Returns the string at OFFSET of the string table of SYMBOLS, and stores its length; NULL if it is empty or past the
   table.  The last string of COFF symbols may lack its NUL; of an ELF file, a string without NUL is not used. */
static const char *string_at(const struct symbol_table *symbols, uint32_t offset, size_t *length)
{
	if (offset >= symbols->strings_length)
		return NULL;
	const char *text = (const char *)symbols->strings + offset;
	const size_t room = (size_t)symbols->strings_length - offset;
	const char *end = memchr(text, '\0', room);
	*length = end ? (size_t)(end - text) : symbols->elf ? 0 : room;
	return *length ? text : NULL;
}

/* ------------------------------------------------------------------------------------------------ COFF symbols */

/* The COFF table has a symbol for each function and each external label, also of code without debug information, but
   none that marks where code ends.  Absolute symbols, undefined symbols and symbols of whole sections name no code. */

/* Offsets in a symbol.  It begins with its name of 8 bytes, or with 4 zero bytes and the name's offset in the string
   table, which follows the symbols. */
enum { SYM_LONG_NAME = 4, SYM_VALUE = 8, SYM_SECTION = 12, SYM_TYPE = 14, SYM_CLASS = 16, SYM_AUX = 17 };
enum { CLASS_EXTERNAL = 2, CLASS_STATIC = 3, CLASS_LABEL = 6 };
enum { SHORT_NAME_SIZE = 8 };

struct symbol_table rs_coff_symbols_find(const struct reading *reading)
{
	/* If debug information is in a separate file, symbols can still be only in the image, for example after
	   objcopy --strip-debug. */
	const bool in_image = reading->symbols.elf || reading->symbols.pe->symbol_count == 0;
	const struct rs_pe *pe = in_image ? reading->pe : reading->symbols.pe;
	const struct rs_source *source = in_image ? reading->source : reading->symbols.source;
	const uint64_t length = (uint64_t)pe->symbol_count * PE_COFF_SYMBOL_SIZE;
	struct symbol_table symbols = { .record_size = PE_COFF_SYMBOL_SIZE,
					.pe = pe,
					.strings_at = pe->symbol_offset + length };
	if (pe->symbol_offset > 0 && pe->symbol_count > 0)
		symbols.bytes = rs_source_bytes(source, pe->symbol_offset, length);
	symbols.count = symbols.bytes ? pe->symbol_count : 0;
	const uint8_t *size = rs_source_bytes(source, symbols.strings_at, PE_STRING_TABLE_HEADER);
	if (pe->symbol_offset == 0)
		symbols.fault = "is not there, as the header has no offset of symbols";
	else if (!size)
		symbols.fault = "is past the end of the file";
	else if (rs_le32(size) < PE_STRING_TABLE_HEADER)
		symbols.fault = "has a length of less than 4 bytes";
	else if (!(symbols.strings = rs_source_bytes(source, symbols.strings_at, rs_le32(size))))
		symbols.fault = "is longer than the rest of the file";
	else
		symbols.strings_length = rs_le32(size);
	return symbols;
}

static const char *coff_symbol_name(const struct symbol_table *symbols, const uint8_t *record, size_t *length)
{
	const uint32_t offset = rs_le32(record + SYM_LONG_NAME);
	if (rs_le32(record) == 0)
		return offset < PE_STRING_TABLE_HEADER ? NULL : string_at(symbols, offset, length);
	const uint8_t *end = memchr(record, '\0', SHORT_NAME_SIZE);
	*length = end ? (size_t)(end - record) : SHORT_NAME_SIZE;
	return *length ? (const char *)record : NULL;
}

/* Returns the kind of the COFF symbol in RECORD.  SYMBOL has its name, and whether it is of a function.  A static
   symbol with an auxiliary record, or with a name like ".text", as in import libraries, is the symbol of a section. */
static enum symbol_kind coff_symbol_kind(const uint8_t *record, const struct code_symbol *symbol)
{
	const uint8_t class = record[SYM_CLASS];
	if (symbol->function || class == CLASS_EXTERNAL || class == CLASS_LABEL)
		return SYMBOL_LABEL;
	if (class != CLASS_STATIC)
		return SYMBOL_OTHER;
	return record[SYM_AUX] == 0 && symbol->name[0] != '.' ? SYMBOL_LABEL : SYMBOL_SECTION;
}

static struct code_symbol decode_coff_symbol(const struct symbol_table *symbols, const uint8_t *record)
{
	const uint16_t number = rs_le16(record + SYM_SECTION);
	/* The auxiliary records of a symbol follow it, and have its size. */
	struct code_symbol symbol = { .records = 1 + (uint32_t)record[SYM_AUX] };
	if (number == 0 || number > symbols->pe->section_count)
		return symbol; /* undefined (0), absolute (0xffff), or for debuggers (0xfffe) */
	const struct rs_section *section = &symbols->pe->sections[number - 1];
	symbol.name = coff_symbol_name(symbols, record, &symbol.length);
	if (!symbol.name)
		return symbol;
	symbol.rva = (uint64_t)section->rva + rs_le32(record + SYM_VALUE);
	symbol.function = (rs_le16(record + SYM_TYPE) >> 4 & 3) == 2; /* the type is that of a function */
	/* Functions get a higher weight: in an image without a C runtime, GNU ld defines other symbols, such as
	   ___tls_start__, at the address of the first function. */
	symbol.weight = symbol.function;
	symbol.kind = coff_symbol_kind(record, &symbol);
	/* The symbol of a section often has the section's name, such as ".text", in each object file. */
	symbol.is_section_name = symbol.kind == SYMBOL_SECTION && strlen(section->name) == symbol.length &&
				 memcmp(section->name, symbol.name, symbol.length) == 0;
	return symbol;
}

/* ------------------------------------------------------------------------------------------- symbols of an ELF file */

/* In an ELF file, symbols give names to code for which DWARF has no function, such as code in assembly language.  If a
   symbol has a size, only so many bytes have its name. */

enum { TYPE_NONE = 0, TYPE_OBJECT = 1, TYPE_FUNCTION = 2, TYPE_INDIRECT = 10 };
enum { INDEX_UNDEFINED = 0, INDEX_ABSOLUTE = 0xfff1, INDEX_COMMON = 0xfff2 };

/* Find the symbol table and its string table.  If one of them is absent or damaged, returns a table without symbols. */
static struct symbol_table find_elf_symbols(const struct elf *elf)
{
	struct symbol_table symbols = { .elf = elf, .record_size = elf->wide ? 24 : 16 };
	struct rs_elf_content records, strings;
	if (elf->symbols == 0)
		return symbols;
	const struct rs_elf_section table = rs_elf_decode_section(elf, elf->symbols);
	if (table.link >= elf->section_count)
		return symbols;
	const struct rs_elf_section names = rs_elf_decode_section(elf, table.link);
	if (!rs_elf_find_content(elf, &table, &records) || !rs_elf_find_content(elf, &names, &strings) ||
	    records.compression != 0 || strings.compression != 0)
		return symbols;
	const uint64_t count = records.size / symbols.record_size;
	symbols.bytes = records.bytes;
	symbols.count = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX - 1;
	symbols.strings = strings.bytes;
	symbols.strings_length = strings.size;
	return symbols;
}

/* Whether NAME, of LENGTH bytes, is a name for users.  Names such as "$a" and "$d.1" are not: on ARM and RISC-V they
   mark where code and data begin. */
static bool is_user_name(const char *name, size_t length)
{
	return name && !(name[0] == '$' && length > 1 && strchr("adtx", name[1]) && (length == 2 || name[2] == '.'));
}

/* Decode RECORD, an Elf32_Sym or Elf64_Sym. */
static struct code_symbol decode_elf_symbol(const struct reading *reading, const struct symbol_table *symbols,
					    const uint8_t *record)
{
	const bool wide = symbols->elf->wide;
	struct decoder c = { record, record + symbols->record_size, false };
	struct code_symbol symbol = { .records = 1 };
	uint64_t value = 0, size = 0;
	symbol.name = string_at(symbols, decoder_u32(&c), &symbol.length);
	if (!wide) {
		value = decoder_u32(&c);
		size = decoder_u32(&c);
	}
	const unsigned type = decoder_u8(&c) & 15;
	decoder_u8(&c); /* the visibility */
	const unsigned section = decoder_u16(&c);
	if (wide) {
		value = decoder_uint(&c, 8);
		size = decoder_uint(&c, 8);
	}
	symbol.function = type == TYPE_FUNCTION || type == TYPE_INDIRECT;
	symbol.rva = rs_elf_clear_thumb_bit(symbols->elf, value) - reading->symbols.base;
	symbol.weight = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
	if ((symbol.function || type == TYPE_NONE || type == TYPE_OBJECT) && section != INDEX_UNDEFINED &&
	    section != INDEX_ABSOLUTE && section != INDEX_COMMON && is_user_name(symbol.name, symbol.length))
		symbol.kind = SYMBOL_LABEL;
	return symbol;
}

/* ------------------------------------------------------------------------------------------------ labels */

/* The rank of a label is LAST_RANK minus the index of its symbol, so of symbols with equal weights at one address, the
   last one names the code.  The rank of a label that gets no name is UINT32_MAX. */
#define LAST_RANK (UINT32_MAX - 1)

/* Find the table of symbols to read: COFF symbols, or those of the ELF file from which the image was made, if the image
   has no COFF symbols.  If the image has COFF symbols, they name all its code. */
static struct symbol_table find_symbols(const struct reading *reading)
{
	return reading->symbols.elf && reading->pe->symbol_count == 0 ? find_elf_symbols(reading->symbols.elf)
								      : rs_coff_symbols_find(reading);
}

static const uint8_t *symbol_record(const struct symbol_table *symbols, uint32_t index)
{
	return symbols->bytes + (size_t)index * symbols->record_size;
}

/* Add a label for SYMBOL, which has this INDEX in SYMBOLS, and its name as another name of the code there. */
static int add_label_and_other_name(struct reading *reading, const struct symbol_table *symbols,
				    const struct code_symbol *symbol, uint32_t index)
{
	struct label label = { .rva = (uint32_t)symbol->rva,
			       .rank = UINT32_MAX,
			       .weight = symbol->weight,
			       .function = symbol->function,
			       .object = symbol->kind == SYMBOL_SECTION };
	if (symbol->kind == SYMBOL_OTHER)
		return 0;
	if (rs_reading_find_code_end(reading, symbol->rva) == 0) {
		reading->di->counts.outside += !symbols->elf;
		return 0;
	}
	if (!symbol->is_section_name && rs_reading_add_other_name(reading, label.rva, symbol->name, symbol->length,
								  symbols->elf ? NAME_DEBUG : NAME_COFF) < 0)
		return -1;
	if (symbol->kind == SYMBOL_LABEL) {
		reading->di->counts.coff_symbols += !symbols->elf;
		label.rank = LAST_RANK - index;
	}
	return rs_reading_add_label(reading, &label);
}

/* For rs_sort(): by address; at one address, the label to keep, with the highest weight and lowest rank, comes first. */
static int compare_labels(const void *a, const void *b)
{
	const struct label *x = a, *y = b;
	if (x->rva != y->rva)
		return x->rva < y->rva ? -1 : 1;
	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* Sort the labels, and keep only the first one at each address, with "object" set if any label there has it set. */
static void sort_and_unify_labels(struct reading *reading)
{
	struct label *labels = reading->labels;
	uint32_t kept = 0;
	rs_sort(labels, reading->label_count, sizeof *labels, compare_labels);
	for (uint32_t i = 0; i < reading->label_count; i++) {
		if (kept == 0 || labels[i].rva != labels[kept - 1].rva)
			labels[kept++] = labels[i];
		else
			labels[kept - 1].object |= labels[i].object;
	}
	reading->label_count = kept;
}

/* READING's labels are the symbols of an ELF file.  Add a label without a name where a symbol with a size ends, unless
   the next symbol begins there or before. */
static int add_end_labels(struct reading *reading)
{
	const uint32_t count = reading->label_count;
	reading->di->counts.elf_symbols += count;
	for (uint32_t i = 0; i < count; i++) {
		const struct label *label = &reading->labels[i];
		const uint64_t end = (uint64_t)label->rva + label->weight;
		const uint32_t next = i + 1 < count ? label[1].rva : UINT32_MAX;
		if (label->weight > 0 && end < next && rs_reading_find_code_end(reading, end) > 0 &&
		    rs_reading_add_label(reading, &(struct label){ .rva = (uint32_t)end, .rank = UINT32_MAX }) < 0)
			return -1;
	}
	sort_and_unify_labels(reading);
	return 0;
}

/* Make labels of all SYMBOLS, without names yet, and sort them. */
static int make_all_labels(struct reading *reading, const struct symbol_table *symbols)
{
	struct code_symbol symbol;
	for (uint32_t i = 0; i < symbols->count; i += symbol.records) {
		const uint8_t *record = symbol_record(symbols, i);
		symbol = symbols->elf ? decode_elf_symbol(reading, symbols, record)
				      : decode_coff_symbol(symbols, record);
		if (add_label_and_other_name(reading, symbols, &symbol, i) < 0)
			return -1;
	}
	sort_and_unify_labels(reading);
	return symbols->elf ? add_end_labels(reading) : 0;
}

/* Store in *RET the string number of the name of LABEL's symbol; *RET is unchanged if LABEL has no symbol, or the
   symbol has no name. */
static int make_label_name(struct reading *reading, const struct label *label, const struct symbol_table *symbols,
			   uint32_t *ret)
{
	if (label->rank > LAST_RANK)
		return 0;
	size_t length;
	const uint8_t *record = symbol_record(symbols, LAST_RANK - label->rank);
	const char *name = symbols->elf ? string_at(symbols, rs_le32(record), &length)
					: coff_symbol_name(symbols, record, &length);
	return name ? rs_reading_intern_name(reading, name, length, symbols->elf ? NAME_DEBUG : NAME_COFF, ret) : 0;
}

/* Find the wanted code, make names for the labels of that code, and set "named" of all labels. */
static int name_wanted_labels(struct reading *reading, const struct symbol_table *symbols)
{
	uint32_t until = UINT32_MAX;
	if (rs_reading_find_wanted_code(reading) < 0)
		return -1;
	/* Go from the last label to the first, because a label can name code up to UNTIL, the RVA of the next label
	   that gets a name (add_rows_of_labelled_span() of merge.c). */
	for (uint32_t i = reading->label_count; i-- > 0;) {
		struct label *label = &reading->labels[i];
		if (label->rank > LAST_RANK)
			continue;
		label->name = 0; /* an earlier call can have named it */
		if (rs_reading_is_wanted(reading, label->rva, until) &&
		    make_label_name(reading, label, symbols, &label->name) < 0)
			return -1;
		until = label->rva;
	}
	for (uint32_t i = 0, named = 0; i < reading->label_count; i++) {
		if (reading->labels[i].rank <= LAST_RANK)
			named = i + 1;
		reading->labels[i].named = named;
	}
	return 0;
}

int rs_symbols_read(struct reading *reading)
{
	struct debuginfo_keep *keep = reading->keep;
	const struct symbol_table symbols = find_symbols(reading);
	reading->labels = keep->labels;
	reading->label_count = keep->label_count;
	if (!keep->labels && make_all_labels(reading, &symbols) < 0)
		return -1;
	keep->labels = reading->labels;
	keep->label_count = reading->label_count;
	return name_wanted_labels(reading, &symbols);
}

int rs_symbols_find_name_at(struct reading *reading, uint32_t rva, uint32_t *ret)
{
	const struct symbol_table symbols = find_symbols(reading);
	const struct label *label = rs_reading_label_at(reading, rva);
	return label ? make_label_name(reading, label, &symbols, ret) : 0;
}
