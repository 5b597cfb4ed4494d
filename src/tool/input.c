// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/input.h"
#include "tool/diag.h"
#include "tool/wait.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---------------------------------------------------------------------------------------- reading standard input */

/* Standard input, read in chunks of whole lines or of whole numbers.  Each read() gets as much as has arrived. */
struct lines {
	const struct input *input;
	char *buffer;
	size_t size, begin, end; /* the bytes from BEGIN to END have been read, but not returned to the caller */
	bool at_end;
	bool is_file;
	uint64_t file_size; /* the size of standard input in bytes, if it is a file; else 0 */
};

enum lines_status {
	LINES_END,	/* the input has ended */
	LINES_SOME,	/* there is a chunk */
	LINES_TOO_LONG, /* a line of more than LINES_LENGTH_MAX bytes was skipped */
	LINES_NO_MEMORY,
	LINES_ERROR, /* a read error, in errno */
};

static void lines_init(struct lines *lines, const struct input *input)
{
	struct stat st;
	*lines = (struct lines){ .input = input };
	lines->is_file = fstat(STDIN_FILENO, &st) == 0 && S_ISREG(st.st_mode);
	lines->file_size = lines->is_file ? (uint64_t)st.st_size : 0;
}

/* Make room in the buffer for at least one byte, and for a newline that the last line may lack.  False: no memory. */
static bool make_buffer_room(struct lines *lines)
{
	if (lines->begin > 0) {
		memmove(lines->buffer, lines->buffer + lines->begin, lines->end - lines->begin);
		lines->end -= lines->begin;
		lines->begin = 0;
	}
	if (lines->end + 1 < lines->size)
		return true;
	enum { FIRST_SIZE = 65536 };
	const size_t first = lines->input->read_size ? lines->input->read_size : FIRST_SIZE;
	const size_t size = lines->size ? lines->size * 2 : first;
	char *buffer = realloc(lines->buffer, size + LINES_SLACK);
	if (!buffer)
		return false;
	lines->buffer = buffer;
	lines->size = size;
	return true;
}

/* Read as many bytes as have arrived, at least one.  LINES_END: there are none, because the input has ended. */
static enum lines_status read_arrived_bytes(struct lines *lines)
{
	if (!make_buffer_room(lines))
		return LINES_NO_MEMORY;
	if (lines->input->visitor->before_read)
		lines->input->visitor->before_read(lines->input->data);
	if (!lines->is_file)
		out_flush(lines->input->out);
	ssize_t n = wait_read(STDIN_FILENO, lines->buffer + lines->end, lines->size - lines->end - 1);
	if (n > 0) {
		lines->end += (size_t)n;
		return LINES_SOME;
	}
	/* A directory is an empty input, as for GNU addr2line. */
	if (n < 0 && errno != EISDIR)
		return LINES_ERROR;
	lines->at_end = true;
	return LINES_END;
}

/* Returns the byte after the last newline in the buffer; NULL: there is none.  The first SEARCHED bytes are known to
   have no newline. */
static char *find_after_last_newline(const struct lines *lines, size_t searched)
{
	const char *first = lines->buffer + lines->begin + searched;
	for (char *p = lines->buffer + lines->end; p > first; p--)
		if (p[-1] == '\n')
			return p;
	return NULL;
}

/* Skip a line that is too long, up to its newline or the end of the input. */
static enum lines_status skip_too_long_line(struct lines *lines)
{
	for (;;) {
		const char *begin = lines->buffer + lines->begin;
		const char *newline = memchr(begin, '\n', lines->end - lines->begin);
		lines->begin = newline ? (size_t)(newline + 1 - lines->buffer) : lines->end;
		if (newline || lines->at_end)
			return LINES_TOO_LONG;
		enum lines_status status = read_arrived_bytes(lines);
		if (status == LINES_NO_MEMORY || status == LINES_ERROR)
			return status;
	}
}

/* Get as many lines as have arrived, at least one: from *TEXT up to *END, each with its newline; the last line of the
   input gets one if it has none.  The caller may change them; they are valid until the next call.  If a line has more
   than LINES_LENGTH_MAX bytes, skips it and returns LINES_TOO_LONG.  But if one read() returns both the first byte
   beyond this limit and the newline, the line is in the chunk, so the caller must check the length of each line. */
static enum lines_status lines_get_chunk(struct lines *lines, char **text, char **end)
{
	size_t searched = 0; /* how many bytes from `begin` on are known to have no newline */
	for (;;) {
		size_t have = lines->end - lines->begin;
		char *after = have > searched ? find_after_last_newline(lines, searched) : NULL;
		if (!after && have > LINES_LENGTH_MAX)
			return skip_too_long_line(lines);
		if (!after && lines->at_end && have > 0) {
			after = lines->buffer + lines->end++; /* make_buffer_room() has left room for this newline */
			*after++ = '\n';
		}
		if (after) {
			memset(lines->buffer + lines->end, 0, LINES_SLACK);
			*text = lines->buffer + lines->begin;
			*end = after;
			lines->begin = (size_t)(after - lines->buffer);
			return LINES_SOME;
		}
		if (lines->at_end)
			return LINES_END;
		searched = have;
		enum lines_status status = read_arrived_bytes(lines);
		if (status == LINES_NO_MEMORY || status == LINES_ERROR)
			return status;
	}
}

/* Get as many bytes as have arrived, from *BYTES up to *END: a multiple of SIZE, except at the end of the input. */
static enum lines_status lines_get_bytes(struct lines *lines, size_t size, char **bytes, char **end)
{
	while (lines->end - lines->begin < size && !lines->at_end) {
		enum lines_status status = read_arrived_bytes(lines);
		if (status == LINES_NO_MEMORY || status == LINES_ERROR)
			return status;
	}
	size_t have = lines->end - lines->begin;
	if (have == 0)
		return LINES_END;
	*bytes = lines->buffer + lines->begin;
	*end = *bytes + (have < size ? have : have - have % size);
	lines->begin = (size_t)(*end - lines->buffer);
	return LINES_SOME;
}

/* ---------------------------------------------------------------------------------------- calling the visitor */

/* Tell the visitor that about COUNT addresses come next. */
static bool announce_addresses(const struct input *input, uint64_t count)
{
	return !input->visitor->expect || input->visitor->expect(input->data, count);
}

static bool call_finish(const struct input *input)
{
	return !input->visitor->finish || input->visitor->finish(input->data);
}

/* Let the visitor answer all earlier lines, so that a message comes after their answers. */
static bool wait_for_earlier_answers(const struct input *input)
{
	return !input->visitor->settle || input->visitor->settle(input->data);
}

/* Warn about a line that is too long, and skip it or visit it as an empty line. */
static bool handle_too_long_line(const struct input *input)
{
	char nothing[] = "";
	diag_warning("a line is longer than %d bytes; it is %s", LINES_LENGTH_MAX,
		     input->omit_too_long ? "left out" : "taken for address 0");
	return input->omit_too_long || input->visitor->text(input->data, nothing);
}

bool input_visit_lines(const struct input *input, char *text, char *end)
{
	const struct input_visitor *visitor = input->visitor;
	bool good = true;
	while (good && !input->out->error) {
		good = !visitor->quick || visitor->quick(input->data, &text, end);
		if (!good || text == end)
			break;
		char *newline = memchr(text, '\n', (size_t)(end - text));
		*newline = '\0';
		good = newline - text > LINES_LENGTH_MAX ? handle_too_long_line(input)
							 : visitor->text(input->data, text);
		text = newline + 1;
	}
	return good && call_finish(input);
}

/* Estimate how many addresses LENGTH bytes of input contain, and tell the visitor.  Most lines are eight digits, maybe
   after 0x. */
static bool estimate_and_announce_addresses(const struct input *input, uint64_t length)
{
	enum { LINE_LENGTH = 11 };
	return announce_addresses(input, length / (input->number_size ? input->number_size : LINE_LENGTH) + 1);
}

/* Visit the lines from TEXT up to END, through chunk() if the visitor has it. */
static bool dispatch_chunk(const struct input *input, char *text, char *end)
{
	return input->visitor->chunk ? input->visitor->chunk(input->data, text, end)
				     : input_visit_lines(input, text, end);
}

/* Returns the little-endian number of SIZE bytes at BYTES. */
static inline uint64_t read_number(const unsigned char *bytes, size_t size)
{
	uint64_t number = 0;
	for (size_t i = size; i-- > 0;)
		number = number << 8 | bytes[i];
	return number;
}

/* Call numbers() for the raw numbers in the LENGTH bytes at BYTES, then finish().  Warn if the last is incomplete. */
static bool visit_numbers(const struct input *input, const unsigned char *bytes, size_t length)
{
	uint64_t numbers[INPUT_NUMBERS];
	const size_t size = input->number_size, count = length / size;
	bool good = true;
	for (size_t done = 0, step; good && done < count && !input->out->error; done += step) {
		step = count - done < INPUT_NUMBERS ? count - done : INPUT_NUMBERS;
		for (size_t i = 0; i < step; i++)
			/* The size is a constant in both calls, so the compiler makes each call a single load. */
			numbers[i] = size == 4 ? read_number(bytes + (done + i) * 4, 4)
					       : read_number(bytes + (done + i) * 8, 8);
		good = input->visitor->numbers(input->data, numbers, step);
	}
	good = good && call_finish(input);
	if (good && length % size > 0)
		diag_warning("the input ends within a number of %zu bytes", size);
	return good;
}

/* Handle STATUS, which lines_get_chunk() or lines_get_bytes() has returned: visit the input from TEXT up to END, or
   report an error.  Returns false after an error. */
static bool visit_or_report(const struct input *input, const struct lines *lines, enum lines_status status, char *text,
			    char *end)
{
	const int number = errno;
	switch (status) {
	case LINES_SOME:
		/* If the input is a file, visit_standard_input() has already announced all addresses. */
		return (lines->file_size > 0 || estimate_and_announce_addresses(input, (size_t)(end - text))) &&
		       (input->number_size ? visit_numbers(input, (const unsigned char *)text, (size_t)(end - text))
					   : dispatch_chunk(input, text, end));
	case LINES_TOO_LONG:
		return wait_for_earlier_answers(input) && handle_too_long_line(input) && call_finish(input);
	case LINES_NO_MEMORY:
		return wait_for_earlier_answers(input) && diag_report_no_memory();
	case LINES_ERROR:
		return wait_for_earlier_answers(input) && diag("standard input: cannot read: %s", strerror(number));
	case LINES_END:
		break;
	}
	return wait_for_earlier_answers(input);
}

static bool visit_standard_input(const struct input *input)
{
	struct lines lines;
	enum lines_status status = LINES_SOME;
	char *text = NULL, *end = NULL;
	lines_init(&lines, input);
	bool good = lines.file_size == 0 || estimate_and_announce_addresses(input, lines.file_size);
	while (good && status != LINES_END && !input->out->error) {
		status = input->number_size ? lines_get_bytes(&lines, input->number_size, &text, &end)
					    : lines_get_chunk(&lines, &text, &end);
		good = visit_or_report(input, &lines, status, text, end);
	}
	free(lines.buffer);
	return good;
}

bool input_visit_all(const struct input *input)
{
	bool good = true;
	if (input->operand_count == 0)
		return visit_standard_input(input);
	for (int i = 0; i < input->operand_count && good && !input->out->error; i++)
		good = announce_addresses(input, 1) && input->visitor->text(input->data, input->operands[i]);
	return good && call_finish(input);
}
