// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/read/tokens.h"
#include "log/read/chars.h"
#include "log/read/front.h"
#include "log/read/match.h"

#include <stddef.h>
#include <string.h>

/*
 * Which matchers to try at a character.  Tokens and facts begin at few characters; a table of 256 kinds finds them,
 * and all others are passed over.  KIND_KEY is a bit of its own, because key words begin with hexadecimal digits
 * too: "Address".
 */
enum kind { KIND_PLAIN, KIND_ANGLE, KIND_PLUS, KIND_PAREN, KIND_HEX, KIND_KEY = 8 };

static enum kind kind_of(char ch)
{
	enum kind kind = KIND_PLAIN;
	switch (ch) {
	case '<':
		return KIND_ANGLE;
	case '+':
		return KIND_PLUS;
	case '(':
		return KIND_PAREN;
	default:
		break;
	}
	if (is_hex(ch))
		kind = KIND_HEX;
	const char *word;
	for (size_t i = 0; (word = match_key_word(i)) != NULL; i++)
		if (*word == ch)
			return (enum kind)(kind | KIND_KEY);
	return kind;
}

static const unsigned char *kinds(void)
{
	static unsigned char table[256];
	if (table['<'] == KIND_PLAIN)
		for (int i = 0; i < 256; i++)
			table[i] = (unsigned char)kind_of((char)i);
	return table;
}

void tokens_begin(struct tokens *t, struct context *context)
{
	/* Not what comes after it: nobody reads that before it is set, and this is done for each line. */
	memset(t, 0, offsetof(struct tokens, queued));
	t->joined.is_read = false;
	context_line(context);
}

static enum match match_at(struct tokens *t, struct context *context, enum kind kind)
{
	enum match match = MATCH_NONE;
	if (kind == KIND_ANGLE) {
		match = match_angle(t, context);
		return match == MATCH_NONE ? match_key(t, context) : match;
	}
	if (kind == KIND_PLUS)
		return match_plus(t, context);
	if (kind == KIND_PAREN) {
		match = match_loaded_path(t);
		return match == MATCH_NONE ? match_key(t, context) : match;
	}
	/* A word or number inside a longer word does not count: the "Eip" of "MyEip".  A form that begins with another
	   character, such as "#" or "[", may touch the word before it. */
	if (t->at > 0 && is_word(t->text[t->at]) && is_word(t->text[t->at - 1]))
		return MATCH_NONE;
	if (kind & KIND_KEY)
		match = match_key(t, context);
	if (match == MATCH_NONE && (kind & KIND_HEX))
		match = match_number(t, context);
	return match;
}

/* Try the forms that only count at the start of a line: rows of tables and stacks, a bugcheck's parameters, lines of
   bare numbers.  MATCH_NONE: go on with the single characters of the line. */
static enum match match_line(struct tokens *t, struct context *context)
{
	if (context->table != TABLE_NONE) {
		enum match match = match_row(t, context);
		if (match != MATCH_NONE)
			return match;
	}
	if (context->stop_lines > 0) {
		enum match match = match_stop_line(t, context);
		if (match != MATCH_NONE)
			return match;
	}
	if (context->wrapped_length > 0) {
		enum match match = match_address_line(t, context);
		if (match != MATCH_NONE)
			return match;
	}
	if (context_in_event(context)) {
		enum match match = match_event_line(t, context);
		if (match != MATCH_NONE)
			return match;
	}
	if (context_in_place(context)) {
		enum match match = match_instruction(t, context);
		t->place = true;
		if (match != MATCH_NONE)
			return match;
	}
	/* "80941360  8094136a  " after FreeLoader's "Frames:": bare numbers are addresses if the line holds nothing else.  So
	   the whole line must have arrived. */
	if (context->heading == HEADING_FRAMES || context->heading == HEADING_PAIRS) {
		bool may_be = match_may_be_row(t);
		if (!t->complete && may_be)
			return match_more(t, t->begin);
		t->numbers = may_be && match_is_all_numbers(t);
		if (t->numbers)
			context->heading_line = context->line;
	}
	enum match match = match_bare_row(t, context);
	if (match == MATCH_NONE)
		match = match_madexcept(t, context);
	return match == MATCH_NONE ? match_stack_row(t, context) : match;
}

/* Try the matchers from tokens->at on, until one finds something or needs more text.  MATCH_NONE: none did up to the
   end of the text. */
static enum match match_rest(struct tokens *t, struct context *context)
{
	const unsigned char *kind = kinds();
	enum match match = MATCH_NONE;
	while (match == MATCH_NONE || match == MATCH_QUIET) {
		while (t->at < t->length && (t->stack_row || kind[(unsigned char)t->text[t->at]] == KIND_PLAIN))
			t->at++;
		if (t->at >= t->length)
			return MATCH_NONE;
		match = match_at(t, context, kind[(unsigned char)t->text[t->at]]);
		t->is_something |= match == MATCH_QUIET;
		if (match == MATCH_NONE)
			t->at++;
	}
	return match;
}

/* Note where the token ends that was found last. */
static void note_token(struct tokens *t)
{
	t->token_end = t->at;
	t->token_note = t->token.note >= t->token.end ? t->token.note : t->at;
}

/* Return what the last match has found besides. */
enum found tokens_queued(struct tokens *t)
{
	if (t->has_queued_token) {
		t->has_queued_token = false;
		note_token(t);
		return FOUND_TOKEN;
	}
	t->has_queued = false;
	t->fact = t->queued;
	return FOUND_FACT;
}

/* The next token or fact of the text that is there. */
enum found tokens_find(struct tokens *t, struct context *context)
{
	enum match match = MATCH_NONE;
	if (!t->begun) {
		if (t->after_prompt)
			context_reset(context); /* no row of a table comes after a prompt */
		match = match_line(t, context);
		t->begun = match != MATCH_MORE;
		t->is_something |= match == MATCH_QUIET && !t->stack_cut;
	}
	if (match == MATCH_NONE || match == MATCH_QUIET)
		match = match_rest(t, context);
	switch (match) {
	case MATCH_TOKEN:
		if (t->place && !t->token.absolute)
			context_named_place(context, t->token.module, t->token.module_length, t->token.number);
		note_token(t);
		return FOUND_TOKEN;
	case MATCH_FACT:
		return FOUND_FACT;
	case MATCH_MORE:
		return FOUND_MORE;
	case MATCH_NONE:
	case MATCH_QUIET:
		break;
	}
	t->hold = t->length;
	return FOUND_END;
}

/* Find the end of the string that is the line's own text: a quotation mark, with the end of the value after it.
   Returns LENGTH if there is none so far.  *RET_ENDED: that the string ends there is certain. */
size_t tokens_string_end(struct tokens *t, bool *ret_ended)
{
	size_t from = t->string_read > t->begin ? t->string_read : t->begin;
	const char *quote = memchr(t->text + from, '"', t->length - from);
	size_t end = quote ? (size_t)(quote - t->text) : t->length;
	t->string_read = end;
	bool last = end + 1 >= t->length;
	*ret_ended = quote && (last ? t->complete : t->text[end + 1] && strchr(",;}\t\r", t->text[end + 1]));
	return *ret_ended || last ? end : t->length;
}

/* The next token or fact of the line alone. */
enum found tokens_alone(struct tokens *t, struct context *context)
{
	if (t->has_queued_token || t->has_queued)
		return tokens_queued(t);
	front_read(t);
	if (!t->in_string)
		return tokens_find(t, context);

	/* The end of the string is the end of a line for all forms, but what follows may have tokens, too. */
	bool ended, complete = t->complete;
	size_t length = t->length;
	t->length = tokens_string_end(t, &ended);
	t->complete |= ended;
	enum found found = tokens_find(t, context);
	t->length = length;
	t->complete = complete;
	if (found != FOUND_END || !ended)
		return found;
	t->in_string = t->stack_row = t->dump_row = t->numbers = false;
	return tokens_find(t, context);
}

/* ----------------------------------------------------------------------------------------------- what was missed */

/* Text that looks like an address, although it has none of the forms that are read: the name of a module with its
   extension, a sign, and a hexadecimal number, as in "ntoskrnl.exe:89b21" alone on a line. */
enum { LEAST_DIGITS = 4, MOST_BLANKS = 2 };

/* Whether the text at C goes on with a sign and a number of an address. */
static bool is_address(struct cursor *c)
{
	struct number number;
	if (cursor_blanks(c) > MOST_BLANKS || cursor_at_end(c) || !strchr(":+!@", c->text[c->at]))
		return false;
	c->at++;
	if (cursor_blanks(c) > MOST_BLANKS || !cursor_number(c, &number))
		return false;
	if (number.digits < LEAST_DIGITS || number.digits > 16 || number.value < 0x1000)
		return false;
	/* Not a date, a version, a time or the beginning of a word. */
	return cursor_at_end(c) || !(is_word(c->text[c->at]) || strchr("-.:/\\", c->text[c->at]));
}

bool tokens_look_missed(const char *text, size_t length)
{
	for (size_t at = 1; at < length; at++) {
		size_t end = at + 1;
		if (text[at] != '.' || !is_word(text[at - 1]))
			continue;
		while (end < length && end - at <= 4 && is_word(text[end]))
			end++;
		struct cursor c = { .text = text, .at = end, .end = length, .complete = true };
		if (match_is_module(text + at - 1, end - at + 1) && is_address(&c))
			return true;
	}
	return false;
}
