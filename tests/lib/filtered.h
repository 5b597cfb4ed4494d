/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filtered.h - rossym-log's filter on text in memory, with one table in memory for all modules, which is of build "1"
 *
 * The file that includes this has the filter and the modules in it, so the program must not link those two.
 */
#ifndef TESTS_FILTERED_H
#define TESTS_FILTERED_H

#include "rossym-write.h"
#include "log/filter.h"
#include "log/scan/scanner.h"
#include "log/find/file-index.h"
#include "log/find/modules.h"
#include "log/page/crash-print.h"
#include "tool/diag.h"
#include "tool/wait.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/compat.h"

/* What is still to be read, in pieces of at most this size. */
static const char *filtered_input;
static size_t filtered_size, filtered_piece;

static ssize_t filtered_read(int fd, void *buffer, size_t size)
{
	(void)fd;
	if (size > filtered_piece)
		size = filtered_piece;
	if (size > filtered_size)
		size = filtered_size;
	if (size)
		memcpy(buffer, filtered_input, size);
	filtered_input += size;
	filtered_size -= size;
	return (ssize_t)size;
}

/* The table of all modules, which the test makes. */
static struct rossym_built filtered_table = { .size = sizeof filtered_table };

static int filtered_open(const struct file *file, const struct content *content,
			 const struct rossym_open_options *options, struct rossym_image **ret, struct rossym_error *err)
{
	(void)file;
	(void)content;
	return rossym_open_memory(filtered_table.bytes, filtered_table.bytes_size, options, ret, err);
}

/* No messages. */
static bool filtered_quiet(const char *format, ...)
{
	(void)format;
	return false;
}

static bool filtered_quiet_image(const char *path, const struct rossym_error *err)
{
	(void)path;
	(void)err;
	return false;
}

/* The function of modules.c has this name, so that the program uses the one below. */
const struct build *filtered_other_build(const struct rossym_module *module);
#define modules_get_build filtered_other_build
#define diag filtered_quiet
#define diag_warning filtered_quiet
#define diag_image_error filtered_quiet_image
#define wait_read filtered_read
#define file_image_open filtered_open
#include "log/find/modules.c"
#include "log/scan/scanner.c"
#include "log/filter.c"
#undef modules_get_build
#undef diag
#undef diag_warning
#undef diag_image_error
#undef wait_read
#undef file_image_open

const struct build *modules_get_build(const struct rossym_module *module)
{
	static const struct build build = { .name = "1" };
	(void)module;
	return &build;
}

/* Filter SIZE bytes at DATA, which arrive in pieces of PIECE bytes.  MODULES: the table is there, under some names.
   The caller clears the result; without memory the program ends. */
static struct strbuf filtered(const struct settings *asked, bool modules, const void *data, size_t size, size_t piece)
{
	static const char *const names[] = { "ntoskrnl.exe", "hal.dll", "ntdll.dll",
					     "kernel32.dll", "x.sys",	"win32k.sys" };
	static struct out out;
	struct out_pile pile = { .most = SIZE_MAX / 2 };
	struct settings settings = *asked;
	struct resolver resolver = { .settings = &settings, .reported_build = true };
	struct filter filter;
	struct strbuf text = { .bytes = NULL };
	out.pile = &pile;
	out.used = 0;
	bool good = modules_init(&resolver.modules, false);
	for (size_t i = 0; good && modules && i < sizeof names / sizeof *names; i++)
		good = index_add_file(&resolver.modules.index, names[i], NULL);
	filtered_input = data;
	filtered_size = size;
	filtered_piece = piece;
	if (!good || !filter_open(&filter, &settings, &resolver, &out) || !filter_copy_log(&filter, -1, NULL))
		abort();
	if (settings.crashes) {
		crashes_print(&out, &filter.crashes, false);
		crashes_print_json(&out, &filter.crashes);
	}
	out_flush(&out);
	filter_close(&filter);
	modules_clear(&resolver.modules);
	paths_clear(&settings.paths);
	strbuf_add_bytes(&text, pile.bytes, pile.used);
	if (text.no_memory)
		abort();
	free(pile.bytes);
	return text;
}

#endif
