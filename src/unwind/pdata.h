/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pdata.h - the functions of a 64-bit image in memory: its exception directory */
#ifndef UNWIND_PDATA_H
#define UNWIND_PDATA_H

#include "unwind/unwind.h"

/* Find *RVA and *SIZE of the exception directory of the image at BASE.  Returns UNWIND_CALLER; UNWIND_DAMAGED if it is
   no PE32+ image of MACHINE, or its directory is absent or has fewer than LEAST bytes; UNWIND_MEMORY if the headers
   cannot be read. */
enum unwind_result rs_pdata_directory(const struct unwind_space *space, uint64_t base, unsigned machine, uint32_t least,
				      uint32_t *rva, uint32_t *size);

/* What follows is for x64: there, the directory is an array of entries of PDATA_ENTRY bytes (RUNTIME_FUNCTION). */
enum { PDATA_ENTRY = 12 };

/* RVAs: of the function's first byte, of the byte after its last one, and of its UNWIND_INFO. */
struct pdata_entry {
	uint32_t begin, end, info;
};

/* Find the entry of the function that contains RVA.  Returns UNWIND_CALLER; UNWIND_NOWHERE if no entry contains RVA; or
   why the directory cannot be searched, as rs_pdata_directory() does. */
enum unwind_result rs_pdata_find(const struct unwind_space *space, uint64_t base, uint32_t rva,
				 struct pdata_entry *entry);

/* Read the entry at the virtual ADDRESS.  False: it cannot be read. */
bool rs_pdata_read(const struct unwind_space *space, uint64_t address, struct pdata_entry *entry);

/* ---------------------------------------------------------------------------------------- epilog.c */

/* If FRAME->ip is in an epilog of the function of ENTRY, of the image at BASE, run what is left of the epilog on FRAME,
   without its last instruction, and return true: rsp then points to the return address.  Else return false; FRAME is
   unchanged.  An epilog may add to rsp or set it by lea, and may pop registers; its last instruction returns or jumps
   to another function. */
bool rs_epilog_run(const struct unwind_space *space, uint64_t base, const struct pdata_entry *entry,
		   struct unwind_frame *frame);

#endif
