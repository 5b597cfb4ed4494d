/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * archive.h - reads files out of one ISO, ZIP, 7z or CAB archive, and out of archives in it
 *
 * ReactOS is downloaded as a zip that holds an ISO, which holds a cabinet with most of the system.  An archive
 * is listed once; the places of its files are remembered, with the archives that it holds.  How a file is read
 * then depends on where it is:
 *
 *	in an ISO or zip	at its place, without going through the others
 *	in a cabinet or 7z	its entries are packed together, so all of them up to the file are unpacked.  The next file is read
 *				from there on.  When it lies before, all are unpacked again, and now every image that passes is
 *				kept: files that are wanted in any order cost two passes, not one pass each
 *
 * An archive in an ISO that is a file is a part of that file.  An ISO or a cabinet in another archive is unpacked as it
 * is read, and the ISO then is read as a cabinet is.  A zip, a 7z, and a cabinet in a 7z are held in memory.  Nothing
 * is ever unpacked to disk, so a name in an archive is never used as a path.
 *
 * The sizes and counts that an archive states are untrusted.  What is really read is counted, and there is a budget for
 * it (budget.h), for all archives together.  This code runs in a child where the system has fork() (archive-child.h).
 */
#ifndef LOG_ARCHIVE_ARCHIVE_H
#define LOG_ARCHIVE_ARCHIVE_H

#include "log/archive/archive-stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	ARCHIVES_DEPTH = 4,	       /* levels of archives, the outermost included */
	ARCHIVES_MOST = 1024,	       /* archives, inner ones included */
	ARCHIVES_FILE_MAX = 128 << 20, /* the largest file that can be read, in bytes */
	ARCHIVES_LONGEST_NAME = 4096,  /* files with longer names are left out */
};

/* The place of a file: the number of its archive, the number of the entry in it, and the offset and size of its bytes
   as far as they are known. */
struct archives_place {
	uint32_t archive, entry;
	uint64_t at, size;
};

/* How the bytes of an archive are reached. */
enum archive_way {
	WAY_FILE,   /* it is a file */
	WAY_PART,   /* it is a part of the ISO that it is in */
	WAY_STREAM, /* it is in a packed archive, and unpacked as it is read */
	WAY_MEMORY, /* its bytes are unpacked into memory */
};

/* What listing has found out about an archive.  Number 0 is the outermost one, and each other one has a higher number
   than the archive that it is in. */
struct holder {
	uint8_t way;	/* enum archive_way */
	uint8_t format; /* enum container_format */
	uint8_t depth;	/* 1: the outermost */
	/* 1: it is an ISO, and the bytes of its entries are at the offsets that libarchive tells */
	uint8_t in_place;
	uint8_t keeps_passed; /* 1: images that are passed on the way to another file are kept */
	uint32_t entries;
	struct archives_place place; /* where it is in its outer archive; unused with WAY_FILE */
};

/* Functions that the reader of an archive calls in the program around it. */
struct archive_host {
	/* Called for each inner file.  NAME, its path in the innermost archive, is valid during the call.  Return false
	   to end the listing. */
	bool (*visit)(void *context, const char *name, const struct archives_place *place);
	/* Returns how many bytes the archive may hold in memory: WANTED, or fewer if that is too many. */
	size_t (*room)(void *context, size_t wanted);
	void *context;
};

struct archive;

/* Open the archive in the file FILE.  FILE must stay open, and BUDGET and HOST must stay in place, until
   archive_close().  NULL: an error. */
struct archive *archive_open(int file, struct budget *budget, const struct archive_host *host,
			     struct archives_error *err);
void archive_close(struct archive *archive);

/* List all files, those of inner archives included, but of at most MOST archives.  Returns 0, or -1 after an error;
   then what could be read has been listed. */
int archive_list(struct archive *archive, uint32_t most, struct archives_error *err);

/* Get what the listing has found out about COUNT archives, at most ARCHIVES_MOST; and give it to another struct archive
   of the same file, which then need not be listed. */
const struct holder *archive_holders(const struct archive *archive, uint32_t *count);
void archive_restore(struct archive *archive, const struct holder *holders, uint32_t count);

/* Read the file at PLACE into memory that the caller frees.  ROOM: how many bytes may be in memory, as far as is
   known; more are asked for with room().  Returns 0, or -1 after an error. */
int archive_read(struct archive *archive, const struct archives_place *place, size_t room, void **bytes, size_t *size,
		 struct archives_error *err);

/* How many bytes of inner archives and passed images are in memory. */
size_t archive_held(const struct archive *archive);

#endif
