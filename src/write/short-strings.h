/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * short-strings.h - the strings of a table's rows, which have at most 255 bytes
 *
 * The ReactOS kernel debugger copies these strings into 256 bytes of its stack.  For a longer string the table has a
 * short form, and the block has the whole string.  The pool has both, and `written_as` of the whole string is the short
 * form.
 */
#ifndef RS_SHORT_STRINGS_H
#define RS_SHORT_STRINGS_H

#include "write/pool.h"

struct rs_short_strings {
	struct rs_pool pool;
	const char *(*shorten)(void *context, const char *name); /* as in struct rossym_builder_options */
	void *context;
	uint32_t cut_functions, cut_files; /* how many names of functions, and how many paths, were too long */
};

/* Add the string with this NUMBER, and its short form if it is too long.  PATH: it is a path; else the name of a
   function.  Returns 0; or -1: ROSSYM_ENOMEM, or ROSSYM_EREFUSED for too many strings. */
int rs_short_strings_add(struct rs_short_strings *strings, uint32_t number, bool path, struct rossym_error *err);

#endif
