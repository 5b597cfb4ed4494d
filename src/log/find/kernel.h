/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel.h - which build a kernel image is of
 *
 * The initialised data of a kernel have one or two strings that name the build:
 *
 *	NtBuildLab	"20260924-0.4.17-dev-915-g3f5fd48.GNU_12.2.0": the build name, a dot, the compiler.
 *			Every kernel has it
 *	the banner	with version and commit (build-name.h).  Only kernels that print it have it
 *
 * Only sections with initialised data are read, one window at a time; code and tables are not.
 */
#ifndef LOG_FIND_KERNEL_H
#define LOG_FIND_KERNEL_H

#include "log/read/build-name.h"
#include "rossym.h"

#include <stdint.h>

/* The file names of kernels, in lower case.  The last one is NULL. */
extern const char *const kernel_names[];

enum kernel { KERNEL_NONE, KERNEL_OF_UNKNOWN_BUILD, KERNEL_OF_BUILD };

/* Find the build of IMAGE, which may have been opened with ROSSYM_OPEN_HEADERS, and store it in *BUILD.  Reads at most
   *LEFT bytes, and subtracts from *LEFT what it has read.  Returns KERNEL_OF_BUILD if the build has a name; KERNEL_NONE
   if the file has no initialised data, like a debug file; otherwise KERNEL_OF_UNKNOWN_BUILD. */
enum kernel kernel_find_build(struct rossym_image *image, uint64_t *left, struct build *build);

#endif
