/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * format.h - the kind of format that our printf-like functions take, for __attribute__((format))
 *
 * On Windows plain "printf" means Microsoft's C library of 1998, which lacks %zu.  Our functions pass their formats to
 * the vsnprintf and vfprintf of MinGW, which have it.
 */
#ifndef ROSSYM_COMPAT_FORMAT_H
#define ROSSYM_COMPAT_FORMAT_H

#if defined __MINGW32__
#define COMPAT_PRINTF __gnu_printf__
#else
#define COMPAT_PRINTF __printf__
#endif

#endif
