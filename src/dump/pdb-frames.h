/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pdb-frames.h - FrameData and FPO data of PDB files, for the unwinder
 *
 * A PDB file is a container of streams (MSF).  Four of them are read, a few bytes at a time: the GUID and the names of
 * streams (1), DBI (3), where the numbers of the others are, FrameData, FPO data, and strings ("/names").
 *
 * Compilers write FrameData into the subsection DEBUG_S_FRAMEDATA of their object files.  It is not read: Microsoft's linkers
 * (of 2010 to 2022) and lld move all of it into the stream, and leave none in the streams of modules.
 */
#ifndef DUMP_PDB_FRAMES_H
#define DUMP_PDB_FRAMES_H

#include "dump/images.h"
#include "unwind/unwind.h"

struct dump_pdb;

struct dump_pdbs {
	struct dump_images *images;
	struct dump_pdb *pdbs; /* for each module; NULL: there are no images */
};

/* False: there is no memory.  rs_dump_pdbs_close() frees it in any case. */
bool rs_dump_pdbs_open(struct dump_pdbs *pdbs, struct dump_images *images);
void rs_dump_pdbs_close(struct dump_pdbs *pdbs);

/* Whether there is a PDB file of module NUMBER that says something about frames. */
bool rs_dump_pdbs_have(struct dump_pdbs *pdbs, uint32_t number);

/* Forget what is known of the PDB file of module NUMBER: the source has another one. */
void rs_dump_pdbs_forget(struct dump_pdbs *pdbs, uint32_t number);

/* Find what the PDB file of module NUMBER says about the place RVA. */
bool rs_dump_pdbs_find(struct dump_pdbs *pdbs, uint32_t number, uint32_t rva, struct unwind_frame_data *data);

#endif
