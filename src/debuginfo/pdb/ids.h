/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ids.h - finds the names of inlined functions
 *
 * A PDB file has two streams of numbered records: TPI has the types, IPI the "ids".  An id is a function that was
 * inlined somewhere, or a string.  The record of a function has its plain name, and where the function belongs: the id
 * of a string with its namespace, or the number of its class in TPI.
 */
#ifndef DEBUGINFO_PDB_IDS_H
#define DEBUGINFO_PDB_IDS_H

#include "debuginfo/pdb/type-records.h"

struct pdb_ids {
	struct pdb *pdb;
	struct pdb_records types, ids;
	uint32_t *names; /* for each id, 1 + the string number of its name; 0 = not made yet */
	char *text;	 /* the name that is being made, of LENGTH bytes */
	size_t length;
	bool failed; /* an error was stored */
};

/* Returns 0; or -1 after storing an error.  Call rs_pdb_ids_close() afterwards in both cases. */
int rs_pdb_ids_open(struct pdb_ids *ids, struct pdb *pdb);
void rs_pdb_ids_close(struct pdb_ids *ids);

/* Store in *RET the string number of the qualified name of the function ID; 0 if there is no such function, or its name
   cannot be read.  Returns 0; or -1 after storing an error. */
int rs_pdb_ids_name(struct pdb_ids *ids, uint32_t id, uint32_t *ret);

#endif
