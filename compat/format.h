/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The archetype of a function that takes a format, for __attribute__((format)).  On Windows plain "printf" means the
 * C library of 1998, which knows no %zu; ours are handed to mingw's own vsnprintf and vfprintf, which do.
 */
#ifndef ROSSYM_COMPAT_FORMAT_H
#define ROSSYM_COMPAT_FORMAT_H

#if defined __MINGW32__
#define COMPAT_PRINTF __gnu_printf__
#else
#define COMPAT_PRINTF __printf__
#endif

#endif
