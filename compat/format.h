/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * format.h - COMPAT_PRINTF(AT, FIRST), an attribute for functions like printf: parameter AT is the format, and FIRST
 * the first value, or 0 if the values are a va_list
 *
 * On Windows, compilers check a "printf" format by the rules of Microsoft's C library of 1998, which lacks %zu.  Our
 * functions pass their formats to the vsnprintf and vfprintf of MinGW, which have it.
 */
#ifndef ROSSYM_COMPAT_FORMAT_H
#define ROSSYM_COMPAT_FORMAT_H

#if defined __MINGW32__
#define COMPAT_PRINTF(at, first) __attribute__((format(__gnu_printf__, at, first)))
#elif defined __GNUC__
#define COMPAT_PRINTF(at, first) __attribute__((format(__printf__, at, first)))
#else
#define COMPAT_PRINTF(at, first)
#endif

#endif
