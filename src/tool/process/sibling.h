/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sibling.h - finds programs of this project */
#ifndef TOOL_PROCESS_SIBLING_H
#define TOOL_PROCESS_SIBLING_H

/* Returns the path of the running program, or its argv[0] where the system does not tell the path.  The caller frees it.
   NULL: no memory. */
char *sibling_self(void);

/* Returns the path of the program NAME in the directory of the running program, if it is there; else INSTALLED, the
   path where `make install` puts it, if that exists.  The caller frees the path.  NULL: neither exists, or
   there is no memory. */
char *sibling_find(const char *name, const char *installed);

#endif
