// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "answer/record-compact.h"
#include "tool/digits.h"

#include <stdio.h>
#include <string.h>

/* Write SHOWN with escapes, without quotes.  SHOWN is TEXT, a string of the table; or its demangled or mapped form. */
static inline char *put_string(const struct record_style *style, struct out *out, char *p, struct display_name shown,
			       const char *text)
{
	if (style->overreadable && shown.text == text && shown.length <= ROSSYM_STRING_READABLE &&
	    json_copy_plain(p, text, shown.length))
		return p + shown.length;
	out_put(out, p);
	json_escape(out, shown.text, shown.length);
	return out_room(out);
}

static inline char *put_hex(char *p, uint64_t number)
{
	return hex_put(OUT_LITERAL(p, "0x"), number, hex_digits(number));
}

/* Write a symbol; FRAME is NULL if nothing is known.  Returns the end of what was written; NULL: no memory. */
static char *put_symbol(struct record_style *style, struct out *out, const struct rossym_frame *frame,
			const uint64_t *start)
{
	char *p = OUT_LITERAL(out_room(out), "{\"Column\":0,\"Discriminator\":0,\"FileName\":\"");
	if (frame && frame->file) {
		const struct display_name file = record_file(style, frame);
		if (!file.text)
			return NULL;
		p = put_string(style, out, p, file, frame->file);
	}
	p = OUT_LITERAL(p, "\",\"FunctionName\":\"");
	if (frame && frame->function) {
		const struct display_name function = record_function(style, frame);
		if (!function.text)
			return NULL;
		p = put_string(style, out, p, function, frame->function);
	}
	p = OUT_LITERAL(p, "\",\"Line\":");
	p = decimal_put(p, frame ? frame->line : 0);
	p = OUT_LITERAL(p, ",\"StartAddress\":\"");
	if (start)
		p = put_hex(p, *start);
	return OUT_LITERAL(p, "\",\"StartFileName\":\"\",\"StartLine\":0}");
}

/* Write a symbol for each frame; without -i one symbol.  Returns the end of what was written; NULL: no memory. */
static char *put_symbols(struct record_style *style, struct out *out, struct record_subject subject)
{
	struct rossym_frame joined;
	if (!style->inlines || subject.count == 0)
		return put_symbol(style, out, record_join(subject, &joined), subject.start);
	for (uint32_t i = 0; i + 1 < subject.count; i++) {
		char *p = put_symbol(style, out, &subject.frames[i], NULL);
		if (!p)
			return NULL;
		*p++ = ',';
		out_put(out, p);
	}
	return put_symbol(style, out, &subject.frames[subject.count - 1], subject.start);
}

/* Write the text between the address and the symbols, which has the path of the module.  It is the same in each
   record, so cache it in STYLE for record_compact(), if it is short and needs no escapes. */
static void put_middle(struct record_style *style, struct out *out)
{
	static const char before[] = "\",\"ModuleName\":\"", after[] = "\",\"Symbol\":[";
	const size_t length = strlen(style->module), most = sizeof style->middle - sizeof before - sizeof after;
	if (length <= most && json_plain_length(style->module, length) == length)
		style->middle_length = (size_t)snprintf(style->middle, sizeof style->middle, "%s%s%s", before,
							style->module, after);
	out_text(out, before);
	json_escape(out, style->module, length);
	out_text(out, after);
}

bool record_compact(struct record_style *style, struct out *out, uint64_t address, struct record_subject subject)
{
	char *p = put_hex(OUT_LITERAL(out_room(out), "{\"Address\":\""), address);
	if (style->middle_length > 0)
		memcpy(p, style->middle, sizeof style->middle);
	out_put(out, p + style->middle_length);
	if (style->middle_length == 0)
		put_middle(style, out);
	p = put_symbols(style, out, subject);
	if (p)
		out_put(out, OUT_LITERAL(p, "]}\n"));
	return p;
}
