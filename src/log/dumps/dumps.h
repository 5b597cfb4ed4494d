/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dumps.h - crash dumps as logs: makes a text report of each (report/report.h), which is then read as a log
 *
 * Dumps are untrusted, as archives are, so a sandboxed child (tool/process/forkserver.h) makes the report.  It asks
 * this program for the images of modules (dump-images.h).  The child's report is used only if it is complete, and
 * trusted no more than any log.  Without fork() there is no child, and this program reads the dump itself.
 */
#ifndef LOG_DUMPS_DUMPS_H
#define LOG_DUMPS_DUMPS_H

#include "dump/images.h"
#include "tool/process/forkserver.h"
#include "tool/strbuf.h"

#include <stdbool.h>

/* Whether FD is a regular file at offset 0 that begins as a dump. */
bool dumps_is(int fd);

/* Whether FILE begins as a dump.  Unlike dumps_is(), works in a sandbox, where fstat() may be refused. */
bool dumps_begins(int file);

/* Append the report of the dump FD to REPORT.  NAME is for messages; IMAGES have memory that the dump lacks.  Returns
   false if there is no report, after a message.  *WHOLE becomes true if the dump has no damage; else
   messages name the damage. */
bool dumps_read(struct forkserver *server, int fd, const char *name, const struct dump_image_source *images,
		struct strbuf *report, bool *whole);

#endif
