/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * words.h - what a string means for an answer, judged from its first bytes
 *
 * rsym stores GNU ld's absolute symbols (the section alignment, the stack size ...) as if their values were RVAs.  They
 * become rows of their own, and the function of real lines that follow them.  Such a linker constant is no function.
 */
#ifndef RS_WORDS_H
#define RS_WORDS_H

#include "core/view.h"

enum rs_word {
	RS_WORD_NOTHING,    /* offset 0, an empty string, or an offset outside the strings */
	RS_WORD_TEXT,	    /* a name or a path */
	RS_WORD_CONSTANT,   /* the name of a linker constant */
	RS_WORD_TERMINATOR, /* RS_TERMINATOR_NAME: code has ended, nothing is known from here on */
};

/* The string that was judged last.  Neighbouring rows mostly have the same, so it mostly serves again. */
struct rs_judged {
	uint32_t offset; /* 0 is nothing, as all zeros say */
	enum rs_word word;
};

struct rs_words {
	const struct rs_strings *strings;
	struct rossym_fault *fault;
	bool failed; /* a string could not be read, and FAULT says why; it counts as nothing */
	struct rs_judged function, file;
};

/*@ predicate judging{L}(struct rs_words *w) =
      \valid(w) && \valid_read(w->strings) && readable(&w->strings->reader) && \valid(w->fault) &&
      \separated(w, w->strings, w->fault); */

/*@ assigns \nothing;
    ensures \result.strings == strings && \result.fault == fault && !\result.failed; */
static inline struct rs_words rs_words_of(const struct rs_strings *strings, struct rossym_fault *fault)
{
	return (struct rs_words){ .strings = strings, .fault = fault };
}

/* Read the string at OFFSET and return what it means. */
enum rs_word rs_word_judge(struct rs_words *words, uint32_t offset);

/* As rs_word_judge(), with the last answer kept in *LAST: `function` or `file` of WORDS. */
/*@ requires judging(words) && (last == &words->function || last == &words->file);
    assigns *last, words->failed, *words->fault; */
static inline enum rs_word rs_word_at(struct rs_words *words, uint32_t offset, struct rs_judged *last)
{
	if (offset != last->offset) {
		last->word = rs_word_judge(words, offset);
		last->offset = offset;
	}
	return last->word;
}

#endif
