/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * key.h - the key of a PDB file: its image records it, and symbol stores sort by it
 *
 * The age is that of the DBI stream.  The age in the info stream also grows when a tool adds something to the file
 * after the link.
 */
#ifndef DEBUGINFO_PDB_KEY_H
#define DEBUGINFO_PDB_KEY_H

#include "rossym.h"

#include <stddef.h>
#include <stdint.h>

struct pdb_key {
	uint8_t guid[16]; /* as in files; debug_name_guid() writes it */
	uint32_t age;
};

/* So many bytes tell that a file is a PDB file of the format that is read here. */
enum { PDB_MAGIC_SIZE = 31 };

/* Judge a file by its beginning; it is SIZE bytes at BYTES.  Returns NULL for a PDB file of the format that is read
   here, and otherwise says what kind of file it is. */
const char *pdb_other_kind(const void *bytes, uint64_t size);

/* Store the key of the PDB file that is SIZE bytes at BYTES in *KEY.  Returns 0, or -1: ROSSYM_ENOTPE if it is no PDB
   file, ROSSYM_ENOSYMS without a DBI stream, ROSSYM_EDAMAGED, ROSSYM_ENOMEM. */
int pdb_key_read(const void *bytes, uint64_t size, struct pdb_key *key, struct rossym_error *err);

#endif
