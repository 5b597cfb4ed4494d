// SPDX-License-Identifier: GPL-2.0-or-later
/* samples.c - checks the samples of forms (form.h) */
#include "config.h"
#include "log/read/form.h"
#include "log/read/chars.h"
#include "log/read/tokens.h"
#include "tool/strbuf.h"

#include <inttypes.h>
#include <string.h>

/* Append TOKEN as samples write tokens (samples_check()). */
static void add_token(struct strbuf *text, const struct token *token)
{
	const char *kind = token->is_return == IS_OPEN ? "?" : token->is_return == IS_RETURN ? "-" : "";
	const char *slash = token->absolute && token->module_length > 0 ? "/" : "";
	if (!token->absolute)
		strbuf_add_bytes(text, token->module, token->module_length);
	strbuf_addf(text, "%c%" PRIx64 "%s%s", token->absolute ? '@' : '+', token->number, kind, slash);
	if (*slash)
		strbuf_add_bytes(text, token->module, token->module_length);
}

static void add_fact(struct strbuf *text, const struct fact *fact)
{
	static const char *const kinds[] = {
		[FACT_BOOT] = "{boot}", [FACT_BUILD] = "{build}", [FACT_MACHINE] = "{machine}", [FACT_USER] = "{dump}"
	};
	if (fact->kind == FACT_LOADED || fact->kind == FACT_STAMP)
		strbuf_addf(text, "{%.*s@%" PRIx64 ",%" PRIx64 ",%" PRIx32 "}", (int)fact->module_length, fact->module,
			    fact->base, fact->size, fact->stamp);
	else
		strbuf_add(text, kinds[fact->kind]);
}

/* Append what the current line says about crashes. */
static void add_statements(struct strbuf *text, struct tokens *t)
{
	struct statement s;
	const struct form_word *word;
	const struct statement_line line = { t->text, t->length, t->begin < t->length ? t->begin : t->length };
	for (size_t at = 0; statement_find_next(&line, &at, &s);) {
		for (word = form_words; word->effect != SAYS || word->value != s.kind; word++)
			;
		strbuf_addf(text, "%s%s", text->length > 0 ? " " : "", word->word);
		if (s.has_code)
			strbuf_addf(text, ",%" PRIx32, s.code);
		for (unsigned i = 0; i < s.count; i++)
			strbuf_addf(text, ",%" PRIx64, s.numbers[i]);
		if (s.length > 0)
			strbuf_addf(text, ":%.*s", (int)s.length, s.text);
	}
}

/* Store in FOUND what is found in the lines of TEXT, as samples write it (samples_check()). */
static void list_findings(const struct strbuf *text, struct strbuf *found)
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
		const struct plain_line line = {
			.text = text->bytes + at,
			.length = end - at,
			.strings = text->bytes[at] == '{' ? PLAIN_JSON_STRINGS : PLAIN_NO_STRINGS,
		};
		tokens_begin(&t, &context, &line, FOR_MATCHERS);
		while ((what = tokens_next(&t, &context)) != FOUND_END) {
			strbuf_add(found, found->length > 0 ? " " : "");
			if (what == FOUND_TOKEN)
				add_token(found, &t.token);
			else
				add_fact(found, &t.fact);
		}
		add_statements(found, &t);
		at = end + 1;
	}
}

/* Read into TEXT the text in quotation marks at *AT, after any blanks, and move *AT after the closing one. */
static bool read_quoted_text(const char **at, const char *end, struct strbuf *text)
{
	while (*at < end && is_blank(**at))
		++*at;
	text->length = 0;
	if (*at == end || *(*at)++ != '"')
		return false;
	for (; *at < end && **at != '"'; ++*at) {
		const bool escaped = **at == '\\' && *at + 1 < end;
		*at += escaped;
		strbuf_add_char(text, escaped && **at == 'n' ? '\n' : escaped && **at == 't' ? '\t' : **at);
	}
	return *at < end && *(*at)++ == '"';
}

bool samples_check(const char *text, size_t length, struct form_error *error)
{
	static const char sample[] = "sample";
	const char *begin = text, *end = text + length;
	static struct strbuf line, wanted, found, message; /* `message` is used in *ERROR */
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
		if (!read_quoted_text(&at, last, &line) || !read_quoted_text(&at, last, &wanted))
			return false;
		list_findings(&line, &found);
		if (strbuf_is_same(&found, &wanted))
			continue;
		strbuf_addf(&message, "in the sample \"%s\" is found", found.length > 0 ? found.bytes : "");
		error->what = message.no_memory ? "out of memory" : message.bytes;
		return false;
	}
	/* The forms of TEXT come first, in the order of their lines.  The program's own, all on line 1, come last. */
	for (size_t i = 0, before = 0; i < forms_load_and_count() && form_get(i)->line > before;
	     before = form_get(i++)->line) {
		error->line = form_get(i)->line;
		error->column = 1;
		error->what = "no sample has this form";
		if (!form_get(i)->matched)
			return false;
	}
	return true;
}
