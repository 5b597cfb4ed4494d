/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source-lines.h - show source lines from files below one directory
 *
 * File names come from a symbol table, so they are untrusted: no name may lead out of the directory.  A ".." removes
 * the part of the name before it, and nothing if there is none.  Directories at the beginning of a name may be those of
 * the machine that built the image; of all tails of the name, the longest that exists below the directory is read.  The
 * files that were used last stay in memory.
 *
 * The output has the form of ReactOS's log2lines.
 */
#ifndef LOG_SCAN_SOURCE_LINES_H
#define LOG_SCAN_SOURCE_LINES_H

#include "log/scan/settings.h"
#include "tool/strbuf.h"

struct sources;

/* Returns a cache, still empty, for the source files below the directory ROOT, a string that must outlive the result.
   NULL: no memory is left. */
struct sources *sources_new(const char *root);
void sources_free(struct sources *sources);

/* Warn if source files were looked for and none was there. */
void sources_warn_if_none(const struct sources *sources);

/* Append to TEXT lines of FILE in the form "| 0123  text": at most settings->source_before lines, of which the last is
   LINE; the line "| ----"; and at most settings->source_after lines.  In color, all but LINE are dimmed.  If FILE has
   fewer lines than LINE, append one line that says so.  If the file cannot be read, append nothing and print a warning;
   if it does not exist, warn only if settings->verbose.  Sets text->no_memory if there is no memory.  Returns where in
   TEXT the line LINE begins and ends, without its newline; begin and end are equal if it was not added. */
struct sources_range {
	size_t begin, end;
} sources_add_lines(struct sources *sources, struct strbuf *text, const struct settings *settings, const char *file,
		    uint32_t line);

/* The line that this program prints after lines of source, if the next line belongs to the log but looks like these. */
#define SOURCES_END "|_"

enum sources_line {
	SOURCES_NO_LINE,
	SOURCES_LINE, /* the line has the form of one that sources_add_lines() made */
	SOURCES_LAST, /* the line is SOURCES_END */
};

/* Returns which kind of line LINE is.  It must be the line after one with a note, or after another line of source. */
enum sources_line sources_classify_line(const char *line, size_t length);

#endif
