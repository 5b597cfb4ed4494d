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
 * The word before each frame says what its address is (context.h): "exact", that of the instruction itself; "return", a
 * return address; "open", one of these, but the log does not tell which.
 */
#ifndef LOG_CRASH_CRASH_BLOCK_H
#define LOG_CRASH_CRASH_BLOCK_H

#include "log/crash/crashes.h"

/* Append the block of crash NUMBER, from 0. */
void block_add(struct strbuf *text, const struct crashes *crashes, size_t number);

/* Append the first line of that block, without the newline. */
void block_add_heading(struct strbuf *text, const struct crashes *crashes, size_t number);

/* Append BLOCK as a fenced code block of Markdown.  The fence is longer than any run of grave accents in BLOCK, so that
   nothing in it ends the block. */
void block_add_fenced(struct strbuf *text, const struct strbuf *block);

/* Call FIELD for each field of CRASH that is known, in the order of the block: from "Build" to "Symbols".  FIELD
   appends one field to TEXT.  If a field has several values, FIELD is called for each; NAME is "" for the second and
   later ones. */
typedef void block_field(struct strbuf *text, const char *name, const char *value);
void block_add_fields(struct strbuf *text, const struct crash *crash, block_field *field);

/* Append the title of CRASH, such as "bugcheck 0x0000000A NAME": what follows "Crash 1 of 2: " in its block. */
void block_add_title(struct strbuf *text, const struct crash *crash);

/* Append the frame NUMBER of STACK with its remark, but without its kind and its callers: "f (a.c:7) in a.sys",
   "a.sys+0x1230", "0x1230". */
void block_add_frame(struct strbuf *text, const struct stack *stack, size_t number);

/* Append "a.log, line 120, boot 1 of 2". */
void block_add_place(struct strbuf *text, const struct crashes *crashes, const struct crash_place *place);

/* Returns the name of the crash's bugcheck code or exception code; NULL: not known. */
const char *block_code_name(const struct crash *crash);

/* Returns what parameter number PARAMETER, from 0, means if CRASH is a bugcheck; NULL: not known. */
const char *block_meaning(const struct crash *crash, unsigned parameter);

/* Returns the module that the log says is at fault; else, if the place of the crash is known, its module; else, for an
   exception, the module of the first frame.  "": not known. */
const char *block_module(const struct crash *crash);

/* Returns the word for the frame's address: "exact", "return" or "open". */
const char *block_kind(const struct stack_frame *frame);

#endif
