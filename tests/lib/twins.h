/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * twins.h - the two walks through the entries of DWARF units, dwarf-entries.c and dwarf-scopes.c, on the same image
 *
 * They must give the same strings, rows, frames, functions, counts, warnings and error.
 */
#ifndef TESTS_TWINS_H
#define TESTS_TWINS_H

#include "debuginfo/debuginfo.h"
#include "lib/pe.h"

#include <stdio.h>
#include <string.h>

struct twin {			/* what one walk gave */
	struct debuginfo di;
	struct rossym_error err;
	char warnings[8192];	/* each with a semicolon after it; what has no room is lost */
	int ret;
};

/* After the name of an error, libdwarf may print addresses in memory. */
static inline void twin_warn(void *context, const char *text)
{
	struct twin *twin = context;
	size_t at = strlen(twin->warnings);
	const char *error = strstr(text, "DW_DLE_"), *end = error ? error + strcspn(error, ":( ") : text + strlen(text);
	snprintf(twin->warnings + at, sizeof twin->warnings - at, "%.*s; ", (int)(end - text), text);
}

/* Read the SIZE bytes of an image at BYTES; with PLAIN by libdwarf alone.  The caller frees TWIN->di. */
static inline void twin_read(struct twin *twin, const uint8_t *bytes, size_t size, struct debuginfo_options options, bool plain)
{
	struct rs_source source = { .memory = bytes, .fd = -1, .size = size };
	struct rs_pe pe = { 0 };
	memset(twin, 0, sizeof *twin);
	options.warn = twin_warn;
	options.context = twin;
	options.plain_walk = plain;
	twin->ret = rs_pe_read(&pe, &source, &twin->err);
	if (twin->ret == 0)
		twin->ret = debuginfo_read(&twin->di, &pe, &source, &options, &twin->err);
	rs_pe_clear(&pe);
}

static inline bool twin_has(const void *a, uint32_t a_count, const void *b, uint32_t b_count, size_t size)
{
	return a_count == b_count && (a_count == 0 || memcmp(a, b, a_count * size) == 0);
}

/* What A and B differ in; NULL if they are equal. */
static inline const char *twins_difference(const struct twin *a, const struct twin *b)
{
	const struct debuginfo *x = &a->di, *y = &b->di;
	if (a->ret != b->ret || (a->ret < 0 && (a->err.code != b->err.code || strcmp(a->err.what, b->err.what) != 0)))
		return "error";
	if (strcmp(a->warnings, b->warnings) != 0)
		return "warnings";
	if (!twin_has(x->strings.bytes, x->strings.length, y->strings.bytes, y->strings.length, 1))
		return "strings";
	if (!twin_has(x->rows, x->row_count, y->rows, y->row_count, sizeof *x->rows))
		return "rows";
	if (!twin_has(x->frames, x->frame_count, y->frames, y->frame_count, sizeof *x->frames))
		return "frames";
	if (!twin_has(x->functions, x->function_count, y->functions, y->function_count, sizeof *x->functions))
		return "functions";
	return memcmp(&x->counts, &y->counts, sizeof x->counts) == 0 ? NULL : "counts";
}

#endif
