// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "reads.h"
#include "tool/strbuf.h"
#include "log/read/plain.h"
#include "log/read/wrapped.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What was found, as text, so that two ways of reading can be compared. */
struct trace {
	struct strbuf text;
};

static void trace_token(struct trace *trace, uint64_t line, const struct token *token)
{
	strbuf_add_decimal(&trace->text, line);
	strbuf_add_char(&trace->text, ' ');
	strbuf_add_decimal(&trace->text, token->begin);
	strbuf_add_char(&trace->text, '-');
	strbuf_add_decimal(&trace->text, token->note);
	strbuf_add_char(&trace->text, '-');
	strbuf_add_decimal(&trace->text, token->note_end);
	strbuf_add(&trace->text, token->removable ? "~" : "");
	strbuf_add_char(&trace->text, "oer"[token->is_return]);
	strbuf_add_char(&trace->text, token->absolute ? 'a' : 'm');
	strbuf_add_hex(&trace->text, token->number);
	if (token->module_length > 0)
		strbuf_add_bytes(&trace->text, token->module, token->module_length);
	strbuf_add_char(&trace->text, '\n');
}

static void trace_fact(struct trace *trace, uint64_t line, const struct fact *fact)
{
	strbuf_add_decimal(&trace->text, line);
	strbuf_add(&trace->text, " fact ");
	strbuf_add_decimal(&trace->text, (uint64_t)fact->kind);
	strbuf_add_char(&trace->text, ' ');
	strbuf_add_hex(&trace->text, fact->base);
	strbuf_add_char(&trace->text, ' ');
	strbuf_add_hex(&trace->text, fact->size);
	strbuf_add_char(&trace->text, ' ');
	strbuf_add_hex(&trace->text, fact->stamp);
	if (fact->kind == FACT_LOADED || fact->kind == FACT_STAMP)
		strbuf_add_bytes(&trace->text, fact->module, fact->module_length);
	if (fact->text_length)
		strbuf_add_bytes(&trace->text, fact->text, fact->text_length);
	strbuf_add_char(&trace->text, '\n');
}

/* Read TEXT line by line, each in pieces of up to PIECE bytes.  Returns false if an annotation would have come
   too late. */
static bool read_pieces(const char *text, size_t length, size_t piece, bool skip, struct trace *trace)
{
	struct context context = { .line = 0 };
	struct wrapped wrapped;
	struct tokens t = { .wrapped = &wrapped };
	struct plain_line plain = { .text = NULL };
	uint64_t line = 0;
	bool good = true;
	tokens_forget_lines(&t);
	for (size_t begin = 0; begin < length;) {
		const char *newline = memchr(text + begin, '\n', length - begin);
		size_t n = newline ? (size_t)(newline - (text + begin)) : length - begin;
		line++;
		if (skip && !context_every_line_counts(&context) &&
		    tokens_skip(text + begin, length - begin) >= n + (newline != NULL)) {
			tokens_skipped(&t, text + begin, n, line);
			begin += n + (newline != NULL);
			continue;
		}
		/* On the heap with its exact size, so that ASan sees one byte too many. */
		char *copy = malloc(n ? n : 1);
		if (!copy)
			abort();
		memcpy(copy, text + begin, n);
		context.line = line - 1;
		plain_begin(&plain);
		tokens_begin(&t, &context);
		size_t passed = 0;
		for (size_t have = 0;;) {
			have = n - have > piece ? have + piece : n;
			bool complete = have == n;
			plain_read(&plain, copy, have, complete);
			t.text = plain.text;
			t.length = plain.length;
			t.complete = complete;
			t.strings = plain.strings != PLAIN_NO_STRINGS;
			good &= plain.read <= have && plain.length <= plain.read && (!complete || plain.read == have);
			enum found found = FOUND_END;
			if (skip && complete && !plain_is_raw(&plain) && !context_every_line_counts(&context) &&
			    tokens_skip(plain.text, plain.length) == plain.length) {
				tokens_skipped(&t, plain.text, plain.length, line);
				break;
			}
			while ((found = tokens_next(&t, &context)) == FOUND_TOKEN || found == FOUND_FACT) {
				if (found == FOUND_FACT) {
					trace_fact(trace, line, &t.fact);
					continue;
				}
				plain_locate(&plain, &t.token);
				good &= t.token.note >= passed && t.token.note <= t.token.note_end &&
					t.token.note_end <= n && t.token.begin <= t.token.end && t.token.end <= n;
				trace_token(trace, line, &t.token);
			}
			good &= !complete || found == FOUND_END;
			good &= t.hold <= t.length;
			size_t hold = found == FOUND_END ? plain_printable_length(&plain, have)
							 : plain_raw_end(&plain, t.hold);
			passed = hold > passed ? hold : passed;
			if (complete)
				break;
		}
		free(copy);
		begin += n + (newline != NULL);
	}
	plain_clear(&plain);
	return good;
}

static bool same(const struct trace *a, const struct trace *b)
{
	return a->text.length == b->text.length &&
	       (a->text.length == 0 || memcmp(a->text.bytes, b->text.bytes, a->text.length) == 0);
}

static void say(const char *way, const struct trace *trace)
{
	printf("# %s:\n%.*s\n", way, (int)trace->text.length, trace->text.bytes ? trace->text.bytes : "");
}

const char *reads_wrong(const char *text, size_t length, size_t piece)
{
	struct trace whole = { { NULL, 0, 0, false } }, pieces = whole, skipped = whole;
	const char *wrong = NULL;
	if (!read_pieces(text, length, SIZE_MAX, false, &whole))
		wrong = "positions";
	if (!read_pieces(text, length, piece, false, &pieces))
		wrong = "positions in pieces";
	if (!read_pieces(text, length, SIZE_MAX, true, &skipped))
		wrong = "positions with skipping";
	if (!wrong && !same(&whole, &pieces))
		wrong = "pieces differ";
	if (!wrong && !same(&whole, &skipped))
		wrong = "skipping differs";
	if (wrong && getenv("FUZZ_VERBOSE")) {
		say("whole", &whole);
		say("pieces", &pieces);
		say("skipped", &skipped);
	}
	strbuf_clear(&whole.text);
	strbuf_clear(&pieces.text);
	strbuf_clear(&skipped.text);
	return wrong;
}
