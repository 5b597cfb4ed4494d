// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/match.h"
#include "log/chars.h"
#include "log/note.h"

enum match match_number(struct tokens *t, struct context *context)
{
	struct number number;
	struct cursor c = cursor_at(t, t->at);
	bool complete = cursor_number(&c, &number);
	if (c.more)
		return match_more(t, c.hold);
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
		/* Of a pair the first is a frame pointer. */
		if (context->header == HEADER_PAIRS && t->row_numbers++ % 2 == 0)
			return MATCH_NONE;
		is_return = true;
	}
	enum match match = match_absolute(t, t->at, c.at, number.value, is_return);
	if (match == MATCH_TOKEN && number.grave)
		t->row_numbers++;
	if (match == MATCH_MORE && !number.grave && context->header == HEADER_PAIRS)
		t->row_numbers--;	/* it will be read again */
	return match;
}

bool match_is_all_numbers(const struct tokens *t)
{
	size_t at = match_text_begin(t), end = match_text_end(t);
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
