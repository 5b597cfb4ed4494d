/* SPDX-License-Identifier: GPL-2.0-or-later */
/* number.h - hexadecimal numbers as the printers of addresses write them */
#ifndef LOG_NUMBER_H
#define LOG_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NUMBER_HALF = 8 };	/* digits on each side of WinDbg's grave accent */

struct number {
	uint64_t value;
	unsigned digits;	/* 17: more than fit, and the value is nonsense */
	bool prefix;		/* "0x" */
	bool grave;		/* WinDbg's "fffff800`02a61000" */
};

/* Read the number at TEXT and return how many bytes it has; 0 if there is none. */
size_t number_parse(const char *text, size_t length, struct number *number);

#endif
