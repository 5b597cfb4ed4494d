/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diag.h - prints all messages to standard error
 *
 * Every message is "PROGRAM: text", where PROGRAM is argv[0], as the user typed it.  Standard output is flushed first,
 * so that output and messages are in the right order if they go to the same place.
 *
 * Control characters in messages are masked, that is, replaced by "?" (mask.h).  So a file name or symbol cannot
 * control the terminal, and a message is one line, because newlines are masked, too.
 */
#ifndef TOOL_DIAG_H
#define TOOL_DIAG_H

#include "rossym.h"
#include "tool/out.h"

#include "compat/format.h"

/* Call this before the other functions of this header.  OUT: standard output, which is flushed before each message. */
void diag_start(const char *program, struct out *out);

/* Returns the name of the program, masked. */
const char *diag_program(void);

/* Stop printing warnings and hints. */
void diag_be_quiet(void);

/* Print LINE, of LENGTH bytes, on standard error, which must be a terminal.  LINE reports progress and begins with a
   carriage return; it stays until the next message or diag_hide_progress().  diag_show_progress() may be called in a
   signal handler.  If a longer line is already there, the caller must hide it first, because its rest is not erased. */
void diag_show_progress(const char *line, size_t length);
void diag_hide_progress(void);

/* Functions for errors return false, so that the caller can end with `return diag(...)', or with `return !diag(...)' if
   it returns an exit status. */
bool diag(const char *format, ...) COMPAT_PRINTF(1, 2); /* "PROGRAM: text" */

void diag_warning(const char *format, ...) COMPAT_PRINTF(1, 2); /* "PROGRAM: warning: text" */
void diag_hint(const char *format, ...) COMPAT_PRINTF(1, 2);	/* "PROGRAM: hint: text" */

/* Print WARNING, which is about the image at PATH unless WARNING names another file.  The library calls this function
   for warnings (struct rossym_open_options).  If WARNING has an errno, prints also that the file is not read. */
void diag_print_warning(void *path, const struct rossym_warning *warning);

/* Print ERR, an error of the library about the file PATH: "PATH: at 0x10: what".  Returns false. */
bool diag_image_error(const char *path, const struct rossym_error *err);

/* Warn if a name in an answer was cut because the extension block of IMAGE (the part of its section that has the whole
   names) cannot be used.  PATH is the path of IMAGE. */
void diag_warn_of_cut_names(const struct rossym_image *image, const char *path);

bool diag_print_plain(const char *format, ...) COMPAT_PRINTF(1, 2); /* "text", without "PROGRAM: "; returns false */

/* Print the LENGTH bytes at TEXT, which can be several lines, after masking each line in place. */
void diag_print_lines(char *text, size_t length);

/* Both print "out of memory".  diag_report_no_memory() returns false; diag_memory_exit_status() returns 1. */
bool diag_report_no_memory(void);
int diag_memory_exit_status(void);

/* Store ROSSYM_ENOMEM in *ERR.  Returns -1. */
int diag_store_no_memory(struct rossym_error *err);

/* Flush standard output.  Returns STATUS; or FAILED, after a message, if some of the output could not be written. */
int diag_finish_output(int status, int failed);

#endif
