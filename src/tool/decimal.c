// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/decimal.h"

/* The tables are made by the preprocessor: OF(a, b, c) for the digits of each number from 000 to 999. */
#define TEN(OF, a, b) \
	OF(a, b, 0), OF(a, b, 1), OF(a, b, 2), OF(a, b, 3), OF(a, b, 4), OF(a, b, 5), OF(a, b, 6), OF(a, b, 7), \
		OF(a, b, 8), OF(a, b, 9)
#define HUNDRED(OF, a) \
	TEN(OF, a, 0), TEN(OF, a, 1), TEN(OF, a, 2), TEN(OF, a, 3), TEN(OF, a, 4), TEN(OF, a, 5), TEN(OF, a, 6), \
		TEN(OF, a, 7), TEN(OF, a, 8), TEN(OF, a, 9)
#define THOUSAND(OF) \
	HUNDRED(OF, 0), HUNDRED(OF, 1), HUNDRED(OF, 2), HUNDRED(OF, 3), HUNDRED(OF, 4), HUNDRED(OF, 5), \
		HUNDRED(OF, 6), HUNDRED(OF, 7), HUNDRED(OF, 8), HUNDRED(OF, 9)

/* The first digit that is not 0, or else the last one; the digit after the first; how many digits there are. */
#define FIRST(a, b, c) ((a) + !(a) * ((b) + !(b) * (c)))
#define SECOND(a, b, c) (!!(a) * (b) + !(a) * (c))
#define LENGTH(a, b) (1 + !!(b) + !!(a) * (2 - !!(b)))

#define PADDED(a, b, c) \
	{ \
		{ '0' + (a), '0' + (b), '0' + (c) }, LENGTH(a, b) \
	}
#define PLAIN(a, b, c) \
	{ \
		{ '0' + FIRST(a, b, c), '0' + SECOND(a, b, c), '0' + (c) }, LENGTH(a, b) \
	}

const struct decimal_three decimal_padded[1000] = { THOUSAND(PADDED) }, decimal_plain[1000] = { THOUSAND(PLAIN) };
