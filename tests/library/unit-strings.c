// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "write/strings.h"

#include "tests/lib/tap.h"

int main(void)
{
	struct rs_string_table s;
	uint32_t a = 9, b = 9, c = 9;
	char text[32];
	bool good = true;

	ok(rs_strings_open(&s, 100000, NULL) == 0, "a new one");
	is_str(rs_string(&s, 0), "", "number 0 is empty");
	ok(rs_strings_add(&s, "abc", 3, &a, NULL) == 0 && a == 1, "the first is number 1");
	ok(rs_strings_add(&s, "abcd", 3, &b, NULL) == 0 && b == a, "an equal one has the same number");
	ok(rs_strings_add(&s, "ab", 2, &c, NULL) == 0 && c == 2, "a part of it has not");
	ok(rs_strings_add(&s, "x", 0, &c, NULL) == 0 && c == 0, "an empty one is number 0");
	for (int round = 0; round < 2; round++)
		for (uint32_t i = 0; i < 5000; i++) {
			int n = snprintf(text, sizeof text, "string %u", i);
			good &= rs_strings_add(&s, text, (size_t)n, &a, NULL) == 0 && a == i + 3;
			good &= strcmp(rs_string(&s, a), text) == 0;
		}
	ok(good, "thousands keep their numbers");
	is_uint(s.count, 5003, "and are there once");
	memset(text, 'y', sizeof text);
	good = true;
	while (rs_strings_add(&s, text, sizeof text, &a, NULL) == 0 && good) {
		text[0]++;
		if (text[0] == 'y')
			text[1]++;
		good = s.length <= 100000;
	}
	ok(good && s.length > 99900, "nothing beyond the limit");
	rs_strings_clear(&s);

	/* A string may be added from the end of another one, which moves when there is no room for both. */
	static char large[10000];
	memset(large, 'z', sizeof large - 1);
	ok(rs_strings_open(&s, 100000, NULL) == 0 && rs_strings_add(&s, large, sizeof large - 1, &a, NULL) == 0 &&
		   rs_strings_add(&s, rs_string(&s, a) + 1, sizeof large - 2, &b, NULL) == 0,
	   "the end of a long one is added");
	is_str(rs_string(&s, b), large + 1, "as it was before the strings moved");
	rs_strings_clear(&s);
	return done_testing();
}
