/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * warnings.h - passes warnings about debug information to the library's caller
 *
 * Each look-up that reads debug information finds the same damage again, so a warning that was passed on is not passed
 * on again.  A hostile file can cause millions of warnings, so their number and their bytes are limited.
 */
#ifndef RS_OPEN_WARNINGS_H
#define RS_OPEN_WARNINGS_H

#include "rossym.h"

#include <stdbool.h>

/* At the start, all fields are zeros except the first two. */
struct rs_warnings {
	void (*warn)(void *context, const struct rossym_warning *warning); /* NULL: nobody wants them */
	void *context;
	uint64_t hashes[1024]; /* of the newest warnings */
	size_t count, bytes;   /* of all warnings */
	bool too_many;
};

/* Pass on the warning TEXT about the file PATH; NULL: about the image.  NUMBER is an errno, or 0. */
void rs_warnings_add(struct rs_warnings *warnings, const char *path, const char *text, int number);

/* Pass on the warning TEXT, which says that no symbols were found. */
void rs_warnings_add_absence(struct rs_warnings *warnings, const char *text);

#endif
