// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * match_address.c - where a module was when the system stopped: both an address and the load address of the module
 *
 *     ***     btrfs.sys - Address FD8B49C2 base at FD899000, DateStamp 5db90293
 *
 *     *** Address fc873d6c has base at fc870000 - i8042prt.SYS				NT 4, in which "***" may be in mid-line
 *
 * People type the former from a photograph, so "address", "Datestamp", a comma less and blanks more are understood.
 *
 * A mailer or a terminal may have wrapped the line at any of its blanks after "Address".  Then the context keeps the
 * text up to there, and the following line is read as if that text was in front of it.  The token is on the line with
 * the DateStamp.
 */
#include "config.h"
#include "log/read/match.h"
#include "log/read/chars.h"
#include "log/read/note.h"

#include <string.h>

static const char key_word[] = "Address";

/* What the form says. */
struct stop_place {
	const char *module;
	size_t module_length;
	struct number address, base, stamp;
};

static bool take_either(struct cursor *c, const char *word, const char *other)
{
	return cursor_word(c, word) || (!c->more && cursor_word(c, other));
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
	return !c->more && cursor_blanks(c) > 0 && take_either(c, "DateStamp", "Datestamp") && cursor_blanks(c) > 0 &&
	       cursor_number(c, stamp);
}

/* Read the form at C, from the module on. */
static bool read_form(struct cursor *c, struct stop_place *place)
{
	place->module = c->text + c->at;
	size_t begin = c->at;
	while (!cursor_at_end(c) && !is_blank(c->text[c->at]))
		c->at++;
	place->module_length = c->at - begin;
	return cursor_word(c, " - ") && take_either(c, key_word, "address") && cursor_blanks(c) > 0 &&
	       cursor_number(c, &place->address) && take_base(c, &place->base) && take_stamp(c, &place->stamp) &&
	       place->address.value >= place->base.value && place->address.digits >= 5 && place->base.digits >= 5;
}

/* Make the token from BEGIN to END, and the fact. */
static enum match take_form(struct tokens *t, const struct stop_place *place, size_t begin, size_t end)
{
	enum match match = match_relative(
		t, begin, end, in_module(place->module, place->module_length, place->address.value - place->base.value),
		IS_EXACT);
	if (match != MATCH_TOKEN)
		return match;
	t->token.tentative = false;
	/* Return the fact before the token, because its DateStamp decides which of several images of that name
	   is used. */
	t->has_queued_token = true;
	match = match_loaded(t, t->at, place->module, place->module_length, place->base.value, 0);
	t->fact.stamp = (uint32_t)place->stamp.value;
	return match;
}

/* The line ends before the form.  If the text from BEGIN on may be the first part of one, keep it, with a blank
   after it. */
static enum match keep(struct tokens *t, struct context *context, size_t begin)
{
	size_t length = match_text_end(t) - begin, kept = context->wrapped_length;
	struct stop_place place;
	/* A blank line ends the form. */
	if (length == 0 || length >= sizeof context->wrapped - kept)
		return MATCH_NONE;
	memcpy(context->wrapped + kept, t->text + begin, length);
	context->wrapped[kept + length] = ' ';
	struct cursor c = { .text = context->wrapped, .end = kept + length + 1 };
	if (read_form(&c, &place) || !c.more)
		return MATCH_NONE;
	context->wrapped_length = c.end;
	context->wrapped_line = context->line;
	t->at = t->length;
	return MATCH_QUIET;
}

/* AT is the position after "Address"; the module comes before it. */
enum match match_address(struct tokens *t, struct context *context, size_t at)
{
	size_t end = at - (sizeof key_word - 1), begin;
	struct stop_place place;
	if (end < 4 || memcmp(t->text + end - 3, " - ", 3) != 0)
		return MATCH_NONE;
	begin = end -= 3;
	while (begin > 0 && end - begin < LONGEST_NAME && !is_blank(t->text[begin - 1]) && t->text[begin - 1] != '*')
		begin--;
	if (begin == end)
		return MATCH_NONE;
	struct cursor c = cursor_at(t, begin);
	if (read_form(&c, &place))
		return take_form(t, &place, begin, c.at);
	if (c.more)
		return match_more(t, t->at);
	context->wrapped_length = 0;
	return t->complete ? keep(t, context, begin) : MATCH_NONE;
}

/* Read "fc873d6c has base at fc870000 - i8042prt.SYS" at C, where the number may have a note. */
static bool read_has_base(struct cursor *c, struct stop_place *place, size_t *ret_begin, size_t *ret_end)
{
	size_t note_length;
	cursor_blanks(c);
	*ret_begin = c->at;
	if (!cursor_number(c, &place->address))
		return false;
	*ret_end = c->at;
	c->more = note_match(c->text + c->at, c->end - c->at, c->complete, &note_length) == NOTE_MORE;
	c->at += note_length;
	if (c->more || !take_base(c, &place->base))
		return false;
	cursor_blanks(c);
	if (!cursor_char(c, '-'))
		return false;
	cursor_blanks(c);
	place->module = c->text + c->at;
	size_t name = c->at;
	while (!cursor_at_end(c) && is_module_char(c->text[c->at]))
		c->at++;
	place->module_length = c->at - name;
	return !c->more && c->at > name && place->address.value >= place->base.value && place->address.digits >= 5 &&
	       place->base.digits >= 5;
}

/* AT is the position after "Address "; stars come before it, and the module comes last. */
enum match match_has_base(struct tokens *t, size_t at)
{
	struct cursor c = cursor_at(t, at);
	struct stop_place place;
	size_t begin, end, word = t->at;
	word -= word > 0 && t->text[word - 1] == ' ';
	if (word < 2 || t->text[word - 1] != '*' || (t->text[word - 2] != '*' && t->text[word - 2] != '\\'))
		return MATCH_NONE;
	if (!read_has_base(&c, &place, &begin, &end))
		return c.more ? match_more(t, t->at) : MATCH_NONE;
	enum match match = match_relative(
		t, begin, end, in_module(place.module, place.module_length, place.address.value - place.base.value),
		IS_EXACT);
	if (match != MATCH_TOKEN)
		return match;
	t->queued = (struct fact){ .kind = FACT_LOADED,
				   .module = place.module,
				   .module_length = place.module_length,
				   .base = place.base.value };
	t->has_queued = true;
	return MATCH_TOKEN;
}

enum match match_address_line(struct tokens *t, struct context *context)
{
	enum {
		LONGEST_REST = 96, /* of the form, blanks included */
		STAMP_DIGITS = 8,
	};
	char text[sizeof context->wrapped + LONGEST_REST];
	size_t kept = context->wrapped_length, length = t->length - t->begin;
	bool follows = context->line == context->wrapped_line + 1, whole = length <= LONGEST_REST;
	struct stop_place place;
	if (follows && !t->begin_known)
		return match_more(t, t->begin);
	memcpy(text, context->wrapped, kept);
	memcpy(text + kept, t->text + t->begin, whole ? length : LONGEST_REST);
	struct cursor c = { .text = text,
			    .end = kept + (whole ? length : LONGEST_REST),
			    .complete = t->complete && whole };
	enum match match = MATCH_NONE;
	bool good = follows && read_form(&c, &place);
	/* "b.sys - ..." begins another line of that form, and "b" is no DateStamp. */
	if (good && place.stamp.digits == STAMP_DIGITS) {
		place.module = context->wrapped;
		match = take_form(t, &place, t->begin, t->begin + c.at - kept);
	} else if (follows && c.more) {
		match = t->complete ? MATCH_NONE : match_more(t, t->begin);
	} else if (follows && !good && t->complete) {
		match = keep(t, context, t->begin);
	}
	if (match == MATCH_NONE || match == MATCH_FACT)
		context->wrapped_length = 0;
	return match;
}
