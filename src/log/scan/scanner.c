// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/scan/scanner.h"
#include "log/read/chars.h"
#include "log/read/front.h"
#include "log/read/note.h"
#include "log/scan/source-lines.h"
#include "tool/wait.h"

#include <stdlib.h>
#include <string.h>

#include "compat/compat.h"

bool scanner_open(struct scanner *s, const struct settings *settings, const struct scanner_visitor *visitor,
		  void *visitor_context)
{
	*s = (struct scanner){
		.settings = settings, .visitor = visitor, .visitor_context = visitor_context, .line = { .number = 1 }
	};
	s->tokens.wrapped = &s->wrapped;
	s->buffer = malloc(SCANNER_BUFFER);
	return s->buffer != NULL;
}

void scanner_close(struct scanner *s)
{
	free(s->buffer);
	s->buffer = NULL;
	plain_clear(&s->line.plain);
}

void scanner_start(struct scanner *s)
{
	s->line.number = 1;
	s->at_offset = false;
	s->buffer_offset = 0;
	s->encoding = (struct encoding){ .kind = ENCODING_UNKNOWN };
	s->at_start = true;
	s->begin = s->end = s->passed = s->scanned = 0;
	s->in_line = s->is_cut = s->was_noted = s->was_kept = s->drops = s->is_noted = s->in_added = s->newline_waits =
		false;
	s->line.marks = 0;
	s->added = 0;
	s->context = (struct context){ .line = 0 };
	tokens_forget_lines(&s->tokens);
}

void scanner_run_ahead(struct scanner *s, const struct scanner *from, off_t offset)
{
	struct scanner own = *s;
	*s = *from;
	s->visitor = own.visitor;
	s->visitor_context = own.visitor_context;
	s->buffer = own.buffer;
	s->line.plain = own.line.plain;
	if (s->is_cut)
		plain_begin_rest(&s->line.plain, &from->line.plain);
	s->tokens.wrapped = &s->wrapped;
	s->at_offset = true;
	s->offset = offset;
	s->buffer_offset = scanner_line(from);
	s->end = from->end - from->begin;
	memcpy(s->buffer, from->buffer + from->begin, s->end);
	s->begin = s->passed = s->scanned = 0;
	s->in_line = s->was_noted = s->was_kept = s->drops = s->is_noted = s->in_added = s->newline_waits = false;
	s->line.marks = 0;
}

static void pass_text(const struct scanner *s, const char *bytes, size_t length)
{
	if (s->visitor->text)
		s->visitor->text(s->visitor_context, bytes, length);
}

/* Pass to the visitor the bytes of the buffer before TO that it has not had yet. */
static void pass(struct scanner *s, size_t to)
{
	if (to <= s->passed)
		return;
	pass_text(s, s->buffer + s->passed, to - s->passed);
	s->passed = to;
}

/* Let the visitor print lines after the line that has ended. */
static void pass_after(const struct scanner *s, bool newline)
{
	if (s->visitor->after_line)
		s->visitor->after_line(s->visitor_context, newline);
}

/* The next line looks like a line of source, but belongs to the log: let the visitor print SOURCES_END before it. */
static void pass_separate(const struct scanner *s)
{
	if (s->visitor->separate)
		s->visitor->separate(s->visitor_context);
}

/* Whether the text ends like a prompt, and nothing follows it yet: a user may be waiting for it. */
static bool is_prompt(const struct scanner *s, const char *text, size_t length)
{
	return s->waits && length >= 2 && text[length - 1] == ' ' && memchr(">?:-", text[length - 2], 4);
}

/* ------------------------------------------------------------------------------------------------ lines */

/* Whether the LENGTH bytes at TEXT begin with a mark, or are the beginning of one. */
static bool may_be_mark(const struct scanner *s, const char *text, size_t length)
{
	size_t n = length < SCANNER_MARK ? length : SCANNER_MARK;
	return !s->settings->bare_marks && n > 0 && (*text == '*' || *text == '?') &&
	       memcmp(text + 1, SCANNER_MARK_END, n - 1) == 0;
}

/* Store in *RET the length of the marks at the beginning of the line, of which LENGTH bytes have arrived.  Only its
   first SCANNER_LINE_LENGTH_MAX bytes count.  Returns false if more marks may follow in text that has not arrived. */
static bool match_marks(const struct scanner *s, size_t length, bool complete, size_t *ret)
{
	const char *text = s->buffer + s->begin;
	size_t at = 0;
	if (length > SCANNER_LINE_LENGTH_MAX) {
		length = SCANNER_LINE_LENGTH_MAX;
		complete = true;
	}
	while (length - at >= SCANNER_MARK && may_be_mark(s, text + at, SCANNER_MARK))
		at += SCANNER_MARK;
	*ret = at;
	return complete || (length > at && !may_be_mark(s, text + at, length - at));
}

/* Begin the line at s->begin, of which LENGTH bytes have arrived.  Returns false and does nothing if its marks may
   continue in text that has not arrived. */
static bool begin_line(struct scanner *s, size_t length, bool complete)
{
	struct line *line = &s->line;
	line->marks = 0;
	if (!s->is_cut && !match_marks(s, length, complete, &line->marks))
		return false;
	line->begun = s->passed > s->begin || s->is_cut;
	line->offset = line->piece = 0;
	pass(s, s->begin); /* lines that were skipped */
	/* tokens_begin() adds 1 to the number.  Lines that were skipped are counted; lines of source are not. */
	s->context.line = line->number - 1 - s->added;
	tokens_begin(&s->tokens, &s->context);
	if (s->is_cut)
		tokens_begin_rest(&s->tokens);
	s->in_line = true;
	if (s->visitor->begin)
		s->visitor->begin(s->visitor_context, line);
	pass(s, s->begin + line->marks);
	s->begin += line->marks;
	return true;
}

/* End the current line, which has LENGTH bytes.  NEWLINE: a newline follows them; otherwise the log ends.  If a note of
   the line is removed (s->drops), lines of source may follow that are left out.  Then the newline waits, because an
   earlier run may have added it together with them. */
static void end_line(struct scanner *s, size_t length, bool newline)
{
	s->newline_waits = newline && s->drops;
	pass(s, s->begin + length + (newline && !s->newline_waits));
	s->in_line = false;
	if (s->visitor->end)
		s->visitor->end(s->visitor_context);
	s->line.marks = 0;
	s->begin += length + newline;
	s->scanned = s->begin;
	if (s->is_cut)
		tokens_forget_lines(&s->tokens); /* the rest of a long line is no line that was wrapped */
	s->is_cut = false;
	s->line.number += newline;
	if (s->newline_waits)
		s->passed = s->begin;
	else
		pass_after(s, newline);
}

/* It is known now what follows the line that has ended, so its newline need not wait any longer.  IN_LOG: the newline
   belongs to the log, so pass it to the visitor. */
static void end_waiting(struct scanner *s, bool in_log)
{
	if (!s->newline_waits)
		return;
	s->newline_waits = false;
	if (in_log)
		pass_text(s, "\n", 1);
	pass_after(s, in_log);
}

/* Whether every line must be read for tokens.  That is so if annotations are removed; or if a line without a token can
   have a meaning now, as a row, or as the rest of the line before it. */
static bool every_line_counts(const struct scanner *s)
{
	return context_every_line_counts(&s->context) || settings_remove(s->settings);
}

/* Whether the sieve shows that the current line, which is complete, has neither a token nor a fact.  Returns false for
   a line without escapes, because skip_lines() has asked the sieve about it; but not with --crashes, because
   skip_lines() is not called then. */
static bool is_idle(const struct scanner *s)
{
	const struct plain_line *plain = &s->line.plain;
	return (!plain_is_raw(plain) || s->settings->crashes) && !every_line_counts(s) &&
	       tokens_skip(plain->text, plain->length) == plain->length;
}

/* Record that the current line is skipped.  TEXT is its plain text. */
static void record_skipped(struct scanner *s, const char *text, size_t length)
{
	tokens_skipped(&s->tokens, text, length, s->line.number - s->added);
}

/* Skip the line of LENGTH bytes at s->begin if its plain text can have no token.  skip_lines() does that for lines
   without escapes.  Logs with escape sequences in each line take three times as long without this and is_idle(). */
static bool skip_idle(struct scanner *s, size_t length, bool newline)
{
	const char *text = s->buffer + s->begin;
	if (length > SCANNER_LINE_LENGTH_MAX || s->is_cut || s->settings->crashes || may_be_mark(s, text, length))
		return false;
	plain_read(&s->line.plain, text, length, true);
	if (!is_idle(s))
		return false;
	record_skipped(s, s->line.plain.text, s->line.plain.length);
	s->begin += length + newline;
	s->scanned = s->begin;
	s->line.number += newline;
	return true;
}

/* Record whether the last token has a note that is an answer, and whether it stays. */
static void remember_note(struct scanner *s)
{
	const struct token *token = &s->tokens.token;
	const char *note = s->tokens.text + token->note;
	size_t length = token->note_end - token->note;
	/* No lines of source follow the row of a module, nor an end marker. */
	if (token->is_module || !note_is_answer(note, length))
		return;
	bool stays = !settings_remove(s->settings) || note_has_kept_mark(note, length);
	s->was_noted = true;
	s->was_kept |= stays;
	s->drops |= !stays;
}

/* Pass the last token to the visitor, with its positions in the raw line. */
static void pass_token(struct scanner *s)
{
	const struct token *token = &s->tokens.token;
	struct found_token found = { .token = *token,
				     .begin = token->begin,
				     .end = token->end,
				     .note = token->note,
				     .note_length = token->note_end - token->note };
	remember_note(s);
	if (!s->visitor->token)
		return;
	plain_locate(&s->line.plain, &found.token);
	found.passed = s->passed - s->begin;
	const struct token_reply reply = s->visitor->token(s->visitor_context, &found);
	s->passed = s->begin + reply.passed;
	s->is_noted |= reply.noted;
}

static void pass_fact(struct scanner *s)
{
	if (s->visitor->fact)
		s->stop |= !s->visitor->fact(s->visitor_context, &s->tokens.fact);
}

/* Read tokens and facts from the first LENGTH bytes of the line, and pass them to the visitor.  COMPLETE: the line has
   no more.  Returns how many bytes of the raw line may be passed to the visitor as text. */
static size_t read_tokens(struct scanner *s, size_t length, bool complete)
{
	struct tokens *t = &s->tokens;
	struct plain_line *plain = &s->line.plain;
	plain_read(plain, s->buffer + s->begin, length, complete);
	t->text = plain->text;
	t->length = plain->length;
	t->complete = complete;
	t->strings = plain->strings != PLAIN_NO_STRINGS;
	if (complete && !t->start_tried && is_idle(s)) {
		record_skipped(s, t->text, t->length);
		if (s->settings->crashes)
			front_read(t); /* the crashes need to know where the line's own text begins */
		return length;
	}
	for (;;) {
		switch (tokens_next(t, &s->context)) {
		case FOUND_TOKEN:
			pass_token(s);
			break;
		case FOUND_FACT:
			pass_fact(s);
			break;
		case FOUND_END:
			return plain_printable_length(plain, length);
		case FOUND_MORE:
			return plain_raw_end(plain, t->hold);
		}
	}
}

/* A piece of the line has ended.  Begin the next one after the first REMOVED bytes; its
   first byte becomes PLAIN_CUT. */
static void begin_rest(struct scanner *s, size_t removed)
{
	struct line *line = &s->line;
	line->offset += line->marks + removed;
	line->marks = 0;
	line->begun = true;
	s->begin += removed;
	s->buffer[s->begin] = PLAIN_CUT;
	s->scanned = s->begin;
	s->is_cut = true;
	if (s->visitor->begin)
		s->visitor->begin(s->visitor_context, line);
}

/* End a piece of the line.  The next piece begins with PLAIN_CUT in place of the character at AT of the plain text, so
   the text up to that character is passed to the visitor now. */
static void cut_at(struct scanner *s, size_t at)
{
	struct line *line = &s->line;
	pass(s, s->begin + plain_raw_end(&line->plain, at + 1));
	line->piece_end = s->tokens.hold;
	if (s->visitor->end)
		s->visitor->end(s->visitor_context);
	line->piece = line->piece_end - at;
	tokens_cut(&s->tokens, at);
	begin_rest(s, plain_cut(&line->plain, at));
}

/* End a piece of the line after its first LENGTH bytes, all of which have been read.  The next piece begins with
   PLAIN_CUT in place of the last of them. */
static void cut_after(struct scanner *s, size_t length)
{
	struct line *line = &s->line;
	const struct plain_line plain = line->plain;
	pass(s, s->begin + length);
	line->piece_end = plain.length;
	if (s->visitor->end)
		s->visitor->end(s->visitor_context);
	line->piece = 1;
	tokens_begin_rest(&s->tokens);
	plain_begin_rest(&line->plain, &plain);
	begin_rest(s, length - 1);
}

/* The line has more than SCANNER_LINE_LENGTH_MAX bytes: read so many of them as a piece, and cut the line. */
static void read_and_cut(struct scanner *s)
{
	enum { CUT_LEAST = SCANNER_LINE_LENGTH_MAX / 4 };
	const size_t length = SCANNER_LINE_LENGTH_MAX;
	const size_t decided = read_tokens(s, length, false), at = tokens_uncut(&s->tokens);
	if (plain_raw_end(&s->line.plain, at) >= CUT_LEAST) {
		if (!s->settings->html)
			pass(s, s->begin + decided);
		cut_at(s, at);
		return;
	}
	/* A cut before the undecided text would make the piece too short: decide by what has arrived. */
	read_tokens(s, length, true);
	cut_after(s, length);
}

/* ------------------------------------------------------------------------------------------ lines of source */

/* What the next line is: a line of the log, a line of source that an earlier run has added, or too short to tell. */
enum added { ADDED_NONE, ADDED_TAKEN, ADDED_MORE };

/* Returns what the next line is, of which LENGTH bytes have arrived.  If it is no line of source, or the last one,
   resets what the scanner knows of the notes before it. */
static enum added match_added(struct scanner *s, size_t length, bool complete)
{
	enum sources_line kind = SOURCES_NO_LINE;
	size_t marks = 0;
	if (s->in_added)
		return ADDED_TAKEN;
	if (s->was_noted || s->is_noted) {
		if (!match_marks(s, length, complete, &marks))
			return ADDED_MORE;
		kind = sources_match(s->buffer + s->begin + marks, length - marks, complete);
	}
	if (kind == SOURCES_MORE)
		return ADDED_MORE;
	if (kind == SOURCES_NO_LINE || marks > 0 || !s->was_noted) {
		end_waiting(s, true);
		if (kind != SOURCES_NO_LINE && s->is_noted)
			pass_separate(s);
		s->was_noted = s->was_kept = s->drops = s->is_noted = false;
		return ADDED_NONE;
	}
	/* The lines of source that follow stay: let the visitor print its own before them. */
	if (!s->drops)
		end_waiting(s, true);
	if (s->is_noted && !s->drops) {
		pass_separate(s);
		s->is_noted = false;
	}
	if (kind == SOURCES_LAST) {
		s->was_noted = s->drops && s->was_kept;
		s->drops = false;
	}
	return ADDED_TAKEN;
}

/* If the next line, or what has arrived of it, is a line of source that an earlier run has added, pass it as text or
   leave it out. */
static enum added take_added(struct scanner *s, bool at_end)
{
	size_t length = s->end - s->begin;
	const char *newline = NULL;
	if (s->in_added || s->was_noted || s->is_noted)
		newline = memchr(s->buffer + s->begin, '\n', length);
	if (newline)
		length = (size_t)(newline - s->buffer) - s->begin;
	const bool drops = s->drops;
	enum added added = match_added(s, length, newline || at_end);
	if (added != ADDED_TAKEN)
		return added;
	length += newline != NULL;
	if (drops)
		s->passed = s->begin + length;
	else
		pass(s, s->begin + length);
	s->begin += length;
	s->scanned = s->begin;
	s->in_added = !newline;
	s->line.number += newline != NULL;
	s->added += newline != NULL;
	return ADDED_TAKEN;
}

/* ------------------------------------------------------------------------------------------------ lines */

/* Read as much of the current line as has arrived.  Returns true at its end or at a cut in a long line; false if more
   bytes are needed. */
static bool read_line(struct scanner *s, bool at_end)
{
	const char *text = s->buffer + s->begin, *newline;
	size_t length = s->end - s->begin;
	newline = memchr(text + s->is_cut, '\n', length - s->is_cut);
	bool complete = newline || at_end;
	if (newline)
		length = (size_t)(newline - text);
	if (!s->in_line) {
		if (!s->is_cut)
			plain_begin(&s->line.plain);
		if (complete && skip_idle(s, length, newline != NULL))
			return true;
		if (!begin_line(s, length, complete))
			return false;
		length -= s->line.marks;
	}
	if (length > SCANNER_LINE_LENGTH_MAX) {
		read_and_cut(s);
		return true;
	}
	if (complete) {
		read_tokens(s, length, true);
		s->line.piece_end = s->line.plain.length;
		end_line(s, length, newline != NULL);
		return true;
	}
	size_t decided = read_tokens(s, length, false);
	if (!s->settings->html)
		pass(s, s->begin + decided);
	if (s->visitor->prompt && settings_mark_lines(s->settings) &&
	    is_prompt(s, s->line.plain.text, s->line.plain.length))
		s->visitor->prompt(s->visitor_context);
	return false;
}

/* ---------------------------------------------------------------------------------- text without tokens */

#ifdef HAVE_VECTORS
typedef unsigned char bytes16 __attribute__((vector_size(16)));

/* Count the newlines of TEXT 16 bytes at a time.  Returns their number, and stores how many bytes were counted in
   *DONE; fewer than 16 are left.  Nearly all text of a log is counted here; the loop in count_lines(), which is the
   reference path, takes 15 times as long. */
static size_t count_blocks(const char *text, size_t length, size_t *done)
{
	size_t at = 0, count = 0;
	while (length - at >= sizeof(bytes16)) {
		bytes16 block, found = { 0 };
		/* FOUND counts in 16 bytes, which wrap after 255.  Comparison gives -1 for each newline. */
		for (unsigned i = 0; i < 255 && length - at >= sizeof block; i++, at += sizeof block) {
			memcpy(&block, text + at, sizeof block);
			found -= (bytes16)(block == '\n');
		}
		for (size_t i = 0; i < sizeof found; i++)
			count += found[i];
	}
	*done = at;
	return count;
}
#else
static size_t count_blocks(const char *text, size_t length, size_t *done)
{
	(void)text, (void)length;
	*done = 0;
	return 0;
}
#endif

/* Returns the number of newlines. */
static size_t count_lines(const char *text, size_t length)
{
	size_t at, count = count_blocks(text, length, &at);
	for (; at < length; at++)
		count += text[at] == '\n';
	return count;
}

/* Returns the start of the line that has the byte at AT. */
static size_t line_start(const struct scanner *s, size_t at)
{
	while (at > s->begin && s->buffer[at - 1] != '\n')
		at--;
	return at;
}

/* Record the last of the skipped lines, which ends before START.  s->line.number is that of the line at START. */
static void record_last_skipped(struct scanner *s, size_t start)
{
	if (start == s->begin)
		return;
	const size_t end = start - 1;
	size_t begin = end;
	while (begin > s->begin && end - begin <= TOKENS_SKIPPED_MAX && s->buffer[begin - 1] != '\n')
		begin--;
	tokens_skipped(&s->tokens, s->buffer + begin, end - begin, s->line.number - 1 - s->added);
}

/* Skip lines that can have no token (sieve.c).  Returns true if another line comes after them in the buffer, at
   s->begin, which must be read; false if no token is in the buffer so far. */
static bool skip_lines(struct scanner *s, bool at_end)
{
	size_t at = s->scanned + tokens_skip(s->buffer + s->scanned, s->end - s->scanned);
	bool found = at < s->end;
	size_t start = line_start(s, at);
	s->line.number += count_lines(s->buffer + s->begin, start - s->begin);
	record_last_skipped(s, start);
	pass(s, start);
	s->begin = start;
	s->scanned = at;
	/* A line that is too long for the buffer is read, although it has no token so far: that may show how the line
	   is escaped. */
	size_t left = s->end - s->begin;
	if (found || (left > SCANNER_LINE_LENGTH_MAX && !at_end))
		return true;

	/* Only the beginning of a line is left.  Its last TOKENS_UNDECIDED bytes may be the beginning of a token.  Even
	   so its text can be passed now, unless a mark or markup may have to be printed before it. */
	const char *text = s->buffer + s->begin;
	if ((!settings_mark_lines(s->settings) && !s->settings->html) || at_end ||
	    (is_prompt(s, text, left) && !(left <= SCANNER_MARK && may_be_mark(s, text, left))))
		pass(s, s->end);
	s->scanned = left > TOKENS_UNDECIDED ? s->end - TOKENS_UNDECIDED : s->begin;
	if (at_end)
		s->begin = s->end;
	return false;
}

void scanner_read(struct scanner *s, bool at_end)
{
	s->stop = false;
	while ((s->begin < s->end || (at_end && s->in_line)) && !s->stop) {
		enum added added = s->in_line || s->is_cut ? ADDED_NONE : take_added(s, at_end);
		if (added == ADDED_TAKEN)
			continue;
		if (added == ADDED_MORE)
			break;
		const bool skips = !s->is_cut && !every_line_counts(s) && !s->settings->crashes;
		if (!s->in_line && skips && !skip_lines(s, at_end))
			break;
		if (!read_line(s, at_end))
			break;
	}
	pass(s, s->begin); /* lines that were skipped */
	if (at_end && !s->stop)
		end_waiting(s, !s->in_added);
}

/* ------------------------------------------------------------------------------------------------ input */

/* Move the current line to the beginning of the buffer. */
static void make_room(struct scanner *s)
{
	memmove(s->buffer, s->buffer + s->begin, s->end - s->begin);
	s->buffer_offset += s->begin;
	s->end -= s->begin;
	s->passed -= s->begin;
	s->scanned -= s->begin;
	s->begin = 0;
}

static ssize_t read_text(struct scanner *s, char *bytes, size_t size)
{
	const size_t left = s->content->length - (size_t)s->offset;
	if (size > left)
		size = left;
	if (size)
		memcpy(bytes, s->content->bytes + s->offset, size);
	s->offset += (off_t)size;
	return (ssize_t)size;
}

/* Whether the next bytes to read are those of s->content, after which the file FD is read. */
static bool has_content(const struct scanner *s, int fd)
{
	return s->content && (fd < 0 || (size_t)s->offset < s->content->length);
}

static ssize_t read_more(struct scanner *s, int fd, char *bytes, size_t size)
{
	if (has_content(s, fd))
		return read_text(s, bytes, size);
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
		pass(s, length);
		s->begin = s->scanned = length;
	}
}

int scanner_fill(struct scanner *s, int fd)
{
	make_room(s);
	char *text = s->buffer + s->end;
	/* Read the bytes into the last part of the buffer, and decode them to the end of the text: the decoded text can
	   be longer than they are. */
	size_t room = SCANNER_BUFFER - s->end, most = encoding_convertible_size(&s->encoding, room);
	char *bytes = text + (room - most);
	ssize_t n = read_more(s, fd, bytes, most);
	s->waits = settings_mark_lines(s->settings) && !s->at_offset && !has_content(s, fd) && !wait_is_ready(fd);
	s->end += encoding_decode(&s->encoding, bytes, n > 0 ? (size_t)n : 0, text, n <= 0);
	if (s->at_start && s->end > 0) {
		s->at_start = false;
		pass_order_mark(s);
	}
	return n > 0 ? 1 : (int)n;
}

void scanner_copy(struct scanner *s)
{
	pass(s, s->end);
	s->begin = s->scanned = s->end;
}
