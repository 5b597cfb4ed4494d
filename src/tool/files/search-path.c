// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/files/search-path.h"
#include "tool/array.h"
#include "tool/diag.h"
#include "tool/strbuf.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool search_path_add_one(struct search_path *path, const char *text, size_t length)
{
	char *copy = ARRAY_GROW(path->items, path->room, path->count) ? copy_text(text, length) : NULL;
	if (copy)
		path->items[path->count++] = copy;
	return copy;
}

int search_path_add_path(void *path, const char *argument)
{
	return search_path_add_one(path, argument, strlen(argument)) ? -1 : diag_memory_exit_status();
}

/* Call ADD for each element of TEXT that is not empty, until ADD returns false.  TEXT may be NULL. */
static bool add_elements(struct search_path *path, const char *text, const char *separator,
			 bool (*add)(struct search_path *path, const char *text, size_t length))
{
	bool good = true;
	for (size_t length; text && *text && good; text += length + (text[length] != '\0')) {
		length = strcspn(text, separator);
		good = length == 0 || add(path, text, length);
	}
	return good;
}

bool search_path_add(struct search_path *path, const char *text)
{
#ifdef _WIN32
	return add_elements(path, text, ";", search_path_add_one);
#else
	return add_elements(path, text, ":", search_path_add_one);
#endif
}

/* Whether the LENGTH bytes at TEXT are the URL of a server, or a path on another computer. */
static bool is_on_other_computer(const char *text, size_t length)
{
	const char *colon = memchr(text, ':', length);
	/* "C://" is the root of a drive. */
	const bool is_url = colon && colon > text + 1 && text + length - colon > 2 && memcmp(colon, "://", 3) == 0;
	return is_url || (length > 1 && strchr("/\\", text[0]) && strchr("/\\", text[1]));
}

/* If the LENGTH bytes at TEXT begin with WORD and an asterisk, returns the length of WORD and the asterisk; else 0. */
static size_t match_element_prefix(const char *text, size_t length, const char *word)
{
	const size_t prefix = strlen(word);
	return length > prefix && strncasecmp(text, word, prefix) == 0 && text[prefix] == '*' ? prefix + 1 : 0;
}

/* Returns how many bytes come before the first directory in the element TEXT, of LENGTH bytes, of a symbol path. */
static size_t measure_prefixes(const char *text, size_t length)
{
	size_t skipped = match_element_prefix(text, length, "symsrv");
	if (skipped > 0) {
		const char *asterisk = memchr(text + skipped, '*', length - skipped);
		return asterisk ? (size_t)(asterisk - text) + 1 : length;
	}
	skipped = match_element_prefix(text, length, "srv");
	return skipped > 0 ? skipped : match_element_prefix(text, length, "cache");
}

/* Add the directories that TEXT names, which is one element of a symbol path, of WHOLE bytes. */
static bool add_element_directories(struct search_path *path, const char *text, size_t whole)
{
	const char *end = text + whole;
	bool good = true;
	for (text += measure_prefixes(text, whole); text < end && good; text++) {
		const char *asterisk = memchr(text, '*', (size_t)(end - text));
		const size_t length = (size_t)((asterisk ? asterisk : end) - text);
		good = length == 0 || is_on_other_computer(text, length) || search_path_add_one(path, text, length);
		text += length;
	}
	return good;
}

bool search_path_add_symbols(struct search_path *path, const char *text)
{
	return add_elements(path, text, ";", add_element_directories);
}

void search_path_clear(struct search_path *path)
{
	for (size_t i = 0; i < path->count; i++)
		free(path->items[i]);
	free(path->items);
	*path = (struct search_path){ .items = NULL };
}
