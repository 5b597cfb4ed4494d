// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wrapped.c - lines that a mailer has wrapped
 *
 * Mailers wrap lines at column 72 or 80, at a blank:
 *
 *     Faulting module name: ntdll.dll, version: 10.0.22621.4391, time stamp:
 *     0x7b2ab261
 *
 * If a line of about this length has neither a token nor a fact, it is read together with the next one, as if a blank
 * was between them; then, if nothing was found, with a third one.  A token counts if it gets its annotation in the last
 * line: the lines before have been printed already.
 */
#include "config.h"
#include "log/read/chars.h"
#include "log/read/front.h"
#include "log/read/tokens.h"

#include <string.h>

enum {
	SHORTEST_WRAPPED = 40, /* columns of the own text of a line that may have been wrapped */
	WRAPPED_LENGTH_MAX = 80,
	LINE_LENGTH_MAX = 1024, /* bytes of the first line, with time stamps and the like */
	WRAPPED_LINES_MAX = 3,	/* lines that are read together */
};

/* Whether the line before the current one may have been wrapped. */
static bool may_continue(const struct tokens *t, const struct context *context)
{
	return t->joined.length > 0 && context->line == t->joined.line + 1 && !t->after_prompt &&
	       t->length < JOINED_LENGTH_MAX - t->joined.length;
}

/* Returns where the own text of the line, which is complete, ends: if it is a string of JSON or CSV, before the
   quotation mark. */
static size_t own_end(struct tokens *t)
{
	bool ended;
	t->string_read = 0;
	return t->strings ? tokens_string_end(t, &ended) : t->length;
}

/* Whether a mailer may have wrapped the line after this text.  Mailers count characters, not bytes of UTF-8. */
static bool has_wrapped_length(const char *text, size_t length)
{
	enum { CHARACTER_LENGTH_MAX = 4 };
	size_t columns = 0;
	if (length < SHORTEST_WRAPPED || length > CHARACTER_LENGTH_MAX * WRAPPED_LENGTH_MAX)
		return false;
	for (size_t at = 0; at < length; at++)
		columns += ((unsigned char)text[at] & 0xc0) != 0x80;
	return columns >= SHORTEST_WRAPPED && columns <= WRAPPED_LENGTH_MAX;
}

/* Whether the line has a sign of sieve.c.  tokens_skip() stops at a beginning of a sign at the end of its text, so the
   newline is needed: it shows that the sign does not continue. */
static bool has_sign(const struct tokens *t)
{
	char line[LINE_LENGTH_MAX + 1];
	if (t->length > LINE_LENGTH_MAX)
		return false;
	memcpy(line, t->text, t->length);
	line[t->length] = '\n';
	return tokens_skip(line, t->length + 1) < t->length + 1;
}

/* Store the line, in which nothing was found, for reading it together with the next one, if a mailer may have wrapped
   it.  TRIED: it was read together with the lines before it; then append it to them. */
static void store_line(struct tokens *t, struct context *context, bool tried)
{
	struct joined *joined = &t->joined;
	size_t end = own_end(t);
	while (end > t->begin && (is_blank(t->text[end - 1]) || t->text[end - 1] == '\r'))
		end--;
	const size_t length = end - t->begin;
	joined->preferred = t->stack_cut;
	joined->lines = tried ? joined->lines + 1 : 1;
	if (!tried) {
		joined->length = 0;
		joined->before = t->before;
	}
	/* The first line must have a sign: a line without one may have been skipped, and then it is not stored. */
	if (joined->lines == WRAPPED_LINES_MAX || joined->length + 1 + length >= JOINED_LENGTH_MAX ||
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

/* Returns the position in the current line of position AT in the joined text; of one in a line before, the
   beginning. */
static size_t in_line(const struct joined *joined, size_t at)
{
	return at > joined->joined_begin ? at - joined->joined_begin + joined->line_begin : joined->line_begin;
}

/* Return the next token or fact of the joined lines.  Tokens whose annotation would be in a line before are skipped. */
static enum found next_joined(struct tokens *t, struct context *context)
{
	struct joined *joined = &t->joined;
	struct token *token = &t->token;
	const char *text = t->text;
	const size_t length = t->length;
	enum found found;
	t->text = t->joined_text;
	t->length = joined->total;
	do
		found = t->has_queued_token || t->has_queued ? tokens_queued(t) : tokens_find(t, context);
	while (found == FOUND_TOKEN && token->note < joined->joined_begin);
	t->text = text;
	t->length = length;
	if (found == FOUND_TOKEN) {
		token->begin = in_line(joined, token->begin);
		token->end = in_line(joined, token->end);
		token->note = in_line(joined, token->note);
		token->note_end = in_line(joined, token->note_end);
	}
	t->hold = found == FOUND_MORE ? in_line(joined, t->hold) : t->length;
	return found;
}

/* Begin to read the line together with those before it.  Returns the first token or fact, or FOUND_END. */
static enum found read_joined(struct tokens *t, struct context *context)
{
	struct joined *joined = &t->joined;
	const char *text = t->text;
	const size_t length = t->length;
	const bool complete = t->complete;
	const uint64_t line = context->line, first = joined->before.line;
	front_read(t);
	joined->line_begin = t->begin;
	joined->joined_begin = joined->length + 1;
	joined->total = joined->joined_begin + (own_end(t) - t->begin);
	t->joined_text[joined->length] = ' ';
	memcpy(t->joined_text + joined->joined_begin, t->text + t->begin, joined->total - joined->joined_begin);
	memset(t, 0, offsetof(struct tokens, queued));
	t->text = text;
	t->length = length;
	t->complete = complete;
	t->begin_known = t->has_before = joined->active = true;
	*context = joined->before;
	enum found found = next_joined(t, context);
	context->line = line;
	context_join(context, first);
	joined->length = 0;
	return found;
}

/* The line alone gave FOUND, in ALONE; the joined lines gave TOGETHER, in T.  Returns whether to use what the line
   alone gave.  Of two tokens, the first one is used: the other may be inside its annotation. */
static bool prefers_alone(const struct tokens *alone, enum found found, const struct tokens *t, enum found together)
{
	/* The joined lines may still be a heading, or a row of WinDbg's stack with the name of a function.  In such a
	   row, what the line alone gives is no token: it is part of the text after the name. */
	if (together == FOUND_END)
		return !t->recognized ||
		       (!(alone->joined.preferred && t->stack_row) && (found != FOUND_END || alone->recognized));
	/* The line before ended with "(Build": only together do they show that the build, which this line names,
	   boots. */
	if (together == FOUND_FACT && found == FOUND_FACT && t->fact.kind == FACT_BOOT &&
	    alone->fact.kind == FACT_BUILD)
		return false;
	if ((found != FOUND_TOKEN && found != FOUND_FACT) || alone->joined.preferred)
		return false;
	return found == FOUND_FACT || together == FOUND_FACT || alone->token.begin <= t->token.begin;
}

/* The context FROM was copied to TO.  Returns STRING, or if it was in FROM, the same string in TO. */
static const char *relocated(const char *string, const struct context *from, const struct context *to)
{
	const bool inside = (uintptr_t)string >= (uintptr_t)from && (uintptr_t)string < (uintptr_t)(from + 1);
	return inside ? (const char *)to + ((uintptr_t)string - (uintptr_t)from) : string;
}

/* Read the line, which is complete and may continue the line before, alone and together with that, and use the better
   of the two. */
static enum found read_both(struct tokens *t, struct context *context)
{
	struct tokens alone; /* without joined_text, which is large and which tokens_alone() does not need */
	memcpy(&alone, t, offsetof(struct tokens, joined_text));
	struct context context_alone = *context;
	alone.joined_tried = true;
	const enum found found = tokens_alone(&alone, &context_alone), together = read_joined(t, context);
	if (!prefers_alone(&alone, found, t, together))
		return together;
	memcpy(t, &alone, offsetof(struct tokens, joined_text));
	*context = context_alone;
	t->token.module = relocated(t->token.module, &context_alone, context);
	t->fact.module = relocated(t->fact.module, &context_alone, context);
	t->fact.text = relocated(t->fact.text, &context_alone, context);
	t->queued.module = relocated(t->queued.module, &context_alone, context);
	t->queued.text = relocated(t->queued.text, &context_alone, context);
	return found;
}

/* The line may continue the one before, and has not arrived whole.  Returns how much of it may be printed, because no
   annotation comes before that, whatever follows.  So a prompt is printed at once; of a line that is longer than
   prompts are, nothing is printed yet. */
static size_t printable_length(const struct tokens *t, const struct context *context)
{
	enum { PROMPT_LENGTH_MAX = 256 };
	size_t hold = t->length;
	if (!t->begin_known || t->length > PROMPT_LENGTH_MAX)
		return t->begin_known ? 0 : t->begin;
	/* Read copies of the line, alone and together with those before.  The smaller position is right for both. */
	for (int together = 0; together < 2; together++) {
		struct tokens copy = *t;
		struct context own = *context;
		enum found found;
		do
			found = !together	     ? tokens_alone(&copy, &own)
				: copy.joined.active ? next_joined(&copy, &own)
						     : read_joined(&copy, &own);
		while (found == FOUND_FACT);
		const size_t end = found == FOUND_TOKEN ? copy.token.begin : copy.hold;
		hold = end < hold ? end : hold;
	}
	return hold;
}

enum found tokens_next(struct tokens *t, struct context *context)
{
	if (t->joined.active)
		return next_joined(t, context);
	if (!t->has_before) {
		t->has_before = true;
		t->before = *context;
		t->continues = may_continue(t, context);
	}
	if (t->continues && !t->complete) {
		front_read(t);
		t->continues = !t->after_prompt && may_continue(t, context);
	}
	if (t->continues && !t->complete) {
		t->hold = printable_length(t, context);
		return FOUND_MORE;
	}
	const enum found found = t->continues && !t->joined_tried ? read_both(t, context) : tokens_alone(t, context);
	t->recognized |= found == FOUND_TOKEN || found == FOUND_FACT;
	if (found == FOUND_END && t->complete && !t->recognized)
		store_line(t, context, t->joined_tried);
	return found;
}
