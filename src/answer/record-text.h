/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record-text.h - prints records as text, in the styles of GNU addr2line and llvm-symbolizer
 *
 * GNU  record   = [ address ] , ( notfound | frame , { more } )
 *      address  = "0x" digits ( "\n" | ": " if pretty )                        8 digits or 16
 *      notfound = [ "??" ( "\n" | " " if pretty ) if functions ] "??:0\n"
 *      frame    = [ name ( "\n" | " at " if pretty ) if functions ] file ":" ( line | "?" ) "\n"
 *      more     = [ " (inlined by) " if pretty ] frame                        with -i: the outer frames
 *
 * LLVM record   = [ address ] , frame , { more } , "\n"
 *      address  = as above, but without leading zeros
 *      frame    = [ name ( "\n" | " at " if pretty ) if functions ] file ":" line ":" column "\n"
 *      Unknown parts are "??" or 0; column is 0 in an image with a table.
 */
#ifndef ANSWER_RECORD_TEXT_H
#define ANSWER_RECORD_TEXT_H

#include "tool/out.h"
#include "answer/record-style.h"

/* Print the record of ADDRESS.  False: no memory. */
bool record_text(struct record_style *style, struct out *out, uint64_t address, struct record_subject subject);

#endif
