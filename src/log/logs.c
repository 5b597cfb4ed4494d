// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/logs.h"
#include "log/archived-dumps.h"
#include "log/dumps/dump-images.h"
#include "log/dumps/dumps.h"
#include "log/filter.h"
#include "log/find/fit.h"
#include "log/page/crash-print.h"
#include "log/page/page.h"
#include "tool/diag.h"
#include "tool/files/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/compat.h"

bool logs_need_look_ups(const struct log_command *command)
{
	return !command->settings.undo || command->settings.redo;
}

bool logs_use_images(const struct log_command *command)
{
	return command->reads_dumps && (logs_need_look_ups(command) || !command->resolver.modules.default_places);
}

/* Make the report of the dump FD, and filter it as a log.  Returns false after a message. */
static bool filter_dump(struct log_command *command, struct filter *filter, int fd, const char *log)
{
	struct strbuf report = { .bytes = NULL };
	struct modules *modules = &command->resolver.modules;
	struct dump_image_files files = { .modules = logs_use_images(command) ? modules : NULL };
	const struct dump_image_source images = dump_image_files_source(&files);
	bool whole, there = dumps_read(&command->workers, fd, log ? log : "standard input", &images, &report, &whole);
	dump_image_files_clear(&files);
	filter->content = &report;
	bool good = there && filter_run(filter, -1, log);
	filter->content = NULL;
	strbuf_clear(&report);
	return good && whole;
}

/* Filter the log FD, which is no dump.  If it is standard input, its first bytes can be in command->begun. */
static bool filter_text(struct log_command *command, struct filter *filter, int fd, const char *log)
{
	if (fd == STDIN_FILENO && command->begun.length)
		filter->content = &command->begun;
	const bool good = filter_run(filter, fd, log);
	if (filter->content)
		strbuf_clear(&command->begun);
	filter->content = NULL;
	return good;
}

/* Whether logs have to be named in the output: there are several, or one is a dump in an archive. */
static bool have_names(const struct log_command *command)
{
	return command->operand_count > 1 || command->spool.used > 0;
}

/* Returns what FD, a regular file, is by its first bytes, if a log cannot begin so; else NULL. */
static const char *not_a_log(int fd)
{
	static const char archive[] = "an archive without logs and dumps; images in it are found with -d FILE";
	static const struct not_log {
		const char *begin;
		size_t length;
		const char *name;
	} kinds[] = {
		{ "\177ELF", 4, "an ELF file" },      { "Microsoft C/C++ MSF 7.00", 24, "a PDB file" },
		{ "\x89PNG\r\n", 6, "a picture" },    { "\xff\xd8\xff", 3, "a picture" },
		{ "GIF8", 4, "a picture" },	      { "PK\3\4", 4, archive },
		{ "7z\xbc\xaf\x27\x1c", 6, archive }, { "MSCF\0\0\0", 7, archive },
	};
	char bytes[0x40];
	if (pread(fd, bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
		return NULL;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (memcmp(bytes, kinds[i].begin, kinds[i].length) == 0)
			return kinds[i].name;
	const struct compression *compression = compression_of(bytes, sizeof bytes);
	if (compression)
		return compression->says;
	return memcmp(bytes, "MZ", 2) == 0 && memchr(bytes, '\0', sizeof bytes) ? "an image" : NULL;
}

/* Filter one log.  A pipe or serial line can be read for days, so then the budgets are refilled as time passes
   (`live`). */
static bool filter_log(struct log_command *command, struct filter *filter, int fd, const char *log)
{
	struct stat st;
	bool live = fstat(fd, &st) < 0 || !S_ISREG(st.st_mode);
	command->resolver.modules.index.budget.live = command->asker.budget.live = live;
	const char *heading = log ? log : "standard input", *kind = live ? NULL : not_a_log(fd);
	if (kind) {
		diag("%s: this is no log, but %s", heading, kind);
		return false;
	}
	if (command->settings.html && !page_log_begin(command->out, have_names(command) ? heading : NULL))
		return diag_out_of_memory();
	bool good = command->reads_dumps && dumps_is_dump(fd) ? filter_dump(command, filter, fd, log)
							      : filter_text(command, filter, fd, log);
	if (command->settings.html)
		out_text(command->out, PAGE_LOG_END);
	return good;
}

/* The context of filter_archived(). */
struct archived {
	struct log_command *command;
	struct filter *filter;
	bool good; /* false: a dump could not be filtered, after a message */
};

/* Filter the dump or log NAME of an archive. */
static bool filter_archived(void *context, const char *name, const void *bytes, size_t size)
{
	struct archived *archived = context;
	struct spool *spool = &archived->command->spool;
	const char *kept;
	if (spool->used == spool->count) {
		diag("%s: only %u dumps and logs in archives are read", name, spool->count);
		return false;
	}
	const int fd = spool_dump(spool, name, bytes, size, &kept);
	if (fd < 0) {
		diag("%s: cannot keep a copy: %s", name, strerror(errno));
		return false;
	}
	archived->good &= filter_log(archived->command, archived->filter, fd, kept);
	return true;
}

/* Filter the dumps and logs in the file PATH.  Returns 1; or 0 if it is no archive, or one without any; or
   -1 after a message. */
static int filter_archive(struct log_command *command, struct filter *filter, const char *path)
{
	struct archived archived = { command, filter, true };
	if (!command->reads_dumps || strcmp(path, "-") == 0 || !archived_dumps_may_be(path))
		return 0;
	const int count = archived_dumps_each(&command->resolver.modules.index, path, filter_archived, &archived);
	return count < 0 || !archived.good ? -1 : count > 0;
}

/* Print what is known only after all logs have been read: crashes, the end of a page, what was missed.  Returns false
   if there is no memory. */
static bool print_end(struct log_command *command, struct filter *filter)
{
	struct crashes *crashes = &filter->crashes;
	const struct wanted_files *wanted = &command->resolver.modules.wanted;
	bool good = !wanted->no_memory;
	missed_report(&filter->missed, have_names(command));
	if (command->settings.only_missing)
		wanted_files_print(wanted, command->out, command->settings.json);
	else if (command->settings.html)
		good &= page_end(&filter->page, command->out, &command->resolver, crashes);
	else if (command->settings.only_crashes && command->settings.json)
		crashes_print_json(command->out, crashes);
	else if (command->settings.only_crashes)
		crashes_print(command->out, crashes, command->settings.markdown);
	if (wanted->too_many)
		diag_warning("more files would help than are listed");
	if (command->settings.only_crashes && crashes->count == 0 && !command->settings.quiet)
		diag("no crash found");
	if (crashes->left_out)
		diag_warning("%llu more crashes are not shown", crashes->left_out);
	return good && !crashes->no_memory;
}

/* Open the log of operand PATH.  Returns -1 after a message. */
static int open_log(const char *path)
{
	int fd = strcmp(path, "-") == 0 ? STDIN_FILENO : open_file(path, true);
	/* On Windows, opening a directory fails; elsewhere, reading it fails later.  Make both messages the same. */
	if (fd < 0)
		diag(errno == EISDIR ? "%s: cannot read: %s" : "%s: %s", path, strerror(errno));
	return fd;
}

int logs_filter(struct log_command *command)
{
	static struct filter filter;
	int status = 0;
	if (!filter_open(&filter, &command->settings, &command->resolver, command->out)) {
		filter_close(&filter);
		return diag_no_memory();
	}
	if (command->settings.html && !page_begin(command->out, command->operands, command->operand_count))
		status = diag_no_memory();
	if (command->operand_count == 0 && !filter_log(command, &filter, STDIN_FILENO, NULL))
		status = 1;
	for (int i = 0; i < command->operand_count; i++) {
		const char *path = command->operands[i];
		const int in_archive = filter_archive(command, &filter, path);
		if (in_archive != 0) {
			status = in_archive < 0 ? 1 : status;
			continue;
		}
		const int fd = open_log(path);
		const bool is_stdin = fd == STDIN_FILENO;
		if (fd < 0 || !filter_log(command, &filter, fd, is_stdin ? NULL : path))
			status = 1;
		if (fd >= 0 && !is_stdin)
			close(fd);
	}
	if (!print_end(command, &filter))
		status = diag_no_memory();
	filter_close(&filter);
	return status;
}

/* Print which build the log FD, called LABEL, fits.  Returns false after a message. */
static bool fit_log(struct log_command *command, int fd, const char *label)
{
	static const struct scanner_visitor none = { .text = NULL };
	static struct evidence evidence;
	struct build_fit fit;
	struct scanner scanner;
	struct modules *modules = &command->resolver.modules;
	bool good = scanner_open(&scanner, &command->settings, &none, NULL);
	modules->out_of_memory |= !good;
	if (good && !scanner_start_file(&scanner, fd)) {
		diag("%s: only a file can be compared with builds", label);
		good = false;
	}
	if (good) {
		evidence_read(&evidence, &scanner, &command->settings, true);
		good = scanner.error == 0;
	}
	if (good) {
		fit_compare(&fit, modules, &evidence.frames);
		fit_say_left_out(&fit);
		list_fit(command->out, &fit, command->operand_count > 1 || command->settings.json ? label : NULL,
			 command->settings.json);
		modules->out_of_memory |= fit.no_memory || evidence.no_memory;
		free(fit.places);
	} else if (scanner.error) {
		diag("%s: cannot read: %s", label, strerror(scanner.error));
	}
	scanner_close(&scanner);
	return good;
}

int logs_print_fit(struct log_command *command)
{
	int status = 0;
	for (int i = 0; i < command->operand_count; i++) {
		const char *path = command->operands[i];
		const int fd = open_log(path);
		const char *label = fd == STDIN_FILENO ? "standard input" : path;
		/* Read as text, a dump would be a log without frames. */
		const bool is_dump = fd >= 0 &&
				     (dumps_is_dump(fd) || (fd != STDIN_FILENO && archived_dumps_may_be(path)));
		if (is_dump)
			diag("%s: only the text of a log can be compared with builds", label);
		if (fd < 0 || is_dump || !fit_log(command, fd, label))
			status = 1;
		if (fd >= 0 && fd != STDIN_FILENO)
			close(fd);
	}
	return status;
}

bool logs_have_archive(const struct log_command *command)
{
	int i = 0;
	while (i < command->operand_count && !archived_dumps_may_be(command->operands[i]))
		i++;
	return i < command->operand_count;
}

bool logs_have_dump(const struct log_command *command)
{
	bool found = command->operand_count == 0 && dumps_is_dump(STDIN_FILENO);
	for (int i = 0; !found && i < command->operand_count; i++) {
		const char *path = command->operands[i];
		struct stat st;
		bool is_stdin = strcmp(path, "-") == 0;
		/* A pipe is not opened: when it is closed again, the program that writes to it would get an error. */
		int fd = is_stdin				       ? STDIN_FILENO
			 : stat(path, &st) == 0 && S_ISREG(st.st_mode) ? open_file(path, false)
								       : -1;
		found = fd >= 0 && dumps_is_dump(fd);
		if (fd >= 0 && !is_stdin)
			close(fd);
	}
	return found;
}
