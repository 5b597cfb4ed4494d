/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * discard.h - frees the memory of debug sections that will not be read again
 *
 * Debug sections are most of an image.  The process that writes the new image needs none of them, and the process
 * that makes the table needs each only until it has read it.  For an image of some megabytes, both processes together
 * then use 1.0 to 2.0 times its size; without this, 1.9 to 2.7 times.
 */
#ifndef DEBUGINFO_BASE_DISCARD_H
#define DEBUGINFO_BASE_DISCARD_H

#include <stddef.h>
#include <stdint.h>

/* Free the memory pages of debug sections in the image of SIZE bytes at IMAGE; their content is lost: of the first UNITS
   bytes of .debug_info, and of .debug_loc and others that debuginfo/ never reads; or of all, if UNITS is
   DISCARD_ALL.  A section that shares bytes with something else, as in a
   damaged image, is left alone.  So are all sections if IMAGE is no image, or has more than 256 sections. */
#define DISCARD_ALL SIZE_MAX
void rs_debuginfo_discard_sections(void *image, size_t size, size_t units);

#endif
