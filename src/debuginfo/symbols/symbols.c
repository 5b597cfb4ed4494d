// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * symbols.c - makes labels from symbols: COFF symbols, or the symbols of an ELF file
 *
 * add_label() is called for each symbol that names code, then name_wanted_labels() once, which sorts the labels and names
 * those that are wanted: making all names would take long.
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

/* ------------------------------------------------------------------------------------------------ labels */

/* The table of symbols that is read: of the ELF file, or COFF symbols. */
struct symbol_table {
	const struct elf *elf; /* NULL: COFF */
	struct rs_elf_content table, names;
	struct coff_symbols coff;
};

/* Returns the name of symbol INDEX, of *LENGTH bytes and perhaps without NUL; NULL if it has none. */
static const char *symbol_name(const struct symbol_table *symbols, uint32_t index, size_t *length);

/* The rank of a label is LAST_RANK minus the index of its symbol.  So among labels at one address, the label of the
   last symbol comes first.  A label without a symbol has a higher rank.  Until labels get their names, "name" is
   NAMED_LATER, or 0 if there is no symbol. */
enum { NAMED_LATER = 1 };
#define LAST_RANK (UINT32_MAX - 1)

/* Add a label at RVA for symbol INDEX of the table.  Of several labels at one RVA, only the label with the highest
   INDEX stays; if some of them name functions, the highest INDEX among these counts.  Returns 0; or -1 after storing
   an error. */
static int add_label(struct reading *reading, uint32_t rva, uint32_t index, bool function)
{
	return rs_reading_add_label(
		reading,
		&(struct label){ .rva = rva, .rank = LAST_RANK - index, .name = NAMED_LATER, .function = function });
}

/* For qsort(): by address; at one address, functions first; then by rank.  Functions are first because GNU ld defines
   symbols that name no function, such as ___tls_start__, where the code of an image without a C runtime begins. */
static int compare_labels(const void *a, const void *b)
{
	const struct label *x = a, *y = b;
	if (x->rva != y->rva)
		return x->rva < y->rva ? -1 : 1;
	if (x->function != y->function)
		return x->function ? -1 : 1;
	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* Sort the labels, and keep the first one of each address.  Set its "object" if any label at that
   address has it set. */
static void sort_and_unify_labels(struct reading *reading)
{
	struct label *labels = reading->labels;
	uint32_t kept = 1;
	if (reading->label_count == 0)
		return;
	qsort(labels, reading->label_count, sizeof *labels, compare_labels);
	for (uint32_t i = 1; i < reading->label_count; i++) {
		if (labels[i].rva != labels[kept - 1].rva)
			labels[kept++] = labels[i];
		else
			labels[kept - 1].object |= labels[i].object;
	}
	reading->label_count = kept;
}

/* Store the string number of LABEL's name in *RET; *RET is unchanged if LABEL has no symbol, or the symbol no name. */
static int make_label_name(struct reading *reading, const struct label *label, const struct symbol_table *symbols,
			   uint32_t *ret)
{
	size_t length;
	const char *name = label->rank > LAST_RANK ? NULL : symbol_name(symbols, LAST_RANK - label->rank, &length);
	return name ? rs_reading_intern_name(reading, name, length, symbols->elf ? NAME_DEBUG : NAME_COFF, ret) : 0;
}

/* Whether an earlier call has cached the labels.  If so, none are to be added. */
static bool labels_are_cached(const struct reading *reading)
{
	return reading->keep->labels && reading->options->wanted;
}

/* Sort the labels, and move them to the cache unless all are wanted. */
static void sort_and_cache_labels(struct reading *reading)
{
	struct debuginfo_keep *keep = reading->keep;
	sort_and_unify_labels(reading);
	if (!reading->options->wanted)
		return;
	keep->labels = reading->labels;
	keep->label_count = reading->label_count;
	reading->labels = NULL;
	reading->label_count = reading->label_room = 0;
}

/* Copy the cached labels that can name the code of WANTED: the last named label below WANTED, all labels from there up
   to the end of WANTED, and one more, where the code of the last one ends.  Labels before index NEXT were copied
   before.  Returns the index after the last copied label, which is NEXT for the next call; UINT32_MAX
   after storing an error. */
static uint32_t copy_wanted_labels(struct reading *reading, uint32_t next, const struct extent *wanted)
{
	const struct debuginfo_keep *keep = reading->keep;
	const struct label *labels = keep->labels;
	uint32_t i = rs_array_first(labels, keep->label_count, sizeof *labels, offsetof(struct label, rva),
				    wanted->begin);
	while (i > next && !labels[i - 1].name)
		i--;
	i = i > next ? i - 1 : next;
	for (bool inside = true; i < keep->label_count && inside; i++) {
		inside = labels[i].rva < wanted->end;
		if (rs_reading_add_label(reading, &labels[i]) < 0)
			return UINT32_MAX;
	}
	return i;
}

/* Copy those of the cached labels to READING that can name code at the wanted addresses. */
static int use_cached_labels(struct reading *reading)
{
	for (uint32_t i = 0, next = 0; i < reading->wanted_count; i++)
		if ((next = copy_wanted_labels(reading, next, &reading->wanted[i])) == UINT32_MAX)
			return -1;
	return 0;
}

/* Sort READING's labels, leaving one for each RVA; call rs_reading_find_wanted(); then name the labels that are wanted.
   The others get no names.  Returns as add_label(). */
static int name_wanted_labels(struct reading *reading, const struct symbol_table *symbols)
{
	uint32_t until = UINT32_MAX;
	if (!labels_are_cached(reading))
		sort_and_cache_labels(reading);
	if (rs_reading_find_wanted(reading) < 0 || (labels_are_cached(reading) && use_cached_labels(reading) < 0))
		return -1;
	/* Go from the last label to the first, because a label can name code up to the next label with a name
	   (add_rows_of_labelled_span() of merge.c). */
	for (uint32_t i = reading->label_count; i-- > 0;) {
		struct label *label = &reading->labels[i];
		if (!label->name)
			continue;
		bool wanted = rs_reading_is_wanted(reading, label->rva, until);
		until = label->rva;
		label->name = 0;
		if (wanted && make_label_name(reading, label, symbols, &label->name) < 0)
			return -1;
	}
	for (uint32_t i = 0; i < reading->label_count; i++)
		reading->labels[i].named = reading->labels[i].name ? i + 1 : i ? reading->labels[i - 1].named : 0;
	return 0;
}

/* ------------------------------------------------------------------------------------------------ COFF symbols */

/* The table has a symbol for each function and each external label, also of code without debug information.  Symbols
   have no sizes.  Absolute symbols, undefined symbols and symbols of whole sections name no code. */

/* Offsets in a symbol.  It begins with its name of 8 bytes, or with 4 zero bytes and the name's offset in the string
   table, which follows the symbols. */
enum { SYM_LONG_NAME = 4, SYM_VALUE = 8, SYM_SECTION = 12, SYM_TYPE = 14, SYM_CLASS = 16, SYM_AUX = 17 };
enum { CLASS_EXTERNAL = 2, CLASS_STATIC = 3, CLASS_LABEL = 6 };
enum { SHORT_NAME_SIZE = 8 };

struct coff_symbols rs_coff_symbols_find(const struct reading *reading)
{
	/* Some tools write no symbols to the separate file, but leave them in the image,
	   as objcopy --strip-debug does. */
	const bool in_image = reading->symbols.elf || reading->symbols.pe->symbol_count == 0;
	const struct rs_pe *pe = in_image ? reading->pe : reading->symbols.pe;
	const struct rs_source *source = in_image ? reading->source : reading->symbols.source;
	const uint64_t length = (uint64_t)pe->symbol_count * PE_COFF_SYMBOL_SIZE;
	struct coff_symbols symbols = { .pe = pe, .strings_at = pe->symbol_offset + length };
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

static const char *coff_symbol_name(const struct coff_symbols *symbols, uint32_t index, size_t *length)
{
	const uint8_t *symbol = symbols->bytes + (size_t)index * PE_COFF_SYMBOL_SIZE;
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
   static symbol with an auxiliary record, or with a name like ".text" (in import libraries), is the symbol of a
   section: it marks where the code of an object file begins (SYMBOL_SECTION). */
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

/* Add the label that symbol INDEX gives, and its name as another name of code, unless that is only the section's.  If several
   symbols have one address, the last function among them names it, or else the last symbol, as in LLVM. */
static int add_label_and_other_name(struct reading *reading, const struct coff_symbols *symbols, uint32_t index)
{
	const uint8_t *symbol = symbols->bytes + (size_t)index * PE_COFF_SYMBOL_SIZE;
	uint16_t number = rs_le16(symbol + SYM_SECTION);
	if (number == 0 || number > symbols->pe->section_count)
		return 0; /* undefined (0), absolute (0xffff), or for debuggers (0xfffe) */
	uint64_t rva = (uint64_t)symbols->pe->sections[number - 1].rva + rs_le32(symbol + SYM_VALUE);
	size_t length;
	const char *name = coff_symbol_name(symbols, index, &length);
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
	return add_label(reading, (uint32_t)rva, index, is_function_symbol(symbol));
}

static int read_coff_symbols(struct reading *reading, const struct coff_symbols *symbols)
{
	for (uint32_t i = 0; i < symbols->count; i++) {
		if (add_label_and_other_name(reading, symbols, i) < 0)
			return -1;
		/* Skip auxiliary records, which are as large as symbols. */
		i += symbols->bytes[(size_t)i * PE_COFF_SYMBOL_SIZE + SYM_AUX];
	}
	return 0;
}

/* ------------------------------------------------------------------------------------------------ symbols of an ELF file */

/* The symbols of an ELF file name code for which DWARF has no function, such as code in assembly language.  A symbol
   with a size names no code after its end. */

enum { TYPE_NONE = 0, TYPE_OBJECT = 1, TYPE_FUNCTION = 2, TYPE_INDIRECT = 10 };
enum { INDEX_UNDEFINED = 0, INDEX_ABSOLUTE = 0xfff1, INDEX_COMMON = 0xfff2 };

struct elf_label {
	uint32_t rva, index;
	uint64_t size; /* 0 = unknown */
	bool function;
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

static struct elf_symbol decode_symbol(const struct symbol_table *symbols, uint32_t index)
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

static const char *elf_symbol_name(const struct symbol_table *symbols, uint32_t index, size_t *length)
{
	const uint32_t offset = decode_symbol(symbols, index).name;
	const uint8_t *name = symbols->names.bytes + offset;
	const uint8_t *end = offset < symbols->names.size ? memchr(name, '\0', (size_t)symbols->names.size - offset)
							  : NULL;
	*length = end ? (size_t)(end - name) : 0;
	return *length ? (const char *)name : NULL;
}

/* Whether symbol INDEX has a name for users.  "$a", "$d.1" and so on are none: on ARM and RISC-V they mark where
   code and data begin. */
static bool has_user_name(const struct symbol_table *symbols, uint32_t index)
{
	size_t length;
	const char *name = elf_symbol_name(symbols, index, &length);
	return name && !(name[0] == '$' && length > 1 && strchr("adtx", name[1]) && (length == 2 || name[2] == '.'));
}

/* Find the symbol table and its string table.  If one of them is absent, there are no symbols. */
static void find_elf_symbols(struct symbol_table *symbols)
{
	const struct elf *elf = symbols->elf;
	if (elf->symbols == 0)
		return;
	const struct rs_elf_section table = rs_elf_section(elf, elf->symbols);
	if (table.link >= elf->section_count)
		return;
	const struct rs_elf_section names = rs_elf_section(elf, table.link);
	if (!rs_elf_find_content(elf, &table, &symbols->table) || !rs_elf_find_content(elf, &names, &symbols->names) ||
	    symbols->table.compression != 0 || symbols->names.compression != 0)
		symbols->table.size = 0;
}

/* Store the label of symbol INDEX.  False if it names no code. */
static bool make_elf_label(const struct reading *reading, const struct symbol_table *symbols, uint32_t index,
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
	if (add_label(reading, symbol->rva, symbol->index, symbol->function) < 0)
		return -1;
	if (symbol->size == 0 || symbol->size > UINT32_MAX || end >= next || rs_reading_code_end(reading, end) == 0)
		return 0;
	return rs_reading_add_label(reading, &(struct label){ .rva = (uint32_t)end, .rank = UINT32_MAX });
}

static int read_elf_symbols(struct reading *reading, const struct symbol_table *symbols)
{
	uint32_t count = 0;
	int ret = 0;
	const uint64_t most = symbols->table.size / symbol_size(symbols->elf);
	struct elf_label *found = most < UINT32_MAX ? rs_alloc((size_t)most, sizeof *found) : NULL;
	if (!found)
		return rs_fail_memory(reading->err);
	for (uint32_t i = 0; i < most; i++)
		count += make_elf_label(reading, symbols, i, &found[count]);
	rs_sort(found, count, sizeof *found, compare_symbols);
	for (uint32_t i = 0; i < count && ret == 0; i++) {
		const uint32_t next = i + 1 < count ? found[i + 1].rva : UINT32_MAX;
		size_t length;
		const char *name = elf_symbol_name(symbols, found[i].index, &length);
		ret = rs_reading_add_other_name(reading, found[i].rva, name, length, NAME_DEBUG);
		if (ret == 0 && next != found[i].rva)
			ret = add_begin_and_end_labels(reading, &found[i], next);
	}
	rs_free(found);
	return ret;
}

/* ------------------------------------------------------------------------------------- symbols of either kind */

static const char *symbol_name(const struct symbol_table *symbols, uint32_t index, size_t *length)
{
	return symbols->elf ? elf_symbol_name(symbols, index, length) : coff_symbol_name(&symbols->coff, index, length);
}

/* Find the symbols to read.  An image that was made from an ELF file rarely has COFF symbols.  If it has some, they name
   all its code, and are read instead of those of the ELF file. */
static struct symbol_table find_symbols(const struct reading *reading)
{
	struct symbol_table symbols = { .elf = reading->pe->symbol_count == 0 ? reading->symbols.elf : NULL };
	if (symbols.elf)
		find_elf_symbols(&symbols);
	else
		symbols.coff = rs_coff_symbols_find(reading);
	return symbols;
}

int rs_symbols_read(struct reading *reading)
{
	const struct symbol_table symbols = find_symbols(reading);
	if (!labels_are_cached(reading) &&
	    (symbols.elf ? read_elf_symbols(reading, &symbols) : read_coff_symbols(reading, &symbols.coff)) < 0)
		return -1;
	return name_wanted_labels(reading, &symbols);
}

int rs_symbols_find_name_at(struct reading *reading, uint32_t rva, uint32_t *ret)
{
	const struct symbol_table symbols = find_symbols(reading);
	const struct label *label = rs_reading_label_at(reading, rva);
	return label ? make_label_name(reading, label, &symbols, ret) : 0;
}
