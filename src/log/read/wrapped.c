// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wrapped.c - lines that a mailer has wrapped
 *
 * Mailers wrap lines at column 72 or 80, at a blank:
 *
 *     Faulting module name: ntdll.dll, version: 10.0.22621.4391, time stamp:
 *     0x7b2ab261
 *
 * If a line of about this length says nothing, and the line after it says nothing either, both are read together, as if
 * a blank was between them; then a third one.  What is found counts if it is in the last line, where an annotation can
 * still be inserted.
 */
#include "config.h"
#include "log/read/chars.h"
#include "log/read/front.h"
#include "log/read/tokens.h"

#include <string.h>

enum {
	SHORTEST_WRAPPED = 40,
	LONGEST_WRAPPED = 80,
	LONGEST_LINE = 1024, /* of the first line, in bytes, with time stamps and the like */
	MOST_WRAPPED = 3,
};

/* Whether the line before the current one may have been wrapped. */
static bool may_continue(const struct tokens *t, const struct context *context)
{
	return t->joined.length > 0 && context->line == t->joined.line + 1 && !t->after_prompt &&
	       t->length < JOINED_MOST - t->joined.length;
}

/* Where the own text of the line ends, which is complete: at the end of a string that it is in. */
static size_t own_end(struct tokens *t)
{
	bool ended;
	t->string_read = 0;
	return t->strings ? tokens_string_end(t, &ended) : t->length;
}

/* Whether a mailer may have wrapped the line after this text.  It counts characters, so UTF-8 has more bytes. */
static bool has_wrapped_length(const char *text, size_t length)
{
	enum { LONGEST_CHARACTER = 4 };
	size_t columns = 0;
	if (length < SHORTEST_WRAPPED || length > LONGEST_CHARACTER * LONGEST_WRAPPED)
		return false;
	for (size_t at = 0; at < length; at++)
		columns += ((unsigned char)text[at] & 0xc0) != 0x80;
	return columns >= SHORTEST_WRAPPED && columns <= LONGEST_WRAPPED;
}

/* Whether sieve.c stops at the line.  A sign that the end of the line cuts is none, so the newline must be there. */
static bool has_sign(const struct tokens *t)
{
	char line[LONGEST_LINE + 1];
	if (t->length > LONGEST_LINE)
		return false;
	memcpy(line, t->text, t->length);
	line[t->length] = '\n';
	return tokens_skip(line, t->length + 1) < t->length + 1;
}

/* Keep the line, which is complete and says nothing, if it may have been wrapped.  TRIED: with the lines before it. */
static void keep_line(struct tokens *t, struct context *context, bool tried)
{
	struct joined *joined = &t->joined;
	size_t end = own_end(t);
	while (end > t->begin && (is_blank(t->text[end - 1]) || t->text[end - 1] == '\r'))
		end--;
	const size_t length = end - t->begin;
	joined->first = t->stack_cut;
	joined->lines = tried ? joined->lines + 1 : 1;
	if (!tried) {
		joined->length = 0;
		joined->before = t->before;
	}
	/* A line without a sign is not read at all if it comes first. */
	if (joined->lines == MOST_WRAPPED || joined->length + 1 + length >= JOINED_MOST ||
	    !has_wrapped_length(t->text + t->begin, length) ||
	    !(tried || context_in_event(&t->before) || has_sign(t))) {
		joined->length = 0;
		return;
	}
	if (joined->length > 0)
		t->joined_text[joined->length++] = ' ';
	memcpy(t->joined_text + joined->length, t->text + t->begin, length);
	joined->length += length;
	joined->line = context->wraps_line = context->line;
}

/* Let T stand for the text of the lines together.  Returns that of the line. */
static struct tokens_text {
	const char *text;
	size_t length;
} join(struct tokens *t)
{
	const struct tokens_text line = { t->text, t->length };
	t->text = t->joined_text;
	t->length = t->joined.all;
	return line;
}

/* The position in the line of AT in the text of the lines together. */
static size_t in_line(const struct joined *joined, size_t at)
{
	return at > joined->at ? at - joined->at + joined->own : joined->own;
}

/* The next token or fact of the lines together. */
static enum found next_joined(struct tokens *t, struct context *context)
{
	struct joined *joined = &t->joined;
	struct token *token = &t->token;
	enum found found;
	do {
		const struct tokens_text line = join(t);
		found = t->has_queued_token || t->has_queued ? tokens_queued(t) : tokens_find(t, context);
		t->text = line.text;
		t->length = line.length;
	} while (found == FOUND_TOKEN && token->note < joined->at);
	if (found == FOUND_TOKEN) {
		token->begin = in_line(joined, token->begin);
		token->end = in_line(joined, token->end);
		token->note = in_line(joined, token->note);
		token->note_end = in_line(joined, token->note_end);
	}
	t->hold = found == FOUND_MORE ? in_line(joined, t->hold) : t->length;
	return found;
}

/* Read the line together with those before it.  FOUND_END: that gives nothing. */
static enum found read_joined(struct tokens *t, struct context *context)
{
	struct joined *joined = &t->joined;
	const char *text = t->text;
	const size_t length = t->length;
	const bool complete = t->complete;
	const uint64_t line = context->line, first = joined->before.line;
	front_read(t);
	joined->own = t->begin;
	joined->at = joined->length + 1;
	joined->all = joined->at + (own_end(t) - t->begin);
	t->joined_text[joined->length] = ' ';
	memcpy(t->joined_text + joined->at, t->text + t->begin, joined->all - joined->at);
	memset(t, 0, offsetof(struct tokens, queued));
	t->text = text;
	t->length = length;
	t->complete = complete;
	t->begin_known = t->is_begun = joined->is_read = true;
	*context = joined->before;
	enum found found = next_joined(t, context);
	context->line = line;
	context_join(context, first);
	joined->length = 0;
	return found;
}

/* Whether FOUND, which ALONE has, holds although TOGETHER was found in the lines together, in T: it begins before that, so it is
   not in the annotation of that. */
static bool holds_alone(const struct tokens *alone, enum found found, const struct tokens *t, enum found together)
{
	/* Together they are a heading, or a row that WinDbg has named: what that has after the name is no token. */
	if (together == FOUND_END)
		return !t->is_something ||
		       (!(alone->joined.first && t->stack_row) && (found != FOUND_END || alone->is_something));
	/* "(Build" ended the line before: this one has the name of the build, and alone that is none of a boot. */
	if (together == FOUND_FACT && found == FOUND_FACT && t->fact.kind == FACT_BOOT &&
	    alone->fact.kind == FACT_BUILD)
		return false;
	if ((found != FOUND_TOKEN && found != FOUND_FACT) || alone->joined.first)
		return false;
	return found == FOUND_FACT || together == FOUND_FACT || alone->token.begin <= t->token.begin;
}

/* A string of the context FROM, which was copied to TO. */
static const char *moved(const char *string, const struct context *from, const struct context *to)
{
	const bool inside = (uintptr_t)string >= (uintptr_t)from && (uintptr_t)string < (uintptr_t)(from + 1);
	return inside ? (const char *)to + ((uintptr_t)string - (uintptr_t)from) : string;
}

/* Read the line, which is complete and may continue the one before, alone and together with that. */
static enum found read_both(struct tokens *t, struct context *context)
{
	struct tokens alone; /* but for the text */
	memcpy(&alone, t, offsetof(struct tokens, joined_text));
	struct context context_alone = *context;
	alone.is_tried = true;
	const enum found found = tokens_alone(&alone, &context_alone), together = read_joined(t, context);
	if (!holds_alone(&alone, found, t, together))
		return together;
	memcpy(t, &alone, offsetof(struct tokens, joined_text));
	*context = context_alone;
	t->token.module = moved(t->token.module, &context_alone, context);
	t->fact.module = moved(t->fact.module, &context_alone, context);
	t->fact.text = moved(t->fact.text, &context_alone, context);
	t->queued.module = moved(t->queued.module, &context_alone, context);
	t->queued.text = moved(t->queued.text, &context_alone, context);
	return found;
}

/* How much may be printed of a line that has not arrived whole and may continue the one before: no annotation comes before
   that, whatever follows.  So a prompt is seen at once. */
static size_t settled(const struct tokens *t, const struct context *context)
{
	enum { LONGEST_PROMPT = 256 };
	size_t hold = t->length;
	if (!t->begin_known || t->length > LONGEST_PROMPT)
		return t->begin_known ? 0 : t->begin;
	for (int together = 0; together < 2; together++) {
		struct tokens copy = *t;
		struct context own = *context;
		enum found found;
		do
			found = !together	      ? tokens_alone(&copy, &own)
				: copy.joined.is_read ? next_joined(&copy, &own)
						      : read_joined(&copy, &own);
		while (found == FOUND_FACT);
		const size_t end = found == FOUND_TOKEN ? copy.token.begin : copy.hold;
		hold = end < hold ? end : hold;
	}
	return hold;
}

enum found tokens_next(struct tokens *t, struct context *context)
{
	if (t->joined.is_read)
		return next_joined(t, context);
	if (!t->is_begun) {
		t->is_begun = true;
		t->before = *context;
		t->continues = may_continue(t, context);
	}
	if (t->continues && !t->complete) {
		front_read(t);
		t->continues = !t->after_prompt && may_continue(t, context);
	}
	if (t->continues && !t->complete) {
		t->hold = settled(t, context);
		return FOUND_MORE;
	}
	const enum found found = t->continues && !t->is_tried ? read_both(t, context) : tokens_alone(t, context);
	t->is_something |= found == FOUND_TOKEN || found == FOUND_FACT;
	if (found == FOUND_END && t->complete && !t->is_something)
		keep_line(t, context, t->is_tried);
	return found;
}
