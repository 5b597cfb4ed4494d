// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * type-records.c - reads records of the streams TPI or IPI by their numbers
 *
 * The records of such a stream have consecutive numbers, but do not contain them.  So another stream has a list with
 * the number and offset of one record in every 8 KiB or so.  The records from one of these up to the next are a chunk.
 * A chunk is read when a record in it is needed, and stays in memory.  If there is no such list, or a chunk does not
 * match it, the whole stream is read once to make a list.
 */
#include "config.h"
#include "debuginfo/pdb/pdb-module.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"

/* Offsets in the header of the stream; records follow it. */
enum {
	RECORDS_HEADER = 4,
	RECORDS_FIRST = 8,
	RECORDS_END = 12,
	RECORDS_SIZE = 16,
	RECORDS_HASH_STREAM = 20,
	RECORDS_LIST_AT = 40,
	RECORDS_LIST_SIZE = 44,
	HEADER_SIZE = 56
};

enum { LIST_ITEM = 8 }; /* u32 number, u32 offset after the header */

/* In a list that we make, a chunk ends after the record with which it reaches CHUNK_SIZE bytes.  In the list of a file,
   a chunk may have at most CHUNK_SIZE_MAX bytes, since reading one must not take long. */
enum { CHUNK_SIZE = 8192, CHUNK_SIZE_MAX = 1 << 18 };

static int add_chunk(struct pdb_records *records, uint32_t first, uint32_t at)
{
	return RS_ARRAY_ADD(records->chunks, records->chunk_room, records->chunk_count, records->pdb->reading->err,
			    (struct pdb_chunk){ .first = first, .at = at });
}

/* End the list at offset AT, where the records end, with a chunk that is not counted. */
static int end_chunks(struct pdb_records *records, uint32_t at)
{
	if (add_chunk(records, records->first + records->count, at) < 0)
		return -1;
	records->chunk_count--;
	return 0;
}

static void free_chunks(struct pdb_chunk *chunks, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		rs_free(chunks[i].bytes);
		rs_free(chunks[i].starts);
	}
	rs_free(chunks);
}

/* ---------------------------------------------------------------------------------------------- the list of chunks */

/* Make the list by reading the records, which are from BEGIN up to END of the stream. */
static int scan_records(struct pdb_records *records, uint32_t begin, uint32_t end)
{
	struct msf_stream stream;
	uint32_t most = records->count, at = begin;
	int ret = rs_pdb_stream(records->pdb, records->stream, &stream);
	end = end < stream.size ? end : stream.size;
	end = end > begin ? end : begin;
	records->scanned = true;
	for (records->count = 0; ret == 0 && records->count < most && end - at >= 2; records->count++) {
		uint32_t size = 2 + (uint32_t)rs_le16(stream.bytes + at);
		if (size > end - at)
			break;
		if (records->chunk_count == 0 || at - records->chunks[records->chunk_count - 1].at >= CHUNK_SIZE)
			ret = add_chunk(records, records->first + records->count, at);
		at += size;
	}
	rs_msf_release(&stream);
	return ret < 0 ? -1 : end_chunks(records, at);
}

/* Read the list of SIZE bytes at OFFSET of stream NUMBER.  BEGIN and END are where the records begin and end in their
   own stream.  Returns 1; 0 if the list is damaged; or -1. */
static int read_chunk_list(struct pdb_records *records, uint32_t number, uint32_t offset, uint32_t size, uint32_t begin,
			   uint32_t end)
{
	uint8_t item[LIST_ITEM];
	const struct msf *msf = &records->pdb->msf;
	if (size < LIST_ITEM || size % LIST_ITEM != 0)
		return 0;
	for (uint32_t i = 0; i < size; i += LIST_ITEM) {
		if (!rs_msf_read(msf, number, (uint64_t)offset + i, item, sizeof item))
			return 0;
		uint32_t first = rs_le32(item), at = rs_le32(item + 4);
		const struct pdb_chunk *last = records->chunk_count ? &records->chunks[records->chunk_count - 1] : NULL;
		if (at >= end - begin || first - records->first >= records->count ||
		    (!last && (first != records->first || at != 0)) ||
		    (last &&
		     (first <= last->first || begin + at <= last->at || begin + at - last->at > CHUNK_SIZE_MAX)))
			return 0;
		if (add_chunk(records, first, begin + at) < 0)
			return -1;
	}
	if (end - records->chunks[records->chunk_count - 1].at > CHUNK_SIZE_MAX)
		return 0;
	return end_chunks(records, end) < 0 ? -1 : 1;
}

/* Replace the list of the file, which is wrong, by one that is made from the records. */
static int rescan_records(struct pdb_records *records)
{
	uint32_t begin = records->chunks[0].at, end = records->chunks[records->chunk_count].at;
	records->old = records->chunks;
	records->old_count = records->chunk_count;
	records->chunks = NULL;
	records->chunk_count = records->chunk_room = 0;
	return scan_records(records, begin, end);
}

int rs_pdb_records_open(struct pdb_records *records, struct pdb *pdb, uint32_t stream)
{
	uint8_t header[HEADER_SIZE];
	uint32_t size = rs_msf_size(&pdb->msf, stream);
	*records = (struct pdb_records){ .pdb = pdb, .stream = stream };
	if (!rs_msf_read(&pdb->msf, stream, 0, header, sizeof header))
		return 0;
	uint32_t begin = rs_le32(header + RECORDS_HEADER), first = rs_le32(header + RECORDS_FIRST),
		 end = rs_le32(header + RECORDS_END);
	if (begin < HEADER_SIZE || begin > size || end <= first)
		return 0;
	uint32_t bytes = rs_le32(header + RECORDS_SIZE) < size - begin ? rs_le32(header + RECORDS_SIZE) : size - begin;
	records->first = first;
	records->count = end - first < bytes / 4 ? end - first : bytes / 4; /* the shortest record has 4 bytes */
	int ret = read_chunk_list(records, rs_le16(header + RECORDS_HASH_STREAM), rs_le32(header + RECORDS_LIST_AT),
				  rs_le32(header + RECORDS_LIST_SIZE), begin, begin + bytes);
	if (ret == 0) {
		records->chunk_count = 0;
		ret = scan_records(records, begin, begin + bytes);
	}
	return ret < 0 ? -1 : 0;
}

void rs_pdb_records_close(struct pdb_records *records)
{
	free_chunks(records->chunks, records->chunk_count);
	free_chunks(records->old, records->old_count);
}

/* ------------------------------------------------------------------------------------------------------- a record */

/* Find where each of the COUNT records of CHUNK begins.  False unless they take exactly the SIZE bytes of CHUNK. */
static bool find_record_starts(struct pdb_chunk *chunk, uint32_t count, uint32_t size)
{
	struct decoder c = { chunk->bytes, chunk->bytes + size, false };
	for (uint32_t i = 0; i < count; i++) {
		chunk->starts[i] = (uint32_t)(c.at - chunk->bytes);
		decoder_take(&c, decoder_u16(&c));
	}
	return !c.bad && decoder_left(&c) == 0;
}

/* Read CHUNK, unless it has been read.  Returns 1; 0 if its bytes are not as many records as the list of chunks says; or -1. */
static int read_chunk(struct pdb_records *records, struct pdb_chunk *chunk)
{
	uint32_t size = chunk[1].at - chunk->at, count = chunk[1].first - chunk->first;
	if (chunk->starts)
		return 1;
	if (count > size / 2)
		return 0;
	chunk->bytes = rs_alloc(size, 1);
	chunk->starts = rs_alloc(count, sizeof *chunk->starts);
	if (!chunk->bytes || !chunk->starts)
		return rs_fail_memory(records->pdb->reading->err);
	if (rs_msf_read(&records->pdb->msf, records->stream, chunk->at, chunk->bytes, size) &&
	    find_record_starts(chunk, count, size))
		return 1;
	rs_free(chunk->bytes);
	rs_free(chunk->starts);
	chunk->bytes = NULL;
	chunk->starts = NULL;
	return 0;
}

static struct pdb_chunk *find_chunk(const struct pdb_records *records, uint32_t number)
{
	uint32_t after = rs_array_first(records->chunks, records->chunk_count, sizeof *records->chunks,
					offsetof(struct pdb_chunk, first), (uint64_t)number + 1);
	return &records->chunks[after - 1];
}

int rs_pdb_record(struct pdb_records *records, uint32_t number, struct decoder *c)
{
	/* For a number below the first one, the difference wraps to a large number. */
	while (number - records->first < records->count) {
		struct pdb_chunk *chunk = find_chunk(records, number);
		int good = read_chunk(records, chunk);
		if (good > 0) {
			const uint8_t *at = chunk->bytes + chunk->starts[number - chunk->first];
			*c = (struct decoder){ at + 2, at + 2 + rs_le16(at), false };
			return decoder_u16(c);
		}
		if (good == 0 && records->scanned)
			records->count = 0; /* the file has changed since the list was made from it */
		else if (good < 0 || rescan_records(records) < 0)
			return -1;
	}
	return 0;
}
