// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * match_address.c - lines that say in which module the system stopped: an address in it, and its load address
 *
 *     ***     btrfs.sys - Address FD8B49C2 base at FD899000, DateStamp 5db90293
 *
 *     *** Address fc873d6c has base at fc870000 - i8042prt.SYS		NT 4: "***" may be anywhere in the line
 *
 * People type the first form from a photograph, so "address" and "Datestamp" count, too, the comma may be missing, and
 * there may be more blanks.
 *
 * A mailer or a terminal may have wrapped the line at any of its blanks after "Address".  Then context->wrapped stores
 * the text up to there, and the next line is read as if it followed that text.  The token is on the
 * line with the DateStamp.
 */
#include "config.h"
#include "log/read/match.h"
#include "log/read/chars.h"

#include <string.h>

/* What the line says. */
struct crash_module {
	const char *module;
	size_t module_length;
	struct number address, base, stamp;
};

static bool take_either(struct cursor *c, const char *word, const char *other)
{
	return cursor_word(c, word) || (cursor_word(c, other));
}

/* " base at FD899000", " has base at FD899000" */
static bool take_base(struct cursor *c, struct number *base)
{
	return cursor_blanks(c) > 0 && take_either(c, "base at", "has base at") && cursor_blanks(c) > 0 &&
	       cursor_number(c, base);
}

/* ", DateStamp 5db90293" */
static bool take_stamp(struct cursor *c, struct number *stamp)
{
	cursor_char(c, ',');
	return cursor_blanks(c) > 0 && take_either(c, "DateStamp", "Datestamp") && cursor_blanks(c) > 0 &&
	       cursor_number(c, stamp);
}

/* Read "btrfs.sys - Address FD8B49C2 base at FD899000, DateStamp 5db90293" at C. */
static bool read_form(struct cursor *c, struct crash_module *place)
{
	place->module = c->text + c->at;
	size_t begin = c->at, end = begin;
	while (!take_either(c, " - Address", " - address")) {
		if (cursor_at_end(c))
			return false;
		end = ++c->at;
	}
	place->module_length = end - begin;
	return cursor_blanks(c) > 0 && cursor_number(c, &place->address) && take_base(c, &place->base) &&
	       take_stamp(c, &place->stamp) && place->address.value >= place->base.value &&
	       place->address.digits >= 5 && place->base.digits >= 5;
}

/* Make the fact of PLACE, and queue its token, which is the text from BEGIN to END.  Returns MATCH_FACT; or the result
   of match_relative() if that makes no token. */
static enum match take_form(struct tokens *t, const struct crash_module *place, size_t begin, size_t end)
{
	enum match match = match_relative(
		t, begin, end, in_module(place->module, place->module_length, place->address.value - place->base.value),
		IS_EXACT);
	if (match != MATCH_TOKEN)
		return match;
	t->token.tentative = false;
	/* The fact comes before the token, because the fact's DateStamp decides which of several images of that
	   name is used. */
	t->has_queued_token = true;
	match = match_loaded(t, t->at, place->module, place->module_length, place->base.value, 0);
	t->fact.stamp = (uint32_t)place->stamp.value;
	return match;
}

/* The line ends before the form does.  If the text from BEGIN on can be the next part of the form, append that text and
   a blank to context->wrapped. */
static enum match store_wrapped(struct tokens *t, struct context *context, size_t begin)
{
	size_t length = match_text_end(t) - begin, stored = context->wrapped_length;
	struct crash_module place;
	/* A blank line ends the form. */
	if (length == 0 || length >= sizeof context->wrapped - stored)
		return MATCH_NONE;
	memcpy(context->wrapped + stored, t->text + begin, length);
	context->wrapped[stored + length] = ' ';
	struct cursor c = { .text = context->wrapped, .end = stored + length + 1 };
	if (read_form(&c, &place) || !c.ended)
		return MATCH_NONE;
	context->wrapped_length = c.end;
	context->wrapped_line = context->line;
	t->at = t->length;
	return MATCH_QUIET;
}

/* Returns where the name that ends at END begins.  After "***" it may have blanks, one at a time. */
static size_t name_before(const struct tokens *t, size_t end)
{
	size_t word = end;
	while (word > 0 && end - word < NAME_LENGTH_MAX && !is_blank(t->text[word - 1]) && t->text[word - 1] != '*')
		word--;
	size_t begin = word;
	while (begin > t->token_end + 1 && end - begin < NAME_LENGTH_MAX &&
	       (is_module_char(t->text[begin - 1]) ||
		(t->text[begin - 1] == ' ' && is_module_char(t->text[begin - 2]))))
		begin--;
	size_t stars = begin;
	while (stars > 0 && is_blank(t->text[stars - 1]))
		stars--;
	return stars >= 2 && memcmp(t->text + stars - 2, "**", 2) == 0 ? begin : word;
}

/* AT is the position after "Address"; the module comes before it. */
enum match match_address(struct tokens *t, struct context *context, size_t at, unsigned value)
{
	(void)value;
	size_t end = at - (sizeof "Address" - 1);
	struct crash_module place;
	if (end < 4 || memcmp(t->text + end - 3, " - ", 3) != 0)
		return MATCH_NONE;
	end -= 3;
	const size_t begin = name_before(t, end);
	if (begin == end)
		return MATCH_NONE;
	struct cursor c = cursor_at(t, begin);
	if (read_form(&c, &place))
		return take_form(t, &place, begin, c.at);
	context->wrapped_length = 0;
	return store_wrapped(t, context, begin);
}

enum match match_address_line(struct tokens *t, struct context *context)
{
	enum {
		REST_LENGTH_MAX = 96, /* of the form, blanks included */
		STAMP_DIGITS = 8,
	};
	char text[sizeof context->wrapped + REST_LENGTH_MAX];
	size_t stored = context->wrapped_length, length = t->length - t->begin;
	bool follows = context->line == context->wrapped_line + 1, whole = length <= REST_LENGTH_MAX;
	struct crash_module place;
	memcpy(text, context->wrapped, stored);
	memcpy(text + stored, t->text + t->begin, whole ? length : REST_LENGTH_MAX);
	struct cursor c = { .text = text, .end = stored + (whole ? length : REST_LENGTH_MAX) };
	enum match match = MATCH_NONE;
	bool good = follows && read_form(&c, &place);
	/* All 8 digits are required: if the next line is "b.sys - Address ...", its "b" is no DateStamp. */
	if (good && place.stamp.digits == STAMP_DIGITS) {
		place.module = context->wrapped;
		match = take_form(t, &place, t->begin, t->begin + c.at - stored);
	} else if (follows && !good && (whole || !c.ended)) {
		match = store_wrapped(t, context, t->begin);
	}
	if (match == MATCH_NONE || match == MATCH_FACT)
		context->wrapped_length = 0;
	return match;
}
