// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/lines.h"
#include "tool/wait.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_SIZE = 65536 };

void lines_open(struct lines *lines, struct out *out)
{
	struct stat status;
	memset(lines, 0, sizeof *lines);
	lines->out = out;
	lines->is_file = fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode);
	lines->file_size = lines->is_file ? (uint64_t)status.st_size : 0;
}

void lines_close(struct lines *lines)
{
	free(lines->buffer);
}

/* Make room for at least one more byte in the buffer, and for a newline that the last line may
   lack.  False: no memory. */
static bool make_buffer_room(struct lines *lines)
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

/* Read as many bytes as have arrived, at least one; LINES_END: the input has ended. */
static enum lines_status read_arrived(struct lines *lines)
{
	if (!make_buffer_room(lines))
		return LINES_NO_MEMORY;
	if (lines->before_read)
		lines->before_read(lines->waiter);
	if (!lines->is_file)
		out_flush(lines->out);
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
   have none. */
static char *find_after_last_newline(const struct lines *lines, size_t searched)
{
	const char *first = lines->buffer + lines->begin + searched;
	for (char *p = lines->buffer + lines->end; p > first; p--)
		if (p[-1] == '\n')
			return p;
	return NULL;
}

/* Skip a line that is too long, up to its newline or the end of the input. */
static enum lines_status skip_line(struct lines *lines)
{
	for (;;) {
		const char *begin = lines->buffer + lines->begin;
		const char *newline = memchr(begin, '\n', lines->end - lines->begin);
		lines->begin = newline ? (size_t)(newline + 1 - lines->buffer) : lines->end;
		if (newline || lines->at_end)
			return LINES_TOO_LONG;
		enum lines_status status = read_arrived(lines);
		if (status == LINES_NO_MEMORY || status == LINES_ERROR)
			return status;
	}
}

enum lines_status lines_chunk(struct lines *lines, char **text, char **end)
{
	size_t searched = 0; /* how many bytes from `begin` on are known to have no newline */
	for (;;) {
		size_t have = lines->end - lines->begin;
		char *after = have > searched ? find_after_last_newline(lines, searched) : NULL;
		if (!after && have > LINES_LENGTH_MAX)
			return skip_line(lines);
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
		enum lines_status status = read_arrived(lines);
		if (status == LINES_NO_MEMORY || status == LINES_ERROR)
			return status;
	}
}

enum lines_status lines_bytes(struct lines *lines, size_t size, char **bytes, char **end)
{
	while (lines->end - lines->begin < size && !lines->at_end) {
		enum lines_status status = read_arrived(lines);
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
