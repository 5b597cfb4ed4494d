/* SPDX-License-Identifier: GPL-2.0-or-later */
/* archived-dumps.h - the crash dumps in an archive that is an operand */
#ifndef LOG_ARCHIVED_DUMPS_H
#define LOG_ARCHIVED_DUMPS_H

#include "log/find/file-index.h"

#include <stdbool.h>

/* Whether the file PATH begins as a zip, 7z or cabinet, and archives can be read. */
bool archived_dumps_may_be(const char *path);

/* A dump: its bytes, which are valid during the call, and its name, "ARCHIVE:NAME".  False: go no further. */
typedef bool archived_dumps_visit(void *context, const char *name, const void *bytes, size_t size);

/* Call VISIT for each file in the archive PATH that has the name of a dump and begins as one.  Returns how many there were; -1
   after a message, about what cannot be read or from VISIT. */
int archived_dumps_each(struct index *index, const char *path, archived_dumps_visit *visit, void *context);

#endif
