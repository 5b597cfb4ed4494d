/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * separate.h - finds another PE file, or an ELF file, that has the debug information of the image
 *
 * Such a PE file was made by objcopy --only-keep-debug, or is the image before it was stripped.  Its sections have the
 * same addresses as the image's, but sections of code and data may have no bytes.  So DWARF, stabs and COFF symbols are
 * read from this file, and code from the image.
 *
 * Whether a file belongs to the image:
 *
 *	If .gnu_debuglink of the image names the file, its CRC must be right; a PE file needs nothing else.
 *	An ELF file must have the code of the image (elf-image.h).
 *	Any other PE file must be for the same processor, and have the same sections of code.  These decide:
 *		the GUIDs in the debug directories, if both files have one;
 *		else the time stamps, which may differ by at most a minute, and the bytes of code, which must be equal.
 *		If the file has no bytes of code, its time stamp must not be 0.
 *	For a file that the user names, or that is in a directory called symbols, equal bytes of code are proof enough,
 *	whatever the time stamps are.
 */
#ifndef DEBUGINFO_SEPARATE_H
#define DEBUGINFO_SEPARATE_H

#include "debuginfo/base/reading.h"

/* The headers of a separate file. */
struct separate_file {
	struct rs_pe pe;
	struct elf elf;
};

/* Find the first of the options' files that is a PE or ELF file with debug information of the image, and make it
   READING->symbols; files before it that do not belong to the image get a warning.  Without such a file,
   READING->symbols stays the image.  If the image has DWARF or stabs itself, only files that the user has named are
   tried.  Returns 0; or -1 without memory, or if the user named a file that cannot be used.  Call rs_separate_clear()
   after the last use of READING->symbols, also after a failure. */
int rs_separate_find(struct reading *reading, struct separate_file *separate);
/* Returns 1 if the image has a section .gnu_debuglink that names no file, and stores its offset in *AT; 0 if not; or -1
   after storing an error. */
int rs_separate_link_is_damaged(const struct reading *reading, uint64_t *at);

void rs_separate_clear(struct separate_file *separate);

#endif
