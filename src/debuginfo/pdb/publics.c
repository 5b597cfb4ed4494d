// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * publics.c - public symbols: the names by which object files refer to code of other object files
 *
 * Their records are in a stream with symbols of all modules, which can be large.  Another stream has the "address
 * map": the offsets of these records, sorted by segment and offset of the symbols.  If only some code is wanted, a
 * search in the address map finds its publics, and no others are read.  If all code is wanted, or the address map is
 * damaged, all records are read.
 */
#include "config.h"
#include "debuginfo/pdb/pdb-module.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"
#include "lib/base/sort.h"

#include <stdlib.h>

/* Offsets in a record, which begins with the length of its other bytes (2 bytes) and its kind (2 bytes). */
enum {
	S_PUB32 = 0x110e,
	PUBLIC_FLAGS = 4,
	PUBLIC_OFFSET = 8,
	PUBLIC_SEGMENT = 12,
	PUBLIC_NAME = 14,
	PUBLIC_FUNCTION = 2
};

/* Offsets in the stream with the address map, which comes after a header and a hash table.  The hash table begins with
   -1 and a version, and has a record for each public. */
enum {
	MAP_HASH_SIZE = 0,
	MAP_SIZE = 4,
	MAP_HASH = 28,
	MAP_HASH_RECORDS = 28 + 8,
	MAP_HEADER_SIZE = 28 + 16,
	HASH_RECORD_SIZE = 8
};

enum { RECORD_LENGTH_MAX = 0xffff + 2 };

/* For qsort(): by address.  Of the publics at one address, the one whose name counts comes last (struct pdb_slice): the
   function with the first record or, if none is a function, the public with the first record. */
static int compare_publics(const void *a, const void *b)
{
	const struct pdb_public *x = a, *y = b;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->function != y->function)
		return x->function ? 1 : -1;
	return x->name > y->name ? -1 : x->name < y->name;
}

static void sort_publics(struct pdb *pdb)
{
	rs_sort(pdb->publics, pdb->public_count, sizeof *pdb->publics, compare_publics);
}

/* Returns segment and offset of the public in RECORD as one number, by which the address map is sorted. */
static uint64_t public_position(const uint8_t *record)
{
	return (uint64_t)rs_le16(record + PUBLIC_SEGMENT) << 32 | rs_le32(record + PUBLIC_OFFSET);
}

/* Add the public in RECORD, whose SIZE bytes are at OFFSET of the stream, if its name ends within the record and it is
   in code.  If code was moved, publics outside of code are added, too. */
static int add_public(struct pdb *pdb, const uint8_t *record, uint32_t size, uint32_t offset)
{
	if (size <= PUBLIC_NAME || !memchr(record + PUBLIC_NAME, '\0', size - PUBLIC_NAME))
		return 0;
	uint32_t address = rs_pdb_address(pdb, record + PUBLIC_SEGMENT, record + PUBLIC_OFFSET);
	if (address == 0 || (!pdb->moved && rs_reading_code_end(pdb->reading, address) == 0))
		return 0;
	return RS_ARRAY_ADD(pdb->publics, pdb->public_room, pdb->public_count, pdb->reading->err,
			    (struct pdb_public){
				    address,
				    offset + PUBLIC_NAME,
				    (uint16_t)(size - PUBLIC_NAME),
				    rs_le32(record + PUBLIC_FLAGS) & PUBLIC_FUNCTION,
			    });
}

/* ------------------------------------------------------------------------------------------------- all publics */

/* Add all publics by the address map, which has COUNT items.  Returns 1; 0 if the map is empty or damaged; or -1. */
static int add_mapped_publics(struct pdb *pdb, uint32_t count)
{
	uint64_t last = 0;
	for (uint32_t i = 0; i < count; i++) {
		uint8_t place[4];
		uint32_t at = rs_msf_read(&pdb->msf, pdb->public_stream, pdb->map_at + i * 4, place, sizeof place)
				      ? rs_le32(place)
				      : UINT32_MAX;
		if (!rs_in_range(at, PUBLIC_NAME, pdb->records.size))
			return 0;
		const uint8_t *record = pdb->records.bytes + at;
		if (rs_le16(record + 2) != S_PUB32 ||
		    !rs_in_range(at, 2 + (uint64_t)rs_le16(record), pdb->records.size) ||
		    public_position(record) < last)
			return 0;
		last = public_position(record);
		if (add_public(pdb, record, 2 + (uint32_t)rs_le16(record), at) < 0)
			return -1;
	}
	return count > 0;
}

/* Add the publics that a walk through all records finds. */
static int add_publics_of_records(struct pdb *pdb)
{
	struct decoder records = { .at = pdb->records.bytes, .end = pdb->records.bytes + pdb->records.size };
	while (decoder_left(&records) >= 4) {
		const uint8_t *record = records.at;
		uint32_t size = decoder_u16(&records);
		if (size < 2 || !decoder_take(&records, size)) {
			rs_pdb_warn(pdb, pdb->record_stream, (uint64_t)(records.at - pdb->records.bytes),
				    "a record of a symbol is damaged");
			break;
		}
		if (rs_le16(record + 2) == S_PUB32 &&
		    add_public(pdb, record, 2 + size, (uint32_t)(record - pdb->records.bytes)) < 0)
			return -1;
	}
	return 0;
}

/* Read all publics into memory, and sort them.  After that, the address map is not used any more. */
static int read_all_publics(struct pdb *pdb)
{
	const uint32_t mapped = pdb->map_count;
	pdb->map_count = pdb->public_count = 0;
	if (rs_pdb_copy_stream(pdb, pdb->record_stream, &pdb->records) < 0)
		return -1;
	int good = add_mapped_publics(pdb, mapped);
	if (good == 0) {
		pdb->public_count = 0;
		good = add_publics_of_records(pdb);
	}
	sort_publics(pdb);
	return good < 0 ? -1 : 0;
}

/* ------------------------------------------------------------------------------------------ by the address map */

/* Read the start of the record that item INDEX of the map points to, and store the record's offset in *RECORD_AT.
   Returns the position of the record's public; UINT64_MAX if the record is of another kind, or cannot be read. */
static uint64_t read_mapped_position(struct pdb *pdb, uint32_t index, uint32_t *record_at, uint8_t start[PUBLIC_NAME])
{
	uint8_t at[4];
	if (!rs_pdb_spend_work(pdb, 1) ||
	    !rs_msf_read(&pdb->msf, pdb->public_stream, pdb->map_at + index * 4, at, sizeof at))
		return UINT64_MAX;
	*record_at = rs_le32(at);
	if (!rs_msf_read(&pdb->msf, pdb->record_stream, *record_at, start, PUBLIC_NAME) ||
	    rs_le16(start + 2) != S_PUB32)
		return UINT64_MAX;
	return public_position(start);
}

/* Whether a sample of items from all parts of the map is sorted.  Checking all items would take as long as doing
   without the map. */
static bool sample_of_map_ascends(struct pdb *pdb)
{
	enum { SAMPLES = 16 };
	uint8_t start[PUBLIC_NAME];
	uint64_t last = 0;
	uint32_t at;
	for (uint64_t i = 0; i < SAMPLES; i++) {
		uint64_t position = read_mapped_position(pdb, (uint32_t)(i * (pdb->map_count - 1) / (SAMPLES - 1)), &at,
							 start);
		if (position == UINT64_MAX || position < last)
			return false;
		last = position;
	}
	return true;
}

/* Find the address map.  Without a sound one, pdb->map_count stays 0. */
static void find_address_map(struct pdb *pdb)
{
	uint8_t header[MAP_HEADER_SIZE];
	uint32_t size = rs_msf_stream_size(&pdb->msf, pdb->public_stream);
	if (!rs_msf_read(&pdb->msf, pdb->public_stream, 0, header, sizeof header))
		return;
	uint32_t hash = rs_le32(header + MAP_HASH_SIZE), map = rs_le32(header + MAP_SIZE);
	if (hash > size - MAP_HASH || map > size - MAP_HASH - hash || rs_le32(header + MAP_HASH) != UINT32_MAX ||
	    rs_le32(header + MAP_HASH_RECORDS) / HASH_RECORD_SIZE != map / 4)
		return;
	pdb->map_at = MAP_HASH + hash;
	pdb->map_count = map / 4;
	if (pdb->map_count > 0 && !sample_of_map_ascends(pdb))
		pdb->map_count = 0;
}

/* Returns the segment that contains ADDRESS; 0 if none does. */
static uint32_t find_segment(struct pdb *pdb, uint32_t address)
{
	for (uint32_t i = 0; i < pdb->section_count && rs_pdb_spend_work(pdb, 1); i++)
		if (address >= pdb->sections[i].begin && address - pdb->sections[i].begin < pdb->sections[i].size)
			return i + 1;
	return 0;
}

/* Find the index of the first public of the map at or after POSITION.  False if the map is damaged. */
static bool search_map(struct pdb *pdb, uint64_t position, uint32_t *ret)
{
	uint8_t start[PUBLIC_NAME];
	uint32_t low = 0, high = pdb->map_count, at;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		uint64_t found = read_mapped_position(pdb, middle, &at, start);
		if (found == UINT64_MAX)
			return false;
		if (found < position)
			low = middle + 1;
		else
			high = middle;
	}
	*ret = low;
	return true;
}

/* Read the publics from BEGIN up to END, which are in one section, by the map.  Returns 1; 0 if the map
   is damaged; or -1. */
static int read_mapped_publics(struct pdb *pdb, uint32_t begin, uint32_t end)
{
	uint32_t segment = find_segment(pdb, begin), i, at;
	pdb->public_count = 0;
	if (segment == 0)
		return 1;
	uint64_t first = (uint64_t)segment << 32 | (begin - pdb->sections[segment - 1].begin), last = first;
	if (!search_map(pdb, first, &i))
		return 0;
	for (; i < pdb->map_count; i++) {
		uint64_t position = read_mapped_position(pdb, i, &at, pdb->record);
		if (position == UINT64_MAX || position < last)
			return 0;
		if (position - first >= end - begin)
			break;
		uint32_t size = 2 + (uint32_t)rs_le16(pdb->record);
		if (!rs_msf_read(&pdb->msf, pdb->record_stream, at, pdb->record, size))
			return 0;
		if (add_public(pdb, pdb->record, size, at) < 0)
			return -1;
		last = position;
	}
	sort_publics(pdb);
	return 1;
}

/* ---------------------------------------------------------------------------- the functions of pdb-module.h */

int rs_pdb_open_publics(struct pdb *pdb)
{
	find_address_map(pdb);
	if (!pdb->selective || pdb->map_count == 0)
		return read_all_publics(pdb);
	pdb->record = rs_alloc(RECORD_LENGTH_MAX + 1, 1);
	return pdb->record ? 0 : rs_fail_memory(pdb->reading->err);
}

int rs_pdb_find_publics(struct pdb *pdb, uint32_t begin, uint32_t end, struct pdb_slice *ret)
{
	int good = pdb->map_count > 0 ? read_mapped_publics(pdb, begin, end) : 1;
	if (good == 0)
		good = read_all_publics(pdb);
	if (good < 0)
		return -1;
	const uint32_t from = rs_array_first(pdb->publics, pdb->public_count, sizeof *pdb->publics,
					     offsetof(struct pdb_public, address), begin);
	const uint32_t to = rs_array_first(pdb->publics, pdb->public_count, sizeof *pdb->publics,
					   offsetof(struct pdb_public, address), end);
	*ret = to > from ? (struct pdb_slice){ pdb->publics + from, to - from } : (struct pdb_slice){ NULL, 0 };
	return 0;
}

const char *rs_pdb_public_name(struct pdb *pdb, const struct pdb_public *public)
{
	if (pdb->map_count == 0)
		return (const char *)pdb->records.bytes + public->name;
	if (!rs_msf_read(&pdb->msf, pdb->record_stream, public->name, pdb->record, public->size))
		return "";
	pdb->record[public->size] = '\0';
	return (const char *)pdb->record;
}
