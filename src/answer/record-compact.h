/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record-compact.h - the fast path of printing JSON, for records that are neither indented nor in an array
 *
 * It writes directly into the output's buffer, as record-text.c does.  The reference path is record_json(), which
 * prints all records: with that alone, a million addresses take 9 times as long.  tests/tool/unit-record.c checks that both
 * print the same.
 */
#ifndef ANSWER_RECORD_COMPACT_H
#define ANSWER_RECORD_COMPACT_H

#include "tool/out.h"
#include "answer/record-style.h"

/* Print the record of ADDRESS, and a newline.  False: no memory. */
bool record_compact(struct record_style *style, struct out *out, uint64_t address, struct record_subject subject);

#endif
