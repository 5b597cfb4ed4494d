/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * archive.h - reads files out of one ISO, ZIP, 7z or CAB archive, and out of archives in it
 *
 * ReactOS is downloaded as a zip that holds an ISO, which holds a cabinet with most of the system.
 * archive_list_files() finds all files, those of inner archives included, and the caller stores their places (struct
 * archives_place).  archive_read_file() then reads a file in one of two ways:
 *
 *	in an ISO or zip	directly: no other entry is read
 *	in a cabinet or 7z	sequentially: entries are compressed together, so all before the file are unpacked,
 *				too.  Images among them are kept in memory.  The reader stays open after the file, and
 *				continues there: so files that are read in any order cost one pass, if memory suffices
 *
 * There are three ways to the bytes of an inner archive (enum archive_access):
 *
 *	ACCESS_RANGE	for an archive that is in an ISO, uncompressed
 *	ACCESS_STREAM	for any other ISO, which is then read sequentially, too
 *	ACCESS_MEMORY	for a zip, a 7z and a cabinet
 *
 * This code unpacks into memory only, and never uses a name in an archive as a path.
 *
 * The sizes and counts that an archive states are untrusted.  What is really read and unpacked counts against one
 * budget for all archives (budget.h).  On a system with fork(), this code runs in a worker (archives.h).
 */
#ifndef LOG_ARCHIVE_ARCHIVE_H
#define LOG_ARCHIVE_ARCHIVE_H

#include "log/archive/archive-stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	ARCHIVES_DEPTH = 4,		      /* the most levels of archives in archives, the outermost included */
	ARCHIVES_MAX = 1024,		      /* the most archives, inner ones included */
	ARCHIVES_FILE_SIZE_MAX = 128 << 20,   /* the largest file that can be read, in bytes */
	ARCHIVES_NAME_LENGTH_MAX = 4096,      /* files with longer names are left out */
	ARCHIVES_NAMES_LENGTH_MAX = 64 << 20, /* the most bytes of all names in an archive and in those inside it */
	ARCHIVES_HELD_MAX = 512 << 20,	      /* the most bytes of inner archives and kept images in memory */
};

/* Where a file is: the number of its archive, and of its entry in the archive, both from 0.  `at` and `size` are offset
   and size of its bytes in the archive, as libarchive reports them. */
struct archives_place {
	uint32_t archive, entry;
	uint64_t at, size;
	/* The outermost ISO that the file is in: its number within the archive on disk; ARCHIVES_NO_ISO: none. */
	uint32_t iso;
	/* 1: its archive is an ISO that can be read at any offset, so the file costs only its own bytes */
	uint32_t in_place;
};
#define ARCHIVES_NO_ISO UINT32_MAX

/* How the bytes of an archive are read. */
enum archive_access {
	ACCESS_FILE,   /* from a file on disk: the outermost archive */
	ACCESS_RANGE,  /* from a range of bytes of the ISO that the archive is in */
	ACCESS_STREAM, /* from the reader of the outer archive, which unpacks them piece by piece */
	ACCESS_MEMORY, /* from memory, into which the archive was unpacked */
};

/* An archive in the tree of archives that archive_list_files() finds.  Number 0 is the outermost; each other archive
   has a higher number than the one that it is in. */
struct archive_node {
	uint8_t access; /* enum archive_access */
	uint8_t format; /* enum container_format */
	uint8_t depth;	/* the level of nesting; 1: the outermost archive */
	/* 1: the archive is an ISO, and the bytes of its entries are at the offsets that libarchive reports */
	uint8_t in_place;
	uint32_t entries;	     /* how many entries have been listed */
	struct archives_place place; /* where this archive is in the outer one; unused with ACCESS_FILE */
};

/* A function that is called for each inner file: a file of the archive or of an archive in it.  NAME, the file's path
   in the archive that directly holds it, is valid during the call.  Return false to end the listing. */
typedef bool archives_visit(void *context, const char *name, const struct archives_place *place);

struct archive;

/* Whether NAME is longer than END, and ends with END, without regard to case. */
bool archive_name_ends_with(const char *name, const char *end);

/* Open the archive in the file with descriptor FILE.  FILE and BUDGET must stay valid until archive_close().  Returns
   NULL after storing an error in *ERR. */
struct archive *archive_open(int file, struct budget *budget, struct archives_error *err);
void archive_close(struct archive *archive);

/* Free everything that is in memory only to make later reading faster. */
void archive_free_caches(struct archive *archive);

/* Call VISIT for all inner files.  If there are more than MOST archives, that is an error.  Returns 0; or -1 after an
   error, when VISIT has been called for the files that could be read. */
int archive_list_files(struct archive *archive, uint32_t most, archives_visit *visit, void *context,
		       struct archives_error *err);

/* Returns the tree of archives that archive_list_files() has found, and stores its size, at most ARCHIVES_MAX, in
   *COUNT.  archive_set_nodes() gives it to another struct archive of this file, which then need not list the file. */
const struct archive_node *archive_get_nodes(const struct archive *archive, uint32_t *count);
void archive_set_nodes(struct archive *archive, const struct archive_node *nodes, uint32_t count);

/* Read the file at PLACE into memory that the caller frees.  Returns 0, or -1 after an error. */
int archive_read_file(struct archive *archive, const struct archives_place *place, void **bytes, size_t *size,
		      struct archives_error *err);

#endif
