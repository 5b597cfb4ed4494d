// SPDX-License-Identifier: GPL-2.0-or-later
/* logs.c - filters logs, or standard input: copies them with annotations, or prints their crashes (command.h) */
#include "config.h"
#include "log/command.h"
#include "dump/contents.h"
#include "log/archived-dumps.h"
#include "log/dumps/dump-images.h"
#include "log/dumps/dumps.h"
#include "log/filter.h"
#include "log/find/fit.h"
#include "log/page/crash-print.h"
#include "log/page/page.h"
#include "tool/diag.h"
#include "tool/files/file.h"
#include "tool/wait.h"

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

/* ---------------------------------------------------------------------------------------- reading standard input */

enum { PIPED_DUMP_SIZE_MAX = 256 << 20 }; /* the most bytes of a dump from a pipe */

static bool is_dump(const struct strbuf *text)
{
	return text->length >= DUMP_SIGNATURE && rs_dump_has_signature(text->bytes, DUMP_SIGNATURE);
}

/* Read the bytes one by one, and stop after the first that shows that they are no dump's signature: in a log that is
   still being written, more bytes may come only later. */
bool logs_read_input_signature(struct log_command *command)
{
	struct strbuf *begun = &command->begun;
	struct stat st;
	char byte;
	bool is_log = command->operand_count == 0;
	for (int i = 0; i < command->operand_count; i++)
		is_log |= strcmp(command->operands[i], "-") == 0;
	if (!is_log || fstat(STDIN_FILENO, &st) < 0 || S_ISREG(st.st_mode) || isatty(STDIN_FILENO))
		return true;
	while ((begun->length == 0 || rs_dump_has_signature(begun->bytes, begun->length)) &&
	       begun->length < DUMP_SIGNATURE && !begun->no_memory && wait_read(STDIN_FILENO, &byte, 1) == 1)
		strbuf_add_char(begun, byte);
	return !begun->no_memory;
}

/* Append the rest of standard input to DUMP.  Returns false after a message. */
static bool read_piped_dump(struct strbuf *dump)
{
	char bytes[1 << 14];
	ssize_t n = 0;
	while (dump->length <= PIPED_DUMP_SIZE_MAX && !dump->no_memory &&
	       (n = wait_read(STDIN_FILENO, bytes, sizeof bytes)) > 0)
		strbuf_add_bytes(dump, bytes, (size_t)n);
	const int error = n < 0 ? errno : dump->no_memory ? ENOMEM : dump->length > PIPED_DUMP_SIZE_MAX ? EFBIG : 0;
	if (error)
		diag("standard input: cannot keep the dump: %s", strerror(error));
	return !error;
}

/* -------------------------------------------------------------------------------------- filtering one log */

/* Make and filter a report about the dump CONTENT, or FD if CONTENT is NULL.  Returns false after a message. */
static bool filter_dump(struct log_command *command, struct filter *filter, int fd, const struct strbuf *content,
			const char *log)
{
	struct strbuf report = { .bytes = NULL };
	struct modules *modules = &command->resolver.modules;
	/* The unwinder needs the modules' images to find callers.  So with -u alone, images are read, too, if -e or -d
	   name some: then the report has the same callers as one with annotations. */
	const bool has_images = logs_need_look_ups(command) || !modules->default_places;
	struct dump_image_files files = { .modules = has_images ? modules : NULL };
	const struct dump_image_source images = dump_image_files_source(&files);
	struct origin dump;
	if (content)
		dump = origin_of_memory(content->bytes, content->length);
	else
		origin_of_file(fd, &dump);
	bool whole, there = dumps_make_report(&command->workers, &dump, log ? log : "standard input", &images, &report,
					      &whole);
	dump_image_files_clear(&files);
	filter->content = &report;
	bool good = there && filter_copy_log(filter, -1, log);
	strbuf_clear(&report);
	return good && whole;
}

/* If the first bytes of an input show that it is no log, returns what it is, as text for a message; else NULL.  The
   input is CONTENT, or the regular file FD if CONTENT is NULL. */
static const char *identify_non_log(int fd, const struct strbuf *content)
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
	if (content ? content->length < sizeof bytes : pread(fd, bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
		return NULL;
	if (content)
		memcpy(bytes, content->bytes, sizeof bytes);
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (memcmp(bytes, kinds[i].begin, kinds[i].length) == 0)
			return kinds[i].name;
	const struct compression *compression = identify_compression(bytes, sizeof bytes);
	if (compression)
		return compression->says;
	return memcmp(bytes, "MZ", 2) == 0 && memchr(bytes, '\0', sizeof bytes) ? "an image" : NULL;
}

/* Filter one log: CONTENT, or if that is NULL, the file FD.  A pipe or serial line can be read for days, so then refill
   the budgets, which limit the work for archives and images (budget.h).  Returns false after a message. */
static bool filter_log(struct log_command *command, struct filter *filter, int fd, const struct strbuf *content,
		       const char *log)
{
	struct stat st;
	const char *heading = log ? log : "standard input";
	if (fd == STDIN_FILENO && is_dump(&command->begun)) {
		if (!read_piped_dump(&command->begun))
			return false;
		content = &command->begun;
		fd = -1;
	}
	const bool live = !content && (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode));
	const char *kind = live ? NULL : identify_non_log(fd, content);
	command->resolver.modules.index.budget.live = command->asker.budget.live = live;
	if (kind) {
		diag("%s: this is no log, but %s", heading, kind);
		return false;
	}
	filter->names_log = command->names_logs;
	if (command->settings.html && !page_log_begin(command->out, command->names_logs ? heading : NULL))
		return diag_report_no_memory();
	const bool dump = command->reads_dumps && (content ? is_dump(content) : dumps_is_dump(fd));
	filter->content = fd == STDIN_FILENO && command->begun.length ? &command->begun : content;
	const bool good = dump ? filter_dump(command, filter, fd, content, log) : filter_copy_log(filter, fd, log);
	filter->content = NULL;
	if (command->settings.html)
		out_text(command->out, PAGE_LOG_END);
	if (!log)
		strbuf_clear(&command->begun);
	return good;
}

/* -------------------------------------------------------------------------------------- filtering all logs */

/* If FILE, which is in an archive, is a log or a dump, filter it and set *FOUND.  Returns false after a message. */
static bool filter_archived_file(struct log_command *command, struct filter *filter, const struct archived_dump *file,
				 bool *found)
{
	struct archives *archives = command->resolver.modules.index.archives;
	struct archives_error err;
	bool good = true;
	struct content *content = archives_read_file(archives, &file->place, &err);
	if (!content) {
		if (!err.reported)
			diag("%s: %s", file->name, err.what);
		return false;
	}
	const struct strbuf text = { .bytes = content->bytes, .length = content->size };
	if (file->is_log || is_dump(&text)) {
		*found = command->names_logs = true;
		good = filter_log(command, filter, -1, &text, file->name);
	}
	archives_release_content(archives, content);
	return good;
}

/* Filter the dumps and logs in the file PATH.  Returns 1; or 0 if PATH is no archive, or one without dumps and logs; or
   -1 after a message. */
static int filter_archive(struct log_command *command, struct filter *filter, const char *path)
{
	struct archived_dumps dumps;
	bool found = false;
	if (!command->reads_dumps || strcmp(path, "-") == 0 || !archived_dumps_is_archive(path))
		return 0;
	/* After an error, the files that were listed before it are filtered. */
	bool good = archived_dumps_list(&dumps, &command->resolver.modules.index, path);
	for (size_t i = 0; i < dumps.count; i++)
		good &= filter_archived_file(command, filter, &dumps.files[i], &found);
	archived_dumps_clear(&dumps);
	return good ? found : -1;
}

/* Print what is known only after all logs have been read: crashes, the end of a page, what was missed.  Returns false
   if there is no memory. */
static bool print_after_all_logs(struct log_command *command, struct filter *filter)
{
	struct crashes *crashes = &filter->crashes;
	const struct wanted_files *wanted = &command->resolver.modules.wanted;
	bool good = !wanted->no_memory;
	missed_report(&filter->missed);
	sources_warn_if_none(filter->sources);
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

/* Open the log that the operand PATH names.  Returns its descriptor, or -1 after a message. */
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
		return diag_memory_exit_status();
	}
	if (command->settings.html && !page_begin(command->out, command->operands, command->operand_count))
		status = diag_memory_exit_status();
	command->names_logs = command->operand_count > 1;
	if (command->operand_count == 0 && !filter_log(command, &filter, STDIN_FILENO, NULL, NULL))
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
		if (fd < 0 || !filter_log(command, &filter, fd, NULL, is_stdin ? NULL : path))
			status = 1;
		if (fd >= 0 && !is_stdin)
			close(fd);
	}
	if (!print_after_all_logs(command, &filter))
		status = diag_memory_exit_status();
	filter_close(&filter);
	return status;
}

/* Print which build the return addresses of the log FD, called LABEL, fit.  Returns false after a message. */
static bool print_fit_of_log(struct log_command *command, int fd, const char *label)
{
	static const struct scanner_visitor none = { .text = NULL };
	struct build_fit fit;
	struct scanner scanner;
	struct modules *modules = &command->resolver.modules;
	bool good = scanner_open(&scanner, &command->settings, &none, NULL);
	modules->out_of_memory |= !good;
	if (good && !scanner_start_file(&scanner, fd, NULL)) {
		diag("%s: only a file can be compared with builds", label);
		good = false;
	}
	good = good && evidence_compare(&fit, modules, &scanner, &command->settings, true);
	if (good) {
		fit_warn_left_out(&fit);
		fit_print(command->out, &fit, command->operand_count > 1 || command->settings.json ? label : NULL,
			  command->settings.json);
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
		/* A dump, read as text, would look like a log without frames. */
		const bool is_dump = fd >= 0 &&
				     (dumps_is_dump(fd) || (fd != STDIN_FILENO && archived_dumps_is_archive(path)));
		if (is_dump)
			diag("%s: only the text of a log can be compared with builds", label);
		if (fd < 0 || is_dump || !print_fit_of_log(command, fd, label))
			status = 1;
		if (fd >= 0 && fd != STDIN_FILENO)
			close(fd);
	}
	return status;
}
