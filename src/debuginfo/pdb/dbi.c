// SPDX-License-Identifier: GPL-2.0-or-later
/* dbi.c - reads the DBI stream of a PDB file: modules, their contributions (ranges of code) to the image, sections */
#include "config.h"
#include "debuginfo/pdb/pdb-module.h"
#include "lib/base/alloc.h"
#include "lib/base/sort.h"
#include "lib/base/array.h"

/* Offsets in the header of the DBI stream. */
enum { DBI_PUBLIC_STREAM = 16, DBI_RECORD_STREAM = 20, DBI_FLAGS = 56, DBI_MACHINE = 58, DBI_SIZE = 64 };

enum { FLAG_STRIPPED = 2, MACHINE_DOTNET = 0xc0ee };

/* Indices in the optional debug header, an array of stream numbers, in which NO_STREAM means no stream. */
enum { HEADER_OMAP_TO_SOURCE = 3, HEADER_SECTIONS = 5, HEADER_ORIGINAL_SECTIONS = 10, NO_STREAM = 0xffff };

enum { NO_SECTION = 0xffff }; /* MODULE_SECTION of a module without a contribution */

/* Offsets in the fixed part of a module's entry; two names follow it.  The fields from MODULE_SECTION to MODULE_FLAGS
   describe the module's first contribution. */
enum {
	MODULE_SECTION = 4,
	MODULE_CODE_SIZE = 12,
	MODULE_FLAGS = 16,
	MODULE_STREAM = 34,
	MODULE_SYMBOLS = 36,
	MODULE_C11 = 40,
	MODULE_C13 = 44,
	MODULE_SIZE = 64
};

/* Offsets in a contribution. */
enum {
	CONTRIBUTION_SECTION = 0,
	CONTRIBUTION_OFFSET = 4,
	CONTRIBUTION_LENGTH = 8,
	CONTRIBUTION_FLAGS = 12,
	CONTRIBUTION_MODULE = 16,
	CONTRIBUTION_SIZE = 28,
	CONTRIBUTION_SIZE_2 = 32
};
#define CONTRIBUTIONS_1 0xf12eba2du /* versions of the list of contributions */
#define CONTRIBUTIONS_2 0xf13151e4u

/* Offsets in a section header, as in a PE file. */
enum { SECTION_SIZE = 8, SECTION_RVA = 12, SECTION_HEADER_SIZE = 40 };

bool rs_pdb_read_dbi_header(struct pdb *pdb)
{
	/* For each part, in the order of enum pdb_part, the offset of its size in the header. */
	static const uint8_t sizes_at[PDB_PARTS] = { 24, 28, 32, 36, 40, 52, 48 };
	const uint8_t *header = pdb->dbi.bytes;
	struct decoder parts = { header, header + pdb->dbi.size, false };
	decoder_take(&parts, DBI_SIZE);
	for (int i = 0; i < PDB_PARTS && !parts.bad; i++) {
		pdb->parts[i].at = parts.at;
		decoder_take(&parts, rs_le32(header + sizes_at[i]));
		pdb->parts[i].end = parts.at;
	}
	if (parts.bad)
		return false;
	pdb->dotnet = rs_le16(header + DBI_MACHINE) == MACHINE_DOTNET;
	pdb->stripped = rs_le16(header + DBI_FLAGS) & FLAG_STRIPPED;
	return true;
}

/* Returns the stream number at INDEX of the debug header; NO_STREAM if there is none. */
static uint32_t debug_header_stream(const struct pdb *pdb, uint32_t index)
{
	const struct decoder *header = &pdb->parts[PDB_DEBUG_HEADER];
	return index < decoder_left(header) / 2 ? rs_le16(header->at + (size_t)index * 2) : NO_STREAM;
}

/* ---------------------------------------------------------------------------------------------------- sections */

/* Read the sections to which symbols and lines refer: those of the image.  If code was moved after the link, read the
   sections from before the move instead, and the list of moved code.  Cuts sections where 32-bit addresses end. */
static int read_sections_and_map(struct pdb *pdb)
{
	const struct rs_pe *pe = pdb->reading->pe;
	struct msf_stream headers = { .bytes = NULL };
	uint32_t omap = debug_header_stream(pdb, HEADER_OMAP_TO_SOURCE),
		 original = debug_header_stream(pdb, HEADER_ORIGINAL_SECTIONS);
	const bool moved = omap != NO_STREAM && rs_msf_has_stream(&pdb->msf, omap);
	if (original == NO_STREAM || !rs_msf_has_stream(&pdb->msf, original))
		original = debug_header_stream(pdb, HEADER_SECTIONS);
	const int ret = moved ? rs_pdb_copy_stream(pdb, original, &headers) : 0;
	const uint32_t count = moved ? headers.size / SECTION_HEADER_SIZE : pe->section_count;
	pdb->sections = ret == 0 ? rs_alloc(count, sizeof *pdb->sections) : NULL;
	for (uint32_t i = 0; pdb->sections && i < count; i++) {
		const uint8_t *header = moved ? headers.bytes + (size_t)i * SECTION_HEADER_SIZE : NULL;
		const uint32_t rva = header ? rs_le32(header + SECTION_RVA) : pe->sections[i].rva;
		const uint32_t size = header ? rs_le32(header + SECTION_SIZE) : pe->sections[i].size;
		const uint32_t most = UINT32_MAX - rva;
		pdb->sections[pdb->section_count++] = (struct pdb_section){ rva, size < most ? size : most };
	}
	rs_msf_stream_free(&headers);
	if (!pdb->sections)
		return rs_fail_memory(pdb->reading->err);
	return moved ? rs_pdb_read_omap(pdb, omap) : 0;
}

/* ---------------------------------------------------------------------------------------- modules, contributions */

/* Whether the module has code, but its entry does not tell in which section.  FIXED is the fixed part of the entry.  In
   the entry of a module without code, the size is -1. */
static bool is_unplaced_module(const uint8_t *fixed)
{
	uint32_t size = rs_le32(fixed + MODULE_CODE_SIZE);
	return rs_le16(fixed + MODULE_SECTION) == NO_SECTION && size > 0 && size <= INT32_MAX &&
	       rs_section_is_code(rs_le32(fixed + MODULE_FLAGS));
}

/* Read the list of modules.  If it is damaged, warn, and keep the modules before the damage. */
static int read_module_list(struct pdb *pdb)
{
	struct decoder modules = pdb->parts[PDB_MODULES];
	while (decoder_left(&modules) >= MODULE_SIZE) {
		const uint8_t *fixed = decoder_take(&modules, MODULE_SIZE);
		uint32_t stream = rs_le16(fixed + MODULE_STREAM);
		const char *name = decoder_string(&modules);
		decoder_string(&modules);
		if (modules.bad) {
			rs_pdb_warn(pdb, RS_MSF_DBI, (uint64_t)(fixed - pdb->dbi.bytes),
				    "the list of modules is damaged");
			return 0;
		}
		decoder_take(&modules, -(size_t)(modules.at - pdb->parts[PDB_MODULES].at) & 3); /* padding */
		if (RS_ARRAY_ADD(pdb->entries, pdb->entry_room, pdb->entry_count, pdb->reading->err,
				 (struct pdb_entry){
					 .name = name,
					 .stream = stream == NO_STREAM ? UINT32_MAX : stream,
					 .symbol_size = rs_le32(fixed + MODULE_SYMBOLS),
					 .c11_size = rs_le32(fixed + MODULE_C11),
					 .c13_size = rs_le32(fixed + MODULE_C13),
					 .unplaced = is_unplaced_module(fixed),
				 }) < 0)
			return -1;
	}
	return 0;
}

/* Read the contribution at ENTRY, cut at the end of its section.  False if it is not code, or damaged. */
static bool read_contribution(const struct pdb *pdb, const uint8_t *entry, struct pdb_contribution *ret)
{
	uint32_t length = rs_le32(entry + CONTRIBUTION_LENGTH), segment = rs_le16(entry + CONTRIBUTION_SECTION);
	uint32_t begin = rs_pdb_source_address(pdb, entry + CONTRIBUTION_SECTION, entry + CONTRIBUTION_OFFSET);
	*ret = (struct pdb_contribution){ rs_le16(entry + CONTRIBUTION_MODULE), begin, begin + length };
	if (begin == 0 || length == 0 || ret->module >= pdb->entry_count ||
	    !rs_section_is_code(rs_le32(entry + CONTRIBUTION_FLAGS)))
		return false;
	const struct pdb_section *section = &pdb->sections[segment - 1];
	if (length > section->begin + section->size - begin)
		ret->end = section->begin + section->size;
	return true;
}

/* Sort the contributions, drop those of unwanted modules, make those of each module disjoint, and store their indices
   in the module's entry. */
static void sort_module_contributions(struct pdb *pdb)
{
	struct pdb_contribution *all = pdb->contributions;
	uint32_t count = 0, kept = 0;
	for (uint32_t i = 0; i < pdb->contribution_count; i++)
		if (pdb->entries[all[i].module].wanted)
			all[count++] = all[i];
	rs_sort(all, count, sizeof *all, rs_compare_three_numbers);
	for (uint32_t i = 0; i < count; i++) {
		struct pdb_contribution contribution = all[i];
		struct pdb_entry *entry = &pdb->entries[contribution.module];
		if (entry->last == 0)
			entry->first = kept;
		else if (contribution.begin < all[kept - 1].end)
			contribution.begin = all[kept - 1].end;
		if (contribution.begin >= contribution.end)
			continue;
		all[kept++] = contribution;
		entry->last = kept;
	}
	pdb->contribution_count = kept;
}

/* Read the list of contributions.  A module is wanted if any code of its contributions is. */
static int read_contributions(struct pdb *pdb)
{
	struct decoder list = pdb->parts[PDB_CONTRIBUTIONS];
	uint32_t version = decoder_u32(&list);
	uint32_t size = version == CONTRIBUTIONS_2 ? CONTRIBUTION_SIZE_2 : CONTRIBUTION_SIZE;
	if (version != CONTRIBUTIONS_1 && version != CONTRIBUTIONS_2) {
		rs_pdb_warn(pdb, RS_MSF_DBI, (uint64_t)(pdb->parts[PDB_CONTRIBUTIONS].at - pdb->dbi.bytes),
			    "which code is of which module is not known: contributions of an unknown version");
		return 0;
	}
	while (decoder_left(&list) >= size) {
		struct pdb_contribution contribution;
		if (!read_contribution(pdb, decoder_take(&list, size), &contribution))
			continue;
		struct pdb_entry *entry = &pdb->entries[contribution.module];
		entry->unplaced = false;
		if (!entry->wanted)
			entry->wanted = pdb_is_wanted(pdb, contribution.begin, contribution.end);
		pdb->reading->di->counts.pdb_contributions++;
		if (RS_ARRAY_ADD(pdb->contributions, pdb->contribution_room, pdb->contribution_count, pdb->reading->err,
				 contribution) < 0)
			return -1;
	}
	sort_module_contributions(pdb);
	return 0;
}

int rs_pdb_read_dbi(struct pdb *pdb)
{
	pdb->public_stream = rs_le16(pdb->dbi.bytes + DBI_PUBLIC_STREAM);
	pdb->record_stream = rs_le16(pdb->dbi.bytes + DBI_RECORD_STREAM);
	if (read_sections_and_map(pdb) < 0)
		return -1;
	pdb->selective = pdb->reading->wanted && !pdb->moved;
	return read_module_list(pdb) < 0 || read_contributions(pdb) < 0 ? -1 : 0;
}
