/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * set-names.h - names of modules, and which names their files may have
 *
 * FreeLoader, the boot loader of ReactOS, chooses a kernel, a HAL and a debugger DLL among several files, such as
 * halacpi.dll, but always calls them ntoskrnl.exe, hal.dll and kdcom.dll.  WinDbg calls modules by their names without
 * extension, and the kernel "nt".
 */
#ifndef RS_SET_NAMES_H
#define RS_SET_NAMES_H

#include <stdbool.h>
#include <stddef.h>

enum { RS_MODULE_NAME_LENGTH_MAX = 127 }; /* bytes, without the NUL */

/* KDBG, the debugger in the ReactOS kernel, prints the first 63 characters of a name.  So a name of this length may be
   the beginning of a longer one. */
enum { RS_CUT_NAME = 63 };

/* Store the file name at the end of NAME, which has LENGTH bytes, in LOWER: with ASCII letters in lower case, and cut
   to RS_MODULE_NAME_LENGTH_MAX bytes.  Returns the length of the file name before it was cut; 0 if it is empty, or has
   a NUL in the part that was kept. */
size_t rs_normalize_module_name(const char *name, size_t length, char lower[RS_MODULE_NAME_LENGTH_MAX + 1]);

/* The file of the module NAME may have a name that begins with PREFIX and ends with SUFFIX. */
struct rs_alias {
	const char *name;
	const char *prefix;
	const char *suffix;
};

/* Returns the next alias of NAME, which is in lower case; NULL: there are no more.  *AT is 0 before the first call. */
const struct rs_alias *rs_alias_next(const char *name, size_t *at);

/* Of the extensions that a name without extension may have had, returns number INDEX, counted from 0; NULL: there are
   no more. */
const char *rs_default_extension(size_t index);

/* Returns the file name without extension of the module that a debugger calls NAME: "ntoskrnl" for "nt", else NAME. */
const char *rs_name_from_debugger(const char *name);

/* Store what debuggers call the module NAME in SHORT_NAME: NAME without its extension.  False if NAME has
   no extension. */
bool rs_strip_extension(const char *name, char short_name[RS_MODULE_NAME_LENGTH_MAX + 1]);

#endif
