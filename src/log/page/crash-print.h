/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crash-print.h - prints crashes: as blocks of text, as Markdown, as JSON, and as a part of a page of HTML
 *
 *     Crash 1 of 2: bugcheck 0x0000000A IRQL_NOT_LESS_OR_EQUAL
 *       Where:      a.log, line 120, boot 1 of 2
 *       Build:      ReactOS 0.4.17-x86-dev (Build ...) (Commit ...)
 *       Parameters: 0x00000004  the memory that was accessed
 *                   ...
 *       Module:     btrfs.sys
 *       Place:      exact   inner (a.h:12) in btrfs.sys
 *                             inlined by outer (a.c:70)
 *       Stack:
 *          0  exact   KeBugCheckWithTf (ntoskrnl/ke/bug.c:1066) in ntoskrnl.exe
 *          1  return  btrfs.sys+0x18d02
 *
 * The word before each frame says what its address is (context.h): "exact", that of the instruction itself; "return", a
 * return address; "open", one of the two, but the log does not tell which.
 *
 * If there are several logs, a table comes before the blocks.  Each of its rows counts the crashes with the same title
 * and the same first frames, not counting those at the top in which the system reports a crash.  The crashes of a row
 * can differ in the rest of their stacks.
 */
#ifndef LOG_PAGE_CRASH_PRINT_H
#define LOG_PAGE_CRASH_PRINT_H

#include "log/crash/crashes.h"
#include "tool/out.h"

/* Print the crashes as text.  MARKDOWN: make each block a fenced code block of Markdown.  Sets crashes->no_memory if
   there is no memory. */
void crashes_print(struct out *out, struct crashes *crashes, bool markdown);

/* Print each crash as a JSON object on a line of its own. */
void crashes_print_json(struct out *out, const struct crashes *crashes);

/* Append a section of HTML: the table, if there are several logs, and a block for each crash.  Nothing if none has. */
void crashes_add_html(struct strbuf *text, struct crashes *crashes);

#endif
