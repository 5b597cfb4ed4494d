/* SPDX-License-Identifier: GPL-2.0-or-later */
/* print.h - all crashes as text: the table, if there are several logs, and the blocks */
#ifndef LOG_CRASH_PRINT_H
#define LOG_CRASH_PRINT_H

#include "log/crash/crashes.h"
#include "tool/out.h"

/* MARKDOWN: print the table and each block as a code block of Markdown. */
void crashes_print(struct out *out, struct crashes *crashes, bool markdown);

#endif
