/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diag.h - all messages to standard error
 *
 * Every message is "PROGRAM: text", where PROGRAM is the name under which we were called, as the user typed it.
 * Standard output is flushed first, so that both are in the right order if they go to the same place.
 *
 * Messages are masked here (mask.h), so that no name in them can control a terminal.  Each is
 * one line: a newline in a name is masked as well.
 */
#ifndef TOOL_DIAG_H
#define TOOL_DIAG_H

#include "rossym.h"
#include "tool/out.h"

#include "compat/format.h"

#if defined(__GNUC__)
#define DIAG_PRINTF(at, first) __attribute__((format(COMPAT_PRINTF, at, first)))
#else
#define DIAG_PRINTF(at, first)
#endif

/* Call this first.  OUT is standard output, which messages flush. */
void diag_start(const char *program, struct out *out);

const char *diag_program(void);

void diag(const char *format, ...) DIAG_PRINTF(1, 2);
void diag_warning(const char *format, ...) DIAG_PRINTF(1, 2); /* "warning: " in front */

/* Print an error of the library for the file PATH: "PATH: at 0x10: what". */
void diag_image(const char *path, const struct rossym_error *err);

/* Warn if an answer of IMAGE, the file PATH, has a short name because the block cannot be used. */
void diag_short_names(const struct rossym_image *image, const char *path);

void diag_plain(const char *format, ...) DIAG_PRINTF(1, 2); /* without "PROGRAM: " */

/* A text of several lines, which are masked in place. */
void diag_text(char *text, size_t length);

/* Say that there is no memory.  The first returns false, the second 1, an exit status. */
bool diag_out_of_memory(void);
int diag_no_memory(void);

/* Flush standard output and return STATUS, or FAILED with a message if not all of it could be written. */
int diag_finish(int status, int failed);

#endif
