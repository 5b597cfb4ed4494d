// SPDX-License-Identifier: GPL-2.0-or-later
/* filter.c - prints a log with *notes*, annotations after addresses (note.h), and *marks*, "* | " before lines */
#include "config.h"
#include "log/filter.h"
#include "log/console.h"
#include "log/read/note.h"
#include "log/url.h"
#include "tool/diag.h"
#include "tool/wait.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	SHOWN_LENGTH_MAX = 200, /* the most bytes of a line that a message shows */
};

/* ------------------------------------------------------------------------------------- printing the log */

/* Print TEXT in the encoding of the log; on a page, where TEXT is HTML, in UTF-8. */
static void print_encoded(struct filter *f, const char *text, size_t length)
{
	if (f->settings->html)
		fold_add(&f->page.fold, f->out, text, length);
	else
		encoding_write(&f->scanner.encoding, f->out, text, length);
}

/* Print BYTES; or collect them, while the mark of the line ("* | ") is not known yet.  On a page, BYTES are HTML. */
static void print_or_collect(struct filter *f, const char *bytes, size_t length)
{
	if (f->collects)
		strbuf_add_bytes(&f->collected, bytes, length);
	else
		print_encoded(f, bytes, length);
}

/* Print or collect the HTML in f->markup. */
static void put_markup(struct filter *f)
{
	f->failed |= f->markup.no_memory;
	if (f->markup.length > 0)
		print_or_collect(f, f->markup.bytes, f->markup.length);
	f->markup.length = 0;
}

/* Print or collect BYTES of the log, or text added to it.  If something else is printed, such as JSON, do nothing. */
static void put_log_text(void *context, const char *bytes, size_t length)
{
	struct filter *f = context;
	if (settings_is_log_hidden(f->settings))
		return;
	if (f->settings->html) {
		html_add_escaped(&f->markup, bytes, length);
		put_markup(f);
	} else {
		print_or_collect(f, bytes, length);
	}
}

/* Returns how many of the LENGTH bytes at TEXT, the collected line, are marks that a new mark replaces.  log2lines also
   replaces "* " and "? " before "<". */
static size_t count_replaced_mark_bytes(const struct filter *f, const char *text, size_t length)
{
	bool bare = f->settings->bare_marks && length >= 3 && (*text == '*' || *text == '?') &&
		    memcmp(text + 1, " <", 2) == 0;
	return bare ? 2 : f->line->marks;
}

/* Print the collected line, which has a token, with a new mark ("* | ", "? | ") if it gets one.  A new mark replaces
   the marks in the log.  Without a new mark, the old ones stay, unless the options remove or redo annotations. */
static void print_collected_line(struct filter *f)
{
	const char *bytes = f->collected.bytes;
	const char mark = f->answered	  ? (f->settings->mark_answered ? '*' : '\0')
			  : f->unanswered ? (f->settings->mark_unanswered ? '?' : '\0')
					  : '\0';
	const size_t length = f->collected.length;
	size_t old = settings_is_removal(f->settings) ? f->line->marks : 0;
	if (settings_is_log_hidden(f->settings))
		return;
	if (mark) {
		const char shown[] = { mark, ' ', '|', ' ' };
		print_encoded(f, shown, f->settings->bare_marks ? 2 : sizeof shown);
		old = count_replaced_mark_bytes(f, bytes, length);
	}
	if (length > old)
		print_encoded(f, bytes + old, length - old);
	f->failed |= f->collected.no_memory;
	f->collected.length = 0;
}

/* -------------------------------------------------------------------------------------- handling tokens */

/* Returns the text in f->note with the escapes that text at AT of the raw line must have, such as those of JSON. */
static const struct strbuf *escape_note(struct filter *f, size_t at)
{
	unsigned escaping = plain_find_escaping(&f->line->plain, at);
	const char *bytes = f->note.bytes;
	size_t length = f->note.length;
	f->failed |= f->note.no_memory;
	if (length == 0 || (!escaping && !memchr(bytes, '&', length) && !memchr(bytes, '\\', length)))
		return &f->note;
	f->escaped.length = 0;
	plain_add_escaped(&f->escaped, bytes, length, escaping);
	f->failed |= f->escaped.no_memory;
	return &f->escaped;
}

/* Whether a later run with -u could restore KDBG's end marker after TOKEN (note.h) exactly, if a note replaced it: not
   if the log escapes the marker in another way than this program. */
static bool can_restore_end_marker(struct filter *f, const struct token *token)
{
	const char *raw = f->line->plain.raw + token->note;
	f->note.length = 0;
	note_add_end_marker(&f->note);
	const struct strbuf *marker = escape_note(f, token->note);
	return marker->length == token->note_end - token->note && memcmp(marker->bytes, raw, marker->length) == 0;
}

/* Print or collect the bytes of the raw line from f->done to END. */
static void put_raw_line_up_to(struct filter *f, size_t end)
{
	if (end <= f->done)
		return;
	put_log_text(f, f->line->plain.raw + f->done, end - f->done);
	f->done = end;
}

/* Print or collect the line up to the note of TOKEN, then the text in f->note in place of the note in the log. */
static void replace_note(struct filter *f, const struct token *token)
{
	put_raw_line_up_to(f, token->note);
	const struct strbuf *note = escape_note(f, token->note);
	if (note->length > 0 && f->settings->html)
		html_add_note(&f->collected, note->bytes, note->length);
	else if (note->length > 0)
		put_log_text(f, note->bytes, note->length);
	if (f->done < token->note_end)
		f->done = token->note_end;
}

/* The note that a token has in the log. */
struct old_note {
	struct plain_note note;
	/* the results of note_is_answer(), note_is_or_was_end_marker() and note_is_of_other_build() */
	bool is_answer, is_end, is_other;
};

/* On a page: count TOKEN, an address in MODULE (NULL: not known), and put it with its markup, up to where its note may
   be.  WHY says why TOKEN has no answer, or is NULL if it has one. */
static void count_and_put_address(struct filter *f, const struct token *token, const struct rossym_module *module,
				  enum html_kind kind, const char *why)
{
	f->failed |= !page_count_address(&f->page, &f->resolver->boots, module, kind, why);
	fold_show_line(&f->page.fold, f->out);
	put_raw_line_up_to(f, token->begin);
	html_address_begin(&f->collected, kind, f->page.counts[kind], why);
	f->shown.letter = html_get_kind_letter(kind);
	f->shown.id = f->page.counts[kind];
	put_raw_line_up_to(f, token->end < token->note ? token->end : token->note);
	html_address_end(&f->collected, kind, f->page.counts[kind]);
}

/* Store in URL the URL of PLACE, a file and line in the note OLD.  Returns false if the URL is unknown.  The commit is
   known only if the note is from the log's build.  A file name that ends with "]" gets no URL, because it can be two
   names, as log2lines -t writes them: "a.c[b.c]:1". */
static bool add_note_url(struct filter *f, struct strbuf *url, const struct old_note *old,
			 const struct note_part *place)
{
	const char *template = f->settings->source_url, *text = old->note.text;
	size_t length = place->file_end - place->begin;
	if (!template || length == 0 || text[place->file_end - 1] == ']')
		return false;
	char *name = copy_text(text + place->begin, length);
	const char *file = name ? paths_shown_path(&f->settings->paths, name) : NULL;
	f->failed |= !file;
	url->length = 0;
	bool good = file &&
		    url_add(url, template, file, place->line, old->is_other ? "" : f->resolver->boots.build.commit);
	f->failed |= url->no_memory;
	free(name);
	return good;
}

/* On a page: put the note that TOKEN has in the log, with links. */
static void put_note_with_links(struct filter *f, const struct token *token, const struct old_note *old)
{
	const char *text = old->note.text;
	struct note_part place;
	struct strbuf url = { .bytes = NULL };
	put_raw_line_up_to(f, token->note);
	strbuf_add(&f->collected, HTML_NOTE);
	for (size_t at = 0; note_next_frame(text, old->note.length, &at, &place);) {
		if (!add_note_url(f, &url, old, &place))
			continue;
		put_raw_line_up_to(f, plain_find_raw_begin(&f->line->plain, &old->note, place.begin));
		html_link_begin(&f->collected, url.bytes, url.length);
		put_raw_line_up_to(f, plain_find_raw_end(&f->line->plain, &old->note, place.end));
		strbuf_add(&f->collected, "</a>");
	}
	put_raw_line_up_to(f, token->note_end);
	strbuf_add(&f->collected, HTML_NOTE_END);
	strbuf_clear(&url);
}

/* Remove the note of TOKEN.  RESTORE: put back the end marker that the note had replaced. */
static void remove_note(struct filter *f, const struct token *token, bool restore)
{
	f->note.length = 0;
	if (restore)
		note_add_end_marker(&f->note);
	replace_note(f, token);
	f->resolver->counts.undone++;
}

/* If crashes are collected, add to them NOTE, of LENGTH bytes: the note of the current token, a module's row. */
static void add_symbols_note_to_crashes(struct filter *f, const char *note, size_t length)
{
	const struct found_token *found = f->shown.found;
	if (f->settings->crashes)
		crashes_add_symbols_note(&f->crashes, f->line->plain.text + found->begin, found->end - found->begin,
					 note, length);
}

/* Look TOKEN up.  Count it as missed if its module has no image, or no load address. */
static void look_up_token(struct filter *f, const struct token *token, struct answer *answer)
{
	resolve_token(f->resolver, token, answer);
	if (!f->settings->missed)
		return;
	const uint64_t line = (uint64_t)f->log_number << 40 | f->line->number;
	const struct rossym_module *module = answer->found.module;
	/* Without an image, nothing proves that a number which a rule found (PROOF_CODE) is a code address.  But it
	   likely is one if the log has the length of the module. */
	const bool likely = module && module->length && token->proof == PROOF_CODE;
	if (module && answer->found.why == ROSSYM_WHY_NO_MODULE && !module->rival_file &&
	    (likely || !resolve_is_no_address(token, answer)))
		missed_count_module(&f->missed.images, module->name, line);
	if (answer->unplaced)
		missed_count_module(&f->missed.bases, answer->unplaced->name, line);
}

/* Print ANSWER for TOKEN as JSON. */
static void print_token_as_json(struct filter *f, const struct token *token, const struct answer *answer)
{
	const struct line *line = f->line;
	const struct log_position place = { f->log, line->number, line->plain.raw, 1 + line->marks };
	if (token->is_module || !resolve_is_no_address(token, answer))
		f->failed |= !annotate_print_json(f->out, f->settings, f->resolver, token, answer, &place);
}

/* Add the LENGTH bytes at BYTES, escaped as the current line is, to the text that is printed after this line. */
static void add_text_after_line(struct filter *f, const char *bytes, size_t length)
{
	if (length == 0)
		return;
	unsigned escaping = plain_find_escaping(&f->line->plain, SIZE_MAX) & (PLAIN_HTML | PLAIN_MARKDOWN);
	f->escaped.length = 0;
	if (escaping)
		plain_add_escaped(&f->escaped, bytes, length, escaping);
	else
		strbuf_add_bytes(&f->escaped, bytes, length);
	if (f->settings->html)
		html_add_escaped(&f->after, f->escaped.bytes, f->escaped.length);
	else
		strbuf_add_bytes(&f->after, f->escaped.bytes, f->escaped.length);
	f->failed |= f->escaped.no_memory || f->after.no_memory;
}

/* With -S, add the source lines of ANSWER to what is printed after the current line of the log.  On a page, the line of
   the answer is emphasized. */
static void add_source_lines(struct filter *f, const struct answer *answer)
{
	const struct rossym_frame *frame = &answer->found.frame;
	if (!f->sources || !f->settings->source || !frame->file || !frame->line || f->place_count == FILTER_PLACES_MAX)
		return;
	char *file = copy_text(frame->file, frame->file_length);
	struct sources_range range = { .begin = 0 };
	f->note.length = 0;
	f->place_count++;
	if (file)
		range = sources_add_lines(f->sources, &f->note, f->settings, file, frame->line);
	f->failed |= !file || f->note.no_memory;
	free(file);
	if (f->note.length == 0)
		return;
	const bool strong = f->settings->html && range.begin < range.end;
	add_text_after_line(f, f->note.bytes, range.begin);
	if (strong)
		strbuf_add(&f->after, "<strong>");
	add_text_after_line(f, f->note.bytes + range.begin, range.end - range.begin);
	if (strong)
		strbuf_add(&f->after, "</strong>");
	add_text_after_line(f, f->note.bytes + range.end, f->note.length - range.end);
}

/* Print TOKEN with a note for its ANSWER in place of the note OLD.  Returns whether TOKEN is printed with a note. */
static bool put_note(struct filter *f, const struct token *token, const struct answer *answer,
		     const struct old_note *old)
{
	f->note.length = 0;
	annotate_add_note(&f->note, f->settings, answer, old->is_end);
	f->noted_length += escape_note(f, token->note)->length;
	/* With the note, the line would be too long for a later run to read: so it gets no more notes. */
	if (!f->settings->html && f->noted_length >= SCANNER_NOTED_MAX) {
		if (old->is_answer)
			remove_note(f, token, old->is_end);
		return false;
	}
	f->answered = true;
	replace_note(f, token);
	add_source_lines(f, answer);
	return true;
}

/* Handle TOKEN, a module's row in a dump's report.  If there are files that can have symbols, find out where the
   module's symbols come from, and print that. */
static void handle_module_row(struct filter *f, const struct token *token)
{
	struct answer answer;
	if (f->settings->only_missing ||
	    (!settings_is_log_hidden(f->settings) && !modules_have_place(&f->resolver->modules)))
		return;
	resolve_find_symbols(f->resolver, token, &answer);
	f->note.length = 0;
	annotate_add_symbols_note(&f->note, f->resolver, &answer);
	f->failed |= f->note.no_memory;
	if (f->note.length > 0)
		add_symbols_note_to_crashes(f, f->note.bytes, f->note.length);
	if (f->settings->html)
		fold_show_line(&f->page.fold, f->out);
	if (f->settings->json && !f->settings->only_crashes)
		print_token_as_json(f, token, &answer);
	else
		replace_note(f, token);
}

/* Print TOKEN, an address that has the note OLD or none, with a note for ANSWER.  If nothing was found, OLD stays; but
   --strict removes OLD if it has a remark about another build.  ANSWER is NULL if TOKEN was not looked up because OLD
   stays.  Returns whether TOKEN is printed with a note. */
static bool put_address(struct filter *f, const struct token *token, const struct answer *answer,
			const struct old_note *old)
{
	const bool answered = answer && answer->found.why == ROSSYM_WHY_ANSWERED,
		   nothing = answer && resolve_is_no_address(token, answer),
		   removed = answer && answer->refused && old->is_other,
		   stays = old->is_answer && !answered && !removed;
	const bool uncertain = answered ? annotate_choose_remark(answer) != NOTE_SAME : old->is_other;
	if (f->settings->html && (answered || stays || !nothing))
		count_and_put_address(f, token, answer ? answer->found.module : resolve_find_module(f->resolver, token),
				      !answered && !stays ? HTML_UNRESOLVED
				      : uncertain	  ? HTML_UNCERTAIN
							  : HTML_RESOLVED,
				      answered || stays ? NULL : answer->why);
	if (f->settings->html && stays)
		put_note_with_links(f, token, old);
	f->shown.answer = answer;
	if (f->settings->crashes && !nothing)
		f->failed |= !annotate_add_crash_frame(&f->crashes, f->settings, &f->shown);
	if (f->settings->json && !f->settings->only_crashes && !f->settings->only_missing)
		print_token_as_json(f, token, answer);
	if (settings_is_log_hidden(f->settings))
		return false;
	if (answered)
		return put_note(f, token, answer, old);
	f->answered |= !answer;
	f->unanswered |= answer && !nothing;
	if (removed)
		remove_note(f, token, old->is_end);
	else
		f->noted_length += token->note_end - token->note;
	return stays;
}

/* Leave the note OLD of TOKEN in place, and do not look TOKEN up.  But tell the resolver which function OLD names.
   Returns whether TOKEN is an address that is printed with its note. */
static bool keep_note(struct filter *f, const struct token *token, const struct old_note *old)
{
	char function[64]; /* a longer name is cut: the names with which the resolver compares it are shorter */
	if (token->is_module) {
		if (f->settings->html)
			put_note_with_links(f, token, old);
		f->noted_length += token->note_end - token->note;
		add_symbols_note_to_crashes(f, old->note.text, old->note.length);
		return false;
	}
	const bool noted = put_address(f, token, NULL, old);
	note_read_function(old->note.text, old->note.length, function, sizeof function);
	resolve_count_noted(f->resolver, function);
	return noted;
}

/* Handle TOKEN, which has the note OLD or none, as the settings say: keep OLD, remove it, or look TOKEN up.  Returns
   whether TOKEN is printed with a note that a later run could take for its own. */
static bool handle_token(struct filter *f, const struct token *token, const struct old_note *old)
{
	const struct settings *settings = f->settings;
	const bool only_undo = settings->undo && !settings->redo && !settings->only_crashes && !settings->only_missing;
	const bool looks = settings->redo || settings->only_missing || (settings->json && !settings->only_crashes);
	struct answer answer;
	if (settings->raw)
		return false;
	if (old->is_answer && !looks && !only_undo)
		return keep_note(f, token, old);
	if (old->is_answer && !looks)
		remove_note(f, token, old->is_end);
	if (only_undo ||
	    (old->is_end && !old->is_answer && !settings_is_log_hidden(settings) && !can_restore_end_marker(f, token)))
		return false;
	if (token->is_module) {
		handle_module_row(f, token);
		return false;
	}
	look_up_token(f, token, &answer);
	return put_address(f, token, &answer, old);
}

/* The function `token` of struct scanner_visitor. */
static bool visit_token(void *context, const struct found_token *found)
{
	struct filter *f = context;
	struct found_token current = *found;
	const char *note = found->note.text;
	const size_t length = found->note.length;
	const struct old_note old = { found->note, note_is_answer(note, length),
				      length > 0 && note_is_or_was_end_marker(note, length),
				      length > 0 && note_is_of_other_build(note, length) };
	/* KDBG prints an end marker at a return address only. */
	if (old.is_end)
		current.token.is_return = IS_RETURN;
	if (!f->collects) {
		f->collects = true;
		f->noted_length = SCANNER_MARK + f->line->plain.read - f->line->note_bytes;
		put_log_text(f, f->line->plain.raw - f->line->marks, f->line->marks);
	}
	f->resolver->line = f->line->number;
	f->shown = (struct crash_address){ .found = &current, .line = f->line };
	return handle_token(f, &current.token, &old);
}

/* --------------------------------------------------------------------- functions that the scanner calls */

/* After a line has ended: execute its command of log2lines -c, and print the source lines of the answers in it.  If
   NEWLINE is false, the log ends without a newline: so print one before the source lines, and none after them. */
static void visit_after_line(void *context, bool newline)
{
	struct filter *f = context;
	if (f->typed.length > 0)
		console_execute_line(&(struct console){ f->settings, f->resolver, &f->scanner.encoding, f->out },
				     f->typed.bytes, f->typed.length);
	f->typed.length = f->place_count = 0;
	if (f->after.length > 0 && !newline)
		put_log_text(f, "\n", 1);
	if (f->after.length > 0)
		print_or_collect(f, f->after.bytes, f->after.length - !newline);
	f->after.length = 0;
}

static void print_sources_end(void *context)
{
	put_log_text(context, SOURCES_END "\n", sizeof SOURCES_END);
}

static void visit_line_begin(void *context, const struct line *line)
{
	struct filter *f = context;
	f->line = line;
	f->collects = false;
	if (f->settings->html) {
		fold_begin_line(&f->page.fold, f->out);
		html_add_line_number(&f->markup, f->crashes.log_count - 1, line->number);
		put_markup(f);
	}
	f->done = 0;
	f->answered = f->unanswered = false;
}

/* Add the line to f->crashes.  A page shows the line, if it says something about a crash, even among folded lines. */
static void add_crash_line(struct filter *f)
{
	const struct tokens *tokens = &f->scanner.state.tokens;
	const struct line *line = f->line;
	const size_t length = line->plain.length, begin = tokens->begin < length ? tokens->begin : length;
	if (crashes_end_line(&f->crashes, &(const struct crash_line){ { line->plain.text, length, begin },
								      f->line->number,
								      tokens->after_prompt }) &&
	    f->settings->html)
		fold_show_line(&f->page.fold, f->out);
}

static bool visit_line_end(void *context)
{
	struct filter *f = context;
	const struct plain_line *plain = &f->line->plain;
	const char *log = f->log ? f->log : "standard input";
	if (f->line->missed)
		missed_count_line(&f->missed, f->names_log ? log : NULL, f->line->number);
	if (f->line->missed && f->settings->verbose)
		diag("%s:%" PRIu64 ": not understood: %.*s", log, f->line->number,
		     (int)(plain->length < SHOWN_LENGTH_MAX ? plain->length : SHOWN_LENGTH_MAX), plain->text);
	if (f->settings->crashes && !f->line->prompted)
		add_crash_line(f);
	if (f->settings->console)
		strbuf_add_bytes(&f->typed, plain->text, plain->length);
	if (!f->collects)
		return false;
	put_raw_line_up_to(f, plain->read);
	print_collected_line(f);
	f->collects = false;
	return true;
}

static void visit_fact(void *context, const struct fact *fact)
{
	struct filter *f = context;
	char build[BUILD_TEXT], text[sizeof "ReactOS " + BUILD_TEXT];
	if (f->settings->crashes && fact->kind == FACT_BOOT)
		crashes_begin_boot(&f->crashes);
	if (f->settings->html && fact->kind == FACT_BOOT)
		fold_show_line(&f->page.fold, f->out);
	if (!resolve_store_fact(f->resolver, fact))
		return;
	snprintf(text, sizeof text, "ReactOS %s", build_to_text(&f->resolver->boots.build, build));
	if (f->settings->verbose)
		diag("%s:%" PRIu64 ": %s", f->log ? f->log : "standard input", f->line->number, text);
	if (f->settings->crashes)
		crashes_set_build(&f->crashes, text);
}

static void visit_too_long(void *context, uint64_t number)
{
	struct filter *f = context;
	if (!f->said_too_long)
		diag_warning("%s:%" PRIu64
			     ": a line of more than 1 MiB is copied as it is, and so is each that follows",
			     f->log ? f->log : "standard input", number);
	f->said_too_long = true;
}

static const struct scanner_visitor visitor = {
	.text = put_log_text,
	.begin = visit_line_begin,
	.token = visit_token,
	.fact = visit_fact,
	.end = visit_line_end,
	.after_line = visit_after_line,
	.separate = print_sources_end,
	.too_long = visit_too_long,
};

static const struct scanner_visitor visitor_ahead = { .too_long = visit_too_long };

/* -------------------------------------------------------------------------------------- filtering a log */

bool filter_open(struct filter *f, struct settings *settings, struct resolver *resolver, struct out *out)
{
	*f = (struct filter){ .settings = settings, .resolver = resolver, .out = out };
	if (settings->source_root)
		f->sources = sources_new(settings->source_root);
	return scanner_open(&f->scanner, settings, &visitor, f) &&
	       scanner_open(&f->ahead, settings, &visitor_ahead, f) && (f->sources || !settings->source_root);
}

void filter_close(struct filter *f)
{
	scout_clear(&f->resolver->scout);
	scanner_close(&f->scanner);
	scanner_close(&f->ahead);
	sources_free(f->sources);
	strbuf_clear(&f->collected);
	strbuf_clear(&f->typed);
	strbuf_clear(&f->after);
	strbuf_clear(&f->note);
	strbuf_clear(&f->markup);
	page_clear(&f->page);
	crashes_clear(&f->crashes);
	strbuf_clear(&f->escaped);
}

/* Whether nothing arrives at FD for MS milliseconds. */
static bool wait_for_silence(int fd, unsigned ms)
{
	const uint64_t end = wait_clock_milliseconds() + ms;
	for (uint64_t now = wait_clock_milliseconds(); now < end; now = wait_clock_milliseconds())
		if (wait_for_descriptor(fd, WAIT_TO_READ, (int)(end - now)) != 0)
			return false;
	return true;
}

/* If the log so far ends with a prompt, and nothing follows for a while, print the prompt now: a user waits for it. */
static void print_waiting_prompt(struct filter *f, int fd)
{
	const bool has_content = f->content && (fd < 0 || (size_t)f->scanner.offset < f->content->length);
	if (f->settings->wait == 0 || f->settings->html || has_content || !scanner_is_at_prompt(&f->scanner))
		return;
	out_flush(f->out);
	if (wait_for_silence(fd, f->settings->wait))
		scanner_pass_prompt(&f->scanner);
}

bool filter_copy_log(struct filter *f, int fd, const char *log)
{
	int status;
	f->log = log;
	f->log_number++;
	scanner_start(&f->scanner);
	f->scanner.content = f->content;
	f->scanner.offset = 0;
	if (f->settings->look_ahead && (!f->content || fd < 0) && scanner_start_file(&f->ahead, fd, f->content) &&
	    !f->ahead.ended) {
		f->scanner.ahead = &f->ahead;
		f->scanner.offset = f->ahead.offset;
	}
	resolve_begin_log(f->resolver, f->scanner.ahead ? &f->scanner : NULL, log);
	if (f->settings->crashes)
		crashes_begin_log(&f->crashes, log);
	do {
		print_waiting_prompt(f, fd);
		out_flush(f->out);
		status = scanner_fill_buffer(&f->scanner, fd);
		if (status < 0)
			diag("%s: cannot read: %s", log ? log : "standard input", strerror(errno));
		if (f->settings->raw && !f->settings->console)
			scanner_pass_buffer(&f->scanner);
		else
			scanner_process_buffer(&f->scanner, status <= 0);
	} while (status > 0 && !f->out->error);
	if (f->settings->html)
		f->failed |= !fold_end(&f->page.fold, f->out);
	else if (!settings_is_log_hidden(f->settings))
		encoding_write_rest(&f->scanner.encoding, f->out);
	if (f->settings->crashes)
		crashes_end_current(&f->crashes);
	if (f->failed || f->crashes.no_memory || f->scanner.line.plain.no_memory || f->ahead.line.plain.no_memory ||
	    f->resolver->modules.out_of_memory)
		return diag_report_no_memory();
	return status >= 0;
}
