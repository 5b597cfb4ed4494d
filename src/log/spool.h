/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spool.h - dumps from standard input or archives, each copied to a temporary file without a name
 *
 * The child that reads dumps needs a file in which it can seek.  The files are opened while the program may still open
 * files; later the program writes each of them once, and a child reads it.
 */
#ifndef LOG_SPOOL_H
#define LOG_SPOOL_H

#include "tool/strbuf.h"

#include <stdbool.h>
#include <stdio.h>

enum {
	SPOOL_FILES = 8,	/* the most dumps from archives in a run */
	SPOOL_INPUT = 256 << 20 /* the most bytes of a dump from standard input */
};

/* If standard input is neither a regular file nor a terminal, and begins with the signature of a dump, replace it by a
   temporary file with the same bytes.  Otherwise append to *BEGUN the bytes that were read to find that out.  Returns
   false after a message. */
bool spool_piped_dump(struct strbuf *begun);

/* The files for dumps from archives.  All zeros: there are none. */
struct spool {
	FILE *files[SPOOL_FILES];
	char *names[SPOOL_FILES]; /* names of the dumps for which spool_dump() was called */
	unsigned count;		  /* how many files are open */
	unsigned used;		  /* how many of them spool_dump() has used, even if it failed */
};

/* Open the files; fewer than SPOOL_FILES if that fails. */
void spool_open(struct spool *spool);
void spool_close(struct spool *spool);

/* Write SIZE BYTES of the dump NAME to the next file, and store a copy of NAME in *KEPT_NAME.  Returns
   the file's descriptor; it and *KEPT_NAME belong to the spool.  Returns -1 with errno if the file cannot be written.  spool->used must
   be less than spool->count. */
int spool_dump(struct spool *spool, const char *name, const void *bytes, size_t size, const char **kept_name);

#endif
