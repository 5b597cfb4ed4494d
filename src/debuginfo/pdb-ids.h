/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pdb-ids.h - the names of inlined functions
 *
 * A PDB has two streams of records with numbers, which begin at 0x1000: TPI has the types, IPI the "ids".  An id is a
 * function that was inlined somewhere, or a string.  A function has its plain name, and either the string that names
 * its namespace or its class in TPI.
 */
#ifndef DEBUGINFO_PDB_IDS_H
#define DEBUGINFO_PDB_IDS_H

#include "debuginfo/pdb-module.h"

struct pdb_records {		/* the records of a stream */
	const uint8_t *bytes;
	uint32_t first, count;	/* of their numbers */
	uint32_t *offsets;	/* of each record in BYTES */
};

struct pdb_ids {
	struct pdb *pdb;
	struct pdb_records types, ids;
	uint32_t *names;	/* of each id: 1 + number of its name as a string; 0 = not made yet */
	char *text;		/* the name that is being made */
	size_t length;
};

/* Begin with the streams TPI and IPI, which stay in memory until pdb_ids_close().  A damaged stream has the records
   before the damage.  Returns 0, or -1 without memory; call pdb_ids_close() in any case. */
int pdb_ids_open(struct pdb_ids *ids, struct pdb *pdb, const struct msf_stream *tpi, const struct msf_stream *ipi);
void pdb_ids_close(struct pdb_ids *ids);

/* Store in *RET the number of the qualified name of the function ID; 0 if there is no such function, or its name cannot
   be read.  Returns 0, or -1 with an error stored. */
int pdb_ids_name(struct pdb_ids *ids, uint32_t id, uint32_t *ret);

#endif
