/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * note.h - the annotation of an address, as it stands in a log
 *
 *     note   = " (" frame { ", inlined by " frame } [ " - " remark ] ")"
 *     frame  = file ":" line " (" function ")"
 *
 * It is what KDBG with symbols, log2lines and we write behind an address.  File and function may hold parentheses, and
 * those of a C++ name come in pairs.  log2lines -t puts what the byte before says behind file, line and function, each in
 * brackets.
 */
#ifndef LOG_NOTE_H
#define LOG_NOTE_H

#include <stdbool.h>
#include <stddef.h>

enum note { NOTE_NONE, NOTE_THERE, NOTE_MORE };

/* What begins at TEXT: a note of *LENGTH bytes; none; or, unless the line is COMPLETE, something that could be one.
   For none *LENGTH is 0. */
enum note note_match(const char *text, size_t length, bool complete, size_t *ret_length);

/* Whether the note of LENGTH bytes at TEXT names nothing but the end of a line sequence.  Only KDBG prints such notes, for
   addresses of which the table knows nothing. */
bool note_is_end(const char *text, size_t length);

/* Where the note begins that ends where TEXT ends, LENGTH if there is none.  *NOTE_LENGTH is its length, or 0. */
size_t note_find_last(const char *text, size_t length, size_t *note_length);

#endif
