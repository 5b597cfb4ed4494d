/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * decimal.h - write a number as decimal text, three digits at a time
 *
 * This is for the loop that prints every answer: with a division for each digit, as out_decimal() does it,
 * rossym-addr2line takes 1.7 times as long for a million addresses.
 */
#ifndef TOOL_DECIMAL_H
#define TOOL_DECIMAL_H

#include <stdint.h>
#include <string.h>

/* A number below 1000. */
struct decimal_three {
	char text[3];
	uint8_t length; /* how many of the three characters belong to the number */
};

/* Indexed by number: with leading zeros; and without them, then the characters after the number mean nothing. */
extern const struct decimal_three decimal_padded[1000], decimal_plain[1000];

/* These write four bytes, of which the caller overwrites those after the number. */
static inline char *decimal_put_first(char *p, uint32_t below_1000)
{
	memcpy(p, &decimal_plain[below_1000], sizeof(struct decimal_three));
	return p + decimal_plain[below_1000].length;
}

static inline char *decimal_put_three(char *p, uint32_t below_1000)
{
	memcpy(p, &decimal_padded[below_1000], sizeof(struct decimal_three));
	return p + 3;
}

static inline char *decimal_put_below_million(char *p, uint32_t number)
{
	return number < 1000 ? decimal_put_first(p, number)
			     : decimal_put_three(decimal_put_first(p, number / 1000), number % 1000);
}

/* Write NUMBER at P, where there is room for 16 bytes; returns its end. */
static inline char *decimal_put(char *p, uint32_t number)
{
	if (number < 1000000)
		return decimal_put_below_million(p, number);
	p = decimal_put_below_million(p, number / 1000000);
	p = decimal_put_three(p, number / 1000 % 1000);
	return decimal_put_three(p, number % 1000);
}

#endif
