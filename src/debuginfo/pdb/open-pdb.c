// SPDX-License-Identifier: GPL-2.0-or-later
/* open-pdb.c - opens a PDB file, and finds out if it belongs to the image */
#include "config.h"
#include "debuginfo/pdb/key.h"
#include "debuginfo/pdb/pdb-module.h"
#include "lib/base/alloc.h"
#include "lib/base/codeview.h"

#include <inttypes.h>
#include <stdio.h>

enum { STREAM_INFO = 1, GUID_SIZE = 16 };

/* ------------------------------------------------------------------------------------------------ info stream */

/* Returns the number of the stream called NAME; UINT32_MAX if there is none.  LIST has text, then a hash table with
   pairs of an offset in the text and a stream number. */
static uint32_t named_stream(struct decoder list, const char *name)
{
	uint32_t size = decoder_u32(&list);
	const char *text = (const char *)decoder_take(&list, size);
	uint32_t pairs = decoder_u32(&list);
	decoder_u32(&list);
	for (int i = 0; i < 2; i++) { /* two bitmaps of the hash table's slots: those in use, and deleted ones */
		uint32_t words = decoder_u32(&list);
		decoder_take(&list, (uint64_t)words * 4);
	}
	for (uint32_t i = 0; i < pairs && !list.bad; i++) {
		uint32_t offset = decoder_u32(&list), number = decoder_u32(&list);
		if (!list.bad && offset < size && rs_in_range(offset, strlen(name) + 1, size) &&
		    memcmp(text + offset, name, strlen(name) + 1) == 0)
			return number;
	}
	return UINT32_MAX;
}

/* Read the stream "/names", which has the paths of source files. */
static int read_names(struct pdb *pdb, uint32_t number)
{
	if (pdb_stream(pdb, number, &pdb->names) < 0)
		return -1;
	struct decoder names = { .at = pdb->names.bytes, .end = pdb->names.bytes + pdb->names.size };
	uint32_t signature = decoder_u32(&names);
	decoder_u32(&names);
	uint32_t size = decoder_u32(&names);
	const char *text = (const char *)decoder_take(&names, size);
	if (!text || signature != 0xeffeeffe) {
		if (pdb->names.size > 0)
			pdb_warn(pdb, number, 0, "the names of files are damaged");
		return 0;
	}
	while (size > 0 && text[size - 1] != '\0')
		size--;
	pdb->paths = text;
	pdb->paths_size = size;
	return 0;
}

/* Read stream 1: store the file's GUID, and the number of the stream "/names", UINT32_MAX if there is
   none.  Returns as pdb_open(). */
static int read_info(struct pdb *pdb, uint8_t guid[GUID_SIZE], uint32_t *names, struct refusal *refusal)
{
	struct msf_stream stream;
	if (pdb_stream(pdb, STREAM_INFO, &stream) < 0)
		return -1;
	*names = UINT32_MAX;
	struct decoder info = { .at = stream.bytes, .end = stream.bytes + stream.size };
	decoder_take(&info, 12); /* version, signature, age */
	const uint8_t *bytes = decoder_take(&info, GUID_SIZE);
	int good = bytes != NULL;
	if (good) {
		memcpy(guid, bytes, GUID_SIZE);
		*names = named_stream(info, "/names");
	}
	msf_release(&stream);
	return good ? 1 : reading_refuse(refusal, "damaged: stream 1 is too short for a GUID");
}

/* --------------------------------------------------------------------------------------------------- matching */

/* Write GUID to TEXT as symbol stores do.  In files, its first three numbers are little-endian. */
static const char *guid_text(const uint8_t *guid, char text[33])
{
	static const uint8_t order[16] = { 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15 };
	for (int i = 0; i < 16; i++)
		snprintf(text + (size_t)i * 2, 3, "%02X", guid[order[i]]);
	return text;
}

/*
 * Compare the PDB file's key, GUID and pdb->age, with the one that the image names.  Returns as pdb_open().
 *
 * The age to compare is that of the DBI stream.  The age in the info stream also grows when a tool adds something to
 * the file after the link.
 */
static int match_key(const struct pdb *pdb, const uint8_t guid[GUID_SIZE], struct refusal *refusal)
{
	struct reading *reading = pdb->reading;
	struct rossym_debug_reference image;
	char file_guid[33], image_guid[33];
	for (uint32_t i = 0;; i++) {
		uint32_t number = i;
		int found = rs_codeview_get(reading->pe, reading->source, false, &number, &image, reading->err);
		if (found < 0)
			return -1;
		if (found == 0)
			return reading_refuse(refusal,
					      "nothing shows that it belongs to the image, which names no PDB file");
		if (image.kind == ROSSYM_REFERENCE_PDB_2)
			return reading_refuse(refusal, "the image needs a PDB 2.00 file, which cannot be read");
		if (image.kind == ROSSYM_REFERENCE_PDB || image.kind == ROSSYM_REFERENCE_BUILD_ID)
			break;
	}
	if (memcmp(guid, image.guid, GUID_SIZE) != 0 || pdb->age != image.age)
		return reading_refuse(refusal, "GUID %s, age %" PRIu32 "; the image needs %s, age %" PRIu32,
				      guid_text(guid, file_guid), pdb->age, guid_text(image.guid, image_guid),
				      image.age);
	return 1;
}

int pdb_open(struct pdb *pdb, struct refusal *refusal)
{
	uint8_t guid[GUID_SIZE];
	struct msf_fault fault;
	uint32_t names;
	const char *kind = pdb_other_kind(pdb->file->bytes, pdb->file->size);
	if (kind)
		return reading_refuse(refusal, "%s", kind);
	switch (msf_open(&pdb->msf, pdb->file->bytes, pdb->file->size, &fault)) {
	case MSF_OK:
		break;
	case MSF_NO_MEMORY:
		return reading_memory(pdb->reading);
	default:
		return reading_refuse(refusal, "damaged at 0x%" PRIx64 ": %s", fault.offset, fault.what);
	}
	int ret = read_info(pdb, guid, &names, refusal);
	if (ret <= 0)
		return ret;
	if (pdb_stream(pdb, PDB_DBI, &pdb->dbi) < 0)
		return -1;
	if (pdb->dbi.size == 0)
		return reading_refuse(refusal, "no symbols of a program: it is a compiler's PDB file of types");
	if (!pdb_read_dbi_header(pdb))
		return reading_refuse(refusal, "damaged: the sizes in stream 3 are not valid");
	ret = match_key(pdb, guid, refusal);
	return ret <= 0 ? ret : read_names(pdb, names) < 0 ? -1 : 1;
}

void pdb_close(struct pdb *pdb)
{
	pdb_close_inlines(pdb);
	msf_release(&pdb->dbi);
	msf_release(&pdb->names);
	msf_release(&pdb->records);
	rs_free(pdb->entries);
	rs_free(pdb->sections);
	rs_free(pdb->contributions);
	rs_free(pdb->publics);
	rs_free(pdb->record);
	rs_free(pdb->moved);
	msf_close(&pdb->msf);
}
