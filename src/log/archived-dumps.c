// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/archived-dumps.h"
#include "tool/diag.h"
#include "tool/files/file.h"
#include "tool/strbuf.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/compat.h"

/* Returns what the file PATH is, by its first bytes. */
static enum { NO_ARCHIVE, ARCHIVE, COMPRESSED_FILE } read_archive_kind(const char *path)
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
	if (identify_compression(bytes, sizeof bytes))
		return COMPRESSED_FILE;
	return memcmp(bytes, "PK\3\4", 4) == 0 || memcmp(bytes, "7z\xbc\xaf\x27\x1c", 6) == 0 ||
			       memcmp(bytes, "MSCF", 4) == 0
		       ? ARCHIVE
		       : NO_ARCHIVE;
}

bool archived_dumps_is_archive(const char *path)
{
	return read_archive_kind(path) != NO_ARCHIVE;
}

static bool is_log_name(const char *name)
{
	static const char *const extensions[] = { ".log", ".txt", ".csv", ".json", ".xml", ".wer" };
	for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
		if (archive_name_ends_with(name, extensions[i]))
			return true;
	return false;
}

/* Called for each file of an archive: add the file NAME at PLACE if it may be a dump or log.  Returns false to stop. */
static bool add_dump_or_log(void *context, const char *name, const struct archives_place *place)
{
	struct archived_dumps *found = context;
	struct strbuf text = { .bytes = NULL };
	const bool is_log = found->is_one || is_log_name(name);
	if (!is_log && !archive_name_ends_with(name, ".dmp") && !archive_name_ends_with(name, ".mdmp") &&
	    !archive_name_ends_with(name, ".hdmp"))
		return true;
	if (found->count == ARCHIVED_DUMPS_MAX) {
		diag_warning("%s: only the first %d dumps and logs are read", found->path, (int)ARCHIVED_DUMPS_MAX);
		return false;
	}
	strbuf_add(&text, found->path);
	if (!found->is_one)
		strbuf_addf(&text, ":%s", name);
	found->no_memory = text.no_memory;
	if (found->no_memory)
		strbuf_clear(&text);
	else
		found->files[found->count++] = (struct archived_dump){ *place, text.bytes, is_log };
	return !found->no_memory;
}

bool archived_dumps_list(struct archived_dumps *found, struct index *index, const char *path)
{
	struct archives *archives = index_get_archives(index);
	struct archives_error err;
	*found = (struct archived_dumps){ .path = path, .is_one = read_archive_kind(path) == COMPRESSED_FILE };
	const bool good = archives && archives_list_files(archives, path, add_dump_or_log, found, &err) == 0;
	if (archives && !good && !err.reported)
		diag("%s: %s", path, err.what);
	return archives && !found->no_memory ? good : diag_report_no_memory();
}

void archived_dumps_clear(struct archived_dumps *found)
{
	while (found->count > 0)
		free(found->files[--found->count].name);
}
