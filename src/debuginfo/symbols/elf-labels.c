// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "debuginfo/symbols/elf-labels.h"
#include "debuginfo/base/decoder.h"
#include "debuginfo/symbols/labels.h"
#include "lib/base/alloc.h"
#include "lib/base/sort.h"

#include <stdlib.h>
#include <string.h>

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

static struct elf_symbol symbol_at(const struct elf_symbols *symbols, uint32_t index)
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

static const char *name_of_elf(const void *context, uint32_t index, size_t *length)
{
	const struct elf_symbols *symbols = context;
	const uint32_t offset = symbol_at(symbols, index).name;
	const uint8_t *name = symbols->names.bytes + offset;
	const uint8_t *end = offset < symbols->names.size ? memchr(name, '\0', (size_t)symbols->names.size - offset)
							  : NULL;
	*length = end ? (size_t)(end - name) : 0;
	return *length ? (const char *)name : NULL;
}

/* Whether symbol INDEX has a name for users.  "$a", "$d.1" and so on are none: on ARM and RISC-V they mark where
   code and data begin. */
static bool has_name(const struct elf_symbols *symbols, uint32_t index)
{
	size_t length;
	const char *name = name_of_elf(symbols, index, &length);
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
static bool decode_label(const struct reading *reading, const struct elf_symbols *symbols, uint32_t index,
			 struct elf_label *ret)
{
	const struct elf_symbol record = symbol_at(symbols, index);
	const bool function = record.type == TYPE_FUNCTION || record.type == TYPE_INDIRECT;
	if ((!function && record.type != TYPE_NONE && record.type != TYPE_OBJECT) ||
	    record.section == INDEX_UNDEFINED || record.section == INDEX_ABSOLUTE || record.section == INDEX_COMMON)
		return false;
	const uint64_t rva = rs_elf_code_address(symbols->elf, record.value) - reading->symbols.base;
	*ret = (struct elf_label){ (uint32_t)rva, index, record.size, function };
	return rs_reading_code_end(reading, rva) > 0 && has_name(symbols, index);
}

/* For qsort(): by address, size and index.  So of symbols at one address the last names it: the longest, as in LLVM; of
   equally long ones, the last of the table. */
static int symbols_by_rva(const void *a, const void *b)
{
	const struct elf_label *x = a, *y = b;
	if (x->rva != y->rva)
		return x->rva < y->rva ? -1 : 1;
	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

/* Add a label for SYMBOL, and one without a name for its end, if that comes before NEXT, the RVA of the next symbol. */
static int add_labels(struct reading *reading, const struct elf_label *symbol, uint32_t next)
{
	const uint64_t end = symbol->rva + symbol->size;
	reading->di->counts.elf_symbols++;
	if (rs_labels_add(reading, symbol->rva, symbol->index, symbol->function) < 0)
		return -1;
	if (symbol->size == 0 || symbol->size > UINT32_MAX || end >= next || rs_reading_code_end(reading, end) == 0)
		return 0;
	return rs_reading_add_label(reading, &(struct label){ .rva = (uint32_t)end, .rank = UINT32_MAX });
}

int rs_elf_labels_read(struct reading *reading)
{
	struct elf_symbols symbols = { .elf = reading->symbols.elf };
	uint32_t count = 0;
	int ret = 0;
	if (!find_elf_symbols(&symbols) || rs_labels_are_cached(reading))
		return rs_labels_name_wanted(reading, name_of_elf, &symbols, NAME_DEBUG);
	const uint64_t most = symbols.table.size / symbol_size(symbols.elf);
	struct elf_label *found = most < UINT32_MAX ? rs_alloc((size_t)most, sizeof *found) : NULL;
	if (!found)
		return rs_fail_memory(reading->err);
	for (uint32_t i = 0; i < most; i++)
		count += decode_label(reading, &symbols, i, &found[count]);
	rs_sort(found, count, sizeof *found, symbols_by_rva);
	for (uint32_t i = 0; i < count && ret == 0; i++) {
		const uint32_t next = i + 1 < count ? found[i + 1].rva : UINT32_MAX;
		size_t length;
		const char *name = name_of_elf(&symbols, found[i].index, &length);
		ret = rs_reading_add_other_name(reading, found[i].rva, name, length, NAME_DEBUG);
		if (ret == 0 && next != found[i].rva)
			ret = add_labels(reading, &found[i], next);
	}
	rs_free(found);
	return ret < 0 ? -1 : rs_labels_name_wanted(reading, name_of_elf, &symbols, NAME_DEBUG);
}

int rs_elf_labels_name_at(struct reading *reading, uint32_t rva, uint32_t *ret)
{
	struct elf_symbols symbols = { .elf = reading->symbols.elf };
	return find_elf_symbols(&symbols) ? rs_labels_name_at(reading, rva, name_of_elf, &symbols, NAME_DEBUG, ret) : 0;
}
