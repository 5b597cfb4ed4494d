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

/* FILES_MAX is the limit of the GNU tools.  A file that names itself is read until this limit is reached, so the bytes
   of all files have a limit, too. */
enum { FILES_MAX = 2000, BYTES_MAX = 1 << 26 };

/* The words of one file, in a list of all files. */
struct response_file {
	struct response_file *next;
	char bytes[];
};

struct response {
	char **words;
	size_t count, room;
	struct response_file *files_read;
};

/* Replace word AT by COUNT words.  False: no memory. */
static bool replace_word(struct response *r, size_t at, char **words, size_t count)
{
	char **grown = array_for(r->words, &r->room, r->count + count, sizeof *grown);
	if (!grown)
		return false;
	r->words = grown;
	memmove(r->words + at + count, r->words + at + 1, (r->count - at - 1) * sizeof *r->words);
	if (count)
		memcpy(r->words + at, words, count * sizeof *words);
	r->count += count - 1;
	return true;
}

/* Whether the backslash at P is an escape, in quotes of the kind QUOTE; '\0': outside of quotes.  As in a shell, it is not
   an escape in single quotes, and in double quotes only before some characters. */
static bool is_escape(const char *p, char quote)
{
	return quote == '\0' || (quote == '"' && strchr("$`\"\\\n", p[1]));
}

/* Cut the text at P into words, in place, as GNU's tools do: words lose their quotes and backslashes, so none becomes
   longer.  A backslash before the end of a line joins two lines.  False: no memory. */
static bool split_words(char *p, char ***ret_words, size_t *ret_count)
{
	char **words = NULL, *to = p;
	size_t count = 0, room = 0;
	for (;;) {
		while (is_space(*p))
			p++;
		if (!*p)
			break;
		char **grown = array_with_room(words, &room, count, sizeof *grown);
		if (!grown) {
			free(words);
			return false;
		}
		words = grown;
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

/* Read the file PATH, of at most *LEFT bytes, and subtract its size from *LEFT.  *RET is NULL if it cannot be read;
   then the argument stays as it is. */
static enum response_status read_response_file(const char *path, size_t *left, struct response_file **ret)
{
	enum response_status status = RESPONSE_OK;
	struct response_file *text = NULL;
	long size;
	FILE *f = fopen(path, "rb");
	if (!f)
		return RESPONSE_OK;
	if (fseek(f, 0, SEEK_END) < 0 || (size = ftell(f)) < 0 || fseek(f, 0, SEEK_SET) < 0)
		goto out;
	if ((unsigned long)size > *left) {
		status = RESPONSE_TOO_MANY;
		goto out;
	}
	text = malloc(sizeof *text + (size_t)size + 1);
	if (!text) {
		status = RESPONSE_NO_MEMORY;
		goto out;
	}
	text->bytes[fread(text->bytes, 1, (size_t)size, f)] = '\0';
	*left -= (size_t)size;
	if (ferror(f)) {
		free(text);
		text = NULL;
	}
out:
	fclose(f);
	*ret = text;
	return status;
}

/* Replace word AT, "@file", by the words of the file.  *EXPANDED: whether that was done. */
static enum response_status expand_word(struct response *r, size_t at, size_t *left, bool *expanded)
{
	const char *path = r->words[at] + 1;
	struct stat st;
	*expanded = false;
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return RESPONSE_DIRECTORY;
	/* Opening a FIFO would wait for a writer, and it has no size. */
	if (stat(path, &st) < 0 || S_ISFIFO(st.st_mode))
		return RESPONSE_OK;

	struct response_file *text = NULL;
	enum response_status status = read_response_file(path, left, &text);
	if (!text)
		return status;
	text->next = r->files_read;
	r->files_read = text;

	char **words;
	size_t count;
	if (!split_words(text->bytes, &words, &count))
		return RESPONSE_NO_MEMORY;
	bool replaced = replace_word(r, at, words, count);
	free(words);
	*expanded = true;
	return replaced ? RESPONSE_OK : RESPONSE_NO_MEMORY;
}

enum response_status response_expand(int *argc, char ***argv, struct response **ret)
{
	int first = 1;
	while (first < *argc && (*argv)[first][0] != '@')
		first++;
	*ret = NULL;
	if (first >= *argc)
		return RESPONSE_OK;

	struct response *r = calloc(1, sizeof *r);
	if (!r)
		return RESPONSE_NO_MEMORY;
	enum response_status status = RESPONSE_NO_MEMORY;
	r->count = r->room = (size_t)*argc + 1; /* the NULL at the end of argv counts as a word */
	r->words = malloc(r->room * sizeof *r->words);
	if (!r->words)
		goto out;
	memcpy(r->words, *argv, r->count * sizeof *r->words);

	int files = 0;
	size_t left = BYTES_MAX;
	for (size_t at = (size_t)first; r->words[at];) {
		bool expanded = false;
		if (r->words[at][0] == '@') {
			status = ++files >= FILES_MAX ? RESPONSE_TOO_MANY : expand_word(r, at, &left, &expanded);
			if (status != RESPONSE_OK)
				goto out;
		}
		/* The words of a file may be "@file", too, so look at the first of them next. */
		at += !expanded;
	}
	*argc = (int)r->count - 1;
	*argv = r->words;
	*ret = r;
	return RESPONSE_OK;
out:
	response_free(r);
	return status;
}

int response_arguments(int *argc, char ***argv, struct response **ret)
{
	switch (response_expand(argc, argv, ret)) {
	case RESPONSE_OK:
		return 0;
	case RESPONSE_DIRECTORY:
		diag("error: @-file refers to a directory");
		break;
	case RESPONSE_TOO_MANY:
		diag("error: too many @-files encountered");
		break;
	case RESPONSE_NO_MEMORY:
		diag("out of memory");
		break;
	}
	return 1;
}

void response_free(struct response *response)
{
	if (!response)
		return;
	while (response->files_read) {
		struct response_file *next = response->files_read->next;
		free(response->files_read);
		response->files_read = next;
	}
	free(response->words);
	free(response);
}
