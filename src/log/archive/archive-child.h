/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * archive-child.h - reads an archive in a child process that can use only its two pipes and the file of the archive
 *
 * libarchive and the libraries below it parse untrusted bytes, and a hostile archive may take control of them.  So each
 * archive has a child of its own (tool/process/forkserver.h, archive-serve.h), and its replies are checked.  A child
 * that an archive has taken over can make up names and contents of that archive, but not of others, and it gets no
 * more memory, time or budget than an honest child.  Where there is no fork(), this program reads the archive itself.
 */
#ifndef LOG_ARCHIVE_ARCHIVE_CHILD_H
#define LOG_ARCHIVE_ARCHIVE_CHILD_H

#include "log/archive/archive.h"
#include "tool/process/forkserver.h"

struct archive_child;

/* What archive_child_start() needs besides the file.  The structure is copied; what its pointers point to must stay
   valid until archive_child_end(). */
struct archive_child_config {
	struct forkserver *server;
	unsigned slot; /* the child's slot at the server (forkserver.h) */
	/* Its visit() is called only with arguments that have been checked: the name has at most
	   ARCHIVES_NAME_LENGTH_MAX bytes, and place->archive is below the MOST of archive_child_list(). */
	struct archive_host host;
	struct budget *budget;
	/* How many milliseconds this program may still wait for children of this archive: ARCHIVE_PATIENCE at first.
	   Waiting for an answer uses some; work that the child reports adds some. */
	int64_t *patience;
	/* The tree of archives, which an earlier child has listed (archive_nodes()); or NULL. */
	const struct archive_node *nodes;
	uint32_t node_count;
};

/* The slots of the server: the first are for archives, then there is one for dumps, and the others are for images.  So
   many children of each kind may run at the same time. */
enum {
	ARCHIVE_CHILDREN = 4,
	DUMP_SLOT = ARCHIVE_CHILDREN,
	IMAGE_SLOT,
	IMAGE_CHILDREN = FORKSERVER_CHILDREN_MAX - IMAGE_SLOT
};

enum { ARCHIVE_PATIENCE = 60 * 1000 }; /* ms */

/* Start a child for the open file FILE, which the caller may close afterwards.  NULL: an error. */
struct archive_child *archive_child_start(int file, const struct archive_child_config *config,
					  struct archives_error *err);
void archive_child_end(struct archive_child *child);

/* archive_child_list() and archive_child_read() do what archive_list() and archive_read() do.  The first one also
   stores the tree of archives in *NODES (archive_nodes()), valid until the next call.  If err->broken is set, only
   archive_child_end() may follow; then *NODES has an element of zeroes for each archive up to the last one of which
   visit() got a file. */
int archive_child_list(struct archive_child *child, uint32_t most, const struct archive_node **nodes, uint32_t *count,
		       struct archives_error *err);
int archive_child_read(struct archive_child *child, const struct archives_place *place, size_t room, void **bytes,
		       size_t *size, struct archives_error *err);

/* Returns archive_held() of the child, as it was after the last call. */
size_t archive_child_held(const struct archive_child *child);

#endif
