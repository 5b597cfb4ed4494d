/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * imports.h - functions that were inlined from another module
 *
 * A compiler that generates code at link time (/GL) numbers the functions of each module separately.  An inlined
 * function of another module is then named by a row and a column of the inlining module's list of imports (C13
 * subsection DEBUG_S_CROSSSCOPEIMPORTS).  A row has the name of the other module, and that module's numbers of its
 * functions.  The other module's list of exports (DEBUG_S_CROSSSCOPEEXPORTS) maps these numbers to ids of IPI.
 */
#ifndef DEBUGINFO_PDB_IMPORTS_H
#define DEBUGINFO_PDB_IMPORTS_H

#include "debuginfo/pdb/pdb-module.h"

#define PDB_IMPORTED 0x80000000u /* flag of an inlined function's number: the rest is a row and a column */

struct pdb_imports;

struct pdb_imports *rs_pdb_imports_new(void);
void rs_pdb_imports_free(struct pdb_imports *imports);

/* INLINEE is the number of an inlined function in MODULE, with the flag PDB_IMPORTED.  Store in *ID the function's id
   in IPI; 0 if there is none.  Returns 0; or -1 after storing an error. */
int rs_pdb_import(struct pdb_imports *imports, struct pdb_module *module, uint32_t inlinee, uint32_t *id);

#endif
