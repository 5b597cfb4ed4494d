// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * archive.c - walk through the entries of an archive, and of the archives in it
 *
 * libarchive reads a stream of entries from the beginning.  A walk either lists all entries, or goes to one place; on each level it
 * enters the archives among the entries.  Functions return 0, or -1 with a message in walk->err.
 */
#include "config.h"
#include "log/archive.h"
#include "log/chars.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_LIBARCHIVE

#include <archive.h>
#include <archive_entry.h>

const bool archives_available = true;

enum { BLOCK_SIZE = 65536 };

/* The limits of one walk. */
static const uint64_t most_bytes = UINT64_C(8) << 30;	/* bytes that are unpacked */
static const uint32_t most_entries = 1000000;
static const uint32_t most_archives = 256;
static const size_t most_held = (size_t)512 << 20;	/* bytes of inner archives in memory at a time */

struct archives {
	/* The inner archive that was read last: the file PATH, the place in it, and the bytes. */
	char *path;
	struct archives_place place;
	void *content;
	size_t size;
};

/* A walk through one file: it lists all inner files, or reads the one that is wanted. */
struct walk {
	struct archives *kept;
	const char *path;
	archives_visit *visit;
	void *data;
	bool stop;				/* VISIT returned false, or the wanted file has been read */
	const struct archives_place *wanted;	/* NULL to list */
	void *content;				/* of the wanted file */
	size_t size;
	uint64_t bytes;				/* the four that limits apply to: most_bytes, most_held and so on */
	size_t held;
	uint32_t entries, archives;
	struct archives_error *err;
};

struct archives *archives_new(void)
{
	return calloc(1, sizeof(struct archives));
}

static void forget(struct archives *archives)
{
	free(archives->path);
	free(archives->content);
	*archives = (struct archives){ .path = NULL };
}

void archives_free(struct archives *archives)
{
	if (archives)
		forget(archives);
	free(archives);
}

static int fail(struct walk *walk, const char *what)
{
	snprintf(walk->err->what, sizeof walk->err->what, "%s", what);
	return -1;
}

static int fail_archive(struct walk *walk, struct archive *a, const char *name)
{
	const char *text = archive_error_string(a);
	if (!text || !*text)
		text = "not an archive of a known kind";
	if (name)
		snprintf(walk->err->what, sizeof walk->err->what, "%.95s: %.127s", name, text);
	else
		snprintf(walk->err->what, sizeof walk->err->what, "%s", text);
	return -1;
}

static struct archive *new_reader(void)
{
	struct archive *a = archive_read_new();
	if (!a)
		return NULL;
	archive_read_support_format_iso9660(a);
	archive_read_support_format_zip(a);
	archive_read_support_format_7zip(a);
	archive_read_support_format_cab(a);
	return a;
}

/* -------------------------------------------------------------------------------------- archives in archives */

/* An entry of OUTER that libarchive reads as an archive of its own, block by block. */
struct inner {
	struct walk *walk;
	struct archive *outer;
	char block[BLOCK_SIZE];
};

static la_ssize_t read_inner(struct archive *a, void *data, const void **block)
{
	struct inner *inner = data;
	la_ssize_t n = archive_read_data(inner->outer, inner->block, sizeof inner->block);
	if (n < 0) {
		archive_set_error(a, -1, "%s", archive_error_string(inner->outer));
		return -1;
	}
	inner->walk->bytes += (uint64_t)n;
	if (inner->walk->bytes > most_bytes) {
		archive_set_error(a, -1, "unpacks to more than %u GiB", (unsigned)(most_bytes >> 30));
		return -1;
	}
	*block = inner->block;
	return n;
}

/* Read the current entry into memory.  The stated size is not trusted, so the buffer grows with what is read, up to MOST bytes. */
static int read_whole(struct walk *walk, struct archive *a, size_t most, void **ret_content, size_t *ret_size)
{
	char *content = NULL;
	size_t size = 0, used = 0;
	for (;;) {
		if (used == size) {
			size = size ? size * 2 : BLOCK_SIZE;
			char *bigger = realloc(content, size);
			if (!bigger) {
				free(content);
				return fail(walk, "out of memory");
			}
			content = bigger;
		}
		la_ssize_t n = archive_read_data(a, content + used, size - used);
		if (n < 0) {
			free(content);
			return fail_archive(walk, a, NULL);
		}
		if (n == 0)
			break;
		used += (size_t)n;
		walk->bytes += (uint64_t)n;
		if (used > most || walk->bytes > most_bytes) {
			free(content);
			return fail(walk, "what is in it is too big");
		}
	}
	*ret_content = content;
	*ret_size = used;
	return 0;
}

static bool same_place(const struct archives_place *a, const struct archives_place *b)
{
	if (a->depth != b->depth)
		return false;
	for (unsigned i = 0; i < a->depth; i++)
		if (a->entry[i] != b->entry[i])
			return false;
	return true;
}

static int walk_archive(struct walk *walk, struct archive *a, struct archives_place place);

/* Whether the extension of the name is that of an archive. */
static bool is_archive_name(const char *name)
{
	static const char *const extensions[] = { ".iso", ".zip", ".7z", ".cab" };
	size_t length = strlen(name);
	for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++) {
		size_t n = strlen(extensions[i]);
		bool same = length > n;
		for (size_t k = 0; same && k < n; k++)
			same = to_lower(name[length - n + k]) == extensions[i][k];
		if (same)
			return true;
	}
	return false;
}

/* Whether an archive's name, which is_archive_name() has accepted, ends with ".iso": only that extension has an i
   there. */
static bool is_iso(const char *name)
{
	size_t length = strlen(name);
	return length > 4 && to_lower(name[length - 3]) == 'i';
}

/* Whether the kept archive is at PLACE, or inside the archive at PLACE. */
static bool keeps_below(const struct archives *kept, const struct archives_place *place)
{
	struct archives_place outer = kept->place;
	if (!kept->path || outer.depth < place->depth)
		return false;
	outer.depth = place->depth;
	return same_place(&outer, place);
}

/* Keep CONTENT, the archive at PLACE, for the next call; frees it if it cannot be kept.  An archive inside it that is kept already
   is more useful: the files wanted next are usually in that one. */
static void keep(struct walk *walk, const struct archives_place *place, void *content, size_t size)
{
	struct archives *kept = walk->kept;
	size_t length = strlen(walk->path) + 1;
	char *path = keeps_below(kept, place) && strcmp(kept->path, walk->path) == 0 ? NULL : malloc(length);
	if (!path) {
		free(content);
		return;
	}
	memcpy(path, walk->path, length);
	forget(kept);
	*kept = (struct archives){ path, *place, content, size };
}

/* Walk through an archive inside OUTER, while it is read from OUTER. */
static int walk_stream(struct walk *walk, struct archive *outer, const char *name, const struct archives_place *place)
{
	struct archive *a = new_reader();
	struct inner *inner = malloc(sizeof *inner);
	int status;
	if (!a || !inner) {
		status = fail(walk, "out of memory");
	} else {
		inner->walk = walk;
		inner->outer = outer;
		if (archive_read_open(a, inner, NULL, read_inner, NULL) == ARCHIVE_OK)
			status = walk_archive(walk, a, *place);
		else
			status = fail_archive(walk, a, name);
	}
	archive_read_free(a);
	free(inner);
	return status;
}

/* Walk through the archive that CONTENT is; takes ownership of CONTENT. */
static int walk_memory(struct walk *walk, void *content, size_t size, const char *name,
		       const struct archives_place *place)
{
	struct archive *a = new_reader();
	int status;
	walk->held += size;
	if (!a)
		status = fail(walk, "out of memory");
	else if (archive_read_open_memory(a, content, size) == ARCHIVE_OK)
		status = walk_archive(walk, a, *place);
	else
		status = fail_archive(walk, a, name);
	archive_read_free(a);
	walk->held -= size;
	keep(walk, place, content, size);
	return status;
}

/* Walk through the current entry of OUTER, an archive.  An ISO is large, and libarchive can read it as a stream.  The others are
   read into memory: 7z needs random access, and a cabinet is read often. */
static int walk_inner(struct walk *walk, struct archive *outer, const char *name, const struct archives_place *place)
{
	void *content;
	size_t size;
	if (++walk->archives > most_archives)
		return fail(walk, "too many archives in it");
	if (is_iso(name))
		return walk_stream(walk, outer, name, place);
	if (read_whole(walk, outer, most_held - walk->held, &content, &size) < 0)
		return -1;
	return walk_memory(walk, content, size, name, place);
}

/* Returns the name of an entry in the locale's encoding, or in UTF-8 if it has no such form; or NULL. */
static const char *entry_name(struct archive_entry *entry)
{
	const char *name = archive_entry_pathname(entry);
	return name ? name : archive_entry_pathname_utf8(entry);
}

/* Walk through archive A, which is at PLACE, to its end or to the wanted file.  After an error in an inner archive, listing goes on
   with the next entry. */
static int walk_archive(struct walk *walk, struct archive *a, struct archives_place place)
{
	struct archive_entry *entry;
	unsigned level = place.depth++;
	int status = 0;
	for (uint32_t number = 0; !walk->stop; number++) {
		int got = archive_read_next_header(a, &entry);
		if (got == ARCHIVE_EOF)
			break;
		if (++walk->entries > most_entries)
			return fail(walk, "too many files in it");
		if (got == ARCHIVE_RETRY)
			continue;
		if (got < ARCHIVE_WARN)
			return fail_archive(walk, a, NULL);
		const char *name = entry_name(entry);
		if (!name || archive_entry_filetype(entry) != AE_IFREG)
			continue;
		place.entry[level] = number;
		/* ON_THE_WAY: the wanted file is this entry or inside it; without a wanted file, all are listed. */
		bool on_the_way = !walk->wanted || walk->wanted->entry[level] == number;
		bool is_archive = place.depth < ARCHIVES_DEPTH && is_archive_name(name);

		if (walk->wanted && on_the_way && walk->wanted->depth == place.depth) {
			walk->stop = true;
			return read_whole(walk, a, ARCHIVES_FILE_MAX, &walk->content, &walk->size);
		}
		if (is_archive && on_the_way) {
			if (walk_inner(walk, a, name, &place) < 0)
				status = -1;
			if (walk->wanted)
				return status;
		} else if (!walk->wanted && !walk->visit(walk->data, name, &place)) {
			walk->stop = true;
		}
		if (walk->bytes > most_bytes || walk->archives > most_archives)
			return -1;
	}
	return status;
}

static int start_at_file(struct walk *walk)
{
	struct archive *a = new_reader();
	struct archives_place place = { .depth = 0 };
	int status;
	if (!a)
		return fail(walk, "out of memory");
	if (archive_read_open_filename(a, walk->path, BLOCK_SIZE) == ARCHIVE_OK)
		status = walk_archive(walk, a, place);
	else
		status = fail_archive(walk, a, NULL);
	archive_read_free(a);
	return status;
}

/* Start the walk at the kept archive if the wanted file is in it, else at the file. */
static int start(struct walk *walk)
{
	struct archives kept = *walk->kept;
	if (!walk->wanted || !kept.path || strcmp(kept.path, walk->path) != 0 || kept.place.depth >= walk->wanted->depth)
		return start_at_file(walk);
	struct archives_place outer = *walk->wanted;
	outer.depth = kept.place.depth;
	if (!same_place(&outer, &kept.place))
		return start_at_file(walk);

	/* Take it out of `kept` while it is read: walk_memory() frees it or keeps it again. */
	*walk->kept = (struct archives){ .path = NULL };
	free(kept.path);
	return walk_memory(walk, kept.content, kept.size, NULL, &kept.place);
}

int archives_list(struct archives *archives, const char *path, archives_visit *visit, void *data,
		 struct archives_error *err)
{
	struct walk walk = { .kept = archives, .path = path, .visit = visit, .data = data, .err = err };
	return start(&walk);
}

int archives_read(struct archives *archives, const char *path, const struct archives_place *place, void **content,
		 size_t *size, struct archives_error *err)
{
	struct walk walk = { .kept = archives, .path = path, .wanted = place, .err = err };
	if (start(&walk) < 0)
		return -1;
	if (!walk.content)
		return fail(&walk, "the archive has changed");
	*content = walk.content;
	*size = walk.size;
	return 0;
}

#else

const bool archives_available = false;

struct archives *archives_new(void)
{
	return calloc(1, 1);
}

void archives_free(struct archives *archives)
{
	free(archives);
}

static int fail(struct archives_error *err)
{
	snprintf(err->what, sizeof err->what, "this program was built without libarchive");
	return -1;
}

int archives_list(struct archives *archives, const char *path, archives_visit *visit, void *data,
		 struct archives_error *err)
{
	(void)archives, (void)path, (void)visit, (void)data;
	return fail(err);
}

int archives_read(struct archives *archives, const char *path, const struct archives_place *place, void **content,
		 size_t *size, struct archives_error *err)
{
	(void)archives, (void)path, (void)place, (void)content, (void)size;
	return fail(err);
}

#endif
