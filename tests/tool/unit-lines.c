/* SPDX-License-Identifier: GPL-2.0-or-later */
/* src/tool/input.c: lines that arrive in pieces of any size, the longest, NULs, the last, and who waits for whom. */
#include "config.h"

#include "tests/lib/memory.h"
#include "tests/lib/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* It reads lines in functions that are static. */
#include "tool/input.c"

static struct out out;
static const struct input_visitor no_visitor;
static const struct input input = { .out = &out, .visitor = &no_visitor };

/* Feed TEXT into standard input in pieces of PIECE bytes from another process.  Returns it. */
static pid_t feed(const char *text, size_t length, size_t piece, bool slow)
{
	int fd[2];
	if (pipe(fd) < 0)
		abort();
	fflush(stdout);
	pid_t child = fork();
	if (child < 0)
		abort();
	if (child == 0) {
		close(fd[0]);
		for (size_t done = 0; done < length;) {
			ssize_t n = write(fd[1], text + done, piece < length - done ? piece : length - done);
			if (n < 0)
				_exit(1);
			done += (size_t)n;
			if (slow)
				usleep(500);
		}
		_exit(0);
	}
	close(fd[1]);
	if (slow)
		fcntl(fd[0], F_SETFL, O_NONBLOCK);
	if (dup2(fd[0], STDIN_FILENO) < 0)
		abort();
	close(fd[0]);
	return child;
}

/* What lines_get_chunk() gives, one line after the other, each with a NUL in place of its newline. */
struct reader {
	struct lines lines;
	char *text, *end;
};

static enum lines_status next_line(struct reader *reader, char **line)
{
	if (reader->text == reader->end) {
		enum lines_status status = lines_get_chunk(&reader->lines, &reader->text, &reader->end);
		if (status != LINES_SOME)
			return status;
	}
	char *newline = memchr(reader->text, '\n', (size_t)(reader->end - reader->text));
	if (!newline)
		abort();
	*newline = '\0';
	*line = reader->text;
	reader->text = newline + 1;
	return newline - *line > LINES_LENGTH_MAX ? LINES_TOO_LONG : LINES_SOME;
}

static void open_reader(struct reader *reader)
{
	lines_init(&reader->lines, &input);
	reader->text = reader->end = NULL;
}

/* All lines of standard input: each in brackets, '+' for one that is too long, its NULs as '0'. */
static void all_lines(char *result, size_t size)
{
	struct reader reader;
	char *line = NULL;
	enum lines_status status;
	size_t n = 0;
	open_reader(&reader);
	while ((status = next_line(&reader, &line)) == LINES_SOME || status == LINES_TOO_LONG)
		if (n < size)
			n += (size_t)snprintf(result + n, size - n, status == LINES_SOME ? "[%s]" : "+", line);
	if (status != LINES_END && n < size)
		snprintf(result + n, size - n, status == LINES_ERROR ? "error %s" : "no memory", strerror(errno));
	ok(next_line(&reader, &line) == status, "the end stays the end");
	free(reader.lines.buffer);
}

static void gives(const char *text, size_t length, const char *want, const char *name)
{
	static const size_t pieces[] = { 1, 2, 3, 7, 100, 1 << 20 };
	char result[1024];
	for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
		for (unsigned slow = 0; slow < (length < 100 ? 2u : 1u); slow++) {
			pid_t child = feed(text, length, pieces[i], slow);
			*result = '\0';
			all_lines(result, sizeof result);
			waitpid(child, NULL, 0);
			is_str(result, want, name);
		}
	}
}

static void small(void)
{
	gives("", 0, "", "nothing");
	gives("\n", 1, "[]", "an empty line");
	gives("\n\n\n", 3, "[][][]", "empty lines");
	gives("a\nbc\n\ndef\n", 10, "[a][bc][][def]", "lines");
	gives("a\nbc", 4, "[a][bc]", "no newline at the end");
	gives("a\n\0b\nc\0d\n", 9, "[a][][c]", "NULs end the text of a line, not the line");
	gives("a\r\n", 3, "[a\r]", "a carriage return is text");
	gives("\0", 1, "[]", "a NUL alone");
}

/* A line of LENGTH bytes between two others, or the last. */
static void of_length(size_t length, bool last, bool fits, size_t piece)
{
	char *text = needed(malloc(length + 8)), *line;
	struct reader reader;
	memcpy(text, "a\n", 2);
	memset(text + 2, 'x', length);
	memcpy(text + 2 + length, "\nb\n", 4);
	pid_t child = feed(text, length + (last ? 2 : 5), piece, false);
	open_reader(&reader);
	bool good = next_line(&reader, &line) == LINES_SOME && strcmp(line, "a") == 0;
	enum lines_status status = next_line(&reader, &line);
	good = good && (fits ? status == LINES_SOME && strlen(line) == length && strspn(line, "x") == length
			     : status == LINES_TOO_LONG);
	if (!last)
		good = good && next_line(&reader, &line) == LINES_SOME && strcmp(line, "b") == 0;
	good = good && next_line(&reader, &line) == LINES_END;
	ok(good && reader.lines.size <= 4 * (size_t)LINES_LENGTH_MAX, "a line of %lu bytes%s, %lu at a time",
	   (unsigned long)length, last ? ", the last" : "", (unsigned long)piece);
	free(reader.lines.buffer);
	waitpid(child, NULL, 0);
	free(text);
}

static void longest(void)
{
	static const size_t pieces[] = { 1000, 4096, 65536 };
	for (size_t i = 0; i < 3; i++)
		for (unsigned last = 0; last < 2; last++) {
			of_length(65534, last, true, pieces[i]);
			of_length(65535, last, true, pieces[i]);
			of_length(65536, last, true, pieces[i]);
			of_length(LINES_LENGTH_MAX - 1, last, true, pieces[i]);
			of_length(LINES_LENGTH_MAX, last, true, pieces[i]);
			of_length(LINES_LENGTH_MAX + 1, last, false, pieces[i]);
			of_length(2 * LINES_LENGTH_MAX, last, false, pieces[i]);
			of_length(5 * LINES_LENGTH_MAX + 3, last, false, pieces[i]);
		}
}

/* So many lines that the buffer is refilled many times: none is lost or cut. */
static void many(void)
{
	enum { LINES = 50000 };
	char *text = needed(malloc(LINES * 16)), want[16], *line;
	size_t length = 0;
	struct reader reader;
	unsigned wrong = 0;
	for (unsigned i = 0; i < LINES; i++)
		length += (size_t)sprintf(text + length, "%x%.*s\n", i, (int)(i % 7), "zzzzzz");
	pid_t child = feed(text, length, 997, false);
	open_reader(&reader);
	for (unsigned i = 0; i < LINES; i++) {
		snprintf(want, sizeof want, "%x%.*s", i, (int)(i % 7), "zzzzzz");
		wrong += next_line(&reader, &line) != LINES_SOME || strcmp(line, want) != 0;
	}
	ok(wrong == 0 && next_line(&reader, &line) == LINES_END, "%u lines", (unsigned)LINES);
	free(reader.lines.buffer);
	waitpid(child, NULL, 0);
	free(text);
}

/* A client that sends one line and waits for the answer.  The answer must come although more input may. */
static void coprocess(void)
{
	int to[2], from[2], status = 0;
	char buffer[16];
	unsigned answered = 0;
	if (pipe(to) < 0 || pipe(from) < 0)
		abort();
	fflush(stdout);
	pid_t child = fork();
	if (child < 0)
		abort();
	if (child == 0) {
		struct reader reader;
		char *line;
		dup2(to[0], STDIN_FILENO);
		dup2(from[1], STDOUT_FILENO);
		close(to[1]);
		close(from[0]);
		alarm(20);
		open_reader(&reader);
		while (next_line(&reader, &line) == LINES_SOME)
			out_text(&out, line);
		free(reader.lines.buffer);
		_exit(out.used != 0); /* the end of input was waited for as well */
	}
	close(to[0]);
	close(from[1]);
	alarm(20);
	for (unsigned i = 0; i < 3; i++)
		if (write(to[1], "ab\n", 3) == 3 && read(from[0], buffer, sizeof buffer) == 2)
			answered++;
	/* Two lines and a half: two answers, in one write. */
	answered += write(to[1], "cd\nef\ngh", 8) == 8 && read(from[0], buffer, sizeof buffer) == 4;
	close(to[1]);
	waitpid(child, &status, 0);
	close(from[0]);
	alarm(0);
	is_uint(answered, 4, "a client that waits for each answer gets it");
	ok(WIFEXITED(status), "and the other end stops");
}

/* All that a file has is there already: nobody waits for an answer, so writes are as large as can be. */
static void from_file(void)
{
	char name[] = "unit-lines.XXXXXX", *line;
	struct reader reader;
	size_t count = 0;
	int fd = mkstemp(name);
	if (fd < 0)
		abort();
	unlink(name);
	for (int i = 0; i < 1000; i++) {
		char text[400];
		memset(text, 'a', sizeof text);
		text[sizeof text - 1] = '\n';
		if (write(fd, text, sizeof text) != sizeof text)
			abort();
	}
	lseek(fd, 0, SEEK_SET);
	dup2(fd, STDIN_FILENO);
	close(fd);
	out.used = 0;
	open_reader(&reader);
	while (next_line(&reader, &line) == LINES_SOME) {
		out_char(&out, 'x');
		count++;
	}
	free(reader.lines.buffer);
	is_uint(count, 1000, "lines of a file");
	is_uint(out.used, 1000, "nothing is flushed between them");
	out.used = 0;
}

static void no_input(void)
{
	char result[256] = "";
	int fd = open("/", O_RDONLY);
	if (fd >= 0) {
		dup2(fd, STDIN_FILENO);
		close(fd);
		all_lines(result, sizeof result);
		is_str(result, "", "a directory is an empty input");
	}
	close(STDIN_FILENO);
	all_lines(result, sizeof result);
	ok(strncmp(result, "error", 5) == 0, "a closed input is an error");
}

int main(void)
{
	signal(SIGPIPE, SIG_IGN);
	small();
	longest();
	many();
	coprocess();
	from_file();
	no_input();
	return done_testing();
}
