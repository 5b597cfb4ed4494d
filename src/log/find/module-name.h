/* SPDX-License-Identifier: GPL-2.0-or-later */
/* module-name.h - whether a log's name of a module means a module of the set */
#ifndef LOG_FIND_MODULE_NAME_H
#define LOG_FIND_MODULE_NAME_H

#include "rossym-set.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether NAME, of LENGTH bytes, which may be a path, can mean MODULE.  Names are equal in any case, without their
   extensions, and where one is cut as KDBG cuts it; and the kernel has several. */
bool module_name_fits(const struct rossym_module *module, const char *name, size_t length);

#endif
