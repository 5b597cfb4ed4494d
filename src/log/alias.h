/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * alias.h - modules that are logged under another name than their file's
 *
 * FreeLoader names what it loads ntoskrnl.exe, hal.dll and kdcom.dll, whichever kernel, HAL and debugger DLL it took.
 * WinDbg calls modules by their names without extension, and the kernel "nt".
 */
#ifndef LOG_ALIAS_H
#define LOG_ALIAS_H

#include <stdbool.h>
#include <stddef.h>

/* Files whose names begin and end so may be the module NAME. */
struct alias {
	const char *name;
	const char *prefix;
	const char *suffix;
};

/* The next alias of NAME (lower case) from *AT on, which is 0 at first; NULL: no more. */
const struct alias *alias_next(const char *name, size_t *at);

bool alias_matches(const struct alias *alias, const char *file_name);

/* The extensions that a name without one may have lost, from index 0 on; NULL: no more. */
const char *alias_extension(size_t index);

/* What a debugger's NAME without extension stands for. */
const char *alias_debugger_name(const char *name);

#endif
