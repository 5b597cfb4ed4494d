// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/huge.h"

#include <stdint.h>
#ifdef HAVE_SYS_MMAN_H
#include <sys/mman.h>
#endif

void rs_huge(void *memory, size_t size)
{
#if defined(HAVE_SYS_MMAN_H) && defined(MADV_HUGEPAGE)
	const uintptr_t page = (uintptr_t)1 << 21;	/* 2 MiB, the size on x86-64, and on arm64 with pages of 4 KiB */
	uintptr_t begin = (uintptr_t)memory, end = (begin + size) / page * page;
	size_t before = (size_t)((page - begin % page) % page);
	if (size > before && begin + before < end)
		(void)madvise((char *)memory + before, (size_t)(end - begin - before), MADV_HUGEPAGE);
#else
	(void)memory;
	(void)size;
#endif
}
