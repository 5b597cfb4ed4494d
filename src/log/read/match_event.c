// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * match_event.c - what Windows records of a program that has crashed
 *
 *     Faulting application name: app.exe, version: 1.0.0.0, time stamp: 0x4ce7a4c8	event 1000, in any language
 *     Faulting module name: ntdll.dll, version: 6.1.7601.18229, time stamp: 0x51fb1072
 *     Exception code: 0xc0000005
 *     Fault offset: 0x0002e3be
 *
 *     Fault Module Name:	ntdll.dll			problem signature, between other such lines
 *     Fault Module Timestamp:	51fb1072
 *     Exception Offset:	0002e3be
 *
 *     <EventData><Data>app.exe</Data> ... <Data>ntdll.dll</Data> ... <Data>0002e3be</Data>	event 1000 as XML
 *     EventType=APPCRASH, then Sig[3].Value=ntdll.dll, Sig[5].Value=51fb1072, Sig[7].Value=0002e3be	Report.wer
 *     Event Name: APPCRASH, then P4: ntdll.dll, P6: 51fb1072, P8: 0002e3be		event 1001
 *
 *     ... faulting module ntdll.dll, version 5.1.2600.2180, fault address 0x0002e3be.	Windows XP
 *
 * The first form is recognised by its shape, because Windows translates its words: two lines with name, version and a
 * stamp at the end, one that ends with a number, and one that ends with the RVA.  Blank lines may be between them.  The
 * time stamp is the DateStamp of the file.  The load address of the module is unknown.
 */
#include "config.h"
#include "log/read/match.h"
#include "log/read/chars.h"

#include <string.h>

enum { LINES_MAX = 8 }; /* the most lines of a problem signature after the one with the module's name */

/* The numbers of the fields of Report.wer and of the XML, counted from 1.  In reports of the type BEX, the contents of
   FIELD_CODE and FIELD_OFFSET are exchanged. */
enum { FIELD_MODULE = 4, FIELD_STAMP = 6, FIELD_CODE, FIELD_OFFSET };

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

/* Store the name of the module in the context for the line with the RVA.  Sets context->event to EVENT_NONE; the caller
   sets it to the new state.  Returns false if the name is empty or too long. */
static bool store_module(struct context *context, const char *name, size_t length)
{
	context->event = EVENT_NONE;
	if (length == 0 || length > sizeof context->event_module)
		return false;
	memcpy(context->event_module, name, length);
	context->event_module_length = length;
	context->event_line = context->line;
	return true;
}

/* Store in t->fact that MODULE has this DateStamp, and skip the rest of the line.  Returns MATCH_FACT. */
static enum match match_stamp(struct tokens *t, const char *module, size_t length, uint64_t stamp)
{
	t->fact = (struct fact){
		.kind = FACT_STAMP, .module = module, .module_length = length, .stamp = (uint32_t)stamp
	};
	t->at = t->length;
	return MATCH_FACT;
}

/* Make a token of the text from BEGIN to END, and end the event.  RVA is the number in that text; it is an address if
   no module is known. */
static enum match match_offset(struct tokens *t, struct context *context, size_t begin, size_t end, uint64_t rva)
{
	enum match match = context->event_module_length > 0
				   ? match_relative(t, begin, end,
						    in_module(context->event_module, context->event_module_length, rva),
						    IS_EXACT)
				   : match_absolute(t, begin, end, rva, IS_EXACT);
	if (match == MATCH_TOKEN)
		context->event = EVENT_NONE;
	return match;
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
	bool second = context->event == EVENT_PROGRAM && context->event_line + 1 == context->line;
	if (!store_module(context, t->text + begin, end - begin))
		return MATCH_NONE;
	context->event = second ? EVENT_MODULE : EVENT_PROGRAM;
	return match_stamp(t, t->text + begin, end - begin, stamp.value);
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
	enum event event = context->event;
	const bool is_too_long = match_is_too_long(t, t->begin);
	if (is_too_long || context->line != context->event_line + 1) {
		context->event = EVENT_NONE;
		return MATCH_NONE;
	}
	if (end <= t->begin) {
		context->event_line++;
		return MATCH_NONE;
	}
	if (event == EVENT_PROGRAM) {
		/* If the line names a module, match_event_module() will read it: its extension is a key word. */
		if (is_unknown_module(t, end)) {
			context->event = EVENT_MODULE;
			context->event_module_length = 0;
			context->event_line = context->line;
			t->at = t->length;
			return MATCH_QUIET;
		}
		return MATCH_NONE;
	}
	context->event = EVENT_NONE;
	if (!number_before(t, end, &begin, &number))
		return MATCH_NONE;
	if (event == EVENT_CODE)
		return match_offset(t, context, begin, end, number.value);
	context->event = number.digits == 8 ? EVENT_CODE : EVENT_NONE;
	context->event_line++;
	return MATCH_NONE;
}

/* "Fault Module Name:	ntdll.dll" */
enum match match_fault_module(struct tokens *t, struct context *context, size_t at, unsigned value)
{
	(void)value;
	if (match_is_too_long(t, at))
		return MATCH_NONE;
	size_t end = match_text_end(t);
	while (at < end && is_blank(t->text[at]))
		at++;
	if (at < end && store_module(context, t->text + at, end - at))
		context->event = EVENT_SIGNATURE;
	t->at = t->length;
	return MATCH_QUIET;
}

/* "Fault Module Timestamp:	51fb1072"; if RVA is set, "Exception Offset:	0002e3be" */
enum match match_fault_number(struct tokens *t, struct context *context, size_t at, unsigned rva)
{
	struct cursor c = cursor_at(t, at);
	struct number number;
	cursor_blanks(&c);
	size_t begin = c.at;
	bool good = cursor_number(&c, &number);
	if (!good || context->event != EVENT_SIGNATURE || context->line - context->event_line > LINES_MAX ||
	    (number.digits != 8 && number.digits != 16))
		return MATCH_NONE;
	if (rva)
		return match_offset(t, context, begin, c.at, number.value);
	return match_stamp(t, context->event_module, context->event_module_length, number.value);
}

/* Read the number with "0x" after WORD in the text from *BEGIN to the end of the line.  Stores where it begins in
   *BEGIN.  Returns false if there is none. */
static bool number_after(const struct tokens *t, const char *word, size_t *begin, struct number *number)
{
	size_t length = strlen(word);
	size_t last = t->length - *begin < FACT_LENGTH_MAX / 2 ? t->length : *begin + FACT_LENGTH_MAX / 2;
	for (size_t at = *begin; at + length <= last; at++) {
		struct cursor c = cursor_at(t, at + length);
		if (memcmp(t->text + at, word, length) != 0 || !cursor_number(&c, number) || !number->prefix)
			continue;
		*begin = at + length;
		return true;
	}
	return false;
}

/* "... faulting module ntdll.dll, version 5.1.2600.2180, fault address 0x0002e3be." */
enum match match_event_xp(struct tokens *t, struct context *context, size_t at, unsigned value)
{
	(void)context, (void)value;
	struct number rva, stamp = { .value = 0 };
	size_t left = t->length - at;
	const char *comma = memchr(t->text + at, ',', left < NAME_LENGTH_MAX ? left : NAME_LENGTH_MAX);
	size_t length = comma ? (size_t)(comma - (t->text + at)) : 0, number = at + length, stamp_at = number;
	if (!match_is_module(t->text + at, length) ||
	    (!number_after(t, ", fault address ", &number, &rva) && !number_after(t, ", fault offset ", &number, &rva)))
		return MATCH_NONE;
	struct cursor c = cursor_at(t, number);
	cursor_number(&c, &rva);
	enum match match = match_relative(t, number, c.at, in_module(t->text + at, length, rva.value), IS_EXACT);
	if (match != MATCH_TOKEN || !number_after(t, ", time stamp ", &stamp_at, &stamp))
		return match;
	t->has_queued_token = true;
	size_t end = t->at;
	match = match_stamp(t, t->text + at, length, stamp.value);
	t->at = end;
	return match;
}

/* ---------------------------------------------------------------------------------------- fields with numbers */

enum match match_event_fields(struct tokens *t, struct context *context, size_t at, unsigned event)
{
	context->event = (enum event)event;
	context->event_line = context->line;
	context->event_field = 0;
	context->event_module_length = 0;
	t->at = at;
	return MATCH_QUIET;
}

/* Store the name of the module, which is the text from C to "<" or to the end of the line. */
static enum match take_field_module(struct tokens *t, struct context *context, struct cursor c)
{
	enum event event = context->event;
	uint64_t line = context->event_line;
	size_t begin = c.at;
	while (!cursor_at_end(&c) && c.text[c.at] != '<' && c.text[c.at] != '\r')
		c.at++;
	/* store_module() ends an event, but the fields of this one continue. */
	if (store_module(context, t->text + begin, c.at - begin)) {
		context->event = event;
		context->event_line = line;
	}
	t->at = c.at;
	return MATCH_QUIET;
}

/* Match the field with number FIELD, whose content is at AT.  END is the text that must follow the content; NULL: the
   line must end there. */
static enum match match_field(struct tokens *t, struct context *context, unsigned field, size_t at, const char *end)
{
	struct cursor c = cursor_at(t, at);
	struct number number;
	unsigned offset = context->event == EVENT_BEX ? FIELD_CODE : FIELD_OFFSET;
	if (field == FIELD_MODULE)
		return take_field_module(t, context, c);
	if ((field != FIELD_STAMP && field != offset) || context->event_module_length == 0)
		return MATCH_NONE;
	if (!cursor_number(&c, &number) || (number.digits != 8 && number.digits != 16))
		return MATCH_NONE;
	if (field == FIELD_STAMP) {
		match_stamp(t, context->event_module, context->event_module_length, number.value);
		t->at = c.at;
		return MATCH_FACT;
	}
	size_t begin = t->at;
	enum match match = match_relative(
		t, at, c.at, in_module(context->event_module, context->event_module_length, number.value), IS_EXACT);
	struct cursor after = cursor_at(t, t->at);
	if (match != MATCH_TOKEN || (end ? cursor_word(&after, end) : cursor_rest_is_blank(&after)))
		return match;
	t->at = begin;
	return MATCH_NONE;
}

/* "<Data>", or "<Data Name='...'>": AT is the position after "<Data". */
enum match match_event_data(struct tokens *t, struct context *context, size_t at, unsigned value)
{
	(void)value;
	struct cursor c = cursor_at(t, at);
	while (!cursor_at_end(&c) && c.text[c.at] != '>' && c.text[c.at] != '<')
		c.at++;
	if (context->event != EVENT_XML || !cursor_char(&c, '>'))
		return MATCH_NONE;
	enum match match = match_field(t, context, context->event_field + 1, c.at, "</Data>");
	context->event_field++;
	if (match != MATCH_NONE)
		return match;
	t->at = at; /* no other form counts the field again */
	return MATCH_QUIET;
}

enum match match_event_parameter(struct tokens *t, struct context *context, size_t at, unsigned field)
{
	return context->event != EVENT_XML ? match_field(t, context, field, at, NULL) : MATCH_NONE;
}
