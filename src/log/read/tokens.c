// SPDX-License-Identifier: GPL-2.0-or-later
/* tokens.c - tries the matchers from left to right, also in lines that a mailer has wrapped */
#include "config.h"
#include "log/read/tokens.h"
#include "log/read/chars.h"
#include "log/read/form.h"
#include "log/read/match.h"

#include <string.h>

/* Try the matchers for the character at t->at. */
static enum match match_at_position(struct tokens *t, struct context *context)
{
	const char c = t->text[t->at];
	enum match match = MATCH_NONE;
	if (c == '+')
		return match_plus(t, context);
	if (c == '<')
		match = match_angle(t, context);
	else if (c == '(')
		match = match_loaded_path(t);
	else if (t->at > 0 && is_word_char(c) && is_word_char(t->text[t->at - 1]))
		/* A form or number inside a longer word does not count: the "Eip" of "MyEip".  But one that begins with
		   "#", "[" or another character that words do not have may follow a word directly. */
		return MATCH_NONE;
	if (match == MATCH_NONE)
		match = match_form(t, context);
	return match == MATCH_NONE && is_hex(c) ? match_number(t, context) : match;
}

/* Whether the line, which is no row of TABLE, ends TABLE.  A blank line does not end it, and neither does one of
   EurekaLog's lines between rows.  But each line ends TABLE_VERSION, which has one row. */
static bool does_line_end_table(const struct tokens *t, enum table table)
{
	struct cursor c = cursor_make(t, t->begin);
	return table == TABLE_VERSION ||
	       (match_find_trimmed_end(t) > t->begin && !cursor_read_char(&c, '|') && !cursor_read_word(&c, "--"));
}

/* Try the forms that only count at the start of a line: rows of tables and stacks, lines of bare numbers.  If the line
   has none of them, returns MATCH_NONE: then match_rest() must search the line. */
static enum match match_line_start(struct tokens *t, struct context *context)
{
	enum match match = match_line_form(t, context);
	if (match == MATCH_NONE && context->table != TABLE_NONE && does_line_end_table(t, context->table))
		context->table = TABLE_NONE;
	t->known |= context->bugcheck_lines == 1;
	if (match == MATCH_NONE && context_may_have_place(context)) {
		t->line_state = LINE_PLACE;
		match = match_disassembly_row(t, context);
	}
	if (match != MATCH_NONE)
		return match;
	/* After FreeLoader's "Frames:", numbers are addresses if the line has nothing else: "80941360  8094136a  ". */
	if (context->heading == HEADING_FRAMES || context->heading == HEADING_PAIRS) {
		t->numbers = t->length <= ROW_LENGTH_MAX && match_is_all_numbers(t);
		if (t->numbers)
			context->heading_last_line = context->line;
	}
	return match_bare_row(t, context);
}

/* Try the matchers from t->at on.  Returns the first MATCH_TOKEN or MATCH_FACT, or MATCH_NONE if there is none. */
static enum match match_rest(struct tokens *t, struct context *context)
{
	enum match match = MATCH_NONE;
	while (match == MATCH_NONE || match == MATCH_QUIET) {
		if (t->stack_row)
			t->at = t->length;
		if (t->at >= t->length)
			return MATCH_NONE;
		match = match_at_position(t, context);
		t->recognized |= match == MATCH_QUIET;
		if (match == MATCH_NONE)
			t->at++;
	}
	return match;
}

/* Return the queued token; if there is none, the queued fact, which must exist then. */
static enum found dequeue_found(struct tokens *t)
{
	if (t->has_queued_token) {
		t->has_queued_token = false;
		t->token_end = t->at;
		return FOUND_TOKEN;
	}
	t->has_queued = false;
	t->fact = t->queued;
	return FOUND_FACT;
}

/* Find the next token or fact in the text of T.  Ignores what is queued, and does not stop where a string ends. */
static enum found find_next_in_line(struct tokens *t, struct context *context)
{
	enum match match = MATCH_NONE;
	if (!t->start_tried) {
		if (t->after_prompt)
			context_reset(context); /* no row of a table comes after a prompt */
		match = match_line_start(t, context);
		t->start_tried = true;
		t->recognized |= match == MATCH_QUIET && !t->stack_cut;
		t->line_form = match == MATCH_TOKEN || match == MATCH_FACT;
	}
	if (match == MATCH_NONE || match == MATCH_QUIET)
		match = match_rest(t, context);
	switch (match) {
	case MATCH_TOKEN:
		if (t->line_state == LINE_PLACE && !t->token.absolute) {
			context_keep_state(context, 0, t->token.module, t->token.module_length);
			context->place_rva = t->token.number;
		}
		t->token_end = t->at;
		return FOUND_TOKEN;
	case MATCH_FACT:
		return FOUND_FACT;
	case MATCH_NONE:
	case MATCH_QUIET:
		break;
	}
	return FOUND_END;
}

/* Returns the position of the quotation mark that ends the string in which the line's own text is, or the line's length
   if there is none; stores in *RET_ENDED whether there is one.  A quotation mark ends the string if a comma, a
   semicolon, a "}", a tab, a carriage return or the end of the line follows. */
static size_t find_string_end(struct tokens *t, bool *ret_ended)
{
	size_t from = t->string_read > t->begin ? t->string_read : t->begin;
	const char *quote = memchr(t->text + from, '"', t->length - from);
	size_t end = quote ? (size_t)(quote - t->text) : t->length;
	t->string_read = end;
	bool last = end + 1 >= t->length;
	*ret_ended = quote && (last || (t->text[end + 1] && strchr(",;}\t\r", t->text[end + 1])));
	return *ret_ended || last ? end : t->length;
}

/* Find the next token or fact like tokens_next(), but in the line alone, even if it may continue the line before. */
static enum found find_in_line_alone(struct tokens *t, struct context *context)
{
	if (t->has_queued_token || t->has_queued)
		return dequeue_found(t);
	if (!t->in_string)
		return find_next_in_line(t, context);

	/* For all forms, the line ends where the string ends.  After that, search the rest of the line, too. */
	bool ended;
	size_t length = t->length;
	t->length = find_string_end(t, &ended);
	enum found found = find_next_in_line(t, context);
	t->length = length;
	if (found != FOUND_END || !ended)
		return found;
	t->known |= t->stack_row || t->dump_row;
	t->in_string = t->stack_row = t->dump_row = t->numbers = false;
	return find_next_in_line(t, context);
}

/* ------------------------------------------------------------------------------------------------ lines before */

enum {
	/* If a word of this many columns would have fitted on a line, the line counts as not wrapped: a longer word
	   without a text that sieve.c looks for is not expected to begin the next line. */
	WORD_COLUMNS_MAX = 48,
	OWN_COLUMNS_MAX = 80, /* the most columns of a wrapped line, without its prefixes (front.c) */
};

/* Returns the end of the text from BEGIN to END without the carriage returns at its end. */
static size_t find_end_without_carriage_returns(const char *text, size_t begin, size_t end)
{
	while (end > begin && text[end - 1] == '\r')
		end--;
	return end;
}

void lines_before_record_token(struct lines_before *lines, uint64_t number, size_t at)
{
	if ((lines->count > 0 || lines->skipped) && lines->number == number)
		lines->found = lines->last + at + 1;
}

/* Store the line in T in LINES if a mailer may have wrapped it.  The line's own text is from BEGIN to END; BEFORE is
   the context before the line.  APPEND: keep the lines before, if there is room.  Returns whether the next line must
   be read even without a sign, because it may continue this line. */
static bool lines_before_store(struct lines_before *lines, const struct tokens *t, size_t begin, size_t end,
			       const struct context *before, bool append)
{
	end = find_end_without_carriage_returns(t->text, begin, end);
	const char *line = t->text + begin;
	const size_t length = end - begin;
	const size_t columns = length > LINE_BEFORE_LENGTH_MAX ? length : count_columns(line, length);
	const size_t front = count_columns(t->text, begin);
	append &= lines->count < LINES_BEFORE_MAX;
	lines->skipped = false;
	const bool too_long = begin + length > LINE_BEFORE_LENGTH_MAX || columns > OWN_COLUMNS_MAX;
	if (!append || too_long)
		lines->count = 0;
	if (too_long)
		return false;
	const bool counts = append || t->recognized || context_expects_rows(before) || (t->users & FOR_MATCHERS);
	/* In a line of JSON or CSV, only the content of a string is the line's own text (plain.h). */
	if (!counts && !append && t->strings) {
		lines->count = 0;
		return false;
	}
	lines->preferred = t->stack_cut || (append && lines->preferred);
	if (lines->count == 0) {
		lines->length = lines->found = 0;
		lines->before = *before;
		lines->has_no_sign = !counts;
	}
	if (lines->length > 0 && length > 0)
		lines->text[lines->length++] = ' ';
	if (length > 0)
		memmove(lines->text + lines->length, line, length);
	lines->last = lines->length;
	/* A fact without a name counts as being where it ends (find_position_of_fact()), maybe at the line's end. */
	const size_t found = t->found < end ? t->found : end;
	if (found > begin)
		lines->found = lines->length + (found - begin);
	for (lines->length += length; lines->length > lines->last && is_blank(lines->text[lines->length - 1]);)
		lines->length--;
	lines->count++;
	lines->number = before->line;
	lines->recognized = t->recognized;
	lines->only_context = t->recognized && t->found == 0 && !lines->preferred;
	lines->whole = t->line_form;
	lines->columns = columns;
	lines->front = front;
	return lines->preferred || (counts && lines->front + columns + 1 + WORD_COLUMNS_MAX >= LEAST_WIDTH);
}

/* ------------------------------------------------------------------------------------------------- a new line */

void tokens_begin(struct tokens *t, struct context *context, const struct plain_line *line, unsigned users)
{
	/* To save time, clear only the members before `queued`: the others are set before they are read. */
	memset(t, 0, offsetof(struct tokens, queued));
	t->text = line->text;
	t->length = line->length;
	t->strings = line->strings != PLAIN_NO_STRINGS;
	t->users = users;
	front_skip_prefixes(t);
	context_begin_line(context);
	t->wrapped->continues = CONTINUES_UNDECIDED;
}

void tokens_record_skipped_line(struct tokens *t, const char *text, size_t length, uint64_t line)
{
	struct lines_before *lines = &t->wrapped->lines;
	length = find_end_without_carriage_returns(text, 0, length);
	lines->count = 0;
	lines->skipped = length > 0 && length <= LINE_BEFORE_LENGTH_MAX;
	if (!lines->skipped)
		return;
	lines->length = length;
	lines->number = line;
	lines->last = lines->found = 0;
	memcpy(lines->text, text, length);
}

void tokens_forget_lines(struct tokens *t)
{
	t->wrapped->lines.count = 0;
	t->wrapped->lines.skipped = false;
}

/* ------------------------------------------------------------------------------------- whether a line may continue the
   lines before */

/* Whether the first word of the line's own text has fewer columns than MOST. */
static bool is_first_word_shorter(const struct tokens *t, size_t most)
{
	size_t columns = 0;
	for (size_t at = t->begin; columns < most; at++) {
		if (at == t->length || t->text[at] == '\r' || is_blank(t->text[at]))
			return true;
		columns += begins_character(t->text[at]);
	}
	return false;
}

/* Returns where the own text of the line ends: in JSON and CSV, at the quotation mark that ends its string. */
static size_t find_end_of_own_text(struct tokens *t)
{
	bool ended;
	t->string_read = 0;
	return t->strings ? find_string_end(t, &ended) : t->length;
}

/* Whether the first word of the line would have fitted on the line before.  If the line has a prefix (front.c), the
   lines got their prefixes after they were wrapped, so the prefix of the line before does not count for that line. */
static bool would_first_word_fit(const struct tokens *t)
{
	const struct lines_before *lines = &t->wrapped->lines;
	size_t front = lines->front;
	for (size_t at = 0; at < t->begin; at++)
		if (!is_blank(t->text[at]))
			front = 0;
	const size_t taken = front + lines->columns + 1;
	return taken < LEAST_WIDTH && is_first_word_shorter(t, LEAST_WIDTH - taken);
}

/* Set the members of lines_before for the line before, which was skipped: only now, because few skipped lines go on. */
static void prepare_skipped_line(struct wrapped *w)
{
	struct lines_before *lines = &w->lines;
	const char *text = lines->text;
	const size_t found = lines->found;
	struct tokens skipped = { .text = text, .length = lines->length };
	struct context before = w->before;
	before.line = lines->number;
	skipped.strings = *text == '"' || (lines->length > 1 && memcmp(text, "{\"", 2) == 0);
	front_skip_prefixes(&skipped);
	(void)lines_before_store(lines, &skipped, skipped.begin, skipped.length, &before, false);
	lines->found = found;
}

/* Whether the line may be the rest of the line before, which a mailer has wrapped. */
static bool may_continue_lines(struct tokens *t, const struct context *context)
{
	struct wrapped *w = t->wrapped;
	struct lines_before *lines = &w->lines;
	if (context->line != lines->number + 1)
		return false;
	if (lines->skipped)
		prepare_skipped_line(w);
	if (lines->count == 0 || t->after_prompt || t->length >= sizeof w->joined_text - sizeof lines->text - 1)
		return false;
	struct cursor own = { .text = t->text, .at = t->begin, .end = find_end_of_own_text(t) };
	const bool is_cut = lines->preferred && !cursor_skip_to_line_end(&own);
	if (would_first_word_fit(t) && !is_cut)
		return false;
	return is_cut || context_needs_every_line(&w->before) || (t->users & FOR_MATCHERS);
}

/* -------------------------------------------------------------------------------------- reading lines together */

/* Returns where in t->text the fact's module or build is named; where the fact ends if the text does not name it. */
static size_t find_position_of_fact(const struct tokens *t)
{
	const char *name = t->fact.module ? t->fact.module : t->fact.text;
	const uintptr_t at = (uintptr_t)name - (uintptr_t)t->text;
	return name && at < t->length ? at : t->at;
}

/* Returns the position in the current line of position AT in the joined text.  If AT is in a line before, returns where
   the current line's own text begins. */
static size_t convert_to_line_position(const struct wrapped *w, size_t at)
{
	return at > w->joined_begin ? at - w->joined_begin + w->begin : w->begin;
}

/* Move the token's annotation, which would go into a line that has been printed, after the form around the token
   (t->form_end).  Returns false if that form does not end in the current line. */
static bool move_note_after_form(struct tokens *t)
{
	const size_t end = t->form_end;
	t->form_end = 0;
	if (end <= t->wrapped->joined_begin)
		return false;
	t->token.note = t->at = end;
	return true;
}

/* Whether to ignore FOUND in the joined lines: it was found in the lines before, or its annotation would go there. */
static bool must_ignore_found(struct tokens *t, enum found found)
{
	const struct wrapped *w = t->wrapped;
	/* A FACT_LOADED with a DateStamp counts again: maybe only the current line has shown the DateStamp. */
	const bool stamped = t->fact.kind == FACT_LOADED && t->fact.stamp != 0;
	if (found == FOUND_FACT)
		return t->at <= w->joined_begin || (find_position_of_fact(t) < w->lines.found && !stamped);
	if (found != FOUND_TOKEN)
		return false;
	return t->token.begin < w->lines.found || (t->token.note < w->joined_begin && !move_note_after_form(t));
}

/* Find the next token or fact of the joined lines, and convert its positions to the current line. */
static enum found find_in_joined_lines(struct tokens *t, struct context *context)
{
	struct wrapped *w = t->wrapped;
	struct token *token = &t->token;
	const char *text = t->text;
	const size_t length = t->length;
	enum found found;
	t->text = w->joined_text;
	t->length = w->joined_begin + w->end - w->begin;
	do
		found = t->has_queued_token || t->has_queued ? dequeue_found(t) : find_next_in_line(t, context);
	while (must_ignore_found(t, found));
	if (found == FOUND_FACT)
		t->found = convert_to_line_position(w, find_position_of_fact(t)) + 1;
	t->text = text;
	t->length = length;
	if (found == FOUND_TOKEN) {
		token->begin = convert_to_line_position(w, token->begin);
		token->end = convert_to_line_position(w, token->end);
		token->note = convert_to_line_position(w, token->note);
	}
	/* begin_joined_lines() has set context->line to the number of the first of the joined lines. */
	context->line = w->before.line;
	context_join_lines(context, w->lines.before.line);
	return found;
}

/* Write the lines before, and after them the current line's own text, to `joined_text`. */
static void write_joined_text(struct tokens *t)
{
	struct wrapped *w = t->wrapped;
	w->begin = t->begin;
	w->end = find_end_of_own_text(t);
	w->joined_begin = w->lines.length + (w->lines.length > 0);
	memcpy(w->joined_text, w->lines.text, w->lines.length);
	w->joined_text[w->lines.length] = ' ';
	memcpy(w->joined_text + w->joined_begin, t->text + w->begin, w->end - w->begin);
}

/* Prepare T and CONTEXT to read the joined lines (struct wrapped). */
static void begin_joined_lines(struct tokens *t, struct context *context)
{
	const struct lines_before *lines = &t->wrapped->lines;
	const struct tokens line = *t;
	memset(t, 0, offsetof(struct tokens, queued));
	t->text = line.text;
	t->length = line.length;
	t->users = line.users;
	t->joined = true;
	/* If the line before has no whole sign (form.h), its end can have the beginning of one: skip what is before. */
	if (lines->has_no_sign && lines->length > SIGN_MOST)
		t->at = lines->length - SIGN_MOST;
	*context = lines->before;
}

/* ------------------------------------------------------------------------------------ whether the line alone or the
   joined lines count */

/* Whether ALONE, as far as it was read, cannot be the rest of another line: it has changed the context, or has a form
   that counts only at the beginning of a line.  If ALONE was read to its end, any token or fact in it counts, too. */
static bool has_line_form(const struct tokens *alone)
{
	return alone->recognized || alone->line_form || alone->stack_row || alone->dump_row || alone->code;
}

/* Whether the line is so short that it may be the rest of a heading, of the row of a module, or of WinDbg's registers:
   "EIP", "6.1.7601.24059", "efl=00010246". */
static bool is_short_line(const struct tokens *t)
{
	enum { REST_COLUMNS_MAX = 16 };
	return count_columns(t->text + t->begin, t->length - t->begin) <= REST_COLUMNS_MAX;
}

/* Whether the line may be the end of a row of WinDbg's stack that began on the lines before: then what is found in the
   line alone is a part of that row.  But after two such lines, a line that is a whole row begins a new row. */
static bool may_end_row(const struct tokens *alone)
{
	return alone->wrapped->lines.preferred && !(alone->stack_row && alone->wrapped->lines.count > 1);
}

/* Whether FOUND, which was found in the line alone and is in ALONE, counts, whatever is found in the joined lines. */
static bool does_alone_decide(const struct tokens *alone, enum found found)
{
	if (may_end_row(alone) || (found == FOUND_FACT && alone->fact.kind == FACT_BUILD))
		return false;
	return has_line_form(alone) || found == FOUND_FACT ||
	       (found == FOUND_TOKEN && alone->token.begin <= alone->begin);
}

/* Whether to use FOUND, which was found in the line alone and is in ALONE, not TOGETHER, which was found in the joined
   lines and is in T.  Of two tokens, the one that begins first is used: the other may be inside its annotation. */
static bool is_alone_preferred(const struct tokens *alone, enum found found, const struct tokens *t,
			       enum found together)
{
	if (may_end_row(alone))
		return together == FOUND_END && !t->stack_row;
	/* If the line before has only changed the context, no token has begun in it. */
	if (alone->wrapped->lines.only_context && (together != FOUND_END || !is_short_line(alone)))
		return true;
	if (together == FOUND_END)
		return found != FOUND_END || !t->recognized;
	if (found == FOUND_TOKEN && together == FOUND_TOKEN)
		return alone->token.begin <= t->token.begin;
	/* If the line before ends with "(Build", only the joined lines show that the build which this line names is
	   part of a banner, which begins a boot. */
	return found == FOUND_TOKEN || (found == FOUND_FACT && t->fact.kind != FACT_BOOT);
}

/* Read the line, which may continue the lines before, alone, then together with them, and choose one result. */
static enum found read_alone_and_joined(struct tokens *t, struct context *context)
{
	struct tokens alone = *t;
	const enum found found = find_in_line_alone(&alone, context);
	if (!does_alone_decide(&alone, found)) {
		/* begin_joined_lines() overwrites *CONTEXT.  If ALONE is chosen, this copy is written back, as ALONE
		   may have pointers into *CONTEXT. */
		const struct context context_alone = *context;
		write_joined_text(t);
		begin_joined_lines(t, context);
		const enum found together = find_in_joined_lines(t, context);
		if (!is_alone_preferred(&alone, found, t, together))
			return together;
		*context = context_alone;
	}
	*t = alone;
	return found;
}

/* -------------------------------------------------------------------------------------------------- the line */

/* Store the line, of which all has been read, because the next lines may continue it. */
static void store_line_for_next(struct tokens *t, struct context *context)
{
	struct wrapped *w = t->wrapped;
	struct lines_before *lines = &w->lines;
	const bool continues = w->continues == CONTINUES_PERHAPS && !lines->has_no_sign;
	if (continues && !t->joined && !t->recognized && is_short_line(t))
		context_record_wrapped_line(context, &w->before);
	const bool same_row = t->joined && lines->preferred && t->stack_row;
	const bool begins_row = t->stack_cut && !t->joined;
	const bool append = continues && !begins_row && (same_row || (!has_line_form(t) && !lines->recognized));
	const size_t begin = t->joined ? w->begin : t->begin, end = t->joined ? w->end : find_end_of_own_text(t);
	if (lines_before_store(lines, t, begin, end, &w->before, append))
		context->wraps_line = context->line;
}

enum found tokens_next(struct tokens *t, struct context *context)
{
	struct wrapped *w = t->wrapped;
	enum found found;
	const bool is_first = w->continues == CONTINUES_UNDECIDED;
	if (is_first) {
		w->before = *context;
		w->continues = may_continue_lines(t, context) ? CONTINUES_PERHAPS : CONTINUES_NONE;
	}
	if (is_first && w->continues == CONTINUES_PERHAPS)
		found = w->lines.whole ? find_in_line_alone(t, context) : read_alone_and_joined(t, context);
	else
		found = t->joined ? find_in_joined_lines(t, context) : find_in_line_alone(t, context);
	t->recognized |= found == FOUND_TOKEN || found == FOUND_FACT;
	if (found == FOUND_TOKEN)
		t->found = t->token.begin + 1;
	else if (found == FOUND_FACT && !t->joined)
		t->found = find_position_of_fact(t) + 1;
	if (found == FOUND_END)
		store_line_for_next(t, context);
	return found;
}
