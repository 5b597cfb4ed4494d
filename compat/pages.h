/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pages.h - tells the system how the memory of a large array is used */
#ifndef COMPAT_PAGES_H
#define COMPAT_PAGES_H

#include <stddef.h>
#include <stdint.h>
#ifdef HAVE_SYS_MMAN_H
#include <sys/mman.h>
#include <unistd.h>
#endif

/* Give the system ADVICE, which it may ignore, about all whole pages of PAGE bytes in the SIZE bytes at MEMORY. */
static inline void rs_advise_pages(void *memory, size_t size, size_t page, int advice)
{
#if defined(HAVE_SYS_MMAN_H) && defined(MADV_DONTNEED)
	uintptr_t begin = (uintptr_t)memory, end = (begin + size) / page * page;
	size_t before = (page - begin % page) % page;
	if (size > before && begin + before < end)
		(void)madvise((char *)memory + before, (size_t)(end - begin - before), advice);
#else
	(void)memory, (void)size, (void)page, (void)advice;
#endif
}

/* Request huge pages for the SIZE bytes at MEMORY, which have not been written yet and will all be written.  A random
   read in an array of hundreds of megabytes waits longer for the page tables than for the memory itself, and the first
   write to a page of 4 KiB takes longer than filling it.  Huge pages avoid both, but some systems use them only on
   request.  The request is only for the part of an array that fills whole huge pages, so the array takes no more
   memory. */
static inline void rs_request_huge_pages(void *memory, size_t size)
{
/* Huge pages have 2 MiB on x86-64, and on ARM64 if other pages have 4 KiB. */
#if defined(HAVE_SYS_MMAN_H) && defined(MADV_HUGEPAGE)
	rs_advise_pages(memory, size, (size_t)1 << 21, MADV_HUGEPAGE);
#else
	(void)memory, (void)size;
#endif
}

/* When one large array is made from another one, both would be in memory at the end.  If parts of the old one are given
   back to the system as soon as they have been read, both take hardly more memory than the larger of the two. */

/* How many elements a loop reads between two calls of rs_release_pages(). */
enum { RS_RELEASE_STEP = 1 << 12 };

/* Give all whole pages in the SIZE bytes at MEMORY back to the system.  The bytes lose their content, so the caller
   must not read them again before writing them.  They stay a part of their allocation, which is freed as usual.  Does
   nothing for a few pages, which are not worth a system call, and on systems without madvise(). */
static inline void rs_release_pages(void *memory, size_t size)
{
#if defined(HAVE_SYS_MMAN_H) && defined(MADV_DONTNEED)
	enum { LEAST = 1 << 16 };
	if (size >= LEAST)
		rs_advise_pages(memory, size, (size_t)sysconf(_SC_PAGESIZE), MADV_DONTNEED);
#else
	(void)memory, (void)size;
#endif
}

/* Give back the memory of an array while a loop reads it.  Call this after the loop has read element AT of ITEMS; an
   element has SIZE bytes.  After each RS_RELEASE_STEP elements, it gives back their memory, and that of the OVERLAP
   elements before them, because the page in which two steps meet could not be given back earlier. */
static inline void rs_release_read_items(void *items, size_t at, size_t size)
{
	enum { OVERLAP = 256 };
	if (at % RS_RELEASE_STEP == RS_RELEASE_STEP - 1) {
		size_t first = at + 1 - RS_RELEASE_STEP;
		first = first > OVERLAP ? first - OVERLAP : 0;
		rs_release_pages((char *)items + first * size, (at + 1 - first) * size);
	}
}

#endif
