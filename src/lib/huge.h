/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * huge.h - large pages for large arrays
 *
 * A random read in hundreds of megabytes waits for the page tables longer than for the memory itself.  Where the system has
 * larger pages for those who ask, this asks, for the part of an array that fills such pages: it takes no more memory.
 */
#ifndef RS_HUGE_H
#define RS_HUGE_H

#include <stddef.h>

/* MEMORY of SIZE bytes, not written yet, will be written as a whole and then read all over.  A hint. */
void rs_huge(void *memory, size_t size);

#endif
