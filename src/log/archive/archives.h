/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * archives.h - the files in all archives of a run
 *
 * Each archive has a child that reads it (archive-child.h).  A few of them are kept, for they know where they have read
 * last; one that is started again is told what listing has found out.  Files of an ISO that need no unpacking are read
 * here: where they are in the ISO was said by its child, but nothing else than bytes of this ISO can be read by that.
 *
 * Archives are numbered: an archive, the archives in it, the next one.
 */
#ifndef LOG_ARCHIVE_ARCHIVES_H
#define LOG_ARCHIVE_ARCHIVES_H

#include "log/archive/archive.h"
#include "log/archive/unpacked.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct archives;
struct forkserver;

/* Returns NULL if there is no memory.  BUDGET and SERVER must stay until archives_free(). */
struct archives *archives_new(struct budget *budget, struct forkserver *server);
void archives_free(struct archives *archives);

/* Called for each inner file.  NAME, its path in the innermost archive, is valid during the call.  Return false to end
   the listing. */
typedef bool archives_visit(void *context, const char *name, const struct archives_place *place);

/* Call VISIT for all files in the archive PATH, those of inner archives included.  Returns 0, or -1 after an error;
   VISIT has been called for what could be read. */
int archives_list(struct archives *archives, const char *path, archives_visit *visit, void *context,
		  struct archives_error *err);

/* Read one inner file.  Returns what the caller must give to archives_release(), or NULL after an error.  If the child
   crashed, a message has said so. */
struct content *archives_read(struct archives *archives, const struct archives_place *place,
			      struct archives_error *err);
void archives_release(struct archives *archives, struct content *content);

/* Returns a number for the outermost ISO that an inner file is in; all files in no ISO have the same number. */
uint32_t archives_disc(const struct archives *archives, const struct archives_place *place);

/* Free CONTENT, which has been released, at once.  Otherwise it is kept until others need the room. */
void archives_drop(struct archives *archives, struct content *content);

/* Whether an inner file can be read without unpacking, as in an ISO that is a file.  Then origin_read() reads it from
   *ORIGIN, until archives_close_origin(). */
bool archives_in_place(const struct archives *archives, const struct archives_place *place, struct origin *origin);
void archives_close_origin(struct origin *origin);

/* Whether a message has said that a child crashed.  ARCHIVES may be NULL. */
bool archives_crashed(const struct archives *archives);

#endif
