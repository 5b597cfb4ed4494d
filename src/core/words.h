/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * words.h - what a string means for an answer, by its first bytes
 *
 * GNU ld defines absolute symbols for settings of the linker: section alignment, stack size ...  ReactOS's rsym, which
 * makes tables, takes their values for RVAs.  So it makes a row of each such symbol, and gives the symbol's name as the
 * function to the rows of line numbers after it.  Look-ups recognise these linker constants by their names, and never
 * answer with one.
 */
#ifndef RS_WORDS_H
#define RS_WORDS_H

#include "core/view.h"

enum rs_word {
	RS_WORD_NOTHING,    /* offset 0, an empty string, or an offset outside the strings */
	RS_WORD_TEXT,	    /* a name or a path */
	RS_WORD_CONSTANT,   /* the name of a linker constant */
	RS_WORD_TERMINATOR, /* RS_TERMINATOR_NAME: code ends at this row */
};

/* A cache of one string: neighbouring rows mostly have the same function and file. */
struct rs_last_word {
	uint32_t offset; /* of the string that was classified last; 0 at first, and then `word` is RS_WORD_NOTHING */
	enum rs_word word;
};

struct rs_words {
	const struct rs_strings *strings;
	struct rossym_fault *fault;
	bool failed; /* a string could not be read: *fault has the reason, and the returned word is meaningless */
	struct rs_last_word function, file;
};

/*@ predicate judging{L}(struct rs_words *w) =
      \valid(w) && \valid_read(w->strings) && readable(&w->strings->reader) && \valid(w->fault) &&
      \separated(w, w->strings, w->fault); */

/* Returns the state for classifying STRINGS, with nothing in its caches. */
/*@ assigns \nothing;
    ensures \result.strings == strings && \result.fault == fault && !\result.failed; */
static inline struct rs_words rs_words_make(const struct rs_strings *strings, struct rossym_fault *fault)
{
	return (struct rs_words){ .strings = strings, .fault = fault };
}

/* Read the string at OFFSET and return what it means. */
enum rs_word rs_classify_string(struct rs_words *words, uint32_t offset);

/* Do what rs_classify_string() does, but first look in the cache *LAST, which is `function` or `file` of WORDS. */
/*@ requires judging(words) && (last == &words->function || last == &words->file);
    assigns *last, words->failed, *words->fault; */
static inline enum rs_word rs_classify_string_cached(struct rs_words *words, uint32_t offset, struct rs_last_word *last)
{
	if (offset != last->offset) {
		last->word = rs_classify_string(words, offset);
		last->offset = offset;
	}
	return last->word;
}

#endif
