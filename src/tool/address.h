/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * address.h - parses an address that a user or another program has written
 *
 * The grammar is GNU addr2line's, in which every text is valid: a number is hexadecimal, with or without 0x, and what
 * follows its digits is ignored; any other text is a symbol with an offset; an empty text is 0.  There are two more
 * forms, which GNU addr2line misreads: "<module:1a2b>", as ReactOS prints it, and WinDbg's "fffff800`02a61000".  In
 * "name+1a2b", the name may also be a module; then the offset is an RVA, in hexadecimal.
 */
#ifndef TOOL_ADDRESS_H
#define TOOL_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum address_kind {
	ADDRESS_NUMBER,
	ADDRESS_SYMBOL, /* a symbol and an offset: name+offset */
	ADDRESS_MODULE, /* <name:number>: an RVA (an offset from the image base) in the module NAME */
};

struct address {
	enum address_kind kind;
	uint64_t number;    /* by KIND: the address, the offset from the symbol, or the RVA */
	uint64_t rva;	    /* ADDRESS_MODULE: as `number`; ADDRESS_SYMBOL: the offset, read as hexadecimal */
	const char *name;   /* the symbol or module, in the text that was parsed, without a NUL; NULL for a number */
	size_t name_length; /* the length of the name; 0 for a number */
};

/* Parse TEXT into *ADDRESS; every text is an address. */
void address_parse(const char *text, struct address *address);

/* Parse a hexadecimal number, with or without 0x, or in WinDbg's form: fffff800`02a61000.  As with strtoull(), a number
   of more than 64 bits becomes all ones, and a text without digits becomes 0.  *END: where the number ends. */
uint64_t address_parse_number(const char *text, const char **end);

/*
 * Parse lines that are one hexadecimal number and nothing else, as most input lines are.  This is faster than
 * address_parse() for each line.  Each line from *TEXT up to END must have its newline, and ADDRESS_SLACK bytes after
 * END must be readable.  Stores the numbers of at most MOST lines, and returns how many; moves *TEXT to the first line
 * that it has not read, or to END.
 */
size_t address_parse_lines(char **text, const char *end, uint64_t *numbers, size_t most);

enum { ADDRESS_SLACK = 32 };

#endif
