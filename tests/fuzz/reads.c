// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "reads.h"
#include "tool/strbuf.h"
#include "log/read/plain.h"
#include "log/read/tokens.h"
#include "tests/lib/memory.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What was found is a text, so that two ways of reading can be compared. */

static void trace_token(struct strbuf *trace, uint64_t line, const struct token *token)
{
	strbuf_addf(trace, "%" PRIu64 " %zu-%zu-%zu%c%c%" PRIx64, line, token->begin, token->end, token->note,
		    "oer"[token->is_return], token -> absolute ? 'a' : 'm', token->number);
	if (token->module_length > 0)
		strbuf_add_bytes(trace, token->module, token->module_length);
	strbuf_add_char(trace, '\n');
}

static void trace_fact(struct strbuf *trace, uint64_t line, const struct fact *fact)
{
	strbuf_addf(trace, "%" PRIu64 " fact %d %" PRIx64 " %" PRIx64 " %" PRIx32, line, (int)fact->kind, fact->base,
		    fact->size, fact->stamp);
	if (fact->kind == FACT_LOADED || fact->kind == FACT_STAMP)
		strbuf_add_bytes(trace, fact->module, fact->module_length);
	if (fact->text_length)
		strbuf_add_bytes(trace, fact->text, fact->text_length);
	strbuf_add_char(trace, '\n');
}

/* Read the line in PLAIN.  Returns whether its positions make sense. */
static bool read_line(struct tokens *t, struct context *context, const struct plain_line *plain, uint64_t line,
		      struct strbuf *trace, struct strbuf *noted)
{
	bool good = true;
	size_t done = 0;
	enum found found;
	while ((found = tokens_next(t, context)) != FOUND_END) {
		struct plain_note note;
		if (found == FOUND_FACT) {
			trace_fact(trace, line, &t->fact);
			continue;
		}
		trace_token(trace, line, &t->token);
		plain_locate_token(plain, &t->token, &note);
		good &= t->token.note >= done && t->token.note <= t->token.note_end &&
			t->token.note_end <= plain->read && t->token.begin <= t->token.end &&
			t->token.end <= plain->read;
		if (!good)
			return false;
		strbuf_add_bytes(noted, plain->raw + done, t->token.note - done);
		strbuf_add(noted, note.length > 0 ? "" : " (a.c:1 (f))"); /* unless the token has one */
		done = t->token.note;
	}
	strbuf_add_bytes(noted, plain->raw + done, plain->read - done);
	return true;
}

/* Read TEXT line by line; SKIP lines that the sieve lets pass.  Append to NOTED the text with a note after each token.
   Returns false if a position makes no sense. */
static bool read_text(const char *text, size_t length, bool skip, struct strbuf *trace, struct strbuf *noted)
{
	struct context context = { .line = 0 };
	struct wrapped wrapped;
	struct tokens t = { .wrapped = &wrapped };
	struct plain_line plain = { .text = NULL };
	uint64_t line = 0;
	bool good = true;
	tokens_forget_lines(&t);
	for (size_t begin = 0; begin < length && good;) {
		const char *newline = memchr(text + begin, '\n', length - begin);
		const size_t n = newline ? (size_t)(newline - (text + begin)) : length - begin;
		line++;
		if (skip && !context_needs_every_line(&context) && sieve_find_users(text + begin, n) == 0) {
			tokens_record_skipped_line(&t, text + begin, n, line);
			strbuf_add_bytes(noted, text + begin, n + (newline != NULL));
			begin += n + (newline != NULL);
			continue;
		}
		char *copy = exact_copy(text + begin, n);
		context.line = line - 1;
		plain_read(&plain, copy, n);
		const unsigned users = sieve_find_users(plain.text, plain.length);
		tokens_begin(&t, &context, &plain, users);
		good &= plain.read == n && plain.length <= plain.noted_length && plain.noted_length <= n;
		if (skip && !plain_is_raw(&plain) && !context_needs_every_line(&context) && users == 0) {
			tokens_record_skipped_line(&t, plain.text, plain.length, line);
			strbuf_add_bytes(noted, copy, n);
		} else {
			good &= read_line(&t, &context, &plain, line, trace, noted);
		}
		if (newline)
			strbuf_add_char(noted, '\n');
		free(copy);
		begin += n + (newline != NULL);
	}
	plain_clear(&plain);
	return good;
}

static void say(const char *way, const struct strbuf *trace)
{
	printf("# %s:\n%.*s\n", way, (int)trace->length, trace->bytes ? trace->bytes : "");
}

const char *reads_wrong(const char *text, size_t length)
{
	enum { WHOLE, SKIPPED, AGAIN, NOTED, OTHER, TWICE, TEXTS };
	struct strbuf texts[TEXTS] = { { .bytes = NULL } }, *const noted = &texts[NOTED];
	const char *wrong = NULL;
	if (!read_text(text, length, false, &texts[WHOLE], noted))
		wrong = "positions";
	else if (!read_text(text, length, true, &texts[SKIPPED], &texts[OTHER]))
		wrong = "positions with skipping";
	else if (!read_text(noted->bytes ? noted->bytes : "", noted->length, false, &texts[AGAIN], &texts[TWICE]))
		wrong = "positions with notes";
	else if (!strbuf_is_same(&texts[WHOLE], &texts[SKIPPED]))
		wrong = "skipping differs";
	else if (!strbuf_is_same(&texts[WHOLE], &texts[AGAIN]))
		wrong = "notes differ";
	else if (!strbuf_is_same(noted, &texts[TWICE]))
		wrong = "a second run adds notes";
	if (wrong && getenv("FUZZ_VERBOSE")) {
		say("whole", &texts[WHOLE]);
		say("skipped", &texts[SKIPPED]);
		say("noted", &texts[AGAIN]);
	}
	for (int i = 0; i < TEXTS; i++)
		strbuf_clear(&texts[i]);
	return wrong;
}
