/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * huge.h - huge pages for large arrays
 *
 * A random read in an array of hundreds of megabytes waits longer for the page tables than for the memory itself, and
 * the first write to a page of 4 KiB takes longer than filling it.  Huge pages avoid both, but some systems use them
 * only on request.  The request is only for the part of an array that fills whole huge pages, so the array takes no
 * more memory.
 */
#ifndef COMPAT_HUGE_H
#define COMPAT_HUGE_H

#include <stddef.h>
#include <stdint.h>
#ifdef HAVE_SYS_MMAN_H
#include <sys/mman.h>
#endif

/* Request huge pages for the SIZE bytes at MEMORY, which have not been written yet and will all be written.  It is a
   hint, which the system may ignore. */
static inline void rs_huge(void *memory, size_t size)
{
/* Huge pages have 2 MiB on x86-64, and on ARM64 if other pages have 4 KiB. */
#if defined(HAVE_SYS_MMAN_H) && defined(MADV_HUGEPAGE)
	const uintptr_t page = (uintptr_t)1 << 21;
	uintptr_t begin = (uintptr_t)memory, end = (begin + size) / page * page;
	size_t before = (size_t)((page - begin % page) % page);
	if (size > before && begin + before < end)
		(void)madvise((char *)memory + before, (size_t)(end - begin - before), MADV_HUGEPAGE);
#else
	(void)memory;
	(void)size;
#endif
}

#endif
