// SPDX-License-Identifier: GPL-2.0-or-later
/* note.c - notes have no escapes and no length, so they are recognised by their parentheses and by ":1066 (" inside */
#include "config.h"
#include "log/note.h"
#include "log/chars.h"
#include "rossym.h"

#include <string.h>

/* A limit in bytes.  Without it a log full of "(" would be read again and again to its end.  annotate.c writes shorter notes. */
enum { LONGEST_NOTE = 8192 };

static const char *skip_digits(const char *p, const char *end)
{
	while (p < end && is_digit(*p))
		p++;
	return p;
}

/* Whether the text holds a line number: ":1066 (", or ":1066[1065] (" as log2lines -t writes. */
static bool has_line(const char *text, size_t length)
{
	const char *end = text + length;
	for (const char *p = text; (p = memchr(p, ':', (size_t)(end - p))) != NULL; p++) {
		const char *q = skip_digits(p + 1, end);
		if (q > p + 1 && q < end && *q == '[') {
			const char *bracket = skip_digits(q + 1, end);
			if (bracket < end && *bracket == ']')
				q = bracket + 1;
		}
		if (q > p + 1 && end - q >= 2 && q[0] == ' ' && q[1] == '(')
			return true;
	}
	return false;
}

/* Return the position after the parenthesis that closes the one at AT, or 0. */
static size_t closed_at(const char *text, size_t at, size_t length)
{
	unsigned depth = 0;
	for (; at < length; at++) {
		if (text[at] == '(')
			depth++;
		else if (text[at] == ')' && --depth == 0)
			return at + 1;
		else if (is_control(text[at]))
			return 0;
	}
	return 0;
}

/* Return the position after the first "))", or 0.  This finds the end of " (a(b.c:7 (f))", whose parentheses are not in pairs. */
static size_t doubled_at(const char *text, size_t length)
{
	for (size_t at = 2; at + 1 < length && !is_control(text[at]); at++)
		if (text[at] == ')' && text[at + 1] == ')')
			return at + 2;
	return 0;
}

enum note note_match(const char *text, size_t length, bool complete, size_t *ret_length)
{
	static const char opening[] = " (";
	*ret_length = 0;
	for (size_t i = 0; i < 2; i++) {
		if (i == length)
			return complete ? NOTE_NONE : NOTE_MORE;
		if (text[i] != opening[i])
			return NOTE_NONE;
	}
	bool cut = length > LONGEST_NOTE;
	size_t limit = cut ? LONGEST_NOTE : length;
	size_t end = memchr(text, ')', limit) ? closed_at(text, 1, limit) : 0;
	if (end == 0 && !complete && !cut)
		return NOTE_MORE;
	if (end == 0 && memchr(text, ')', limit))
		end = doubled_at(text, limit);
	if (end == 0 || !has_line(text, end))
		return NOTE_NONE;
	*ret_length = end;
	return NOTE_THERE;
}

bool note_is_end(const char *text, size_t length)
{
	static const char end[] = " (:0 (" ROSSYM_TERMINATOR "))";
	return length == sizeof end - 1 && memcmp(text, end, length) == 0;
}

size_t note_find_last(const char *text, size_t length, size_t *note_length)
{
	unsigned depth = 0;
	*note_length = 0;
	if (length == 0 || text[length - 1] != ')')
		return length;
	for (size_t at = length; at-- > 1 && length - at <= LONGEST_NOTE;) {
		if (text[at] == ')')
			depth++;
		if (text[at] != '(' || --depth > 0)
			continue;
		size_t begin = at - 1;
		if (note_match(text + begin, length - begin, true, note_length) == NOTE_THERE &&
		    *note_length == length - begin)
			return begin;
		*note_length = 0;
		break;
	}
	return length;
}
