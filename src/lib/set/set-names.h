/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * set-names.h - names of modules, and which names their files may have
 *
 * FreeLoader names what it loads ntoskrnl.exe, hal.dll and kdcom.dll, whichever kernel, HAL and debugger DLL it took.
 * WinDbg calls modules by their names without extension, and the kernel "nt".
 */
#ifndef RS_SET_NAMES_H
#define RS_SET_NAMES_H

#include <stdbool.h>
#include <stddef.h>

enum { RS_MODULE_NAME_MAX = 127 }; /* bytes, without the NUL */

/* KDBG prints the first 63 characters of a name: a name of this length may be the beginning of a longer one. */
enum { RS_CUT_NAME = 63 };

/* Store NAME in LOWER, without path, in lower case, and cut to RS_MODULE_NAME_MAX bytes.  Returns its length before it
   was cut; 0 for a name that is empty or has a NUL. */
size_t rs_module_name(const char *name, size_t length, char lower[RS_MODULE_NAME_MAX + 1]);

/* The module NAME may be a file whose name begins with PREFIX and ends with SUFFIX. */
struct rs_alias {
	const char *name;
	const char *prefix;
	const char *suffix;
};

/* The next alias of NAME (lower case) from *AT on, which is 0 at first; NULL: no more. */
const struct rs_alias *rs_alias_next(const char *name, size_t *at);

/* The extensions that a name without one may have lost, from INDEX 0 on; NULL: no more. */
const char *rs_default_extension(size_t index);

/* How the file is called, without extension, that a debugger calls NAME. */
const char *rs_name_for_debugger(const char *name);

/* Store what debuggers call the module NAME in SHORT_NAME: NAME without its extension.  False if it has none. */
bool rs_short_name(const char *name, char short_name[RS_MODULE_NAME_MAX + 1]);

#endif
