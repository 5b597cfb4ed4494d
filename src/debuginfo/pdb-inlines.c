// SPDX-License-Identifier: GPL-2.0-or-later
/* pdb-inlines.c - inlined calls in a PDB file */
#include "config.h"
#include "debuginfo/pdb-module.h"

int pdb_read_inlines(struct pdb_module *module, const struct pdb_procedure *procedure)
{
	(void)module;
	(void)procedure;
	return 0;
}

void pdb_close_inlines(struct pdb *pdb)
{
	(void)pdb;
}
