/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mem.h - the five functions that the core calls, besides the caller's reader
 *
 * Every kernel has them.  A freestanding compiler may have no <string.h>, so they are declared here then.
 */
#ifndef RS_MEM_H
#define RS_MEM_H

#include <stddef.h>

#if __STDC_HOSTED__
#include <string.h>
#else
void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);
int memcmp(const void *a, const void *b, size_t size);
size_t strlen(const char *string);
#endif

#endif
