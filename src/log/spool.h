/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spool.h - dumps that are no files: each becomes a file without a name, which the child that reads dumps gets
 *
 * The files are opened while that is allowed; later they are only written.
 */
#ifndef LOG_SPOOL_H
#define LOG_SPOOL_H

#include "tool/strbuf.h"

#include <stdbool.h>
#include <stdio.h>

enum {
	SPOOL_FILES = 8,	/* dumps in archives, the most in a run */
	SPOOL_INPUT = 256 << 20 /* bytes of standard input, the most */
};

/* If standard input is no file and begins as a dump, let it be a file with the same bytes.  Else append to *BEGUN what was
   read to find out.  False after a message. */
bool spool_input(struct strbuf *begun);

/* All zeros: none. */
struct spool {
	FILE *files[SPOOL_FILES];
	char *names[SPOOL_FILES]; /* of the dumps */
	unsigned count, used;
};

void spool_open(struct spool *spool);
void spool_close(struct spool *spool);

/* Write SIZE BYTES of the dump NAME, which is copied to *KEPT, to the next file.  Returns its descriptor, which stays the
   spool's, as *KEPT does; -1: it cannot be written, and errno says why.  There must be a file left. */
int spool_put(struct spool *spool, const char *name, const void *bytes, size_t size, const char **kept);

#endif
