// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * folded.c - --folded: counts the stacks of the input, and prints them in the folded format of flamegraph.pl
 *
 * A line of the output is "outermost;...;innermost COUNT".  While stacks are counted, a stack is a string of function
 * numbers, four bytes each.  Names are made after the last stack; then stacks with the same names become one line.
 */
#include "config.h"
#include "addr2line/jobs.h"
#include "answer/batch.h"
#include "tool/address.h"
#include "tool/ascii.h"
#include "tool/diag.h"
#include "tool/counter.h"
#include "tool/mask.h"

#include <stdlib.h>
#include <string.h>

/* The meaning of the second word in a line that is an address and a decimal number: another address, or a count. */
enum second_word { SECOND_NOT_KNOWN, SECOND_ADDRESS, SECOND_COUNT };

/* In place of the index of an image: the address is in no image, so its function is unknown. */
#define NO_IMAGE UINT32_MAX

struct folding {
	struct record_style *style;
	struct job_image *images;
	size_t image_count;
	enum second_word second; /* the meaning of the second word in all lines of this input */
	struct strbuf undecided; /* lines that wait until `second` is known, each with a NUL at its end */
	bool waited_too_long;	 /* there were too many such lines, so `second` is a guess */
	struct batch batch;	 /* addresses of one line, in one image, that wait to be looked up */
	uint64_t lookups;	 /* how many look-ups in each image the library was told to expect */
	size_t address_count;	 /* how many addresses of the line were added */
	struct counter functions, stacks;
	const char *last;     /* the function that was pushed last */
	uint32_t last_number; /* the number of `last` */
	struct strbuf stack;  /* the numbers of the functions of one line, the innermost first */
	struct strbuf name;   /* a function's name, as it is printed */
};

/* ------------------------------------------------------------------------------------------------ one stack */

/* Push a function on the stack.  False: no memory. */
static bool push_function(struct folding *folding, const char *function)
{
	/* If the function was also the last one, as in a recursion, its number need not be looked up again. */
	if ((folding->functions.used == 0 || function != folding->last) &&
	    !counter_add(&folding->functions, &function, sizeof function, 1, &folding->last_number))
		return false;
	folding->last = function;
	return strbuf_add_bytes(&folding->stack, (const char *)&folding->last_number, sizeof folding->last_number);
}

/* Push the functions of all RECORDS, the answers of a batch, on the stack.  The batch calls this function. */
static bool push_records(struct batch *batch, const struct records *records)
{
	struct folding *folding = batch->data;
	for (uint32_t i = 0; i < records->ends[records->count - 1]; i++)
		if (!push_function(folding, records->frames[i].function))
			return false;
	return true;
}

static bool push_functions_of_batch(struct folding *folding)
{
	return batch_print_if_failed(&folding->batch, batch_look_up(&folding->batch));
}

/* Look up the rest of the line's addresses, and count the line's stack WEIGHT times.  False after a message. */
static bool count_stack(struct folding *folding, uint64_t weight)
{
	struct strbuf *stack = &folding->stack;
	if (!push_functions_of_batch(folding))
		return false;
	/* In the folded format, the outermost function comes first. */
	uint32_t *numbers = (uint32_t *)(void *)stack->bytes;
	for (size_t i = 0, j = stack->length / sizeof *numbers; i + 1 < j; i++) {
		const uint32_t number = numbers[--j];
		numbers[j] = numbers[i];
		numbers[i] = number;
	}
	const bool good = counter_add(&folding->stacks, stack->bytes, stack->length, weight, NULL);
	stack->length = folding->address_count = 0;
	return good || diag_report_no_memory();
}

/* ------------------------------------------------------------------------------------------------ addresses */

/* Returns the index of the only image that has the module name of ADDRESS; NO_IMAGE: there is none, or several. */
static uint32_t find_image(const struct folding *folding, const struct address *address)
{
	uint32_t found = NO_IMAGE;
	if (address->kind == ADDRESS_NUMBER)
		return NO_IMAGE;
	for (size_t i = 0; i < folding->image_count; i++) {
		if (!symbol_is_name_of_module(folding->images[i].rules.path, address->name, address->name_length))
			continue;
		if (found != NO_IMAGE)
			return NO_IMAGE;
		found = (uint32_t)i;
	}
	return found;
}

/* Store in *IMAGE and *RVA the image and the RVA of the address TEXT, which must name a module, because there are
   several images.  *IMAGE becomes NO_IMAGE if the address is in no image.  INNERMOST: the address is not a return
   address. */
static void find_image_and_rva(struct folding *folding, const char *text, bool innermost, uint32_t *image,
			       uint64_t *rva)
{
	struct address address;
	address_parse(text, &address);
	*image = find_image(folding, &address);
	if (*image != NO_IMAGE) {
		const struct job_image *found = &folding->images[*image];
		query_convert_numbers(innermost ? &found->rules : &found->callers, &address.rva, 1, rva,
				      &folding->batch.seen);
	} else if (address.kind == ADDRESS_NUMBER && !folding->batch.seen.hinted) {
		folding->batch.seen.hinted = true;
		diag_hint("'%s': of several images, an address must name one: MODULE+OFFSET", text);
	}
}

/* Prepare the batch for addresses of image IMAGE, after answering those of another image.  False after a message. */
static bool choose_image(struct folding *folding, uint32_t image)
{
	const struct job_image *chosen = &folding->images[image];
	if (folding->batch.rules != &chosen->callers) {
		if (!push_functions_of_batch(folding))
			return false;
		folding->batch.rules = &chosen->callers;
		folding->style->inlines = chosen->inlines;
	}
	return true;
}

/* Add the address TEXT to the stack of the line.  Returns false after a message. */
static bool add_address(struct folding *folding, const char *text)
{
	/* The program was running at the first address; the others can be return addresses. */
	const bool innermost = folding->address_count++ == 0;
	uint32_t image = 0;
	uint64_t rva;
	if (folding->image_count > 1) {
		find_image_and_rva(folding, text, innermost, &image, &rva);
	} else {
		const struct query_rules *rules = innermost ? &folding->images->rules : &folding->images->callers;
		struct query query;
		if (!query_parse_text(rules, text, &query, &folding->batch.seen))
			return false;
		rva = query.rva;
		/* The rules subtract 1 only from numbers; in a stack, module+offset can be a return address, too. */
		if (rules->returns && query.kind == QUERY_ADDRESS && query.name_length > 0 && !query.is_symbol)
			rva = rva > 0 ? rva - 1 : UINT64_MAX;
	}
	if (image == NO_IMAGE)
		return push_functions_of_batch(folding) && (push_function(folding, NULL) || diag_report_no_memory());
	return choose_image(folding, image) &&
	       batch_print_if_failed(&folding->batch, batch_add(&folding->batch, 0, rva));
}

/* ------------------------------------------------------------------------------------------------ lines */

static void cut_trailing_blanks(char *text)
{
	char *end = text + strlen(text);
	while (end > text && is_space(end[-1]))
		end--;
	*end = '\0';
}

/* If LINE, which has no blanks at its end, is some text, a blank and a decimal number, cut off blank and number, and
   return the number.  Else return 1. */
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

/* Whether LINE can mean an address and a count, or two addresses: it has two words, and the second is a decimal
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

/* Add the addresses of LINE, which are separated by blanks, the innermost first.  Returns false after a message. */
static bool add_addresses_between_blanks(struct folding *folding, char *line)
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

/* Add the addresses of LINE, which are separated by semicolons, the innermost last.  Returns false after a message. */
static bool add_addresses_between_semicolons(struct folding *folding, char *line)
{
	for (char *semicolon = line; semicolon;) {
		semicolon = strrchr(line, ';');
		char *text = skip_spaces(semicolon ? semicolon + 1 : line);
		cut_trailing_blanks(text);
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
	const bool good = strchr(line, ';') ? add_addresses_between_semicolons(folding, line)
					    : add_addresses_between_blanks(folding, line);
	return good && (folding->address_count == 0 || count_stack(folding, count));
}

/* Decide that the second word of each line is SECOND, a count or an address, and count the stacks of the lines that
   postpone_line() has stored.  Returns false after a message. */
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
		return diag_report_no_memory();
	folding->waited_too_long = folding->undecided.length > UNDECIDED_SIZE_MAX;
	return !folding->waited_too_long || decide_second_word(folding, SECOND_ADDRESS);
}

/* Count the stack of LINE, a line of the input, or store LINE for later.  Returns whether to continue. */
static bool visit_text(void *data, char *line)
{
	struct folding *folding = data;
	line = skip_spaces(line);
	cut_trailing_blanks(line);
	const bool has_semicolons = strchr(line, ';') != NULL;
	if (has_semicolons && folding->waited_too_long)
		return diag("a line with semicolons comes after more than 16 MiB of lines without; put it first");
	/* If a line has semicolons, the second word of all others is a count. */
	if (has_semicolons)
		return (folding->second == SECOND_COUNT || decide_second_word(folding, SECOND_COUNT)) &&
		       count_line(folding, line, true);
	/* If addresses must name a module, a number is not an address. */
	if (folding->image_count > 1)
		return count_line(folding, line, true);
	if (!has_two_meanings(line))
		return count_line(folding, line, false);
	if (folding->second == SECOND_NOT_KNOWN)
		return postpone_line(folding, line);
	return count_line(folding, line, folding->second == SECOND_COUNT);
}

static bool prepare_for_lookups(void *data, uint64_t count)
{
	struct folding *folding = data;
	struct rossym_error err;
	folding->lookups += count;
	for (size_t i = 0; i < folding->image_count; i++) {
		const struct query_rules *rules = &folding->images[i].rules;
		if (rossym_prepare_for(rules->image, folding->lookups, &err) < 0)
			return diag_image_error(rules->path, &err);
	}
	return true;
}

static const struct input_visitor visitor = { .expect = prepare_for_lookups, .text = visit_text };

/* ------------------------------------------------------------------------------------------------ names */

/* Returns the length of the character at P if names in the output may contain it; else 0.  A flame graph is an SVG
   file, so XML, which allows only valid UTF-8, no control characters, and neither U+FFFE nor U+FFFF.  In the folded
   format, a semicolon ends a name.  flamegraph.pl writes names into JavaScript strings, where a backslash begins an
   escape. */
static size_t measure_allowed_character(const char *p, size_t length)
{
	size_t size = utf8_printable_length(p, length);
	bool never = size == 3 && memcmp(p, "\357\277", 2) == 0 && (unsigned char)p[2] >= 0xbe;
	return *p == ';' || *p == '\\' || never ? 0 : size;
}

/* Whether a reader of the output can mistake a number at the end of NAME, after a blank, for a count: flamegraph.pl
   accepts two counts at the end of a line.  Treats each character from U+0080 on as a blank, because some are blanks.
   Stores in *NUMBER the index at which the number begins. */
static bool ends_like_count(struct display_name name, size_t *number)
{
	size_t at = name.length;
	while (at > 0 && (is_digit(name.text[at - 1]) || name.text[at - 1] == '.'))
		at--;
	*number = at;
	return at > 0 && at < name.length && (name.text[at - 1] == ' ' || (unsigned char)name.text[at - 1] >= 0x80);
}

/* Store the name of FUNCTION in TEXT, as it is printed: characters that are not allowed are replaced, and "_" is
   inserted before a number that ends_like_count() has found.  False: no memory. */
static bool make_printed_name(struct folding *folding, const char *function, struct strbuf *text)
{
	static const char unknown[] = "[unknown]";
	struct display_name name = { unknown, sizeof unknown - 1 };
	if (function) {
		struct rossym_frame frame = { .function = function };
		frame.function_length = (uint32_t)strnlen(function, ROSSYM_LENGTH_MAX);
		name = record_get_function(folding->style, &frame);
	}
	size_t number;
	const bool divide = name.text && ends_like_count(name, &number);
	text->length = 0;
	for (size_t i = 0, size; name.text && i < name.length; i += size ? size : 1) {
		if (divide && i == number)
			strbuf_add_char(text, '_');
		size = measure_allowed_character(name.text + i, name.length - i);
		const char c = name.text[i], other = c == ';' ? ':' : '?';
		if (size)
			strbuf_add_bytes(text, name.text + i, size);
		else
			strbuf_add_char(text, c == '\\' ? '/' : other);
	}
	return name.text && !text->no_memory;
}

/* ------------------------------------------------------------------------------------------------ output */

/* Count in NAMES the printed names of all functions, and store in NUMBERS the number of each function's name.  False:
   no memory. */
static bool find_name_numbers(struct folding *folding, struct counter *names, uint32_t *numbers)
{
	bool good = true;
	for (size_t i = 0; good && i < folding->functions.used; i++) {
		const char *function;
		memcpy(&function, counter_get_line(&folding->functions, i).key, sizeof function);
		good = make_printed_name(folding, function, &folding->name) &&
		       counter_add_name(names, folding->name.bytes, folding->name.length, function, 1, &numbers[i]);
	}
	return good;
}

/* Count all stacks again, in RANKED.  Its keys have for each function the rank of its name in alphabetical order, most
   significant byte first.  So stacks with the same names have one key, and the keys sort as the names do.
   NUMBERS are those of find_name_numbers(), and RANKS is indexed by them.  False: no memory. */
static bool count_ranked_stacks(struct folding *folding, const uint32_t *numbers, const uint32_t *ranks,
				struct counter *ranked)
{
	struct strbuf *stack = &folding->stack;
	bool good = true;
	for (size_t i = 0; good && i < folding->stacks.used; i++) {
		const struct counter_line line = counter_get_line(&folding->stacks, i);
		uint32_t number;
		stack->length = 0;
		for (size_t at = 0; at < line.length; at += sizeof number) {
			memcpy(&number, line.key + at, sizeof number);
			number = ranks[numbers[number]];
			const unsigned char bytes[] = { (unsigned char)(number >> 24), (unsigned char)(number >> 16),
							(unsigned char)(number >> 8), (unsigned char)number };
			strbuf_add_bytes(stack, (const char *)bytes, sizeof bytes);
		}
		good = !stack->no_memory && counter_add(ranked, stack->bytes, stack->length, line.count, NULL);
	}
	return good;
}

static void print_stack(struct out *out, const struct counter_line *stack, const struct counter_line *names)
{
	for (size_t at = 0; at < stack->length; at += 4) {
		const unsigned char *bytes = (const unsigned char *)stack->key + at;
		if (at > 0)
			out_char(out, ';');
		uint32_t rank = (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
				bytes[3];
		out_bytes(out, names[rank].key, names[rank].length);
	}
	out_char(out, ' ');
	out_decimal(out, stack->count);
	out_char(out, '\n');
}

static bool print_stacks(struct folding *folding, struct out *out)
{
	struct counter names = { .used = 0 }, ranked = { .used = 0 };
	struct counter_line *by_name = NULL, *stacks = NULL;
	uint32_t *numbers = malloc((folding->functions.used + 1) * sizeof *numbers);
	if (numbers && find_name_numbers(folding, &names, numbers))
		by_name = counter_get_sorted_lines(&names, COUNTER_BY_KEY);
	uint32_t *ranks = malloc((names.used + 1) * sizeof *ranks);
	for (size_t i = 0; ranks && by_name && i < names.used; i++)
		ranks[by_name[i].number] = (uint32_t)i;
	if (ranks && by_name && count_ranked_stacks(folding, numbers, ranks, &ranked))
		stacks = counter_get_sorted_lines(&ranked, COUNTER_BY_KEY);
	for (size_t i = 0; stacks && i < ranked.used && !out->error; i++)
		print_stack(out, &stacks[i], by_name);
	free(numbers);
	free(ranks);
	free(by_name);
	free(stacks);
	counter_clear(&names);
	counter_clear(&ranked);
	return stacks || diag_report_no_memory();
}

bool folded_run(struct addr2line_command *command, struct job_image *images, size_t count)
{
	struct folding folding = { .style = &command->style, .images = images, .image_count = count };
	struct input input = addr2line_command_make_input(command, &visitor, &folding);
	input.omit_too_long = true;
	batch_initialize(&folding.batch, &images->callers, command->lookup_flags, folding.style, push_records,
			 &folding);
	folding.style->inlines = images->inlines;
	bool good = input_visit_all(&input) && decide_second_word(&folding, SECOND_ADDRESS) &&
		    print_stacks(&folding, input.out);
	if (good && count == 1)
		query_print_hint(&images->rules, &folding.batch.seen);
	counter_clear(&folding.functions);
	counter_clear(&folding.stacks);
	strbuf_clear(&folding.undecided);
	strbuf_clear(&folding.stack);
	strbuf_clear(&folding.name);
	return good;
}
