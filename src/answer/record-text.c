// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * record-text.c - see record-text.h
 *
 * Text is written directly into the output's buffer, at P.  The functions return the end of what they have written;
 * NULL: no memory.  There is always room for OUT_ROOM bytes at P: enough for all parts of a frame without its
 * strings, and for two strings of ROSSYM_STRING_READABLE bytes.  Longer strings go through put_long().
 */
#include "config.h"
#include "answer/record-text.h"
#include "tool/digits.h"

#include <string.h>

static const struct display_name unknown = { "??", 2 };

/* Write TEXT of any length by out_bytes().  Returns the position for what follows. */
static char *put_long(struct out *out, char *p, const char *text, size_t length)
{
	out_put(out, p);
	out_bytes(out, text, length);
	return out_room(out);
}

/* Write TEXT.  OVERREADABLE: ROSSYM_STRING_READABLE bytes of TEXT are readable, so a short TEXT is copied with this
   fixed length, for which compilers make a few move instructions.  With put_long() alone, a million addresses with -a
   take 1.3 times as long. */
static inline char *put_string(struct out *out, char *p, const char *text, size_t length, bool overreadable)
{
	if (!overreadable || length > ROSSYM_STRING_READABLE)
		return put_long(out, p, text, length);
	memcpy(p, text, ROSSYM_STRING_READABLE);
	return p + length;
}

static char *put_hex(char *p, uint64_t number, int digits)
{
	return hex_put(OUT_LITERAL(p, "0x"), number, digits);
}

/* Write SHOWN, which is TEXT, a string of the table; or its demangled or mapped form, of which no byte beyond the NUL
   may be read.  NULL: no memory. */
static inline char *put_shown(const struct record_style *style, struct out *out, char *p, struct display_name shown,
			      const char *text)
{
	return shown.text ? put_string(out, p, shown.text, shown.length, style->overreadable && shown.text == text)
			  : NULL;
}

static inline char *put_function(struct record_style *style, struct out *out, char *p, const struct rossym_frame *frame)
{
	return put_shown(style, out, p, frame->function ? record_function(style, frame) : unknown, frame->function);
}

static inline char *put_file(struct record_style *style, struct out *out, char *p, const struct rossym_frame *frame)
{
	return put_shown(style, out, p, frame->file ? record_file(style, frame) : unknown, frame->file);
}

/* Write the beginning of a frame in both styles: the function, with -f, and the file with a colon. */
static inline char *put_function_and_file(struct record_style *style, struct out *out, char *p,
					  const struct rossym_frame *frame)
{
	if (style->functions) {
		p = put_function(style, out, p, frame);
		if (!p)
			return NULL;
		p = style->pretty ? OUT_LITERAL(p, " at ") : OUT_LITERAL(p, "\n");
	}
	p = put_file(style, out, p, frame);
	if (!p)
		return NULL;
	*p++ = ':';
	return p;
}

/* Write a frame in GNU's style; FRAME is NULL if nothing is known. */
static inline char *put_gnu_frame(struct record_style *style, struct out *out, char *p,
				  const struct rossym_frame *frame)
{
	if (!frame) {
		if (style->functions)
			p = style->pretty ? OUT_LITERAL(p, "?? ") : OUT_LITERAL(p, "??\n");
		return OUT_LITERAL(p, "??:0\n");
	}
	p = put_function_and_file(style, out, p, frame);
	if (!p)
		return NULL;
	if (frame->line)
		p = decimal_put(p, frame->line);
	else
		*p++ = '?';
	*p++ = '\n';
	return p;
}

/* Write a frame in LLVM's style; FRAME is NULL if nothing is known. */
static char *put_llvm_frame(struct record_style *style, struct out *out, char *p, const struct rossym_frame *frame,
			    struct record_detail detail)
{
	static const struct rossym_frame nothing = { .function = NULL };
	if (!frame)
		frame = &nothing;
	p = put_function_and_file(style, out, p, frame);
	if (!p)
		return NULL;
	p = decimal_put(p, frame->line);
	*p++ = ':';
	p = decimal_put(p, detail.column);
	*p++ = '\n';
	return p;
}

static char *put_frame(struct record_style *style, struct out *out, char *p, const struct rossym_frame *frame,
		       struct record_detail detail)
{
	return style->form == RECORD_GNU ? put_gnu_frame(style, out, p, frame)
					 : put_llvm_frame(style, out, p, frame, detail);
}

/* Write all frames of SUBJECT, which has at least one. */
static char *put_frames(struct record_style *style, struct out *out, char *p, struct record_subject subject)
{
	p = put_frame(style, out, p, &subject.frames[0], record_detail(subject, 0));
	for (uint32_t i = 1; p && i < subject.count; i++) {
		p = out_advance(out, p);
		if (style->pretty)
			p = OUT_LITERAL(p, " (inlined by) ");
		p = put_frame(style, out, p, &subject.frames[i], record_detail(subject, i));
	}
	return p;
}

bool record_text(struct record_style *style, struct out *out, uint64_t address, struct record_subject subject)
{
	struct rossym_frame joined;
	char *p = out_room(out);
	if (style->addresses) {
		p = put_hex(p, address, style->form == RECORD_GNU ? style->digits : hex_digits(address));
		p = style->pretty ? OUT_LITERAL(p, ": ") : OUT_LITERAL(p, "\n");
	}
	if (style->inlines && subject.count > 0)
		p = put_frames(style, out, p, subject);
	else
		p = put_frame(style, out, p, record_join(subject, &joined), record_detail(subject, 0));
	if (!p)
		return false;
	if (style->form != RECORD_GNU)
		*p++ = '\n';
	out_put(out, p);
	return true;
}
