/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz.h - what fuzz targets share
 *
 * A target gets any bytes and feeds them to one part of the project.  It must() hold what that part promises for any
 * input.  Linked with clang's libFuzzer it makes its own inputs; linked with replay.c it is given files.  The standard
 * headers that this includes are the target's, too.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Always 0.  DATA is a block of exactly SIZE bytes. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define must(promise) ((promise) ? (void)0 : fuzz_broken(#promise, __FILE__, __LINE__))

static inline void fuzz_broken(const char *promise, const char *file, int line)
{
	fprintf(stderr, "%s:%d: broken: %s\n", file, line, promise);
	abort();
}

/* DATA as a text, with SLACK more bytes of room after the NUL, to be freed; NULL: no memory. */
static inline char *fuzz_text(const uint8_t *data, size_t size, size_t slack)
{
	char *text = calloc(1, size + 1 + slack);
	if (text && size)
		memcpy(text, data, size);
	return text;
}

#endif
