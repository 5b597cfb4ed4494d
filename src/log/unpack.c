// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/unpack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int archives_fail(struct archives_error *err, const char *what)
{
	err->over_budget = false;
	snprintf(err->what, sizeof err->what, "%s", what);
	return -1;
}

int archives_over_budget(struct archives_error *err)
{
	snprintf(err->what, sizeof err->what, "the budget for archives is used up: %d GiB unpacked, or %d entries", (int)BUDGET_GIB,
		 (int)BUDGET_STEPS);
	err->over_budget = true;
	return -1;
}

#ifdef HAVE_LIBARCHIVE

#include "tool/open.h"

#include <archive.h>
#include <archive_entry.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/compat.h"

const bool archives_available = true;

enum { BLOCK_SIZE = 65536 };

struct unpacker {
	struct archive *a;
	struct origin origin;
	struct budget *budget;
	int fd;				/* of origin.path, or -1 */
	uint64_t at, end;		/* in the file or memory: what is read next, and the first byte after the archive */
	uint32_t count;
	uint64_t unread;		/* bytes of the entry, as stated, that have not been read */
	uint64_t skipped;		/* such bytes of earlier entries that have not been unpacked */
	char block[BLOCK_SIZE];
};

static int fail_archive(struct archive *a, struct archives_error *err)
{
	const char *text = archive_error_string(a);
	return archives_fail(err, text && *text ? text : "not an archive of a known kind");
}

/* ----------------------------------------------------------------------------------------- where bytes come from */

void origin_narrow(struct origin *origin, uint64_t at, uint64_t size)
{
	if (at > origin->size)
		at = origin->size;
	if (size > origin->size - at)
		size = origin->size - at;
	origin->size = size;
	if (origin->memory)
		origin->memory = (const char *)origin->memory + at;
	else
		origin->start += at;
}

int64_t origin_read(const struct origin *origin, uint64_t at, void *to, size_t size)
{
	if (at >= origin->size)
		return 0;
	if (size > origin->size - at)
		size = (size_t)(origin->size - at);
	if (origin->memory) {
		memcpy(to, (const char *)origin->memory + at, size);
		return (int64_t)size;
	}
	int fd = open_file(origin->path, false);
	size_t done = 0;
	ssize_t n = -1;
	while (fd >= 0 && done < size &&
	       (n = pread(fd, (char *)to + done, size - done, (off_t)(origin->start + at + done))) > 0)
		done += (size_t)n;
	if (fd >= 0)
		close(fd);
	return fd < 0 || n < 0 ? -1 : (int64_t)done;
}

/* libarchive reads through these functions.  Each sets *BLOCK to the next bytes, and returns how many
   they are: 0 at the end, or -1. */
static la_ssize_t read_memory(struct archive *a, void *data, const void **block)
{
	struct unpacker *u = data;
	(void)a;
	*block = (const char *)u->origin.memory + u->at;
	la_ssize_t n = (la_ssize_t)(u->end - u->at);
	u->at = u->end;
	return n;
}

static la_ssize_t read_file(struct archive *a, void *data, const void **block)
{
	struct unpacker *u = data;
	size_t size = u->end - u->at < BLOCK_SIZE ? (size_t)(u->end - u->at) : BLOCK_SIZE;
	ssize_t n = size ? pread(u->fd, u->block, size, (off_t)u->at) : 0;
	if (n < 0) {
		archive_set_error(a, -1, "cannot read");
		return -1;
	}
	u->at += (uint64_t)n;
	*block = u->block;
	return n;
}

/* Read the bytes of an archive out of the entry at which the outer unpacker is.  That counts what it unpacks.  One entry of
   an ISO can be any number of gigabytes after the one before it, so this must be able to stop.  But libarchive cannot go on
   after that, so it stops only when the budget is far overdrawn. */
static la_ssize_t read_outer(struct archive *a, void *data, const void **block)
{
	struct unpacker *u = data;
	struct archives_error err;
	int64_t n = budget_is_far_overdrawn(u->budget) ? archives_over_budget(&err)
		    : unpack_data(u->origin.outer, u->block, sizeof u->block, &err);
	if (n < 0)
		archive_set_error(a, -1, "%s", err.what);
	*block = u->block;
	return (la_ssize_t)n;
}

/* Skip and seek in a file or memory.  Offsets of libarchive count from the beginning of the archive; u->at and u->end count
   from the beginning of the file, of which the archive may be a part. */
static la_int64_t skip(struct archive *a, void *data, la_int64_t request)
{
	struct unpacker *u = data;
	uint64_t left = u->end - u->at, n = request < 0 ? 0 : (uint64_t)request < left ? (uint64_t)request : left;
	(void)a;
	u->at += n;
	return (la_int64_t)n;
}

static la_int64_t seek(struct archive *a, void *data, la_int64_t offset, int whence)
{
	struct unpacker *u = data;
	uint64_t start = u->origin.start, base = whence == SEEK_SET ? start : whence == SEEK_CUR ? u->at : u->end;
	(void)a;
	if (offset < 0 ? 0 - (uint64_t)offset > base - start : (uint64_t)offset > u->end - base)
		return ARCHIVE_FATAL;
	u->at = base + (uint64_t)offset;
	return (la_int64_t)(u->at - start);
}

/* Open the file or find the memory that the bytes come from. */
static int open_origin(struct unpacker *u, struct archives_error *err)
{
	const struct origin *origin = &u->origin;
	struct stat st;
	if (origin->outer)
		return 0;
	if (origin->memory) {
		u->end = origin->size;
		return 0;
	}
	u->fd = open_file(origin->path, false);
	if (u->fd < 0 || fstat(u->fd, &st) < 0)
		return archives_fail(err, "cannot open");
	uint64_t length = (uint64_t)st.st_size;
	u->at = origin->start < length ? origin->start : length;
	u->end = origin->size < length - u->at ? u->at + origin->size : length;
	return 0;
}

/* --------------------------------------------------------------------------------------------------- archives */

/* A zip is normally read by the directory at its end.  The FIRST entry alone is read by its own header. */
static void support_formats(struct archive *a, bool first)
{
	if (first) {
		archive_read_support_format_zip_streamable(a);
		return;
	}
	archive_read_support_format_iso9660(a);
	archive_read_support_format_zip(a);
	archive_read_support_format_7zip(a);
	archive_read_support_format_cab(a);
}

struct unpacker *unpack_open(const struct origin *origin, bool first, struct budget *budget,
			     struct archives_error *err)
{
	struct unpacker *u = malloc(sizeof *u);
	/* Not by one assignment, which would clear the block. */
	if (u) {
		u->a = archive_read_new();
		u->origin = *origin;
		u->budget = budget;
		u->fd = -1;
		u->at = u->end = 0;
		u->count = 0;
		u->unread = u->skipped = 0;
	}
	if (!u || !u->a) {
		archives_fail(err, "out of memory");
	} else if (open_origin(u, err) == 0) {
		support_formats(u->a, first);
		archive_read_set_callback_data(u->a, u);
		archive_read_set_read_callback(u->a, origin->outer ? read_outer : origin->memory ? read_memory : read_file);
		if (!origin->outer) {
			archive_read_set_skip_callback(u->a, skip);
			archive_read_set_seek_callback(u->a, seek);
		}
		if (archive_read_open1(u->a) == ARCHIVE_OK)
			return u;
		fail_archive(u->a, err);
	}
	unpack_close(u);
	return NULL;
}

void unpack_close(struct unpacker *unpacker)
{
	if (!unpacker)
		return;
	archive_read_free(unpacker->a);
	if (unpacker->fd >= 0)
		close(unpacker->fd);
	free(unpacker);
}

uint32_t unpack_count(const struct unpacker *unpacker)
{
	return unpacker->count;
}

enum unpack_format unpack_format(const struct unpacker *unpacker)
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

/* Leave the entry.  In a 7z and in a cabinet, entries are packed together: libarchive has to unpack the rest of this one
   before it can give the bytes of a later one.  In an ISO and a zip it never has to. */
static void leave_entry(struct unpacker *u)
{
	enum unpack_format format = unpack_format(u);
	if (format == FORMAT_7Z || format == FORMAT_CAB)
		u->skipped += u->unread < UINT64_MAX - u->skipped ? u->unread : UINT64_MAX - u->skipped;
	u->unread = 0;
}

/* Take from the budget what libarchive has to unpack before it gives the first byte of the entry.  It cannot be stopped then, so
   that must be there. */
static int pay_for_skipped(struct unpacker *u, struct archives_error *err)
{
	if (u->budget->bytes < 0 || u->skipped > (uint64_t)u->budget->bytes)
		return archives_over_budget(err);
	budget_take(u->budget, u->skipped, 0);
	u->skipped = 0;
	return 0;
}

enum unpack_step unpack_next(struct unpacker *unpacker, struct unpack_entry *entry, struct archives_error *err)
{
	struct archive_entry *found;
	if (unpacker->count > 0)
		leave_entry(unpacker);
	int got = archive_read_next_header(unpacker->a, &found);
	if (got == ARCHIVE_EOF)
		return UNPACK_END;
	if (got < ARCHIVE_WARN && got != ARCHIVE_RETRY) {
		fail_archive(unpacker->a, err);
		return UNPACK_FAILED;
	}
	budget_take(unpacker->budget, 0, 1);
	/* RETRY: this entry is damaged, the next one may be good.  It has a number, but no name. */
	*entry = (struct unpack_entry){ .number = unpacker->count++, .at = (uint64_t)archive_filter_bytes(unpacker->a, 0) };
	if (got == ARCHIVE_RETRY)
		return UNPACK_ENTRY;
	if (archive_entry_size_is_set(found) && archive_entry_size(found) > 0)
		entry->size = unpacker->unread = (uint64_t)archive_entry_size(found);
	if (archive_entry_filetype(found) == AE_IFREG) {
		entry->name = archive_entry_pathname(found);
		if (!entry->name)
			entry->name = archive_entry_pathname_utf8(found);
	}
	return UNPACK_ENTRY;
}

int64_t unpack_data(struct unpacker *unpacker, void *to, size_t size, struct archives_error *err)
{
	if (unpacker->skipped > 0 && pay_for_skipped(unpacker, err) < 0)
		return -1;
	la_ssize_t n = archive_read_data(unpacker->a, to, size);
	if (n < 0)
		return fail_archive(unpacker->a, err);
	budget_take(unpacker->budget, (uint64_t)n, 0);
	unpacker->unread -= (uint64_t)n < unpacker->unread ? (uint64_t)n : unpacker->unread;
	return n;
}

/* Returns BYTES with more room, or NULL after an error; it has been freed then.  The room ends one byte after MOST: when
   that byte has been read, there is too much. */
static char *grow(char *bytes, size_t *room, size_t most, struct archives_error *err)
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

int unpack_whole(struct unpacker *unpacker, size_t most, bool image, void **content, size_t *size,
		 struct archives_error *err)
{
	char *bytes = NULL;
	size_t room = 0, used = 0;
	int64_t n;
	do {
		if (used == room && !(bytes = grow(bytes, &room, most, err)))
			return -1;
		n = unpack_data(unpacker, bytes + used, room - used, err);
		used += n > 0 ? (size_t)n : 0;
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

#else

const bool archives_available = false;

int64_t origin_read(const struct origin *origin, uint64_t at, void *to, size_t size)
{
	(void)origin, (void)at, (void)to, (void)size;
	return -1;
}

#endif
