/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * address.h - the grammar of an address, as people and programs write it
 *
 * It is GNU addr2line's, in which every text means something: a number is hexadecimal, with or without 0x, and what
 * follows its digits is ignored; any other text is a symbol with an offset; an empty text is 0.  Two forms are added
 * that ReactOS and WinDbg print and GNU misreads: "<module:1a2b>" and "fffff800`02a61000".
 */
#ifndef TOOL_ADDRESS_H
#define TOOL_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum address_kind {
	ADDRESS_NUMBER,
	ADDRESS_SYMBOL, /* name+offset */
	ADDRESS_MODULE, /* <name:number>: so many bytes from the start of the module NAME */
};

struct address {
	enum address_kind kind;
	uint64_t number;  /* or the offset of a symbol */
	const char *name; /* in the text that was parsed; not terminated */
	size_t name_length;
};

/* Parse TEXT; every text is an address.  The plain way. */
void address_parse(const char *text, struct address *address);

/* Parse a hexadecimal number with or without 0x, or WinDbg's two halves.  As strtoul() with 64 bits: a number that does
   not fit is all ones, and no digits are 0.  *END is where it ends. */
uint64_t address_number(const char *text, const char **end);

/*
 * address-lines.c: the fast lane for lines that are one hexadecimal number and nothing else, which most input is.  The
 * lines from *TEXT up to END all have their newline, and ADDRESS_SLACK bytes after END can be read.  Store the numbers
 * of up to MOST lines and return how many there were; move *TEXT to the first line that the lane does not take, or
 * to END.
 */
size_t address_lines(char **text, const char *end, uint64_t *numbers, size_t most);

enum { ADDRESS_SLACK = 32 };

#endif
