/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * archives.h - reads files in all archives that the program uses, by worker processes
 *
 * libarchive and the libraries below it parse untrusted bytes, and a hostile archive may take control of them.  So each
 * archive is read by a worker process of its own (tool/process/worker.h), whose answers are checked.  A worker that an
 * archive has taken over can make up names and contents of that archive, but not of others, and it gets no more memory,
 * time or budget than an honest one.  A few workers stay alive, because each can continue after the file that it read
 * last.  A worker that is started again gets the tree of archives from this process, and need not list them.  Where
 * there is no fork(), this program reads archives itself.
 *
 * Archive numbers count through the run: first an archive on disk, then the archives in it, then the next one on disk.
 */
#ifndef LOG_ARCHIVE_ARCHIVES_H
#define LOG_ARCHIVE_ARCHIVES_H

#include "log/archive/archive.h"
#include "log/archive/unpacked.h"
#include "tool/process/worker.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The worker table has a slot for each worker that may run at the same time: the first slots are for archives, then one
   is for dumps, and the others are for images. */
enum { ARCHIVE_WORKERS = 4, DUMP_SLOT = ARCHIVE_WORKERS, IMAGE_SLOT, IMAGE_WORKERS = WORKERS_MAX - IMAGE_SLOT };

struct archives;

/* Returns NULL if there is no memory.  BUDGET and WORKERS must stay valid until archives_free(). */
struct archives *archives_new(struct budget *budget, struct worker_table *workers);
void archives_free(struct archives *archives);

/* Call VISIT for all files in the archive PATH, those of inner archives included.  Returns 0; or -1 after an error,
   when VISIT has been called for the files that could be read. */
int archives_list_files(struct archives *archives, const char *path, archives_visit *visit, void *context,
			struct archives_error *err);

/* Read the inner file at PLACE.  Returns its content, or NULL after an error.  The caller must give the content back,
   to one of two functions: archives_release_content() keeps it in memory until others need the room, and does nothing
   if CONTENT is NULL; archives_drop_content() frees it at once.  If the worker has failed (err->broken), a message has
   been printed, and err->reported is true. */
struct content *archives_read_file(struct archives *archives, const struct archives_place *place,
				   struct archives_error *err);
void archives_release_content(struct archives *archives, struct content *content);
void archives_drop_content(struct archives *archives, struct content *content);

/* Whether a worker has crashed, or failed in another way; a message has reported that.  ARCHIVES may be NULL. */
bool archives_have_crashed(const struct archives *archives);

/* Run in a worker (worker_table_start()): drop all privileges, then answer requests about CHANNEL's archive. */
void archive_serve_requests(struct channel *channel);

#endif
