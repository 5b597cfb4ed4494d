/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * note.h - the annotation that follows an address in a log: write it, and recognise it
 *
 *     note   = " (" frame { ", inlined by " caller } { " - " remark } ")"
 *     frame  = file ":" line " (" function ")"
 *     caller = frame | function		only the function if the place of the call is not known
 *     remark = "other DateStamp"		the image that answers has another DateStamp than the log's module
 *            | "other build"			its directory or archive has another build; replaces the remark above
 *            | "perhaps other build"		the log names no build, and there are images of several builds
 *            | "no call here"			no call ends at the address, so it is no return address
 *            | "call that does not return"	the note has replaced KDBG's end marker (note_is_or_was_end_marker())
 *
 * A note in its simplest form, which KDBG with symbols and log2lines write as well:
 *
 *     <ntoskrnl.exe:89b21 (ntoskrnl/ke/bug.c:1066 (KeBugCheckWithTf))>
 *
 * A note does not show which program wrote it, so we treat all notes alike: we leave a note in place, and an undo
 * (-u) removes it if it comes after an address.
 *
 * Only the parentheses of a note show where it ends.  So notes that we write follow rules: parentheses come in pairs;
 * ":1066 (" is only between a file and a function; apart from the sequences below, there are no control characters; and
 * there are at most NOTE_LENGTH_MAX bytes.  Then note_find() finds the end of each note that the functions below have
 * written, whatever names are in it and whatever text follows.  A note can be inserted into a parenthesis of the log,
 * as into "(from EIP=80401240)"; the outer parenthesis then does not look like a note.
 *
 * KDBG's notes may have an unbalanced parenthesis in a path; note_find() recognises them too.
 *
 * In color, an escape sequence comes before the first parenthesis and another after the last.  If the URL of a source
 * line is known, "file:line" is a terminal's link (OSC 8): it is between two escape sequences, of which the first has
 * the URL.  With log2lines -t, the answer for the byte before the address is looked up, too; what differs in it follows
 * in brackets: "bug.c:1066[1065] (f)".
 */
#ifndef LOG_READ_NOTE_H
#define LOG_READ_NOTE_H

#include "tool/strbuf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	NOTE_FILE = 1000,     /* the most bytes of a path */
	NOTE_FUNCTION = 1000, /* the most bytes of the name of a function */
	NOTE_FRAME = NOTE_FILE + NOTE_FUNCTION + 64,
	NOTE_CALLERS = 512,  /* after this many bytes of callers, only the outermost caller is added */
	NOTE_REMARKS = 80,   /* the most bytes of all remarks together */
	NOTE_SYMBOLS = 1000, /* the most bytes of `text` in the note about a module's symbols, below */
	NOTE_LINKS = 16384,  /* the most bytes of escape sequences for links */
	/* The sum counts the innermost frame, twice because of its brackets; NOTE_CALLERS bytes of callers, the caller
	   that exceeds these, and the outermost caller; and the remarks.  It is doubled: in a log in UTF-16, a byte
	   that is not UTF-8 becomes a Latin-1 character, which has two bytes in UTF-8 when the note is read again. */
	NOTE_LENGTH_MAX = 2 * (2 * NOTE_FRAME + NOTE_CALLERS + 2 * NOTE_FRAME + NOTE_REMARKS),
};

/* The escape sequences before the first parenthesis of a note in color, and after the last.  Magenta is legible on
   black and on white; green is only on black, blue only on white. */
#define NOTE_COLOR "\033[35m"
#define NOTE_PLAIN "\033[0m"

/* A link consists of NOTE_LINK, the URL, NOTE_LINK_END, the text to click, NOTE_LINK and NOTE_LINK_END. */
#define NOTE_LINK "\033]8;;"
#define NOTE_LINK_END "\033\\"

#define NOTE_INLINED_BY ", inlined by "

/* Control characters for a page of HTML, which folds callers (html.h): the first is before each caller, the second
   after the last.  Nothing else in a note looks like them: all other control characters are in escape sequences. */
enum { NOTE_CALLER = '\1', NOTE_CALLERS_END = '\2' };

/* What a note says about a frame.  Strings may be NULL: unknown.  At most ROSSYM_LENGTH_MAX bytes of them are read. */
struct note_frame {
	const char *file, *function;
	uint32_t line;	 /* 0: unknown */
	const char *url; /* the URL of the source line; NULL: no link */
};

/* Which remark about another build a note has, of the first three at the head of this file; NOTE_SAME: none. */
enum note_other { NOTE_SAME, NOTE_OTHER_STAMP, NOTE_OTHER_BUILD, NOTE_UNDECIDED_BUILD };

/* The remarks at the end of a note. */
struct note_remarks {
	enum note_other other;
	bool no_call, no_return;
};

/* The remarks that there is no call before the address, and that the note has replaced an end marker (below). */
#define NOTE_NO_CALL " - no call here"
#define NOTE_NO_RETURN " - call that does not return"

/*
 * Append a note to TEXT: first the innermost frame, then its callers, then the end.  BEFORE is the frame for the byte
 * before the address, or NULL.  What differs in BEFORE is added in brackets.  A function's name that is too long loses
 * its end, a path its beginning.  Characters that would confuse note_find() become "?".  COLOR: with NOTE_COLOR.
 */
void note_begin(struct strbuf *text, const struct note_frame *innermost, const struct note_frame *before, bool color);
void note_add_caller(struct strbuf *text, const struct note_frame *caller);
void note_end(struct strbuf *text, struct note_remarks remarks, bool color);

/* Returns the remark for OTHER, with " - " before it; "" for NOTE_SAME. */
const char *note_get_remark(enum note_other other);

/* Find the first note at or after FROM, of an address or about a module's symbols (below).  Returns where it begins, at
   the blank before its parenthesis, and stores its length in bytes in *RET_LENGTH.  If there is none, returns LENGTH,
   and stores 0.  Never returns 0: a note comes after other text, which need not be an address. */
size_t note_find(const char *text, size_t length, size_t from, size_t *ret_length);

/* Whether TEXT may be a note whose end is missing: it begins with " (", and no closing parenthesis ends it. */
bool note_is_cut(const char *text, size_t length);

/*
 * A .rossym table marks the end of each line sequence by a row whose function is ROSSYM_TERMINATOR.  For an address
 * from there on, KDBG prints that row, the *end marker*:
 *
 *     <ntoskrnl.exe:1010 (:0 (_rossym_end__))>
 *
 * That happens at the return address of a call that does not return, because the code ends with the call.  The marker
 * is no answer, so our note replaces it.  The note then has the remark "call that does not return", by which an undo
 * (-u) knows that it must restore the marker.
 */

/* Whether the note of LENGTH bytes at TEXT is an answer: it exists (LENGTH is not 0), and it is no end marker. */
bool note_is_answer(const char *text, size_t length);

/* Whether the note is an end marker, or an answer of ours that has replaced one. */
bool note_is_or_was_end_marker(const char *text, size_t length);

/* Store in *RET the remarks of the note.  Returns where they begin; if there are none, where its last ")" is. */
size_t note_read_remarks(const char *text, size_t length, struct note_remarks *ret);

/* Whether the note has one of the three remarks about another build. */
bool note_is_of_other_build(const char *text, size_t length);

/* A frame in a note: "file:line (function)", or only "function".  Positions count bytes from where the note begins. */
struct note_part {
	size_t begin, file_end, end; /* where "file:line" begins, "file" ends, "file:line" ends; equal: there is none */
	size_t function, function_end;
	uint32_t line; /* 0: unknown */
};

/* Find the next frame in the note of LENGTH bytes at TEXT, and store it in *PART.  *AT is 0 for the first call; each
   call stores in *AT where the next call continues.  Returns false if there is no further frame. */
bool note_next_frame(const char *text, size_t length, size_t *at, struct note_part *part);

/* Store in NAME, of SIZE bytes, the function of the note's first frame, up to its first ")", or as much as fits. */
void note_read_function(const char *text, size_t length, char *name, size_t size);

/* Find ":1066 (" or ":1066[1065] (" between a file and a function in the LENGTH bytes at TEXT of a note.  Returns its
   position, and stores 1066 in *LINE.  If there is none, returns LENGTH, and stores 0. */
size_t note_find_line(const char *text, size_t length, uint32_t *line);

/* Append the end marker to TEXT. */
void note_add_end_marker(struct strbuf *text);

/*
 * After the row of a module in the report of a dump, the note says where its symbols come from, or why there are none:
 *
 *     symbols = " (symbols: " text { " - " remark } ")" | " (no symbols: " text ")"
 */

/* Append a note about a module's symbols to TEXT.  WHAT: if FOUND, which files have them; else why none has. */
void note_add_symbols(struct strbuf *text, bool found, const char *what, enum note_other other, bool color);

#endif
