// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wrapped.c - lines that a mailer has wrapped
 *
 * Mailers wrap lines at column 72 or 80, at a blank:
 *
 *     Faulting module name: ntdll.dll, version: 10.0.22621.4391, time stamp:
 *     0x7b2ab261
 *
 * A mailer wraps a line only where the next word does not fit.  So if the first word of a line would not have fitted on
 * the line before it, the line is read twice: alone, and together with that line and the one before that, as if a blank
 * was between them.  What is found alone counts, unless a token began before it in the lines together.  A token counts
 * if it gets its annotation in the last line: the lines before have been printed already.
 *
 * All of this is decided without the notes in the lines, so that an undo decides the same.
 */
#include "config.h"
#include "log/read/chars.h"
#include "log/read/front.h"
#include "log/read/note.h"
#include "log/read/tokens.h"

#include <string.h>

enum {
	LEAST_WIDTH = 72, /* columns of a line and of the next word that do not fit */
	/* columns of a word without a sign of sieve.c: after a shorter line, only longer words would not have fitted */
	WORD_COLUMNS_MAX = 48,
	OWN_COLUMNS_MAX = 80, /* columns of the own text of a line that may have been wrapped */
	/* bytes of that line, with time stamps and the like, without notes */
	LINE_LENGTH_MAX = TOKENS_SKIPPED_MAX,
	SIGN_LENGTH_MAX = 512, /* bytes of text that decide whether a sign of sieve.c is one */
	WRAPPED_LINES_MAX = 3, /* lines that are read together */
};

static size_t without_blanks(const char *text, size_t length)
{
	while (length > 0 && is_blank(text[length - 1]))
		length--;
	return length;
}

/* Copy the text without its notes to TO, at most LINE_LENGTH_MAX bytes.  Returns its length; more than LINE_LENGTH_MAX
   if it is longer than that. */
static size_t copy_without_notes(char *to, const char *text, size_t length)
{
	size_t copied = 0, note_length, symbols_length;
	const size_t symbols = note_find_symbols(text, without_blanks(text, length), &symbols_length);
	for (size_t at = 0; at < length && copied <= LINE_LENGTH_MAX;) {
		note_length = at == symbols ? symbols_length : 0;
		if (note_length == 0 && text[at] == ' ')
			note_match(text + at, length - at, true, &note_length);
		at += note_length;
		if (note_length > 0)
			continue;
		if (copied < LINE_LENGTH_MAX)
			to[copied] = text[at];
		copied++, at++;
	}
	return copied;
}

/* Whether C is the first byte of a character.  Mailers count characters, not bytes of UTF-8. */
static bool begins_character(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

static size_t count_columns(const char *text, size_t length)
{
	size_t columns = 0;
	for (size_t at = 0; at < length; at++)
		columns += begins_character(text[at]);
	return columns;
}

/* Whether the first word of the line's own text, as far as it has arrived, is certain to have fewer columns than MOST. */
static bool word_is_shorter(const struct tokens *t, size_t most)
{
	size_t columns = 0, note_length;
	for (size_t at = t->begin; columns < most; at += note_length) {
		note_length = 0;
		if (at == t->length || t->text[at] == '\r')
			return t->complete || at < t->length;
		if (t->text[at] == ' ' &&
		    note_match(t->text + at, t->length - at, t->complete, &note_length) == NOTE_MORE)
			return false;
		if (note_length == 0 && is_blank(t->text[at]))
			return true;
		if (note_length == 0)
			columns += begins_character(t->text[at++]);
	}
	return false;
}

/* Returns END, or the position after the last character from BEGIN on that is no carriage return. */
static size_t without_returns(const char *text, size_t begin, size_t end)
{
	while (end > begin && text[end - 1] == '\r')
		end--;
	return end;
}

/* Returns where the own text of the line, which is complete, ends: if it is a string of JSON or CSV, before the
   quotation mark. */
static size_t own_end(struct tokens *t)
{
	bool ended;
	t->string_read = 0;
	return t->strings ? tokens_string_end(t, &ended) : t->length;
}

/* Returns the position of the first sign of sieve.c in the line, which is complete; its length if it has none.
   tokens_skip() stops at a beginning of a sign at the end of its text, so the newline is needed: it shows that the sign
   does not continue.  The byte before it can decide whether it counts. */
static size_t find_sign(const struct tokens *t)
{
	char rest[SIGN_LENGTH_MAX + 2];
	const size_t at = tokens_skip(t->text, t->length), from = at - (at > 0), left = t->length - from;
	if (at == t->length || left > SIGN_LENGTH_MAX)
		return at;
	memcpy(rest, t->text + from, left);
	rest[left] = '\n';
	const size_t sign = tokens_skip(rest, left + 1);
	return sign <= left ? from + sign : t->length;
}

/* Whether the scanner must read the line, because of what comes before it. */
static bool must_be_read(const struct tokens *t)
{
	return context_every_line_counts(&t->before);
}

/* The line before was skipped: find out what tokens_next() would have stored of it.  Returns false if it was not
   wrapped. */
static bool read_skipped(struct tokens *t)
{
	struct joined *joined = &t->joined;
	struct tokens line; /* without joined_text, which is large and which front_read() does not need */
	memset(&line, 0, offsetof(struct tokens, queued));
	line.text = t->joined_text;
	line.length = joined->length;
	line.complete = true;
	front_read(&line);
	joined->unread = false;
	joined->front = count_columns(t->joined_text, line.begin);
	joined->length -= line.begin;
	memmove(t->joined_text, t->joined_text + line.begin, joined->length);
	joined->columns = count_columns(t->joined_text, joined->length);
	joined->length = without_blanks(t->joined_text, joined->length);
	joined->before = t->before;
	joined->before.line = joined->line;
	joined->preferred = joined->heading = joined->whole = joined->recognized = false;
	joined->found = 0;
	return joined->columns <= OWN_COLUMNS_MAX;
}

void tokens_skipped(struct tokens *t, const char *text, size_t length, uint64_t line)
{
	struct joined *joined = &t->joined;
	length = without_returns(text, 0, length);
	/* The plain text of JSON and CSV is another one (plain.h). */
	joined->lines = length > 0 && length <= LINE_LENGTH_MAX && *text != '"' && *text != '{';
	if (joined->lines == 0)
		return;
	memcpy(t->joined_text, text, length);
	joined->length = length;
	joined->line = line;
	joined->unsigned_line = joined->unread = true;
}

/* Whether the first word of the line would have fitted on the line before.  If something stands in front of the line,
   it stands in front of each line, and was put there after the lines were wrapped. */
static bool word_would_fit(const struct tokens *t)
{
	size_t front = t->joined.front;
	for (size_t at = 0; at < t->begin; at++)
		if (!is_blank(t->text[at]))
			front = 0;
	const size_t taken = front + t->joined.columns + 1;
	return taken < LEAST_WIDTH && word_is_shorter(t, LEAST_WIDTH - taken);
}

/* Whether the line may continue the one before.  If it is incomplete, true is returned if that depends on text that has
   not arrived. */
static bool may_continue(struct tokens *t, const struct context *context)
{
	struct joined *joined = &t->joined;
	if (joined->lines == 0 || context->line != joined->line + 1)
		return false;
	front_read(t);
	if (t->after_prompt || t->length >= JOINED_LENGTH_MAX - LINE_LENGTH_MAX * WRAPPED_LINES_MAX)
		return false;
	if (joined->unread && !read_skipped(t)) {
		joined->lines = 0;
		return false;
	}
	joined->printed = 0;
	if (t->begin_known && word_would_fit(t))
		return false;
	if (!t->complete)
		return true;
	const size_t sign = must_be_read(t) ? t->begin : find_sign(t);
	if (joined->unsigned_line && sign > t->begin)
		joined->printed = sign + 1 - t->begin;
	return sign < t->length;
}

/* The line is complete.  Store it for reading it together with the next one, if a mailer may have wrapped it.  APPEND:
   it is read together with those before it, too. */
static void store_line(struct tokens *t, struct context *context, bool append)
{
	struct joined *joined = &t->joined;
	char line[LINE_LENGTH_MAX];
	const size_t begin = joined->active ? joined->line_begin : t->begin,
		     own = joined->active ? joined->total - joined->joined_begin : own_end(t) - t->begin,
		     end = without_returns(t->text, begin, begin + own),
		     length = copy_without_notes(line, t->text + begin, end - begin);
	const size_t columns = length > LINE_LENGTH_MAX ? length : count_columns(line, length);
	append &= joined->lines + 1 < WRAPPED_LINES_MAX;
	if (!append)
		joined->lines = 0;
	if (begin + length > LINE_LENGTH_MAX || columns > OWN_COLUMNS_MAX) {
		joined->lines = 0;
		return;
	}
	const bool counts = append || t->recognized || context_expects_rows(&t->before) || find_sign(t) < t->length;
	joined->preferred = t->stack_cut || (append && joined->preferred);
	if (joined->lines == 0) {
		joined->length = joined->found = 0;
		joined->before = t->before;
		joined->unsigned_line = !counts;
	}
	if (joined->length > 0 && length > 0)
		t->joined_text[joined->length++] = ' ';
	memcpy(t->joined_text + joined->length, line, length);
	/* A fact that has no name may begin at the end of the line. */
	const size_t found = t->found < end ? t->found : end;
	if (found > begin)
		joined->found = joined->length + copy_without_notes(line, t->text + begin, found - begin);
	joined->length += without_blanks(t->joined_text + joined->length, length);
	joined->lines++;
	joined->recognized = t->recognized;
	joined->heading = t->recognized && t->found == 0 && !joined->preferred;
	joined->whole = t->line_form;
	joined->columns = columns;
	joined->front = count_columns(t->text, begin);
	joined->unread = false;
	joined->line = context->line;
	if (counts && joined->front + columns + 1 + WORD_COLUMNS_MAX >= LEAST_WIDTH)
		context->wraps_line = context->line;
}

/* Returns the position of the fact in t->text: where its name begins, or its end if the name is not in the text. */
static size_t fact_begin(const struct tokens *t)
{
	const char *name = t->fact.module ? t->fact.module : t->fact.text;
	const uintptr_t at = (uintptr_t)name - (uintptr_t)t->text;
	return name && at < t->length ? at : t->at;
}

/* Returns the position in the current line of position AT in the joined text; of one in a line before, the
   beginning. */
static size_t in_line(const struct joined *joined, size_t at)
{
	return at > joined->joined_begin ? at - joined->joined_begin + joined->line_begin : joined->line_begin;
}

/* The annotation of the token would be in a line before.  If its form ends in the current line, move the annotation to
   the end of the form.  Returns whether it does. */
static bool move_note(struct tokens *t)
{
	struct token *token = &t->token;
	const size_t end = t->form_end;
	size_t length;
	t->form_end = 0;
	if (end <= t->joined.joined_begin)
		return false;
	note_match(t->text + end, t->length - end, true, &length);
	token->note = end;
	token->note_end = t->at = end + length;
	return true;
}

/* Whether FOUND in the joined lines does not count, because it was found in the lines before already, or because its
   annotation would be there. */
static bool is_over(struct tokens *t, enum found found)
{
	const struct joined *joined = &t->joined;
	/* That a module is loaded counts again if its DateStamp is in the current line. */
	const bool stamped = t->fact.kind == FACT_LOADED && t->fact.stamp != 0;
	if (found == FOUND_FACT)
		return t->at <= joined->joined_begin || (fact_begin(t) < joined->found && !stamped);
	if (found != FOUND_TOKEN)
		return false;
	return t->token.begin < joined->found ||
	       (t->token.note < joined->joined_begin + joined->printed && !move_note(t));
}

/* Return the next token or fact of the joined lines. */
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
	while (is_over(t, found));
	if (found == FOUND_FACT)
		t->found = in_line(joined, fact_begin(t)) + 1;
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
	joined->joined_begin = joined->length + (joined->length > 0);
	joined->total = joined->joined_begin + (own_end(t) - t->begin);
	t->joined_text[joined->length] = ' ';
	memcpy(t->joined_text + joined->joined_begin, t->text + t->begin, joined->total - joined->joined_begin);
	memset(t, 0, offsetof(struct tokens, queued));
	t->text = text;
	t->length = length;
	t->complete = complete;
	t->begin_known = t->has_before = t->continues = joined->active = true;
	/* Only the end of a line without a sign can belong to a sign. */
	if (joined->unsigned_line && joined->length > TOKENS_UNDECIDED)
		t->at = joined->length - TOKENS_UNDECIDED;
	*context = joined->before;
	enum found found = next_joined(t, context);
	context->line = line;
	context_join(context, first);
	return found;
}

/* Whether the line alone has a form that it has only at the beginning of a line, or changes the context. */
static bool has_form(const struct tokens *alone)
{
	return alone->recognized || alone->line_form || alone->stack_row || alone->dump_row || alone->code;
}

/* Whether the line is so short that it may be the rest of a heading, of the row of a module, or of WinDbg's registers:
   "EIP", "6.1.7601.24059", "efl=00010246". */
static bool is_short(const struct tokens *t)
{
	enum { REST_COLUMNS_MAX = 16 };
	return count_columns(t->text + t->begin, t->length - t->begin) <= REST_COLUMNS_MAX;
}

/* Whether the line has no letter or digit: "|", "[]". */
static bool is_wordless(const struct tokens *t)
{
	for (size_t at = t->begin; at < t->length; at++)
		if (is_word(t->text[at]))
			return false;
	return true;
}

/* Whether the line before is the beginning of a row of WinDbg's stack: then what this line alone gives is a part of
   that row. */
static bool ends_row(const struct tokens *alone)
{
	return alone->joined.preferred && !(alone->stack_row && alone->joined.lines > 1);
}

/* The line alone gave FOUND, in ALONE.  Whether that counts, whatever the joined lines give. */
static bool is_decided(const struct tokens *alone, enum found found)
{
	if (ends_row(alone) || (found == FOUND_FACT && alone->fact.kind == FACT_BUILD))
		return false;
	return has_form(alone) || found == FOUND_FACT || (found == FOUND_TOKEN && alone->token.begin <= alone->begin);
}

/* As is_decided(), and the joined lines gave TOGETHER, in T.  Of two tokens, the first one is used: the other may be
   inside its annotation. */
static bool prefers_alone(const struct tokens *alone, enum found found, const struct tokens *t, enum found together)
{
	if (ends_row(alone))
		return together == FOUND_END && !t->stack_row;
	/* In a heading, no token has begun. */
	if (alone->joined.heading && (together != FOUND_END || !is_short(alone)))
		return true;
	if (together == FOUND_END)
		return found != FOUND_END || !t->recognized;
	if (found == FOUND_TOKEN && together == FOUND_TOKEN)
		return alone->token.begin <= t->token.begin;
	/* The line before ended with "(Build": only together do they show that the build, which this line names,
	   boots. */
	return found == FOUND_TOKEN || (found == FOUND_FACT && t->fact.kind != FACT_BOOT);
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
	const enum found found = tokens_alone(&alone, &context_alone);
	if (!is_decided(&alone, found)) {
		const enum found together = read_joined(t, context);
		if (!prefers_alone(&alone, found, t, together))
			return together;
	}
	memcpy(t, &alone, offsetof(struct tokens, joined_text));
	*context = context_alone;
	t->token.module = relocated(t->token.module, &context_alone, context);
	t->fact.module = relocated(t->fact.module, &context_alone, context);
	t->fact.text = relocated(t->fact.text, &context_alone, context);
	t->queued.module = relocated(t->queued.module, &context_alone, context);
	t->queued.text = relocated(t->queued.text, &context_alone, context);
	return found;
}

/* Copy FROM with the lines that are stored in it, but not the rest of joined_text, which is large. */
static void copy_tokens(struct tokens *to, const struct tokens *from)
{
	memcpy(to, from, offsetof(struct tokens, joined_text));
	memcpy(to->joined_text, from->joined_text, from->joined.length);
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
	/* Without a sign, there is no annotation (may_continue()). */
	if (t->joined.unsigned_line && !must_be_read(t) && tokens_skip(t->text, t->length) == t->length)
		return hold;
	/* Read copies of the line, alone and together with those before.  The smaller position is right for both. */
	for (int together = 0; together < 2; together++) {
		struct tokens copy;
		struct context own = *context;
		enum found found;
		copy_tokens(&copy, t);
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

/* All of the line, which is complete, has been read. */
static void end_line(struct tokens *t, struct context *context)
{
	const struct joined *joined = &t->joined;
	const bool continues = t->continues && !joined->unsigned_line;
	if (continues && !joined->active && !t->recognized && is_short(t))
		context_continue(context, &t->before);
	if (continues && !joined->active && is_wordless(t))
		context_continue_row(context);
	const bool same_row = joined->active && joined->preferred && t->stack_row;
	store_line(t, context, continues && (same_row || (!has_form(t) && !joined->recognized)));
}

/* Whether the line, which is complete, must be read only because it could have continued the line before, which it does
   not, and has nothing.  Reading such lines would take half of the time for a log with tokens in 1 % of the lines. */
static bool is_idle(struct tokens *t)
{
	if (t->before.wraps_line + 1 != t->before.line || context_expects_rows(&t->before) || !t->complete ||
	    t->start_tried || t->joined_tried || t->joined.active)
		return false;
	front_read(t);
	return find_sign(t) == t->length;
}

enum found tokens_next(struct tokens *t, struct context *context)
{
	enum found found;
	if (!t->has_before) {
		t->has_before = true;
		t->before = *context;
		t->continues = true;
	}
	if (t->continues && !t->joined.active && !t->joined_tried)
		t->continues = may_continue(t, context);
	if (t->continues && !t->complete) {
		t->hold = printable_length(t, context);
		return FOUND_MORE;
	}
	if (!t->continues && is_idle(t)) {
		t->hold = t->length;
		tokens_skipped(t, t->text, t->length, context->line);
		return FOUND_END;
	}
	const bool both = t->continues && !t->joined_tried && !t->joined.whole;
	found = t->joined.active ? next_joined(t, context) : both ? read_both(t, context) : tokens_alone(t, context);
	t->recognized |= found == FOUND_TOKEN || found == FOUND_FACT;
	if (found == FOUND_TOKEN)
		t->found = t->token.begin + 1;
	else if (found == FOUND_FACT && !t->joined.active)
		t->found = fact_begin(t) + 1;
	if (found == FOUND_END && t->complete)
		end_line(t, context);
	return found;
}
