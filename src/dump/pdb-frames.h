/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pdb-frames.h - finds FrameData and FPO data in PDB files, for the unwinder
 *
 * FrameData and the older FPO data tell how to find the caller of i386 code.  A PDB file is a container of streams
 * (MSF).  Five are read, a few bytes at a time: stream 1, which has the GUID and the names of streams; DBI (3), which
 * has the numbers of the next two; FrameData; FPO data; and strings ("/names").
 *
 * The subsections DEBUG_S_FRAMEDATA, into which compilers write FrameData, are not read: Microsoft's linkers (of 2010
 * to 2022) and lld move all of it into the FrameData stream.
 */
#ifndef DUMP_PDB_FRAMES_H
#define DUMP_PDB_FRAMES_H

#include "dump/images.h"
#include "unwind/unwind.h"

/* Whether module NUMBER has a PDB file with FrameData or FPO data. */
bool rs_dump_has_frame_data(struct dump_images *images, uint32_t number);

/* Find the FrameData for RVA in the PDB file of module NUMBER; FPO data are converted to FrameData.
   False: there is none. */
bool rs_dump_find_frame_data(struct dump_images *images, uint32_t number, uint32_t rva,
			     struct rossym_unwind_frame_data *data);

#endif
