// SPDX-License-Identifier: GPL-2.0-or-later
/* symbols.c - labels from symbols, be they COFF symbols or those of an ELF file */
#include "config.h"
#include "debuginfo/symbols/symbol-steps.h"
#include "core/bytes.h"
#include "core/layout.h"
#include "debuginfo/base/decoder.h"
#include "lib/base/alloc.h"
#include "lib/base/sort.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------ COFF symbols */

/* The table has a symbol for each function and each external label, also of code without debug information.  Symbols
   have no sizes.  Absolute symbols, undefined symbols and symbols of whole sections name no code. */

/* Offsets in a symbol.  It begins with its name of 8 bytes, or with 4 zero bytes and the name's offset in the string
   table, which follows the symbols. */
enum { SYM_LONG_NAME = 4, SYM_VALUE = 8, SYM_SECTION = 12, SYM_TYPE = 14, SYM_CLASS = 16, SYM_AUX = 17 };
enum { CLASS_EXTERNAL = 2, CLASS_STATIC = 3, CLASS_LABEL = 6 };
enum { SHORT_NAME_SIZE = 8 };

struct coff_symbols {
	const struct rs_pe *pe; /* the file that has the symbols */
	const uint8_t *bytes;
	uint32_t count;
	const uint8_t *strings; /* string table, with its length field; NULL if it is not within the file */
	uint32_t strings_length;
};

/* Find the symbol table.  *SYMBOLS is unchanged if there is none, or not all of it is within the file. */
static void find_coff_symbols(const struct reading *reading, struct coff_symbols *symbols)
{
	/* Some tools write no symbols to the separate file, but leave them in the image,
	   as objcopy --strip-debug does. */
	bool in_image = reading->symbols.elf || reading->symbols.pe->symbol_count == 0;
	const struct rs_pe *pe = in_image ? reading->pe : reading->symbols.pe;
	const struct rs_source *source = in_image ? reading->source : reading->symbols.source;
	uint64_t length = (uint64_t)pe->symbol_count * PE_COFF_SYMBOL_SIZE;
	const uint8_t *bytes = pe->symbol_offset == 0 || pe->symbol_count == 0
				       ? NULL
				       : rs_source_bytes(source, pe->symbol_offset, length);
	if (!bytes)
		return;
	*symbols = (struct coff_symbols){ .pe = pe, .bytes = bytes, .count = pe->symbol_count };
	const uint64_t at = pe->symbol_offset + length;
	const uint8_t *size = rs_source_bytes(source, at, PE_STRING_TABLE_HEADER);
	if (size && rs_le32(size) >= PE_STRING_TABLE_HEADER)
		symbols->strings = rs_source_bytes(source, at, rs_le32(size));
	if (symbols->strings)
		symbols->strings_length = rs_le32(size);
}

/* Returns the name of SYMBOL, of *LENGTH bytes and perhaps without NUL; NULL if it is empty or not within the file. */
static const char *symbol_name(const struct coff_symbols *symbols, const uint8_t *symbol, size_t *length)
{
	const char *text = (const char *)symbol;
	size_t room = SHORT_NAME_SIZE;
	if (rs_le32(symbol) == 0) {
		uint32_t offset = rs_le32(symbol + SYM_LONG_NAME);
		if (offset < PE_STRING_TABLE_HEADER || offset >= symbols->strings_length)
			return NULL;
		text = (const char *)symbols->strings + offset;
		room = symbols->strings_length - offset;
	}
	const char *end = memchr(text, '\0', room);
	*length = end ? (size_t)(end - text) : room;
	return *length ? text : NULL;
}

/* Whether SYMBOL has the type of a function: bits 4 and 5 of the type are 2. */
static bool is_function_symbol(const uint8_t *symbol)
{
	return (rs_le16(symbol + SYM_TYPE) >> 4 & 3) == 2;
}

/* What a symbol says about code.  Symbols of functions, external symbols and static labels name code (SYMBOL_LABEL).  A
   static symbol with an auxiliary record, or with a name like ".text" (in import libraries), is that of a section: it
   marks where the code of an object file begins (SYMBOL_SECTION). */
enum symbol_kind { SYMBOL_OTHER, SYMBOL_LABEL, SYMBOL_SECTION };

static enum symbol_kind symbol_kind(const uint8_t *symbol, const char *name)
{
	if (is_function_symbol(symbol))
		return SYMBOL_LABEL;
	switch (symbol[SYM_CLASS]) {
	case CLASS_EXTERNAL:
	case CLASS_LABEL:
		return SYMBOL_LABEL;
	case CLASS_STATIC:
		return symbol[SYM_AUX] == 0 && name[0] != '.' ? SYMBOL_LABEL : SYMBOL_SECTION;
	default:
		return SYMBOL_OTHER;
	}
}

/* Whether NAME is the name of SECTION of the image, such as ".text".  Each object file has a symbol of that name, so the
   name does not identify code. */
static bool is_section_name(const struct rs_section *section, const char *name, size_t length)
{
	return strlen(section->name) == length && memcmp(section->name, name, length) == 0;
}

/* Add the label or the further name that symbol INDEX gives.  If several symbols have one address, the last function
   among them names it, or else the last symbol, as in LLVM. */
static int read_symbol(struct reading *reading, const struct coff_symbols *symbols, uint32_t index)
{
	const uint8_t *symbol = symbols->bytes + (size_t)index * PE_COFF_SYMBOL_SIZE;
	uint16_t number = rs_le16(symbol + SYM_SECTION);
	if (number == 0 || number > symbols->pe->section_count)
		return 0; /* undefined (0), absolute (0xffff), or for debuggers (0xfffe) */
	uint64_t rva = (uint64_t)symbols->pe->sections[number - 1].rva + rs_le32(symbol + SYM_VALUE);
	size_t length;
	const char *name = symbol_name(symbols, symbol, &length);
	enum symbol_kind kind = name ? symbol_kind(symbol, name) : SYMBOL_OTHER;
	if (kind == SYMBOL_OTHER)
		return 0;
	if (rs_reading_code_end(reading, rva) == 0) {
		reading->di->counts.outside++;
		return 0;
	}
	if ((kind == SYMBOL_LABEL || !is_section_name(&symbols->pe->sections[number - 1], name, length)) &&
	    rs_reading_add_other_name(reading, (uint32_t)rva, name, length, NAME_COFF) < 0)
		return -1;
	if (kind == SYMBOL_SECTION)
		return rs_reading_add_label(
			reading, &(struct label){ .rva = (uint32_t)rva, .rank = UINT32_MAX, .object = true });
	reading->di->counts.coff_symbols++;
	return rs_labels_add(reading, (uint32_t)rva, index, is_function_symbol(symbol));
}

static const char *coff_symbol_name(const void *context, uint32_t index, size_t *length)
{
	const struct coff_symbols *symbols = context;
	return symbol_name(symbols, symbols->bytes + (size_t)index * PE_COFF_SYMBOL_SIZE, length);
}

static int read_coff(struct reading *reading)
{
	struct coff_symbols symbols = { .count = 0 };
	find_coff_symbols(reading, &symbols);
	for (uint32_t i = rs_labels_are_cached(reading) ? symbols.count : 0; i < symbols.count; i++) {
		if (read_symbol(reading, &symbols, i) < 0)
			return -1;
		/* Skip auxiliary records, which are as large as symbols. */
		i += symbols.bytes[(size_t)i * PE_COFF_SYMBOL_SIZE + SYM_AUX];
	}
	return rs_labels_name_wanted(reading, coff_symbol_name, &symbols, NAME_COFF);
}

static int name_coff_at(struct reading *reading, uint32_t rva, uint32_t *ret)
{
	struct coff_symbols symbols = { .count = 0 };
	find_coff_symbols(reading, &symbols);
	return rs_labels_name_at(reading, rva, coff_symbol_name, &symbols, NAME_COFF, ret);
}

/* ------------------------------------------------------------------------------------------------ symbols of an ELF file */

/* They name code for which DWARF has no function, such as code in assembly language.  A symbol with a size names no
   code after its end. */

enum { TYPE_NONE = 0, TYPE_OBJECT = 1, TYPE_FUNCTION = 2, TYPE_INDIRECT = 10 };
enum { INDEX_UNDEFINED = 0, INDEX_ABSOLUTE = 0xfff1, INDEX_COMMON = 0xfff2 };

struct elf_label {
	uint32_t rva, index;
	uint64_t size; /* 0 = unknown */
	bool function;
};

struct elf_symbols {
	const struct elf *elf;
	struct rs_elf_content table, names;
};

/* A symbol of the table (Elf32_Sym, Elf64_Sym), decoded. */
struct elf_symbol {
	uint32_t name;
	uint64_t value, size;
	unsigned type, section;
};

static unsigned symbol_size(const struct elf *elf)
{
	return elf->wide ? 24 : 16;
}

static struct elf_symbol decode_symbol(const struct elf_symbols *symbols, uint32_t index)
{
	const uint8_t *at = symbols->table.bytes + (size_t)index * symbol_size(symbols->elf);
	struct decoder c = { at, at + symbol_size(symbols->elf), false };
	struct elf_symbol record = { .name = decoder_u32(&c) };
	if (!symbols->elf->wide) {
		record.value = decoder_u32(&c);
		record.size = decoder_u32(&c);
	}
	record.type = decoder_u8(&c) & 15;
	decoder_u8(&c); /* the visibility */
	record.section = decoder_u16(&c);
	if (symbols->elf->wide) {
		record.value = decoder_uint(&c, 8);
		record.size = decoder_uint(&c, 8);
	}
	return record;
}

static const char *elf_symbol_name(const void *context, uint32_t index, size_t *length)
{
	const struct elf_symbols *symbols = context;
	const uint32_t offset = decode_symbol(symbols, index).name;
	const uint8_t *name = symbols->names.bytes + offset;
	const uint8_t *end = offset < symbols->names.size ? memchr(name, '\0', (size_t)symbols->names.size - offset)
							  : NULL;
	*length = end ? (size_t)(end - name) : 0;
	return *length ? (const char *)name : NULL;
}

/* Whether symbol INDEX has a name for users.  "$a", "$d.1" and so on are none: on ARM and RISC-V they mark where
   code and data begin. */
static bool has_user_name(const struct elf_symbols *symbols, uint32_t index)
{
	size_t length;
	const char *name = elf_symbol_name(symbols, index, &length);
	return name && !(name[0] == '$' && length > 1 && strchr("adtx", name[1]) && (length == 2 || name[2] == '.'));
}

/* Find the symbol table and its string table.  False if one of them is absent. */
static bool find_elf_symbols(struct elf_symbols *symbols)
{
	const struct elf *elf = symbols->elf;
	if (elf->symbols == 0)
		return false;
	const struct rs_elf_section table = rs_elf_section(elf, elf->symbols);
	if (table.link >= elf->section_count)
		return false;
	const struct rs_elf_section names = rs_elf_section(elf, table.link);
	return rs_elf_content(elf, &table, &symbols->table) && rs_elf_content(elf, &names, &symbols->names) &&
	       symbols->table.compression == 0 && symbols->names.compression == 0;
}

/* Store the label of symbol INDEX.  False if it names no code. */
static bool make_label(const struct reading *reading, const struct elf_symbols *symbols, uint32_t index,
		       struct elf_label *ret)
{
	const struct elf_symbol record = decode_symbol(symbols, index);
	const bool function = record.type == TYPE_FUNCTION || record.type == TYPE_INDIRECT;
	if ((!function && record.type != TYPE_NONE && record.type != TYPE_OBJECT) ||
	    record.section == INDEX_UNDEFINED || record.section == INDEX_ABSOLUTE || record.section == INDEX_COMMON)
		return false;
	const uint64_t rva = rs_elf_code_address(symbols->elf, record.value) - reading->symbols.base;
	*ret = (struct elf_label){ (uint32_t)rva, index, record.size, function };
	return rs_reading_code_end(reading, rva) > 0 && has_user_name(symbols, index);
}

/* For qsort(): by address, size and index.  The last symbol at an address names it: the longest, as in LLVM; of equally
   long ones, the last of the table. */
static int compare_symbols(const void *a, const void *b)
{
	const struct elf_label *x = a, *y = b;
	if (x->rva != y->rva)
		return x->rva < y->rva ? -1 : 1;
	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

/* Add a label for SYMBOL, and one without a name for its end, if that comes before NEXT, the RVA of the next symbol. */
static int add_begin_and_end_labels(struct reading *reading, const struct elf_label *symbol, uint32_t next)
{
	const uint64_t end = symbol->rva + symbol->size;
	reading->di->counts.elf_symbols++;
	if (rs_labels_add(reading, symbol->rva, symbol->index, symbol->function) < 0)
		return -1;
	if (symbol->size == 0 || symbol->size > UINT32_MAX || end >= next || rs_reading_code_end(reading, end) == 0)
		return 0;
	return rs_reading_add_label(reading, &(struct label){ .rva = (uint32_t)end, .rank = UINT32_MAX });
}

static int read_elf(struct reading *reading)
{
	struct elf_symbols symbols = { .elf = reading->symbols.elf };
	uint32_t count = 0;
	int ret = 0;
	if (!find_elf_symbols(&symbols) || rs_labels_are_cached(reading))
		return rs_labels_name_wanted(reading, elf_symbol_name, &symbols, NAME_DEBUG);
	const uint64_t most = symbols.table.size / symbol_size(symbols.elf);
	struct elf_label *found = most < UINT32_MAX ? rs_alloc((size_t)most, sizeof *found) : NULL;
	if (!found)
		return rs_fail_memory(reading->err);
	for (uint32_t i = 0; i < most; i++)
		count += make_label(reading, &symbols, i, &found[count]);
	rs_sort(found, count, sizeof *found, compare_symbols);
	for (uint32_t i = 0; i < count && ret == 0; i++) {
		const uint32_t next = i + 1 < count ? found[i + 1].rva : UINT32_MAX;
		size_t length;
		const char *name = elf_symbol_name(&symbols, found[i].index, &length);
		ret = rs_reading_add_other_name(reading, found[i].rva, name, length, NAME_DEBUG);
		if (ret == 0 && next != found[i].rva)
			ret = add_begin_and_end_labels(reading, &found[i], next);
	}
	rs_free(found);
	return ret < 0 ? -1 : rs_labels_name_wanted(reading, elf_symbol_name, &symbols, NAME_DEBUG);
}

static int name_elf_at(struct reading *reading, uint32_t rva, uint32_t *ret)
{
	struct elf_symbols symbols = { .elf = reading->symbols.elf };
	return find_elf_symbols(&symbols) ? rs_labels_name_at(reading, rva, elf_symbol_name, &symbols, NAME_DEBUG, ret)
					  : 0;
}

/* ------------------------------------------------------------------------------------------------ both */

/* Whether to read the symbols of the ELF file.  An image that was made from an ELF file rarely has COFF symbols.  If it
   has some, they name all its code, and are read instead. */
static bool reads_elf_symbols(const struct reading *reading)
{
	return reading->symbols.elf && reading->pe->symbol_count == 0;
}

int rs_symbols_read(struct reading *reading)
{
	return reads_elf_symbols(reading) ? read_elf(reading) : read_coff(reading);
}

int rs_symbols_name_at(struct reading *reading, uint32_t rva, uint32_t *ret)
{
	return reads_elf_symbols(reading) ? name_elf_at(reading, rva, ret) : name_coff_at(reading, rva, ret);
}
