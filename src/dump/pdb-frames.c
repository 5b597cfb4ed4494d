// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "dump/pdb-frames.h"
#include "core/bytes.h"
#include "lib/base/alloc.h"

#include <string.h>

enum { STREAM_INFO = 1, STREAM_DBI = 3, NO_STREAM = 0xffff, WORD = 4 };

struct pdb_stream {
	uint32_t size;
	uint32_t first; /* index of the word of the directory that is the stream's first block */
};

struct dump_pdb {
	struct dump_images *images;
	uint32_t number;	   /* of the module */
	bool asked, good;	   /* the source was asked for the file; it has the right one */
	uint32_t block_size, list; /* list: offset of the numbers of the directory's blocks */
	uint32_t directory;	   /* how many words the directory has */
	struct pdb_stream frames, fpo, names;
};

bool rs_dump_pdbs_open(struct dump_pdbs *pdbs, struct dump_images *images)
{
	*pdbs = (struct dump_pdbs){ .images = images };
	if (!images->states)
		return true;
	pdbs->pdbs = rs_alloc((size_t)images->dump->module_count + 1, sizeof *pdbs->pdbs);
	return pdbs->pdbs;
}

void rs_dump_pdbs_close(struct dump_pdbs *pdbs)
{
	rs_free(pdbs->pdbs);
	pdbs->pdbs = NULL;
}

/* ------------------------------------------------------------------------------------------------ streams */

static bool read_file(struct dump_pdb *pdb, uint64_t offset, void *bytes, size_t size)
{
	return offset <= UINT32_MAX - size &&
	       rs_dump_images_read_pdb(pdb->images, pdb->number, (uint32_t)offset, bytes, size);
}

static bool read_word(struct dump_pdb *pdb, uint64_t offset, uint32_t *word)
{
	uint8_t bytes[WORD];
	if (!read_file(pdb, offset, bytes, sizeof bytes))
		return false;
	*word = rs_le32(bytes);
	return true;
}

/* Read word number INDEX of the directory. */
static bool read_directory(struct dump_pdb *pdb, uint32_t index, uint32_t *word)
{
	const uint64_t offset = (uint64_t)index * WORD;
	uint32_t block;
	return index < pdb->directory && read_word(pdb, pdb->list + offset / pdb->block_size * WORD, &block) &&
	       read_word(pdb, (uint64_t)block * pdb->block_size + offset % pdb->block_size, word);
}

/* Read the header of the MSF container.  False: it is no PDB 7.00 file, or its block size is invalid. */
static bool open_container(struct dump_pdb *pdb)
{
	static const char magic[32] = "Microsoft C/C++ MSF 7.00\r\n\x1a"
				      "DS\0\0";
	enum { HEADER = 56, BLOCK_SIZE = 32, DIRECTORY = 44, LIST = 52, BLOCK_SIZE_MIN = 512, BLOCK_SIZE_MAX = 32768 };
	uint8_t header[HEADER];
	if (!read_file(pdb, 0, header, sizeof header) || memcmp(header, magic, sizeof magic) != 0)
		return false;
	pdb->block_size = rs_le32(header + BLOCK_SIZE);
	if (pdb->block_size < BLOCK_SIZE_MIN || pdb->block_size > BLOCK_SIZE_MAX ||
	    pdb->block_size & (pdb->block_size - 1))
		return false;
	const uint64_t list = (uint64_t)rs_le32(header + LIST) * pdb->block_size;
	pdb->list = (uint32_t)list;
	pdb->directory = rs_le32(header + DIRECTORY) / WORD;
	return list <= UINT32_MAX / 2;
}

/* Find stream NUMBER.  The directory has the number of streams, the size of each, and then the blocks of each, so the
   blocks of all streams before NUMBER must be counted.  False: there is no such stream, and STREAM is unchanged. */
static bool find_stream(struct dump_pdb *pdb, uint32_t number, struct pdb_stream *stream)
{
	uint32_t count, size = 0;
	if (number >= NO_STREAM || !read_directory(pdb, 0, &count) || number >= count || count >= pdb->directory)
		return false;
	uint64_t first = 0, next = (uint64_t)1 + count;
	for (uint32_t i = 0; i <= number && next <= pdb->directory; i++) {
		if (!read_directory(pdb, 1 + i, &size))
			return false;
		if (size == UINT32_MAX) /* it was deleted */
			size = 0;
		first = next;
		next += ((uint64_t)size + pdb->block_size - 1) / pdb->block_size;
	}
	if (next > pdb->directory)
		return false;
	*stream = (struct pdb_stream){ size, (uint32_t)first };
	return true;
}

/* Read SIZE bytes at OFFSET of STREAM.  False: it has fewer, or they cannot be read. */
static bool read_stream(struct dump_pdb *pdb, const struct pdb_stream *stream, uint64_t offset, void *bytes,
			size_t size)
{
	char *to = bytes;
	if (offset > stream->size || size > stream->size - offset)
		return false;
	while (size > 0) {
		uint32_t block;
		const uint32_t within = (uint32_t)(offset % pdb->block_size), room = pdb->block_size - within;
		const size_t n = size < room ? size : room;
		if (!read_directory(pdb, stream->first + (uint32_t)(offset / pdb->block_size), &block) ||
		    !read_file(pdb, (uint64_t)block * pdb->block_size + within, to, n))
			return false;
		to += n;
		offset += n;
		size -= n;
	}
	return true;
}

static uint32_t stream_word(struct dump_pdb *pdb, const struct pdb_stream *stream, uint64_t offset, bool *good)
{
	uint8_t bytes[WORD] = { 0 };
	*good &= read_stream(pdb, stream, offset, bytes, sizeof bytes);
	return rs_le32(bytes);
}

/* ------------------------------------------------------------------------------------------------ opening */

/* Returns the number of the stream "/names"; NO_STREAM: there is none.  INFO has names, and after them a hash table:
   the number of its entries, its capacity, two bitmaps of slots, and then the entries, each with the offset of a name
   and a stream's number.  All entries are compared, so the hash is not needed. */
static uint32_t find_names(struct dump_pdb *pdb, const struct pdb_stream *info)
{
	enum { NAMES = 28, NAMES_MAX = 4096, LENGTH = sizeof "/names" };
	bool good = true;
	char name[LENGTH];
	uint64_t at = NAMES + WORD + (uint64_t)stream_word(pdb, info, NAMES, &good);
	const uint32_t entries = stream_word(pdb, info, at, &good);
	at += (uint64_t)2 * WORD;
	for (int i = 0; i < 2; i++) /* bitmaps: which slots are used, and from which entries were deleted */
		at += WORD + (uint64_t)WORD * stream_word(pdb, info, at, &good);
	for (uint32_t i = 0; good && i < entries && i < NAMES_MAX; i++, at += (uint64_t)2 * WORD) {
		const uint32_t key = stream_word(pdb, info, at, &good);
		if (read_stream(pdb, info, NAMES + WORD + (uint64_t)key, name, LENGTH) &&
		    memcmp(name, "/names", LENGTH) == 0)
			return stream_word(pdb, info, at + WORD, &good);
	}
	return NO_STREAM;
}

/* Find the streams with FPO data and FrameData, whose numbers are in DBI's last part, its optional debug header.
   False: there is neither. */
static bool find_frames(struct dump_pdb *pdb)
{
	enum { HEADER = 64, PARTS = 24, OPTIONAL = 48, FPO = 0, OMAP = 4, FRAMES = 9, SLOTS = 10 };
	/* Offsets in DBI's header of the sizes of the parts before that one; between the last two
	   offsets are other fields. */
	static const uint8_t parts[] = { PARTS, PARTS + 4, PARTS + 8, PARTS + 12, PARTS + 16, PARTS + 28 };
	struct pdb_stream dbi;
	uint8_t header[HEADER], slots[2 * SLOTS];
	uint64_t at = HEADER;
	if (!find_stream(pdb, STREAM_DBI, &dbi) || !read_stream(pdb, &dbi, 0, header, sizeof header) ||
	    rs_le32(header + OPTIONAL) < sizeof slots)
		return false;
	for (size_t i = 0; i < sizeof parts; i++)
		at += rs_le32(header + parts[i]);
	/* With an OMAP stream, the RVAs are those before the image's code was moved, so FrameData do
	   not fit the image. */
	if (!read_stream(pdb, &dbi, at, slots, sizeof slots) || rs_le16(slots + 2 * OMAP) != NO_STREAM)
		return false;
	const bool frames = find_stream(pdb, rs_le16(slots + 2 * FRAMES), &pdb->frames);
	return find_stream(pdb, rs_le16(slots + 2 * FPO), &pdb->fpo) || frames;
}

/* Whether the file that was opened is the PDB file with this GUID, and has FrameData or FPO data. */
static bool open_pdb(struct dump_pdb *pdb, const uint8_t *guid)
{
	enum { AT_GUID = 12 };
	uint8_t file_guid[DUMP_GUID];
	struct pdb_stream info;
	memset(&pdb->frames, 0, sizeof pdb->frames);
	memset(&pdb->fpo, 0, sizeof pdb->fpo);
	memset(&pdb->names, 0, sizeof pdb->names);
	if (!open_container(pdb) || !find_stream(pdb, STREAM_INFO, &info) ||
	    !read_stream(pdb, &info, AT_GUID, file_guid, sizeof file_guid) ||
	    memcmp(file_guid, guid, sizeof file_guid) != 0 || !find_frames(pdb))
		return false;
	find_stream(pdb, find_names(pdb, &info), &pdb->names);
	return true;
}

/* ------------------------------------------------------------------------------------------------ records */

/* Find the *INDEX of the last record of STREAM whose code begins at or below RVA.  Records have SIZE bytes, begin with
   that RVA, and are sorted by it.  False: there is none, or it cannot be read. */
static bool find_last(struct dump_pdb *pdb, const struct pdb_stream *stream, uint32_t size, uint32_t rva,
		      uint32_t *index)
{
	bool good = true;
	uint32_t low = 0, high = stream->size / size;
	while (low < high && good) {
		const uint32_t middle = low + (high - low) / 2;
		if (stream_word(pdb, stream, (uint64_t)middle * size, &good) <= rva)
			low = middle + 1;
		else
			high = middle;
	}
	*index = low - 1;
	return good && low > 0;
}

/* Read the program at OFFSET of the strings.  False: it cannot be read, or is too long. */
static bool read_program(struct dump_pdb *pdb, uint32_t offset, char *program)
{
	enum { STRINGS = 12 };
	for (unsigned i = 0; i < UNWIND_PROGRAM; i++) {
		if (!read_stream(pdb, &pdb->names, (uint64_t)STRINGS + offset + i, program + i, 1))
			return false;
		if (!program[i])
			return true;
	}
	return false;
}

/* Find the FrameData for RVA.  A function has a record, and then more of them for the ranges of its code where more has
   been pushed.  The last record that contains RVA tells about the frame; going back from there, the first one with the
   flag START, or else the earliest that contains RVA, tells where the function begins. */
static bool find_frame_data(struct dump_pdb *pdb, uint32_t rva, struct unwind_frame_data *data)
{
	enum {
		SIZE = 32,
		STEPS_BACK_MAX = 64,
		LENGTH = 4,
		LOCALS = 8,
		PARAMS = 12,
		PROGRAM = 20,
		SAVED = 26,
		FLAGS = 28,
		START = 4
	};
	uint8_t record[SIZE];
	uint32_t index;
	bool found = false;
	if (!find_last(pdb, &pdb->frames, SIZE, rva, &index))
		return false;
	for (unsigned i = 0; i < STEPS_BACK_MAX && index != UINT32_MAX; i++, index--) {
		if (!read_stream(pdb, &pdb->frames, (uint64_t)index * SIZE, record, sizeof record))
			return false;
		if (rva - rs_le32(record) >= rs_le32(record + LENGTH))
			continue;
		data->function = rs_le32(record);
		if (!found) {
			data->locals = rs_le32(record + LOCALS);
			data->params = rs_le32(record + PARAMS);
			data->saved = rs_le16(record + SAVED);
			if (!read_program(pdb, rs_le32(record + PROGRAM), data->program))
				return false;
		}
		found = true;
		if (rs_le32(record + FLAGS) & START)
			break;
	}
	return found;
}

/* Find the FPO data for RVA, an older form without programs, and choose the program for it.
   Interrupt frames are refused. */
static bool find_fpo(struct dump_pdb *pdb, uint32_t rva, struct unwind_frame_data *data)
{
	static const char pushed[] = "$T0 .raSearch = $eip $T0 ^ = $esp $T0 4 + =",
			  with_ebp[] =
				  "$ebp $esp .cbCalleeParams + .cbSavedRegs + 8 - ^ = $T0 .raSearch = $eip $T0 ^ = "
				  "$esp $T0 4 + =",
			  standard[] = "$T0 $ebp = $eip $T0 4 + ^ = $ebp $T0 ^ = $esp $T0 8 + =";
	enum { SIZE = 16, LENGTH = 4, LOCALS = 8, PARAMS = 12, BITS = 15, OMITTED = 0, STANDARD = 3 };
	uint8_t record[SIZE];
	uint32_t index;
	if (!find_last(pdb, &pdb->fpo, SIZE, rva, &index) ||
	    !read_stream(pdb, &pdb->fpo, (uint64_t)index * SIZE, record, sizeof record) ||
	    rva - rs_le32(record) >= rs_le32(record + LENGTH))
		return false;
	const unsigned kind = record[BITS] >> 6, saved = record[BITS] & 7;
	const bool uses_ebp = record[BITS] >> 4 & 1;
	if (kind != OMITTED && kind != STANDARD)
		return false;
	data->function = rs_le32(record);
	data->locals = rs_le32(record + LOCALS) * WORD;
	data->params = (uint32_t)rs_le16(record + PARAMS) * WORD;
	data->saved = saved * WORD;
	strcpy(data->program, kind == STANDARD ? standard : uses_ebp ? with_ebp : pushed);
	return true;
}

/* Returns the PDB file of module NUMBER, which is looked for once; NULL: there is none with frame data. */
static struct dump_pdb *find_pdb(struct dump_pdbs *pdbs, uint32_t number)
{
	uint8_t guid[DUMP_GUID];
	if (!pdbs->pdbs || number >= pdbs->images->dump->module_count)
		return NULL;
	struct dump_pdb *pdb = &pdbs->pdbs[number];
	pdb->images = pdbs->images;
	pdb->number = number;
	for (uint32_t i = 0; !pdb->asked && !pdb->good && i < DUMP_PDB_CHOICES; i++)
		pdb->good = rs_dump_images_find_pdb(pdbs->images, number, i, guid) && open_pdb(pdb, guid);
	pdb->asked = true;
	return pdb->good ? pdb : NULL;
}

bool rs_dump_pdbs_have(struct dump_pdbs *pdbs, uint32_t number)
{
	return find_pdb(pdbs, number);
}

void rs_dump_pdbs_forget(struct dump_pdbs *pdbs, uint32_t number)
{
	if (pdbs->pdbs)
		pdbs->pdbs[number].asked = pdbs->pdbs[number].good = false;
}

bool rs_dump_pdbs_find(struct dump_pdbs *pdbs, uint32_t number, uint32_t rva, struct unwind_frame_data *data)
{
	struct dump_pdb *pdb = find_pdb(pdbs, number);
	return pdb && (find_frame_data(pdb, rva, data) || find_fpo(pdb, rva, data));
}
