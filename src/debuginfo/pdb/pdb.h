/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pdb.h - spans and functions from a PDB file, in which Microsoft's and LLVM's tools keep an image's
   debug information */
#ifndef DEBUGINFO_PDB_PDB_H
#define DEBUGINFO_PDB_PDB_H

#include "debuginfo/base/reading.h"

/* Read the first PDB file of the options that belongs to the image.  Returns 0, also if there is none; or -1
   after storing an error: without memory, or ROSSYM_ENOSYMS if a file that the user has named does not belong to
   the image. */
int pdb_read(struct reading *reading);

#endif
