// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/match.h"
#include "log/chars.h"
#include "log/note.h"

#include <string.h>

static bool is_name_char(char c)
{
	return !is_control(c) && c != '<' && c != '>' && c != '"' && c != '|' && c != '*' && c != '?';
}

/* The module in "<module:".  A colon before a separator is a drive's. */
static bool take_module(struct cursor *c, const char **module, size_t *length)
{
	size_t begin = c->at;
	bool path = false;
	for (; !cursor_at_end(c); c->at++) {
		char ch = c->text[c->at];
		if (c->at - begin > LONGEST_NAME)
			return false;
		if (ch == ':') {
			if (c->at + 1 == c->end && c->at - begin <= 6 && !c->complete) {
				c->more = true;		/* of a drive? */
				return false;
			}
			bool drive = c->at > begin && is_letter(c->text[c->at - 1]) &&
				     (c->at - 1 == begin || is_separator(c->text[c->at - 2]));
			if (drive && c->at + 1 < c->end && is_separator(c->text[c->at + 1])) {
				path = true;
				continue;
			}
			*module = c->text + begin;
			*length = c->at - begin;
			c->at++;
			return true;
		}
		path |= is_separator(ch);
		/* "\??\C:\..." */
		if ((!is_name_char(ch) && !(ch == '?' && path)) || (ch == ' ' && !path))
			return false;
	}
	return false;
}

/* "[0123456789ABCDEF] " before AT. */
static bool stack_pointer_before(const struct tokens *t, size_t at)
{
	if (at < 19 || t->text[at - 1] != ' ' || t->text[at - 2] != ']' || t->text[at - 19] != '[')
		return false;
	for (size_t i = at - 18; i < at - 2; i++)
		if (!is_hex(t->text[i]))
			return false;
	return true;
}

/* KDBG was entered at an INT3 whose address it has said, and its trace begins with the same place as an RVA. */
static void find_base(struct tokens *t, struct context *context)
{
	const struct token *token = &t->token;
	uint64_t base = context->int3_address + 1 - token->number;
	context->int3 = false;
	if (context->int3_address < token->number || (base & 0xfff) != 0 || base == 0)
		return;
	t->queued = (struct fact){ FACT_LOADED, token->module, token->module_length, base, 0, 0 };
	t->has_queued = true;
}

/* More text is wanted behind what may become a token, which begins at BEGIN and has been read up to HOLD.  If it
   becomes none, tokens of other forms can be in there, with annotations of their own. */
static enum match more_angle(struct tokens *t, size_t begin, size_t hold)
{
	for (size_t i = begin; i < hold; i++)
		if (t->text[i] == '+' || t->text[i] == '`' || is_separator(t->text[i]))
			return match_more(t, begin);
	return match_more(t, hold);
}

enum match match_angle(struct tokens *t, struct context *context)
{
	size_t begin = t->at;
	struct cursor c = cursor_at(t, begin + 1);
	struct number number;
	struct spelling spelling = { .stack_pointer = stack_pointer_before(t, begin) };
	const char *module = NULL;
	size_t module_length = 0;

	/* "<80953369>", or "<" and a module. */
	spelling.bare = cursor_number(&c, &number) && number.digits >= 5 && !cursor_at_end(&c) &&
			(c.text[c.at] == '>' || c.text[c.at] == ' ');
	if (!spelling.bare) {
		if (c.more)
			return more_angle(t, begin, c.hold);
		c = cursor_at(t, begin + 1);
		if (take_module(&c, &module, &module_length)) {
			size_t spaces = cursor_blanks(&c);
			spelling.space = spaces > 0;
			spelling.path = match_has_separator(module, module_length);
			if (spaces > 16 || !cursor_number(&c, &number))
				return c.more ? more_angle(t, begin, c.hold) : MATCH_NONE;
			spelling.padded = number.digits == 8 || number.digits == 16;
		} else {
			return c.more ? more_angle(t, begin, c.hold) : MATCH_NONE;
		}
	}

	size_t end = c.at, note_length = 0;
	if (cursor_at_end(&c))
		return c.more ? more_angle(t, begin, end) : MATCH_NONE;
	switch (note_match(t->text + end, t->length - end, t->complete, &note_length)) {
	case NOTE_MORE:
		return more_angle(t, begin, end);
	case NOTE_THERE:
	case NOTE_NONE:
		break;
	}
	c.at = end + note_length;
	if (!cursor_char(&c, '>'))
		return c.more ? more_angle(t, begin, end) : MATCH_NONE;
	size_t closed = c.at;
	spelling.path_behind = cursor_word(&c, " (");
	if (!spelling.path_behind && c.more)
		return more_angle(t, begin, end);

	t->token = (struct token){
		.begin = begin, .end = closed, .note = end, .note_end = end + note_length,
		.module = module, .module_length = module_length,
		.absolute = module_length == 0, .number = number.value,
		.is_return = context_is_return(context, &spelling),
		.tentative = module_length > 0 && !match_has_extension(module, module_length),
	};
	if (context->int3 && context->header == HEADER_EIP && module_length > 0)
		find_base(t, context);
	t->at = closed;
	return MATCH_TOKEN;
}

/* "(path@base)", behind a token of kernel32's */
enum match match_loaded_path(struct tokens *t)
{
	size_t begin = t->at + 1, at = begin, sign = 0;
	if (t->at < 2 || t->text[t->at - 1] != ' ' || t->text[t->at - 2] != '>')
		return MATCH_NONE;
	for (; at < t->length && t->text[at] != ')' && at - begin < LONGEST_NAME; at++)
		if (t->text[at] == '@')
			sign = at;
	if (at == t->length)
		return t->complete ? MATCH_NONE : match_more(t, t->at);
	struct number number;
	if (t->text[at] != ')' || sign <= begin || number_parse(t->text + sign + 1, at - sign - 1, &number) != at - sign - 1)
		return MATCH_NONE;
	if (number.digits == 0 || number.digits > 16 || number.value == 0)
		return MATCH_NONE;
	return match_loaded(t, at + 1, t->text + begin, sign - begin, number.value, 0);
}
