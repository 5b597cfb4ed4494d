/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * huge.h - large pages for large arrays
 *
 * A random read in an array of hundreds of megabytes waits longer for the page tables than for the memory itself, and
 * the first write to each small page takes longer than filling it.  Large pages are fewer, and some systems give them
 * only on request.  Only the part of an array that fills whole large pages is asked for, so it takes no more memory.
 */
#ifndef COMPAT_HUGE_H
#define COMPAT_HUGE_H

#include <stddef.h>
#include <stdint.h>
#ifdef HAVE_SYS_MMAN_H
#include <sys/mman.h>
#endif

/* Ask for large pages for the SIZE bytes at MEMORY, which have not been written yet, and will be written as a whole.  A
   hint: nothing tells whether it had an effect. */
static inline void rs_huge(void *memory, size_t size)
{
/* 2 MiB, the size on x86-64, and on arm64 with pages of 4 KiB */
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
