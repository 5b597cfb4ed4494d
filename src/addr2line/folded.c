// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "addr2line/folded.h"
#include "answer/batch.h"
#include "tool/address.h"
#include "tool/ascii.h"
#include "tool/diag.h"
#include "answer/counter.h"
#include "tool/mask.h"

#include <stdlib.h>
#include <string.h>

/* The meaning of the second word in a line that is an address and a decimal number: another address, or a count. */
enum second_word { SECOND_NOT_KNOWN, SECOND_ADDRESS, SECOND_COUNT };

/* The index in place of an image's, for a frame that is in no image: its function is not known. */
#define NO_IMAGE UINT32_MAX

struct folding {
	struct record_style *style;
	struct folded_image *images;
	size_t image_count;
	enum second_word second; /* the meaning in all lines of this input */
	struct strbuf undecided; /* lines that wait until `second` is known, each with a NUL at its end */
	bool waited_too_long;	 /* there were too many such lines, so `second` is a guess */
	struct batch batch;	 /* addresses of one line that are in the same image */
	uint64_t lookups;	 /* as in struct batch, for each image */
	size_t address_count;	 /* of the line, so far */
	struct counter functions, stacks;
	const char *last;     /* the function that was added last */
	uint32_t last_number; /* the number of `last` */
	struct strbuf stack;  /* the numbers of the functions of one line, the innermost first */
	struct strbuf name;   /* a function's name, as it is printed */
};

/* ------------------------------------------------------------------------------------------------ one stack */

/* Push a function on the stack.  False: no memory. */
static bool push_function(struct folding *folding, const char *function)
{
	/* Neighbouring frames often have the same function: in a recursion, or if a function
	   was inlined into itself. */
	if ((folding->functions.used == 0 || function != folding->last) &&
	    !counter_add(&folding->functions, (struct counter_key){ function, 0 }, 1, &folding->last_number))
		return false;
	folding->last = function;
	return strbuf_add_bytes(&folding->stack, (const char *)&folding->last_number, sizeof folding->last_number);
}

/* For the batch: push the functions of all answers. */
static bool push_records(void *data, const struct records *records)
{
	struct folding *folding = data;
	for (uint32_t i = 0; i < records->ends[records->count - 1]; i++)
		if (!push_function(folding, records->frames[i].function))
			return false;
	return true;
}

static bool push_batch(struct folding *folding)
{
	return batch_is_good(&folding->batch, batch_finish(&folding->batch));
}

/* Look up the addresses that are left of the line, and count its stack WEIGHT times.  Returns false after a message. */
static bool count_stack(struct folding *folding, uint64_t weight)
{
	struct strbuf *stack = &folding->stack;
	if (!push_batch(folding))
		return false;
	/* In the folded format, the outermost function comes first. */
	uint32_t *numbers = (uint32_t *)(void *)stack->bytes;
	for (size_t i = 0, j = stack->length / sizeof *numbers; i + 1 < j; i++) {
		const uint32_t number = numbers[--j];
		numbers[j] = numbers[i];
		numbers[i] = number;
	}
	const bool good = counter_add_text(&folding->stacks, stack->bytes, stack->length, weight);
	stack->length = folding->address_count = 0;
	return good || diag_out_of_memory();
}

/* ------------------------------------------------------------------------------------------------ addresses */

/* Returns the index of the only image that has the module name of ADDRESS; NO_IMAGE: there is none, or several. */
static uint32_t find_image(const struct folding *folding, const struct address *address)
{
	uint32_t found = NO_IMAGE;
	if (address->kind == ADDRESS_NUMBER)
		return NO_IMAGE;
	for (size_t i = 0; i < folding->image_count; i++) {
		if (!symbol_is_module(folding->images[i].rules.path, address->name, address->name_length))
			continue;
		if (found != NO_IMAGE)
			return NO_IMAGE;
		found = (uint32_t)i;
	}
	return found;
}

/* Find the image and the RVA of the address TEXT, which must name a module, because there are several images.  *IMAGE:
   NO_IMAGE if it is in none of them.  INNERMOST: it is not a return address. */
static void find_image_and_rva(struct folding *folding, const char *text, bool innermost, uint32_t *image,
			       uint64_t *rva)
{
	struct address address;
	address_parse(text, &address);
	*image = find_image(folding, &address);
	if (*image != NO_IMAGE) {
		const struct folded_image *found = &folding->images[*image];
		query_numbers(innermost ? &found->rules : &found->callers, &address.number, 1, rva,
			      &folding->batch.seen);
	} else if (address.kind == ADDRESS_NUMBER && !folding->batch.seen.hinted) {
		folding->batch.seen.hinted = true;
		diag_hint("'%s': of several images, an address must name one: MODULE+OFFSET", text);
	}
}

/* Let the next addresses of the batch be in image number IMAGE.  Returns false after a message. */
static bool choose_image(struct folding *folding, uint32_t image)
{
	const struct folded_image *chosen = &folding->images[image];
	if (folding->batch.rules != &chosen->callers) {
		if (!push_batch(folding))
			return false;
		folding->batch.rules = &chosen->callers;
		folding->style->inlines = chosen->inlines;
	}
	return true;
}

/* Add the address TEXT to the stack of the line.  Returns false after a message. */
static bool add_address(struct folding *folding, const char *text)
{
	/* The first address is where the program was; the others can be return addresses. */
	const bool innermost = folding->address_count++ == 0;
	uint32_t image = 0;
	uint64_t rva;
	if (folding->image_count > 1) {
		find_image_and_rva(folding, text, innermost, &image, &rva);
	} else {
		const struct query_rules *rules = innermost ? &folding->images->rules : &folding->images->callers;
		struct query query;
		if (!query_text(rules, text, &query, &folding->batch.seen))
			return false;
		rva = query.rva;
		/* The rules are about numbers only, but in a stack, module+offset is a return address, too. */
		if (rules->returns && query.kind == QUERY_ADDRESS && query.name_length > 0 && !query.is_symbol)
			rva = rva > 0 ? rva - 1 : UINT64_MAX;
	}
	if (image == NO_IMAGE)
		return push_batch(folding) && (push_function(folding, NULL) || diag_out_of_memory());
	return choose_image(folding, image) && batch_is_good(&folding->batch, batch_add(&folding->batch, 0, rva));
}

/* ------------------------------------------------------------------------------------------------ lines */

/* Cut the blanks off the end of TEXT. */
static void cut_blanks(char *text)
{
	char *end = text + strlen(text);
	while (end > text && is_space(end[-1]))
		end--;
	*end = '\0';
}

/* If LINE, which has no blanks at its end, ends in a blank and a decimal number, with something else before them, cut
   these off, and return the number.  Else return 1. */
static uint64_t cut_off_count(char *line)
{
	char *end = line + strlen(line), *digits = end;
	while (digits > line && is_digit(digits[-1]))
		digits--;
	if (digits == end || digits == line || !is_space(digits[-1]) || skip_spaces(line) == digits)
		return 1;
	digits[-1] = '\0';
	return read_count(&digits);
}

/* Whether LINE can be an address and a count, and also two addresses: it has two words, and the second is a decimal
   number. */
static bool has_two_meanings(char *line)
{
	char *word = line;
	while (*word && !is_space(*word))
		word++;
	char *second = skip_spaces(word), *end = second;
	read_count(&end);
	return end > second && *skip_spaces(end) == '\0';
}

/* Add the addresses of LINE, which blanks divide, the innermost first.  Returns false after a message. */
static bool add_divided_by_blanks(struct folding *folding, char *line)
{
	for (char *word = line, *end; *word; word = end) {
		for (end = word; *end && !is_space(*end); end++)
			;
		if (*end)
			*end++ = '\0';
		end = skip_spaces(end);
		if (!add_address(folding, word))
			return false;
	}
	return true;
}

/* Add the addresses of LINE, which semicolons divide, the innermost last.  Returns false after a message. */
static bool add_divided_by_semicolons(struct folding *folding, char *line)
{
	for (char *semicolon = line; semicolon;) {
		semicolon = strrchr(line, ';');
		char *text = skip_spaces(semicolon ? semicolon + 1 : line);
		cut_blanks(text);
		if (*text && !add_address(folding, text))
			return false;
		if (semicolon)
			*semicolon = '\0';
	}
	return true;
}

/* Count the stack of LINE.  HAS_COUNT: a number at its end is a count.  Returns false after a message. */
static bool count_line(struct folding *folding, char *line, bool has_count)
{
	const uint64_t count = has_count ? cut_off_count(line) : 1;
	const bool good = strchr(line, ';') ? add_divided_by_semicolons(folding, line)
					    : add_divided_by_blanks(folding, line);
	return good && (folding->address_count == 0 || count_stack(folding, count));
}

/* Decide that the second word of each line is SECOND, a count or an address, and count the stacks of the lines that were kept until
   this was known.  Returns false after a message. */
static bool decide_second_word(struct folding *folding, enum second_word second)
{
	struct strbuf *undecided = &folding->undecided;
	bool good = true;
	folding->second = second;
	for (size_t at = 0, next; good && at < undecided->length; at = next) {
		char *line = undecided->bytes + at;
		next = at + strlen(line) + 1;
		good = count_line(folding, line, second == SECOND_COUNT);
	}
	strbuf_clear(undecided);
	return good;
}

/* Store LINE until the meaning of its second word is known.  Returns false after a message. */
static bool postpone_line(struct folding *folding, const char *line)
{
	enum { UNDECIDED_SIZE_MAX = 16 << 20 };
	if (!strbuf_add_bytes(&folding->undecided, line, strlen(line) + 1))
		return diag_out_of_memory();
	folding->waited_too_long = folding->undecided.length > UNDECIDED_SIZE_MAX;
	return !folding->waited_too_long || decide_second_word(folding, SECOND_ADDRESS);
}

/* Count the stack of a line with semicolons, the form in which stacks are counted.  Returns false after a message. */
static bool visit_semicolons(struct folding *folding, char *line)
{
	if (folding->waited_too_long) {
		diag("a line with semicolons comes after more than 16 MiB of lines without; put it first");
		return false;
	}
	return (folding->second == SECOND_COUNT || decide_second_word(folding, SECOND_COUNT)) &&
	       count_line(folding, line, true);
}

/* Count the stack of LINE, a line of the input.  Returns whether to continue. */
static bool visit_text(void *data, char *line)
{
	struct folding *folding = data;
	line = skip_spaces(line);
	cut_blanks(line);
	if (strchr(line, ';'))
		return visit_semicolons(folding, line);
	/* If addresses must name a module, a number is not an address. */
	if (folding->image_count > 1)
		return count_line(folding, line, true);
	if (!has_two_meanings(line))
		return count_line(folding, line, false);
	if (folding->second == SECOND_NOT_KNOWN)
		return postpone_line(folding, line);
	return count_line(folding, line, folding->second == SECOND_COUNT);
}

static bool expect_count(void *data, uint64_t count)
{
	struct folding *folding = data;
	struct rossym_error err;
	folding->lookups += count;
	for (size_t i = 0; i < folding->image_count; i++) {
		const struct query_rules *rules = &folding->images[i].rules;
		if (rossym_prepare_for(rules->image, folding->lookups, &err) < 0) {
			diag_image(rules->path, &err);
			return false;
		}
	}
	return true;
}

static const struct input_visitor visitor = { .expect = expect_count, .text = visit_text };

/* ------------------------------------------------------------------------------------------------ names */

/* Returns the length of the character at P if a name in the output may have it; else 0.  A flame graph is an SVG file.
   That is XML, which allows only valid UTF-8, no control characters, and neither U+FFFE nor U+FFFF. */
static size_t allowed_length(const char *p, size_t length)
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

/* Whether a reader of the output can take a number at the end of NAME, after a blank, for a count: flamegraph.pl accepts
   two counts at the end of a line.  Any character from U+0080 on is taken for a blank.  Stores in *NUMBER the index at
   which the number begins. */
static bool ends_like_count(struct display_name name, size_t *number)
{
	size_t at = name.length;
	while (at > 0 && (is_digit(name.text[at - 1]) || name.text[at - 1] == '.'))
		at--;
	*number = at;
	return at > 0 && at < name.length && (name.text[at - 1] == ' ' || (unsigned char)name.text[at - 1] >= 0x80);
}

/* Whether NAME can be printed as it is, as most names can. */
static bool is_plain_name(struct display_name name)
{
	size_t at = 0, size;
	while (at < name.length && (size = allowed_length(name.text + at, name.length - at)) > 0)
		at += size;
	return at == name.length && !ends_like_count(name, &at);
}

/* Store NAME in TEXT, with characters that are not allowed replaced, and "_" before a number that ends_like_count()
   has found.  False: no memory. */
static bool make_plain_name(struct display_name name, struct strbuf *text)
{
	size_t number;
	bool divide = ends_like_count(name, &number);
	text->length = 0;
	for (size_t i = 0, size; i < name.length; i += size ? size : 1) {
		if (divide && i == number)
			strbuf_add_char(text, '_');
		size = allowed_length(name.text + i, name.length - i);
		if (size)
			strbuf_add_bytes(text, name.text + i, size);
		else
			strbuf_add_char(text, replace_character(name.text[i]));
	}
	return !text->no_memory;
}

/* For counter_lines(): store the printed name of the function KEY in *RET.  False: no memory. */
static bool make_function_name(void *data, struct counter_key key, struct counter_name *ret)
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
	if (shown.text && !is_plain_name(shown)) {
		if (!make_plain_name(shown, &folding->name))
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

static void print_stack(struct out *out, const struct counter_line *stack, const struct counter_line *functions)
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

static bool print_stacks(struct folding *folding, struct out *out)
{
	struct counter_lines functions = { .items = NULL }, stacks = { .items = NULL };
	uint32_t *ranks = malloc((folding->functions.used + 1) * sizeof *ranks);
	bool good = ranks &&
		    counter_lines(&folding->functions, COUNTER_BY_NAME, make_function_name, folding, &functions, ranks);
	if (good)
		rank_stacks(&folding->stacks.texts, ranks);
	good = good && counter_lines(&folding->stacks, COUNTER_BY_NAME, make_function_name, folding, &stacks, NULL);
	for (size_t i = 0; good && i < stacks.count && !out->error; i++)
		print_stack(out, &stacks.items[i], functions.items);
	free(ranks);
	free(functions.items);
	free(stacks.items);
	return good || diag_out_of_memory();
}

bool folded_run(struct input *input, struct folded_image *images, size_t count, unsigned flags,
		struct record_style *style)
{
	struct folding folding = { .style = style, .images = images, .image_count = count };
	batch_open(&folding.batch, &images->callers, flags, style, push_records, &folding);
	style->inlines = images->inlines;
	input->visitor = &visitor;
	input->data = &folding;
	input->omit_too_long = true;
	bool good = input_run(input) && decide_second_word(&folding, SECOND_ADDRESS) &&
		    print_stacks(&folding, input->out);
	if (good && count == 1)
		query_hint(&images->rules, &folding.batch.seen);
	counter_clear(&folding.functions);
	counter_clear(&folding.stacks);
	strbuf_clear(&folding.undecided);
	strbuf_clear(&folding.stack);
	strbuf_clear(&folding.name);
	record_style_clear(style);
	return good;
}
