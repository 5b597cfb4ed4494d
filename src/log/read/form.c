// SPDX-License-Identifier: GPL-2.0-or-later
/* form.c - reads rows of forms: the program's own, and those of --forms */
#include "config.h"
#include "log/read/form.h"
#include "log/read/chars.h"
#include "log/read/forms-text.h"
#include "tool/diag.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { TEXTS_MAX = 32000, LEAST_SIGN = 3 }; /* the most bytes of `texts`; the fewest of log_form.sign */

static struct log_form forms[2 * FORMS_MAX];
static struct form_part parts[ALL_PARTS_MAX];
static char texts[TEXTS_MAX]; /* the texts of parts */
static size_t form_count, part_count, text_count;
static bool has_own; /* the program's own forms have been added */

/* The names that can be between braces.  `least`: the fewest digits, or for {word}, characters. */
static const struct part_name {
	const char *name;
	unsigned char kind, role, least;
} part_names[] = {
	{ "address", PART_NUMBER, ROLE_ADDRESS, 5 },
	{ "rva", PART_NUMBER, ROLE_RVA, 1 },
	{ "base", PART_NUMBER, ROLE_BASE, 5 },
	{ "end", PART_NUMBER, ROLE_LAST, 5 },
	{ "size", PART_NUMBER, ROLE_SIZE, 1 },
	{ "pages", PART_NUMBER, ROLE_PAGES, 1 },
	{ "stamp", PART_NUMBER, ROLE_STAMP, 8 },
	{ "code", PART_NUMBER, ROLE_CODE, 5 },
	{ "same", PART_NUMBER, ROLE_SAME, 5 },
	{ "process", PART_NUMBER, ROLE_PROCESS, 1 },
	{ "status", PART_NUMBER, ROLE_STATUS, 1 },
	{ "number", PART_NUMBER, ROLE_ANY, 1 },
	{ "parameters", PART_NUMBERS, 0, 0 },
	{ "arguments", PART_ARGUMENTS, 0, 0 },
	{ "frame", PART_NUMBER, ROLE_ROW, 1 },
	{ "row", PART_DECIMAL, ROLE_ROW, 0 },
	{ "bytes", PART_DECIMAL, ROLE_SIZE, 0 },
	{ "index", PART_DECIMAL, ROLE_INDEX, 0 },
	{ "decimal", PART_DECIMAL, ROLE_ANY, 0 },
	{ "name", PART_NAME, ROLE_NAME, 0 },
	{ "path", PART_NAME, ROLE_PATH, 0 },
	{ "file", PART_NAME, ROLE_FILE, 0 },
	{ "image", PART_NAME, ROLE_IMAGE, 0 },
	{ "word", PART_NAME, ROLE_WORD, 1 },
	{ "text", PART_NAME, ROLE_TEXT, 0 },
	{ "", PART_SKIP, 0, 0 },
	{ "eol", PART_LINE_END, 0, 0 },
	{ "<", PART_BEGIN, 0, 0 },
	{ ">", PART_END, 0, 0 },
};

static const struct spec_name { /* what can follow ":" in braces */
	const char *name;
	unsigned char spec, least;
} spec_names[] = {
	{ "module", SPEC_MODULE, 0 },	  { "0x", SPEC_PREFIX, 0 },	  { "full", SPEC_FULL, 8 },
	{ "code", SPEC_CODE, 0 },	  { "1", SPEC_LEAST, 1 },	  { "2", SPEC_LEAST, 2 },
	{ "4", SPEC_LEAST, 4 },		  { "8", SPEC_LEAST, 8 },	  { "16", SPEC_LEAST, 16 },
	{ "two", SPEC_TWO, 2 },		  { "grave", SPEC_GRAVE, 16 },	  { "upper", SPEC_UPPER, 4 },
	{ "absolute", SPEC_ABSOLUTE, 0 }, { "aligned", SPEC_ALIGNED, 1 },
};

/* A row of a file of forms that is being read. */
struct form_row {
	const char *begin, *at, *end;
	struct log_form *form;
	struct form_error *error;
	size_t closed; /* `part_count` after the last "]" or choice: text that follows directly begins a new part */
};

/* Store WHAT is wrong, and the column of AT, in the row's error.  Returns false. */
static bool fail_at(const struct form_row *row, const char *at, const char *what)
{
	row->error->column = (unsigned)(at - row->begin) + 1;
	row->error->what = what;
	return false;
}

/* Whether NAME is equal to the LENGTH bytes at TEXT. */
static bool is_equal_to_text(const char *name, const char *text, size_t length)
{
	return strlen(name) == length && memcmp(name, text, length) == 0;
}

/* Append a part to the row's form.  Returns NULL if the form, or all forms together, have too many parts. */
static struct form_part *add_part(struct form_row *row, unsigned char kind, const char *text, size_t length)
{
	struct form_part *part = &parts[part_count];
	if (row->form->count == FORM_PARTS_MAX || part_count == ALL_PARTS_MAX)
		return NULL;
	*part = (struct form_part){ .kind = kind, .length = (unsigned char)length, .text = text };
	row->form->count++;
	part_count++;
	return part;
}

static bool fail_too_many_parts(const struct form_row *row, const char *at)
{
	return fail_at(row, at, "the pattern has too many parts");
}

/* ---------------------------------------------------------------------------------------------- the pattern */

/* Read the texts of a choice, "current|previous}", whose "}" is at CLOSE. */
static bool parse_choice(struct form_row *row, const char *close)
{
	struct form_part *choice = add_part(row, PART_CHOICE, NULL, 0), *text = choice;
	for (; text && row->at <= close; row->at++) {
		text = add_part(row, PART_TEXT, &texts[text_count], 0);
		for (; text && row->at < close && *row->at != '|'; row->at++) {
			row->at += *row->at == '\\' && row->at + 1 < close;
			if (text_count == TEXTS_MAX || text->length == UCHAR_MAX)
				return fail_too_many_parts(row, row->at);
			texts[text_count++] = *row->at;
			text->length++;
		}
		if (text && text->length == 0)
			return fail_at(row, row->at, "a text is missing beside \"|\"");
		choice->length++;
	}
	row->closed = part_count;
	return text || fail_too_many_parts(row, row->at);
}

/* Read "{address:8}" or "{current|previous}". */
static bool parse_braces(struct form_row *row)
{
	const char *at = ++row->at, *close = memchr(at, '}', (size_t)(row->end - at));
	if (!close)
		return fail_at(row, at - 1, "\"}\" is missing");
	if (memchr(at, '|', (size_t)(close - at)))
		return parse_choice(row, close);
	const char *colon = memchr(at, ':', (size_t)(close - at));
	struct form_part *part = add_part(row, PART_SKIP, NULL, 0);
	if (!part)
		return fail_too_many_parts(row, at - 1);
	const size_t length = (size_t)((colon ? colon : close) - at);
	size_t i = 0;
	while (i < sizeof part_names / sizeof *part_names && !is_equal_to_text(part_names[i].name, at, length))
		i++;
	if (i == sizeof part_names / sizeof *part_names)
		return fail_at(row, at, "no such part");
	part->kind = part_names[i].kind;
	part->role = part_names[i].role;
	part->length = part_names[i].least;
	row->at = close + 1;
	for (i = 0; colon && i < sizeof spec_names / sizeof *spec_names; i++) {
		const enum spec spec = (enum spec)spec_names[i].spec;
		const bool is_kind = part->kind == (spec == SPEC_ALIGNED  ? PART_DECIMAL
						    : spec >= SPEC_MODULE ? PART_NAME
									  : PART_NUMBER) ||
				     (part->kind == PART_DECIMAL && spec == SPEC_LEAST);
		if (!is_kind || !is_equal_to_text(spec_names[i].name, colon + 1, (size_t)(close - colon - 1)))
			continue;
		part->spec = spec_names[i].spec;
		part->length = spec_names[i].least ? spec_names[i].least : part->length;
		return true;
	}
	/* {decimal:1-6}: from one to six digits */
	const bool is_range = colon && part->kind == PART_DECIMAL && close - colon == 4 && is_digit(colon[1]) &&
			      colon[2] == '-' && is_digit(colon[3]);
	if (is_range) {
		part->length = (unsigned char)(colon[1] - '0');
		part->most = (unsigned char)(colon[3] - '0');
	}
	return !colon || is_range || fail_at(row, colon + 1, "the part cannot have this after \":\"");
}

/* Add CH to the text at the end of the pattern. */
static bool add_char(struct form_row *row, char ch)
{
	struct form_part *part = row->form->count > 0 ? &parts[part_count - 1] : NULL;
	if (text_count == TEXTS_MAX)
		return fail_too_many_parts(row, row->at);
	if (!part || part->kind != PART_TEXT || part->length == UCHAR_MAX || part_count == row->closed)
		part = add_part(row, PART_TEXT, &texts[text_count], 0);
	if (!part)
		return fail_too_many_parts(row, row->at);
	part->length++;
	texts[text_count++] = ch;
	return true;
}

/* Read blanks.  Unless text is on both sides, they become a part of their own, which reads a tab, too. */
static bool parse_pattern_blanks(struct form_row *row)
{
	const struct form_part *before = row->form->count > 0 ? &parts[part_count - 1] : NULL;
	const char *at = row->at;
	while (row->at < row->end && *row->at == ' ')
		row->at++;
	if ((before && before->kind != PART_TEXT) || (row->at < row->end && strchr("{[]", *row->at)))
		return add_part(row, PART_BLANKS, at, (size_t)(row->at - at)) || fail_too_many_parts(row, at);
	for (const char *blank = at; blank < row->at; blank++)
		if (!add_char(row, ' '))
			return false;
	return true;
}

/* Read a character after a backslash. */
static bool parse_pattern_escape(struct form_row *row)
{
	const char *at = row->at + 1;
	if (at >= row->end || !strchr("{}[]\"\\ t", *at))
		return fail_at(row, row->at, "a backslash must be before a blank, t, or one of { } [ ] \" \\");
	row->at += 2;
	return add_char(row, *at == 't' ? '\t' : *at);
}

/* Read the pattern, with its quotation marks, into the row's form. */
static bool parse_pattern(struct form_row *row)
{
	struct form_part *option = NULL;
	const char *opened = row->at;
	bool good = true;
	if (row->at == row->end || *row->at++ != '"')
		return fail_at(row, opened, "a pattern in quotation marks must follow");
	row->form->anywhere = row->end - row->at >= 3 && memcmp(row->at, "...", 3) == 0;
	row->at += row->form->anywhere ? 3 : 0;
	while (good && row->at < row->end && *row->at != '"') {
		const char *at = row->at;
		if (*at == '{') {
			good = parse_braces(row);
		} else if (*at == '\\') {
			good = parse_pattern_escape(row);
		} else if (*at == '[') {
			row->at++;
			opened = at;
			if (option)
				return fail_at(row, at, "\"[\" cannot be inside \"[\"");
			option = add_part(row, PART_OPTION, NULL, 0);
			good = option || fail_too_many_parts(row, at);
		} else if (*at == ']') {
			row->at++;
			if (!option)
				return fail_at(row, at, "\"[\" is missing");
			option->length = (unsigned char)(&parts[part_count - 1] - option);
			option = NULL;
			row->closed = part_count;
		} else if (*at == '}') {
			return fail_at(row, at, "\"{\" is missing");
		} else if (*at == ' ') {
			good = parse_pattern_blanks(row);
		} else {
			row->at++;
			good = add_char(row, *at);
		}
	}
	if (good && option)
		return fail_at(row, opened, "\"]\" is missing");
	if (good && row->at++ == row->end)
		return fail_at(row, row->end, "the quotation mark that ends the pattern is missing");
	return good;
}

/* ------------------------------------------------------------------------------------------------ the words */

/* Read a word after the pattern, "module:NAME" or one of form_words, into the row's form. */
static bool parse_form_word(struct form_row *row)
{
	static const char module[] = "module:";
	const char *at = row->at;
	struct log_form *form = row->form;
	while (row->at < row->end && !is_blank(*row->at))
		row->at++;
	const size_t length = (size_t)(row->at - at), prefix = sizeof module - 1;
	if (length > prefix && memcmp(at, module, prefix) == 0) {
		form->module = at + prefix;
		form->module_length = length - prefix;
		return true;
	}
	const bool wants = length > 2 && memcmp(at, "if:", 3) == 0;
	for (const struct form_word *word = form_words; word->word; word++) {
		const bool is_state = wants && word->effect >= SETS_HEADING && word->effect <= KEEPS;
		const char *colon = is_state ? strchr(word->word, ':') : NULL;
		if (!is_equal_to_text(word->word, at, length) &&
		    !(colon && is_equal_to_text(colon, at + 2, length - 2)))
			continue;
		if (wants) {
			form->wants = word;
			return true;
		}
		if (form->word_count == FORM_WORDS_MAX)
			return fail_at(row, at, "too many words");
		form->words[form->word_count++] = word;
		form->says = word->effect == SAYS ? word : form->says;
		form->prefix = word->effect == IS_PREFIX ? word : form->prefix;
		return true;
	}
	return fail_at(row, at, "no such word");
}

const struct form_word *form_find_word(const struct log_form *form, enum form_effect effect)
{
	for (size_t i = 0; i < form->word_count; i++)
		if (form->words[i]->effect == effect)
			return form->words[i];
	return NULL;
}

/* Whether a part of FORM, a name or a hexadecimal number, has one of the roles from FIRST to LAST. */
static bool has_role(const struct log_form *form, enum role first, enum role last)
{
	for (const struct form_part *part = form->parts, *end = part + form->count; part < end; part++)
		if ((part->kind == PART_NUMBER || part->kind == PART_NAME) && part->role >= first && part->role <= last)
			return true;
	return false;
}

/* Markdown can have a backslash before some characters, so such a character can only be the first one of a sign. */
const char *form_find_sign(const struct form_part *part, unsigned n, size_t *ret_length)
{
	if (n >= (part->kind == PART_CHOICE ? part->length : 1u))
		return NULL;
	const struct form_part *of = part->kind == PART_CHOICE ? part + 1 + n : part;
	const char *sign = of->text, *begin = sign, *last = begin + of->length;
	*ret_length = 0;
	for (const char *at = begin + 1; at <= last; at++) {
		if (at < last && !may_be_escaped(*at))
			continue;
		size_t length = (size_t)(at - begin);
		/* The sign lacks the last blank: a mailer may have wrapped the line there. */
		length -= at == last && at[-1] == ' ' && length > LEAST_SIGN;
		length = length < SIGN_MOST ? length : SIGN_MOST;
		if (length > *ret_length) {
			sign = begin;
			*ret_length = length;
		}
		begin = at;
	}
	return sign;
}

/* Whether PART has a mark, a character by which sieve.c finds lines, whatever is before and after PART in a line.
   NEXT_IS_NUMBER: a decimal number follows PART. */
static bool has_mark(const struct form_part *part, bool next_is_number)
{
	const char *begin = part->text, *last = begin + part->length;
	for (const char *at = begin; at < last; at++)
		if (*at == '+' || (*at == '{' && at > begin && at[-1] == ')') ||
		    (*at == '#' && (at + 1 < last ? at[1] == ' ' : next_is_number)))
			return true;
	return false;
}

/* Returns the length in bytes of the shortest sign of PART, a text or a choice. */
static size_t find_sign_length(const struct form_part *part)
{
	size_t least = SIGN_MOST, length;
	for (unsigned n = 0; form_find_sign(part, n, &length); n++)
		least = length < least ? length : least;
	return least;
}

/* Choose the part with the signs by which sieve.c finds lines with FORM: of the texts and choices that each such line
   has, the one with the longest sign.  None is needed if a text has a mark, or for some states. */
static void choose_sign(struct log_form *form)
{
	const struct form_part *part = form->parts, *end = part + form->count;
	size_t most = LEAST_SIGN - 1;
	for (; part < end && !form->has_mark && (!form->wants || form->wants->effect >= WANTS_FRAME); part++) {
		if ((part->kind == PART_TEXT || part->kind == PART_CHOICE) && find_sign_length(part) > most) {
			most = find_sign_length(part);
			form->sign = part;
		}
		form->has_mark = part->kind == PART_TEXT &&
				 has_mark(part, part + 1 < end && part[1].kind == PART_DECIMAL);
		if (part->kind == PART_OPTION || part->kind == PART_CHOICE)
			part += part->length;
	}
	if (form->has_mark)
		form->sign = NULL;
}

/* Check that the parts and words of the form, whose row begins at AT, fit together.  If not, stores an error. */
static bool check_form(const struct form_row *row, const char *at)
{
	const struct log_form *form = row->form;
	const struct form_part *part = form->parts, *first = part, *last = part + form->count - 1;
	const bool names = form->module || has_role(form, ROLE_NAME, ROLE_IMAGE) ||
			   (form->wants && form->wants->effect >= KEEPS) || form_find_word(form, OF_KEPT);
	const bool makes = form_find_word(form, MAKES) != NULL;
	bool has_text = form->sign || form->has_mark || form->wants || form->says;
	for (; part <= last; part += part->kind == PART_OPTION ? part->length + 1u : 1u)
		has_text |= form->prefix && part->kind != PART_OPTION && part->kind != PART_BLANKS;
	for (part = first; part <= last; part++) {
		const struct form_part *next = part + (part < last);
		next += next->kind == PART_END && next < last;
		next += next->kind == PART_CHOICE; /* its first text */
		/* sieve.c finds lines with these parts without a sign of the form */
		has_text |= part->spec == SPEC_GRAVE ||
			    (part->spec == SPEC_MODULE && next->kind == PART_TEXT && !strchr(":([", *next->text));
		if (part->kind == PART_SKIP && next->kind != PART_TEXT && next->kind != PART_BLANKS &&
		    next->kind != PART_LINE_END)
			return fail_at(row, at, "text or {eol} must follow {}");
	}
	if (!has_text)
		return fail_at(row, at, "the pattern has no text of three characters");
	first += first->kind == PART_BEGIN;
	if (form->anywhere && first->kind != PART_TEXT && first->kind != PART_NUMBER && first->kind != PART_CHOICE)
		return fail_at(row, at, "text or a number must follow \"...\"");
	if (has_role(form, ROLE_ADDRESS, ROLE_RVA) != makes)
		return fail_at(row, at, "an address or an RVA, and how it is looked up, belong together");
	if (!makes && (form_find_word(form, SETS_INT3) || form_find_word(form, SETS_FAULT)))
		return fail_at(row, at, "a word needs an address");
	if (has_role(form, ROLE_RVA, ROLE_CODE) && !names)
		return fail_at(row, at, "the form names no module");
	return true;
}

/* Read a row: 'form "PATTERN" WORD ...'. */
static bool parse_form_row(struct form_row *row)
{
	static const char form[] = "form", sample[] = "sample";
	while (row->at < row->end && is_blank(*row->at))
		row->at++;
	const char *at = row->at;
	while (row->at < row->end && is_letter(*row->at))
		row->at++;
	const size_t length = (size_t)(row->at - at);
	if (is_equal_to_text(sample, at, length) || row->at == row->end || (length == 0 && *at == '#'))
		return true;
	if (!is_equal_to_text(form, at, length))
		return fail_at(row, at, "a row begins with \"form\", \"sample\" or \"#\"");
	row->form = &forms[form_count];
	*row->form = (struct log_form){ .line = row->error->line, .parts = &parts[part_count] };
	while (row->at < row->end && is_blank(*row->at))
		row->at++;
	if (!parse_pattern(row))
		return false;
	for (;;) {
		while (row->at < row->end && is_blank(*row->at))
			row->at++;
		if (row->at == row->end)
			break;
		if (!parse_form_word(row))
			return false;
	}
	choose_sign(row->form);
	if (!check_form(row, at))
		return false;
	row->form->only_says = row->form->says && row->form->word_count == 1 &&
			       !has_role(row->form, ROLE_BASE, ROLE_BASE);
	if (row->form->only_says || row->form->prefix)
		row->form->sign = NULL; /* no token or fact: no line must be read for it */
	form_count++;
	return true;
}

bool forms_add(const char *text, size_t length, struct form_error *error)
{
	const char *at = text, *end = text + length;
	const size_t most = form_count + FORMS_MAX; /* `forms` has room for this program's own forms and one file's */
	for (error->line = 1; at < end; error->line++) {
		const char *newline = memchr(at, '\n', (size_t)(end - at)), *next = newline ? newline + 1 : end;
		struct form_row row = { .begin = at, .at = at, .end = newline ? newline : end, .error = error };
		row.end -= row.end > at && row.end[-1] == '\r';
		if (row.end - at > FORM_LENGTH_MAX)
			return fail_at(&row, at + FORM_LENGTH_MAX, "the row is too long");
		if (form_count == most)
			return fail_at(&row, at, "too many forms");
		if (!parse_form_row(&row))
			return false;
		at = next;
	}
	return true;
}

static void add_built_in_forms(void)
{
	struct form_error error;
	_Static_assert(sizeof form_rows / sizeof *form_rows <= FORMS_MAX, "there is room for the forms of a file, too");
	has_own = true;
	for (size_t i = 0; i < sizeof form_rows / sizeof *form_rows; i++)
		if (!forms_add(form_rows[i], strlen(form_rows[i]), &error)) {
			diag("the program's form '%s' is wrong at column %u: %s", form_rows[i], error.column,
			     error.what);
			abort();
		}
}

size_t forms_load_and_count(void)
{
	if (!has_own)
		add_built_in_forms();
	return form_count;
}

struct log_form *form_get(size_t index)
{
	return &forms[index];
}
