/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * archive-child.h - an archive, read by a child that has no rights but its pipes and that file
 *
 * libarchive and the libraries below it read bytes from strangers, and a hostile archive may take them over.  So each
 * archive has a child of its own (tool/process/forkserver.h, archive-serve.h).  What it says is checked: it can tell
 * lies about its own archive, which is a stranger's anyway, but nothing about others; and it cannot take more memory,
 * time or budget than others can.  Where there is no fork(), this program reads the archive itself.
 */
#ifndef LOG_ARCHIVE_ARCHIVE_CHILD_H
#define LOG_ARCHIVE_ARCHIVE_CHILD_H

#include "log/archive/archive.h"
#include "tool/process/forkserver.h"

struct archive_child;

/* What all children share, and one of them needs. */
struct archive_use {
	struct forkserver *server;
	unsigned slot; /* of the child at the server */
	/* for a list, names and places are checked: no longer than ARCHIVES_LONGEST_NAME, in one of the archives */
	struct archive_host host;
	struct budget *budget;
	/* milliseconds that may be waited for the children of this archive; ARCHIVE_PATIENCE at the beginning */
	int64_t *patience;
	/* what an earlier child has found out about the archive, as archive_holders() returns it; or NULL */
	const struct holder *holders;
	uint32_t holder_count;
};

/* At the same time.  The last slot of the server is for dumps. */
enum { ARCHIVE_CHILDREN = FORKSERVER_MOST - 1 };

/* A minute; what the child takes from the budget adds to it. */
enum { ARCHIVE_PATIENCE = 60 * 1000 };

/* Start a child for the open file FILE, which stays the caller's.  NULL: an error. */
struct archive_child *archive_child_start(int file, const struct archive_use *use, struct archives_error *err);
void archive_child_end(struct archive_child *child);

/* As archive_list() and archive_read().  After a list, *HOLDERS is what archive_holders() returns, valid until the next
   call.  If *ERR says that the child is broken, only archive_child_end() may follow; then *HOLDERS has an entry without
   content for each archive that a place has named. */
int archive_child_list(struct archive_child *child, uint32_t most, const struct holder **holders, uint32_t *count,
		       struct archives_error *err);
int archive_child_read(struct archive_child *child, const struct archives_place *place, size_t room, void **bytes,
		       size_t *size, struct archives_error *err);

/* As archive_held(), after the last call. */
size_t archive_child_held(const struct archive_child *child);

#endif
