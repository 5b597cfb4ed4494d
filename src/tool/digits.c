// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/digits.h"

#define ONE(a, b, c) \
	{ \
		a, b, c, (a) != '0' ? 3 : (b) != '0' ? 2 : 1 \
	}
#define TEN(a, b) \
	ONE(a, b, '0'), ONE(a, b, '1'), ONE(a, b, '2'), ONE(a, b, '3'), ONE(a, b, '4'), ONE(a, b, '5'), \
		ONE(a, b, '6'), ONE(a, b, '7'), ONE(a, b, '8'), ONE(a, b, '9')
#define HUNDRED(a) \
	TEN(a, '0'), TEN(a, '1'), TEN(a, '2'), TEN(a, '3'), TEN(a, '4'), TEN(a, '5'), TEN(a, '6'), TEN(a, '7'), \
		TEN(a, '8'), TEN(a, '9')

const unsigned char decimal_groups[DIGITS_GROUP][4] = { HUNDRED('0'), HUNDRED('1'), HUNDRED('2'), HUNDRED('3'),
							HUNDRED('4'), HUNDRED('5'), HUNDRED('6'), HUNDRED('7'),
							HUNDRED('8'), HUNDRED('9') };

char *decimal_put_long(char *p, uint32_t number)
{
	unsigned unused;
	p = decimal_put(p, number / DIGITS_TWO_GROUPS);
	digits_store(p, decimal_get_digits(number % DIGITS_TWO_GROUPS, &unused));
	return p + 6;
}
