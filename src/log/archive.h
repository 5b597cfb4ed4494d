/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * archive.h - read files out of ISO, ZIP, 7z and CAB archives, and out of archives in them; the only user of libarchive
 *
 * ReactOS is downloaded as a zip that holds an ISO, which holds a cabinet with most of the system.  To read one inner file, the
 * outer one is read from its beginning; only the last inner cabinet, zip or 7z is kept in memory between calls.  Nothing is ever
 * unpacked to disk, so a name in an archive is never used as a path.
 *
 * The sizes and counts that an archive states are untrusted.  What is really read is counted, and an archive that exceeds a limit
 * is an error.
 */
#ifndef LOG_ARCHIVE_H
#define LOG_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether this program can read archives. */
extern const bool archives_available;

enum {
	ARCHIVES_DEPTH = 4,		/* levels of archives, the outermost included */
	ARCHIVES_FILE_MAX = 128 << 20	/* the largest file that can be read, in bytes */
};

/* The place of an inner file: on each level, from the outermost archive on, the number of the entry, counted from 0. */
struct archives_place {
	uint32_t entry[ARCHIVES_DEPTH];
	unsigned depth;
};

struct archives;			/* the inner archive that is kept between calls */

struct archives *archives_new(void);	/* returns NULL if there is no memory */
void archives_free(struct archives *archives);

/* Called for each inner file.  NAME, its path in the innermost archive, is valid during the call.  Return false to end the
   listing. */
typedef bool archives_visit(void *data, const char *name, const struct archives_place *place);

/* An error message; it may contain names from the archive, not masked. */
struct archives_error {
	char what[256];
};

/* Call VISIT for all files in the archive PATH, those of inner archives included.  Returns 0, or -1 after an error; VISIT has been
   called for what could be read. */
int archives_list(struct archives *archives, const char *path, archives_visit *visit, void *data,
		 struct archives_error *err);

/* Read one inner file into memory that the caller frees.  Returns 0, or -1 after an error. */
int archives_read(struct archives *archives, const char *path, const struct archives_place *place, void **content,
		 size_t *size, struct archives_error *err);

#endif
