/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * huge.h - large pages for large arrays
 *
 * A random read in an array of hundreds of megabytes waits longer for the page tables than for the memory itself.  Large pages
 * need fewer page tables, and some systems give them only on request.  Only the part of an array that fills whole large pages
 * is asked for, so it takes no more memory.
 */
#ifndef RS_HUGE_H
#define RS_HUGE_H

#include <stddef.h>

/* Ask for large pages for the SIZE bytes at MEMORY, which have not been written yet, and will be written as a whole and
   then read in random order.  A hint: nothing tells whether it had an effect. */
void rs_huge(void *memory, size_t size);

#endif
