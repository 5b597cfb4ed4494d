/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cfi-cursor.h - reads numbers of a section one after the other, never past its end */
#ifndef UNWIND_CFI_CURSOR_H
#define UNWIND_CFI_CURSOR_H

#include "unwind/unwind.h"

/* Reads a section of an image from AT to END. */
struct cfi_cursor {
	const struct unwind_space *space;
	uint64_t base;	  /* of the image */
	uint64_t slide;	  /* load address minus linked address: to be added to absolute addresses in the section */
	uint32_t at, end; /* RVAs */
	bool bad;	  /* something could not be read, or makes no sense; it stays true */
};

/* Read SIZE bytes.  False, and cursor->bad is set: fewer bytes are left, or they cannot be read.  In these cases, the
   functions below set cursor->bad, too, and return 0. */
bool rs_cfi_bytes(struct cfi_cursor *cursor, void *bytes, uint32_t size);
void rs_cfi_skip(struct cfi_cursor *cursor, uint64_t size);

uint64_t rs_cfi_unsigned(struct cfi_cursor *cursor, unsigned size); /* of 1 to 8 bytes */
uint64_t rs_cfi_uleb(struct cfi_cursor *cursor);		    /* of 63 bits at most */
int64_t rs_cfi_sleb(struct cfi_cursor *cursor);

#endif
