// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/tokens.h"
#include "log/chars.h"
#include "log/note.h"
#include "log/number.h"

#include <string.h>

enum {
	LONGEST_NAME = 300,	/* of a module, path included */
	LONGEST_FACT = 1024,	/* from a fact's key word to its end */
	LONGEST_ROW = 4096
};

/* What a matcher says about the text at tokens->at. */
enum match {
	MATCH_NONE,
	MATCH_TOKEN,
	MATCH_FACT,
	MATCH_QUIET,		/* something that changed the context only */
	MATCH_MORE		/* cannot be told yet */
};

/* ------------------------------------------------------------------------------------------------ cursor */

/* A place in the line, and how what was expected there came out. */
struct cursor {
	const char *text;
	size_t at, end;
	bool complete;
	bool more;		/* the text ended where it might have gone on; */
	size_t hold;		/* it can be passed on up to here, then: a number may have been complete */
};

static struct cursor cursor_at(const struct tokens *t, size_t at)
{
	return (struct cursor){ t->text, at, t->length, t->complete, false, t->length };
}

static bool at_end(struct cursor *c)
{
	if (c->at < c->end)
		return false;
	c->more = !c->complete;
	return true;
}

static bool skip_char(struct cursor *c, char expected)
{
	if (at_end(c) || c->text[c->at] != expected)
		return false;
	c->at++;
	return true;
}

static bool skip_word(struct cursor *c, const char *word)
{
	size_t at = c->at;
	for (; *word; word++)
		if (!skip_char(c, *word)) {
			c->at = at;
			return false;
		}
	return true;
}

static size_t skip_blanks(struct cursor *c)
{
	size_t from = c->at;
	while (!at_end(c) && is_blank(c->text[c->at]))
		c->at++;
	return c->at - from;
}

/* Whether the text ends in the middle of "0x12" or "fffff800`02a61000", behind the LENGTH bytes at AT. */
static bool number_is_cut(const struct cursor *c, size_t at, size_t length, const struct number *number)
{
	size_t behind = at + length;
	if (behind == c->end)
		return true;
	if (behind + 1 == c->end && length == 1 && c->text[at] == '0' && (c->text[behind] | 0x20) == 'x')
		return true;
	if (number->digits != 8 || c->text[behind] != '`')
		return false;
	while (++behind < c->end && is_hex(c->text[behind]))
		;
	return behind == c->end && behind - at - length <= 8;
}

/* A hexadecimal number that ends where it can end. */
static bool take_number(struct cursor *c, struct number *number)
{
	size_t at = c->at, length = number_parse(c->text + at, c->end - at, number);
	c->at += length;
	if (!c->complete && number_is_cut(c, at, length, number)) {
		c->more = true;
		c->hold = c->at;
		return false;
	}
	return length > 0 && number->digits <= 16 && (c->at == c->end || !is_word(c->text[c->at]));
}

/* Only white space until the line ends. */
static bool rest_is_blank(struct cursor *c)
{
	while (!at_end(c) && (is_blank(c->text[c->at]) || c->text[c->at] == '\r'))
		c->at++;
	return at_end(c) && !c->more;
}

/* The end of the line's text, its carriage return and blanks not counted. */
static size_t text_end(const struct tokens *t)
{
	size_t end = t->length;
	while (end > 0 && (is_blank(t->text[end - 1]) || t->text[end - 1] == '\r'))
		end--;
	return end;
}

/* Where the line's own text begins: behind what a paste, a mail or a time stamp put in front of it. */
static size_t text_begin(const struct tokens *t)
{
	size_t at = 0;
	for (;;) {
		size_t from = at;
		while (at < t->length && is_blank(t->text[at]))
			at++;
		size_t n = t->length - at;
		const char *p = t->text + at;
		if (n >= 2 && (*p == '>' || *p == '*' || *p == '-') && p[1] == ' ') {
			at += 2;
		} else if (n >= 1 && *p == '>') {
			at++;
		} else if (n >= 2 && *p == '[' && (is_digit(p[1]) || p[1] == ' ')) {
			size_t i = 1;
			bool point = false;
			for (; i < n && i < 40 && (is_digit(p[i]) || p[i] == ' ' || p[i] == '.' || p[i] == ':'); i++)
				point |= p[i] == '.' || p[i] == ':';
			if (point && i < n && p[i] == ']')
				at += i + 1;
		} else if (n >= 3 && is_digit(*p)) {
			size_t i = 0;
			while (i < n && i < 6 && is_digit(p[i]))
				i++;
			if (i + 1 < n && p[i] == '.' && p[i + 1] == ' ')
				at += i + 2;
		} else if (n >= 2 && *p == '\033' && p[1] == '[') {
			size_t i = 2;
			while (i < n && i < 16 && (is_digit(p[i]) || p[i] == ';' || p[i] == '?'))
				i++;
			if (i < n && is_letter(p[i]))
				at += i + 1;
		}
		if (at == from || at >= t->length)
			return at;
	}
}

/* More text is wanted.  HOLD: no annotation can belong before it, not even if what began here turns out to be
   nothing and the text is read again from the next byte on. */
static enum match more(struct tokens *t, size_t hold)
{
	t->hold = hold;
	return MATCH_MORE;
}

/* Make the token of an absolute address whose last digit is before END and whose annotation belongs at NOTE. */
static enum match absolute(struct tokens *t, size_t begin, size_t end, uint64_t number, bool is_return)
{
	struct token *token = &t->token;
	*token = (struct token){ .begin = begin, .end = end, .note = end, .absolute = true, .number = number,
				 .is_return = is_return };
	size_t length;
	switch (note_match(t->text + end, t->length - end, t->complete, &length)) {
	case NOTE_MORE:
		return more(t, end);
	case NOTE_THERE:
		token->note_end = end + length;
		break;
	case NOTE_NONE:
		token->note_end = end;
		break;
	}
	t->at = token->note_end;
	return MATCH_TOKEN;
}

static enum match loaded(struct tokens *t, size_t at, const char *module, size_t length, uint64_t base, uint64_t size)
{
	t->fact = (struct fact){ FACT_LOADED, module, length, base, size, 0 };
	t->at = at;
	return MATCH_FACT;
}

/* ------------------------------------------------------------------------------- tokens in angle brackets */

static bool is_name_char(char c)
{
	return !is_control(c) && c != '<' && c != '>' && c != '"' && c != '|' && c != '*' && c != '?';
}

/* The module in "<module:".  A colon before a separator is a drive's. */
static bool take_module(struct cursor *c, const char **module, size_t *length)
{
	size_t begin = c->at;
	bool path = false;
	for (; !at_end(c); c->at++) {
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

static bool contains_separator(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (is_separator(text[i]))
			return true;
	return false;
}

static bool has_extension(const char *name, size_t length)
{
	return length > 4 && memchr(name, '.', length) != NULL;
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
			return more(t, begin);
	return more(t, hold);
}

static enum match match_angle(struct tokens *t, struct context *context)
{
	size_t begin = t->at;
	struct cursor c = cursor_at(t, begin + 1);
	struct number number;
	struct spelling spelling = { .stack_pointer = stack_pointer_before(t, begin) };
	const char *module = NULL;
	size_t module_length = 0;

	/* "<80953369>", or "<" and a module. */
	spelling.bare = take_number(&c, &number) && number.digits >= 5 && !at_end(&c) &&
			(c.text[c.at] == '>' || c.text[c.at] == ' ');
	if (!spelling.bare) {
		if (c.more)
			return more_angle(t, begin, c.hold);
		c = cursor_at(t, begin + 1);
		if (take_module(&c, &module, &module_length)) {
			size_t spaces = skip_blanks(&c);
			spelling.space = spaces > 0;
			spelling.path = contains_separator(module, module_length);
			if (spaces > 16 || !take_number(&c, &number))
				return c.more ? more_angle(t, begin, c.hold) : MATCH_NONE;
			spelling.padded = number.digits == 8 || number.digits == 16;
		} else {
			return c.more && t->length - begin <= LONGEST_NAME ? more_angle(t, begin, c.hold) : MATCH_NONE;
		}
	}

	size_t end = c.at, note_length = 0;
	if (at_end(&c))
		return c.more ? more_angle(t, begin, end) : MATCH_NONE;
	switch (note_match(t->text + end, t->length - end, t->complete, &note_length)) {
	case NOTE_MORE:
		return more_angle(t, begin, end);
	case NOTE_THERE:
	case NOTE_NONE:
		break;
	}
	c.at = end + note_length;
	if (!skip_char(&c, '>'))
		return c.more ? more_angle(t, begin, end) : MATCH_NONE;
	size_t closed = c.at;
	spelling.path_behind = skip_word(&c, " (");
	if (!spelling.path_behind && c.more)
		return more_angle(t, begin, end);

	t->token = (struct token){
		.begin = begin, .end = closed, .note = end, .note_end = end + note_length,
		.module = module, .module_length = module_length,
		.absolute = module_length == 0, .number = number.value,
		.is_return = context_is_return(context, &spelling),
		.tentative = module_length > 0 && !has_extension(module, module_length),
	};
	if (context->int3 && context->header == HEADER_EIP && module_length > 0)
		find_base(t, context);
	t->at = closed;
	return MATCH_TOKEN;
}

/* "(path@base)", behind a token of kernel32's */
static enum match match_loaded_path(struct tokens *t)
{
	size_t begin = t->at + 1, at = begin, sign = 0;
	if (t->at < 2 || t->text[t->at - 1] != ' ' || t->text[t->at - 2] != '>')
		return MATCH_NONE;
	for (; at < t->length && t->text[at] != ')' && at - begin < LONGEST_NAME; at++)
		if (t->text[at] == '@')
			sign = at;
	if (at == t->length)
		return t->complete ? MATCH_NONE : more(t, t->at);
	struct number number;
	if (t->text[at] != ')' || sign <= begin || number_parse(t->text + sign + 1, at - sign - 1, &number) != at - sign - 1)
		return MATCH_NONE;
	if (number.digits == 0 || number.digits > 16 || number.value == 0)
		return MATCH_NONE;
	return loaded(t, at + 1, t->text + begin, sign - begin, number.value, 0);
}

/* ------------------------------------------------------------------------------------- module+0xoffset */

static bool is_module_char(char c)
{
	return is_word(c) || c == '.' || c == '-' || c == '$' || c == '~';
}

/* kernel32's and ntdll's "   7c920000+f0a1       C:\ReactOS\system32\ntdll.dll": BEGIN is where the base stands. */
static enum match match_base_and_offset(struct tokens *t, struct context *context, size_t begin)
{
	struct number base, offset;
	if (number_parse(t->text + begin, t->at - begin, &base) != t->at - begin || base.digits > 16 || base.prefix)
		return MATCH_NONE;
	struct cursor c = cursor_at(t, t->at + 1);
	if (!take_number(&c, &offset))
		return c.more ? more(t, c.hold) : MATCH_NONE;
	if (offset.prefix || (base.value == 0 ? offset.digits : base.digits) < 5)
		return MATCH_NONE;
	if (!t->complete)
		return more(t, c.at);
	size_t end = text_end(t), path_begin = c.at, path_end;
	while (path_begin < end && is_blank(t->text[path_begin]))
		path_begin++;
	/* An annotation may stand behind the path; or behind the number, if there is no path. */
	size_t note_length = 0;
	bool no_path = path_begin >= end ||
		       note_match(t->text + c.at, t->length - c.at, true, &note_length) == NOTE_THERE;
	if (no_path)
		path_end = path_begin;
	else
		path_end = note_find_last(t->text + path_begin, end - path_begin, &note_length) + path_begin;
	if (base.value != 0 && (no_path || !contains_separator(t->text + path_begin, path_end - path_begin)))
		return MATCH_NONE;
	t->token = (struct token){
		.begin = begin, .end = no_path ? c.at : path_end, .note = no_path ? c.at : path_end,
		.module = t->text + path_begin, .module_length = no_path ? 0 : path_end - path_begin,
		.absolute = base.value == 0, .number = offset.value,
		.is_return = context->header == HEADER_USER_FRAMES,
	};
	t->token.note_end = t->token.note + note_length;
	if (base.value != 0) {
		t->queued = (struct fact){ FACT_LOADED, t->token.module, t->token.module_length, base.value, 0, 0 };
		t->has_queued = true;
	}
	if (context->header != HEADER_NONE)
		context->header_line = context->line;
	t->at = t->token.note_end;
	return MATCH_TOKEN;
}

static enum match match_plus(struct tokens *t, struct context *context)
{
	size_t begin = t->at;
	while (begin > 0 && t->at - begin < LONGEST_NAME && is_module_char(t->text[begin - 1]))
		begin--;
	if (begin == t->at)
		return MATCH_NONE;
	if (begin == 0 || is_blank(t->text[begin - 1])) {
		enum match match = match_base_and_offset(t, context, begin);
		if (match != MATCH_NONE)
			return match;
	}
	/* "nt!KiDispatchException+0x25": a symbol's offset. */
	if (begin > 0 && (t->text[begin - 1] == '!' || t->text[begin - 1] == ':' || t->text[begin - 1] == '@'))
		return MATCH_NONE;
	if (!is_letter(t->text[begin]) && t->text[begin] != '_')
		return MATCH_NONE;
	struct cursor c = cursor_at(t, t->at + 1);
	struct number number;
	if (!take_number(&c, &number))
		return c.more ? more(t, c.hold) : MATCH_NONE;
	if (!number.prefix)
		return MATCH_NONE;

	const char *module = t->text + begin;
	size_t length = t->at - begin;
	bool is_return = context->header == HEADER_WINDBG_STACK && context->seen > 0;
	enum match match = absolute(t, begin, c.at, number.value, is_return);
	if (match != MATCH_TOKEN)
		return match;
	t->token.absolute = false;
	t->token.module = module;
	t->token.module_length = length;
	t->token.tentative = !has_extension(module, length);
	return match;
}

/* ------------------------------------------------------------------------------------------ key words */

/* Behind "eip", "CS:EIP", "rip": perhaps a segment, and the address; or nothing, and the address stands below. */
static enum match after_eip(struct tokens *t, struct context *context, size_t at)
{
	struct cursor c = cursor_at(t, at);
	struct number number;
	bool colon = skip_char(&c, ':');
	if (!colon && !skip_char(&c, '=') && !c.more && (at >= t->length || !is_blank(t->text[at])))
		return MATCH_NONE;
	if (c.more)
		return more(t, c.hold);
	size_t spaces = skip_blanks(&c);
	if (spaces > 32)
		return MATCH_NONE;
	size_t begin = c.at;
	if (!take_number(&c, &number) && !c.more) {
		c.at = begin;
		if (!colon || !rest_is_blank(&c))
			return c.more ? more(t, c.hold) : MATCH_NONE;
		context_header(context, HEADER_EIP);
		t->at = t->length;
		return MATCH_QUIET;
	}
	if (c.more)
		return more(t, c.hold);
	if (number.digits <= 4 && skip_char(&c, ':')) {
		begin = c.at;
		if (!take_number(&c, &number))
			return c.more ? more(t, c.hold) : MATCH_NONE;
	}
	/* A segment alone, or one that a token follows. */
	if (c.more)
		return more(t, c.hold);
	if (number.digits < 5)
		return MATCH_NONE;
	return absolute(t, begin, c.at, number.value, false);
}

/* An address behind a key word that ends before AT. */
static enum match after_word(struct tokens *t, size_t at)
{
	struct cursor c = cursor_at(t, at);
	struct number number;
	skip_blanks(&c);
	size_t begin = c.at;
	if (!take_number(&c, &number))
		return c.more ? more(t, c.hold) : MATCH_NONE;
	if (number.digits < 5)
		return MATCH_NONE;
	return absolute(t, begin, c.at, number.value, false);
}

/* "0x0008:0x8058324B" */
static enum match after_break(struct tokens *t, struct context *context, size_t at, bool int3)
{
	struct cursor c = cursor_at(t, at);
	struct number number;
	if (!take_number(&c, &number) || !skip_char(&c, ':'))
		return c.more ? more(t, t->at) : MATCH_NONE;
	size_t begin = c.at;
	if (!take_number(&c, &number))
		return c.more ? more(t, t->at) : MATCH_NONE;
	enum match match = absolute(t, begin, c.at, number.value, false);
	if (match == MATCH_TOKEN && int3) {
		context->int3 = true;
		context->int3_address = number.value;
	}
	return match;
}

/* "***     btrfs.sys - Address FD8B49C2 base at FD899000, DateStamp 5db90293"; AT is behind "Address". */
static enum match after_address(struct tokens *t, size_t at)
{
	size_t word = t->at, end = word, begin;
	struct cursor c = cursor_at(t, at);
	struct number address, base, stamp;
	if (end < 4 || memcmp(t->text + end - 3, " - ", 3) != 0)
		return MATCH_NONE;
	end -= 3;
	begin = end;
	while (begin > 0 && end - begin < LONGEST_NAME && !is_blank(t->text[begin - 1]) && t->text[begin - 1] != '*')
		begin--;
	if (begin == end || !skip_char(&c, ' ') || !take_number(&c, &address) || !skip_word(&c, " base at ") ||
	    !take_number(&c, &base) || !skip_word(&c, ", DateStamp ") || !take_number(&c, &stamp))
		return c.more ? more(t, t->at) : MATCH_NONE;
	if (address.value < base.value || address.digits < 5 || base.digits < 5)
		return MATCH_NONE;

	const char *module = t->text + begin;
	enum match match = absolute(t, begin, c.at, address.value - base.value, false);
	if (match != MATCH_TOKEN)
		return match;
	t->token.absolute = false;
	t->token.module = module;
	t->token.module_length = end - begin;
	/* The DateStamp first: it decides about the image. */
	size_t behind = t->at;
	t->has_queued_token = true;
	match = loaded(t, behind, module, end - begin, base.value, 0);
	t->fact.stamp = (uint32_t)stamp.value;
	return match;
}

/* "Loading: \SystemRoot\System32\ftfd.dll at F824F000 with 11c pages" */
static enum match after_loading(struct tokens *t, size_t at)
{
	struct number base, pages = { .value = 0 };
	if (!t->complete && t->length - t->at < LONGEST_FACT)
		return more(t, t->at);
	for (size_t i = at; i + 4 < t->length && i - at < LONGEST_NAME; i++) {
		if (memcmp(t->text + i, " at ", 4) != 0)
			continue;
		struct cursor c = cursor_at(t, i + 4);
		if (!take_number(&c, &base) || base.digits < 5)
			continue;
		if (skip_word(&c, " with ") && !take_number(&c, &pages))
			pages.value = 0;
		return loaded(t, c.at, t->text + at, i - at, base.value, pages.value > UINT32_MAX ? 0 : pages.value * 4096);
	}
	return MATCH_NONE;
}

/* "DriverBase for \SystemRoot\system32\drivers\pci.sys: dceb6000" */
static enum match after_driver_base(struct tokens *t, size_t at)
{
	struct number base;
	if (!t->complete && t->length - t->at < LONGEST_FACT)
		return more(t, t->at);
	for (size_t i = at; i + 2 < t->length && i - at < LONGEST_NAME; i++) {
		if (t->text[i] != ':' || t->text[i + 1] != ' ')
			continue;
		struct cursor c = cursor_at(t, i + 2);
		if (take_number(&c, &base) && base.digits >= 5)
			return loaded(t, c.at, t->text + at, i - at, base.value, 0);
	}
	return MATCH_NONE;
}

static enum match after_kernel_base(struct tokens *t, size_t at)
{
	static const char name[] = "ntoskrnl.exe";
	struct cursor c = cursor_at(t, at);
	struct number base;
	if (!take_number(&c, &base))
		return c.more ? more(t, c.hold) : MATCH_NONE;
	return base.digits < 5 ? MATCH_NONE : loaded(t, c.at, name, sizeof name - 1, base.value, 0);
}

/* "80400000 809d1000   nt", from AT: two numbers of an address's width and a name. */
static enum match start_end_name(struct tokens *t, size_t at)
{
	struct cursor c = cursor_at(t, at);
	struct number base, end;
	skip_blanks(&c);
	if (!take_number(&c, &base) || !skip_blanks(&c) || !take_number(&c, &end) || !skip_blanks(&c))
		return c.more ? more(t, t->at) : MATCH_NONE;
	size_t begin = c.at;
	while (!at_end(&c) && !is_blank(t->text[c.at]) && t->text[c.at] != '\r')
		c.at++;
	if (c.more)
		return more(t, t->at);
	if (base.digits < 8 || end.digits < 8 || end.value <= base.value || c.at == begin)
		return MATCH_NONE;
	return loaded(t, c.at, t->text + begin, c.at - begin, base.value, end.value - base.value);
}

/* "(Build 20160816-r72234)" behind "ReactOS 0.4.2 ". */
static enum match after_build(struct tokens *t, struct context *context, size_t at)
{
	static const char name[] = "ReactOS ";
	size_t name_length = sizeof name - 1, begin = t->at;
	while (begin > 0 && t->at - begin < 64 && t->text[begin - 1] != ')')
		begin--;
	for (; begin + name_length < t->at; begin++)
		if (memcmp(t->text + begin, name, name_length) == 0 && is_digit(t->text[begin + name_length])) {
			context_reset(context);
			context->int3 = false;
			t->fact = (struct fact){ .kind = FACT_BOOT };
			t->at = at;
			return MATCH_FACT;
		}
	return MATCH_NONE;
}

static enum match user_dump(struct tokens *t, size_t at)
{
	t->fact = (struct fact){ .kind = FACT_USER };
	t->at = at;
	return MATCH_FACT;
}

enum key {
	KEY_EIP, KEY_EXCEPTION_ADDRESS, KEY_INSTRUCTION, KEY_EXEC, KEY_INT3, KEY_BPX, KEY_ADDRESS, KEY_ADDRESS_HEAD,
	KEY_FRAMES, KEY_LOADING, KEY_DRIVER_BASE, KEY_KERNEL_BASE, KEY_MODLOAD, KEY_BUILD, KEY_UNHANDLED, KEY_PROMPT,
	KEY_ENTERED, KEY_TSS, KEY_MOD, KEY_LM, KEY_THREADS, KEY_WINDBG_STACK, KEY_WATSON_MODULES, KEY_WATSON_STACK,
	KEY_WATSON_OTHER
};

/* The first one that fits counts.  At a word's start only.  QUAD is what tokens_skip() looks for: four characters
   of the key word or of what must follow it, "?" for any. */
static const struct key_word {
	const char *text;
	const char *quad;
	enum key key;
} key_words[] = {
	{ "Eip", "Eip?", KEY_EIP },
	{ "EIP", "EIP?", KEY_EIP },
	{ "eip", "eip?", KEY_EIP },
	{ "DbgEip", "Eip?", KEY_EIP },
	{ "Rip", "Rip:", KEY_EIP },
	{ "RIP", "RIP?", KEY_EIP },
	{ "rip=", "rip=", KEY_EIP },
	{ "rip:", "rip:", KEY_EIP },
	{ "ExceptionAddress: ", "ess:", KEY_EXCEPTION_ADDRESS },
	{ "Exception address: ", "ess:", KEY_EXCEPTION_ADDRESS },
	{ "The instruction at ", "at \"", KEY_INSTRUCTION },
	{ "EXEC ", "EXEC", KEY_EXEC },
	{ "embedded INT3 at ", "INT3", KEY_INT3 },
	{ "BPX ", "BPX ", KEY_BPX },
	{ "Address:", "ess:", KEY_ADDRESS_HEAD },
	{ "Address", "- Ad", KEY_ADDRESS },
	{ "Frames:", "mes:", KEY_FRAMES },
	{ "Loading: ", "oadi", KEY_LOADING },
	{ "DriverBase for ", "rBas", KEY_DRIVER_BASE },
	{ "Kernel base = ", "el b", KEY_KERNEL_BASE },
	{ "ModLoad: ", "dLoa", KEY_MODLOAD },
	{ "(Build ", "(Bui", KEY_BUILD },
	{ "Unhandled exception", "Unha", KEY_UNHANDLED },
	{ "kdb:>", "kdb:", KEY_PROMPT },
	{ "kd>", "kd> ", KEY_PROMPT },
	{ "Entered debugger", "bugg", KEY_ENTERED },
	{ "[Active TSS ", "TSS ", KEY_TSS },
	{ "[Parent TSS ", "TSS ", KEY_TSS },
	{ "Base      Size      Name", "  Si", KEY_MOD },
	{ "Base              Size      Name", "  Si", KEY_MOD },
	{ "start    end ", "  en", KEY_LM },
	{ "start             end ", "  en", KEY_LM },
	{ "TID  ", "TID ", KEY_THREADS },
	{ "ChildEBP RetAddr", "P Re", KEY_WINDBG_STACK },
	{ "Child-SP ", "d-SP", KEY_WINDBG_STACK },
	{ "*----> Module List <", "--> ", KEY_WATSON_MODULES },
	{ "*----> Stack Back Trace <", "--> ", KEY_WATSON_STACK },
	{ "*----> ", "--> ", KEY_WATSON_OTHER },
};

enum { KEY_COUNT = sizeof key_words / sizeof *key_words };

static enum match take_key(struct tokens *t, struct context *context, enum key key, size_t at)
{
	struct cursor c = cursor_at(t, at);
	switch (key) {
	case KEY_EIP:
		return after_eip(t, context, at);
	case KEY_EXCEPTION_ADDRESS:
		return after_word(t, at);
	case KEY_INSTRUCTION:
		skip_char(&c, '"');
		return c.more ? more(t, c.hold) : after_word(t, c.at);
	case KEY_BPX:
		return after_word(t, at);
	case KEY_EXEC:
	case KEY_INT3:
		return after_break(t, context, at, key == KEY_INT3);
	case KEY_ADDRESS:
		return after_address(t, at);
	case KEY_ADDRESS_HEAD:
		if (text_begin(t) != t->at)
			return MATCH_NONE;
		if (!rest_is_blank(&c))
			return c.more ? more(t, c.hold) : MATCH_NONE;
		context_header(context, HEADER_ADDRESS);
		break;
	case KEY_FRAMES:
		context_frames(context);
		t->numbers = true;
		break;
	case KEY_LOADING:
		return after_loading(t, at);
	case KEY_DRIVER_BASE:
		return after_driver_base(t, at);
	case KEY_KERNEL_BASE:
		return after_kernel_base(t, at);
	case KEY_MODLOAD:
		return start_end_name(t, at);
	case KEY_BUILD:
		return after_build(t, context, at);
	case KEY_UNHANDLED:
		if (!rest_is_blank(&c))
			return c.more ? more(t, c.hold) : MATCH_NONE;
		context_reset(context);
		return user_dump(t, at);
	case KEY_PROMPT:
		context_reset(context);
		t->prompt = true;
		break;
	case KEY_ENTERED:
		context_reset(context);
		return user_dump(t, at);
	case KEY_TSS:
		context_header(context, HEADER_KDBG_FRAMES);
		break;
	case KEY_MOD:
		context_table(context, TABLE_MOD);
		break;
	case KEY_LM:
		context_table(context, TABLE_LM);
		break;
	case KEY_THREADS:
		context_table(context, TABLE_THREADS);
		break;
	case KEY_WINDBG_STACK:
		context_header(context, HEADER_WINDBG_STACK);
		break;
	case KEY_WATSON_MODULES:
		context_table(context, TABLE_WATSON_MODULES);
		return user_dump(t, at);
	case KEY_WATSON_STACK:
		context_table(context, TABLE_WATSON_STACK);
		break;
	case KEY_WATSON_OTHER:
		context_reset(context);
		break;
	}
	t->at = at;
	return MATCH_QUIET;
}

static enum match match_key(struct tokens *t, struct context *context)
{
	const char *p = t->text + t->at;
	size_t n = t->length - t->at;
	for (size_t i = 0; i < KEY_COUNT; i++) {
		const char *word = key_words[i].text;
		if (*word != *p)
			continue;
		size_t length = strlen(word);
		if (n < length) {
			if (!t->complete && memcmp(p, word, n) == 0)
				return more(t, t->length);
			continue;
		}
		if (memcmp(p, word, length) == 0) {
			enum match match = take_key(t, context, key_words[i].key, t->at + length);
			if (match != MATCH_NONE)
				return match;
		}
	}
	return MATCH_NONE;
}

/* ---------------------------------------------------------------------------------------------- numbers */

/* WinDbg's "fffff800`02a61000", and FreeLoader's frames */
static enum match match_number(struct tokens *t, struct context *context)
{
	struct number number;
	struct cursor c = cursor_at(t, t->at);
	bool complete = take_number(&c, &number);
	if (c.more)
		return more(t, c.hold);
	if (!complete || number.prefix)
		return MATCH_NONE;
	bool is_return = false;
	if (number.grave) {
		/* Of a stack's columns the second is a return address, and one line's is the next line's place. */
		is_return = context->header == HEADER_WINDBG_STACK && t->row_numbers == 1;
	} else {
		bool spaced = t->at == 0 || is_blank(t->text[t->at - 1]);
		bool ended = c.at == t->length || is_blank(t->text[c.at]) || t->text[c.at] == '\r';
		if (!t->numbers || number.digits < 8 || !spaced || !ended || context->header == HEADER_NONE)
			return MATCH_NONE;
		is_return = true;
	}
	enum match match = absolute(t, t->at, c.at, number.value, is_return);
	if (match == MATCH_TOKEN && number.grave)
		t->row_numbers++;
	return match;
}

/* A line of addresses with blanks in between, and nothing else, below "Frames:". */
static bool is_all_numbers(const struct tokens *t)
{
	size_t at = text_begin(t), end = text_end(t);
	if (at >= end)
		return false;
	while (at < end) {
		struct number number;
		size_t n = number_parse(t->text + at, end - at, &number);
		if (n == 0 || number.prefix || number.grave || (number.digits != 8 && number.digits != 16))
			return false;
		at += n;
		size_t note_length = 0;
		if (note_match(t->text + at, end - at, true, &note_length) == NOTE_THERE)
			at += note_length;
		if (at < end && !is_blank(t->text[at]))
			return false;
		while (at < end && is_blank(t->text[at]))
			at++;
	}
	return true;
}

/* ----------------------------------------------------------------------------------------- rows of tables */

/* "  80400000  00200000  ntoskrnl.exe" */
static enum match row_mod(struct tokens *t, size_t begin, size_t end)
{
	struct cursor c = cursor_at(t, begin);
	struct number base, size;
	if (!take_number(&c, &base) || !skip_blanks(&c) || !take_number(&c, &size) || !skip_blanks(&c) ||
	    c.at >= end || (base.digits != 8 && base.digits != 16) || size.digits != 8 || size.value == 0)
		return MATCH_NONE;
	return loaded(t, t->length, t->text + c.at, end - c.at, base.value, size.value);
}

/* "(7c920000 - 7ca10000) C:\ReactOS\system32\ntdll.dll" */
static enum match row_watson_module(struct tokens *t, size_t begin, size_t end)
{
	struct cursor c = cursor_at(t, begin);
	struct number base, last;
	if (!skip_char(&c, '(') || !take_number(&c, &base) || !skip_word(&c, " - ") || !take_number(&c, &last) ||
	    !skip_word(&c, ") ") || c.at >= end || last.value <= base.value)
		return MATCH_NONE;
	return loaded(t, t->length, t->text + c.at, end - c.at, base.value, last.value - base.value);
}

/* "0012FE10 7C92F0A1 00000000 00000001 0012FE40 7C5E1234 ntdll!RtlpFoo +0x1a": the second is the place. */
static enum match row_watson_stack(struct tokens *t, struct context *context, size_t begin, size_t end)
{
	struct cursor c = cursor_at(t, begin);
	struct number number, place = { .value = 0 };
	for (int i = 0; i < 6; i++) {
		if (!take_number(&c, &number) || number.digits < 8 || !skip_blanks(&c))
			return MATCH_NONE;
		if (i == 1)
			place = number;
	}
	size_t note_length = 0;
	size_t note = note_find_last(t->text + c.at, end - c.at, &note_length) + c.at;
	if (!memchr(t->text + c.at, '!', note - c.at))
		return MATCH_NONE;
	bool is_return = context_is_caller(context);
	t->token = (struct token){ .begin = begin, .end = note, .note = note, .note_end = note + note_length,
				   .absolute = true, .number = place.value, .is_return = is_return };
	t->at = t->length;
	return MATCH_TOKEN;
}

/* " *0x00000004  Running  ...  0xf1234567  0x80412345": the last is the place. */
static enum match row_thread(struct tokens *t, size_t begin, size_t end)
{
	size_t note_length = 0;
	size_t note = note_find_last(t->text + begin, end - begin, &note_length) + begin, at = note;
	struct number number;
	while (at > begin && is_word(t->text[at - 1]))
		at--;
	if (at == begin || number_parse(t->text + at, note - at, &number) != note - at || !number.prefix || number.digits < 8)
		return MATCH_NONE;
	t->token = (struct token){ .begin = at, .end = note, .note = note, .note_end = note + note_length,
				   .absolute = true, .number = number.value };
	t->at = t->length;
	return MATCH_TOKEN;
}

/* Whether what there is of a line may be a row: so that a prompt below a table is not held back. */
static bool may_be_row(const struct tokens *t, size_t begin)
{
	size_t at = begin;
	if (t->length >= LONGEST_ROW)
		return false;
	/* Something in front of the line that is not all there yet. */
	if (at < t->length && !t->complete && (t->text[at] == '[' || t->text[at] == '\033' || t->text[at] == '-'))
		return t->length - at < 40;
	while (at < t->length && (is_blank(t->text[at]) || t->text[at] == '*' || t->text[at] == '('))
		at++;
	while (at < t->length && (is_hex(t->text[at]) || t->text[at] == 'x' || t->text[at] == '`'))
		at++;
	return at == t->length || is_blank(t->text[at]) || (!t->complete && t->text[at] == '.') || t->text[at] == '\r';
}

static enum match match_row(struct tokens *t, struct context *context)
{
	size_t begin = text_begin(t), end = text_end(t);
	bool may_be = may_be_row(t, begin);
	if (!t->complete && may_be)
		return more(t, 0);
	if (begin >= end)
		return MATCH_NONE;
	enum match match = MATCH_NONE;
	switch (may_be ? context->table : TABLE_NONE) {
	case TABLE_NONE:
		break;
	case TABLE_MOD:
		match = row_mod(t, begin, end);
		break;
	case TABLE_LM:
		match = start_end_name(t, begin);
		break;
	case TABLE_THREADS:
		match = row_thread(t, begin, end);
		break;
	case TABLE_WATSON_MODULES:
		match = row_watson_module(t, begin, end);
		break;
	case TABLE_WATSON_STACK:
		match = row_watson_stack(t, context, begin, end);
		break;
	}
	/* A row that is none ends the table; the second head of a stack does not. */
	if (match == MATCH_NONE && !(context->table == TABLE_WATSON_STACK && context->rows == 0))
		context->table = TABLE_NONE;
	return match;
}

/* ----------------------------------------------------------------------------------------------- lines */

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
	for (size_t i = 0; i < KEY_COUNT; i++)
		if (key_words[i].text[0] == ch)
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
	bool edit = t->edit;
	*t = (struct tokens){ .edit = edit };
	context_line(context);
}

static enum match match_at(struct tokens *t, struct context *context, enum kind kind)
{
	enum match match = MATCH_NONE;
	if (kind == KIND_ANGLE)
		return match_angle(t, context);
	if (kind == KIND_PLUS)
		return match_plus(t, context);
	if (kind == KIND_PAREN) {
		match = match_loaded_path(t);
		return match == MATCH_NONE ? match_key(t, context) : match;
	}
	if (t->at > 0 && is_word(t->text[t->at - 1]))
		return MATCH_NONE;
	if (kind & KIND_KEY)
		match = match_key(t, context);
	if (match == MATCH_NONE && (kind & KIND_HEX))
		match = match_number(t, context);
	return match;
}

/* What depends on where the line begins.  MATCH_NONE: go on with its characters. */
static enum match match_line(struct tokens *t, struct context *context)
{
	if (context->table != TABLE_NONE) {
		enum match match = match_row(t, context);
		if (match != MATCH_NONE)
			return match;
	}
	if (context->header == HEADER_FRAMES) {
		bool may_be = may_be_row(t, text_begin(t));
		if (!t->complete && may_be)
			return more(t, 0);
		t->numbers = may_be && is_all_numbers(t);
		if (t->numbers)
			context->header_line = context->line;
	}
	return MATCH_NONE;
}

enum found tokens_next(struct tokens *t, struct context *context)
{
	const unsigned char *kind = kinds();
	enum match match = MATCH_NONE;
	if (t->has_queued_token) {
		t->has_queued_token = false;
		return FOUND_TOKEN;
	}
	if (t->has_queued) {
		t->has_queued = false;
		t->fact = t->queued;
		return FOUND_FACT;
	}
	if (!t->begun) {
		match = match_line(t, context);
		t->begun = match != MATCH_MORE;
	}
	while (match == MATCH_NONE || match == MATCH_QUIET) {
		while (t->at < t->length && kind[(unsigned char)t->text[t->at]] == KIND_PLAIN)
			t->at++;
		if (t->at >= t->length) {
			/* The stack that WinDbg prints counts its rows by lines. */
			if (t->complete && context->header == HEADER_WINDBG_STACK && !context->on_header_line) {
				context->seen++;
				context->header_line = context->line;
			}
			t->hold = t->length;
			return FOUND_END;
		}
		match = match_at(t, context, kind[(unsigned char)t->text[t->at]]);
		if (match == MATCH_NONE)
			t->at++;
	}
	switch (match) {
	case MATCH_TOKEN:
		return FOUND_TOKEN;
	case MATCH_FACT:
		return FOUND_FACT;
	case MATCH_MORE:
	case MATCH_NONE:
	case MATCH_QUIET:
		break;
	}
	return FOUND_MORE;
}

/* ------------------------------------------------------------------------------------------------- skip */

/*
 * Two sieves.  The fine one: for each of four neighbouring bytes, the set of quads that have that byte there; where the sets
 * of four neighbours have a member in common, that quad stands.  The coarse one looks at every other byte and the one
 * behind it: of each key word it knows two pairs, one that begins at an even place in it and one at an odd.
 */
struct sieve {
	uint8_t pair[UINT16_MAX + 1];	/* by the two bytes as they stand in memory */
	uint64_t quad[4][256];
	bool made;
};

enum {
	SIEVE_BLOCK = 32,
	SIEVE_REACH = TOKENS_UNDECIDED	/* no pair is farther than this from its quad */
};

static void add_pair(struct sieve *sieve, char first, char second)
{
	const char bytes[2] = { first, second };
	uint16_t pair;
	memcpy(&pair, bytes, sizeof pair);
	sieve->pair[pair] = 1;
}

static void add_quad(struct sieve *sieve, unsigned bit, const char *quad)
{
	for (int i = 0; i < 4; i++)
		for (int c = 0; c < 256; c++)
			if (quad[i] == '?' || (unsigned char)quad[i] == c)
				sieve->quad[i][c] |= UINT64_C(1) << bit;
}

/* How rare a character is in logs, very roughly. */
static unsigned rarity(char c)
{
	if (c >= 'a' && c <= 'z')
		return strchr("etaoinsrl", c) ? 0 : strchr("kbvwxyzjq", c) ? 2 : 1;
	if (c >= 'A' && c <= 'Z')
		return 3;
	return strchr(" :.", c) ? 0 : 3;
}

/* The rarest pair of WORD of those that begin at PARITY, PARITY + 2 ... */
static void add_rarest_pair(struct sieve *sieve, const char *word, size_t parity)
{
	const char *rarest = NULL;
	for (size_t i = parity; word[i] && word[i + 1]; i += 2)
		if (!rarest || rarity(word[i]) + rarity(word[i + 1]) > rarity(rarest[0]) + rarity(rarest[1]))
			rarest = word + i;
	if (rarest)
		add_pair(sieve, rarest[0], rarest[1]);
}

static const struct sieve *the_sieve(void)
{
	static struct sieve sieve;
	static const char marks[][5] = { "<???", "+???", "`???", "@???" };
	enum { MARKS = sizeof marks / sizeof *marks };
	_Static_assert(KEY_COUNT + MARKS <= 64, "one bit for each");
	if (sieve.made)
		return &sieve;
	for (unsigned i = 0; i < MARKS; i++) {
		add_quad(&sieve, i, marks[i]);
		for (int c = 0; c < 256; c++) {
			add_pair(&sieve, marks[i][0], (char)c);
			add_pair(&sieve, (char)c, marks[i][0]);
		}
	}
	for (unsigned i = 0; i < KEY_COUNT; i++) {
		add_quad(&sieve, MARKS + i, key_words[i].quad);
		add_rarest_pair(&sieve, key_words[i].text, 0);
		add_rarest_pair(&sieve, key_words[i].text, 1);
	}
	sieve.made = true;
	return &sieve;
}

/* The first quad that begins in [FROM, TO), or TO. */
static size_t find_quad(const struct sieve *sieve, const unsigned char *p, size_t from, size_t to)
{
	while (from < to && !(sieve->quad[0][p[from]] & sieve->quad[1][p[from + 1]] & sieve->quad[2][p[from + 2]] &
			      sieve->quad[3][p[from + 3]]))
		from++;
	return from;
}

size_t tokens_skip(const char *text, size_t length)
{
	const struct sieve *sieve = the_sieve();
	const unsigned char *p = (const unsigned char *)text;
	size_t at = 0, fine = 0;	/* no quad begins before FINE, and none that a pair before AT belongs to */
	for (; length - at >= SIEVE_BLOCK + SIEVE_REACH + 4; at += SIEVE_BLOCK) {
		unsigned found = 0;
		for (size_t i = at; i < at + SIEVE_BLOCK; i += 2) {
			uint16_t pair;
			memcpy(&pair, p + i, sizeof pair);
			found |= sieve->pair[pair];
		}
		if (!found)
			continue;
		if (at > fine + SIEVE_REACH)
			fine = at - SIEVE_REACH;
		size_t end = at + SIEVE_BLOCK + SIEVE_REACH;
		fine = find_quad(sieve, p, fine, end);
		if (fine < end)
			return fine;
	}
	if (at > fine + SIEVE_REACH)
		fine = at - SIEVE_REACH;
	if (length < fine + 4)
		return length;
	at = find_quad(sieve, p, fine, length - 3);
	return at < length - 3 ? at : length;
}
