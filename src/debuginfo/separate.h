/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * separate.h - another PE file that has the debug information of the image
 *
 * Such files are made by objcopy --only-keep-debug, or are the image before it was stripped.  Their sections have the
 * addresses of the image's, but those that are loaded may have no bytes.  So DWARF, stabs and COFF symbols come from there,
 * and code from the image.
 *
 * What proves that a file belongs to the image:
 *
 *	the CRC in .gnu_debuglink, if that names the file, and nothing else then; for other files:
 *	the same processor and the same sections of code, and
 *	the same GUID in the debug directory, if both have one; or
 *	time stamps that differ by at most a minute; or if they are 0, the same bytes of code.
 */
#ifndef DEBUGINFO_SEPARATE_H
#define DEBUGINFO_SEPARATE_H

#include "debuginfo/reading.h"

struct separate {
	struct rs_source source;
	struct rs_pe pe;
};

/* Find the first of the options' files that is a PE file with debug information of the image, and let READING->symbols be it;
   files that do not belong to the image get a warning.  Without one READING->symbols stays.  An image with DWARF or stabs of its
   own needs none.  Returns 0; or -1 without memory, or if the user named a file that cannot be used.  Call separate_clear() after
   the last use of READING->symbols, in either case. */
int separate_find(struct reading *reading, struct separate *separate);
void separate_clear(struct separate *separate);

#endif
