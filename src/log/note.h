/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * note.h - recognise the annotation that follows an address in a log
 *
 *     note   = " (" frame { ", inlined by " frame } [ " - " remark ] ")"
 *     frame  = file ":" line " (" function ")"
 *
 * KDBG with symbols, log2lines and this program write it:
 *
 *     <ntoskrnl.exe:89b21 (ntoskrnl/ke/bug.c:1066 (KeBugCheckWithTf))>
 *
 * File and function may hold parentheses; in C++ names they come in pairs.  With log2lines -t, what
 * differs in the answer for the byte before the address follows in brackets: "bug.c:1066[1065] (f)".
 */
#ifndef LOG_NOTE_H
#define LOG_NOTE_H

#include <stdbool.h>
#include <stddef.h>

enum note { NOTE_NONE, NOTE_THERE, NOTE_MORE };

/* Look for a note at TEXT.  NOTE_THERE: *RET_LENGTH is its length in bytes.  Otherwise *RET_LENGTH is 0.  NOTE_MORE, which occurs
   only if the line is not COMPLETE: the text may become a note. */
enum note note_match(const char *text, size_t length, bool complete, size_t *ret_length);

/* Whether the note of LENGTH bytes at TEXT names only the marker of the end of a line sequence.  KDBG prints such a note where the
   table knows nothing about the address. */
bool note_is_end(const char *text, size_t length);

/* Find a note at the end of TEXT.  Returns its position, and stores its length in *NOTE_LENGTH.  If there is none, returns LENGTH
   and stores 0. */
size_t note_find_last(const char *text, size_t length, size_t *note_length);

#endif
