/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pdb.h - spans and functions from a PDB file, into which Microsoft's and LLVM's linkers write debug information */
#ifndef DEBUGINFO_PDB_PDB_H
#define DEBUGINFO_PDB_PDB_H

#include "debuginfo/base/reading.h"

/* Read the first of options->files that is a PDB file of the image.  Returns 0, also if there is none; or -1 after
   storing an error, which is ROSSYM_ENOSYMS if a file that the user has named does not belong to the image. */
int rs_pdb_read(struct reading *reading);

#endif
