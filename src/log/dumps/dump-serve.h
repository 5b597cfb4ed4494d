/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dump-serve.h - makes the report of a dump, in a child or in this process */
#ifndef LOG_DUMPS_DUMP_SERVE_H
#define LOG_DUMPS_DUMP_SERVE_H

#include "report/report.h"
#include "log/dumps/dump-message.h"

/* Append the report of the dump FD to REPORT, and what is wrong with the dump to PROBLEMS.  Returns their sizes, and
   whether there is a report. */
struct dump_answer dump_make(int fd, const struct dump_image_source *images, struct strbuf *report,
			     struct report_problems *problems);

/* What the child does, for forkserver_start(): drop all privileges, make the report of the dump FILE, and exit.  The
   pipe WRITING gets questions about images, then the report; READING has the answers (dump-message.h). */
void dump_serve(int file, int reading, int writing);

#endif
