/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dumps.h - crash dumps among the logs: a report is made of each (report/report.h), and that is the log
 *
 * Dumps come from strangers, as archives do, and are read as these are: by a child without rights
 * (tool/process/forkserver.h), whose text is taken as that of any log, when it is complete.  Without fork() there is no
 * child, and the program reads the dump itself.  The child asks for bytes of modules' images (dump-images.h).
 */
#ifndef LOG_DUMPS_DUMPS_H
#define LOG_DUMPS_DUMPS_H

#include "dump/images.h"
#include "tool/process/forkserver.h"
#include "tool/strbuf.h"

#include <stdbool.h>

/* Whether FD is a file that begins as a dump, and nothing of it has been read. */
bool dumps_is(int fd);

/* In a child of the server, which may not ask more: whether FILE begins as a dump. */
bool dumps_begins(int file);

/* Append to REPORT that of the dump FD, whose name is NAME.  IMAGES have the memory that it lacks.  False after a
   message.  *WHOLE: nothing of the dump is damaged; else there were messages. */
bool dumps_read(struct forkserver *server, int fd, const char *name, const struct dump_image_source *images,
		struct strbuf *report, bool *whole);

#endif
