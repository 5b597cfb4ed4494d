/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crash-table.h - the crashes of several logs, by what they are and where
 *
 *     Count  Crash
 *         3  bugcheck 0x0000000A IRQL_NOT_LESS_OR_EQUAL: btrfs.sys!find_file, btrfs.sys!create, ntoskrnl.exe+0x1230 (blocks 1, 4)
 *
 * Crashes are one row if they have the same code and the same first three frames, whatever the lines and the frames
 * after these are.  The functions by which the system reports a crash do not count as frames: they are the first ones
 * of each stack.
 */
#ifndef LOG_CRASH_CRASH_TABLE_H
#define LOG_CRASH_CRASH_TABLE_H

#include "log/crash/crashes.h"

struct crash_row {
	struct strbuf what;   /* its code and first frames */
	struct strbuf blocks; /* the numbers of its blocks, "1, 4" */
	unsigned long long count;
};

/* Make the rows of a table, the most frequent first, and store their number in *COUNT.  NULL: there are none, or there is no
   memory, which CRASHES then say. */
struct crash_row *table_make(struct crashes *crashes, size_t *count);
void table_free(struct crash_row *rows, size_t count);

/* Append the table as text; nothing if there are no crashes. */
void table_add(struct strbuf *text, struct crashes *crashes);

#endif
