// SPDX-License-Identifier: GPL-2.0-or-later
/* encoding.c - UTF-16 to UTF-8 and back, in pieces that may end anywhere */
#include "config.h"
#include "tool/encoding.h"

#include <string.h>

/* ------------------------------------------------------------------------------ detecting the encoding */

/* Whether C can be one of the first characters of a log.  ESC can: it begins the escape sequences of a terminal. */
static bool is_log_character(unsigned char c)
{
	return (c >= ' ' && c <= '~') || c == '\t' || c == '\r' || c == '\n' || c == '\033';
}

/* Patterns of the first bytes of a log: 't' stands for any character for which is_log_character() is true, '0' for a
   NUL, any other byte for itself. */
static const struct {
	enum encoding_kind kind;
	const char *bytes;
} patterns[] = {
	{ ENCODING_UTF16LE, "\xff\xfe" }, { ENCODING_UTF16BE, "\xfe\xff" },   { ENCODING_UTF16LE, "t0t0" },
	{ ENCODING_UTF16BE, "0t0t" },	  { ENCODING_BYTES, "\xef\xbb\xbf" },
};

/* Whether the COUNT bytes at P match PATTERN.  Compares only as many bytes as the shorter of the two has. */
static bool matches_pattern(const char *pattern, const unsigned char *p, size_t count)
{
	for (size_t i = 0; i < count && pattern[i]; i++)
		if (pattern[i] == 't' ? !is_log_character(p[i])
				      : p[i] != (pattern[i] == '0' ? 0 : (unsigned char)pattern[i]))
			return false;
	return true;
}

/* Returns the encoding of a log that begins with the COUNT bytes at P; ENCODING_UNKNOWN if more bytes must be read. */
static enum encoding_kind detect_encoding(const unsigned char *p, size_t count)
{
	enum encoding_kind kind = ENCODING_BYTES;
	for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
		if (matches_pattern(patterns[i].bytes, p, count)) {
			if (count >= strlen(patterns[i].bytes))
				return patterns[i].kind;
			kind = ENCODING_UNKNOWN;
		}
	return kind;
}

/* -------------------------------------------------------------------------------- from UTF-16 to UTF-8 */

static unsigned read_unit(const struct encoding *e, const unsigned char *p)
{
	return e->kind == ENCODING_UTF16LE ? p[0] | (unsigned)p[1] << 8 : p[1] | (unsigned)p[0] << 8;
}

/* Write the character CODE, or a surrogate, at TEXT as UTF-8.  Returns how many bytes it has. */
static size_t write_utf8(char *text, unsigned code)
{
	if (code < 0x80) {
		text[0] = (char)code;
		return 1;
	}
	size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	for (size_t i = length; --i > 0; code >>= 6)
		text[i] = (char)(0x80 | (code & 0x3f));
	/* The first byte has as many ones at its top as the character has bytes: 0xc0, 0xe0, 0xf0. */
	text[0] = (char)(code | (0xf00 >> length & 0xff));
	return length;
}

/* Convert the LENGTH bytes of UTF-16 at P, write them at *TEXT, and move *TEXT to their end.  AT_END: no more bytes
   follow.  Returns how many bytes were converted; at most three are left, which are an incomplete character. */
static size_t convert_utf16(const struct encoding *e, const unsigned char *p, size_t length, bool at_end, char **text)
{
	size_t at = 0;
	while (length - at >= 2) {
		unsigned code = read_unit(e, p + at);
		/* From 0xd800 on are high surrogates, from 0xdc00 on low ones, 0x400 of each. */
		if (code >> 10 == 0xd800 >> 10) {
			/* The low surrogate may be in bytes that have not been read yet. */
			if (length - at < 4 && !at_end)
				break;
			unsigned low = length - at < 4 ? 0 : read_unit(e, p + at + 2);
			if (low >> 10 == 0xdc00 >> 10) {
				code = 0x10000 + ((code & 0x3ff) << 10 | (low & 0x3ff));
				at += 2;
			}
		}
		*text += write_utf8(*text, code);
		at += 2;
	}
	return at;
}

/* Detect the encoding if it is not known, and convert the complete characters in e->input.  AT_END: nothing follows. */
static void detect_and_convert_input(struct encoding *e, bool at_end, char **text)
{
	size_t done = e->input_count;
	if (e->kind == ENCODING_UNKNOWN)
		e->kind = detect_encoding(e->input, e->input_count);
	if (e->kind == ENCODING_UNKNOWN && at_end)
		e->kind = ENCODING_BYTES;
	if (e->kind == ENCODING_UNKNOWN)
		return;
	if (e->kind == ENCODING_BYTES) {
		memcpy(*text, e->input, done);
		*text += done;
	} else {
		done = convert_utf16(e, e->input, done, at_end, text);
	}
	e->input_count -= done;
	memmove(e->input, e->input + done, e->input_count);
}

size_t encoding_convertible_size(const struct encoding *e, size_t room)
{
	/* Two bytes of UTF-16 become at most three of UTF-8.  The text is written from the beginning of the room, while
	   the bytes are read from its second half.  The 8 bytes leave room for the text of e->input, which is converted
	   first. */
	return e->kind == ENCODING_BYTES ? room : room / 2 - 8;
}

size_t encoding_decode(struct encoding *e, const char *bytes, size_t length, char *text, bool at_end)
{
	char *end = text;
	size_t at = 0;
	/* The bytes in e->input come before BYTES: append to them, byte by byte, until they have been converted. */
	while (at < length && (e->input_count > 0 || e->kind == ENCODING_UNKNOWN)) {
		e->input[e->input_count++] = (unsigned char)bytes[at++];
		detect_and_convert_input(e, false, &end);
	}
	if (e->kind == ENCODING_BYTES) {
		if (end != bytes + at)
			memmove(end, bytes + at, length - at);
		end += length - at;
		at = length;
	} else if (e->kind != ENCODING_UNKNOWN) {
		at += convert_utf16(e, (const unsigned char *)bytes + at, length - at, false, &end);
	}
	for (; at < length; at++)
		e->input[e->input_count++] = (unsigned char)bytes[at];
	if (at_end)
		detect_and_convert_input(e, true, &end);
	return (size_t)(end - text);
}

/* -------------------------------------------------------------------------------- from UTF-8 to UTF-16 */

/* Decode the first character of the COUNT bytes at P, at least one, into *CODE.  Returns its length; 0 if it is
   incomplete.  A byte that begins no character is decoded as Latin-1. */
static size_t decode_utf8(const unsigned char *p, size_t count, unsigned *code)
{
	static const unsigned least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t length = p[0] < 0xc2 ? 1 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : p[0] < 0xf5 ? 4 : 1;
	unsigned value = length == 1 ? p[0] : p[0] & (0x7fu >> length);
	for (size_t i = 1; i < length; i++) {
		if (i == count)
			return 0;
		if ((p[i] & 0xc0) != 0x80) {
			*code = p[0];
			return 1;
		}
		value = value << 6 | (p[i] & 0x3f);
	}
	/* Overlong, or beyond U+10FFFF: decode the first byte as Latin-1.  A surrogate is valid, because write_utf8()
	   writes surrogates. */
	if (value < least[length] || value > 0x10ffff) {
		value = p[0];
		length = 1;
	}
	*code = value;
	return length;
}

/* Write UNIT, 16 bits of UTF-16, at TO.  Returns the position after it. */
static char *write_unit(const struct encoding *e, char *to, unsigned unit)
{
	const char low = (char)(unit & 0xff), high = (char)(unit >> 8);
	to[0] = e->kind == ENCODING_UTF16LE ? low : high;
	to[1] = e->kind == ENCODING_UTF16LE ? high : low;
	return to + 2;
}

static char *write_utf16(const struct encoding *e, char *to, unsigned code)
{
	if (code >= 0x10000) {
		to = write_unit(e, to, 0xd800 | (code - 0x10000) >> 10);
		code = 0xdc00 | (code & 0x3ff);
	}
	return write_unit(e, to, code);
}

/* Add BYTE, the next one of the text, to e->output, and write its complete characters in UTF-16 at TO: at most four,
   because e->output has at most four bytes.  Returns the end of what was written. */
static char *convert_next_byte(struct encoding *e, char *to, unsigned char byte)
{
	unsigned code;
	size_t used;
	if (e->output_count == 0 && byte < 0x80)
		return write_unit(e, to, byte);
	e->output[e->output_count++] = byte;
	while (e->output_count > 0 && (used = decode_utf8(e->output, e->output_count, &code)) > 0) {
		to = write_utf16(e, to, code);
		e->output_count -= used;
		memmove(e->output, e->output + used, e->output_count);
	}
	return to;
}

void encoding_write(struct encoding *e, struct out *out, const char *text, size_t length)
{
	enum { BATCH = OUT_ROOM / 16 }; /* convert_next_byte() writes at most four characters of four bytes */
	if (length == 0)
		return;
	if (e->kind != ENCODING_UTF16LE && e->kind != ENCODING_UTF16BE) {
		out_write_large(out, text, length);
		return;
	}
	for (size_t at = 0; at < length;) {
		char *to = out_room(out);
		for (size_t end = length - at < BATCH ? length : at + BATCH; at < end; at++)
			to = convert_next_byte(e, to, (unsigned char)text[at]);
		out_commit(out, to);
	}
}

void encoding_write_rest(struct encoding *e, struct out *out)
{
	char *to = out_room(out);
	for (size_t i = 0; i < e->output_count; i++)
		to = write_unit(e, to, e->output[i]);
	out_commit(out, to);
	out_bytes(out, e->input, e->input_count);
	e->output_count = e->input_count = 0;
}
