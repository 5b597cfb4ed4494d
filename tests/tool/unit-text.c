/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The quick ways with text say what the slow ones say: numbers that are read, and numbers that are written. */
#include "config.h"
#include "tool/address.h"
#include "tool/digits.h"
#include "tool/json.h"

#include <inttypes.h>

#include "tests/lib/random.h"
#include "tests/lib/tap.h"

static void check_line(const char *line, bool quick)
{
	char buffer[256] = "", *text = buffer;
	struct address address;
	uint64_t number = 0;
	size_t length = strlen(line);
	memcpy(buffer, line, length);
	buffer[length] = '\n';
	size_t count = address_parse_lines(&text, buffer + length + 1, &number, 1);
	address_parse(line, &address);
	ok(count == quick, "'%s' is read %s", line, quick ? "quickly" : "slowly");
	if (count == 1)
		ok(address.kind == ADDRESS_NUMBER && number == address.number && text == buffer + length + 1,
		   "and it is 0x%" PRIx64, address.number);
	else
		ok(text == buffer, "and nothing of it has been taken");
}

static void check_random_lines(void)
{
	static const char digits[] = "0123456789abcdefABCDEF", odd[] = "xX+`\r \t,:gG@/\x80\xff`";
	unsigned wrong = 0, taken = 0;
	for (int i = 0; i < 300000; i++) {
		char line[64] = "", copy[64];
		uint64_t number = 0;
		struct address address;
		size_t length = random_below(20), at = 0;
		if (random_below(3) == 0) {
			line[at++] = '0';
			line[at++] = random_below(2) ? 'x' : 'X';
		}
		while (at < length)
			line[at++] = random_below(60) ? digits[random_below(22)] : odd[random_below(sizeof odd - 1)];
		memcpy(copy, line, sizeof copy);
		line[at] = '\n';
		char *text = line;
		if (address_parse_lines(&text, line + at + 1, &number, 1) == 0)
			continue;
		taken++;
		address_parse(copy, &address);
		wrong += address.kind != ADDRESS_NUMBER || address.number != number || text != line + at + 1;
	}
	is_uint(wrong, 0, "random lines that are read quickly are what they are slowly");
	ok(taken > 100000, "and most are, %u", taken);
}

/* Lines are taken to be written as the one before: so they are, some of them. */
static void check_runs(void)
{
	static const char digits[] = "0123456789abcdefABCDEF";
	enum { LINES = 64 };
	unsigned wrong = 0, read = 0;
	for (int turn = 0; turn < 5000; turn++) {
		char text[LINES * 32 + 64] = "", copy[sizeof text], *end = text, *p = text;
		uint64_t numbers[LINES];
		unsigned prefix = 0, length = 8, line_end = 0;
		for (int i = 0; i < LINES; i++) {
			if (random_below(8) == 0) {
				prefix = random_below(3);
				length = random_below(18);
				line_end = random_below(3);
			}
			end += sprintf(end, "%s", prefix == 0 ? "" : prefix == 1 ? "0x" : "0X");
			for (unsigned digit = 0; digit < length; digit++)
				*end++ = random_below(500) ? digits[random_below(22)] : 'g';
			end += sprintf(end, "%s", line_end == 0 ? "\r\n" : "\n");
		}
		memcpy(copy, text, sizeof copy);
		for (char *line = copy, *next; line < copy + (end - text); line = next) {
			struct address address;
			size_t count = address_parse_lines(&p, end, numbers, 1 + random_below(LINES));
			for (size_t i = 0; i < count; i++, line = next) {
				next = strchr(line, '\n') + 1;
				next[-1] = '\0';
				address_parse(line, &address);
				wrong += address.kind != ADDRESS_NUMBER || address.number != numbers[i];
				read++;
			}
			wrong += p - text != line - copy;
			next = line;
			if (count == 0) { /* a line that is not for the quick way */
				p = strchr(p, '\n') + 1;
				next = strchr(line, '\n') + 1;
			}
		}
	}
	is_uint(wrong, 0, "lines in runs that are written alike are read as they are one by one");
	ok(read > 100000, "and many are, %u", read);
}

static void check_blocks(void)
{
	char text[128] = "1\n22\n\n333\n", *p = text;
	uint64_t numbers[4] = { 0, 0, 0, 0 };
	is_uint(address_parse_lines(&p, text + 10, numbers, 4), 2, "stops at a line that is no number");
	ok(p == text + 5 && numbers[0] == 1 && numbers[1] == 0x22, "behind those that are");
	p = text;
	is_uint(address_parse_lines(&p, text + 10, numbers, 1), 1, "stops when it has enough");
	ok(p == text + 2, "there");
}

static void check_decimal(void)
{
	uint32_t power = 1;
	unsigned wrong = 0;
	for (int digits = 0; digits < 10; digits++, power *= 10)
		for (uint32_t i = 0; i < 200000; i++) {
			uint32_t number = i < 100 ? power - 50 + i : random_below(digits < 9 ? power * 10 : UINT32_MAX);
			char seen[32] = "", wanted[32];
			char *end = decimal_put(seen, number);
			*end = '\0';
			snprintf(wanted, sizeof wanted, "%" PRIu32, number);
			wrong += strcmp(seen, wanted) != 0;
		}
	is_uint(wrong, 0, "numbers of all lengths are written as printf writes them");
	for (uint32_t i = 0; i < 100000; i++) {
		char seen[32] = "", wanted[32];
		*decimal_put(seen, i) = '\0';
		snprintf(wanted, sizeof wanted, "%" PRIu32, i);
		wrong += strcmp(seen, wanted) != 0;
	}
	is_uint(wrong, 0, "and all line numbers up to 99,999");
	char seen[32] = "";
	*decimal_put(seen, UINT32_MAX) = '\0';
	is_str(seen, "4294967295", "the greatest one");
	is_int(hex_digit_count(0), 1, "0 has a digit");
	is_int(hex_digit_count(0x10), 2, "0x10 has two");
	is_int(hex_digit_count(UINT64_MAX), 16, "the greatest has 16");
}

static void check_hex(void)
{
	unsigned wrong = 0;
	for (int digits = 1; digits <= 16; digits++)
		for (int i = 0; i < 1000; i++) {
			const uint64_t number = (uint64_t)random_below(UINT32_MAX) << 32 | random_below(UINT32_MAX);
			char seen[32] = "", wanted[32];
			*hex_put(seen, number, digits) = '\0';
			snprintf(wanted, sizeof wanted, "%016" PRIx64, number);
			wrong += strcmp(seen, wanted + 16 - digits) != 0;
		}
	is_uint(wrong, 0, "addresses of all lengths are written as printf writes them");
}

/* Each byte at each place of strings of each length. */
static void check_escapes(void)
{
	char text[JSON_BLOCK + 1], copy[JSON_BLOCK];
	unsigned wrong = 0;
	for (int c = 1; c < 256; c++)
		for (size_t at = 0; at < JSON_BLOCK; at++) {
			memset(text, 'a', sizeof text);
			text[at] = (char)c;
			for (size_t length = 0; length <= JSON_BLOCK; length++) {
				const bool ascii = c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
				wrong += json_copy_plain(copy, text, length) != (ascii || at >= length) ||
					 memcmp(copy, text, JSON_BLOCK) != 0;
			}
		}
	is_uint(wrong, 0, "JSON's quick copy tells which strings need escapes");
}

/* Where there is no fast lane, each line is left to the reference path. */
static const bool has_lane =
#if defined HAVE_VECTORS && !defined WORDS_BIGENDIAN
	true;
#else
	false;
#endif

int main(void)
{
	static const char *const quick[] = {
		"0",	     "1",	    "4015cb",		"0x4015CB", "0X1",     "ffffffff", "FFFFFFFFFFFFFFFF",
		"123456789", "0x33b2d1000", "00000000004015cb", "beef",	    "4015cb\r"
	};
	static const char *const slow[] = { "",	       " 1",	"1 ",
					    "0x",      "x",	"main",
					    "beef+1",  "1+1",	"10000000000000000",
					    "zz",      ",",	"fffff800`02a61000",
					    "1\r\r",   "<a:1>", "0x0x1",
					    "4015cbh", "-1",	"\xc3\xa9" };
	for (size_t i = 0; i < sizeof quick / sizeof *quick; i++)
		check_line(quick[i], has_lane);
	for (size_t i = 0; i < sizeof slow / sizeof *slow; i++)
		check_line(slow[i], false);
	if (has_lane) {
		check_random_lines();
		check_runs();
		check_blocks();
	}
	check_decimal();
	check_hex();
	check_escapes();
	return done_testing();
}
