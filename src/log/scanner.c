// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/scanner.h"
#include "log/chars.h"
#include "log/source.h"
#include "tool/wait.h"

#include <stdlib.h>
#include <string.h>

#include "compat/compat.h"

bool scanner_open(struct scanner *s, const struct settings *settings, const struct scanner_visitor *visitor, void *visitor_context)
{
	*s = (struct scanner){ .settings = settings, .visitor = visitor, .visitor_context = visitor_context, .line = 1 };
	s->buffer = malloc(SCANNER_BUFFER);
	return s->buffer != NULL;
}

void scanner_close(struct scanner *s)
{
	free(s->buffer);
	s->buffer = NULL;
	plain_clear(&s->plain);
}

void scanner_start(struct scanner *s)
{
	s->line = 1;
	s->at_offset = false;
	s->origin = 0;
	s->encoding = (struct encoding){ .kind = ENCODING_UNKNOWN };
	s->at_start = true;
	s->begin = s->end = s->passed = s->scanned = 0;
	s->in_line = s->after_token = s->dropping = false;
	s->context = (struct context){ .line = 0 };
}

void scanner_run_ahead(struct scanner *s, const struct scanner *from, off_t offset)
{
	struct scanner own = *s;
	*s = *from;
	s->visitor = own.visitor;
	s->visitor_context = own.visitor_context;
	s->buffer = own.buffer;
	s->plain = own.plain;
	s->at_offset = true;
	s->offset = offset;
	s->origin = scanner_line(from);
	s->end = from->end - from->begin;
	memcpy(s->buffer, from->buffer + from->begin, s->end);
	s->begin = s->passed = s->scanned = 0;
	s->in_line = s->after_token = s->dropping = false;
}

void scanner_pass(struct scanner *s, size_t to)
{
	if (to <= s->passed)
		return;
	s->visitor->text(s->visitor_context, s->buffer + s->passed, to - s->passed);
	s->passed = to;
}

bool scanner_is_prompt(const char *text, size_t length)
{
	return length >= 2 && text[length - 1] == ' ' && memchr(">?:-", text[length - 2], 4);
}

/* ------------------------------------------------------------------------------------------------ lines */

static void begin_line(struct scanner *s)
{
	s->context.line = s->line - 1;
	plain_begin(&s->plain);
	tokens_begin(&s->tokens, &s->context);
	s->in_line = true;
	s->visitor->begin(s->visitor_context);
}

/* End the current line, which has LENGTH bytes.  NEWLINE: a newline follows, which belongs to it. */
static void end_line(struct scanner *s, size_t length, bool newline)
{
	scanner_pass(s, s->begin + length + newline);
	s->in_line = false;
	s->visitor->end(s->visitor_context, newline);
	s->begin += length + newline;
	s->scanned = s->begin;
	s->line += newline;
}

/* Whether every line must be read, because lines without a token can have a meaning now: inside a table of addresses or
   of modules, or when annotations are removed. */
static bool every_line_counts(const struct scanner *s)
{
	return context_every_line_counts(&s->context) || s->settings->undo || s->settings->redo;
}

/* Whether nothing can be in the current line, which has been read to its end.  Lines whose plain text is the raw one have passed the
   sieve before.  With escape sequences in each line, this makes a log without tokens take a third of the time. */
static bool is_idle(const struct scanner *s)
{
	const struct plain_line *plain = &s->plain;
	return !s->tokens.begun && !plain_is_raw(plain) && !every_line_counts(s) &&
	       tokens_skip(plain->text, plain->length) == plain->length;
}

/* Read tokens and facts from the first LENGTH bytes of the line.  COMPLETE: the line has no more.  Returns up to where
   the line may be passed on. */
static size_t read_tokens(struct scanner *s, size_t length, bool complete)
{
	struct tokens *t = &s->tokens;
	plain_read(&s->plain, s->buffer + s->begin, length, complete);
	t->text = s->plain.text;
	t->length = s->plain.length;
	t->complete = complete;
	if (complete && is_idle(s))
		return length;
	for (;;) {
		switch (tokens_next(t, &s->context)) {
		case FOUND_TOKEN:
			s->after_token |= !s->settings->raw;
			s->visitor->token(s->visitor_context, &t->token);
			break;
		case FOUND_FACT:
			s->visitor->fact(s->visitor_context, &t->fact);
			break;
		case FOUND_END:
			return plain_settled(&s->plain, length);
		case FOUND_MORE:
			return plain_raw_end(&s->plain, t->hold);
		}
	}
}

/* Returns where to cut a line of LENGTH bytes that is too long: near its end, after ">", before "<" or after a blank,
   so not within a token. */
static size_t cut_at(const struct scanner *s, size_t length)
{
	enum { LONGEST_TOKEN = 8192 };
	const char *text = s->buffer + s->begin;
	size_t lowest = length > LONGEST_TOKEN ? length - LONGEST_TOKEN : 1, blank = 0;
	size_t at_least = plain_raw_end(&s->plain, s->tokens.at);
	if (lowest <= at_least)
		lowest = at_least + 1;
	for (size_t at = length; at-- > lowest;) {
		if (text[at] == '>')
			return at + 1;
		if (text[at] == '<')
			return at;
		if (!blank && is_blank(text[at]))
			blank = at + 1;
	}
	return blank && blank > at_least ? blank : length;
}

/* Whether the line is a line of source that an earlier run with -S has added, so that -u or -U drops it.  *WAIT: too
   little of the line is there to decide. */
static bool is_dropped(const struct scanner *s, size_t length, bool complete, bool *wait)
{
	*wait = false;
	if (!(s->settings->undo || s->settings->redo) || !s->after_token || s->passed > s->begin)
		return false;
	bool dropped = sources_is_line(s->buffer + s->begin, length, wait);
	*wait &= !complete;
	return dropped;
}

/* Drop LENGTH bytes, and the newline after them if NEWLINE. */
static void drop(struct scanner *s, size_t length, bool newline)
{
	s->begin += length + newline;
	s->passed = s->scanned = s->begin;
	s->line += newline;
	s->dropping = !newline;
}

/* Read as much of the current line as there is.  False: more bytes are needed. */
static bool read_line(struct scanner *s, bool at_end)
{
	char *text = s->buffer + s->begin;
	size_t length = s->end - s->begin;
	const char *newline = memchr(text, '\n', length);
	bool complete = newline || at_end, wait;
	if (newline)
		length = (size_t)(newline - text);
	if (!s->in_line) {
		if (s->dropping || is_dropped(s, length, complete, &wait)) {
			drop(s, length, newline != NULL);
			return true;
		}
		if (wait)
			return false;
		s->after_token = false;
		begin_line(s);
	}
	if (complete) {
		read_tokens(s, length, true);
		end_line(s, length, newline != NULL);
		return true;
	}
	if (length >= SCANNER_LINE_MAX) {
		length = cut_at(s, length);
		plain_begin(&s->plain);		/* it may hold text that is after the cut */
		read_tokens(s, length, true);
		end_line(s, length, false);
		return true;
	}
	scanner_pass(s, s->begin + read_tokens(s, length, false));
	s->visitor->pause(s->visitor_context);
	return false;
}

/* ---------------------------------------------------------------------------------- text without tokens */

/* Returns the number of newlines.  Reads eight bytes at a time, because nearly all text of a log passes through here: a byte of X
   is 0 where the text has a newline.  The loop at the end is the plain way. */
static size_t count_lines(const char *text, size_t length)
{
	const uint64_t newlines = UINT64_C(0x0a0a0a0a0a0a0a0a), low = UINT64_C(0x7f7f7f7f7f7f7f7f);
	size_t count = 0;
	for (; length >= sizeof(uint64_t); text += sizeof(uint64_t), length -= sizeof(uint64_t)) {
		uint64_t x;
		memcpy(&x, text, sizeof x);
		x ^= newlines;
		x = ~(((x & low) + low) | x | low);	/* 0x80 in each byte that was 0; no carry crosses bytes */
		count += (size_t)((x >> 7) * UINT64_C(0x0101010101010101) >> 56);
	}
	for (; length > 0; text++, length--)
		count += *text == '\n';
	return count;
}

/* Returns the start of the line that the byte at AT belongs to. */
static size_t line_start(const struct scanner *s, size_t at)
{
	while (at > s->begin && s->buffer[at - 1] != '\n')
		at--;
	return at;
}

/* Pass on the lines in which no token can be (sieve.c).  False: all that has been read has been passed on. */
static bool skip_lines(struct scanner *s, bool at_end)
{
	size_t at = s->scanned + tokens_skip(s->buffer + s->scanned, s->end - s->scanned);
	bool found = at < s->end;
	size_t start = line_start(s, at);
	s->line += count_lines(s->buffer + s->begin, start - s->begin);
	scanner_pass(s, start);
	if (start > s->begin)
		s->after_token = false;
	s->begin = start;
	s->scanned = at;
	if (found)
		return true;

	/* What is left is the beginning of a line.  Its last TOKENS_UNDECIDED bytes may be the beginning of a token. */
	size_t left = s->end - s->begin;
	if (!scanner_keeps_lines(s->settings) || at_end || left >= SCANNER_LINE_MAX || scanner_is_prompt(s->buffer + s->begin, left))
		scanner_pass(s, s->end);
	s->scanned = left > TOKENS_UNDECIDED ? s->end - TOKENS_UNDECIDED : s->begin;
	if (at_end || left >= SCANNER_LINE_MAX) {
		/* The rest of a line that is too long is read as a line of its own. */
		s->begin = at_end ? s->end : s->scanned;
	}
	return false;
}

void scanner_read(struct scanner *s, bool at_end)
{
	while (s->begin < s->end) {
		if (!s->in_line && !every_line_counts(s) && !skip_lines(s, at_end))
			break;
		if (!read_line(s, at_end))
			break;
	}
}

/* ------------------------------------------------------------------------------------------------ input */

/* Move the current line to the beginning of the buffer. */
static void make_room(struct scanner *s)
{
	memmove(s->buffer, s->buffer + s->begin, s->end - s->begin);
	s->origin += s->begin;
	s->end -= s->begin;
	s->passed -= s->begin;
	s->scanned -= s->begin;
	s->begin = 0;
}

static ssize_t read_more(struct scanner *s, int fd, char *bytes, size_t size)
{
	if (!s->at_offset)
		return wait_read(fd, bytes, size);
	ssize_t n = pread(fd, bytes, size, s->offset);
	if (n > 0)
		s->offset += n;
	return n;
}

/* Pass a byte order mark at the start of the log. */
static void pass_order_mark(struct scanner *s)
{
	static const char mark[] = "\xef\xbb\xbf";
	size_t length = sizeof mark - 1;
	if (s->end >= length && memcmp(s->buffer, mark, length) == 0) {
		scanner_pass(s, length);
		s->begin = s->scanned = length;
	}
}

int scanner_fill(struct scanner *s, int fd)
{
	make_room(s);
	char *text = s->buffer + s->end;
	size_t room = SCANNER_BUFFER - s->end, most = encoding_most(&s->encoding, room);
	char *bytes = text + (room - most);
	ssize_t n = read_more(s, fd, bytes, most);
	s->end += encoding_decode(&s->encoding, bytes, n > 0 ? (size_t)n : 0, text, n <= 0);
	if (s->at_start && s->end > 0) {
		s->at_start = false;
		pass_order_mark(s);
	}
	return n > 0 ? 1 : (int)n;
}

void scanner_copy(struct scanner *s)
{
	scanner_pass(s, s->end);
	s->begin = s->scanned = s->end;
}
