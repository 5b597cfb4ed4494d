// SPDX-License-Identifier: GPL-2.0-or-later
/* source-lines.c - read source files whole, keep the last 16, and cut lines out of them */
#include "config.h"
#include "log/scan/source-lines.h"
#include "log/read/chars.h"
#include "tool/diag.h"
#include "tool/mask.h"
#include "tool/wait.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/compat.h"

enum {
	CACHED_FILES = 16,
	FILE_SIZE_MAX = 16 << 20,
	PATH_LENGTH_MAX = 1024,
};

struct source_text {
	char *file;    /* the name in the symbol table; NULL if this entry is free */
	char *content; /* NULL if the file cannot be read */
	size_t size;
	size_t *lines; /* where each line begins, and at [line_count] where the last ends */
	size_t line_count;
};

struct sources {
	const char *root;
	bool found;				 /* at least one file existed */
	struct source_text cached[CACHED_FILES]; /* the last used one comes first */
};

struct sources *sources_new(const char *root)
{
	struct sources *sources = calloc(1, sizeof *sources);
	if (sources)
		sources->root = root;
	return sources;
}

static void forget_source_text(struct source_text *source)
{
	free(source->file);
	free(source->content);
	free(source->lines);
	*source = (struct source_text){ .file = NULL };
}

void sources_free(struct sources *sources)
{
	for (size_t i = 0; sources && i < CACHED_FILES; i++)
		forget_source_text(&sources->cached[i]);
	free(sources);
}

void sources_warn_if_none(const struct sources *sources)
{
	if (sources && sources->cached[0].file && !sources->found)
		diag_warning("no source file was found below %s (-v names them)", sources->root);
}

/* Write to PATH, of SIZE bytes, the name FILE as a relative path with "/", without drive, "." and "..".  Returns the
   length of the path; 0 if nothing is left, or if it does not fit. */
static size_t make_relative_path(const char *file, char *path, size_t size)
{
	size_t used = 0;
	if (is_letter(file[0]) && file[1] == ':')
		file += 2;
	while (*file) {
		size_t n = 0;
		while (file[n] && !is_separator(file[n]))
			n++;
		if (n == 2 && file[0] == '.' && file[1] == '.') {
			while (used > 0 && path[--used] != '/')
				;
		} else if (n > 0 && !(n == 1 && file[0] == '.')) {
			if (used + n + 2 > size)
				return 0;
			if (used > 0)
				path[used++] = '/';
			memcpy(path + used, file, n);
			used += n;
		}
		file += n;
		while (is_separator(*file))
			file++;
	}
	path[used] = '\0';
	return used;
}

/* Open PATH, which make_relative_path() has made, below ROOT.  Returns a descriptor, or -1 with errno.  O_NONBLOCK is
   set, because opening a FIFO must not wait. */
static int open_below(const char *root, const char *path)
{
	char whole[PATH_LENGTH_MAX * 2];
	size_t a = strlen(root), b = strlen(path);
	if (a + b + 2 > sizeof whole) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(whole, root, a);
	whole[a] = '/';
	memcpy(whole + a + 1, path, b + 1);
	return open(whole, O_RDONLY | O_BINARY | O_CLOEXEC | O_NONBLOCK);
}

static const char out_of_memory[] = "out of memory";

/* Read the file FD into SOURCE.  Returns NULL, or why this has failed. */
static const char *read_source_file(int fd, struct source_text *source)
{
	struct stat st;
	if (fstat(fd, &st) < 0)
		return strerror(errno);
	if (!S_ISREG(st.st_mode))
		return S_ISDIR(st.st_mode) ? strerror(EISDIR) : "not a regular file";
	if (st.st_size > FILE_SIZE_MAX)
		return "larger than 16 MiB";
	size_t size = (size_t)st.st_size;
	char *content = malloc(size + 1);
	if (!content)
		return out_of_memory;
	ssize_t n = wait_read_all(fd, content, size);
	if (n != (ssize_t)size) {
		int number = errno;
		free(content);
		return n < 0 ? strerror(number) : "it became shorter while it was read";
	}
	source->content = content;
	source->size = size;
	return NULL;
}

static bool find_line_begins(struct source_text *source)
{
	size_t count = 1;
	if (source->size == 0)
		return true;
	for (size_t i = 0; i < source->size; i++)
		count += source->content[i] == '\n' && i + 1 < source->size;
	source->lines = malloc((count + 1) * sizeof *source->lines);
	if (!source->lines)
		return false;
	source->line_count = count;
	size_t line = 0;
	source->lines[line++] = 0;
	for (size_t i = 0; i + 1 < source->size; i++)
		if (source->content[i] == '\n')
			source->lines[line++] = i + 1;
	source->lines[line] = source->size;
	return true;
}

/* Find FILE, and read it into SOURCE.  Returns NULL, or why this has failed; "" if FILE does not exist. */
static const char *load_source_text(const struct sources *sources, struct source_text *source, const char *file)
{
	char path[PATH_LENGTH_MAX];
	int fd = -1, number = 0;
	if (make_relative_path(file, path, sizeof path) == 0)
		return "";
	/* Try "home/a/reactos/ntoskrnl/ke/bug.c", then "a/reactos/ntoskrnl/ke/bug.c", and so on.  Return the first
	   error other than "does not exist". */
	for (const char *tail = path; fd < 0 && tail; tail = strchr(tail, '/')) {
		tail += *tail == '/';
		fd = open_below(sources->root, tail);
		if (fd < 0 && number == 0 && errno != ENOENT && errno != ENOTDIR && errno != ENAMETOOLONG)
			number = errno;
	}
	if (fd < 0)
		return number ? strerror(number) : "";
	const char *why = read_source_file(fd, source);
	close(fd);
	if (why || find_line_begins(source))
		return why;
	free(source->content);
	source->content = NULL;
	return out_of_memory;
}

/* Warn that FILE cannot be read because of WHY.  Many files do not exist (WHY is ""): warn of these only if VERBOSE. */
static void warn_missing_source(const struct sources *sources, const char *file, const char *why, bool verbose)
{
	enum { SHOWN = 255 };
	if (*why)
		diag_warning("%.*s: cannot read the source file below %s: %s", SHOWN, file, sources->root, why);
	else if (verbose)
		diag_warning("%.*s: no such source file below %s", SHOWN, file, sources->root);
}

/* Returns the text of FILE; if it is not cached, reads it in place of the one used longest ago.  NULL: no memory. */
static struct source_text *get_source_text(struct sources *sources, const char *file, bool verbose)
{
	size_t i = 0;
	struct source_text *first = &sources->cached[0];
	while (i < CACHED_FILES - 1 && !(sources->cached[i].file && strcmp(sources->cached[i].file, file) == 0))
		i++;
	struct source_text source = sources->cached[i];
	memmove(first + 1, first, i * sizeof *first);
	*first = source;
	if (source.file && strcmp(source.file, file) == 0)
		return first;
	forget_source_text(first);
	first->file = strdup(file);
	const char *why = first->file ? load_source_text(sources, first, file) : out_of_memory;
	if (why == out_of_memory) {
		forget_source_text(first);
		return NULL;
	}
	if (why)
		warn_missing_source(sources, file, why, verbose);
	sources->found |= !why || *why;
	return first;
}

static const char dimmed[] = "\033[2m", plainly[] = "\033[0m";

/* Append the line "| ----", which separates the lines up to that of the answer from those after it. */
static void add_separator(struct strbuf *text, bool dim)
{
	strbuf_add(text, dim ? dimmed : "");
	strbuf_add(text, "| ----");
	strbuf_add(text, dim ? plainly : "");
	strbuf_add_char(text, '\n');
}

/* Append LINE of SOURCE as "| 0123  text", with at least four digits. */
static void add_line(struct strbuf *text, const struct source_text *source, size_t line, bool dim)
{
	const char *from = source->content + source->lines[line - 1], *end = source->content + source->lines[line];
	while (end > from && (end[-1] == '\n' || end[-1] == '\r'))
		end--;
	strbuf_add(text, dim ? dimmed : "");
	strbuf_add(text, "| ");
	for (size_t limit = 1000; limit > line; limit /= 10)
		if (limit > 1)
			strbuf_add_char(text, '0');
	strbuf_add_decimal(text, line);
	strbuf_add(text, "  ");
	while (from < end) {
		const char *tab = memchr(from, '\t', (size_t)(end - from));
		size_t n = (size_t)((tab ? tab : end) - from);
		strbuf_add_masked(text, from, n);
		if (tab)
			strbuf_add_char(text, '\t');
		from += n + (tab != NULL);
	}
	strbuf_add(text, dim ? plainly : "");
	strbuf_add_char(text, '\n');
}

struct sources_range sources_add_lines(struct sources *sources, struct strbuf *text, const struct settings *settings,
				       const char *file, uint32_t line)
{
	const struct source_text *source = line ? get_source_text(sources, file, settings->verbose) : NULL;
	size_t before = settings->source_before;
	struct sources_range range = { text->length, text->length };
	text->no_memory |= line && !source;
	if (!source || !source->content)
		return range;
	if (line > source->line_count) {
		strbuf_addf(text, "| S--- source has only %zu lines! (check source/revision)\n", source->line_count);
		return range;
	}
	for (size_t i = line > before ? line - before + 1 : 1; i <= line; i++) {
		range.begin = text->length;
		add_line(text, source, i, settings->color && i != line);
	}
	range.end = text->length > range.begin ? text->length - 1 : range.begin;
	add_separator(text, settings->color);
	for (size_t i = (size_t)line + 1; i <= source->line_count && i - line <= settings->source_after; i++)
		add_line(text, source, i, settings->color);
	return range;
}

static bool begins_with(const char *text, size_t length, const char *word)
{
	const size_t n = strlen(word);
	return length >= n && memcmp(text, word, n) == 0;
}

/* Whether LINE begins like a line that sources_add_lines() makes, without color. */
static bool has_source_form(const char *line, size_t length)
{
	enum { FEWEST_DIGITS = 4, DIGITS_MAX = 10 };
	size_t n = 2;
	if (!begins_with(line, length, "| "))
		return false;
	while (n < length && n - 2 < DIGITS_MAX && is_digit(line[n]))
		n++;
	if (n - 2 >= FEWEST_DIGITS)
		return begins_with(line + n, length - n, "  ");
	return begins_with(line + 2, length - 2, "----") || begins_with(line + 2, length - 2, "S---");
}

enum sources_line sources_classify_line(const char *line, size_t length)
{
	static const char last[] = SOURCES_END;
	const bool dim = begins_with(line, length, dimmed);
	if (dim) {
		line += sizeof dimmed - 1;
		length -= sizeof dimmed - 1;
	}
	if (has_source_form(line, length))
		return SOURCES_LINE;
	return !dim && length == sizeof last - 1 && begins_with(line, length, last) ? SOURCES_LAST : SOURCES_NO_LINE;
}
