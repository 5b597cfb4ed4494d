// SPDX-License-Identifier: GPL-2.0-or-later
/* Crash dumps.  A PDB file can follow, with its size, of 4 bytes, and "PDB7" at the end: it is that of each module. */
#include "config.h"
#include "fuzz.h"
#include "core/bytes.h"
#include "tests/lib/dumped.h"

static const uint8_t *pdb;
static size_t pdb_size;

static bool find_image(void *context, uint32_t number, const struct dump_module *module, uint64_t *base)
{
	(void)context, (void)number;
	*base = module->base;
	return pdb_size > 0;
}

static bool find_section(void *context, uint32_t number, const char *name, uint32_t *rva, uint32_t *size)
{
	(void)context, (void)number, (void)name, (void)rva, (void)size;
	return false;
}

static bool read_pdb(void *context, uint32_t number, uint32_t offset, void *bytes, size_t size)
{
	(void)context;
	const size_t rest = offset < pdb_size ? pdb_size - offset : 0;
	memset(bytes, 0, size);
	if (rest > 0)
		memcpy(bytes, pdb + offset, size < rest ? size : rest);
	return number >= DUMP_IMAGES;
}

/* Its GUID is always right. */
static bool find_pdb(void *context, uint32_t number, uint32_t choice, uint8_t guid[DUMP_GUID])
{
	(void)context, (void)number;
	for (uint8_t i = 0; i < DUMP_GUID; i++)
		guid[i] = i + 1;
	return choice == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct dump_image_source images = { find_image, find_section, read_pdb, find_pdb, NULL };
	pdb_size = 0;
	if (size >= 8 && memcmp(data + size - 4, "PDB7", 4) == 0 && rs_le32(data + size - 8) <= size - 8) {
		pdb_size = rs_le32(data + size - 8);
		size -= 8 + pdb_size;
		pdb = data + size;
	}
	dumped_images = pdb_size > 0 ? &images : NULL;
	const char *wrong = dumped_wrong(data, size);
	if (wrong)
		fprintf(stderr, "%s\n", wrong);
	must(!wrong);
	return 0;
}
