// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "debuginfo/symbols/coff.h"
#include "core/bytes.h"
#include "core/layout.h"
#include "debuginfo/symbols/labels.h"

#include <string.h>

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
static bool is_function(const uint8_t *symbol)
{
	return (rs_le16(symbol + SYM_TYPE) >> 4 & 3) == 2;
}

/* What a symbol says about code.  Symbols of functions, external symbols and static labels name code (SYMBOL_LABEL).  A
   static symbol with an auxiliary record, or with a name like ".text" (in import libraries), is that of a section: it
   tells that the code of an object file begins there (SYMBOL_SECTION). */
enum symbol_kind { SYMBOL_OTHER, SYMBOL_LABEL, SYMBOL_SECTION };

static enum symbol_kind symbol_kind(const uint8_t *symbol, const char *name)
{
	if (is_function(symbol))
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

/* Whether NAME is the name of SECTION of the image, such as ".text".  Each object file has a symbol of that name, so it
   does not tell code apart. */
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
	return rs_labels_add(reading, (uint32_t)rva, index, is_function(symbol));
}

static const char *name_of_coff(const void *context, uint32_t index, size_t *length)
{
	const struct coff_symbols *symbols = context;
	return symbol_name(symbols, symbols->bytes + (size_t)index * PE_COFF_SYMBOL_SIZE, length);
}

int rs_coff_read(struct reading *reading)
{
	struct coff_symbols symbols = { .count = 0 };
	find_coff_symbols(reading, &symbols);
	for (uint32_t i = rs_labels_are_cached(reading) ? symbols.count : 0; i < symbols.count; i++) {
		if (read_symbol(reading, &symbols, i) < 0)
			return -1;
		/* Skip auxiliary records, which are as large as symbols. */
		i += symbols.bytes[(size_t)i * PE_COFF_SYMBOL_SIZE + SYM_AUX];
	}
	return rs_labels_name_wanted(reading, name_of_coff, &symbols, NAME_COFF);
}

int rs_coff_name_at(struct reading *reading, uint32_t rva, uint32_t *ret)
{
	struct coff_symbols symbols = { .count = 0 };
	find_coff_symbols(reading, &symbols);
	return rs_labels_name_at(reading, rva, name_of_coff, &symbols, NAME_COFF, ret);
}
