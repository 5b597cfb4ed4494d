/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * archive.h - files inside ISO, ZIP, 7z and CAB files, and inside such files in those; the only user of libarchive
 *
 * People have ReactOS as it is downloaded: an ISO in a zip, most of the system in a cabinet in the ISO.  Such a file is read
 * from its beginning as often as something is wanted from it; the last cabinet (zip, 7z) that stood in another archive
 * is kept in memory.  Nothing is ever written anywhere, so names in archives are names and nothing else.
 *
 * All sizes and counts in an archive are lies until it has been read.  There are limits for what one file may make us
 * do; an archive beyond them is an error.
 */
#ifndef LOG_ARCHIVE_H
#define LOG_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether this program can read archives. */
extern const bool archives_available;

enum {
	ARCHIVES_DEPTH = 4,		/* archives in each other, the outermost included */
	ARCHIVES_FILE_MAX = 128 << 20	/* bytes of a file that can be read out of one */
};

/* Which file: for each archive on the way, the number of the entry in it. */
struct archives_place {
	uint32_t entry[ARCHIVES_DEPTH];
	unsigned depth;
};

struct archives;			/* what is kept from one call to the next */

struct archives *archives_new(void);	/* NULL: no memory */
void archives_free(struct archives *archives);

/* Whether the file's name says that it is an archive. */
bool archives_is_name(const char *name, size_t length);

/* An inner file.  NAME, a path inside the innermost archive, is valid during the call.  False ends the listing. */
typedef bool archives_visit(void *data, const char *name, const struct archives_place *place);

/* What went wrong, as an English phrase; it may contain names from the archive. */
struct archives_error {
	char what[256];
};

/* List the files in the file PATH.  -1 on an error, after what could be read has been listed. */
int archives_list(struct archives *archives, const char *path, archives_visit *visit, void *data,
		 struct archives_error *err);

/* Read one of them; the caller frees *CONTENT.  -1 on an error. */
int archives_read(struct archives *archives, const char *path, const struct archives_place *place, void **content,
		 size_t *size, struct archives_error *err);

#endif
