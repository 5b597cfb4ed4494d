/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ids.h - the names of inlined functions
 *
 * A PDB has two streams of records with numbers, which begin at 0x1000: TPI has the types, IPI the "ids".  An id is a
 * function that was inlined somewhere, or a string.  A function has its plain name, and either the string that names
 * its namespace or its class in TPI.
 */
#ifndef DEBUGINFO_PDB_IDS_H
#define DEBUGINFO_PDB_IDS_H

#include "debuginfo/pdb/type-records.h"

struct pdb_ids {
	struct pdb *pdb;
	struct pdb_records types, ids;
	uint32_t *names; /* of each id: 1 + number of its name as a string; 0 = not made yet */
	char *text;	 /* the name that is being made */
	size_t length;
	bool failed; /* an error was stored */
};

/* Returns 0, or -1 with an error stored; call pdb_ids_close() in any case. */
int pdb_ids_open(struct pdb_ids *ids, struct pdb *pdb);
void pdb_ids_close(struct pdb_ids *ids);

/* Store in *RET the number of the qualified name of the function ID; 0 if there is no such function, or its name cannot
   be read.  Returns 0, or -1 with an error stored. */
int pdb_ids_name(struct pdb_ids *ids, uint32_t id, uint32_t *ret);

#endif
