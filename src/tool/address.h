/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * address.h - what people write for an address
 *
 * GNU addr2line's grammar, in which everything means something: a number is hexadecimal with or without 0x and ends
 * where it ends, anything else is a symbol with an offset, and nothing at all is 0.  Besides, the two forms of
 * ReactOS's and WinDbg's own output that GNU would misread: "<module:1a2b>" and "fffff800`02a61000".
 */
#ifndef TOOL_ADDRESS_H
#define TOOL_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum address_kind {
	ADDRESS_NUMBER,
	ADDRESS_SYMBOL,		/* name+offset */
	ADDRESS_MODULE		/* <name:number>, a number of bytes from the start of the module NAME */
};

struct address {
	enum address_kind kind;
	uint64_t number;	/* or the offset of a symbol */
	const char *name;	/* in the text that was parsed; not terminated */
	size_t name_length;
};

/*
 * The quick way for what most input is: up to MOST lines that are one hexadecimal number and nothing else, from *TEXT
 * on, where lines up to END stand, each with its newline.  Stores the numbers and returns how many there were; *TEXT is
 * the first line that is something else, or END.  ADDRESS_SLACK bytes behind END can be read.
 */
size_t address_lines(char **text, const char *end, uint64_t *numbers, size_t most);

enum { ADDRESS_SLACK = 32 };

/* Cannot fail. */
void address_parse(const char *text, struct address *address);

/* A hexadecimal number with or without 0x, as strtoul reads it but always 64 bits wide, and WinDbg's two halves:
   what does not fit is all ones, nothing is 0.  *END is what follows it. */
uint64_t address_number(const char *text, const char **end);

#endif
