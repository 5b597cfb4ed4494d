// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/base/msf.h"
#include "core/bytes.h"
#include "lib/base/alloc.h"
#include "lib/base/error.h"
#include "lib/base/source.h"

#include <string.h>

/* Offsets of the header's fields in the first block, and the size of the header. */
enum { MSF_BLOCK_SIZE = 32, MSF_BLOCK_COUNT = 40, MSF_DIRECTORY_SIZE = 44, MSF_LIST_BLOCK = 52, MSF_HEADER_SIZE = 56 };

enum { BLOCK_SIZE_MIN = 512, BLOCK_SIZE_MAX = 32768 };

enum { NO_STREAM = UINT32_MAX }; /* the size of a stream that was deleted */

static int fail_damaged(struct rossym_error *err, uint64_t offset, const char *what)
{
	return rs_fail(err, ROSSYM_EDAMAGED, offset, "%s", what);
}

/* Returns how many blocks SIZE bytes take. */
static uint32_t count_blocks(const struct msf *msf, uint32_t size)
{
	return (uint32_t)(((uint64_t)size + msf->block_size - 1) / msf->block_size);
}

/* Returns the file offset of BLOCK.  It has 64 bits, because a file can have more than 4 GiB. */
static uint64_t get_block_offset(const struct msf *msf, uint32_t block)
{
	return (uint64_t)block * msf->block_size;
}

/* Copy SIZE bytes at OFFSET of a stream to TO.  LIST has the numbers of the stream's blocks.  Returns SIZE; or, if a
   number is wrong or its block cannot be read, how many bytes were copied before that block. */
static uint32_t copy_range(const struct msf *msf, const uint8_t *list, uint32_t offset, uint8_t *to, uint32_t size)
{
	for (uint32_t done = 0, part; done < size; done += part) {
		uint32_t block = rs_le32(list + (size_t)((offset + (uint64_t)done) / msf->block_size) * 4);
		uint32_t within = (uint32_t)((offset + (uint64_t)done) % msf->block_size);
		part = size - done < msf->block_size - within ? size - done : msf->block_size - within;
		if (block == 0 || block >= msf->block_count ||
		    rs_reader_copy(&msf->file, get_block_offset(msf, block) + within, part, to + done, NULL) < 0)
			return done;
	}
	return size;
}

/* Copy to *RET a stream of SIZE bytes.  LIST has the numbers of its blocks.  Returns 0; or -1: no memory, or
   ROSSYM_EDAMAGED after storing in *WRONG the index of the block number that is wrong. */
static int copy_stream(const struct msf *msf, const uint8_t *list, uint32_t size, struct msf_stream *ret,
		       uint32_t *wrong, struct rossym_error *err)
{
	ret->bytes = rs_alloc(size, 1);
	if (!ret->bytes)
		return rs_fail_memory(err);
	const uint32_t done = copy_range(msf, list, 0, ret->bytes, size);
	*wrong = done / msf->block_size;
	if (done < size)
		return fail_damaged(err, 0, "a block of a stream is outside the file");
	ret->size = size;
	return 0;
}

/* Returns the 32-bit number at index AT of the directory. */
static uint32_t read_directory_number(const struct msf *msf, uint32_t at)
{
	return rs_le32(msf->directory.bytes + (size_t)at * 4);
}

/* Returns the file offset of the number that read_directory_number() returns for AT.  Messages print it. */
static uint64_t find_number_offset(const struct msf *msf, uint32_t at)
{
	uint64_t offset = (uint64_t)at * 4;
	uint32_t block = rs_le32(msf->list + offset / msf->block_size * 4);
	return get_block_offset(msf, block) + offset % msf->block_size;
}

/* Read the directory, which has BYTES bytes.  Block LIST_BLOCK and those after it list the numbers of its blocks. */
static int read_directory(struct msf *msf, uint32_t bytes, uint32_t list_block, struct rossym_error *err)
{
	uint64_t list = get_block_offset(msf, list_block);
	uint32_t wrong = 0;
	if (bytes < 4 || bytes > msf->file.size)
		return fail_damaged(err, MSF_DIRECTORY_SIZE, "the size of its directory is not valid");
	msf->list = rs_alloc(count_blocks(msf, bytes), 4);
	if (!msf->list)
		return rs_fail_memory(err);
	if (list == 0 || rs_reader_copy(&msf->file, list, (size_t)count_blocks(msf, bytes) * 4, msf->list, NULL) < 0)
		return fail_damaged(err, MSF_LIST_BLOCK, "its directory is outside the file");
	struct rossym_error why;
	if (copy_stream(msf, msf->list, bytes, &msf->directory, &wrong, &why) == 0)
		return 0;
	if (why.code == ROSSYM_ENOMEM)
		return rs_fail_memory(err);
	return fail_damaged(err, list + (uint64_t)wrong * 4, "its directory has a block outside the file");
}

/* Read the header of the file, and the directory, to which the header leads.  Returns 0 or -1. */
static int read_header(struct msf *msf, struct rossym_error *err)
{
	uint8_t header[MSF_HEADER_SIZE];
	if (rs_reader_copy(&msf->file, 0, sizeof header, header, NULL) < 0)
		return fail_damaged(err, 0, "the file is too short");
	if (memcmp(header, RS_MSF_MAGIC, RS_MSF_MAGIC_SIZE) != 0)
		return fail_damaged(err, 0, "it is no PDB 7.00 file");
	msf->block_size = rs_le32(header + MSF_BLOCK_SIZE);
	if (msf->block_size < BLOCK_SIZE_MIN || msf->block_size > BLOCK_SIZE_MAX ||
	    (msf->block_size & (msf->block_size - 1)))
		return fail_damaged(err, MSF_BLOCK_SIZE, "its block size is not valid");
	msf->block_count = rs_le32(header + MSF_BLOCK_COUNT);
	if (get_block_offset(msf, msf->block_count) > msf->file.size)
		return fail_damaged(err, MSF_BLOCK_COUNT, "the file is cut off: it has fewer blocks than it says");
	return read_directory(msf, rs_le32(header + MSF_DIRECTORY_SIZE), rs_le32(header + MSF_LIST_BLOCK), err);
}

/*
 * Store in msf->starts where the directory has the block numbers of each stream.  Returns 0 or -1.
 *
 * Fails if all streams together have more blocks than the file: blocks can be listed repeatedly, so without this rule a
 * small file could have streams of any size.
 */
static int find_streams(struct msf *msf, struct rossym_error *err)
{
	uint32_t count = read_directory_number(msf, 0), numbers = msf->directory.size / 4;
	uint64_t blocks = 0;
	if (count > numbers - 1)
		return fail_damaged(err, find_number_offset(msf, 0),
				    "its directory is too short for its number of streams");
	msf->starts = rs_alloc(count, sizeof *msf->starts);
	if (!msf->starts)
		return rs_fail_memory(err);
	msf->stream_count = count;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t size = read_directory_number(msf, 1 + i);
		msf->starts[i] = (uint32_t)(1 + count + blocks);
		blocks += size == NO_STREAM ? 0 : count_blocks(msf, size);
		if (blocks > numbers - 1 - count)
			return fail_damaged(err, find_number_offset(msf, 1 + i),
					    "its directory is too short for a stream of this size");
		if (blocks > msf->block_count)
			return fail_damaged(err, find_number_offset(msf, 1 + i),
					    "its streams have more blocks than the file");
	}
	return 0;
}

int rs_msf_open(struct msf *msf, const struct rossym_reader *file, struct rossym_error *err)
{
	*msf = (struct msf){ .file = *file };
	if (read_header(msf, err) == 0 && find_streams(msf, err) == 0)
		return 0;
	rs_msf_close(msf);
	return -1;
}

void rs_msf_close(struct msf *msf)
{
	rs_msf_stream_free(&msf->directory);
	rs_free(msf->list);
	rs_free(msf->starts);
	memset(msf, 0, sizeof *msf);
}

bool rs_msf_has_stream(const struct msf *msf, uint32_t number)
{
	return number < msf->stream_count && read_directory_number(msf, 1 + number) != NO_STREAM;
}

uint32_t rs_msf_stream_size(const struct msf *msf, uint32_t number)
{
	return rs_msf_has_stream(msf, number) ? read_directory_number(msf, 1 + number) : 0;
}

bool rs_msf_read(const struct msf *msf, uint32_t number, uint64_t offset, void *to, uint32_t size)
{
	if (!rs_in_range(offset, size, rs_msf_stream_size(msf, number)))
		return false;
	const uint8_t *list = msf->directory.bytes + (size_t)(size ? msf->starts[number] : 0) * 4;
	return copy_range(msf, list, (uint32_t)offset, to, size) == size;
}

/* Returns the 32-bit number at OFFSET of the info stream.  If the stream is too short, returns 0 and clears *GOOD. */
static uint32_t read_info_number(const struct msf *msf, uint64_t offset, bool *good)
{
	uint8_t bytes[4] = { 0 };
	*good &= rs_msf_read(msf, RS_MSF_INFO, offset, bytes, sizeof bytes);
	return rs_le32(bytes);
}

/* In the info stream, a text with all names of streams is followed by a hash table: the number of its pairs, its
   capacity, two bitmaps of slots, and the pairs.  A pair is the offset of a name in the text, and the number of the
   stream with this name.  This function searches all pairs in order, so it need not compute a hash. */
uint32_t rs_msf_find_names_stream(const struct msf *msf)
{
	enum { LIST_AT = RS_MSF_GUID_AT + 16, TEXT_AT = LIST_AT + 4, PAIRS_MAX = 65536 };
	char name[sizeof "/names"];
	bool good = true;
	const uint32_t length = read_info_number(msf, LIST_AT, &good);
	uint64_t at = TEXT_AT + (uint64_t)length;
	const uint32_t pairs = read_info_number(msf, at, &good);
	at += 8;
	for (int i = 0; i < 2; i++) /* two bitmaps: the slots that are used, and those whose pair was deleted */
		at += 4 + (uint64_t)4 * read_info_number(msf, at, &good);
	for (uint32_t i = 0; i < pairs && i < PAIRS_MAX; i++, at += 8) {
		const uint32_t offset = read_info_number(msf, at, &good), number = read_info_number(msf, at + 4, &good);
		if (!good)
			break;
		if (rs_in_range(offset, sizeof name, length) &&
		    rs_msf_read(msf, RS_MSF_INFO, TEXT_AT + (uint64_t)offset, name, sizeof name) &&
		    memcmp(name, "/names", sizeof name) == 0)
			return number;
	}
	return UINT32_MAX;
}

int rs_msf_copy_stream(const struct msf *msf, uint32_t number, struct msf_stream *ret, struct rossym_error *err)
{
	const uint32_t size = rs_msf_stream_size(msf, number), start = size ? msf->starts[number] : 0;
	uint32_t wrong;
	*ret = (struct msf_stream){ .size = 0 };
	if (copy_stream(msf, msf->directory.bytes + (size_t)start * 4, size, ret, &wrong, err) == 0)
		return 0;
	if (ret->bytes && err)
		err->offset = find_number_offset(msf, start + wrong);
	return -1;
}

void rs_msf_stream_free(struct msf_stream *stream)
{
	rs_free(stream->bytes);
	memset(stream, 0, sizeof *stream);
}
