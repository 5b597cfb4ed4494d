/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crash-block.h - a crash as a block of text
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
 * A frame is exact, a return address, or open if the log does not tell (context.h).
 */
#ifndef LOG_CRASH_CRASH_BLOCK_H
#define LOG_CRASH_CRASH_BLOCK_H

#include "log/crash/crashes.h"

/* Append the block of crash NUMBER, from 0. */
void block_add(struct strbuf *text, const struct crashes *crashes, size_t number);

/* Append its first line, without the newline. */
void block_add_heading(struct strbuf *text, const struct crashes *crashes, size_t number);

/* Append BLOCK as Markdown's block of code, with a fence that is longer than any run of grave accents in it. */
void block_add_fenced(struct strbuf *text, const struct strbuf *block);

/* Add the fields from the build to the symbols, those that CRASH has.  FIELD adds one to TEXT; NAME is "" in further fields
   of one name. */
typedef void block_field(struct strbuf *text, const char *name, const char *value);
void block_add_fields(struct strbuf *text, const struct crash *crash, block_field *field);

/* Append what CRASH is, as in the first line of its block after "Crash 1 of 2: ". */
void block_add_title(struct strbuf *text, const struct crash *crash);

/* Append the frame NUMBER of STACK without its kind and its callers: "f (a.c:7) in a.sys", "a.sys+0x1230", "0x1230". */
void block_add_frame(struct strbuf *text, const struct stack *stack, size_t number);

/* Append "a.log, line 120, boot 1 of 2". */
void block_add_place(struct strbuf *text, const struct crashes *crashes, const struct crash_place *place);

/* What the code of an exception, or that in the first parameter of a bugcheck, is called; what a parameter means.
   NULL: not known. */
const char *block_code_name(const struct crash *crash);
const char *block_meaning(const struct crash *crash, unsigned parameter);

/* The module in which the crash was: what the log says, else that of the place; "": not known. */
const char *block_module(const struct crash *crash);

/* The frame's kind in a word. */
const char *block_kind(const struct stack_frame *frame);

#endif
