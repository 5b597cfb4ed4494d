/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * annotate.h - an answer as text
 *
 * In a log it is what log2lines and KDBG write behind an address, " (file:line (function))", with a remark if it comes from an
 * image of another build (note.h has the grammar).  As JSON it is one object a line, in UTF-8 whatever the log and the
 * image are in.
 */
#ifndef LOG_ANNOTATE_H
#define LOG_ANNOTATE_H

#include "log/resolve.h"
#include "tool/out.h"
#include "tool/text.h"

/* What is known about where a token stands. */
struct place {
	const char *log;	/* the file's name, or NULL: standard input */
	uint64_t line;		/* from 1 */
	const char *text;	/* of the line */
};

/* Append the note for ANSWER to TEXT. ANSWER must be ROSSYM_WHY_ANSWERED. */
void annotate_note(struct text *text, struct settings *settings, const struct answer *answer);

/* Print the object for TOKEN and its newline.  False: there was not enough memory for a name to be mapped. */
bool annotate_json(struct out *out, struct settings *settings, const struct token *token, const struct answer *answer,
		   const struct place *place);

#endif
