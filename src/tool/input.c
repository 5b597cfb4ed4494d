// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/input.h"
#include "tool/diag.h"
#include "tool/lines.h"

#include <errno.h>
#include <string.h>

static bool expect_addresses(const struct input *input, uint64_t count)
{
	return !input->visitor->expect || input->visitor->expect(input->data, count);
}

static bool finish_input(const struct input *input)
{
	return !input->visitor->finish || input->visitor->finish(input->data);
}

/* Let the visitor answer all earlier lines, so that a message comes after their answers. */
static bool settle_input(const struct input *input)
{
	return !input->visitor->settle || input->visitor->settle(input->data);
}

/* Warn about a line that is too long, and skip it or visit it as an empty line. */
static bool visit_too_long(const struct input *input)
{
	char nothing[] = "";
	if (input->omit_too_long) {
		diag_warning("a line is longer than %d bytes; it is left out", LINES_LENGTH_MAX);
		return true;
	}
	diag_warning("a line is longer than %d bytes; it is taken for address 0", LINES_LENGTH_MAX);
	return input->visitor->text(input->data, nothing);
}

bool input_lines(const struct input *input, char *text, char *end)
{
	const struct input_visitor *visitor = input->visitor;
	bool good = true;
	while (good && !input->out->error) {
		good = !visitor->quick || visitor->quick(input->data, &text, end);
		if (!good || text == end)
			break;
		char *newline = memchr(text, '\n', (size_t)(end - text));
		*newline = '\0';
		good = newline - text > LINES_LENGTH_MAX ? visit_too_long(input) : visitor->text(input->data, text);
		text = newline + 1;
	}
	return good && finish_input(input);
}

/* Tell expect_addresses() about how many addresses LENGTH bytes of input have.  Most lines are eight digits, perhaps after 0x. */
static bool expect_bytes(const struct input *input, uint64_t length)
{
	enum { LINE_LENGTH = 11 };
	return expect_addresses(input, length / (input->number_size ? input->number_size : LINE_LENGTH) + 1);
}

/* Call expect_addresses() for a chunk of LENGTH bytes.  If standard input is a file, visit_standard_input() has called it for the
   whole file, so do nothing. */
static bool expect_chunk(const struct input *input, const struct lines *lines, size_t length)
{
	return lines->file_size > 0 || expect_bytes(input, length);
}

/* Visit the lines from TEXT up to END, through chunk() if the visitor has it. */
static bool visit_chunk(const struct input *input, char *text, char *end)
{
	return input->visitor->chunk ? input->visitor->chunk(input->data, text, end) : input_lines(input, text, end);
}

/* Returns the little-endian number of SIZE bytes at BYTES. */
static inline uint64_t read_number(const unsigned char *bytes, size_t size)
{
	uint64_t number = 0;
	for (size_t i = size; i-- > 0;)
		number = number << 8 | bytes[i];
	return number;
}

static bool visit_numbers(const struct input *input, const unsigned char *bytes, size_t length)
{
	uint64_t numbers[INPUT_NUMBERS];
	const size_t size = input->number_size, count = length / size;
	bool good = true;
	for (size_t done = 0, step; good && done < count && !input->out->error; done += step) {
		step = count - done < INPUT_NUMBERS ? count - done : INPUT_NUMBERS;
		for (size_t i = 0; i < step; i++)
			/* With a constant size, the compiler makes a single load of read_number(). */
			numbers[i] = size == 4 ? read_number(bytes + (done + i) * 4, 4)
					       : read_number(bytes + (done + i) * 8, 8);
		good = input->visitor->numbers(input->data, numbers, step);
	}
	good = good && finish_input(input);
	if (good && length % size > 0)
		diag_warning("the input ends within a number of %zu bytes", size);
	return good;
}

/* lines_chunk() or lines_bytes() has returned STATUS: visit what it has read, from TEXT up to END, or report the error.
   Returns false when the loop must end; then *GOOD is false if an error is the reason. */
static bool visit_or_report(const struct input *input, const struct lines *lines, enum lines_status status, char *text,
			    char *end, bool *good)
{
	const int number = errno;
	switch (status) {
	case LINES_SOME:
		*good = expect_chunk(input, lines, (size_t)(end - text)) &&
			(input->number_size ? visit_numbers(input, (const unsigned char *)text, (size_t)(end - text))
					    : visit_chunk(input, text, end));
		return *good;
	case LINES_TOO_LONG:
		*good = settle_input(input) && visit_too_long(input) && finish_input(input);
		return *good;
	case LINES_NO_MEMORY:
		*good = false;
		if (settle_input(input))
			diag_no_memory();
		return false;
	case LINES_ERROR:
		*good = false;
		if (settle_input(input))
			diag("standard input: cannot read: %s", strerror(number));
		return false;
	case LINES_END:
		*good = settle_input(input);
		return false;
	}
	return false;
}

static bool visit_standard_input(const struct input *input)
{
	struct lines lines;
	enum lines_status status;
	char *text = NULL, *end = NULL;
	bool good = true, more = true;
	lines_open(&lines, input->out);
	if (input->read_size > 0)
		lines.read_size = input->read_size;
	lines.before_read = input->visitor->before_read;
	lines.waiter = input->data;
	if (lines.file_size > 0)
		good = more = expect_bytes(input, lines.file_size);
	while (more && !input->out->error) {
		status = input->number_size ? lines_bytes(&lines, input->number_size, &text, &end)
					    : lines_chunk(&lines, &text, &end);
		more = visit_or_report(input, &lines, status, text, end, &good);
	}
	lines_close(&lines);
	return good;
}

static bool visit_operands(const struct input *input)
{
	bool good = true;
	for (int i = 0; i < input->operand_count && good && !input->out->error; i++)
		good = expect_addresses(input, 1) && input->visitor->text(input->data, input->operands[i]);
	return good && finish_input(input);
}

bool input_run(const struct input *input)
{
	return input->operand_count > 0 ? visit_operands(input) : visit_standard_input(input);
}
