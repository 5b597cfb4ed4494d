/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz.h - what fuzz targets share
 *
 * A target gets any bytes and feeds them to one part of the project.  It must() hold what that part promises for any
 * input.  Linked with clang's libFuzzer it makes its own inputs; linked with replay.c it is given files.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Always 0.  DATA is a block of exactly SIZE bytes. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define must(promise) ((promise) ? (void)0 : fuzz_broken(#promise, __FILE__, __LINE__))

static inline void fuzz_broken(const char *promise, const char *file, int line)
{
	fprintf(stderr, "%s:%d: broken: %s\n", file, line, promise);
	abort();
}

#endif
