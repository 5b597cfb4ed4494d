// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * publics.c - finds public symbols: the names by which object files refer to code of other object files
 *
 * Their records are in a stream with symbols of all modules, which can be large.  Another stream has the "address
 * map": the offsets of these records, sorted by segment and offset of the symbols.  So the publics of some code can be
 * found and read without reading the others.  If the map is out of order, all records are read instead.  If all code is
 * wanted, the stream of records is copied to memory first, because reading the file for each search would take long.
 */
#include "config.h"
#include "debuginfo/pdb/pdb-module.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"
#include "lib/base/sort.h"
#include "compat/bisect.h"

/* Offsets in a record, which begins with the length of its other bytes (2 bytes) and its kind (2 bytes). */
enum {
	S_PUB32 = 0x110e,
	PUBLIC_FLAGS = 4,
	PUBLIC_OFFSET = 8,
	PUBLIC_SEGMENT = 12,
	PUBLIC_NAME = 14,
	PUBLIC_FUNCTION = 2
};

/* Offsets in the stream with the address map, which follows a header and a hash table.  The hash table begins with -1
   and a version, and has a record for each public. */
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

/* Add the public in RECORD, which has SIZE bytes and is at OFFSET of its stream, if its name ends within the record and
   it is in code.  If code was moved, adds publics outside code, too, because source addresses are then no RVAs. */
static int add_public(struct pdb *pdb, const uint8_t *record, uint32_t size, uint32_t offset)
{
	if (size <= PUBLIC_NAME || !memchr(record + PUBLIC_NAME, '\0', size - PUBLIC_NAME))
		return 0;
	uint32_t address = rs_pdb_source_address(pdb, record + PUBLIC_SEGMENT, record + PUBLIC_OFFSET);
	if (address == 0 || (!pdb->moved && rs_reading_find_code_end(pdb->reading, address) == 0))
		return 0;
	return RS_ARRAY_ADD(pdb->publics, pdb->public_room, pdb->public_count, pdb->reading->err,
			    (struct pdb_public){
				    address,
				    offset + PUBLIC_NAME,
				    (uint16_t)(size - PUBLIC_NAME),
				    rs_le32(record + PUBLIC_FLAGS) & PUBLIC_FUNCTION,
			    });
}

/* ------------------------------------------------------------------------------------------ by the address map */

/* Copy SIZE bytes at offset AT of the stream of records to TO.  False if the stream is shorter, or on a read error. */
static bool read_record_bytes(const struct pdb *pdb, uint32_t at, void *to, uint32_t size)
{
	if (!pdb->records.bytes)
		return rs_msf_read(&pdb->msf, pdb->record_stream, at, to, size);
	if (!rs_in_range(at, size, pdb->records.size))
		return false;
	memcpy(to, pdb->records.bytes + at, size);
	return true;
}

/* Returns the offset of the record to which item INDEX of the map points. */
static uint32_t record_offset_at(const struct pdb *pdb, uint32_t index)
{
	return rs_le32(pdb->map + (size_t)index * 4);
}

/* Read the start of the record to which item INDEX of the map points.  Returns the position by which the map is sorted:
   the public's segment in the upper 32 bits, its offset in the lower.  If the record is of another kind, or cannot be
   read, returns UINT64_MAX, and gives up the map: pdb->map_count becomes 0. */
static uint64_t read_mapped_position(struct pdb *pdb, uint32_t index, uint8_t start[PUBLIC_NAME])
{
	if (rs_pdb_spend_work(pdb, 1) && read_record_bytes(pdb, record_offset_at(pdb, index), start, PUBLIC_NAME) &&
	    rs_le16(start + 2) == S_PUB32)
		return (uint64_t)rs_le16(start + PUBLIC_SEGMENT) << 32 | rs_le32(start + PUBLIC_OFFSET);
	pdb->map_count = 0;
	return UINT64_MAX;
}

/* Give up the map if it is not sorted.  If the records are not in memory, checks only SAMPLES items from all parts of
   the map, because checking all would take as long as reading all records without the map. */
static void check_map_order(struct pdb *pdb)
{
	enum { SAMPLES = 16 };
	const uint32_t count = pdb->map_count, samples = pdb->records.bytes && count > SAMPLES ? count : SAMPLES;
	uint8_t start[PUBLIC_NAME];
	uint64_t last = 0;
	for (uint64_t i = 0; i < samples && pdb->map_count > 0; i++) {
		uint64_t position = read_mapped_position(pdb, (uint32_t)(i * (count - 1) / (samples - 1)), start);
		if (position < last)
			pdb->map_count = 0;
		last = position;
	}
}

/* Read the address map.  If it is damaged, pdb->map_count stays 0.  Returns 0; or -1 if memory runs out. */
static int read_address_map(struct pdb *pdb)
{
	uint8_t header[MAP_HEADER_SIZE];
	uint32_t size = rs_msf_stream_size(&pdb->msf, pdb->public_stream);
	if (!rs_msf_read(&pdb->msf, pdb->public_stream, 0, header, sizeof header))
		return 0;
	uint32_t hash = rs_le32(header + MAP_HASH_SIZE), map = rs_le32(header + MAP_SIZE);
	if (hash > size - MAP_HASH || map > size - MAP_HASH - hash || rs_le32(header + MAP_HASH) != UINT32_MAX ||
	    rs_le32(header + MAP_HASH_RECORDS) / HASH_RECORD_SIZE != map / 4)
		return 0;
	pdb->map = rs_alloc(map / 4, 4);
	if (!pdb->map)
		return rs_fail_memory(pdb->reading->err);
	if (rs_msf_read(&pdb->msf, pdb->public_stream, MAP_HASH + (uint64_t)hash, pdb->map, map / 4 * 4))
		pdb->map_count = map / 4;
	check_map_order(pdb);
	return 0;
}

/* Returns the segment that contains ADDRESS; 0 if none does. */
static uint32_t find_segment(struct pdb *pdb, uint32_t address)
{
	for (uint32_t i = 0; i < pdb->section_count && rs_pdb_spend_work(pdb, 1); i++)
		if (address >= pdb->sections[i].begin && address - pdb->sections[i].begin < pdb->sections[i].size)
			return i + 1;
	return 0;
}

/* Read the publics at source addresses from BEGIN up to END, in one section, by the map, and sort them.  Gives up the
   map if it is damaged. */
static int read_publics_within(struct pdb *pdb, uint32_t begin, uint32_t end)
{
	const uint32_t segment = find_segment(pdb, begin);
	size_t from;
	pdb->public_count = 0;
	if (segment == 0)
		return 0;
	uint64_t first = (uint64_t)segment << 32 | (begin - pdb->sections[segment - 1].begin), last = first;
	BISECT(from, pdb->map_count, read_mapped_position(pdb, (uint32_t)from, pdb->record) < first);
	for (uint32_t i = (uint32_t)from; i < pdb->map_count; i++) {
		uint64_t position = read_mapped_position(pdb, i, pdb->record);
		if (position >= last && position - first >= end - begin)
			break;
		uint32_t at = record_offset_at(pdb, i), size = 2 + (uint32_t)rs_le16(pdb->record);
		/* A long record costs work: in a hostile file, many items can point to it. */
		if (position < last || !rs_pdb_spend_work(pdb, size / 64) ||
		    !read_record_bytes(pdb, at, pdb->record, size))
			pdb->map_count = 0;
		else if (add_public(pdb, pdb->record, size, at) < 0)
			return -1;
		last = position;
	}
	rs_sort(pdb->publics, pdb->public_count, sizeof *pdb->publics, compare_publics);
	return 0;
}

/* ------------------------------------------------------------------------------------------------- all publics */

/* Read all publics into memory, and sort them.  Clears the address map, which is only for finding single publics. */
static int read_all_publics(struct pdb *pdb)
{
	const struct msf_stream *stream = &pdb->records;
	uint32_t kind;
	int ret = 0;
	pdb->map_count = pdb->public_count = 0;
	if (!stream->bytes && rs_pdb_copy_stream(pdb, pdb->record_stream, &pdb->records) < 0)
		return -1;
	struct decoder records = { .at = stream->bytes, .end = stream->bytes + stream->size }, content;
	while (ret == 0 && pdb_next_record(&records, &kind, &content)) {
		const uint8_t *record = content.at - 4;
		if (kind == S_PUB32)
			ret = add_public(pdb, record, (uint32_t)(content.end - record),
					 (uint32_t)(record - stream->bytes));
	}
	if (records.bad)
		rs_pdb_warn(pdb, pdb->record_stream, (uint64_t)(records.at - stream->bytes),
			    "a record of a symbol is damaged");
	rs_sort(pdb->publics, pdb->public_count, sizeof *pdb->publics, compare_publics);
	return ret;
}

/* ---------------------------------------------------------------------------- the functions of pdb-module.h */

int rs_pdb_open_publics(struct pdb *pdb)
{
	pdb->record = rs_alloc(RECORD_LENGTH_MAX + 1, 1);
	if (!pdb->record)
		return rs_fail_memory(pdb->reading->err);
	if (!pdb->selective && rs_pdb_copy_stream(pdb, pdb->record_stream, &pdb->records) < 0)
		return -1;
	if (read_address_map(pdb) < 0)
		return -1;
	return pdb->map_count > 0 ? 0 : read_all_publics(pdb);
}

int rs_pdb_find_publics(struct pdb *pdb, uint32_t begin, uint32_t end, struct pdb_slice *ret)
{
	if (pdb->map_count > 0 &&
	    (read_publics_within(pdb, begin, end) < 0 || (pdb->map_count == 0 && read_all_publics(pdb) < 0)))
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
	if (!read_record_bytes(pdb, public->name, pdb->record, public->size))
		return "";
	pdb->record[public->size] = '\0';
	return (const char *)pdb->record;
}
