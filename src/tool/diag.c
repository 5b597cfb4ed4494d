// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/diag.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *program;
static struct out *standard_output;

void diag_start(const char *name, struct out *out)
{
	program = name;
	standard_output = out;
}

const char *diag_program(void)
{
	return program;
}

DIAG_PRINTF(2, 0) static void say(const char *kind, const char *format, va_list args)
{
	out_flush(standard_output);
	fprintf(stderr, "%s: %s", program, kind);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
}

void diag(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	say("", format, args);
	va_end(args);
}

void diag_warning(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	say("warning: ", format, args);
	va_end(args);
}

void diag_text(const char *text, size_t length)
{
	out_flush(standard_output);
	fwrite(text, 1, length, stderr);
}

int diag_no_memory(void)
{
	diag("out of memory");
	return 1;
}

void diag_image(const char *path, const struct rossym_error *err)
{
	switch (err->code) {
	case ROSSYM_OK:
		break;
	case ROSSYM_ENOMEM:
	case ROSSYM_EARCHIVE:
	case ROSSYM_ENOSYMS:
		diag("%s: %s", path, err->what);
		break;
	case ROSSYM_ESYS:
		diag("%s: %s: %s", path, err->what, strerror(err->sys_errno));
		break;
	case ROSSYM_ENOTPE:
	case ROSSYM_EDAMAGED:
	case ROSSYM_ECHANGED:
	case ROSSYM_EREFUSED:
		diag("%s: at 0x%" PRIx64 ": %s", path, err->offset, err->what);
		break;
	}
}

int diag_finish(int status, int failed)
{
	out_flush(standard_output);
	if (standard_output->error) {
		diag("cannot write standard output: %s", strerror(standard_output->error));
		return failed;
	}
	return status;
}
