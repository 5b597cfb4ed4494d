/* SPDX-License-Identifier: GPL-2.0-or-later */
/* decoration.h - what i386's calling conventions append to names: stdcall _f@8, fastcall @f@8, vectorcall f@@8 */
#ifndef COMPAT_DECORATION_H
#define COMPAT_DECORATION_H

#include <stddef.h>

/* Returns the length of "@8" or "@@8" at the end of the LENGTH bytes at NAME, without the first byte; 0 if there is
   none. */
static inline size_t decoration_length(const char *name, size_t length)
{
	size_t rest = length;
	while (rest > 0 && name[rest - 1] >= '0' && name[rest - 1] <= '9')
		rest--;
	if (rest < 2 || rest == length || name[rest - 1] != '@')
		return 0;
	rest--;
	rest -= rest > 1 && name[rest - 1] == '@';
	return length - rest;
}

#endif
