/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * discard.h - gives back the memory of debug sections that nobody reads any more
 *
 * Debug sections are most of an image.  The process that writes the new image needs none of them.  The process that
 * makes the table needs some, until it has read them.  With this, both processes together have 1.0 to 2.0 times an
 * image of some megabytes in memory; without it, 1.9 to 2.7 times.
 */
#ifndef DEBUGINFO_BASE_DISCARD_H
#define DEBUGINFO_BASE_DISCARD_H

#include <stddef.h>

enum debuginfo_discard {
	DISCARD_UNREAD, /* .debug_loc and others that no reader looks at */
	DISCARD_UNITS,	/* these, and the beginning of .debug_info */
	DISCARD_LINES,	/* the first ones, and .debug_line */
	DISCARD_ALL,	/* all debug sections */
};

/* Give back such sections of the SIZE bytes at IMAGE; of .debug_info the first UNITS bytes.  Their content is lost.  A section stays if its bytes are also a
   part of something else, which only damaged images have.  All sections stay if IMAGE is no image, or has more than
   256 sections. */
void debuginfo_discard_sections(void *image, size_t size, enum debuginfo_discard which, size_t units);

#endif
