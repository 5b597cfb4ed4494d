// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/archived-dumps.h"
#include "dump/contents.h"
#include "tool/diag.h"
#include "tool/files/file.h"
#include "tool/strbuf.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/compat.h"

enum { DUMPS_MAX = 64 }; /* the most files named like dumps or logs that are read from an archive */

/* Returns what PATH is by its first bytes. */
static enum { NO_ARCHIVE, ARCHIVE, COMPRESSED_FILE } kind_of(const char *path)
{
	char bytes[COMPRESSION_LENGTH];
	struct stat st;
	/* Do not open a pipe: when it is closed again, the program that writes to it would get an error. */
	const bool is_file = archives_available && stat(path, &st) == 0 && S_ISREG(st.st_mode);
	const int fd = is_file ? open_file(path, false) : -1;
	const bool read = fd >= 0 && pread(fd, bytes, sizeof bytes, 0) == (ssize_t)sizeof bytes;
	if (fd >= 0)
		close(fd);
	if (!read)
		return NO_ARCHIVE;
	if (compression_of(bytes, sizeof bytes))
		return COMPRESSED_FILE;
	return memcmp(bytes, "PK\3\4", 4) == 0 || memcmp(bytes, "7z\xbc\xaf\x27\x1c", 6) == 0 ||
			       memcmp(bytes, "MSCF", 4) == 0
		       ? ARCHIVE
		       : NO_ARCHIVE;
}

bool archived_dumps_may_be(const char *path)
{
	return kind_of(path) != NO_ARCHIVE;
}

/* The files of the archive PATH that are named like dumps or logs; of a compressed file, the one that it has. */
struct dump_names {
	const char *path;
	bool is_one; /* PATH is one compressed file */
	struct {
		struct archives_place place;
		char *name;
	} files[DUMPS_MAX];
	size_t count;
	bool good; /* false: no memory */
};

static bool is_log_name(const char *name)
{
	static const char *const extensions[] = { ".log", ".txt", ".csv", ".json", ".xml", ".wer" };
	for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
		if (archive_name_ends(name, extensions[i]))
			return true;
	return false;
}

static bool take_name(void *context, const char *name, const struct archives_place *place)
{
	struct dump_names *found = context;
	struct strbuf text = { .bytes = NULL };
	if (!found->is_one && !is_log_name(name) && !archive_name_ends(name, ".dmp") &&
	    !archive_name_ends(name, ".mdmp") && !archive_name_ends(name, ".hdmp"))
		return true;
	if (found->count == DUMPS_MAX) {
		diag_warning("%s: only the first %d dumps and logs are read", found->path, (int)DUMPS_MAX);
		return false;
	}
	strbuf_add(&text, found->path);
	if (!found->is_one)
		strbuf_addf(&text, ":%s", name);
	found->good = !text.no_memory;
	if (!found->good) {
		strbuf_clear(&text);
		return false;
	}
	found->files[found->count].place = *place;
	found->files[found->count++].name = text.bytes;
	return true;
}

/* State of visiting the dumps. */
struct dump_visits {
	struct archives *archives;
	archived_dumps_visit *visit;
	void *context;
	int count;
	bool good;    /* false: something could not be read */
	bool stopped; /* VISIT has returned false */
};

/* Read the file NAME at PLACE, and call `visit` if IS_LOG is set, or if it is a dump. */
static void visit_one(struct dump_visits *visits, const char *name, const struct archives_place *place, bool is_log)
{
	struct archives_error err;
	struct content *content = archives_read(visits->archives, place, &err);
	if (!content) {
		visits->good = false;
		if (!err.reported)
			diag("%s: %s", name, err.what);
		return;
	}
	if (is_log || (content->size >= DUMP_SIGNATURE && rs_dump_is(content->bytes))) {
		visits->count++;
		visits->stopped = !visits->visit(visits->context, name, content->bytes, content->size);
	}
	archives_release(visits->archives, content);
}

int archived_dumps_each(struct index *index, const char *path, archived_dumps_visit *visit, void *context)
{
	struct dump_names found = { .path = path, .is_one = kind_of(path) == COMPRESSED_FILE, .good = true };
	struct dump_visits visits = { index_archives(index), visit, context, .good = true };
	struct archives_error err;
	/* After an error, the files that were listed before it are still visited. */
	if (visits.archives && archives_list(visits.archives, path, take_name, &found, &err) < 0) {
		visits.good = false;
		if (!err.reported)
			diag("%s: %s", path, err.what);
	}
	if (!visits.archives || !found.good)
		visits.good = diag_out_of_memory();
	for (size_t i = 0; i < found.count && !visits.stopped; i++)
		visit_one(&visits, found.files[i].name, &found.files[i].place,
			  found.is_one || is_log_name(found.files[i].name));
	for (size_t i = 0; i < found.count; i++)
		free(found.files[i].name);
	return visits.good && !visits.stopped ? visits.count : -1;
}
