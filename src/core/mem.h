/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mem.h - the five functions that the core calls, besides the caller's reader
 *
 * Every kernel has them.  A freestanding compiler may have no <string.h>, so they are declared here then, and in
 * the amalgamation.
 */
#ifndef RS_MEM_H
#define RS_MEM_H

#include <stddef.h>

/* MSVC's compilers have them as intrinsics, which must have this calling convention. */
#ifdef _MSC_VER
#define RS_CDECL __cdecl
#else
#define RS_CDECL
#endif

/* The functions of the usual look-up, which compilers put beside each other then: with cold caches it waits for each page
   and line of code.  And one that is left for unusual ones. */
#if defined __GNUC__ && !defined __FRAMAC__
#define RS_HOT __attribute__((hot))
#define RS_COLD __attribute__((cold, noinline))
/* Begin to fetch the memory at P while the caller goes on. */
#define RS_PREFETCH(p) __builtin_prefetch(p)
#else
#define RS_HOT
#define RS_COLD
#define RS_PREFETCH(p) ((void)(p))
#endif

#if __STDC_HOSTED__ && !defined ROSSYM_AMALGAMATION
#include <string.h>
#else
/*@ requires \valid((unsigned char *)to + (0 .. size - 1)) && \valid_read((unsigned char *)from + (0 .. size - 1));
    requires \separated((unsigned char *)to + (0 .. size - 1), (unsigned char *)from + (0 .. size - 1));
    assigns ((unsigned char *)to)[0 .. size - 1]; */
extern void *RS_CDECL memcpy(void *to, const void *from, size_t size);
extern void *RS_CDECL memmove(void *to, const void *from, size_t size);
/*@ requires \valid((unsigned char *)to + (0 .. size - 1));
    assigns ((unsigned char *)to)[0 .. size - 1]; */
extern void *RS_CDECL memset(void *to, int byte, size_t size);
/*@ requires \valid_read((unsigned char *)a + (0 .. size - 1)) && \valid_read((unsigned char *)b + (0 .. size - 1));
    assigns \nothing; */
extern int RS_CDECL memcmp(const void *a, const void *b, size_t size);
extern size_t RS_CDECL strlen(const char *string);
#endif

#endif
