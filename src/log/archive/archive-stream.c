// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/archive/archive-stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int archives_fail(struct archives_error *err, const char *what)
{
	struct archives_error error = { .over_budget = false };
	snprintf(error.what, sizeof error.what, "%s", what);
	*err = error;
	return -1;
}

int archives_fail_over_budget(struct archives_error *err)
{
	struct archives_error error = { .over_budget = true };
	snprintf(error.what, sizeof error.what,
		 "the budget for archives is used up: %d GiB and %d times their size, or %d entries",
		 (int)BUDGET_ARCHIVES, (int)BUDGET_A_BYTE, (int)BUDGET_STEPS);
	*err = error;
	return -1;
}

const struct compression *identify_compression(const char *bytes, size_t length)
{
	static const struct compression all[] = { { "\x1f\x8b\x08", "compressed: gzip -dc FILE | rossym-log" },
						  { "\3757zXZ", "compressed: xz -dc FILE | rossym-log" },
						  { "\x28\xb5\x2f\xfd", "compressed: zstd -dc FILE | rossym-log" } };
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (length >= strlen(all[i].begin) && memcmp(bytes, all[i].begin, strlen(all[i].begin)) == 0)
			return &all[i];
	return NULL;
}

/* How many bytes of a file are read at once.  After a skip or seek, often only the header of an entry is needed, so
   reads begin small and double up to BLOCK_SIZE. */
enum { FIRST_BLOCK = 4096, BLOCK_SIZE = 65536 };

#ifdef HAVE_LIBARCHIVE

#include <archive.h>
#include <archive_entry.h>

const bool archives_available = true;

struct unpacker {
	struct archive *a;
	struct origin origin;
	struct budget *budget;
	uint64_t at;	  /* offset of the next read; unused if the origin is an outer archive */
	size_t read_size; /* size of the next read */
	uint32_t count;	  /* how many entries unpack_go_to_next() has gone to */
	uint64_t unread;  /* the stated size of the current entry, less the bytes read of it */
	uint64_t skipped; /* bytes of earlier entries that libarchive still has to unpack: count_skipped_bytes() */
	char block[BLOCK_SIZE];
};

static int fail_with_libarchive_error(struct archive *a, struct archives_error *err)
{
	const char *text = archive_error_string(a);
	return archives_fail(err, text && *text ? text : "not an archive of a known kind");
}

/* ------------------------------------------------------------------------------- reading the bytes of an archive */

/* Whether libarchive may read more in its current call; if not, stores the error.  One call can cost any amount:
   libarchive reads the directory of a zip or 7z at once, and an entry of an ISO can be any number of gigabytes after
   the one before it.  But libarchive cannot continue after a read that failed, so reads fail only when the budget is
   far overdrawn. */
static bool check_read_budget(const struct unpacker *u, struct archives_error *err)
{
	const int64_t far = (int64_t)1 << 30;
	return u->budget->bytes >= -far || archives_fail_over_budget(err) == 0;
}

/* libarchive's read callback for a file or memory.  Sets *BLOCK to the next bytes, and returns how many they are: 0 at
   the end, or -1 after an error. */
static la_ssize_t read_file_or_memory(struct archive *a, void *data, const void **block)
{
	struct unpacker *u = data;
	struct archives_error err;
	uint64_t left = u->origin.size - u->at;
	size_t size = left < u->read_size ? (size_t)left : u->read_size;
	bool in_memory = u->origin.kind == ORIGIN_MEMORY, good = check_read_budget(u, &err);
	if (good && !in_memory && origin_read(&u->origin, u->at, u->block, size) != (int64_t)size)
		good = archives_fail(&err, "cannot read") == 0;
	if (!good) {
		archive_set_error(a, -1, "%s", err.what);
		return -1;
	}
	*block = in_memory ? (const char *)u->origin.memory + u->at : u->block;
	budget_take(u->budget, size, 0);
	u->at += size;
	u->read_size = u->read_size < BLOCK_SIZE ? u->read_size * 2 : BLOCK_SIZE;
	return (la_ssize_t)size;
}

/* libarchive's read callback for an archive in another one: like read_file_or_memory(), but reads the entry at which
   the unpacker of the outer archive is.  That unpacker subtracts the bytes from the budget. */
static la_ssize_t read_from_outer_archive(struct archive *a, void *data, const void **block)
{
	struct unpacker *u = data;
	struct archives_error err;
	int64_t n = check_read_budget(u, &err) ? unpack_data(u->origin.outer, u->block, sizeof u->block, &err) : -1;
	if (n < 0)
		archive_set_error(a, -1, "%s", err.what);
	*block = u->block;
	return (la_ssize_t)n;
}

static void set_next_read_offset(struct unpacker *u, uint64_t at)
{
	u->at = at;
	u->read_size = FIRST_BLOCK;
}

static la_int64_t skip_bytes(struct archive *a, void *data, la_int64_t request)
{
	struct unpacker *u = data;
	uint64_t left = u->origin.size - u->at, n = request < 0		       ? 0
						    : (uint64_t)request < left ? (uint64_t)request
									       : left;
	(void)a;
	set_next_read_offset(u, u->at + n);
	return (la_int64_t)n;
}

static la_int64_t move_to_offset(struct archive *a, void *data, la_int64_t offset, int whence)
{
	struct unpacker *u = data;
	uint64_t end = u->origin.size, base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? u->at : end;
	(void)a;
	if (offset < 0 ? 0 - (uint64_t)offset > base : (uint64_t)offset > end - base)
		return ARCHIVE_FATAL;
	set_next_read_offset(u, base + (uint64_t)offset);
	return (la_int64_t)u->at;
}

/* ---------------------------------------------------------- opening an archive, and going through its entries */

/* Choose the formats that libarchive may find.  FIRST: only the first entry of a zip will be read.  For that, use
   libarchive's streaming reader: it needs the entry's local header only, not the directory at the end of the zip.
   Allow a single compressed file only if ORIGIN begins like one: libarchive would take any bytes for such a file. */
static void support_formats(struct archive *a, const struct origin *origin, bool first)
{
	char begin[COMPRESSION_LENGTH];
	if (first) {
		archive_read_support_format_zip_streamable(a);
	} else if (origin->kind != ORIGIN_OUTER &&
		   origin_read(origin, 0, begin, sizeof begin) == (int64_t)sizeof begin &&
		   identify_compression(begin, sizeof begin)) {
		archive_read_support_filter_gzip(a);
		archive_read_support_filter_xz(a);
		archive_read_support_filter_zstd(a);
		archive_read_support_format_raw(a);
	} else {
		archive_read_support_format_iso9660(a);
		archive_read_support_format_zip(a);
		archive_read_support_format_7zip(a);
		archive_read_support_format_cab(a);
	}
}

struct unpacker *unpack_open(const struct origin *origin, bool first, struct budget *budget, struct archives_error *err)
{
	struct unpacker *u = malloc(sizeof *u);
	/* Set the members one by one: assigning a whole structure would clear `block`, too, for nothing. */
	if (u) {
		u->a = archive_read_new();
		u->origin = *origin;
		u->budget = budget;
		u->at = 0;
		u->read_size = FIRST_BLOCK;
		u->count = 0;
		u->unread = u->skipped = 0;
	}
	if (!u || !u->a) {
		archives_fail(err, "out of memory");
	} else {
		support_formats(u->a, origin, first);
		archive_read_set_callback_data(u->a, u);
		archive_read_set_read_callback(u->a, origin->kind == ORIGIN_OUTER ? read_from_outer_archive
										  : read_file_or_memory);
		if (origin->kind != ORIGIN_OUTER) {
			archive_read_set_skip_callback(u->a, skip_bytes);
			archive_read_set_seek_callback(u->a, move_to_offset);
		}
		if (archive_read_open1(u->a) == ARCHIVE_OK)
			return u;
		fail_with_libarchive_error(u->a, err);
	}
	unpack_close(u);
	return NULL;
}

void unpack_close(struct unpacker *unpacker)
{
	if (!unpacker)
		return;
	archive_read_free(unpacker->a);
	free(unpacker);
}

static enum container_format get_format(const struct unpacker *unpacker)
{
	switch (archive_format(unpacker->a) & ARCHIVE_FORMAT_BASE_MASK) {
	case ARCHIVE_FORMAT_ISO9660:
		return FORMAT_ISO;
	case ARCHIVE_FORMAT_ZIP:
		return FORMAT_ZIP;
	case ARCHIVE_FORMAT_7ZIP:
		return FORMAT_7Z;
	case ARCHIVE_FORMAT_CAB:
		return FORMAT_CAB;
	default:
		return FORMAT_NONE;
	}
}

/* Add the unread rest of the current entry to `skipped`, if libarchive must unpack it before a later entry: in a 7z and
   in a cabinet, which compress entries together. */
static void count_skipped_bytes(struct unpacker *u)
{
	enum container_format format = get_format(u);
	if (format == FORMAT_7Z || format == FORMAT_CAB)
		u->skipped += u->unread < UINT64_MAX - u->skipped ? u->unread : UINT64_MAX - u->skipped;
	u->unread = 0;
}

enum unpack_step unpack_go_to_next(struct unpacker *unpacker, struct unpack_entry *entry, struct archives_error *err)
{
	struct archive_entry *found;
	if (unpacker->count > 0)
		count_skipped_bytes(unpacker);
	int got = archive_read_next_header(unpacker->a, &found);
	if (got == ARCHIVE_EOF)
		return UNPACK_END;
	if (got < ARCHIVE_WARN && got != ARCHIVE_RETRY) {
		fail_with_libarchive_error(unpacker->a, err);
		return UNPACK_FAILED;
	}
	budget_take(unpacker->budget, 0, 1);
	/* RETRY: this entry is damaged, but perhaps the next one is good.  So count this entry, but give it no name. */
	*entry = (struct unpack_entry){ .number = unpacker->count++,
					.at = (uint64_t)archive_filter_bytes(unpacker->a, 0),
					.format = get_format(unpacker) };
	if (got == ARCHIVE_RETRY)
		return UNPACK_ENTRY;
	if (archive_entry_size_is_set(found) && archive_entry_size(found) > 0)
		entry->size = unpacker->unread = (uint64_t)archive_entry_size(found);
	const char *name = archive_entry_pathname(found);
	if (!name)
		name = archive_entry_pathname_utf8(found);
	budget_take(unpacker->budget, name ? ARCHIVES_NAME_WEIGHT * (uint64_t)strlen(name) : 0, 0);
	if (archive_entry_filetype(found) == AE_IFREG)
		entry->name = name;
	return UNPACK_ENTRY;
}

int64_t unpack_data(struct unpacker *unpacker, void *to, size_t size, struct archives_error *err)
{
	/* Libarchive unpacks the skipped bytes before the first byte of the entry, and cannot be stopped in between.
	   So if the budget has fewer bytes, take none. */
	if (unpacker->skipped > 0 &&
	    (unpacker->budget->bytes < 0 || unpacker->skipped > (uint64_t)unpacker->budget->bytes))
		return archives_fail_over_budget(err);
	budget_take(unpacker->budget, unpacker->skipped, 0);
	unpacker->skipped = 0;
	la_ssize_t n = archive_read_data(unpacker->a, to, size);
	if (n < 0)
		return fail_with_libarchive_error(unpacker->a, err);
	budget_take(unpacker->budget, (uint64_t)n, 0);
	unpacker->unread -= (uint64_t)n < unpacker->unread ? (uint64_t)n : unpacker->unread;
	return n;
}

#else

const bool archives_available = false;

/* Without libarchive, none of the functions below is called: archives_list_files() refuses every archive. */
struct unpacker {
	struct budget *budget;
	uint32_t count;
};

struct unpacker *unpack_open(const struct origin *origin, bool first, struct budget *budget, struct archives_error *err)
{
	(void)origin, (void)first, (void)budget, (void)err;
	return NULL;
}

void unpack_close(struct unpacker *unpacker)
{
	(void)unpacker;
}

enum unpack_step unpack_go_to_next(struct unpacker *unpacker, struct unpack_entry *entry, struct archives_error *err)
{
	(void)unpacker, (void)entry, (void)err;
	return UNPACK_END;
}

int64_t unpack_data(struct unpacker *unpacker, void *to, size_t size, struct archives_error *err)
{
	(void)unpacker, (void)to, (void)size, (void)err;
	return -1;
}

#endif

uint32_t unpack_get_count(const struct unpacker *unpacker)
{
	return unpacker->count;
}

/* Enlarge the memory at BYTES, of *ROOM bytes, to at most MOST + 1 bytes.  If it has MOST + 1 bytes already, an entry
   of more than MOST bytes has filled them, which is an error.  Returns the memory.  After an error, frees BYTES and
   returns NULL. */
static char *grow_memory(char *bytes, size_t *room, size_t most, struct archives_error *err)
{
	bool full = *room > most;
	*room = *room == 0 ? BLOCK_SIZE : *room <= most / 2 ? *room * 2 : most + 1;
	char *bigger = full ? NULL : realloc(bytes, *room);
	if (bigger)
		return bigger;
	free(bytes);
	archives_fail(err, full ? "what is in it is too big" : "out of memory");
	return NULL;
}

int unpack_whole_entry(struct unpacker *unpacker, size_t most, bool image, void **content, size_t *size,
		       struct archives_error *err)
{
	char *bytes = NULL;
	size_t room = 0, used = 0;
	int64_t n;
	do {
		if (used == room && !(bytes = grow_memory(bytes, &room, most, err)))
			return -1;
		n = unpack_data(unpacker, bytes + used, room - used, err);
		used += n > 0 ? (size_t)n : 0;
		budget_take(unpacker->budget, n > 0 ? (uint64_t)n : 0, 0);
		if (n < 0 || (image && (used < 2 || bytes[0] != 'M' || bytes[1] != 'Z'))) {
			free(bytes);
			bytes = NULL;
			break;
		}
	} while (n > 0);
	*content = bytes;
	*size = used;
	return n < 0 ? -1 : 0;
}
