/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * separate.h - another PE file, or an ELF file, that has the debug information of the image
 *
 * Such PE files are made by objcopy --only-keep-debug, or are the image before it was stripped.  Their sections have
 * the addresses of the image's, but those that are loaded may have no bytes.  So DWARF, stabs and COFF symbols come
 * from there, and code from the image.
 *
 * How the reader finds out whether a file belongs to the image:
 *
 *	If .gnu_debuglink names the file, its CRC decides, and for a PE file nothing else.
 *	An ELF file must have the code of the image (elf-image.h).
 *	Any other PE file must be for the same processor, and have the same sections of code.  Then decide:
 *		the GUIDs in the debug directories, if both have one;
 *		else the time stamps, which may differ by at most a minute;
 *		and if these are 0, the bytes of code, which must be equal, too.
 *	Of a file that the user names, or that is in a directory called symbols, equal bytes of code are proof enough.
 */
#ifndef DEBUGINFO_SEPARATE_H
#define DEBUGINFO_SEPARATE_H

#include "debuginfo/base/reading.h"

struct separate {
	struct rs_source source;
	struct rs_pe pe;
	struct elf elf;
};

/* Find the first of the options' files that is a PE or ELF file with debug information of the image, and let
   READING->symbols be it; files that do not belong to the image get a warning.  Without one READING->symbols stays.  An
   image with DWARF or stabs of its own needs none.  Returns 0; or -1 without memory, or if the user named a file that
   cannot be used.  Call separate_clear() after the last use of READING->symbols, also after a failure. */
int separate_find(struct reading *reading, struct separate *separate);
void separate_clear(struct separate *separate);

#endif
