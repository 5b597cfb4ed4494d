/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * archive.h - reads files out of one ISO, ZIP, 7z or CAB archive, and out of archives in it
 *
 * ReactOS is downloaded as a zip that holds an ISO, which holds a cabinet with most of the system.  archive_list()
 * finds all files, those of inner archives included, and the caller stores where each is (struct archives_place).
 * archive_read() then reads a file in one of two ways:
 *
 *	in an ISO or zip	directly: no other entry is read
 *	in a cabinet or 7z	sequentially: entries are compressed together, so all before the file are unpacked,
 *				too.  The reader stays open after the file, and continues there if the next file
 *				comes later.  If it comes earlier, a second pass begins, which keeps every image
 *				that it unpacks: files that are read in any order cost two passes, not one pass each
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
 * budget for all archives (budget.h).  On a system with fork(), this code runs in a worker (archive-worker.h).
 */
#ifndef LOG_ARCHIVE_ARCHIVE_H
#define LOG_ARCHIVE_ARCHIVE_H

#include "log/archive/archive-stream.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	ARCHIVES_DEPTH = 4,		      /* levels of archives, the outermost included */
	ARCHIVES_MAX = 1024,		      /* archives, inner ones included */
	ARCHIVES_FILE_SIZE_MAX = 128 << 20,   /* the largest file that can be read, in bytes */
	ARCHIVES_NAME_LENGTH_MAX = 4096,      /* files with longer names are left out */
	ARCHIVES_NAMES_LENGTH_MAX = 64 << 20, /* bytes of all names in an archive and in those inside it */
};

/* Where a file is: the number of its archive, and the number of its entry in the archive.  AT and SIZE are the offset
   and the size of its bytes in the archive, as libarchive reports them. */
struct archives_place {
	uint32_t archive, entry;
	uint64_t at, size;
};

/* How the bytes of an archive are read. */
enum archive_access {
	ACCESS_FILE,   /* from a file on disk: the outermost archive */
	ACCESS_RANGE,  /* from a range of bytes of the ISO that the archive is in */
	ACCESS_STREAM, /* from the reader of the outer archive, which unpacks them piece by piece */
	ACCESS_MEMORY, /* from memory, into which the archive was unpacked */
};

/* An archive in the tree of archives that archive_list() finds.  Number 0 is the outermost; each other archive has a
   higher number than the one that it is in. */
struct archive_node {
	uint8_t access; /* enum archive_access */
	uint8_t format; /* enum container_format */
	uint8_t depth;	/* 1: the outermost */
	/* 1: it is an ISO, and the bytes of its entries are at the offsets that libarchive reports */
	uint8_t in_place;
	uint8_t keeps_passed; /* 1: the second pass has begun: keep each image that is unpacked on the way to a file */
	uint32_t entries;     /* how many entries have been listed */
	struct archives_place place; /* where it is in its outer archive; unused with ACCESS_FILE */
};

/* Whether the files of an archive are read sequentially, each after all entries before it. */
static inline bool archive_is_sequential(const struct archive_node *node)
{
	return node->access == ACCESS_STREAM || node->format == FORMAT_7Z || node->format == FORMAT_CAB;
}

/* Functions that the reader of an archive calls in the program around it. */
struct archive_host {
	/* Called for each file of the archive and of its inner archives.  NAME, the file's path in the archive that
	   directly holds it, is valid during the call.  Return false to end the listing. */
	bool (*visit)(void *context, const char *name, const struct archives_place *place);
	/* Try to make room for WANTED bytes.  Returns how many bytes of inner archives and kept images may be in
	   memory. */
	size_t (*room)(void *context, size_t wanted);
	void *context;
};

struct archive;

/* Whether NAME is longer than END, and ends with it, in any case. */
bool archive_name_ends(const char *name, const char *end);

/* Open the archive in the file FILE.  FILE must stay open, and BUDGET and HOST must stay in place, until
   archive_close().  NULL: an error. */
struct archive *archive_open(int file, struct budget *budget, const struct archive_host *host,
			     struct archives_error *err);
void archive_close(struct archive *archive);

/* Call the host's visit() for all files, those of inner archives included, but of at most MOST archives.  Returns 0, or
   -1 after an error; then visit() has been called for the files that could be read. */
int archive_list(struct archive *archive, uint32_t most, struct archives_error *err);

/* Returns the tree of archives that archive_list() found, and its size, at most ARCHIVES_MAX, in *COUNT.
   archive_restore() gives it to another struct archive of the same file, which then need not list the file again. */
const struct archive_node *archive_nodes(const struct archive *archive, uint32_t *count);
void archive_restore(struct archive *archive, const struct archive_node *nodes, uint32_t count);

/* Read the file at PLACE into memory that the caller frees.  ROOM: how many bytes of inner archives and kept images may
   be in memory; if that is too few, the host's room() is asked.  Returns 0, or -1 after an error. */
int archive_read(struct archive *archive, const struct archives_place *place, size_t room, void **bytes, size_t *size,
		 struct archives_error *err);

/* Returns how many bytes of inner archives and kept images are in memory. */
size_t archive_held_bytes(const struct archive *archive);

#endif
