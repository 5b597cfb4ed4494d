/* SPDX-License-Identifier: GPL-2.0-or-later */
/* archived-dumps.h - crash dumps in an archive that is named on the command line in place of a log */
#ifndef LOG_ARCHIVED_DUMPS_H
#define LOG_ARCHIVED_DUMPS_H

#include "log/find/file-index.h"

#include <stdbool.h>

/* Whether the file PATH begins with the signature of a zip, 7z or cabinet, and this program can read archives. */
bool archived_dumps_may_be(const char *path);

/* Called with the bytes of a dump, which are valid during the call, and its name, "ARCHIVE:NAME".  Returns false, after
   a message, to stop. */
typedef bool archived_dumps_visit(void *context, const char *name, const void *bytes, size_t size);

/* Call VISIT for each file in the archive PATH that has a dump's name (*.dmp, *.mdmp, *.hdmp) and signature.  Of more
   than 64 files with such names, only the first 64 are read, after a warning.  Returns how often it has called VISIT;
   -1 after a message if something cannot be read, or if VISIT has returned false. */
int archived_dumps_each(struct index *index, const char *path, archived_dumps_visit *visit, void *context);

#endif
