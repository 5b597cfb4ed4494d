// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "embed/tsv.h"
#include "tool/ascii.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The fields of a line, in their order.  The depth may be missing: older versions of --dump print none. */
enum { ADDRESS, SIZE, FUNCTION, SOURCE_FILE, LINE, DEPTH, FIELDS };

/* Returns the field at *AT, which ends at a tab or at the end of the line, with its escapes replaced.  *AT moves to the
   next field; after the last field it becomes NULL. */
static char *read_next_field(char **at)
{
	char *field = *at, *to = field, *from = field;
	for (; *from && *from != '\t'; from++) {
		char c = *from;
		if (c == '\\' && from[1]) {
			c = *++from;
			c = c == 't' ? '\t' : c == 'n' ? '\n' : c;
		}
		*to++ = c;
	}
	*at = *from ? from + 1 : NULL;
	*to = '\0';
	return field;
}

/* Store the number TEXT in *RET.  Returns false if TEXT is not just a number without a sign, or is above HIGHEST. */
static bool parse_number(const char *text, int base, uint64_t highest, uint64_t *ret)
{
	char *end;
	if (!is_digit(*text) && (base != 16 || !is_hex(*text)))
		return false;
	*ret = strtoull(text, &end, base);
	return *end == '\0' && *ret <= highest;
}

/* A line that was parsed: a row, a frame or a function. */
struct parsed {
	struct rossym_new_row row;
	bool is_function;
	uint64_t size;	/* of a function */
	uint64_t depth; /* of a frame; 0: a row or a function */
	unsigned long line_number;
};

/* Parse LINE into *RET; this changes LINE.  Returns NULL, or what is wrong with LINE. */
static const char *parse_row(char *line, struct parsed *ret)
{
	char *fields[FIELDS];
	int count = 0;
	for (char *at = line; at && count < FIELDS; count++)
		fields[count] = read_next_field(&at);
	uint64_t line_number;
	struct rossym_new_row *row = &ret->row;
	*row = (struct rossym_new_row){ .size = sizeof *row };
	ret->depth = 0;
	if (count < DEPTH)
		return "not as many fields as --dump prints";
	if (!parse_number(fields[ADDRESS], 16, UINT64_MAX, &row->rva))
		return "the first field is not a hexadecimal address";
	if (row->rva > UINT32_MAX)
		return "an address of more than 32 bits";
	if (!parse_number(fields[LINE], 10, UINT32_MAX, &line_number))
		return "the fifth field is not a line number";
	ret->is_function = count > DEPTH && strcmp(fields[DEPTH], "-1") == 0;
	if (ret->is_function && !parse_number(fields[SIZE], 10, UINT32_MAX, &ret->size))
		return "the second field is not a function's size";
	if (!ret->is_function && count > DEPTH && !parse_number(fields[DEPTH], 10, UINT32_MAX, &ret->depth))
		return "the sixth field is not a depth";
	row->function = fields[FUNCTION];
	row->file = fields[SOURCE_FILE];
	row->line = (uint32_t)line_number;
	return NULL;
}

enum { FRAMES_MAX = 513 }; /* the most elements of `chain`: a row, and the longest chain of frames around it */

struct reader {
	struct rossym_error *err;
	struct rossym_builder *builder;
	struct paths *paths;
	struct parsed chain[FRAMES_MAX]; /* a row and its outer frames, as far as they have been read */
	size_t count;
};

/* Store in *reader->err that WHAT is wrong in line LINE_NUMBER.  Returns false. */
static bool fail_at_line(const struct reader *reader, unsigned long line_number, const char *what)
{
	*reader->err = (struct rossym_error){ .code = ROSSYM_EREFUSED, .offset = line_number };
	snprintf(reader->err->what, sizeof reader->err->what, "%s", what);
	return false;
}

/* Add the row in `chain`, and its frames.  The outermost frame comes first, because every other frame, and the row, is
   added with the number of the frame around it. */
static bool add_row_and_frames(struct reader *reader)
{
	struct rossym_error err;
	uint32_t outer = 0;
	for (; reader->count > 0; reader->count--) {
		struct parsed *parsed = &reader->chain[reader->count - 1];
		struct rossym_new_row *row = &parsed->row;
		row->file = paths_shown_path(reader->paths, row->file);
		if (!row->file)
			return fail_at_line(reader, parsed->line_number, "out of memory");
		row->outer = outer;
		struct rossym_new_frame frame = { sizeof frame, row->function, row->file, row->line, outer };
		if ((reader->count == 1 ? rossym_builder_add(reader->builder, row, &err)
					: rossym_builder_add_frame(reader->builder, &frame, &outer, &err)) < 0)
			return fail_at_line(reader, parsed->line_number, err.what);
	}
	return true;
}

static bool add_function(struct reader *reader, const struct parsed *parsed)
{
	struct rossym_error err;
	struct rossym_new_function function = { .size = sizeof function,
						.name = parsed->row.function,
						.rva = (uint32_t)parsed->row.rva,
						.length = (uint32_t)parsed->size };
	return rossym_builder_add_function(reader->builder, &function, &err) == 0 ||
	       fail_at_line(reader, parsed->line_number, err.what);
}

static bool parse_and_add_line(struct reader *reader, char *line, unsigned long line_number)
{
	struct parsed parsed = { .line_number = line_number };
	const char *what = parse_row(line, &parsed);
	if (what)
		return fail_at_line(reader, line_number, what);
	if (parsed.depth > 0) {
		/* Ignore a frame whose row is missing: the user may have removed that row from the dump. */
		if (reader->count == 0 || parsed.row.rva != reader->chain[0].row.rva)
			return true;
		if (parsed.depth != reader->count)
			return fail_at_line(reader, line_number, "the frame around it does not follow the one inside");
		if (reader->count == FRAMES_MAX)
			return fail_at_line(reader, line_number, "more frames than a table can have");
		reader->chain[reader->count++] = parsed;
		return true;
	}
	if (!add_row_and_frames(reader))
		return false;
	if (parsed.is_function)
		return add_function(reader, &parsed);
	reader->chain[reader->count++] = parsed;
	return true;
}

bool tsv_add_lines(char *text, size_t size, struct rossym_builder *builder, struct paths *paths,
		   struct rossym_error *err)
{
	struct reader reader = { .err = err, .builder = builder, .paths = paths };
	bool good = true;
	unsigned long line_number = 1;
	char *end = text + size;
	for (char *line = text; line < end && good; line_number++) {
		char *newline = memchr(line, '\n', (size_t)(end - line));
		char *next = newline ? newline + 1 : end;
		if (newline)
			*newline = '\0';
		if (newline && newline > line && newline[-1] == '\r')
			newline[-1] = '\0';
		if (*line)
			good = parse_and_add_line(&reader, line, line_number);
		line = next;
	}
	return good && add_row_and_frames(&reader);
}
