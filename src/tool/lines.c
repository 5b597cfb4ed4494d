// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/lines.h"
#include "tool/wait.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/compat.h"

enum { FIRST_SIZE = 65536 };

void lines_open(struct lines *lines, struct out *out)
{
	struct stat status;
	memset(lines, 0, sizeof *lines);
	lines->out = out;
	lines->is_file = fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode);
}

void lines_close(struct lines *lines)
{
	free(lines->buffer);
}

/* Make room for more bytes after those in the buffer, and for a NUL. */
static bool make_room(struct lines *lines)
{
	if (lines->begin > 0) {
		memmove(lines->buffer, lines->buffer + lines->begin, lines->end - lines->begin);
		lines->end -= lines->begin;
		lines->begin = 0;
	}
	if (lines->end + 1 < lines->size)
		return true;
	size_t size = lines->size ? lines->size * 2 : lines->read_size ? lines->read_size : FIRST_SIZE;
	char *buffer = realloc(lines->buffer, size + LINES_SLACK);
	if (!buffer)
		return false;
	lines->buffer = buffer;
	lines->size = size;
	return true;
}

/* Read at least one byte, with one read() that succeeds, unless the input ends. */
static enum lines_status fill(struct lines *lines)
{
	if (!make_room(lines))
		return LINES_NO_MEMORY;
	if (lines->before_read)
		lines->before_read(lines->waiter);
	if (!lines->is_file)
		out_flush(lines->out);
	for (;;) {
		ssize_t n = read(STDIN_FILENO, lines->buffer + lines->end, lines->size - lines->end - 1);
		if (n > 0) {
			lines->end += (size_t)n;
			return LINES_LINE;
		}
		/* A directory is an empty input, as for GNU addr2line. */
		if (n == 0 || errno == EISDIR) {
			lines->at_end = true;
			return LINES_END;
		}
		if (!wait_again(STDIN_FILENO, WAIT_READ))
			return LINES_ERROR;
	}
}

/* The byte after the last newline in the buffer; NULL if there is none.  The first SEARCHED bytes have none. */
static char *behind_last_newline(const struct lines *lines, size_t searched)
{
	const char *first = lines->buffer + lines->begin + searched;
	for (char *p = lines->buffer + lines->end; p > first; p--)
		if (p[-1] == '\n')
			return p;
	return NULL;
}

enum lines_status lines_block(struct lines *lines, char **text, char **end)
{
	size_t searched = 0;
	for (;;) {
		size_t have = lines->end - lines->begin;
		char *behind = have > searched ? behind_last_newline(lines, searched) : NULL;
		if (!behind && have > LINES_LONGEST) {
			char *line;
			return lines_next(lines, &line);	/* skips a line that is too long */
		}
		if (!behind && lines->at_end && have > 0) {
			behind = lines->buffer + lines->end++;	/* there is room for a byte */
			*behind++ = '\n';
		}
		if (behind) {
			memset(lines->buffer + lines->end, 0, LINES_SLACK);
			*text = lines->buffer + lines->begin;
			*end = behind;
			lines->begin = (size_t)(behind - lines->buffer);
			return LINES_LINE;
		}
		if (lines->at_end)
			return LINES_END;
		searched = have;
		enum lines_status status = fill(lines);
		if (status == LINES_NO_MEMORY || status == LINES_ERROR)
			return status;
	}
}

enum lines_status lines_bytes(struct lines *lines, size_t size, char **bytes, char **end)
{
	while (lines->end - lines->begin < size && !lines->at_end) {
		enum lines_status status = fill(lines);
		if (status == LINES_NO_MEMORY || status == LINES_ERROR)
			return status;
	}
	size_t have = lines->end - lines->begin;
	if (have == 0)
		return LINES_END;
	*bytes = lines->buffer + lines->begin;
	*end = *bytes + (have < size ? have : have - have % size);
	lines->begin = (size_t)(*end - lines->buffer);
	return LINES_LINE;
}

enum lines_status lines_next(struct lines *lines, char **line)
{
	size_t searched = 0;	/* so many bytes from `begin` on have no newline */
	bool too_long = false;
	for (;;) {
		char *begin = lines->buffer ? lines->buffer + lines->begin : NULL;
		size_t have = lines->end - lines->begin;
		char *newline = have > searched ? memchr(begin + searched, '\n', have - searched) : NULL;
		if (newline || (lines->at_end && (have > 0 || too_long))) {
			if (!newline)
				newline = begin + have;
			*newline = '\0';
			*line = begin;
			size_t length = (size_t)(newline - begin);
			lines->begin += have > length ? length + 1 : length;
			return too_long || length > LINES_LONGEST ? LINES_TOO_LONG : LINES_LINE;
		}
		if (lines->at_end)
			return LINES_END;
		searched = have;
		if (have > LINES_LONGEST) {
			lines->begin = lines->end = searched = 0;
			too_long = true;
		}
		enum lines_status status = fill(lines);
		if (status == LINES_NO_MEMORY || status == LINES_ERROR)
			return status;
	}
}
