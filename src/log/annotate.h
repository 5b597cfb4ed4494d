/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * annotate.h - an answer as text
 *
 * In a log it is a note as log2lines and KDBG write it after an address, " (file:line (function))", with a remark if
 * the image is of another build (note.h has the grammar).  As JSON it is one object a line, in UTF-8 whatever the
 * encoding of the log and of the image.
 */
#ifndef LOG_ANNOTATE_H
#define LOG_ANNOTATE_H

#include "log/read/note.h"
#include "log/resolve/resolve.h"
#include "tool/out.h"
#include "tool/strbuf.h"

/* Where a token is in the log. */
struct place {
	const char *log;  /* the file's name, or NULL: standard input */
	uint64_t line;	  /* from 1 */
	const char *text; /* of the line */
	size_t column;	  /* of the text, from 1 */
};

/* Append the note for ANSWER to TEXT.  ANSWER must be ROSSYM_WHY_ANSWERED.  NO_RETURN: it comes in place of an
   end marker. */
void annotate_note(struct strbuf *text, struct settings *settings, const struct answer *answer, bool no_return);

/* Append the note for the row of a module to TEXT: where its symbols come from, as resolve_symbols() has found out. */
void annotate_symbols(struct strbuf *text, const struct resolver *resolver, const struct answer *answer);

/* Whether ANSWER, which must be ROSSYM_WHY_ANSWERED, is from another build. */
enum note_other annotate_other(const struct answer *answer);

/* Tell VISIT the frames of ANSWER, which must be ROSSYM_WHY_ANSWERED: the innermost one, then its callers, with names and
   URLs as they are shown, valid during the call.  False: no memory. */
bool annotate_frames(struct settings *settings, const struct answer *answer,
		     void (*visit)(void *context, const struct note_frame *frame), void *context);

/* Print the object for TOKEN and a newline.  False: no memory to map a path. */
bool annotate_json(struct out *out, struct settings *settings, const struct token *token, const struct answer *answer,
		   const struct place *place);

/* ... for the row of a module. */
void annotate_symbols_json(struct out *out, const struct resolver *resolver, const struct answer *answer,
			   const struct token *token, const struct place *place);

#endif
