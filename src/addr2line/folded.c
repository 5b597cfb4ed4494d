// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "addr2line/folded.h"
#include "addr2line/gather.h"
#include "tool/ascii.h"
#include "tool/diag.h"
#include "answer/counter.h"
#include "tool/utf.h"

#include <stdlib.h>
#include <string.h>

struct folding {
	struct record_style *style;
	const struct query_rules *innermost; /* rules for the first address of a line */
	struct gather gather;		     /* the addresses of one line; gather.rules is for all but the first */
	struct counter functions, stacks;
	const char *last;     /* the function that was added last */
	uint32_t last_number; /* the number of `last` */
	struct strbuf stack;  /* the numbers of the functions of one line */
	struct strbuf name;   /* a function's name, as it is printed */
};

/* ------------------------------------------------------------------------------------------------ one stack */

/* Add a function to the stack.  False: no memory. */
static bool put_function(struct folding *folding, const char *function)
{
	/* Neighbouring frames often have the same function: in a recursion, or if a function
	   was inlined into itself. */
	if ((folding->functions.used == 0 || function != folding->last) &&
	    !counter_add(&folding->functions, (struct counter_key){ function, 0 }, 1, &folding->last_number))
		return false;
	folding->last = function;
	return strbuf_add_bytes(&folding->stack, (const char *)&folding->last_number, sizeof folding->last_number);
}

/* Look up the addresses of the line, and count their stack. */
static bool count_stack(struct folding *folding)
{
	size_t count;
	if (!gather_look_up(&folding->gather, &count))
		return false;
	folding->stack.length = 0;
	/* Go from the last frame, the outermost of the outermost address, to the innermost. */
	for (size_t i = count > 0 ? folding->gather.ends[count - 1] : 0; i-- > 0;)
		if (!put_function(folding, folding->gather.frames[i].function))
			return diag_out_of_memory();
	return counter_add_text(&folding->stacks, folding->stack.bytes, folding->stack.length) || diag_out_of_memory();
}

/* ------------------------------------------------------------------------------------------------ input */

static bool expect(void *data, uint64_t count)
{
	struct folding *folding = data;
	return gather_expect(&folding->gather, count);
}

static char *skip_word(char *p)
{
	while (*p && !is_space(*p))
		p++;
	return p;
}

/* Count the stack of LINE, a line of the input: addresses, the innermost first.  Returns whether to continue. */
static bool visit_text(void *data, char *line)
{
	struct folding *folding = data;
	struct gather *gather = &folding->gather;
	struct query query;
	for (char *word = skip_spaces(line), *end; *word; word = end) {
		end = skip_word(word);
		if (*end)
			*end++ = '\0';
		end = skip_spaces(end);
		/* The first address is where the program was; the others can be return addresses. */
		if (!query_text(gather->count ? gather->rules : folding->innermost, word, &query, &gather->seen) ||
		    !gather_add(gather, query.rva, 1))
			return false;
	}
	return gather->count == 0 || count_stack(folding);
}

static const struct input_visitor visitor = { .expect = expect, .text = visit_text };

/* ------------------------------------------------------------------------------------------------ names */

/* Returns the length of the character at P if a name in the output may have it; else 0.  A flame graph is an SVG file.
   That is XML, which allows only valid UTF-8, no control characters, and neither U+FFFE nor U+FFFF. */
static size_t allowed(const char *p, size_t length)
{
	size_t size = utf8_printable(p, length);
	bool never = size == 3 && memcmp(p, "\357\277", 2) == 0 && (unsigned char)p[2] >= 0xbe;
	return *p == ';' || *p == '\\' || never ? 0 : size;
}

/* Returns the character to print in place of C.  In the folded format, a semicolon ends a name.  flamegraph.pl writes
   names into JavaScript strings, where a backslash begins an escape. */
static char replace_character(char c)
{
	return c == ';' ? ':' : c == '\\' ? '/' : '?';
}

/* Whether a reader of the output can take the end of NAME for a count, because NAME ends with a blank and a number:
   flamegraph.pl accepts two counts at the end of a line.  Any character from U+0080 on is taken for a blank.  *NUMBER
   becomes the index at which the number begins. */
static bool ends_like_count(struct display_name name, size_t *number)
{
	size_t at = name.length;
	while (at > 0 && (is_digit(name.text[at - 1]) || name.text[at - 1] == '.'))
		at--;
	*number = at;
	return at > 0 && at < name.length && (name.text[at - 1] == ' ' || (unsigned char)name.text[at - 1] >= 0x80);
}

/* Whether NAME can be printed as it is, as most names can. */
static bool is_plain(struct display_name name)
{
	size_t at = 0, size;
	while (at < name.length && (size = allowed(name.text + at, name.length - at)) > 0)
		at += size;
	return at == name.length && !ends_like_count(name, &at);
}

/* Store NAME in TEXT, with characters that are not allowed replaced, and "_" before a number that ends_like_count()
   has found.  False: no memory. */
static bool make_plain(struct display_name name, struct strbuf *text)
{
	size_t number;
	bool divide = ends_like_count(name, &number);
	text->length = 0;
	for (size_t i = 0, size; i < name.length; i += size ? size : 1) {
		if (divide && i == number)
			strbuf_add_char(text, '_');
		size = allowed(name.text + i, name.length - i);
		if (size)
			strbuf_add_bytes(text, name.text + i, size);
		else
			strbuf_add_char(text, replace_character(name.text[i]));
	}
	return !text->no_memory;
}

/* For counter_lines(): store the printed name of the function KEY in *RET.  False: no memory. */
static bool name_function(void *data, struct counter_key key, struct counter_name *ret)
{
	struct folding *folding = data;
	static const char unknown[] = "[unknown]";
	struct display_name shown = { unknown, sizeof unknown - 1 };
	if (key.string) {
		struct rossym_frame frame = { .function = key.string };
		frame.function_length = (uint32_t)strnlen(key.string, ROSSYM_LENGTH_MAX);
		shown = record_function(folding->style, &frame);
	}
	bool made = key.string && shown.text != key.string;
	if (shown.text && !is_plain(shown)) {
		if (!make_plain(shown, &folding->name))
			return false;
		shown = (struct display_name){ folding->name.bytes, folding->name.length };
		made = true;
	}
	*ret = (struct counter_name){ .text = shown.text, .length = shown.length, .made = made };
	return shown.text;
}

/* ------------------------------------------------------------------------------------------------ output */

/* Replace each function number in STACKS by the rank of the function's name in alphabetical order, most significant
   byte first.  Then stacks with the same names are the same string, and the strings sort as the names do. */
static void rank_stacks(struct strbuf *stacks, const uint32_t *ranks)
{
	uint32_t number;
	for (size_t at = 0; at < stacks->length; at += sizeof number) {
		memcpy(&number, stacks->bytes + at, sizeof number);
		number = ranks[number];
		for (unsigned i = 0; i < sizeof number; i++)
			stacks->bytes[at + i] = (char)(number >> (24 - 8 * i));
	}
}

static void put_stack(struct out *out, const struct counter_line *stack, const struct counter_line *functions)
{
	for (size_t at = 0; at < stack->length; at += 4) {
		const unsigned char *bytes = (const unsigned char *)stack->name + at;
		if (at > 0)
			out_char(out, ';');
		uint32_t rank = (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
				bytes[3];
		out_bytes(out, functions[rank].name, functions[rank].length);
	}
	out_char(out, ' ');
	out_decimal(out, stack->count);
	out_char(out, '\n');
}

static bool put_all(struct folding *folding, struct out *out)
{
	struct counter_lines functions = { .items = NULL }, stacks = { .items = NULL };
	uint32_t *ranks = malloc((folding->functions.used + 1) * sizeof *ranks);
	bool good = ranks &&
		    counter_lines(&folding->functions, COUNTER_BY_NAME, name_function, folding, &functions, ranks);
	if (good)
		rank_stacks(&folding->stacks.texts, ranks);
	good = good && counter_lines(&folding->stacks, COUNTER_BY_NAME, name_function, folding, &stacks, NULL);
	for (size_t i = 0; good && i < stacks.count && !out->error; i++)
		put_stack(out, &stacks.items[i], functions.items);
	free(ranks);
	free(functions.items);
	free(stacks.items);
	return good || diag_out_of_memory();
}

bool folded_run(struct input *input, const struct query_rules *rules, const struct query_rules *callers, unsigned flags,
		struct record_style *style)
{
	struct folding folding = { .style = style,
				   .innermost = rules,
				   .gather = { .rules = callers, .flags = flags, .inlines = style->inlines } };
	input->visitor = &visitor;
	input->data = &folding;
	input->omit_too_long = true;
	bool good = input_run(input) && put_all(&folding, input->out);
	if (good)
		query_hint(rules, &folding.gather.seen);
	counter_clear(&folding.functions);
	counter_clear(&folding.stacks);
	strbuf_clear(&folding.stack);
	strbuf_clear(&folding.name);
	gather_clear(&folding.gather);
	record_style_clear(style);
	return good;
}
