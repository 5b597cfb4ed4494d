// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/command/response.h"
#include "tool/array.h"
#include "tool/ascii.h"
#include "tool/diag.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* FILES_MAX: a run reads fewer response files than this, as the GNU tools do.  A file that names itself is read until
   this limit is reached, so BYTES_MAX limits the bytes of all files together. */
enum { FILES_MAX = 2000, BYTES_MAX = 1 << 26 };

/* The words of one file, to which expanded.words points.  The list keeps them reachable for leak checkers. */
struct response_file {
	struct response_file *next;
	char bytes[];
};

/* The command line with the words of the files; COUNT includes the NULL at its end.  It is never freed. */
static struct {
	char **words;
	size_t count, room;
	struct response_file *files_read;
} expanded;

/* The messages of errors, as GNU's tools print them. */
static const char is_directory[] = "error: @-file refers to a directory",
		  too_many[] = "error: too many @-files encountered", no_memory[] = "out of memory";

/* Replace word number AT of the command line by the COUNT WORDS.  False: no memory. */
static bool replace_word(size_t at, char **words, size_t count)
{
	if (!array_reserve(&expanded.words, &expanded.room, expanded.count + count, sizeof *words))
		return false;
	char **to = expanded.words + at;
	memmove(to + count, to + 1, (expanded.count - at - 1) * sizeof *to);
	if (count)
		memcpy(to, words, count * sizeof *words);
	expanded.count += count - 1;
	return true;
}

/* Whether the backslash at P is an escape.  QUOTE: the quote that P is in; '\0': none.  As in a shell, a backslash in
   single quotes is no escape, and in double quotes it is one only before some characters. */
static bool is_escape(const char *p, char quote)
{
	return quote == '\0' || (quote == '"' && strchr("$`\"\\\n", p[1]));
}

/* Split the text at P into words, in place, as GNU's tools do: words lose their quotes and backslashes, so none becomes
   longer.  A backslash before the end of a line joins two lines.  The caller frees *RET_WORDS.  False: no memory. */
static bool split_words(char *p, char ***ret_words, size_t *ret_count)
{
	char **words = NULL, *to = p;
	size_t count = 0, room = 0;
	for (;;) {
		while (is_space(*p))
			p++;
		if (!*p)
			break;
		if (!ARRAY_GROW(words, room, count)) {
			free(words);
			return false;
		}
		words[count++] = to;
		char quote = '\0';
		for (; *p && (quote || !is_space(*p)); p++) {
			if (*p == '\\' && is_escape(p, quote)) {
				if (*++p == '\0')
					break;
				if (*p != '\n')
					*to++ = *p;
			} else if (quote ? *p == quote : *p == '\'' || *p == '"') {
				quote = quote ? '\0' : *p;
			} else {
				*to++ = *p;
			}
		}
		bool more = *p != '\0';
		*to++ = '\0'; /* overwrites at most the space after the word */
		if (!more)
			break;
		p++;
	}
	*ret_words = words;
	*ret_count = count;
	return true;
}

/* Read the file PATH, of at most *LEFT bytes, and subtract its size from *LEFT.  If it cannot be read, stores NULL in
   *RET, so that the argument stays as it is.  Returns NULL, or the message of an error. */
static const char *read_response_file(const char *path, size_t *left, struct response_file **ret)
{
	FILE *f = fopen(path, "rb");
	long size = f && fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
	if (size >= 0 && fseek(f, 0, SEEK_SET) < 0)
		size = -1;
	const bool fits = size < 0 || (unsigned long)size <= *left;
	struct response_file *text = size >= 0 && fits ? malloc(sizeof *text + (size_t)size + 1) : NULL;
	const char *error = size >= 0 && fits && !text ? no_memory : NULL;
	*ret = text;
	if (text) {
		text->bytes[fread(text->bytes, 1, (size_t)size, f)] = '\0';
		*left -= (size_t)size;
	}
	if (text && ferror(f)) {
		free(text);
		*ret = NULL;
	}
	if (f)
		fclose(f);
	return fits ? error : too_many;
}

/* Replace word *AT, "@file", by the words of the file; *AT stays, because the first of these can be "@file", too.  If
   the file cannot be read, moves *AT to the next word instead.  LEFT: as for read_response_file().  Returns NULL, or
   the message of an error. */
static const char *expand_word(size_t *at, size_t *left)
{
	const char *path = expanded.words[*at] + 1;
	struct stat st;
	const bool exists = stat(path, &st) == 0;
	if (exists && S_ISDIR(st.st_mode))
		return is_directory;

	struct response_file *text = NULL;
	/* Opening a FIFO would wait for a writer, and it has no size. */
	const char *error = exists && !S_ISFIFO(st.st_mode) ? read_response_file(path, left, &text) : NULL;
	if (!text) {
		++*at;
		return error;
	}
	text->next = expanded.files_read;
	expanded.files_read = text;

	char **words;
	size_t count;
	if (!split_words(text->bytes, &words, &count))
		return no_memory;
	const bool replaced = replace_word(*at, words, count);
	free(words);
	return replaced ? NULL : no_memory;
}

int response_expand_arguments(int *argc, char ***argv)
{
	const char *error = NULL;
	int first = 1, files = 0;
	size_t left = BYTES_MAX;
	while (first < *argc && (*argv)[first][0] != '@')
		first++;
	if (first >= *argc)
		return 0;
	expanded.count = (size_t)*argc + 1;
	if (!array_reserve(&expanded.words, &expanded.room, expanded.count, sizeof *expanded.words))
		return diag_memory_exit_status();
	memcpy(expanded.words, *argv, expanded.count * sizeof *expanded.words);
	for (size_t at = (size_t)first; expanded.words[at] && !error;) {
		if (expanded.words[at][0] != '@')
			at++;
		else
			error = ++files >= FILES_MAX ? too_many : expand_word(&at, &left);
	}
	if (error)
		return !diag("%s", error);
	*argc = (int)expanded.count - 1;
	*argv = expanded.words;
	return 0;
}
