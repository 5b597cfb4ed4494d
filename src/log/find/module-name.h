/* SPDX-License-Identifier: GPL-2.0-or-later */
/* module-name.h - whether a name in a log means a given module of the set */
#ifndef LOG_FIND_MODULE_NAME_H
#define LOG_FIND_MODULE_NAME_H

#include "rossym-set.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether NAME, of LENGTH bytes, which may be a path, can mean MODULE.  Case does not count.  One of the two names may
   lack its extension, or may be cut as KDBG cuts long names.  All names of the kernel mean the kernel.  An empty name,
   with a LENGTH of 0, can mean every module. */
bool module_name_fits(const struct rossym_module *module, const char *name, size_t length);

#endif
