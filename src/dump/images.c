// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "dump/images.h"
#include "core/bytes.h"
#include "lib/base/alloc.h"

#include <string.h>

enum { PAGES = 128 }; /* slots of the cache */

#define IMAGE_SIZE_MAX (UINT32_MAX - 2 * DUMP_PAGE) /* the most bytes of an image that can be read */

/* The PDB file of a module. */
struct dump_pdb {
	struct dump_images *images;
	uint32_t number;	     /* of the module */
	bool asked;		     /* find_pdb() of the source was called for the file */
	bool good;		     /* the source has the file that the image names, and the file has frame data */
	struct msf msf;		     /* all zeros: the file is not open */
	uint32_t frames, fpo, names; /* numbers of streams, which may not exist */
};

struct dump_image_state {
	bool asked, found;
	uint64_t base; /* image base that the image was linked for */
	struct dump_pdb pdb;
};

struct dump_image_page {
	bool used, good; /* "used": the source was called for this page; "good": it has read the page */
	uint32_t number, rva;
	uint8_t bytes[DUMP_PAGE];
};

bool rs_dump_images_open(struct dump_images *images, const struct dump_contents *dump,
			 const struct dump_image_source *source)
{
	*images = (struct dump_images){ .source = source, .dump = dump };
	if (!source || !source->find)
		return true;
	images->states = rs_alloc((size_t)dump->module_count + 1, sizeof *images->states);
	images->pages = rs_alloc(PAGES, sizeof *images->pages);
	return images->states && images->pages;
}

void rs_dump_images_close(struct dump_images *images)
{
	for (uint32_t i = 0; images->states && i < images->dump->module_count; i++)
		rs_msf_close(&images->states[i].pdb.msf);
	rs_free(images->states);
	rs_free(images->pages);
	images->states = NULL;
	images->pages = NULL;
}

/* Count a call of a function of the source as COST calls.  False, and nothing is counted: the call must not be made. */
static bool count_source_call_if_allowed(struct dump_images *images, uint32_t cost)
{
	const bool may = cost <= DUMP_QUESTIONS - images->questions;
	images->questions += may ? cost : 0;
	return may;
}

bool rs_dump_images_has_image(struct dump_images *images, uint32_t number, uint64_t *base)
{
	const struct dump_image_source *source = images->source;
	if (!images->states || number >= images->dump->module_count)
		return false;
	struct dump_image_state *state = &images->states[number];
	if (!state->asked)
		state->found = count_source_call_if_allowed(images, DUMP_FIND_COST) &&
			       rs_dump_read_module(images->dump, number, true, &images->module) &&
			       source->find(source->context, number, &images->module, &state->base);
	state->asked = true;
	if (base)
		*base = state->base;
	return state->found;
}

void rs_dump_images_forget_pdb(struct dump_images *images, uint32_t number)
{
	struct dump_pdb *pdb = &images->states[number].pdb;
	rs_msf_close(&pdb->msf);
	pdb->asked = pdb->good = false;
}

void rs_dump_images_forget(struct dump_images *images, uint32_t number)
{
	rs_dump_images_forget_pdb(images, number);
	images->states[number].asked = false;
	for (size_t i = 0; i < PAGES; i++)
		images->pages[i].used &= images->pages[i].number != number;
}

bool rs_dump_images_find_section(struct dump_images *images, uint32_t number, const char *name, uint32_t *rva,
				 uint32_t *size)
{
	return rs_dump_images_has_image(images, number, NULL) && count_source_call_if_allowed(images, 1) &&
	       images->source->section(images->source->context, number, name, rva, size);
}

/* Returns the bytes of the page of image (or PDB file) NUMBER that begins at RVA; NULL: it cannot be read. */
static const uint8_t *find_or_read_page(struct dump_images *images, uint32_t number, uint32_t rva)
{
	struct dump_image_page *page = &images->pages[(rva / DUMP_PAGE + number * 31) % PAGES];
	if (!page->used || page->number != number || page->rva != rva) {
		page->used = true;
		page->number = number;
		page->rva = rva;
		page->good = count_source_call_if_allowed(images, 1) &&
			     images->source->read(images->source->context, number, rva, page->bytes, DUMP_PAGE);
	}
	return page->good ? page->bytes : NULL;
}

/* Read SIZE bytes at RVA of image (or PDB file) NUMBER, page by page, through the cache.  False: some of
   them cannot be read. */
static bool read_cached_pages(struct dump_images *images, uint32_t number, uint32_t rva, void *bytes, size_t size)
{
	char *to = bytes;
	if (rva > IMAGE_SIZE_MAX || size > IMAGE_SIZE_MAX - rva)
		return false;
	while (size > 0) {
		const uint32_t within = rva % DUMP_PAGE;
		const size_t n = size < DUMP_PAGE - within ? size : DUMP_PAGE - within;
		const uint8_t *page = find_or_read_page(images, number, rva - within);
		if (!page)
			return false;
		memcpy(to, page + within, n);
		to += n;
		rva += (uint32_t)n;
		size -= n;
	}
	return true;
}

bool rs_dump_images_read(struct dump_images *images, uint32_t number, uint32_t rva, void *bytes, size_t size)
{
	return rs_dump_images_has_image(images, number, NULL) && read_cached_pages(images, number, rva, bytes, size);
}

/* ------------------------------------------------------------------------------------------------ PDB files */

/*
 * FrameData and the older FPO data tell how to find the caller of i386 code.  A PDB file is a container of streams
 * (MSF).  Five are read, a few bytes at a time: stream 1, which has the GUID and the names of streams; DBI (3), which
 * has the numbers of the next two; FrameData; FPO data; and strings ("/names").
 *
 * The subsections DEBUG_S_FRAMEDATA, into which compilers write FrameData, are not read: Microsoft's linkers (of 2010
 * to 2022) and lld move all of it into the FrameData stream.
 */

enum { WORD = 4 };

/* A rossym_read_function that reads the PDB file of CONTEXT, a struct dump_pdb.  Offsets from 4 GiB on fail, because
   the source takes offsets of 32 bits. */
static int read_pdb_file(void *context, uint64_t offset, void *bytes, size_t size, struct rossym_fault *fault)
{
	const struct dump_pdb *pdb = context;
	const uint32_t number = pdb->number + DUMP_IMAGES;
	(void)fault;
	return offset <= UINT32_MAX - size && read_cached_pages(pdb->images, number, (uint32_t)offset, bytes, size)
		       ? 0
		       : -1;
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
	struct dump_images *images = pdb->images;
	const struct dump_image_source *source = images->source;
	/* Call find() of the source first: find_pdb() may come only after it, and can succeed even if find() fails. */
	rs_dump_images_has_image(images, pdb->number, NULL);
	if (pdb->number >= DUMP_IMAGES || !source->find_pdb || !count_source_call_if_allowed(images, DUMP_FIND_COST) ||
	    !source->find_pdb(source->context, pdb->number, choice, guid, &file.size))
		return false;
	for (unsigned i = 0; i < PAGES; i++)
		images->pages[i].used &= images->pages[i].number != pdb->number + DUMP_IMAGES;
	if (rs_msf_open(&pdb->msf, &file, NULL) < 0)
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

/* Store in PROGRAM the string at OFFSET of those in the stream "/names": a program, in text form, that computes the
   caller's registers (rossym-unwind.h).  False: it cannot be read, or is too long. */
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
	if (!images->states || number >= images->dump->module_count)
		return NULL;
	struct dump_pdb *pdb = &images->states[number].pdb;
	pdb->images = images;
	pdb->number = number;
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
