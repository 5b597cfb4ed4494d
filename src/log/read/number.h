/* SPDX-License-Identifier: GPL-2.0-or-later */
/* number.h - hexadecimal numbers: "8094136a", "0x8094136a", and WinDbg's "fffff800`02a61000" */
#ifndef LOG_READ_NUMBER_H
#define LOG_READ_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NUMBER_HALF = 8 }; /* digits on each side of WinDbg's grave accent */

struct number {
	uint64_t value;
	unsigned digits; /* how many, with leading zeros; 17 if more than 16: then `value` lacks the upper ones */
	bool prefix;	 /* it begins with "0x" */
	bool grave;	 /* it is divided by a grave accent */
};

/* Read the hexadecimal number at TEXT.  Returns its length in bytes, or 0 if there is none.  A grave accent belongs to
   it only with exactly 8 digits on each side. */
size_t number_parse(const char *text, size_t length, struct number *number);

#endif
