// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/diag.h"
#include "tool/mask.h"

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct strbuf program;		     /* the program's name, masked */
static bool quiet;			     /* no warnings and hints are printed */
static volatile sig_atomic_t progress_shown; /* a line of diag_show_progress() is on the terminal */
static struct out *standard_output; /* flushed before each message, so that output and messages stay in order */

void diag_start(const char *name, struct out *out)
{
	strbuf_add_masked(&program, name, strlen(name));
	standard_output = out;
}

void diag_be_quiet(void)
{
	quiet = true;
}

void diag_show_progress(const char *line, size_t length)
{
	/* Windows' write() takes an unsigned number. */
	progress_shown = write(STDERR_FILENO, line, (unsigned)length) > 0;
}

void diag_hide_progress(void)
{
	static const char clear[] = "\r\033[K";
	if (progress_shown)
		progress_shown = write(STDERR_FILENO, clear, sizeof clear - 1) < 0;
}

const char *diag_program(void)
{
	return program.bytes ? program.bytes : "rossym";
}

/* Print NAME, KIND (such as ": warning: ") and the text that FORMAT and ARGS make, which is masked.  If there is no
   memory for a long text, print its beginning. */
static COMPAT_PRINTF(3, 0) void print_message(const char *name, const char *kind, const char *format, va_list args)
{
	char beginning[1024], *message = beginning;
	va_list again;
	va_copy(again, args);
	int length = vsnprintf(beginning, sizeof beginning, format, args);
	if (length >= (int)sizeof beginning) {
		char *whole = malloc((size_t)length + 1);
		if (whole) {
			vsnprintf(whole, (size_t)length + 1, format, again);
			message = whole;
		}
	}
	va_end(again);
	mask_text(message, strlen(message));
	diag_hide_progress();
	out_flush(standard_output);
	fprintf(stderr, "%s%s%s\n", name, kind, message);
	if (message != beginning)
		free(message);
}

bool diag(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	print_message(diag_program(), ": ", format, args);
	va_end(args);
	return false;
}

void diag_warning(const char *format, ...)
{
	va_list args;
	if (quiet)
		return;
	va_start(args, format);
	print_message(diag_program(), ": warning: ", format, args);
	va_end(args);
}

void diag_print_warning(void *path, const struct rossym_warning *warning)
{
	const char *file = warning->path ? warning->path : path;
	if (warning->sys_errno)
		diag_warning("%s: %s: %s; it is not read", file, warning->what, strerror(warning->sys_errno));
	else
		diag_warning("%s: %s", file, warning->what);
}

void diag_hint(const char *format, ...)
{
	va_list args;
	if (quiet)
		return;
	va_start(args, format);
	print_message(diag_program(), ": hint: ", format, args);
	va_end(args);
}

void diag_warn_of_cut_names(const struct rossym_image *image, const char *path)
{
	struct rossym_error why;
	if (!rossym_stayed_short(image, &why))
		return;
	if (why.code == ROSSYM_EDAMAGED)
		diag_warning("%s: at 0x%" PRIx64 ": %s; long names are shown cut", path, why.offset, why.what);
	else
		diag_warning("%s: %s; long names are shown cut", path, why.what);
}

bool diag_print_plain(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	print_message("", "", format, args);
	va_end(args);
	return false;
}

void diag_print_lines(char *text, size_t length)
{
	for (size_t line = 0; line < length;) {
		char *newline = memchr(text + line, '\n', length - line);
		size_t end = newline ? (size_t)(newline - text) : length;
		mask_text(text + line, end - line);
		line = end + 1;
	}
	out_flush(standard_output);
	fwrite(text, 1, length, stderr);
}

bool diag_report_no_memory(void)
{
	return diag("out of memory");
}

int diag_memory_exit_status(void)
{
	return !diag_report_no_memory();
}

int diag_store_no_memory(struct rossym_error *err)
{
	*err = (struct rossym_error){ .code = ROSSYM_ENOMEM, .what = "out of memory" };
	return -1;
}

bool diag_image_error(const char *path, const struct rossym_error *err)
{
	char text[512];
	rossym_format_error(err, NULL, strerror(err->sys_errno), text, sizeof text);
	return diag("%s: %s", path, text);
}

int diag_finish_output(int status, int failed)
{
	out_flush(standard_output);
	if (standard_output->error) {
		diag("cannot write standard output: %s", strerror(standard_output->error));
		return failed;
	}
	return status;
}
