/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * archive.h - read files out of ISO, ZIP, 7z and CAB archives, and out of archives in them
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
 * An archive in an ISO that is a file is a part of that file.  An ISO or a cabinet in another archive is unpacked as it is
 * read, and the ISO then is read as a cabinet is.  A zip, a 7z, and a cabinet in a 7z are held in memory.  Nothing is ever
 * unpacked to disk, so a name in an archive is never used as a path.
 *
 * The sizes and counts that an archive states are untrusted.  What is really read is counted, and there is a budget for it
 * (budget.h), for all archives together.
 */
#ifndef LOG_ARCHIVE_H
#define LOG_ARCHIVE_H

#include "log/contents.h"
#include "log/unpack.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	ARCHIVES_DEPTH = 4,		/* levels of archives, the outermost included */
	ARCHIVES_FILE_MAX = 128 << 20	/* the largest file that can be read, in bytes */
};

/* The place of a file: the number of its archive, the number of the entry in it, and the offset and size of its bytes as far as
   they are known. */
struct archives_place {
	uint32_t archive, entry;
	uint64_t at, size;
};

struct archives;

/* Returns NULL if there is no memory.  BUDGET must stay until archives_free(). */
struct archives *archives_new(struct budget *budget);
void archives_free(struct archives *archives);

/* Called for each inner file.  NAME, its path in the innermost archive, is valid during the call.  Return false to end the
   listing. */
typedef bool archives_visit(void *data, const char *name, const struct archives_place *place);

/* Call VISIT for all files in the archive PATH, those of inner archives included.  Returns 0, or -1 after an error; VISIT
   has been called for what could be read. */
int archives_list(struct archives *archives, const char *path, archives_visit *visit, void *data,
		 struct archives_error *err);

/* Read one inner file.  Returns what the caller must give to archives_release(), or NULL after an error. */
struct content *archives_read(struct archives *archives, const struct archives_place *place, struct archives_error *err);
void archives_release(struct archives *archives, struct content *content);

/* Returns a number for the outermost ISO that an inner file is in; all files in no ISO have the same number. */
uint32_t archives_disc(const struct archives *archives, const struct archives_place *place);

/* Free CONTENT, which has been released, at once.  Otherwise it is kept until others need the room. */
void archives_drop(struct archives *archives, struct content *content);

/* Whether an inner file can be read without unpacking, as in an ISO that is a file.  Then origin_read() reads it from *ORIGIN. */
bool archives_in_place(const struct archives *archives, const struct archives_place *place, struct origin *origin);

#endif
