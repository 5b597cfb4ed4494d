/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crash-table.h - a table that counts the crashes of several logs by their code and first frames
 *
 *     Count  Crash
 *         3  bugcheck 0x0000000A IRQL_NOT_LESS_OR_EQUAL: btrfs.sys!find_file, ntoskrnl.exe+0x1230 (blocks 1, 4)
 *
 * Crashes share a row if their titles (crash-block.h) and the modules and functions of their first three frames are
 * equal; a frame without a function is compared by its offset.  Line numbers, later frames and builds may differ.  The
 * functions by which the system reports a crash, such as KeBugCheckEx(), come first in each stack and tell nothing, so
 * they are skipped.
 */
#ifndef LOG_CRASH_CRASH_TABLE_H
#define LOG_CRASH_CRASH_TABLE_H

#include "log/crash/crashes.h"

struct crash_row {
	struct strbuf what;	  /* the title of the crash (crash-block.h) and the first frames */
	struct strbuf blocks;	  /* the numbers of its blocks, from 1: "1, 4" */
	unsigned long long count; /* how many crashes these blocks are about */
};

/* Returns the rows of the table, the most frequent first, and stores their number in *COUNT.  NULL: there are no
   crashes; or there is no memory, and crashes->no_memory is set. */
struct crash_row *table_make(struct crashes *crashes, size_t *count);
void table_free(struct crash_row *rows, size_t count);

/* Append the table as text; nothing if there are no crashes. */
void table_add(struct strbuf *text, struct crashes *crashes);

#endif
