// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/archived-dumps.h"
#include "dump/contents.h"
#include "log/read/chars.h"
#include "tool/diag.h"
#include "tool/files/file.h"
#include "tool/strbuf.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/compat.h"

enum { MOST_DUMPS = 64 }; /* in an archive, that are looked at */

bool archived_dumps_may_be(const char *path)
{
	char bytes[6];
	struct stat st;
	/* Whoever writes to a pipe would see it closed. */
	const bool is_file = archives_available && stat(path, &st) == 0 && S_ISREG(st.st_mode);
	const int fd = is_file ? open_file(path, false) : -1;
	const bool read = fd >= 0 && pread(fd, bytes, sizeof bytes, 0) == (ssize_t)sizeof bytes;
	if (fd >= 0)
		close(fd);
	return read && (memcmp(bytes, "PK\3\4", 4) == 0 || memcmp(bytes, "7z\xbc\xaf\x27\x1c", 6) == 0 ||
			memcmp(bytes, "MSCF", 4) == 0);
}

/* The files that have the name of a dump. */
struct dump_names {
	const char *path;
	struct {
		struct archives_place place;
		char *name;
	} files[MOST_DUMPS];
	size_t count;
	bool good;
};

/* Whether NAME ends with .dmp, .mdmp or .hdmp. */
static bool is_name(const char *name)
{
	static const char end[] = "dmp";
	const char *dot = strrchr(name, '.');
	if (!dot)
		return false;
	dot += 1 + (to_lower(dot[1]) == 'm' || to_lower(dot[1]) == 'h');
	for (size_t i = 0; i < sizeof end; i++)
		if (to_lower(dot[i]) != end[i])
			return false;
	return true;
}

static bool take_name(void *context, const char *name, const struct archives_place *place)
{
	struct dump_names *found = context;
	struct strbuf text = { .bytes = NULL };
	if (!is_name(name))
		return true;
	if (found->count == MOST_DUMPS) {
		diag_warning("%s: only the first %d dumps are read", found->path, (int)MOST_DUMPS);
		return false;
	}
	strbuf_add(&text, found->path);
	strbuf_add_char(&text, ':');
	strbuf_add(&text, name);
	found->good = !text.no_memory;
	found->files[found->count].place = *place;
	found->files[found->count].name = text.bytes;
	found->count += found->good;
	return found->good;
}

/* Visit the dump number I, if it is one.  Returns 1; 0: it is none; -1: go no further. */
static int visit_one(struct archives *archives, const struct dump_names *found, size_t i, archived_dumps_visit *visit,
		     void *context)
{
	struct archives_error err;
	struct content *content = archives_read(archives, &found->files[i].place, &err);
	if (!content) {
		if (!err.reported)
			diag("%s: %s", found->files[i].name, err.what);
		return -1;
	}
	int status = content->size >= DUMP_SIGNATURE && rs_dump_is(content->bytes);
	if (status && !visit(context, found->files[i].name, content->bytes, content->size))
		status = -1;
	archives_release(archives, content);
	return status;
}

int archived_dumps_each(struct index *index, const char *path, archived_dumps_visit *visit, void *context)
{
	struct dump_names found = { .path = path, .good = true };
	struct archives_error err;
	struct archives *archives = index_archives(index);
	int count = 0;
	bool good = archives;
	if (good && archives_list(archives, path, take_name, &found, &err) < 0) {
		good = false;
		if (!err.reported)
			diag("%s: %s", path, err.what);
	}
	if (!archives || !found.good)
		diag("out of memory");
	good &= found.good;
	for (size_t i = 0; i < found.count && good; i++) {
		const int status = visit_one(archives, &found, i, visit, context);
		good &= status >= 0;
		count += status != 0;
	}
	for (size_t i = 0; i < found.count; i++)
		free(found.files[i].name);
	return good ? count : -1;
}
