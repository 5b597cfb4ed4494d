// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/read/tokens.h"
#include "log/read/chars.h"
#include "log/read/match.h"

#include <string.h>

/* Returns for each byte whether a token or a fact can begin with it, or, with "+", is around it.  match_rest() skips all others. */
static const bool *interesting_bytes(void)
{
	static bool table[256], made;
	for (int i = 0; i < 256 && !made; i++) {
		const char c = (char)i;
		table[i] = c == '<' || c == '+' || c == '(' || is_hex(c) || match_form_begins(c);
	}
	made = true;
	return table;
}

/* Try the matchers for the character at t->at. */
static enum match match_at(struct tokens *t, struct context *context)
{
	const char c = t->text[t->at];
	enum match match = MATCH_NONE;
	if (c == '+')
		return match_plus(t, context);
	if (c == '<')
		match = match_angle(t, context);
	else if (c == '(')
		match = match_loaded_path(t);
	else if (t->at > 0 && is_word(c) && is_word(t->text[t->at - 1]))
		/* A form or number inside a longer word does not count: the "Eip" of "MyEip".  But a form that begins
		   with another character, such as "#" or "[", may follow a word directly. */
		return MATCH_NONE;
	if (match == MATCH_NONE)
		match = match_form(t, context);
	return match == MATCH_NONE && is_hex(c) ? match_number(t, context) : match;
}

/* Whether the line, which is no row of TABLE, ends it.  A blank line does not, nor one of EurekaLog's lines between rows;
   but TABLE_VERSION has one row. */
static bool ends_table(const struct tokens *t, enum table table)
{
	struct cursor c = cursor_at(t, t->begin);
	return table == TABLE_VERSION ||
	       (match_text_end(t) > t->begin && !cursor_char(&c, '|') && !cursor_word(&c, "--"));
}

/* Whether the line may be a row of a table: it begins with a number, and is not too long. */
static bool may_be_row(const struct tokens *t)
{
	size_t at = t->begin;
	if (t->length > ROW_LENGTH_MAX)
		return false;
	while (at < t->length && (is_blank(t->text[at]) || t->text[at] == '*' || t->text[at] == '('))
		at++;
	while (at < t->length && (is_hex(t->text[at]) || t->text[at] == 'x' || t->text[at] == '`'))
		at++;
	return at == t->length || is_blank(t->text[at]) || t->text[at] == '\r';
}

/* Try the forms that only count at the start of a line: rows of tables and stacks, lines of
   bare numbers.  MATCH_NONE: match_rest() must search the line. */
static enum match match_line(struct tokens *t, struct context *context)
{
	enum match match = match_line_form(t, context);
	if (match == MATCH_NONE && context->table != TABLE_NONE && ends_table(t, context->table))
		context->table = TABLE_NONE;
	t->known |= context->bugcheck_lines == 1;
	if (match == MATCH_NONE && context_in_place(context)) {
		t->line_state = LINE_PLACE;
		match = match_instruction(t, context);
	}
	if (match != MATCH_NONE)
		return match;
	/* "80941360  8094136a  " after FreeLoader's "Frames:": bare numbers are addresses if the line holds nothing
	   else. */
	if (context->heading == HEADING_FRAMES || context->heading == HEADING_PAIRS) {
		t->numbers = may_be_row(t) && match_is_all_numbers(t);
		if (t->numbers)
			context->heading_last_line = context->line;
	}
	return match_bare_row(t, context);
}

/* Try the matchers from tokens->at on, until one returns a token or fact.  MATCH_NONE: none did up
   to the end of the text. */
static enum match match_rest(struct tokens *t, struct context *context)
{
	const bool *interesting = interesting_bytes();
	enum match match = MATCH_NONE;
	while (match == MATCH_NONE || match == MATCH_QUIET) {
		while (t->at < t->length && (t->stack_row || !interesting[(unsigned char)t->text[t->at]]))
			t->at++;
		if (t->at >= t->length)
			return MATCH_NONE;
		match = match_at(t, context);
		t->recognized |= match == MATCH_QUIET;
		if (match == MATCH_NONE)
			t->at++;
	}
	return match;
}

enum found tokens_queued(struct tokens *t)
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

enum found tokens_find(struct tokens *t, struct context *context)
{
	enum match match = MATCH_NONE;
	if (!t->start_tried) {
		if (t->after_prompt)
			context_reset(context); /* no row of a table comes after a prompt */
		match = match_line(t, context);
		t->start_tried = true;
		t->recognized |= match == MATCH_QUIET && !t->stack_cut;
		t->line_form = match == MATCH_TOKEN || match == MATCH_FACT;
	}
	if (match == MATCH_NONE || match == MATCH_QUIET)
		match = match_rest(t, context);
	switch (match) {
	case MATCH_TOKEN:
		if (t->line_state == LINE_PLACE && !t->token.absolute) {
			context_keep(context, 0, t->token.module, t->token.module_length);
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

/* A quotation mark ends the string if the end of the value follows: a comma, a semicolon, a brace, a tab or the end of
   the line. */
size_t tokens_string_end(struct tokens *t, bool *ret_ended)
{
	size_t from = t->string_read > t->begin ? t->string_read : t->begin;
	const char *quote = memchr(t->text + from, '"', t->length - from);
	size_t end = quote ? (size_t)(quote - t->text) : t->length;
	t->string_read = end;
	bool last = end + 1 >= t->length;
	*ret_ended = quote && (last || (t->text[end + 1] && strchr(",;}\t\r", t->text[end + 1])));
	return *ret_ended || last ? end : t->length;
}

enum found tokens_alone(struct tokens *t, struct context *context)
{
	if (t->has_queued_token || t->has_queued)
		return tokens_queued(t);
	if (!t->in_string)
		return tokens_find(t, context);

	/* For all forms, the line ends where the string ends.  After that, search the rest of the line, too. */
	bool ended;
	size_t length = t->length;
	t->length = tokens_string_end(t, &ended);
	enum found found = tokens_find(t, context);
	t->length = length;
	if (found != FOUND_END || !ended)
		return found;
	t->known |= t->stack_row || t->dump_row;
	t->in_string = t->stack_row = t->dump_row = t->numbers = false;
	return tokens_find(t, context);
}
