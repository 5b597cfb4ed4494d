/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record.h - one answer, in the form of GNU addr2line
 *
 *     record   = [ address ] , ( notfound | frame )
 *     address  = "0x" digits ( "\n" | ": " if pretty )                        8 digits or 16
 *     notfound = [ "??" ( "\n" | " " if pretty ) if functions ] "??:0\n"
 *     frame    = [ name ( "\n" | " at " if pretty ) if functions ] file ":" ( line | "?" ) "\n"
 */
#ifndef TOOL_RECORD_H
#define TOOL_RECORD_H

#include "rossym.h"
#include "tool/out.h"
#include "tool/paths.h"

struct record_style {
	bool addresses;
	bool functions;
	bool pretty;
	bool demangle;
	bool no_recursion_limit;	/* of the demangler */
	int digits;			/* of an address */
	struct paths paths;
};

/* Print the record of ADDRESS; FRAME is NULL if nothing is known about it.  False if there is no memory. */
bool record_print(struct record_style *style, struct out *out, uint64_t address, const struct rossym_frame *frame);

#endif
