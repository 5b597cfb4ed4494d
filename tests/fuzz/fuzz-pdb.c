// SPDX-License-Identifier: GPL-2.0-or-later
/* An image and its PDB file, in the form of pdb.h. */
#include "config.h"
#include "fuzz.h"
#include "parts.h"
#include "pdb.h"
#include "table.h"
#include "debuginfo/pdb/key.h"
#include "debuginfo/read-rows.h"
#include "tests/lib/samplepdb.h"

/* Without this the reader would see few inputs: it only uses a file whose GUID and age are those that the
   image names. */
static void make_fit(struct made *image, const struct made *info, const struct made *dbi)
{
	for (size_t at = 0; at + 24 <= image->size; at++) {
		if (memcmp(image->bytes + at, "RSDS", 4) != 0)
			continue;
		if (info->size >= 28)
			memcpy(image->bytes + at + 4, info->bytes + 12, 16);
		if (dbi->size >= 12)
			memcpy(image->bytes + at + 20, dbi->bytes + 8, 4);
		return;
	}
}

static void copy_part(struct made *made, const struct part *part)
{
	if (part->bytes)
		*made = (struct made){ exact_copy(part->bytes, part->size), part->size };
}

/* The file as it is, or the streams in a container. */
static void make_file(const struct part *parts, uint8_t flags, struct made *image, struct made *pdb)
{
	struct made streams[PDB_STREAMS];
	memset(streams, 0, sizeof streams);
	for (int i = 0; i < PDB_STREAMS; i++)
		copy_part(&streams[i], &parts[i]);
	if (parts[PDB_RAW].bytes)
		copy_part(pdb, &parts[PDB_RAW]);
	else
		*pdb = pdbwriter_file_of(streams, PDB_STREAMS, (flags & PDB_LARGE) ? 4096 : 512, false);
	if (!(flags & PDB_AS_IT_IS))
		make_fit(image, &streams[1], &streams[3]);
	for (int i = 0; i < PDB_STREAMS; i++)
		free(streams[i].bytes);
}

static void try_pair(const struct made *image, const struct made *pdb, uint8_t flags)
{
	static const uint32_t wanted[] = { 0x1008, 0x1074 };
	const struct debuginfo_file file = { .path = "x.pdb", .source = rs_source_from_memory(pdb->bytes, pdb->size) };
	struct rossym_error err;
	struct pdb_key key;
	rs_pdb_key_read(pdb->bytes, pdb->size, &key, &err);
	table_try_file(image->bytes, image->size, &file, flags & PDB_WANTED ? wanted : NULL, flags & PDB_DECORATED,
		       flags & PDB_NO_INLINES);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct part parts[PDB_PARTS];
	struct made image = { .size = 0 }, pdb = { .size = 0 };
	if (size == 0 || !parts_cut(data, size, PDB_LETTERS, parts))
		return 0;
	if (parts[PDB_IMAGE].bytes)
		copy_part(&image, &parts[PDB_IMAGE]);
	else
		image = made_image(&(struct made_options){ .wide = data[0] & PDB_WIDE });
	make_file(parts, data[0], &image, &pdb);
	if (image.size && pdb.size)
		try_pair(&image, &pdb, data[0]);
	free(image.bytes);
	free(pdb.bytes);
	return 0;
}
