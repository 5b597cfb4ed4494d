/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table-strings.h - the strings of a table: the first few that are needed are copied one by one, then all are read
 *
 * The strings of a table take hundreds of kilobytes, and a look-up needs two of them.  A copy of a single string stays
 * in memory, because callers have pointers to it.  All strings are read after RS_COPIES_MAX bytes of copies, for a long
 * string, and for callers that need all strings.
 *
 * Several threads may use the strings at the same time.
 */
#ifndef RS_TABLE_STRINGS_H
#define RS_TABLE_STRINGS_H

#include "lib/base/source.h"

enum {
	RS_COPIES_MAX = 1 << 9, /* when copies of single strings take this many bytes, all strings are read */
	RS_STRINGS_SLACK = 32,	/* bytes that can be read after the strings from rs_table_strings_get_padded() */
};

struct rs_string_copy;

struct rs_table_strings {
	struct rossym_reader reader;		   /* reads the file that has the table */
	struct rs_part whole;			   /* all strings */
	RS_ATOMIC(uint32_t) copied;		   /* bytes of all copies of single strings */
	RS_ATOMIC(struct rs_string_copy *) copies; /* the newest copy; each points to the one before it */
};

/* Initialise STRINGS, which is all zeros, for TABLE, which has just been opened.  From then on, the core reads the
   strings of TABLE through STRINGS, so STRINGS must not move. */
void rs_table_strings_open(struct rs_table_strings *strings, struct rs_table *table);
void rs_table_strings_clear(struct rs_table_strings *strings);

/* Returns all strings, with a NUL at the end, or NULL on an error.  They are valid until rs_table_strings_clear(). */
const char *rs_table_strings_get_whole(struct rs_table_strings *strings, struct rossym_error *err);

/* Returns a copy of all strings, even if the table is in memory.  RS_STRINGS_SLACK bytes after the strings can be read,
   too.  Valid until rs_table_strings_clear().  NULL on an error. */
const char *rs_table_strings_get_padded(struct rs_table_strings *strings, struct rossym_error *err);

/* Returns the string at OFFSET, which must be below the length of all strings.  Valid until rs_table_strings_clear().
   NULL on an error. */
const char *rs_table_strings_get_one(struct rs_table_strings *strings, uint32_t offset, struct rossym_error *err);

#endif
