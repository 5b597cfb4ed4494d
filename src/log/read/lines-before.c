// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/read/lines-before.h"
#include "log/read/chars.h"
#include "log/read/front.h"

#include <string.h>

enum {
	/* Longer words without a sign of sieve.c are not expected.  If a word of this many columns would have fitted on
	   a line, the line counts as not wrapped. */
	WORD_COLUMNS_MAX = 48,
	OWN_COLUMNS_MAX = 80, /* the most columns of the own text of a line that a mailer has wrapped */
};

static size_t without_blanks(const char *text, size_t length)
{
	while (length > 0 && is_blank(text[length - 1]))
		length--;
	return length;
}

/* Returns the end of the text from BEGIN to END without the carriage returns at its end. */
static size_t without_returns(const char *text, size_t begin, size_t end)
{
	while (end > begin && text[end - 1] == '\r')
		end--;
	return end;
}

void lines_before_skip(struct lines_before *lines, const struct context *context, const char *text, size_t length,
		       uint64_t number)
{
	struct tokens line = { .text = text, .length = without_returns(text, 0, length) };
	/* Lines of JSON and CSV are not stored: their own text is only the content of a string (plain.h). */
	const bool strings = length > 0 && (*text == '"' || (length > 1 && memcmp(text, "{\"", 2) == 0));
	lines->count = 0;
	if (line.length == 0 || line.length > LINE_BEFORE_LENGTH_MAX || strings)
		return;
	front_read(&line);
	lines->front = count_columns(text, line.begin);
	lines->length = line.length - line.begin;
	memcpy(lines->text, text + line.begin, lines->length);
	lines->columns = count_columns(lines->text, lines->length);
	lines->length = without_blanks(lines->text, lines->length);
	lines->number = number;
	lines->before = *context;
	lines->before.line = number;
	lines->has_no_sign = true;
	lines->preferred = lines->only_context = lines->whole = lines->recognized = false;
	lines->last = lines->found = 0;
	lines->count = lines->columns <= OWN_COLUMNS_MAX;
}

void lines_before_found(struct lines_before *lines, uint64_t number, size_t at)
{
	if (lines->count > 0 && lines->number == number)
		lines->found = lines->last + at + 1;
}

bool lines_before_store(struct lines_before *lines, const struct tokens *t, size_t begin, size_t end,
			const struct context *before, bool append)
{
	end = without_returns(t->text, begin, end);
	const char *line = t->text + begin;
	const size_t length = end - begin;
	const size_t columns = length > LINE_BEFORE_LENGTH_MAX ? length : count_columns(line, length);
	append &= lines->count < LINES_BEFORE_MAX;
	const bool too_long = begin + length > LINE_BEFORE_LENGTH_MAX || columns > OWN_COLUMNS_MAX;
	if (!append || too_long)
		lines->count = 0;
	if (too_long)
		return false;
	const bool counts = append || t->recognized || context_expects_rows(before) ||
			    tokens_find_sign(t->text, t->length) < t->length;
	/* lines_before_skip() does not store it either. */
	if (!counts && !append && t->strings) {
		lines->count = 0;
		return false;
	}
	lines->preferred = t->stack_cut || (append && lines->preferred);
	if (lines->count == 0) {
		lines->length = lines->found = 0;
		lines->before = *before;
		lines->has_no_sign = !counts;
	}
	if (lines->length > 0 && length > 0)
		lines->text[lines->length++] = ' ';
	memcpy(lines->text + lines->length, line, length);
	lines->last = lines->length;
	/* The position of a fact without a name is its end, which may be the end of the line. */
	const size_t found = t->found < end ? t->found : end;
	if (found > begin)
		lines->found = lines->length + (found - begin);
	lines->length += without_blanks(lines->text + lines->length, length);
	lines->count++;
	lines->number = before->line;
	lines->recognized = t->recognized;
	lines->only_context = t->recognized && t->found == 0 && !lines->preferred;
	lines->whole = t->line_form;
	lines->columns = columns;
	lines->front = count_columns(t->text, begin);
	return lines->preferred || (counts && lines->front + columns + 1 + WORD_COLUMNS_MAX >= LEAST_WIDTH);
}
