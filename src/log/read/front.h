/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * front.h - what comes before a line's own text
 *
 * Programs that record, store and quote logs put something in front of each line:
 *
 *     12:00:01  12:00:01 AM  00:00:12.345678  2026-11-02T10:00:01.123Z  2026-11-02 10:00:01,5 +01:00	time stamps
 *     Nov 02 10:00:01  Mon Nov  2 10:00:01 2026  [12:00:01]  [Mon Nov  2 10:00:01 2026]
 *     [        11.775321]  12.345678		seconds
 *     Nov 02 10:00:01 host qemu[12]:		syslog, journald: after a time stamp, machine and program
 *     Nov 02 10:00:01 host Application Error[1000]:	an event of Windows in syslog, also without machine or time stamp
 *     00000012 TAB 0.12345678 TAB [4]		DebugView
 *      12.					the line numbers of a pastebin
 *         12 TAB				those of `cat -n` and `nl`
 *     > * -  * |  ? |				a quote or a list; our own marks (-m, -M)
 *     "1","host","12:00:01","			CSV: all fields before the first that is no number, stamp or single word
 *     {"time":"12:00:01","message":"		JSON: up to the first string whose name tells that it is a line of a log
 *     kdb:> kd> 0: kd>				a prompt without a newline
 *     --- Press q to abort, any other key to continue ---	the prompt of KDBG's pager
 *
 * Several of them may follow each other, and nearly all end with a blank, a tab or a quotation mark.  Numbers of
 * tables are never mistaken for them: "80941360 " and "00 f793e0ec" are no time stamps.
 */
#ifndef LOG_READ_FRONT_H
#define LOG_READ_FRONT_H

#include "log/read/token.h"

/* Find where the line's own text begins, and set t->begin, t->after_prompt, t->in_string and,
   after DebugView's columns, t->at. */
void front_read(struct tokens *t);

#endif
