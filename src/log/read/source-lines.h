/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source-lines.h - show source lines from files below one directory
 *
 * File names come from a symbol table, so they are untrusted: no name may lead out of the directory.  A ".." removes
 * the part of the name before it, and nothing if there is none.  An absolute name is from the machine that built the
 * image; the longest tail of it that exists below the directory is read.  The files read last are kept in memory.
 *
 * The output has the form that log2lines gave it.
 */
#ifndef LOG_READ_SOURCE_LINES_H
#define LOG_READ_SOURCE_LINES_H

#include "log/read/settings.h"
#include "tool/strbuf.h"

struct sources;

/* Returns NULL if there is no memory.  ROOT, the directory, is not copied and must outlive the result. */
struct sources *sources_new(const char *root);
void sources_free(struct sources *sources);

/* Add to TEXT the lines of FILE that end with LINE, as many as SETTINGS say, the rule "| ----", and the lines that follow.
   Each has the form "| 0123  text".  In color, all but LINE are dimmed.  If the file cannot be read, add nothing and print a
   warning; if it does not exist, only if verbose.  Returns how long TEXT was before LINE was added, without its newline, and then. */
struct sources_range {
	size_t begin, end;
} sources_show(struct sources *sources, struct strbuf *text, const struct settings *settings, const char *file,
	       uint32_t line);

/* A line that says that the lines after it belong to the log, although they have the form of the lines above. */
#define SOURCES_END "|_"

enum sources_line {
	SOURCES_NO_LINE,
	SOURCES_LINE, /* it has the form of a line that sources_show() made */
	SOURCES_LAST, /* it is SOURCES_END */
	SOURCES_MORE, /* more text is needed to tell; only if the line is not COMPLETE */
};

/* What LINE is if it follows a line with a note. */
enum sources_line sources_match(const char *line, size_t length, bool complete);

#endif
