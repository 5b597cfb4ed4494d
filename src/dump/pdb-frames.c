// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "dump/pdb-frames.h"
#include "core/bytes.h"
#include "lib/base/msf.h"

#include <string.h>

enum { WORD = 4 };

/* ------------------------------------------------------------------------------------------------ opening */

/* A rossym_read_function that reads the PDB file of CONTEXT, a struct dump_pdb.  Offsets from 4 GiB on fail, because
   the source takes offsets of 32 bits. */
static int read_pdb_file(void *context, uint64_t offset, void *bytes, size_t size, struct rossym_fault *fault)
{
	struct dump_pdb *pdb = context;
	(void)fault;
	if (offset > UINT32_MAX - size)
		return -1;
	return rs_dump_images_read_pdb(pdb->images, pdb->number, (uint32_t)offset, bytes, size) ? 0 : -1;
}

/* Find the streams with FPO data and FrameData, whose numbers are in DBI's last part, its optional debug header.
   False: there is neither, or they do not fit the image. */
static bool find_frame_streams(struct dump_pdb *pdb)
{
	enum { HEADER = 64, PARTS = 24, OPTIONAL = 48, FPO = 0, OMAP = 4, FRAMES = 9, SLOTS = 10, NO_STREAM = 0xffff };
	/* Offsets in DBI's header of the sizes of the parts before the optional debug header.  The sizes are next to
	   each other, but for the last one. */
	static const uint8_t parts[] = { PARTS, PARTS + 4, PARTS + 8, PARTS + 12, PARTS + 16, PARTS + 28 };
	uint8_t header[HEADER], slots[2 * SLOTS];
	uint64_t at = HEADER;
	if (!rs_msf_read(&pdb->msf, RS_MSF_DBI, 0, header, sizeof header) || rs_le32(header + OPTIONAL) < sizeof slots)
		return false;
	for (size_t i = 0; i < sizeof parts; i++)
		at += rs_le32(header + parts[i]);
	/* An OMAP stream means that the image's code was moved after linking: the RVAs in FrameData do not fit it. */
	if (!rs_msf_read(&pdb->msf, RS_MSF_DBI, at, slots, sizeof slots) || rs_le16(slots + 2 * OMAP) != NO_STREAM)
		return false;
	pdb->frames = rs_le16(slots + 2 * FRAMES);
	pdb->fpo = rs_le16(slots + 2 * FPO);
	return rs_msf_has_stream(&pdb->msf, pdb->frames) || rs_msf_has_stream(&pdb->msf, pdb->fpo);
}

/* Open candidate CHOICE of the source for the PDB file.  False: there is no such candidate, or it is not the file that
   the image names, or has neither FrameData nor FPO data. */
static bool open_pdb_candidate(struct dump_pdb *pdb, uint32_t choice)
{
	uint8_t guid[DUMP_GUID], file_guid[DUMP_GUID];
	struct rossym_reader file = { NULL, 0, read_pdb_file, pdb };
	if (!rs_dump_images_find_pdb(pdb->images, pdb->number, choice, guid, &file.size) ||
	    rs_msf_open(&pdb->msf, &file, NULL) < 0)
		return false;
	if (rs_msf_read(&pdb->msf, RS_MSF_INFO, RS_MSF_GUID_AT, file_guid, sizeof file_guid) &&
	    memcmp(file_guid, guid, sizeof file_guid) == 0 && find_frame_streams(pdb)) {
		pdb->names = rs_msf_find_names_stream(&pdb->msf);
		return true;
	}
	rs_msf_close(&pdb->msf);
	return false;
}

/* ------------------------------------------------------------------------------------------------ records */

/* Store in *INDEX the index of the last record of STREAM whose code begins at or below RVA.  Each record has SIZE
   bytes, and begins with the RVA of its code, by which records are sorted.  False: there is no such record, or it
   cannot be read. */
static bool find_last_record(const struct dump_pdb *pdb, uint32_t stream, uint32_t size, uint32_t rva, uint32_t *index)
{
	uint8_t begin[WORD];
	uint32_t low = 0, high = rs_msf_stream_size(&pdb->msf, stream) / size;
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		if (!rs_msf_read(&pdb->msf, stream, (uint64_t)middle * size, begin, sizeof begin))
			return false;
		if (rs_le32(begin) <= rva)
			low = middle + 1;
		else
			high = middle;
	}
	*index = low - 1;
	return low > 0;
}

/* Store in PROGRAM the text at OFFSET of the strings in "/names", which computes the caller's registers
   (rossym-unwind.h).  False: it cannot be read, or is too long. */
static bool read_program(const struct dump_pdb *pdb, uint32_t offset, char *program)
{
	enum { STRINGS = 12 };
	for (unsigned i = 0; i < ROSSYM_UNWIND_PROGRAM; i++) {
		if (!rs_msf_read(&pdb->msf, pdb->names, (uint64_t)STRINGS + offset + i, program + i, 1))
			return false;
		if (!program[i])
			return true;
	}
	return false;
}

/* Find the FrameData for RVA.  A function has a record for all its code, and then records for the ranges of its code
   where more has been pushed.  Of the records that contain RVA, the last describes the frame.  Go back over them, up
   to one with the flag START: the function begins where the earliest of them begins. */
static bool find_frame_data(const struct dump_pdb *pdb, uint32_t rva, struct rossym_unwind_frame_data *data)
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
	if (!find_last_record(pdb, pdb->frames, SIZE, rva, &index))
		return false;
	for (unsigned i = 0; i < STEPS_BACK_MAX && index != UINT32_MAX; i++, index--) {
		if (!rs_msf_read(&pdb->msf, pdb->frames, (uint64_t)index * SIZE, record, sizeof record))
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

/* Find the FPO data for RVA, and convert them to FrameData.  FPO data are older and have no programs, so their flags
   choose one of the three programs in this function.  Frames of interrupts are refused. */
static bool find_fpo_data(const struct dump_pdb *pdb, uint32_t rva, struct rossym_unwind_frame_data *data)
{
	static const char pushed[] = "$T0 .raSearch = $eip $T0 ^ = $esp $T0 4 + =",
			  with_ebp[] =
				  "$ebp $esp .cbCalleeParams + .cbSavedRegs + 8 - ^ = $T0 .raSearch = $eip $T0 ^ = "
				  "$esp $T0 4 + =",
			  standard[] = "$T0 $ebp = $eip $T0 4 + ^ = $ebp $T0 ^ = $esp $T0 8 + =";
	enum { SIZE = 16, LENGTH = 4, LOCALS = 8, PARAMS = 12, BITS = 15, OMITTED = 0, STANDARD = 3 };
	uint8_t record[SIZE];
	uint32_t index;
	if (!find_last_record(pdb, pdb->fpo, SIZE, rva, &index) ||
	    !rs_msf_read(&pdb->msf, pdb->fpo, (uint64_t)index * SIZE, record, sizeof record) ||
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

/* Returns the PDB file of module NUMBER; NULL: there is none with FrameData or FPO data.  The file is looked for only
   once. */
static struct dump_pdb *find_or_open_pdb(struct dump_images *images, uint32_t number)
{
	struct dump_pdb *pdb = rs_dump_images_get_pdb(images, number);
	if (!pdb)
		return NULL;
	for (uint32_t i = 0; !pdb->asked && !pdb->good && i < DUMP_PDB_CHOICES; i++)
		pdb->good = open_pdb_candidate(pdb, i);
	pdb->asked = true;
	return pdb->good ? pdb : NULL;
}

bool rs_dump_has_frame_data(struct dump_images *images, uint32_t number)
{
	return find_or_open_pdb(images, number);
}

bool rs_dump_find_frame_data(struct dump_images *images, uint32_t number, uint32_t rva,
			     struct rossym_unwind_frame_data *data)
{
	struct dump_pdb *pdb = find_or_open_pdb(images, number);
	return pdb && (find_frame_data(pdb, rva, data) || find_fpo_data(pdb, rva, data));
}
