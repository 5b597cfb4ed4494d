// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/filter.h"
#include "log/chars.h"
#include "log/console.h"
#include "log/note.h"
#include "tool/diag.h"
#include "tool/wait.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/compat.h"

bool filter_open(struct filter *f, struct settings *settings, struct resolver *resolver, struct out *out)
{
	*f = (struct filter){ .settings = settings, .resolver = resolver, .out = out, .line = 1 };
	f->buffer = malloc(FILTER_BUFFER);
	if (settings->source && settings->source_root)
		f->sources = sources_new(settings->source_root);
	return f->buffer && (f->sources || !settings->source || !settings->source_root);
}

static void drop_places(struct filter *f)
{
	while (f->place_count > 0)
		free(f->places[--f->place_count].file);
}

void filter_close(struct filter *f)
{
	drop_places(f);
	free(f->buffer);
	sources_free(f->sources);
	text_clear(&f->collected);
	text_clear(&f->note);
	text_clear(&f->escaped);
	plain_clear(&f->plain);
}

/* ----------------------------------------------------------------------------------------------- output */

static bool has_marks(const struct filter *f)
{
	return f->settings->mark_answered || f->settings->mark_unanswered;
}

/* Print bytes of the log or of a note.  With marks, they are collected until the mark is known; in JSON no text is
   printed. */
static void put(struct filter *f, const char *bytes, size_t length)
{
	if (f->settings->json)
		return;
	if (f->in_line && has_marks(f))
		text_add_bytes(&f->collected, bytes, length);
	else
		out_bytes(f->out, bytes, length);
}

/* Pass on all bytes of the buffer before TO that have not been passed on. */
static void pass(struct filter *f, size_t to)
{
	if (to <= f->passed)
		return;
	put(f, f->buffer + f->passed, to - f->passed);
	f->passed = to;
}

/* Print what has been collected of the line.  WITH_MARK: the line is complete, so its mark can be decided and printed
   first. */
static void release(struct filter *f, bool with_mark)
{
	if (f->settings->json)
		return;
	const char *bytes = f->collected.bytes;
	size_t length = f->collected.length;
	char mark = f->answered && f->settings->mark_answered ? '*'
		  : !f->answered && f->unanswered && f->settings->mark_unanswered ? '?' : '\0';
	if (with_mark && mark && !f->too_late) {
		/* The line may have a mark from an earlier run, which the new one replaces. */
		if (length >= 3 && (bytes[0] == '*' || bytes[0] == '?') && bytes[1] == ' ' && bytes[2] == '<') {
			bytes += 2;
			length -= 2;
		}
		out_char(f->out, mark);
		out_char(f->out, ' ');
	}
	f->too_late = true;
	if (length)
		out_bytes(f->out, bytes, length);
	f->failed |= f->collected.no_memory;
	f->collected.length = 0;
}

/* Whether the text ends as a prompt does, so that a user may be waiting for it. */
static bool looks_like_prompt(const char *text, size_t length)
{
	return length >= 2 && text[length - 1] == ' ' && memchr(">?:-", text[length - 2], 4);
}

/* ----------------------------------------------------------------------------------------------- tokens */

/* Remember the place of an answer, whose source is shown after the line (-S).  Its strings are copied, because the next
   token can close the image. */
static void remember_place(struct filter *f, const struct answer *answer)
{
	if (!f->sources || !f->settings->source || f->settings->json || !answer->found.frame.file || !answer->found.frame.line ||
	    f->place_count == FILTER_SOURCES)
		return;
	size_t length = answer->found.frame.file_length;
	char *file = malloc(length + 1);
	if (!file)
		return;
	memcpy(file, answer->found.frame.file, length);
	file[length] = '\0';
	f->places[f->place_count].file = file;
	f->places[f->place_count++].line = answer->found.frame.line;
}

/* Put what was collected in f->note into the output, escaped as the line is up to the position AT in it. */
static void put_note(struct filter *f, size_t at)
{
	const struct text *note = &f->note;
	unsigned escaping = plain_escaping(&f->plain, at);
	if (note->length && (escaping || memchr(note->bytes, '&', note->length) || memchr(note->bytes, '\\', note->length))) {
		f->escaped.length = 0;
		plain_escape(&f->escaped, note->bytes, note->length, escaping);
		note = &f->escaped;
	}
	put(f, note->bytes, note->length);
	f->failed |= f->note.no_memory || f->escaped.no_memory;
}

/* Handle TOKEN: pass the line on up to its note, and add, replace, keep or remove the note, as the settings say.  Its positions are
   those of the plain text. */
static void put_token(struct filter *f, struct token *token)
{
	const struct settings *settings = f->settings;
	struct answer answer;
	/* A note with nothing but the end marker does not count as an annotation: KDBG prints it for the return address of a call
	   that does not return. */
	bool ended = note_is_end(f->tokens.text + token->note, token->note_end - token->note);
	bool annotated = token->note_end > token->note && !ended;
	token->is_return |= ended;
	plain_locate(&f->plain, token);
	if (settings->raw)
		return;
	f->after_token = true;
	if (annotated && !settings->redo && !settings->json) {
		if (settings->undo) {
			pass(f, f->begin + token->note);
			if (f->passed < f->begin + token->note_end)
				f->passed = f->begin + token->note_end;
			f->resolver->counts.undone++;
		} else {
			f->resolver->counts.skipped++;
			f->answered = true;
		}
		return;
	}
	if (settings->undo && !settings->redo)
		return;

	resolve(f->resolver, token, &answer);
	f->note.length = 0;
	if (settings->json) {
		struct place place = { f->log, f->line, f->buffer + f->begin };
		if (resolve_is_nothing(token, &answer))
			return;
		f->failed |= !annotate_json(f->out, f->settings, token, &answer, &place);
	} else if (answer.found.why == ROSSYM_WHY_ANSWERED) {
		f->answered = true;
		annotate_note(&f->note, f->settings, &answer);
		pass(f, f->begin + token->note);
		put_note(f, token->end);
		if (f->passed < f->begin + token->note_end)
			f->passed = f->begin + token->note_end;
		remember_place(f, &answer);
	} else if (!resolve_is_nothing(token, &answer)) {
		f->unanswered = true;
	}
}

/* ------------------------------------------------------------------------------------------------ lines */

/* Print the source lines of the places on this line, after the line.  Without a NEWLINE in the log, one is printed
   first. */
static void show_sources(struct filter *f, bool newline)
{
	if (f->place_count == 0)
		return;
	f->note.length = 0;
	if (!newline)
		text_add_char(&f->note, '\n');
	for (size_t i = 0; i < f->place_count; i++)
		sources_show(f->sources, &f->note, f->places[i].file, f->places[i].line, f->settings->source_before,
			     f->settings->source_after, f->settings->verbose);
	if (f->note.length > !newline)
		out_bytes(f->out, f->note.bytes, f->note.length);
	drop_places(f);
}

static void begin_line(struct filter *f)
{
	f->context.line = f->line - 1;
	plain_begin(&f->plain);
	tokens_begin(&f->tokens, &f->context);
	f->in_line = true;
	f->too_late = f->passed > f->begin;
	f->answered = f->unanswered = false;
}

/* End the current line, which has LENGTH bytes.  NEWLINE: a newline follows, which belongs to it. */
static void end_line(struct filter *f, size_t length, bool newline)
{
	bool collects = has_marks(f);
	pass(f, f->begin + length + newline);
	f->in_line = false;
	if (collects)
		release(f, true);
	show_sources(f, newline);
	if (f->settings->console)
		console_line(f, f->tokens.text, f->tokens.length);
	f->begin += length + newline;
	f->scanned = f->begin;
	f->line += newline;
}

/* Read tokens and facts from the first LENGTH bytes of the line.  COMPLETE: the line has no more.  Returns up to where
   the line may be passed on. */
static size_t read_tokens(struct filter *f, size_t length, bool complete)
{
	struct tokens *t = &f->tokens;
	plain_read(&f->plain, f->buffer + f->begin, length, complete);
	f->failed |= f->plain.no_memory;
	t->text = f->plain.text;
	t->length = f->plain.length;
	t->complete = complete;
	for (;;) {
		switch (tokens_next(t, &f->context)) {
		case FOUND_TOKEN:
			put_token(f, &t->token);
			break;
		case FOUND_FACT:
			resolve_fact(f->resolver, &t->fact);
			break;
		case FOUND_END:
			return length;	/* half an escape sequence at the end of the line, too */
		case FOUND_MORE:
			return plain_raw_end(&f->plain, t->hold);
		}
	}
}

/* Returns where to cut a line of LENGTH bytes that is too long: near its end, after ">", before "<" or after a blank,
   so not within a token. */
static size_t cut_at(const struct filter *f, size_t length)
{
	enum { LONGEST_TOKEN = 8192 };
	const char *text = f->buffer + f->begin;
	size_t lowest = length > LONGEST_TOKEN ? length - LONGEST_TOKEN : 1, blank = 0;
	size_t at_least = plain_raw_end(&f->plain, f->tokens.at);
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
static bool is_dropped(const struct filter *f, size_t length, bool complete, bool *wait)
{
	*wait = false;
	if (!(f->settings->undo || f->settings->redo) || !f->after_token || f->passed > f->begin)
		return false;
	bool dropped = sources_is_line(f->buffer + f->begin, length, wait);
	*wait &= !complete;
	return dropped;
}

/* Drop LENGTH bytes, and the newline after them if NEWLINE. */
static void drop(struct filter *f, size_t length, bool newline)
{
	f->begin += length + newline;
	f->passed = f->scanned = f->begin;
	f->line += newline;
	f->dropping = !newline;
}

/* Read as much of the current line as there is.  False: more bytes are needed. */
static bool read_line(struct filter *f, bool at_end)
{
	char *text = f->buffer + f->begin;
	size_t length = f->end - f->begin;
	const char *newline = memchr(text, '\n', length);
	bool complete = newline || at_end, wait;
	if (newline)
		length = (size_t)(newline - text);
	if (!f->in_line) {
		if (f->dropping || is_dropped(f, length, complete, &wait)) {
			drop(f, length, newline != NULL);
			return true;
		}
		if (wait)
			return false;
		f->after_token = false;
		begin_line(f);
	}
	if (complete) {
		read_tokens(f, length, true);
		end_line(f, length, newline != NULL);
		return true;
	}
	if (length >= FILTER_LINE_MAX) {
		length = cut_at(f, length);
		plain_begin(&f->plain);		/* it may hold text that is after the cut */
		read_tokens(f, length, true);
		end_line(f, length, false);
		return true;
	}
	pass(f, f->begin + read_tokens(f, length, false));
	if (has_marks(f) && looks_like_prompt(f->tokens.text, f->tokens.length))
		release(f, false);
	return false;
}

/* ---------------------------------------------------------------------------------- text without tokens */

/* Whether every line must be read, because lines without a token can have a meaning now: inside a table of addresses or
   of modules, or when annotations are removed. */
static bool every_line_counts(const struct filter *f)
{
	return context_every_line_counts(&f->context) || f->settings->undo || f->settings->redo;
}

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
static size_t line_start(const struct filter *f, size_t at)
{
	while (at > f->begin && f->buffer[at - 1] != '\n')
		at--;
	return at;
}

/* Pass on the lines in which no token can be (sieve.c).  False: all that has been read has been passed on. */
static bool skip_lines(struct filter *f, bool at_end)
{
	size_t at = f->scanned + tokens_skip(f->buffer + f->scanned, f->end - f->scanned);
	bool found = at < f->end;
	size_t start = line_start(f, at);
	f->line += count_lines(f->buffer + f->begin, start - f->begin);
	pass(f, start);
	if (start > f->begin)
		f->after_token = false;
	f->begin = start;
	f->scanned = at;
	if (found)
		return true;

	/* What is left is the beginning of a line.  Its last TOKENS_UNDECIDED bytes may be the beginning of a token. */
	size_t left = f->end - f->begin;
	if (!has_marks(f) || at_end || left >= FILTER_LINE_MAX || looks_like_prompt(f->buffer + f->begin, left))
		pass(f, f->end);
	f->scanned = left > TOKENS_UNDECIDED ? f->end - TOKENS_UNDECIDED : f->begin;
	if (at_end || left >= FILTER_LINE_MAX) {
		/* The rest of a line that is too long is read as a line of its own. */
		f->begin = at_end ? f->end : f->scanned;
	}
	return false;
}

static void read_all(struct filter *f, bool at_end)
{
	while (f->begin < f->end) {
		if (!f->in_line && !every_line_counts(f) && !skip_lines(f, at_end))
			break;
		if (!read_line(f, at_end))
			break;
	}
}

/* ------------------------------------------------------------------------------------------------ input */

/* Move the current line to the beginning of the buffer. */
static void make_room(struct filter *f)
{
	memmove(f->buffer, f->buffer + f->begin, f->end - f->begin);
	f->end -= f->begin;
	f->passed -= f->begin;
	f->scanned -= f->begin;
	f->begin = 0;
}

/* Read more of FD into the buffer.  Returns 1, 0 at the end, or -1 after a message. */
static int fill(struct filter *f, int fd)
{
	make_room(f);
	ssize_t n = wait_read(fd, f->buffer + f->end, FILTER_BUFFER - f->end);
	if (n < 0)
		diag("%s: cannot read: %s", f->log ? f->log : "standard input", strerror(errno));
	else
		f->end += (size_t)n;
	return n > 0 ? 1 : (int)n;
}

/* Begin another log: nothing of the log before it counts any more. */
static void start_log(struct filter *f, const char *log)
{
	f->log = log;
	f->line = 1;
	f->begin = f->end = f->passed = f->scanned = 0;
	f->in_line = f->after_token = f->dropping = false;
	f->context = (struct context){ .line = 0 };
	resolve_forget(f->resolver);
}

bool filter_run(struct filter *f, int fd, const char *log)
{
	int status;
	start_log(f, log);
	do {
		out_flush(f->out);
		status = fill(f, fd);
		if (f->settings->raw && !f->settings->console) {
			pass(f, f->end);
			f->begin = f->scanned = f->end;
		} else {
			read_all(f, status <= 0);
		}
	} while (status > 0 && !f->out->error);
	if (f->failed || f->resolver->modules.out_of_memory) {
		diag("out of memory");
		return false;
	}
	return status >= 0;
}
