// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/tsv.h"
#include "tool/diag.h"
#include "tool/file.h"

#include <stdlib.h>
#include <string.h>

enum { ADDRESS, SIZE, FUNCTION, SOURCE_FILE, LINE, DEPTH, FIELDS };

/* The field at *AT, which ends at a tab or the line's end, without its escapes; *AT is where the next one begins, or
   NULL. */
static char *next_field(char **at)
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

static bool number(const char *text, int base, uint64_t highest, uint64_t *ret)
{
	char *end;
	if (!((*text >= '0' && *text <= '9') || (base == 16 && ((*text | 0x20) >= 'a' && (*text | 0x20) <= 'f'))))
		return false;
	*ret = strtoull(text, &end, base);
	return *end == '\0' && *ret <= highest;
}

/* The row of a line.  What is wrong with it, or NULL; *IS_ROW says whether there is one at all. */
static const char *parse(char *line, struct rossym_row *row, bool *is_row)
{
	char *fields[FIELDS];
	int count = 0;
	for (char *at = line; at && count < FIELDS; count++)
		fields[count] = next_field(&at);
	uint64_t line_number, depth = 0;
	*row = (struct rossym_row){ .rva = 0 };
	if (count < DEPTH)
		return "not as many fields as --dump prints";
	if (!number(fields[ADDRESS], 16, UINT64_MAX, &row->rva))
		return "the first field is not a hexadecimal address";
	if (row->rva > UINT32_MAX)
		return "an address of more than 32 bits";
	if (!number(fields[LINE], 10, UINT32_MAX, &line_number))
		return "the fifth field is not a line number";
	if (count > DEPTH && !number(fields[DEPTH], 10, UINT32_MAX, &depth))
		return "the sixth field is not a depth";
	row->function = fields[FUNCTION];
	row->file = fields[SOURCE_FILE];
	row->line = (uint32_t)line_number;
	*is_row = depth == 0;
	return NULL;
}

bool tsv_add(const char *name, char *text, size_t size, struct rossym_builder *builder, tsv_path_fn *map_path,
	     void *context)
{
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
		struct rossym_row row;
		struct rossym_error err;
		bool is_row = false;
		const char *wrong = *line ? parse(line, &row, &is_row) : NULL;
		if (!wrong && is_row && !(row.file = map_path(context, row.file)))
			wrong = "out of memory";
		if (!wrong && is_row && rossym_builder_add(builder, &row, &err) < 0)
			wrong = err.what;
		if (wrong) {
			diag("%s:%lu: %s", name, line_number, wrong);
			good = false;
		}
		line = next;
	}
	return good;
}

bool tsv_read(const char *path, struct rossym_builder *builder, tsv_path_fn *map_path, void *context)
{
	struct file file;
	if (!file_read_text(path, &file))
		return false;
	bool good = tsv_add(path, (char *)file.bytes, file.size, builder, map_path, context);
	free(file.bytes);
	return good;
}
