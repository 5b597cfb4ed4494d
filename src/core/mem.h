/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mem.h - the five functions that the core calls, besides the caller's reader; and hints for compilers
 *
 * Every kernel has these functions, but a freestanding compiler may lack <string.h>.  So for such compilers, and in the
 * amalgamation, they are declared here.
 */
#ifndef RS_MEM_H
#define RS_MEM_H

#include <stddef.h>

/* For MSVC these functions are intrinsics, which must be declared with this calling convention. */
#ifdef _MSC_VER
#define RS_CDECL __cdecl
#else
#define RS_CDECL
#endif

/* RS_HOT marks the functions of the usual look-up.  Compilers place them next to each other, so that with cold caches a
   look-up waits for fewer pages and cache lines of code.  RS_COLD marks a function for unusual look-ups; it must not
   lie between the hot functions. */
#if defined __GNUC__ && !defined __FRAMAC__
#define RS_HOT __attribute__((hot))
#define RS_COLD __attribute__((cold, noinline))
/* Begin to load the cache line at P; the caller does not wait for it. */
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
