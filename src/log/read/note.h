/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * note.h - the annotation that follows an address in a log: write it, and recognise it
 *
 *     note   = { " " } " (" frame { ", inlined by " caller } { " - " remark } ")"
 *     frame  = file ":" line " (" function ")"
 *     caller = frame | function		the second if the place of the call is not known
 *     remark = "other DateStamp"		the answer is from another build of the module, as its DateStamp shows
 *            | "other build"			... as the build of its place shows; in place of the remark above
 *            | "perhaps other build"		the log names no build, and there are images of several
 *            | "no call here"			there is no call before the return address, so it is none
 *            | "call that does not return"	KDBG had an end marker here, see note_is_end()
 *
 * KDBG with symbols, log2lines and this program write it:
 *
 *     <ntoskrnl.exe:89b21 (ntoskrnl/ke/bug.c:1066 (KeBugCheckWithTf))>
 *
 * Nobody can tell whose such a note is.  So a run that lets a note of the log stay puts one more blank before it, and
 * an undo takes this blank away instead of the note.
 *
 * Only its parentheses tell where a note ends.  So the notes that we write keep some rules: parentheses come in pairs;
 * ":1066 (" is only between a file and a function; there are no control characters, and at most NOTE_LONGEST bytes.
 * Then note_match() finds the end of each note that the functions below have written, whatever names are in it and
 * whatever text follows.  And text of the log does not become a note because we insert one into it, as in
 * "EIP=80401230 (from EIP=80401240)".
 *
 * Notes of KDBG may have a path in which a parenthesis has no partner; they are recognised too.
 *
 * In color, an escape sequence comes before the first parenthesis and another after the last.  If the URL of a place is
 * known, "file:line" is a link of OSC 8: between two escape sequences, of which the first has the URL.  With log2lines
 * -t, what differs in the answer for the byte before the address follows in brackets: "bug.c:1066[1065] (f)".
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
	NOTE_CALLERS = 512, /* after so many bytes of callers, only the outermost is added */
	NOTE_REMARKS = 80,
	NOTE_SYMBOLS = 1000, /* the most bytes of what is said about a module's symbols */
	/* the most blanks before a note besides its own.  Each run that lets the note stay adds one, so this many runs
	   can be undone. */
	NOTE_BLANKS = 8,
	NOTE_LINKS = 16384, /* the most bytes of escape sequences for links */
	/* The innermost frame and its brackets; the callers, with the one that makes them too long and the
	   outermost; the remarks.  In a log in UTF-16, a byte that is not UTF-8 is written as Latin-1, and so has
	   two bytes when the note is read again. */
	NOTE_LONGEST = NOTE_BLANKS + 2 * (2 * NOTE_FRAME + NOTE_CALLERS + 2 * NOTE_FRAME + NOTE_REMARKS),
};

/* Before the first parenthesis of a note in color, and after the last.  Magenta can be read on black and on white.
   Green can be read only on black, blue only on white. */
#define NOTE_COLOR "\033[35m"
#define NOTE_PLAIN "\033[0m"

/* A link is NOTE_LINK, the URL, NOTE_LINK_END, the text that one clicks, NOTE_LINK, NOTE_LINK_END. */
#define NOTE_LINK "\033]8;;"
#define NOTE_LINK_END "\033\\"

#define NOTE_INLINED_BY ", inlined by "

/* For a page, which folds callers (html.h): the first byte is before each caller, the second after the last.  A note
   has no other control characters but those of escape sequences. */
enum { NOTE_CALLER = '\1', NOTE_CALLERS_END = '\2' };

/* What a note says about a frame.  Strings may be NULL: unknown.  At most ROSSYM_LENGTH_MAX bytes of them are read. */
struct note_frame {
	const char *file, *function;
	uint32_t line;
	const char *url;
};

/* Whether an answer is from another build than the log, or may be. */
enum note_other { NOTE_SAME, NOTE_OTHER_STAMP, NOTE_OTHER_BUILD, NOTE_UNDECIDED_BUILD };

/* What a note ends with. */
struct note_remarks {
	enum note_other other;
	bool no_call, no_return;
};

/* The remark that there is no call before the address. */
#define NOTE_NO_CALL " - no call here"

/*
 * Append a note to TEXT: first the innermost frame, then its callers, then the end.  BEFORE: what is different in it is
 * added in brackets; NULL if nothing is.  A name that is too long loses its end, a path its beginning.  What would
 * confuse note_match() becomes "?".
 */
void note_begin(struct strbuf *text, const struct note_frame *innermost, const struct note_frame *before, bool color);
void note_caller(struct strbuf *text, const struct note_frame *caller);
void note_end(struct strbuf *text, struct note_remarks remarks, bool color);

/* The remark for OTHER, with " - " before it; "" for NOTE_SAME. */
const char *note_remark(enum note_other other);

enum note { NOTE_NONE, NOTE_THERE, NOTE_MORE };

/* Look for a note at TEXT.  NOTE_THERE: *RET_LENGTH is its length in bytes.  Otherwise *RET_LENGTH is 0.  NOTE_MORE,
   which occurs only if the line is not COMPLETE: the text may become a note. */
enum note note_match(const char *text, size_t length, bool complete, size_t *ret_length);

/*
 * Where a table knows nothing about an address, KDBG prints a note with nothing but the marker of the end of a
 * line sequence:
 *
 *     <ntoskrnl.exe:1010 (:0 (_rossym_end__))>
 *
 * That is the return address of a call that does not return.  The marker is no answer, so our note replaces it.  The
 * note then has a remark, which tells an undo to put the marker back.
 */

/* Whether the note of LENGTH bytes at TEXT is an answer: neither empty nor an end marker. */
bool note_is_answer(const char *text, size_t length);

/* Whether it is an end marker, or an answer of ours in place of one. */
bool note_is_end(const char *text, size_t length);

/* Whether the last run has let it stay, as the blank shows. */
bool note_is_kept(const char *text, size_t length);

/* Whether it has a remark that it is from another build. */
bool note_is_other(const char *text, size_t length);

/* "file:line" in a note; positions in its text. */
struct note_place {
	size_t begin, file_end, end;
	uint32_t line; /* 0: unknown */
};

/* Store in *PLACE the next place in the note of LENGTH bytes at TEXT, from *AT on, which is 0 for the first one and
   then where the search for the next goes on.  False: there is none. */
bool note_next_place(const char *text, size_t length, size_t *at, struct note_place *place);

/* Append the end marker to TEXT. */
void note_end_marker(struct strbuf *text);

/*
 * After the row of a module in the report of a dump, the note says where its symbols come from, or why there are none:
 *
 *     symbols = { " " } " (symbols: " text { " - " remark } ")" | { " " } " (no symbols: " text ")"
 *
 * It is found at the end of such a row only (match_row.c).
 */

/* Append such a note.  FOUND: WHAT are files; else why there are no symbols. */
void note_symbols(struct strbuf *text, bool found, const char *what, enum note_other other, bool color);

/* As note_find_last(), such a note. */
size_t note_find_symbols(const char *text, size_t length, size_t *note_length);

/* Find a note at the end of TEXT.  Returns its position, and stores its length in *NOTE_LENGTH.  If there is none,
   returns LENGTH and stores 0. */
size_t note_find_last(const char *text, size_t length, size_t *note_length);

#endif
