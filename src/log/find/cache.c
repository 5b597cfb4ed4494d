// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/find/cache.h"
#include "log/read/chars.h"
#include "log/find/writer.h"
#include "tool/array.h"
#include "tool/diag.h"
#include "tool/files/file.h"
#include "tool/text.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char head[] = "rossym-log: builds of archives, 1\n";

enum {
	MOST_ENTRIES = 4096,  /* more are not kept */
	MOST_BYTES = 4 << 20, /* of the file */
};

struct cached {
	const char *path; /* in the text of the file, or OWN */
	char *own;
	uint64_t size, time;
	struct build build;
};

struct cache {
	const char *path;
	char *text; /* the content of the file, with NULs between its fields once it is parsed */
	struct cached *entries;
	size_t count, room;
	bool parsed, changed;
	struct writer writer;
};

/* ------------------------------------------------------------------------------------------------ reading */

/* Cut the field at *P off, which ends at END.  Returns it.  NULL: there is none. */
static char *cut_field(char **p, char end)
{
	char *field = *p, *after = field ? strchr(field, end) : NULL;
	*p = after ? after + 1 : NULL;
	if (after)
		*after = '\0';
	return after ? field : NULL;
}

static bool parse_number(const char *text, uint64_t *number)
{
	size_t digits = strspn(text, "0123456789");
	*number = strtoull(text, NULL, 10);
	return digits > 0 && digits < 20 && !text[digits];
}

/* Store FIELD in TO, which has SIZE bytes, if it can be a field of a build. */
static bool parse_part(const char *field, char *to, size_t size)
{
	size_t length = strlen(field);
	for (size_t i = 0; i < length; i++)
		if (field[i] <= ' ' || field[i] > '~')
			return false;
	if (length < size)
		memcpy(to, field, length + 1);
	return length < size;
}

/* Returns a new entry, all zeros.  NULL: no memory, or too many. */
static struct cached *add_entry(struct cache *cache)
{
	struct cached *entries = cache->count < MOST_ENTRIES
					 ? array_with_room(cache->entries, &cache->room, cache->count, sizeof *entries)
					 : NULL;
	if (!entries)
		return NULL;
	cache->entries = entries;
	entries[cache->count] = (struct cached){ .path = NULL };
	return &entries[cache->count++];
}

static struct cached *find_entry(const struct cache *cache, const char *path)
{
	for (size_t i = 0; i < cache->count; i++)
		if (strcmp(cache->entries[i].path, path) == 0)
			return &cache->entries[i];
	return NULL;
}

/* Add the entry of LINE.  One that is damaged is left out. */
static void parse_line(struct cache *cache, char *line)
{
	static const char ends[] = "\t\t\t\t\t";
	struct cached entry = { .own = NULL };
	char *fields[6];
	for (size_t i = 0; i < 6; i++)
		fields[i] = i < sizeof ends - 1 ? cut_field(&line, ends[i]) : line;
	for (size_t i = 0; i < 6; i++)
		if (!fields[i])
			return;
	entry.path = fields[0];
	if (!*entry.path || !parse_number(fields[1], &entry.size) || !parse_number(fields[2], &entry.time) ||
	    !parse_part(fields[3], entry.build.version, sizeof entry.build.version) ||
	    !parse_part(fields[4], entry.build.name, sizeof entry.build.name) ||
	    !parse_part(fields[5], entry.build.commit, sizeof entry.build.commit) || find_entry(cache, entry.path))
		return;
	struct cached *added = add_entry(cache);
	if (added)
		*added = entry;
}

/* Parse the text of the file, once.  It has no more lines than entries, unless it is hostile: each line is compared
   with all entries before it. */
static void parse(struct cache *cache)
{
	char *line, *rest = cache->text ? cache->text + sizeof head - 1 : NULL;
	if (cache->parsed)
		return;
	cache->parsed = true;
	for (size_t n = 0; n < MOST_ENTRIES && (line = cut_field(&rest, '\n')) != NULL; n++)
		parse_line(cache, line);
}

/* Read the file, if there is one.  False after a message. */
static bool read_text(struct cache *cache)
{
	struct stat st;
	struct file_content file;
	if (stat(cache->path, &st) < 0 && errno == ENOENT)
		return true;
	if (!file_read(cache->path, &file))
		return false;
	cache->text = (char *)file.bytes;
	if (file.size == 0) {
		free(cache->text);
		cache->text = NULL;
	} else if (file.size > MOST_BYTES || file.size < sizeof head - 1 ||
		   memcmp(cache->text, head, sizeof head - 1) != 0) {
		diag("%s: not a cache of rossym-log; it is left as it is", cache->path);
		return false;
	}
	return true;
}

struct cache *cache_open(const char *path)
{
	struct cache *cache = calloc(1, sizeof *cache);
	if (!cache) {
		diag_out_of_memory();
		return NULL;
	}
	cache->path = path;
	if (read_text(cache) && writer_start(&cache->writer, path))
		return cache;
	free(cache->text);
	free(cache);
	return NULL;
}

/* ------------------------------------------------------------------------------------------------ entries */

/* What tells whether the archive PATH has changed.  False: it cannot be read. */
static bool get_state(const char *path, uint64_t *size, uint64_t *time)
{
	struct stat st;
	if (stat(path, &st) < 0)
		return false;
	*size = (uint64_t)st.st_size;
	*time = (uint64_t)st.st_mtime;
	return true;
}

bool cache_find(struct cache *cache, const char *path, struct build *build)
{
	uint64_t size, time;
	parse(cache);
	const struct cached *entry = find_entry(cache, path);
	if (!entry || !get_state(path, &size, &time) || size != entry->size || time != entry->time)
		return false;
	*build = entry->build;
	return true;
}

/* Whether PATH can be a field. */
static bool is_field(const char *path)
{
	return *path && !strpbrk(path, "\t\n");
}

void cache_keep(struct cache *cache, const char *path, const struct build *build)
{
	uint64_t size, time;
	parse(cache);
	if (!is_field(path) || !get_state(path, &size, &time))
		return;
	struct cached *entry = find_entry(cache, path);
	if (entry && entry->size == size && entry->time == time && build_is_equal(&entry->build, build))
		return;
	char *own = entry ? NULL : strdup(path);
	if (!entry && own && (entry = add_entry(cache)) != NULL)
		entry->path = entry->own = own;
	if (!entry) {
		free(own);
		return;
	}
	entry->size = size;
	entry->time = time;
	entry->build = *build;
	cache->changed = true;
}

/* ------------------------------------------------------------------------------------------------ writing */

static void add_entry_text(struct text *text, const struct cached *entry)
{
	text_add(text, entry->path);
	text_add_char(text, '\t');
	text_add_decimal(text, entry->size);
	text_add_char(text, '\t');
	text_add_decimal(text, entry->time);
	text_add_char(text, '\t');
	text_add(text, entry->build.version);
	text_add_char(text, '\t');
	text_add(text, entry->build.name);
	text_add_char(text, '\t');
	text_add(text, entry->build.commit);
	text_add_char(text, '\n');
}

bool cache_close(struct cache *cache)
{
	struct text text = { .bytes = NULL };
	if (!cache)
		return true;
	if (cache->changed) {
		text_add(&text, head);
		for (size_t i = 0; i < cache->count; i++)
			add_entry_text(&text, &cache->entries[i]);
	}
	bool good = !text.no_memory || diag_out_of_memory();
	good &= writer_end(&cache->writer, text.bytes, text.no_memory ? 0 : text.length);
	for (size_t i = 0; i < cache->count; i++)
		free(cache->entries[i].own);
	text_clear(&text);
	free(cache->entries);
	free(cache->text);
	free(cache);
	return good;
}
