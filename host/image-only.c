// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * image-only.c - functions in place of the parts that the host tools of ReactOS's build lack: the readers of files
 * beside the image (PDB files, debug files), packed tables, and the sandbox
 */
#include "config.h"
#include "debuginfo/pdb/pdb-module.h"
#include "debuginfo/steps.h"
#include "rossym-write.h"
#include "tool/process/sandbox.h"

int rs_separate_choose_file(struct reading *reading)
{
	(void)reading;
	return 0;
}

void rs_separate_free(struct separate_file *separate)
{
	(void)separate;
}

int rs_pdb_read(struct reading *reading)
{
	(void)reading;
	return 0;
}

const char *rs_pdb_unreadable_kind(const void *bytes, uint64_t size)
{
	(void)bytes, (void)size;
	return NULL;
}

int rossym_pack(const void *table, size_t size, int wide, void **ret, size_t *ret_size, struct rossym_error *err)
{
	(void)table, (void)size, (void)wide, (void)ret, (void)ret_size;
	*err = (struct rossym_error){ .code = ROSSYM_EREFUSED, .what = "packed tables are not made here" };
	return -1;
}

void sandbox_restrict_reader(bool threads, const char *const *directories, size_t count)
{
	(void)threads, (void)directories, (void)count;
}

int rossym_stayed_short(const struct rossym_image *image, struct rossym_error *why)
{
	(void)image, (void)why;
	return 0;
}
