/* SPDX-License-Identifier: GPL-2.0-or-later */
/* archived-dumps.h - dumps and logs in an archive that is named on the command line in place of a log */
#ifndef LOG_ARCHIVED_DUMPS_H
#define LOG_ARCHIVED_DUMPS_H

#include "log/find/file-index.h"

#include <stdbool.h>

enum { ARCHIVED_DUMPS_MAX = 64 }; /* the most files named like dumps or logs that are read from an archive */

/* The files of an archive with names of dumps (*.dmp, *.mdmp, *.hdmp) or logs; or the only file in a compressed one. */
struct archived_dumps {
	const char *path; /* the path of the archive */
	bool is_one;	  /* `path` is one compressed file, no archive */
	struct archived_dump {
		struct archives_place place;
		char *name;  /* "ARCHIVE:NAME"; `path` if `is_one` */
		bool is_log; /* the file is a log; other files are used only if they have a dump's signature */
	} files[ARCHIVED_DUMPS_MAX];
	size_t count;
	bool no_memory;
};

/* Whether the file PATH begins like a zip, 7z, cabinet or compressed file, and this program can read archives. */
bool archived_dumps_is_archive(const char *path);

/* Store in *FOUND the first ARCHIVED_DUMPS_MAX dumps and logs in the archive PATH; warn if it has more.  Returns false,
   after a message, if listing the archive fails.  archived_dumps_clear() frees the names. */
bool archived_dumps_list(struct archived_dumps *found, struct index *index, const char *path);
void archived_dumps_clear(struct archived_dumps *found);

#endif
