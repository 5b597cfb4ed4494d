/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dump-serve.h - makes the report of a dump: in a child, or in this process */
#ifndef LOG_DUMPS_DUMP_SERVE_H
#define LOG_DUMPS_DUMP_SERVE_H

#include "report/report.h"
#include "log/dumps/dump-message.h"

/* Make the report of the file FD. */
struct dump_answer dump_make(int fd, const struct dump_image_source *images, struct strbuf *report,
			     struct report_problems *problems);

/* In a child of the server: make the report of FILE, and send it through WRITING.  Questions about images go there, too,
   and their answers come through READING. */
void dump_serve(int file, int reading, int writing);

#endif
