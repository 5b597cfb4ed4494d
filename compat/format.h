/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * format.h - COMPAT_PRINTF, an attribute that says which parameters of a function are a printf format and its first
 * value
 *
 * On Windows plain "printf" means Microsoft's C library of 1998, which lacks %zu.  Our functions pass their formats to
 * the vsnprintf and vfprintf of MinGW, which have it.
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
