// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/filter.h"
#include "log/console.h"
#include "log/note.h"
#include "tool/diag.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void drop_places(struct filter *f)
{
	while (f->place_count > 0)
		free(f->places[--f->place_count].file);
}

/* ----------------------------------------------------------------------------------------------- output */

void filter_print(struct filter *f, const char *text, size_t length)
{
	encoding_put(&f->scanner.encoding, f->out, text, length);
}

/* Print bytes of the log or of a note.  With marks, they are collected until the mark is known; in JSON no text is
   printed. */
static void put(struct filter *f, const char *bytes, size_t length)
{
	if (f->settings->json)
		return;
	if (f->scanner.in_line && scanner_keeps_lines(f->settings))
		text_add_bytes(&f->collected, bytes, length);
	else
		filter_print(f, bytes, length);
}

static void visit_text(void *context, const char *bytes, size_t length)
{
	put(context, bytes, length);
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
		const char shown[] = { mark, ' ' };
		filter_print(f, shown, sizeof shown);
	}
	f->too_late = true;
	if (length)
		filter_print(f, bytes, length);
	f->failed |= f->collected.no_memory;
	f->collected.length = 0;
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

/* Returns what was collected in f->note, escaped as the line is up to the position AT in it. */
static const struct text *escaped_note(struct filter *f, size_t at)
{
	unsigned escaping = plain_escaping(&f->scanner.plain, at);
	const char *bytes = f->note.bytes;
	size_t length = f->note.length;
	if (length == 0 || (!escaping && !memchr(bytes, '&', length) && !memchr(bytes, '\\', length)))
		return &f->note;
	f->escaped.length = 0;
	plain_escape(&f->escaped, bytes, length, escaping);
	f->failed |= f->escaped.no_memory;
	return &f->escaped;
}

/* Put what was collected in f->note into the line. */
static void put_note(struct filter *f, size_t at)
{
	const struct text *note = escaped_note(f, at);
	put(f, note->bytes, note->length);
	f->failed |= f->note.no_memory;
}

/* Handle TOKEN: pass the line on up to its note, and add, replace, keep or remove the note, as the settings say.  Its positions are
   those of the plain text. */
static void put_token(void *context, struct token *token)
{
	struct filter *f = context;
	struct scanner *scanner = &f->scanner;
	const struct settings *settings = f->settings;
	struct answer answer;
	/* A note with nothing but the end marker does not count as an annotation: KDBG prints it for the return address of a call
	   that does not return. */
	bool ended = note_is_end(scanner->tokens.text + token->note, token->note_end - token->note);
	bool annotated = token->note_end > token->note && !ended;
	if (ended)
		token->is_return = IS_RETURN;
	plain_locate(&scanner->plain, token);
	if (settings->raw)
		return;
	if (annotated && !settings->redo && !settings->json) {
		if (settings->undo) {
			scanner_pass(scanner, scanner->begin + token->note);
			if (scanner->passed < scanner->begin + token->note_end)
				scanner->passed = scanner->begin + token->note_end;
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
		struct place place = { f->log, scanner->line, scanner->buffer + scanner->begin };
		if (resolve_is_nothing(token, &answer))
			return;
		f->failed |= !annotate_json(f->out, f->settings, token, &answer, &place);
	} else if (answer.found.why == ROSSYM_WHY_ANSWERED) {
		f->answered = true;
		annotate_note(&f->note, f->settings, &answer);
		scanner_pass(scanner, scanner->begin + token->note);
		put_note(f, token->end);
		if (scanner->passed < scanner->begin + token->note_end)
			scanner->passed = scanner->begin + token->note_end;
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
	if (f->note.length > !newline) {
		bool escape = plain_escaping(&f->scanner.plain, SIZE_MAX) != 0;
		const struct text *lines = escape ? escaped_note(f, SIZE_MAX) : &f->note;
		filter_print(f, lines->bytes, lines->length);
	}
	drop_places(f);
}

static void visit_begin(void *context)
{
	struct filter *f = context;
	f->too_late = f->scanner.passed > f->scanner.begin;
	f->answered = f->unanswered = false;
}

/* More of the line is needed.  If it looks like a prompt, a user may be waiting for what there is. */
static void visit_pause(void *context)
{
	struct filter *f = context;
	if (scanner_keeps_lines(f->settings) && scanner_is_prompt(f->scanner.tokens.text, f->scanner.tokens.length))
		release(f, false);
}

static void visit_end(void *context, bool newline)
{
	struct filter *f = context;
	if (scanner_keeps_lines(f->settings))
		release(f, true);
	show_sources(f, newline);
	if (f->settings->console)
		console_line(f, f->scanner.tokens.text, f->scanner.tokens.length);
}

static void visit_fact(void *context, const struct fact *fact)
{
	struct filter *f = context;
	resolve_fact(f->resolver, fact);
}

static const struct scanner_visitor visitor = {
	.begin = visit_begin, .token = put_token, .fact = visit_fact, .text = visit_text, .pause = visit_pause, .end = visit_end
};

/* ------------------------------------------------------------------------------------------------- logs */

bool filter_open(struct filter *f, struct settings *settings, struct resolver *resolver, struct out *out)
{
	*f = (struct filter){ .settings = settings, .resolver = resolver, .out = out };
	if (settings->source && settings->source_root)
		f->sources = sources_new(settings->source_root);
	return scanner_open(&f->scanner, settings, &visitor, f) && (f->sources || !settings->source || !settings->source_root);
}

void filter_close(struct filter *f)
{
	drop_places(f);
	scout_clear(&f->resolver->scout);
	scanner_close(&f->scanner);
	sources_free(f->sources);
	text_clear(&f->collected);
	text_clear(&f->note);
	text_clear(&f->escaped);
}

bool filter_run(struct filter *f, int fd, const char *log)
{
	int status;
	f->log = log;
	scanner_start(&f->scanner);
	resolve_forget(f->resolver);
	if (f->settings->look_ahead)
		scout_start(&f->resolver->scout, &f->scanner, fd);
	do {
		out_flush(f->out);
		status = scanner_fill(&f->scanner, fd);
		if (status < 0)
			diag("%s: cannot read: %s", log ? log : "standard input", strerror(errno));
		if (f->settings->raw && !f->settings->console)
			scanner_copy(&f->scanner);
		else
			scanner_read(&f->scanner, status <= 0);
	} while (status > 0 && !f->out->error);
	if (!f->settings->json)
		encoding_finish(&f->scanner.encoding, f->out);
	if (f->failed || f->scanner.plain.no_memory || f->resolver->modules.out_of_memory) {
		diag("out of memory");
		return false;
	}
	return status >= 0;
}
