/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * imports.h - functions that were inlined from another module
 *
 * A compiler that generates code when it links numbers the functions of each module separately.  An inlined function of
 * another module is then a place in the module's list of imports, C13 subsection F7: the name of the other module, and
 * that module's number of the function.  The other module's subsection F8 has the number in IPI.
 */
#ifndef DEBUGINFO_PDB_IMPORTS_H
#define DEBUGINFO_PDB_IMPORTS_H

#include "debuginfo/pdb/pdb-module.h"

#define PDB_IMPORTED 0x80000000u /* the bit of an inlined function's number that says so */

struct pdb_imports;

struct pdb_imports *pdb_imports_new(void);
void pdb_imports_free(struct pdb_imports *imports);

/* Store in *ID the number in IPI of the function that INLINEE, which has PDB_IMPORTED, is in MODULE; 0 if there is
   none.  Returns 0; or -1 after storing an error. */
int pdb_import(struct pdb_imports *imports, struct pdb_module *module, uint32_t inlinee, uint32_t *id);

#endif
