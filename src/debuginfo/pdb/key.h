/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * key.h - the key of a PDB file, GUID and age: the image has the same key, and symbol stores find files by it
 *
 * A PDB file consists of streams; two of them have an age, which linkers increase when they update the file.  The key
 * has the age of the DBI stream.  The age of the info stream also grows when a tool adds something after the link.
 */
#ifndef DEBUGINFO_PDB_KEY_H
#define DEBUGINFO_PDB_KEY_H

#include "rossym.h"

#include <stdbool.h>
#include <stdint.h>

struct pdb_key {
	uint8_t guid[16]; /* in the byte order of files; rs_guid_to_hex() makes text of it */
	uint32_t age;
};

/* Whether a file that begins with the SIZE bytes at BYTES is a PDB file, even of a kind that rossym cannot read. */
bool rs_pdb_is_any_kind(const void *bytes, uint64_t size);

/* Returns NULL if a file that begins with the SIZE bytes at BYTES is a PDB 7.00 file, which can be read; else, for a
   message, what kind of file it is. */
const char *rs_pdb_unreadable_kind(const void *bytes, uint64_t size);

struct msf;

/* Open FILE, a PDB file, as *MSF, and store its key in *KEY.  Call rs_msf_close() afterwards, also after a failure.
   Returns 0; or -1 with ROSSYM_ENOTPE if it is no PDB 7.00 file, ROSSYM_ENOSYMS if its DBI stream is empty,
   ROSSYM_EDAMAGED, ROSSYM_ENOMEM, or another error if its first bytes cannot be read. */
int rs_pdb_open_file(struct msf *msf, const struct rossym_reader *file, struct pdb_key *key, struct rossym_error *err);

/* Store in *KEY the key of the PDB file that is SIZE bytes at BYTES.  Returns 0; or -1, as rs_pdb_open_file(). */
int rs_pdb_key_read(const void *bytes, uint64_t size, struct pdb_key *key, struct rossym_error *err);

#endif
