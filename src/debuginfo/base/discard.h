/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * discard.h - frees the memory of debug sections that will not be read again
 *
 * Most bytes of an image are debug sections.  To embed a table, one process makes it, and another one writes the new
 * image.  The writer needs no debug sections, and the maker needs each one only until it has been read.  If both free
 * them, their memory together is 1.0 to 2.0 times the size of an image of some megabytes; otherwise 1.9 to 2.7 times.
 */
#ifndef DEBUGINFO_BASE_DISCARD_H
#define DEBUGINFO_BASE_DISCARD_H

#include <stddef.h>
#include <stdint.h>

#define DISCARD_ALL SIZE_MAX /* as UNITS: all debug sections */

/* Free the memory pages of debug sections of the image, SIZE bytes at IMAGE; their content is lost.  If UNITS is
   DISCARD_ALL, frees all debug sections; else the first UNITS bytes of .debug_info, and sections that debuginfo/ never
   reads, such as .debug_loc.  Keeps a section that shares bytes with something else, as in a damaged image.  Keeps all
   sections if IMAGE is no image, or has more than 256 sections. */
void rs_debuginfo_discard_sections(void *image, size_t size, size_t units);

#endif
