/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel.h - which build a kernel image is of
 *
 * A kernel has the text of its build among its initialised data:
 *
 *	NtBuildLab	"20260924-0.4.17-dev-915-g3f5fd48.GNU_12.2.0": the build name, a dot, the compiler.  In every build
 *	the banner	as kinds of builds that print it have it, with version and commit (build.h)
 *
 * Only sections with such data are read, in windows, so code and tables cost nothing.
 */
#ifndef LOG_KERNEL_H
#define LOG_KERNEL_H

#include "log/build.h"
#include "rossym.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The file names of kernels, in lower case.  The last one is NULL. */
extern const char *const kernel_names[];

enum kernel { KERNEL_NONE, KERNEL_OF_UNKNOWN_BUILD, KERNEL_OF_BUILD };

/* Find the build of IMAGE, whose headers suffice.  At most *LEFT bytes are read, which is reduced by what was read.  KERNEL_NONE: it
   has no data, as a debug file.  Unless the result is KERNEL_OF_BUILD, *BUILD is empty. */
enum kernel kernel_build(struct rossym_image *image, uint64_t *left, struct build *build);

#endif
