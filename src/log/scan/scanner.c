// SPDX-License-Identifier: GPL-2.0-or-later
/* scanner.c - cuts a log into lines, and skips those without a *sign*, which each line with a token has (sieve.c) */
#include "config.h"
#include "log/scan/scanner.h"
#include "log/read/chars.h"
#include "log/read/match.h"
#include "log/read/note.h"
#include "log/rules/items.h"
#include "log/scan/source-lines.h"
#include "tool/wait.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/compat.h"

enum {
	BUFFER_LEAST = 256 * 1024,
	BUFFER_MOST = 2 * SCANNER_NOTED_MAX,
	EVENTS_MEMORY = 64 << 20, /* about the most bytes of memory for the events of lines that were read ahead */
};

static bool enlarge_buffer(struct scanner *s, size_t size)
{
	char *buffer = realloc(s->buffer, size);
	if (!buffer)
		return false;
	s->buffer = buffer;
	s->room = size;
	return true;
}

bool scanner_open(struct scanner *s, const struct settings *settings, const struct scanner_visitor *visitor,
		  void *visitor_context)
{
	*s = (struct scanner){
		.settings = settings, .visitor = visitor, .visitor_context = visitor_context, .line = { .number = 1 }
	};
	s->state.tokens.wrapped = &s->state.wrapped;
	s->buffer = malloc(BUFFER_LEAST);
	s->room = s->buffer ? BUFFER_LEAST : 0;
	return s->buffer != NULL;
}

void scanner_close(struct scanner *s)
{
	free(s->buffer);
	s->buffer = NULL;
	plain_clear(&s->line.plain);
	events_clear(&s->events);
	strbuf_clear(&s->name);
}

void scanner_start(struct scanner *s)
{
	s->line.number = 1;
	events_remove_all(&s->events);
	s->keeps = s->ended = false;
	s->error = 0;
	s->buffer_offset = 0;
	s->encoding = (struct encoding){ .kind = ENCODING_UNKNOWN };
	s->at_start = true;
	s->begin = s->end = s->passed = s->looked = 0;
	s->copies = s->was_noted = s->drops = s->is_noted = s->in_added = s->newline_waits = false;
	s->line.marks = 0;
	s->added = 0;
	s->state.context = (struct context){ .line = 0 };
	tokens_forget_lines(&s->state.tokens);
	s->state.rules = (struct rules){ .count = 0 };
	s->ahead = NULL;
}

/* If NOTE, of TOKEN in the log, is an answer, record that lines of source may follow, and whether to leave them out. */
static void record_note(struct scanner *s, const struct token *token, const struct plain_note *note)
{
	/* No lines of source follow the row of a module, nor an end marker. */
	if (token->is_module || !note_is_answer(note->text, note->length))
		return;
	s->was_noted = true;
	s->drops |= settings_is_removal(s->settings);
}

bool scanner_start_file(struct scanner *s, int fd, const struct strbuf *content)
{
	struct stat st;
	const bool is_file = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
	scanner_start(s);
	s->keeps = true;
	s->content = content;
	s->fd = fd;
	s->ended = !content && is_file && st.st_size == 0;
	s->offset = content ? 0 : is_file ? lseek(fd, 0, SEEK_CUR) : -1;
	return s->offset >= 0;
}

bool scanner_read_more_lines(struct scanner *s)
{
	if (s->ended || events_get_size(&s->events) > EVENTS_MEMORY)
		return false;
	const int status = scanner_fill_buffer(s, s->fd);
	s->ended = status <= 0;
	s->error = status < 0 ? errno : 0;
	scanner_process_buffer(s, s->ended);
	return true;
}

static void pass_text(const struct scanner *s, const char *bytes, size_t length)
{
	if (s->visitor->text)
		s->visitor->text(s->visitor_context, bytes, length);
}

/* Pass to the visitor the bytes of the buffer before TO that it has not had yet. */
static void pass_bytes_up_to(struct scanner *s, size_t to)
{
	if (to <= s->passed)
		return;
	pass_text(s, s->buffer + s->passed, to - s->passed);
	s->passed = to;
}

/* Call the visitor's `after_line`: it may print lines of its own after the line that has ended. */
static void call_after_line(const struct scanner *s, bool newline)
{
	if (s->visitor->after_line)
		s->visitor->after_line(s->visitor_context, newline);
}

/* ------------------------------------------------------------------------------------------------ lines */

/* Returns the length of the marks that the LENGTH bytes at TEXT begin with. */
static size_t measure_marks(const struct scanner *s, const char *text, size_t length)
{
	size_t at = 0;
	while (!s->settings->bare_marks && length - at >= SCANNER_MARK && (text[at] == '*' || text[at] == '?') &&
	       memcmp(text + at + 1, SCANNER_MARK_END, SCANNER_MARK - 1) == 0)
		at += SCANNER_MARK;
	return at;
}

/* Begin the line at s->begin.  USERS: which of matchers and rules must read it (sieve.h). */
static void begin_line(struct scanner *s, unsigned users)
{
	struct line *line = &s->line;
	line->prompted = s->passed > s->begin;
	line->missed = false;
	pass_bytes_up_to(s, s->begin); /* lines that were skipped */
	if (!s->ahead) {
		/* tokens_begin() adds 1.  Lines that were skipped count; an earlier run's lines of source do not. */
		s->state.context.line = line->number - 1 - s->added;
		tokens_begin(&s->state.tokens, &s->state.context, &line->plain, users);
	}
	if (s->visitor->begin)
		s->visitor->begin(s->visitor_context, line);
	s->begin += line->marks;
}

/* End the current line, which has LENGTH bytes.  NEWLINE: a newline follows them; otherwise the log ends.  If a note of
   the line is removed (s->drops), lines of source that an earlier run has added may follow, and are left out.  Then the
   newline is not passed yet, because that run may have added it, too. */
static void end_line(struct scanner *s, size_t length, bool newline)
{
	s->newline_waits = newline && s->drops;
	if (s->visitor->end && s->visitor->end(s->visitor_context))
		s->passed = s->begin + length;
	pass_bytes_up_to(s, s->begin + length + (newline && !s->newline_waits));
	s->line.marks = 0;
	s->begin += length + newline;
	s->line.number += newline;
	if (s->newline_waits)
		s->passed = s->begin;
	else
		call_after_line(s, newline);
}

/* If the newline after the last line waits (end_line()), decide on it, because what follows it is known now.  IN_LOG:
   the newline belongs to the log, not to an earlier run's lines of source: so pass it to the visitor. */
static void pass_waiting_newline(struct scanner *s, bool in_log)
{
	if (!s->newline_waits)
		return;
	s->newline_waits = false;
	if (in_log)
		pass_text(s, "\n", 1);
	call_after_line(s, in_log);
}

/* Whether every line must be read for tokens: annotations are removed; or a line without a token can have a meaning
   now, as a row of a table, or as the rest of the line before it. */
static bool needs_every_line(const struct scanner *s)
{
	return (!s->ahead && context_needs_every_line(&s->state.context)) || settings_is_removal(s->settings);
}

/* Returns the number that the current line would have without the lines of source that an earlier run has added. */
static uint64_t get_number_without_sources(const struct scanner *s)
{
	return s->line.number - s->added;
}

/* Record that line NUMBER, whose plain text is the LENGTH bytes at TEXT, is skipped: it may be a heading, or the next
   line may continue it. */
static void record_skipped_line(struct scanner *s, const char *text, size_t length, uint64_t number)
{
	const struct rules_line line = { .text = text, .length = length, .number = number };
	tokens_record_skipped_line(&s->state.tokens, text, length, number);
	rules_store_heading(&s->state.rules, &line);
}

/* Pass the line of LENGTH bytes at s->begin, or the part of it that has arrived, unchanged to the visitor. */
static void skip_line(struct scanner *s, size_t length, bool newline)
{
	s->begin += length + newline;
	s->line.number += newline;
	pass_bytes_up_to(s, s->begin);
}

/* Pass TOKEN to the visitor, with its positions in the raw line. */
static void pass_token(struct scanner *s, const struct token *token)
{
	struct found_token found = { .token = *token, .begin = token->begin, .end = token->end };
	plain_locate_token(&s->line.plain, &found.token, &found.note);
	record_note(s, token, &found.note);
	if (s->visitor->token)
		s->is_noted |= s->visitor->token(s->visitor_context, &found);
}

/* Returns how many bytes of the current line are notes of its tokens, which are in EVENTS from index FIRST to END. */
static size_t measure_notes(struct scanner *s, const struct events *events, size_t first, size_t end)
{
	size_t sum = 0, measured = 0;
	struct plain_note note;
	for (size_t i = first; i < end && s->line.plain.note_count > 0; i++) {
		struct event event = events_get(events, i, &s->name);
		if (event.is_fact)
			continue;
		plain_locate_token(&s->line.plain, &event.token, &note);
		if (event.token.note >= measured) {
			measured = event.token.note_end;
			sum += measured - event.token.note;
		}
	}
	return sum;
}

/* Pass the current line's events, from index FIRST to END, to the visitor.  If the visitor reads ahead, EVENTS grow. */
static void pass_events(struct scanner *s, const struct events *events, size_t first, size_t end)
{
	s->line.note_bytes = measure_notes(s, events, first, end);
	for (size_t i = first; i < end; i++) {
		const struct event event = events_get(events, i, &s->name);
		s->event_at = event.at;
		if (!event.is_fact)
			pass_token(s, &event.token);
		else if (s->visitor->fact)
			s->visitor->fact(s->visitor_context, &event.fact);
	}
	s->line.plain.no_memory |= events->no_memory || s->name.no_memory;
}

/* Whether a matcher has recognized the form of the line, so that the rules do not look for addresses in it. */
static bool is_known_line(const struct tokens *t, const struct context *context)
{
	return t->known || t->after_prompt || t->stack_row || t->stack_cut || t->dump_row || t->code ||
	       context->table != TABLE_NONE;
}

/* Whether TOKEN can be a function and an offset in it, in place of a module and an offset: "rb_vm_bugreport+0x1b8". */
static bool may_be_function_offset(const struct token *token)
{
	return token->tentative && !token->absolute && !memchr(token->module, '.', token->module_length);
}

/* Add TOKEN to s->events, unless the rules contradict it (rules_check_token()). */
static void add_token(struct scanner *s, struct token *token)
{
	const struct tokens *t = &s->state.tokens;
	const char *text = s->line.plain.text;
	const struct rules_line line = { .text = text,
					 .begin = t->joined ? 0 : t->begin,
					 .number = get_number_without_sources(s) };
	const uintptr_t name = (uintptr_t)token->module - (uintptr_t)text; /* huge if the name is not in TEXT */
	const size_t at = match_find_path_before(text, t->begin, name < token->begin ? name : token->begin);
	if (!s->settings->calls || rules_check_token(&s->state.rules, &line, at, token))
		events_add_token(&s->events, token, text, t->at);
}

/* Add what the rules find in the line to s->events.  The matchers have already added the line's events from index FIRST
   on; if one is a token (HAS_TOKEN), facts are put before these events.  Tokens are added only if they begin at END or
   later, where the last token of a matcher ends.  KNOWN: as for rules_read_line(). */
static void add_events_of_rules(struct scanner *s, size_t first, size_t end, bool known, bool has_token)
{
	struct tokens *t = &s->state.tokens;
	const struct plain_line *plain = &s->line.plain;
	if (!s->settings->calls)
		return;
	const size_t begin = t->joined ? 0 : t->begin, length = plain->length;
	const struct rules_line line = {
		.text = plain->text,
		.begin = begin,
		.length = length,
		.number = get_number_without_sources(s),
		.token_end = has_token ? end : 0,
	};
	if (!(t->users & FOR_RULES) && end == 0) { /* in a line with a token, rules may find a load address */
		rules_store_heading(&s->state.rules, &line);
		return;
	}
	rules_read_line(&s->state.rules, &line, known || is_known_line(t, &s->state.context));
	for (size_t i = 0; i < s->state.rules.count; i++) {
		struct rules_found *found = &s->state.rules.found[i];
		if (found->is_fact) {
			events_add_fact(&s->events, &found->fact, t->at);
			if (has_token)
				events_move_last(&s->events, first++);
		} else if (found->token.begin >= end) {
			lines_before_record_token(&s->state.wrapped.lines, s->state.context.line,
						  found->token.begin - line.begin);
			add_token(s, &found->token);
		}
	}
}

/* Add the tokens and facts of the line to s->events. */
static void add_events_of_line(struct scanner *s)
{
	bool has_token = false, has_fact = false, in_angle = false;
	size_t end = 0;
	const size_t first = s->events.count;
	struct tokens *t = &s->state.tokens;
	/* Like most lines, this one has no text that sieve.c seeks for the matchers, so only rules can find something
	   in it.  To try the matchers, too, would take twice as long. */
	if (!needs_every_line(s) && !(t->users & FOR_MATCHERS)) {
		tokens_record_skipped_line(t, t->text, t->length, get_number_without_sources(s));
		add_events_of_rules(s, first, 0, false, false);
		return;
	}
	for (;;) {
		switch (tokens_next(t, &s->state.context)) {
		case FOUND_TOKEN:
			add_token(s, &t->token);
			has_token |= !may_be_function_offset(&t->token);
			end = t->token.end;
			in_angle |= t->text[t->token.begin] == '<';
			break;
		case FOUND_FACT:
			events_add_fact(&s->events, &t->fact, t->at);
			has_fact = true;
			break;
		case FOUND_END:
			/* Lines of KDBG, which have tokens in angle brackets, have nothing for rules. */
			if (!in_angle)
				add_events_of_rules(s, first, end, has_fact || (!end && t->recognized), has_token);
			return;
		}
	}
}

/* Read the line of LENGTH bytes, which began at BEGIN of the log, and pass its events to the visitor. */
static void read_and_pass_events(struct scanner *s, uint64_t begin, size_t length)
{
	struct events *events = &s->events;
	const size_t first = events->count, names = events->names.length;
	add_events_of_line(s);
	s->line.missed = s->settings->missed && !s->settings->undo && events->count == first &&
			 items_have_likely_address(s->line.plain.text, s->line.plain.length);
	if (s->keeps && (events->count > first || s->line.missed || s->settings->crashes))
		events_add_line(events,
				&(const struct event_line){ begin, s->line.number, length, s->state.tokens.begin,
							    s->state.tokens.after_prompt, s->line.missed, first });
	pass_events(s, events, first, events->count);
	if (!s->keeps)
		events_truncate(events, first, names);
}

/* --------------------------------------------------------------------------------------- lines read ahead */

/* Returns where the next line begins in the buffer in which the scanner ahead (s->ahead) has found events, or which
   that scanner has not read yet.  Returns the end of the buffer if there is no such line. */
static size_t find_next_line_ahead(struct scanner *s)
{
	const struct events *events = &s->ahead->events;
	(void)events_find_line(&s->ahead->events, scanner_get_line_offset(s));
	const uint64_t next = events->next < events->line_count ? events->lines[events->next].begin
								: scanner_get_line_offset(s->ahead);
	const uint64_t at = next - s->buffer_offset;
	return at < s->end ? (size_t)at : s->end;
}

/* Pass the events that the scanner ahead has found in LINE, the current line. */
static void pass_events_ahead(struct scanner *s, const struct event_line *line)
{
	const struct events *events = &s->ahead->events;
	s->state.tokens.begin = line->own;
	s->state.tokens.after_prompt = line->after_prompt;
	s->line.missed = line->missed;
	pass_events(s, events, line->first, events_find_end_of_line(events, events->next));
}

/* ------------------------------------------------------------------------------------------ lines of source */

/* Whether the next line, of LENGTH bytes, is a line of source that an earlier run has added.  If not, or if it is
   SOURCES_END, no more such lines can follow, so s->was_noted and s->drops are cleared. */
static bool match_added_source_line(struct scanner *s, size_t length)
{
	enum sources_line kind = SOURCES_NO_LINE;
	const char *text = s->buffer + s->begin;
	const size_t marks = measure_marks(s, text, length);
	if (s->was_noted || s->is_noted)
		kind = sources_classify_line(text + marks, length - marks);
	if (kind == SOURCES_NO_LINE || marks > 0 || !s->was_noted) {
		pass_waiting_newline(s, true);
		if (kind != SOURCES_NO_LINE && s->is_noted && s->visitor->separate)
			s->visitor->separate(s->visitor_context);
		s->was_noted = s->drops = s->is_noted = false;
		return false;
	}
	if (!s->drops)
		pass_waiting_newline(s, true);
	if (kind == SOURCES_LAST) {
		s->is_noted &= s->drops; /* a SOURCES_END that stays in the log makes another one needless */
		s->was_noted = s->drops = false;
	}
	return true;
}

/* If the next line, of LENGTH bytes, is a line of source that an earlier run has added, pass it as text or leave it
   out.  NEWLINE is false at the end of the log, and for a part of a long line.  Returns whether it was such a line. */
static bool pass_added_source_line(struct scanner *s, size_t length, bool newline)
{
	const bool drops = s->drops;
	if (!s->in_added && !match_added_source_line(s, length))
		return false;
	length += newline;
	if (drops)
		s->passed = s->begin + length;
	else
		pass_bytes_up_to(s, s->begin + length);
	s->begin += length;
	s->in_added = !newline;
	s->line.number += newline;
	s->added += newline;
	return true;
}

/* ------------------------------------------------------------------------------------------------ lines */

/* Pass the line of LENGTH bytes, which is too long to be read, unchanged.  Without a NEWLINE, its rest will follow. */
static void pass_long_line(struct scanner *s, size_t length, bool newline)
{
	if (!s->copies && !s->ahead && s->visitor->too_long)
		s->visitor->too_long(s->visitor_context, s->line.number);
	s->copies = !newline;
	skip_line(s, length, newline);
	tokens_forget_lines(&s->state.tokens);
}

/* Read the line of LENGTH bytes at s->begin, and call the visitor for it, or skip it.  USERS: as for begin_line().
   NEWLINE: a newline follows the line; otherwise the log ends. */
static void process_line(struct scanner *s, size_t length, bool newline, unsigned users)
{
	struct line *line = &s->line;
	const char *text = s->buffer + s->begin;
	const uint64_t begin = scanner_get_line_offset(s);
	const struct event_line *ahead = s->ahead ? events_find_line(&s->ahead->events, begin) : NULL;
	if (ahead)
		line->number = ahead->number;
	line->marks = measure_marks(s, text, length);
	plain_read(&line->plain, text + line->marks, length - line->marks);
	if (line->plain.length > SCANNER_LINE_MAX) {
		pass_long_line(s, length, newline);
		return;
	}
	if (!s->ahead && !plain_is_raw(&line->plain))
		users = sieve_find_users(line->plain.text, line->plain.length);
	/* Skip a line if its plain text has no sign of a token: logs full of escapes take a third of the time then. */
	const bool passes = !s->settings->crashes && line->marks == 0 && s->passed <= s->begin;
	if (passes && (s->ahead ? !ahead : users == 0 && !needs_every_line(s))) {
		if (!s->ahead)
			record_skipped_line(s, line->plain.text, line->plain.length, get_number_without_sources(s));
		skip_line(s, length, newline);
		return;
	}
	begin_line(s, users);
	if (line->prompted)
		tokens_forget_lines(&s->state.tokens);
	else if (ahead)
		pass_events_ahead(s, ahead);
	else
		read_and_pass_events(s, begin, length);
	end_line(s, length - line->marks, newline);
}

/* Returns the first newline from s->begin on; NULL if there is none so far. */
static const char *find_newline(struct scanner *s)
{
	const size_t from = s->looked > s->begin ? s->looked : s->begin;
	const char *newline = memchr(s->buffer + from, '\n', s->end - from);
	s->looked = newline ? (size_t)(newline - s->buffer) : s->end;
	return newline;
}

/* Whether the line before has notes, so that the next one may be a line of source. */
static bool follows_note(const struct scanner *s)
{
	return s->was_noted || s->is_noted || s->in_added || s->newline_waits;
}

/* Whether the line at s->begin may be skipped if it has no sign, a text that each line with a token has (sieve.c). */
static bool may_skip_lines(const struct scanner *s)
{
	return !s->copies && s->passed <= s->begin && !s->settings->crashes && !needs_every_line(s);
}

/* Record the COUNT lines before s->begin that were skipped, but no more than the last RULES_NEAR: each may be the
   heading of a list.  BEGINS has the positions in the buffer where these lines begin, that of the last line first. */
static void record_last_skipped_lines(struct scanner *s, const size_t begins[RULES_NEAR], size_t count)
{
	for (size_t i = count < RULES_NEAR ? count : RULES_NEAR; i-- > 0;) {
		const size_t end = i > 0 ? begins[i - 1] : s->begin, length = end - begins[i];
		struct rules_line line = { .text = s->buffer + begins[i],
					   .number = get_number_without_sources(s) - i - 1 };
		line.length = length - (line.text[length - 1] == '\n');
		if (i == 0)
			record_skipped_line(s, line.text, line.length, line.number);
		else
			rules_store_heading(&s->state.rules, &line);
	}
}

/* Skip the lines without signs from s->begin on; may_skip_lines() stays true.  AT_END: nothing follows the buffer.
   Returns which readers (sieve.h) must read the line that is then at s->begin; 0 if no complete line is left. */
static unsigned skip_lines_without_signs(struct scanner *s, bool at_end)
{
	/* how many lines are skipped; where the last of them begin in the buffer, that of the last line first */
	size_t count = 0, begins[RULES_NEAR] = { 0 };
	unsigned users = 0;
	for (size_t length = 0; s->begin < s->end; s->begin += length + (s->looked < s->end)) {
		const bool newline = find_newline(s) != NULL;
		length = s->looked - s->begin;
		if (!newline && !at_end)
			break;
		users = sieve_find_users(s->buffer + s->begin, length);
		if (users != 0)
			break;
		memmove(begins + 1, begins, sizeof begins - sizeof *begins);
		begins[0] = s->begin;
		count++;
		s->line.number += newline;
	}
	record_last_skipped_lines(s, begins, count);
	return users;
}

void scanner_process_buffer(struct scanner *s, bool at_end)
{
	while (s->begin < s->end) {
		const bool skips = !follows_note(s) && may_skip_lines(s);
		unsigned users = 0;
		if (skips && s->ahead)
			s->begin = find_next_line_ahead(s);
		else if (skips)
			users = skip_lines_without_signs(s, at_end);
		if (s->begin == s->end)
			break;
		const char *newline = find_newline(s);
		const size_t length = s->looked - s->begin;
		const bool too_long = length >= SCANNER_NOTED_MAX || s->copies || s->in_added;
		if (!newline && !at_end && !too_long)
			break;
		if (follows_note(s)) {
			(void)pass_added_source_line(s, length, newline != NULL);
			continue;
		}
		if (!skips && !s->ahead)
			users = sieve_find_users(s->buffer + s->begin, length);
		if (too_long)
			pass_long_line(s, length, newline != NULL);
		else
			process_line(s, length, newline != NULL, users);
	}
	pass_bytes_up_to(s, s->begin); /* lines that were skipped */
	if (at_end)
		pass_waiting_newline(s, !s->in_added);
	s->copies &= !at_end;
}

bool scanner_is_at_prompt(const struct scanner *s)
{
	const char *end = s->buffer + s->end;
	return s->end - s->begin >= 2 && s->passed < s->end && !s->copies && !s->in_added && end[-1] == ' ' &&
	       (end[-2] == '>' || end[-2] == ':');
}

void scanner_pass_prompt(struct scanner *s)
{
	if (match_added_source_line(s, s->end - s->begin))
		return;
	pass_bytes_up_to(s, s->end);
}

/* ------------------------------------------------------------------------------------------------ input */

/* Move the current line, and all text after it, to the beginning of the buffer. */
static void move_line_to_front(struct scanner *s)
{
	if (s->begin == 0)
		return;
	memmove(s->buffer, s->buffer + s->begin, s->end - s->begin);
	s->buffer_offset += s->begin;
	s->end -= s->begin;
	s->passed -= s->begin;
	s->looked -= s->looked > s->begin ? s->begin : s->looked;
	s->begin = 0;
}

/* Read at most SIZE bytes of s->content into BYTES.  Returns how many. */
static ssize_t read_from_content(struct scanner *s, char *bytes, size_t size)
{
	const size_t left = s->content->length - (size_t)s->offset;
	if (size > left)
		size = left;
	if (size)
		memcpy(bytes, s->content->bytes + s->offset, size);
	s->offset += (off_t)size;
	return (ssize_t)size;
}

/* Whether the next bytes to read are in s->content; the file FD is read after it. */
static bool has_unread_content(const struct scanner *s, int fd)
{
	return s->content && (fd < 0 || (size_t)s->offset < s->content->length);
}

/* While the scanner ahead of S has read no more than S, let it read on.  If its events use too much memory, first
   remove them: S has used all of them.  Returns 1; 0 at the end; or -1 with errno. */
static int advance_scanner_ahead(const struct scanner *s)
{
	struct scanner *ahead = s->ahead;
	while (ahead->offset == s->offset) {
		if (events_get_size(&ahead->events) > EVENTS_MEMORY)
			events_remove_all(&ahead->events);
		if (!scanner_read_more_lines(ahead)) {
			errno = ahead->error;
			return ahead->error ? -1 : 0;
		}
	}
	return 1;
}

/* Read at most SIZE bytes of the log into BYTES.  Returns how many; 0 at the end; or -1 with errno. */
static ssize_t read_log_bytes(struct scanner *s, int fd, char *bytes, size_t size)
{
	const int status = s->ahead ? advance_scanner_ahead(s) : 1;
	if (status <= 0)
		return status;
	/* A file can grow: read no further than the scanner ahead has read. */
	if (s->ahead && (off_t)size > s->ahead->offset - s->offset)
		size = (size_t)(s->ahead->offset - s->offset);
	if (has_unread_content(s, fd))
		return read_from_content(s, bytes, size);
	const ssize_t n = s->keeps ? pread(fd, bytes, size, s->offset) : wait_read(fd, bytes, size);
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
		pass_bytes_up_to(s, length);
		s->begin = length;
	}
}

int scanner_fill_buffer(struct scanner *s, int fd)
{
	move_line_to_front(s);
	if (s->room - s->end < s->room / 2 && s->room < BUFFER_MOST && !enlarge_buffer(s, s->room * 2)) {
		errno = ENOMEM;
		return -1;
	}
	char *text = s->buffer + s->end;
	/* The decoded text can be longer than the bytes.  So read the bytes into the last part of the buffer, and
	   decode them from there to the end of the text. */
	size_t room = s->room - s->end, most = encoding_convertible_size(&s->encoding, room);
	char *bytes = text + (room - most);
	ssize_t n = read_log_bytes(s, fd, bytes, most);
	s->end += encoding_decode(&s->encoding, bytes, n > 0 ? (size_t)n : 0, text, n <= 0);
	if (s->at_start && s->end > 0) {
		s->at_start = false;
		pass_order_mark(s);
	}
	return n > 0 ? 1 : (int)n;
}

void scanner_pass_buffer(struct scanner *s)
{
	pass_bytes_up_to(s, s->end);
	s->begin = s->end;
}
