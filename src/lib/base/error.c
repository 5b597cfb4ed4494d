// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/base/error.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdarg.h>
#include <stdio.h>

int rs_fail(struct rossym_error *err, enum rossym_code code, uint64_t offset, const char *format, ...)
{
	if (err) {
		va_list args;
		err->code = code;
		err->sys_errno = 0;
		err->offset = offset;
		va_start(args, format);
		vsnprintf(err->what, sizeof err->what, format, args);
		va_end(args);
	}
	return -1;
}

int rs_fail_errno(struct rossym_error *err, int number, const char *what)
{
	rs_fail(err, ROSSYM_ESYS, 0, "%s", what);
	if (err)
		err->sys_errno = number;
	return -1;
}

int rs_fail_memory(struct rossym_error *err)
{
	return rs_fail(err, ROSSYM_ENOMEM, 0, "out of memory");
}

/* Whether messages for CODE name the offset.  Those for ROSSYM_ENOSYMS do not, because nothing is
   wrong at that place. */
static bool has_offset(enum rossym_code code)
{
	return code == ROSSYM_ENOTPE || code == ROSSYM_EDAMAGED || code == ROSSYM_ECHANGED || code == ROSSYM_EREFUSED;
}

/* Returns the C locale's text for NUMBER, if it is an errno that operations on files cause; else NULL. */
static const char *errno_text(int number)
{
	static const struct {
		int number;
		const char *text;
	} texts[] = {
		{ EACCES, "Permission denied" },
		{ EBADF, "Bad file descriptor" },
		{ EFBIG, "File too large" },
		{ EINVAL, "Invalid argument" },
		{ EIO, "Input/output error" },
		{ EISDIR, "Is a directory" },
		{ EMFILE, "Too many open files" },
		{ ENAMETOOLONG, "File name too long" },
		{ ENFILE, "Too many open files in system" },
		{ ENOENT, "No such file or directory" },
		{ ENOMEM, "Cannot allocate memory" },
		{ ENOTDIR, "Not a directory" },
		{ EPERM, "Operation not permitted" },
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (texts[i].number == number)
			return texts[i].text;
	return NULL;
}

int rossym_format_error(const struct rossym_error *err, const char *name, const char *reason, char *buffer, size_t size)
{
	char place[32] = "", number[32] = "";
	/* ROSSYM_ECHANGED with offset 0: the image was changed at an unknown place. */
	if (has_offset(err->code) && (err->offset || err->code != ROSSYM_ECHANGED))
		snprintf(place, sizeof place, "at 0x%" PRIx64 ": ", err->offset);
	if (err->code != ROSSYM_ESYS)
		reason = NULL;
	else if (!reason && !(reason = errno_text(err->sys_errno)))
		snprintf(number, sizeof number, ": errno %d", err->sys_errno);
	return snprintf(buffer, size, "%s%s%s%s%s%s%s", name ? name : "", name ? ": " : "", place, err->what,
			reason ? ": " : "", reason ? reason : "", number);
}
