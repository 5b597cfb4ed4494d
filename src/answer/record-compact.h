/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record-compact.h - the fast lane of printing JSON: a record on a line of its own
 *
 * It is written straight into the output's buffer at P; record-text.c says how that is done.  The plain twin is
 * record_json(), which also prints indented records and those in an array: with that alone, a million addresses take 9
 * times as long.  tests/unit-record.c keeps both equal.
 */
#ifndef ANSWER_RECORD_COMPACT_H
#define ANSWER_RECORD_COMPACT_H

#include "tool/out.h"
#include "answer/record-style.h"

/* Print the record of ADDRESS, and a newline.  False: no memory. */
bool record_compact(struct record_style *style, struct out *out, uint64_t address, struct record_subject subject);

#endif
