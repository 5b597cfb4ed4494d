/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * archives.h - the files in all archives of a run
 *
 * Each archive is read by a worker of its own (archive-worker.h).  A few workers stay alive, because each can continue after the
 * file that it read last.  A worker that is started again gets the tree of archives from here, and need not list them.
 *
 * Archive numbers count through the run: first an archive on disk, then the archives in it, then the next one on disk.
 */
#ifndef LOG_ARCHIVE_ARCHIVES_H
#define LOG_ARCHIVE_ARCHIVES_H

#include "log/archive/archive.h"
#include "log/archive/unpacked.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct archives;
struct worker_table;

/* Returns NULL if there is no memory.  BUDGET and WORKERS must stay valid until archives_free(). */
struct archives *archives_new(struct budget *budget, struct worker_table *workers);
void archives_free(struct archives *archives);

/* Called for each inner file: a file in an archive.  NAME, the file's path in the archive that directly holds it, is
   valid during the call.  Return false to end the listing. */
typedef bool archives_visit(void *context, const char *name, const struct archives_place *place);

/* Call VISIT for all files in the archive PATH, those of inner archives included.  Returns 0, or -1 after an error;
   VISIT has been called for what could be read. */
int archives_list(struct archives *archives, const char *path, archives_visit *visit, void *context,
		  struct archives_error *err);

/* Read one inner file.  Returns its content, or NULL after an error.  The caller must give the content back: to
   archives_release(), after which it stays in memory until others need the room, and which does nothing if CONTENT is
   NULL; or to archives_drop(), which frees it at once.  If the worker has failed (err->broken), a message has been printed, and err->reported is true. */
struct content *archives_read(struct archives *archives, const struct archives_place *place,
			      struct archives_error *err);
void archives_release(struct archives *archives, struct content *content);
void archives_drop(struct archives *archives, struct content *content);

/* Returns the number of the outermost ISO that an inner file is in; UINT32_MAX if it is in none. */
uint32_t archives_outermost_iso(const struct archives *archives, const struct archives_place *place);

/* Whether an inner file is in an ISO that can be read at any offset.  Then reading the file costs only its own
   bytes. */
bool archives_is_in_place(const struct archives *archives, const struct archives_place *place);

/* Whether a worker has crashed or failed otherwise, which a message has reported.  ARCHIVES may be NULL. */
bool archives_crashed(const struct archives *archives);

#endif
