// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * match_event.c - event 1000 of Windows, in any language; other events are forms of forms.txt
 *
 *     Faulting application name: app.exe, version: 1.0.0.0, time stamp: 0x4ce7a4c8
 *     Faulting module name: ntdll.dll, version: 6.1.7601.18229, time stamp: 0x51fb1072
 *     Exception code: 0xc0000005
 *     Fault offset: 0x0002e3be
 *
 * It is recognised by its shape, because Windows translates its words: two lines with name, version and a
 * stamp at the end, one that ends with a number, and one that ends with the RVA.  Blank lines may be between them.  The
 * time stamp is the DateStamp of the file.  The load address of the module is unknown.
 */
#include "config.h"
#include "log/read/match.h"
#include "log/read/chars.h"

#include <string.h>

/* Read backwards the number that ends at END: "0x" and 8 or 16 digits, after a colon.  Stores where it begins in
   *BEGIN.  Returns false if there is none. */
static bool number_before(const struct tokens *t, size_t end, size_t *begin, struct number *number)
{
	for (*begin = end; *begin > t->begin && end - *begin < NAME_LENGTH_MAX && is_word(t->text[*begin - 1]);)
		--*begin;
	size_t colon = *begin;
	while (colon > t->begin && is_blank(t->text[colon - 1]))
		colon--;
	/* 0x9a is the last byte of a Chinese colon in UTF-8. */
	bool named = colon > t->begin && (t->text[colon - 1] == ':' || t->text[colon - 1] == '\x9a');
	return named && number_parse(t->text + *begin, end - *begin, number) == end - *begin && number->prefix &&
	       (number->digits == 8 || number->digits == 16);
}

/* Whether there is a version in the text between BEGIN and END: numbers with two points between them. */
static bool has_version(const struct tokens *t, size_t begin, size_t end)
{
	unsigned points = 0;
	for (size_t at = begin; at < end && points < 2; at++) {
		char c = t->text[at];
		bool between = c == '.' && is_digit(t->text[at - 1]) && is_digit(t->text[at + 1]);
		points = between ? points + 1 : is_digit(c) ? points : 0;
	}
	return points == 2;
}

/* "...name.dll, ..., 0x51fb1072": the extension and the comma end at AT. */
enum match match_event_module(struct tokens *t, struct context *context, size_t at, unsigned value)
{
	(void)value;
	size_t end = at, begin, stamp_begin;
	struct number stamp;
	if (t->length - at > FACT_LENGTH_MAX)
		return MATCH_NONE;
	while (end > t->at && !is_letter(t->text[end - 1]))
		end--;
	for (begin = end; begin > t->begin && end - begin < NAME_LENGTH_MAX && t->text[begin - 1] != ':' &&
			  t->text[begin - 1] >= ' ';)
		begin--;
	while (begin < end && is_blank(t->text[begin]))
		begin++;
	if (!number_before(t, match_text_end(t), &stamp_begin, &stamp) || stamp_begin < at ||
	    !has_version(t, at, stamp_begin))
		return MATCH_NONE;
	bool second = context->kept == KEPT_PROGRAM && context->kept_line + 1 == context->line;
	if (begin == end)
		return MATCH_NONE;
	context_keep(context, second ? KEPT_MODULE : KEPT_PROGRAM, t->text + begin, end - begin);
	t->fact = (struct fact){ .kind = FACT_STAMP,
				 .module = t->text + begin,
				 .module_length = end - begin,
				 .stamp = (uint32_t)stamp.value };
	t->at = t->length;
	return MATCH_FACT;
}

/* Whether the line, whose text ends at END, says that the fault was in no module: "unknown, version: 0.0.0.0, time
   stamp: 0x00000000", in any language.  Then the fault offset is an address. */
static bool is_unknown_module(const struct tokens *t, size_t end)
{
	static const char word[] = "unknown";
	struct number stamp;
	size_t at = t->begin, begin;
	while (at + sizeof word - 1 < end && memcmp(t->text + at, word, sizeof word - 1) != 0)
		at++;
	return at + sizeof word - 1 < end && number_before(t, end, &begin, &stamp) && stamp.value == 0 &&
	       has_version(t, at + sizeof word - 1, begin);
}

enum match match_event_line(struct tokens *t, struct context *context)
{
	struct number number;
	size_t begin, end = match_text_end(t);
	const unsigned kept = context->kept;
	if (match_is_too_long(t, t->begin) || context->line != context->kept_line + 1) {
		context->kept = 0;
		return MATCH_NONE;
	}
	if (end <= t->begin) {
		context->kept_line++;
		return MATCH_NONE;
	}
	if (kept == KEPT_PROGRAM) {
		/* If the line names a module, match_event_module() will read it: its extension is a key word. */
		if (!is_unknown_module(t, end))
			return MATCH_NONE;
		context_keep(context, KEPT_MODULE, NULL, 0);
		t->at = t->length;
		return MATCH_QUIET;
	}
	context->kept = 0;
	if (!number_before(t, end, &begin, &number))
		return MATCH_NONE;
	if (kept == KEPT_CODE && context->kept_length > 0)
		return match_relative(t, begin, end, in_module(context->kept_name, context->kept_length, number.value),
				      IS_EXACT);
	if (kept == KEPT_CODE)
		return match_absolute(t, begin, end, number.value, IS_EXACT);
	context->kept = number.digits == 8 ? KEPT_CODE : 0;
	context->kept_line++;
	return MATCH_NONE;
}
