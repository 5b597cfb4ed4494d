// SPDX-License-Identifier: GPL-2.0-or-later
/* samples.c - checks the samples of forms (form.h) */
#include "config.h"
#include "log/read/form.h"
#include "log/read/chars.h"
#include "log/read/tokens.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A text of at most a line of forms; what is longer is cut. */
struct sample_text {
	char bytes[FORM_LENGTH_MAX + 1];
	size_t length;
};

static void add_sample_text(struct sample_text *text, const char *bytes, size_t length)
{
	for (size_t i = 0; i < length && text->length < FORM_LENGTH_MAX; i++)
		text->bytes[text->length++] = bytes[i];
	text->bytes[text->length] = '\0';
}

static void add_token(struct sample_text *text, const struct token *token)
{
	char number[32];
	const char *kind = token->is_return == IS_OPEN ? "?" : token->is_return == IS_RETURN ? "-" : "";
	const int length = snprintf(number, sizeof number, "%c%" PRIx64 "%s", token->absolute ? '@' : '+',
				    token->number, kind);
	if (!token->absolute)
		add_sample_text(text, token->module, token->module_length);
	add_sample_text(text, number, (size_t)length);
	if (token->absolute && token->module_length > 0) {
		add_sample_text(text, "/", 1);
		add_sample_text(text, token->module, token->module_length);
	}
}

static void add_fact(struct sample_text *text, const struct fact *fact)
{
	static const char *const kinds[] = {
		[FACT_BOOT] = "{boot}", [FACT_BUILD] = "{build}", [FACT_MACHINE] = "{machine}", [FACT_USER] = "{dump}"
	};
	char numbers[64];
	if (fact->kind != FACT_LOADED && fact->kind != FACT_STAMP) {
		add_sample_text(text, kinds[fact->kind], strlen(kinds[fact->kind]));
		return;
	}
	const int length = snprintf(numbers, sizeof numbers, "@%" PRIx64 ",%" PRIx64 ",%" PRIx32 "}", fact->base,
				    fact->size, fact->stamp);
	add_sample_text(text, "{", 1);
	add_sample_text(text, fact->module, fact->module_length);
	add_sample_text(text, numbers, (size_t)length);
}

/* Add what the current line says about crashes. */
static void add_statements(struct sample_text *text, struct tokens *t)
{
	struct statement s;
	char number[32];
	const struct form_word *word;
	const struct statement_line line = { t->text, t->length, t->begin < t->length ? t->begin : t->length };
	for (size_t at = 0; statement_next(&line, &at, &s);) {
		for (word = form_words; word->effect != SAYS || word->value != s.kind; word++)
			;
		add_sample_text(text, " ", text->length > 0);
		add_sample_text(text, word->word, strlen(word->word));
		for (unsigned i = 0; i < s.count + 1; i++) {
			const uint64_t value = i == 0 ? s.code : s.numbers[i - 1];
			if (i > 0 || s.has_code)
				add_sample_text(text, number,
						(size_t)snprintf(number, sizeof number, ",%" PRIx64, value));
		}
		add_sample_text(text, ":", s.length > 0);
		add_sample_text(text, s.text, s.length);
	}
}

/* Store in FOUND what is found in the lines of TEXT. */
static void find_all(const struct sample_text *text, struct sample_text *found)
{
	struct context context = { .line = 0 };
	struct wrapped wrapped;
	struct tokens t = { .wrapped = &wrapped };
	enum found what;
	tokens_forget_lines(&t);
	found->length = 0;
	for (size_t at = 0; at < text->length;) {
		const char *newline = memchr(text->bytes + at, '\n', text->length - at);
		const size_t end = newline ? (size_t)(newline - text->bytes) : text->length;
		tokens_begin(&t, &context, text->bytes + at, end - at, false);
		while ((what = tokens_next(&t, &context)) != FOUND_END) {
			add_sample_text(found, " ", found->length > 0);
			if (what == FOUND_TOKEN)
				add_token(found, &t.token);
			else
				add_fact(found, &t.fact);
		}
		add_statements(found, &t);
		at = end + 1;
	}
}

/* Read the text in quotation marks at *AT, after blanks. */
static bool read_string(const char **at, const char *end, struct sample_text *text)
{
	while (*at < end && is_blank(**at))
		++*at;
	text->length = 0;
	if (*at == end || *(*at)++ != '"')
		return false;
	for (; *at < end && **at != '"'; ++*at) {
		const bool escaped = **at == '\\' && *at + 1 < end;
		*at += escaped;
		add_sample_text(text, escaped && **at == 'n' ? "\n" : escaped && **at == 't' ? "\t" : *at, 1);
	}
	return *at < end && *(*at)++ == '"';
}

bool samples_check(const char *text, size_t length, struct form_error *error)
{
	static const char sample[] = "sample";
	static char message[sizeof(struct sample_text) + 64];
	const char *begin = text, *end = text + length;
	struct sample_text line, wanted, found;
	for (error->line = 1; begin < end; error->line++) {
		const char *newline = memchr(begin, '\n', (size_t)(end - begin)), *last = newline ? newline : end;
		const char *at = begin;
		while (at < last && is_blank(*at))
			at++;
		error->column = (unsigned)(at - begin) + 1;
		begin = newline ? newline + 1 : end;
		if ((size_t)(last - at) < sizeof sample - 1 || memcmp(at, sample, sizeof sample - 1) != 0)
			continue;
		at += sizeof sample - 1;
		error->what = "a sample has a text and what is found in it, each in quotation marks";
		if (!read_string(&at, last, &line) || !read_string(&at, last, &wanted))
			return false;
		find_all(&line, &found);
		if (found.length == wanted.length && memcmp(found.bytes, wanted.bytes, found.length) == 0)
			continue;
		snprintf(message, sizeof message, "in the sample \"%.*s\" is found", (int)found.length, found.bytes);
		error->what = message;
		return false;
	}
	/* Its forms are the first ones. */
	for (size_t i = 0, before = 0; i < forms_count() && form_at(i)->line > before; before = form_at(i++)->line) {
		error->line = form_at(i)->line;
		error->column = 1;
		error->what = "no sample has this form";
		if (!form_at(i)->matched)
			return false;
	}
	return true;
}
